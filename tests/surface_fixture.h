/* Surfaces to fit models to: the grid of measure.md, with times of a model and noise. */
#ifndef AOLAG_SURFACE_FIXTURE_H
#define AOLAG_SURFACE_FIXTURE_H

#include "draw.h"
#include "probe/fit.h"

#define SURFACE_POINTS_MAX 1500
#define SURFACE_WORDS 67108864.0 /* M, the largest: 512 MiB of 8 B */

struct surface_fixture {
    struct surface_point point[SURFACE_POINTS_MAX];
    int count;
};

/* The times a model gives at 10 alpha, 9 L and `sizes` M (the largest, and each a sixteenth of the
 * one before), `samples` of each with multiplicative noise of this standard deviation. */
void surface_make(struct surface_fixture *surface, const struct fit *truth, int sizes, int samples,
                  double noise, struct draw *draw);

/* tests/data/apexmap_sample.csv; false: it could not be read and the test has failed. */
bool surface_reference(struct surface_fixture *surface);

#endif
