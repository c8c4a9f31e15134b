#include "trend.h"

#include <math.h>
#include <stdlib.h>

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
