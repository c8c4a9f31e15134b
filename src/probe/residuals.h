/* Residuals ln(T / predicted) of a memory model over an Apex-MAP surface: 0.1 means that the
 * measured time is about 10 % longer than predicted. */
#ifndef AOLAG_PROBE_RESIDUALS_H
#define AOLAG_PROBE_RESIDUALS_H

#include "probe/apexmap.h"

/* Returns the predicted T, > 0, at a point (its `seconds` are ignored), s. */
typedef double surface_predictor(const struct surface_point *point, const void *context);

/* Computes the typical error factor exp(rms ln(T / predicted)); 1: exact. `count` is at least 1.
 * Returns STATUS_INVALID, with the first point whose measured or predicted time is not positive and
 * finite in the message. */
enum status residuals_pc(const struct surface_point *point, int count, surface_predictor *predict,
                         const void *context, double *pc, struct error *error);

/* Groups along the axes ------------------------------------------------------------------------ */

/* Over L, alpha and the predicted time, and as a map of alpha against L. */

#define RESIDUALS_PREDICTED_MAX 8
#define RESIDUALS_CELLS_MAX 10000 /* cells of a map */

struct residual_group {
    double key; /* L in words, alpha, or predicted s (logarithmic centre of the group) */
    int count;  /* points; 0: an empty cell of the map, with all other values 0 */
    double mean, rms, worst; /* residuals; `worst` has the largest magnitude and its sign */
};

struct residuals {
    struct residual_group *by_alpha; /* descending, from uniform to reuse */
    int alphas;
    struct residual_group *by_block; /* ascending */
    int blocks;
    struct residual_group by_predicted[RESIDUALS_PREDICTED_MAX]; /* ascending, without empty groups;
                                                                    equal steps of ln predicted */
    int predicted;
    struct residual_group *cell; /* cell[a * blocks + b] for alpha a and block b; its key is 0 */
};

/* Groups the residuals of `count` >= 1 points whose predictions are positive and finite (as ensured
 * by fit_models and residuals_pc). Returns STATUS_INVALID if the points do not form a grid, that
 * is, have more pairs of alpha and L than RESIDUALS_CELLS_MAX. On failure there is nothing to free;
 * residuals_free accepts a zeroed struct. */
enum status residuals_make(const struct surface_point *point, int count, surface_predictor *predict,
                           const void *context, struct residuals *residuals, struct error *error);
void residuals_free(struct residuals *residuals);

/* Formats the mean of a map cell: "+" if slower than predicted by more than a factor of 1.1, "++"
 * 1.25, "+++" 1.5, "++++" 2, "-" likewise if faster, "." within 1.1, "" for an empty cell. */
#define RESIDUAL_SIGNS_MAX 4
void residual_signs(const struct residual_group *cell, char signs[RESIDUAL_SIGNS_MAX + 1]);

/* Trends --------------------------------------------------------------------------------------- */

/* Test for autocorrelation of residuals along an axis.
 *
 * Points that differ only in one of alpha, L and M form a line. For each line, Moran's I of
 * adjacent residuals, less their mean, is 1 if neighbours are alike, about 0 if independent and -1
 * if they alternate. Lines are pooled: the sum of I is compared with its mean and variance for
 * independent normal residuals. A residual that depends only on alpha is constant along L and has
 * no trend there.
 *
 * Source: Moran, Biometrika 37, 1950; mean and variance as in Cliff and Ord, Spatial Processes,
 * 1981, with weights 1 between neighbours. */

#define TREND_LINE_LEAST 4  /* minimum number of points per line */
#define TREND_PAIRS_LEAST 8 /* minimum number of neighbours in all lines for a test */
#define TREND_LIMIT 2.326   /* 99th percentile of z for independent residuals */

enum trend_axis { TREND_L, TREND_ALPHA };

struct trend {
    int pairs; /* neighbours in the lines used */
    double i;  /* mean I of the lines; 0 if not tested */
    double z;  /* standard score against independent residuals; 0 if not tested */
};

/* Computes the trends. Residuals must be finite; those below 1e-6 are rounding errors and not
 * tested. */
struct trend trend_find(const struct surface_point *point, int count, surface_predictor *predict,
                        const void *context, enum trend_axis axis);

/* Returns true if the autocorrelation is significant. */
bool trend_is_significant(const struct trend *trend);

#endif
