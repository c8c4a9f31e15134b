/* Whether what a model leaves unexplained of a surface is random along an axis.
 *
 * The points of a surface with all but one of alpha, L and M in common are a line. Of each line the
 * residuals ln(T / predicted), less their mean, give Moran's I of neighbours: 1 where neighbours
 * are alike, about 0 where they are independent, -1 where they alternate. Lines are pooled: the sum
 * of I against its mean and variance for independent normal residuals. A residual that depends on
 * alpha alone is constant along L, and no trend there.
 *
 * Source: Moran, Biometrika 37, 1950; mean and variance as in Cliff and Ord, Spatial Processes,
 * 1981, with weights 1 between neighbours. */
#ifndef AOLAG_TREND_H
#define AOLAG_TREND_H

#include <stdbool.h>

#include "fit_model.h"

#define TREND_LINE_LEAST 4  /* points of a line that counts */
#define TREND_PAIRS_LEAST 8 /* neighbours in all lines; fewer are not tested */
#define TREND_LIMIT 2.326   /* z that independent residuals pass in one case of a hundred */

enum trend_axis { TREND_L, TREND_ALPHA };

struct trend {
    int pairs; /* of neighbours in lines that count */
    double i;  /* mean of the lines' I; 0 where not tested */
    double z;  /* standard deviations from what independent residuals give; likewise */
};

/* STATUS_MEMORY is the only error. Residuals must be finite; those below 1e-6 are rounding and not
 * tested. */
enum status trend_find(const struct fit_point *point, int count, fit_predictor *predict,
                       const void *context, enum trend_axis axis, struct trend *trend,
                       struct error *error);

/* Neighbours are more alike than chance would have it. */
bool trend_is_one(const struct trend *trend);

#endif
