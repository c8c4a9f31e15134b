#include "probe/residuals.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Groups with the different values of a sorted list as their keys; how many. */
static int make_groups(const double *sorted, int count, struct residual_group *group)
{
    int made = 0;

    for (int i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            group[made++].key = sorted[i];
    return made;
}

static int group_of(const struct residual_group *group, int count, double key)
{
    int i = 0;

    while (i < count - 1 && group[i].key != key)
        i++;
    return i;
}

/* Until all is added, `mean` and `rms` hold sums. */
static void add(struct residual_group *group, double residual)
{
    group->count++;
    group->mean += residual;
    group->rms += residual * residual;
    if (fabs(residual) > fabs(group->worst))
        group->worst = residual;
}

static void finish(struct residual_group *group, int count)
{
    for (int i = 0; i < count; i++) {
        if (group[i].count == 0)
            continue;
        group[i].mean /= group[i].count;
        group[i].rms = sqrt(group[i].rms / group[i].count);
    }
}

static void gather_predicted(const struct fit_point *point, int count, fit_predictor *predict,
                             const void *context, struct residuals *residuals)
{
    struct residual_group *group = residuals->by_predicted;
    double low = INFINITY;
    double high = -INFINITY;
    double step;

    for (int i = 0; i < count; i++) {
        double predicted = log(predict(&point[i], context));

        low = fmin(low, predicted);
        high = fmax(high, predicted);
    }
    step = (high - low) / RESIDUALS_PREDICTED_MAX;
    for (int i = 0; i < RESIDUALS_PREDICTED_MAX; i++)
        group[i].key = exp(low + (i + 0.5) * step);
    for (int i = 0; i < count; i++) {
        double predicted = predict(&point[i], context);
        int k = step > 1e-9 ? (int)((log(predicted) - low) / step) : 0;

        add(&group[k < RESIDUALS_PREDICTED_MAX ? k : RESIDUALS_PREDICTED_MAX - 1],
            log(point[i].seconds / predicted));
    }
    finish(group, RESIDUALS_PREDICTED_MAX);
    for (int i = 0; i < RESIDUALS_PREDICTED_MAX; i++)
        if (group[i].count > 0)
            group[residuals->predicted++] = group[i];
}

static void gather(const struct fit_point *point, int count, fit_predictor *predict,
                   const void *context, struct residuals *residuals)
{
    for (int i = 0; i < count; i++) {
        double residual = log(point[i].seconds / predict(&point[i], context));
        int a = group_of(residuals->by_alpha, residuals->alphas, point[i].alpha);
        int b = group_of(residuals->by_block, residuals->blocks, point[i].block);

        add(&residuals->by_alpha[a], residual);
        add(&residuals->by_block[b], residual);
        add(&residuals->cell[a * residuals->blocks + b], residual);
    }
    finish(residuals->by_alpha, residuals->alphas);
    finish(residuals->by_block, residuals->blocks);
    finish(residuals->cell, residuals->alphas * residuals->blocks);
}

static void reverse(struct residual_group *group, int count)
{
    for (int i = 0; i < count / 2; i++) {
        struct residual_group first = group[i];

        group[i] = group[count - 1 - i];
        group[count - 1 - i] = first;
    }
}

/* The different alpha and L; false where there is no memory. */
static bool find_axes(const struct fit_point *point, int count, struct residuals *residuals)
{
    size_t many = (size_t)count;
    double *sorted = calloc(many, sizeof *sorted);

    *residuals = (struct residuals){.by_alpha = calloc(many, sizeof *residuals->by_alpha),
                                    .by_block = calloc(many, sizeof *residuals->by_block)};
    if (sorted == NULL || residuals->by_alpha == NULL || residuals->by_block == NULL) {
        free(sorted);
        return false;
    }
    for (int i = 0; i < count; i++)
        sorted[i] = point[i].alpha;
    qsort(sorted, many, sizeof *sorted, ascending);
    residuals->alphas = make_groups(sorted, count, residuals->by_alpha);
    reverse(residuals->by_alpha, residuals->alphas);
    for (int i = 0; i < count; i++)
        sorted[i] = point[i].block;
    qsort(sorted, many, sizeof *sorted, ascending);
    residuals->blocks = make_groups(sorted, count, residuals->by_block);
    free(sorted);
    return true;
}

enum status residuals_make(const struct fit_point *point, int count, fit_predictor *predict,
                           const void *context, struct residuals *residuals, struct error *error)
{
    enum status status = STATUS_OK;

    if (!find_axes(point, count, residuals))
        status = error_set(error, STATUS_MEMORY, "out of memory");
    else if (residuals->blocks > RESIDUALS_CELLS_MAX / residuals->alphas)
        status = error_set(error, STATUS_INVALID,
                           "%d different alpha and %d different L are no surface; allowed: up to "
                           "%d pairs",
                           residuals->alphas, residuals->blocks, RESIDUALS_CELLS_MAX);
    if (status == STATUS_OK) {
        residuals->cell =
            calloc((size_t)(residuals->alphas * residuals->blocks), sizeof *residuals->cell);
        if (residuals->cell == NULL)
            status = error_set(error, STATUS_MEMORY, "out of memory");
    }
    if (status != STATUS_OK) {
        residuals_free(residuals);
        return status;
    }
    gather(point, count, predict, context, residuals);
    gather_predicted(point, count, predict, context, residuals);
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

/* Trend ---------------------------------------------------------------------------------------- */

#define ROUNDING 1e-6

/* A residual and where it stands: lines have `held` and `across` in common. */
struct place {
    double held, across, along, residual;
};

struct pool {
    int lines, pairs;
    double i, expected, variance; /* sums over the lines */
};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_line(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    int order = compare(a->held, b->held);

    if (order == 0)
        order = compare(a->across, b->across);
    return order == 0 ? compare(a->along, b->along) : order;
}

static void add_line(struct pool *pool, const struct place *line, int n)
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

enum status trend_find(const struct fit_point *point, int count, fit_predictor *predict,
                       const void *context, enum trend_axis axis, struct trend *trend,
                       struct error *error)
{
    struct place *place = calloc((size_t)count, sizeof *place);
    struct pool pool = {0};
    int first = 0;

    if (place == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    for (int k = 0; k < count; k++)
        place[k] = (struct place){
            .held = point[k].held,
            .across = axis == TREND_L ? point[k].alpha : point[k].block,
            .along = axis == TREND_L ? point[k].block : point[k].alpha,
            .residual = log(point[k].seconds / predict(&point[k], context)),
        };
    qsort(place, (size_t)count, sizeof *place, by_line);
    for (int k = 1; k <= count; k++) {
        if (k < count && place[k].held == place[first].held &&
            place[k].across == place[first].across)
            continue;
        if (k - first >= TREND_LINE_LEAST)
            add_line(&pool, &place[first], k - first);
        first = k;
    }
    free(place);
    *trend = (struct trend){.pairs = pool.pairs};
    if (pool.pairs >= TREND_PAIRS_LEAST) {
        trend->i = pool.i / pool.lines;
        trend->z = (pool.i - pool.expected) / sqrt(pool.variance);
    }
    return STATUS_OK;
}

bool trend_is_one(const struct trend *trend)
{
    return trend->z > TREND_LIMIT;
}
