/* Frames whose times vary again, slow and obviously right. */
#ifndef AOLAG_REFERENCE_JITTER_H
#define AOLAG_REFERENCE_JITTER_H

#include <stdint.h>

#include "design/scenario.h"
#include "model/result.h"

/* z of P(Z < z) = p, by halving what the library's erfc says it is between. */
double reference_quantile(double p);

/* The delay, s, of late wake-ups of a device that is exceeded with this probability. */
double reference_late(const struct scenario *scenario, int d, double exceeded);

/* The latency of each frame of an evaluated design, with the draws that jitter_run makes, by
 * reference_run: of `several` frames, a period apart, the one numbered `report`. */
void reference_jitter(const struct scenario *scenario, const struct result *result, int several,
                      int report, long frames, uint64_t seed, double *latency);

#endif
