/* Residuals of a memory model over an Apex-MAP surface: ln(T / predicted), so 0.1 means that the
 * measured time was about 10 % longer than predicted. */
#ifndef AOLAG_PROBE_RESIDUALS_H
#define AOLAG_PROBE_RESIDUALS_H

#include "probe/apexmap.h"

/* T at a point (its `seconds` unused), in seconds, above 0. */
typedef double surface_predictor(const struct surface_point *point, const void *context);

/* The typical factor of error exp(rms ln(T / predicted)): 1 is perfect. STATUS_INVALID names the
 * first point whose measured or predicted time is not positive and finite. `count` at least 1. */
enum status residuals_pc(const struct surface_point *point, int count, surface_predictor *predict,
                         const void *context, double *pc, struct error *error);

/* Groups along the axes ------------------------------------------------------------------------
 * Over L, alpha and the predicted time, and as a map of alpha against L. */

#define RESIDUALS_PREDICTED_MAX 8
#define RESIDUALS_CELLS_MAX 10000 /* of a map */

struct residual_group {
    double key; /* L in words, alpha, or predicted s (the middle of its group on a logarithm) */
    int count;  /* points; 0: a cell of the map without any, its other numbers are 0 */
    double mean, rms, worst; /* residuals; the worst is the largest, with its sign */
};

struct residuals {
    struct residual_group *by_alpha; /* descending, from uniform to reuse */
    int alphas;
    struct residual_group *by_block; /* ascending */
    int blocks;
    struct residual_group by_predicted[RESIDUALS_PREDICTED_MAX]; /* ascending, none empty; equal
                                                                    steps of ln predicted */
    int predicted;
    struct residual_group *cell; /* of alpha a and block b: cell[a * blocks + b]; key is 0 */
};

/* `predict` is above 0 and finite at every point (fit_models, residuals_pc), `count` at least 1.
 * STATUS_INVALID: the points are no grid, with more different alpha times L than a map can show. On
 * failure there is nothing to free; residuals_free accepts a zeroed struct. */
enum status residuals_make(const struct surface_point *point, int count, surface_predictor *predict,
                           const void *context, struct residuals *residuals, struct error *error);
void residuals_free(struct residuals *residuals);

/* A cell of the map in signs: "+" where the mean is slower than predicted by more than a factor of
 * 1.1, "++" 1.25, "+++" 1.5, "++++" 2, as many "-" where it is faster, "." within 1.1, nothing
 * where there is no point. */
#define RESIDUAL_SIGNS_MAX 4
void residual_signs(const struct residual_group *cell, char signs[RESIDUAL_SIGNS_MAX + 1]);

/* Trends ---------------------------------------------------------------------------------------
 * Whether what a model leaves unexplained is random along an axis.
 *
 * The points of a surface with all but one of alpha, L and M in common are a line. Of each line the
 * residuals, less their mean, give Moran's I of neighbours: 1 where neighbours are alike, about 0
 * where they are independent, -1 where they alternate. Lines are pooled: the sum of I against its
 * mean and variance for independent normal residuals. A residual that depends on alpha alone is
 * constant along L, and no trend there.
 *
 * Source: Moran, Biometrika 37, 1950; mean and variance as in Cliff and Ord, Spatial Processes,
 * 1981, with weights 1 between neighbours. */

#define TREND_LINE_LEAST 4  /* points of a line that counts */
#define TREND_PAIRS_LEAST 8 /* neighbours in all lines; fewer are not tested */
#define TREND_LIMIT 2.326   /* z that independent residuals exceed in one case of a hundred */

enum trend_axis { TREND_L, TREND_ALPHA };

struct trend {
    int pairs; /* of neighbours in lines that count */
    double i;  /* mean of the lines' I; 0 where not tested */
    double z;  /* standard deviations from what independent residuals give; likewise */
};

/* STATUS_MEMORY is the only error. Residuals must be finite; those below 1e-6 are rounding and not
 * tested. */
enum status trend_find(const struct surface_point *point, int count, surface_predictor *predict,
                       const void *context, enum trend_axis axis, struct trend *trend,
                       struct error *error);

/* Whether the autocorrelation is significant. */
bool trend_is_significant(const struct trend *trend);

#endif
