#include "probe/residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/stats.h"

static double point_residual(const struct surface_point *point, surface_predictor *predict,
                             const void *context)
{
    return log(point->seconds / predict(point, context));
}

enum status residuals_pc(const struct surface_point *point, int count, surface_predictor *predict,
                         const void *context, double *pc, struct error *error)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        double predicted = predict(&point[i], context);
        double residual = log(point[i].seconds / predicted);

        if (!(predicted > 0) || !isfinite(residual))
            return error_set(error, STATUS_INVALID,
                             "point %d (alpha %g, L %g): T is %g s, predicted %g s; allowed: above "
                             "0",
                             i + 1, point[i].alpha, point[i].block, point[i].seconds, predicted);
        sum += residual * residual;
    }
    *pc = exp(sqrt(sum / count));
    return STATUS_OK;
}

/* Groups along the axes ------------------------------------------------------------------------ */

/* Adds a residual; `mean` and `rms` contain sums until all are added. */
static void add_to_group(struct residual_group *group, double residual)
{
    group->count++;
    group->mean += residual;
    group->rms += residual * residual;
    if (fabs(residual) > fabs(group->worst))
        group->worst = residual;
}

static void finish_groups(struct residual_group *group, int count)
{
    for (int i = 0; i < count; i++) {
        if (group[i].count == 0)
            continue;
        group[i].mean /= group[i].count;
        group[i].rms = sqrt(group[i].rms / group[i].count);
    }
}

static int find_group(const struct residual_group *group, int count, double key)
{
    int i = 0;

    while (i < count - 1 && group[i].key != key)
        i++;
    return i;
}

/* Creates a group for each distinct value, in order; returns their count. */
static int make_groups(const double *sorted, int count, bool descending,
                       struct residual_group *group)
{
    int made = 0;

    for (int i = 0; i < count; i++) {
        double value = sorted[descending ? count - 1 - i : i];

        if (made == 0 || value != group[made - 1].key)
            group[made++].key = value;
    }
    return made;
}

static enum status find_axes(const struct surface_point *point, int count,
                             struct residuals *residuals, struct error *error)
{
    size_t many = (size_t)count;
    double *alphas = allocate_array(2 * many, sizeof *alphas);
    double *blocks = alphas + count;

    residuals->by_alpha = allocate_array(many, sizeof *residuals->by_alpha);
    residuals->by_block = allocate_array(many, sizeof *residuals->by_block);
    for (int i = 0; i < count; i++) {
        alphas[i] = point[i].alpha;
        blocks[i] = point[i].block;
    }
    stats_sort(alphas, count);
    stats_sort(blocks, count);
    residuals->alphas = make_groups(alphas, count, true, residuals->by_alpha);
    residuals->blocks = make_groups(blocks, count, false, residuals->by_block);
    free(alphas);
    if (residuals->blocks > RESIDUALS_CELLS_MAX / residuals->alphas)
        return error_set(error, STATUS_INVALID,
                         "%d different alpha and %d different L are not a grid; allowed: up to "
                         "%d pairs",
                         residuals->alphas, residuals->blocks, RESIDUALS_CELLS_MAX);
    residuals->cell =
        allocate_array((size_t)(residuals->alphas * residuals->blocks), sizeof *residuals->cell);
    return STATUS_OK;
}

static void group_by_prediction(const struct surface_point *point, int count,
                                surface_predictor *predict, const void *context,
                                struct residuals *residuals)
{
    struct residual_group *group = residuals->by_predicted;
    double low = INFINITY;
    double high = -INFINITY;
    double step;

    for (int i = 0; i < count; i++) {
        double predicted = log(predict(&point[i], context));

        low = smaller(low, predicted);
        high = larger(high, predicted);
    }
    step = (high - low) / RESIDUALS_PREDICTED_MAX;
    for (int i = 0; i < RESIDUALS_PREDICTED_MAX; i++)
        group[i].key = exp(low + (i + 0.5) * step);
    for (int i = 0; i < count; i++) {
        double predicted = predict(&point[i], context);
        int k = step > 1e-9 ? (int)((log(predicted) - low) / step) : 0;

        add_to_group(&group[k < RESIDUALS_PREDICTED_MAX ? k : RESIDUALS_PREDICTED_MAX - 1],
                     log(point[i].seconds / predicted));
    }
    finish_groups(group, RESIDUALS_PREDICTED_MAX);
    for (int i = 0; i < RESIDUALS_PREDICTED_MAX; i++)
        if (group[i].count > 0)
            group[residuals->predicted++] = group[i];
}

enum status residuals_make(const struct surface_point *point, int count, surface_predictor *predict,
                           const void *context, struct residuals *residuals, struct error *error)
{
    enum status status;

    *residuals = (struct residuals){0};
    status = find_axes(point, count, residuals, error);
    if (status != STATUS_OK) {
        residuals_free(residuals);
        return status;
    }
    for (int i = 0; i < count; i++) {
        double residual = point_residual(&point[i], predict, context);
        int a = find_group(residuals->by_alpha, residuals->alphas, point[i].alpha);
        int b = find_group(residuals->by_block, residuals->blocks, point[i].block);

        add_to_group(&residuals->by_alpha[a], residual);
        add_to_group(&residuals->by_block[b], residual);
        add_to_group(&residuals->cell[a * residuals->blocks + b], residual);
    }
    finish_groups(residuals->by_alpha, residuals->alphas);
    finish_groups(residuals->by_block, residuals->blocks);
    finish_groups(residuals->cell, residuals->alphas * residuals->blocks);
    group_by_prediction(point, count, predict, context, residuals);
    return STATUS_OK;
}

void residuals_free(struct residuals *residuals)
{
    free(residuals->by_alpha);
    free(residuals->by_block);
    free(residuals->cell);
    *residuals = (struct residuals){0};
}

void residual_signs(const struct residual_group *cell, char signs[RESIDUAL_SIGNS_MAX + 1])
{
    static const double steps[RESIDUAL_SIGNS_MAX] = {1.1, 1.25, 1.5, 2};
    int count = 0;

    while (count < RESIDUAL_SIGNS_MAX && fabs(cell->mean) > log(steps[count]))
        count++;
    memset(signs, cell->mean > 0 ? '+' : '-', (size_t)count);
    signs[count] = '\0';
    if (count == 0)
        strcpy(signs, cell->count > 0 ? "." : "");
}

/* Trends --------------------------------------------------------------------------------------- */

#define ROUNDING 1e-6

/* A residual and its position: points of a line have `held` and `across` in common. */
struct trend_point {
    double held, across, along, residual;
};

struct trend_pool {
    int lines, pairs;
    double i, expected, variance; /* sums over the lines */
};

static int compare_trend_points(const void *left, const void *right)
{
    const struct trend_point *a = left;
    const struct trend_point *b = right;

    if (a->held != b->held)
        return a->held < b->held ? -1 : 1;
    if (a->across != b->across)
        return a->across < b->across ? -1 : 1;
    return (a->along > b->along) - (a->along < b->along);
}

static void add_trend_line(struct trend_pool *pool, const struct trend_point *line, int n)
{
    double weights = 2.0 * (n - 1);
    double s1 = 4.0 * (n - 1);
    double s2 = 4.0 * (4.0 * n - 6);
    double expected = -1.0 / (n - 1);
    double mean = 0;
    double squares = 0;
    double products = 0;

    for (int k = 0; k < n; k++)
        mean += line[k].residual / n;
    for (int k = 0; k < n; k++) {
        double here = line[k].residual - mean;

        squares += here * here;
        if (k > 0)
            products += here * (line[k - 1].residual - mean);
    }
    if (squares < n * ROUNDING * ROUNDING)
        return;
    pool->lines++;
    pool->pairs += n - 1;
    pool->i += n * products / ((n - 1) * squares);
    pool->expected += expected;
    pool->variance += ((double)n * n * s1 - n * s2 + 3 * weights * weights) /
                          (((double)n * n - 1) * weights * weights) -
                      expected * expected;
}

struct trend trend_find(const struct surface_point *point, int count, surface_predictor *predict,
                        const void *context, enum trend_axis axis)
{
    struct trend_point *sorted = allocate_array((size_t)count, sizeof *sorted);
    struct trend_pool pool = {0};
    struct trend trend = {0};
    int first = 0;

    for (int k = 0; k < count; k++)
        sorted[k] = (struct trend_point){
            .held = point[k].held,
            .across = axis == TREND_L ? point[k].alpha : point[k].block,
            .along = axis == TREND_L ? point[k].block : point[k].alpha,
            .residual = point_residual(&point[k], predict, context),
        };
    qsort(sorted, (size_t)count, sizeof *sorted, compare_trend_points);
    for (int k = 1; k <= count; k++) {
        if (k < count && sorted[k].held == sorted[first].held &&
            sorted[k].across == sorted[first].across)
            continue;
        if (k - first >= TREND_LINE_LEAST)
            add_trend_line(&pool, &sorted[first], k - first);
        first = k;
    }
    free(sorted);
    trend.pairs = pool.pairs;
    if (pool.pairs >= TREND_PAIRS_LEAST) {
        trend.i = pool.i / pool.lines;
        trend.z = (pool.i - pool.expected) / sqrt(pool.variance);
    }
    return trend;
}

bool trend_is_significant(const struct trend *trend)
{
    return trend->z > TREND_LIMIT;
}
