/* The frame of an evaluated design again, with slots that last longer or shorter than it says.
 *
 * Each slot in which a component works on a device, deferred work too, has a factor for its
 * duration, launches and overheads in it. What runs on no device has none: a camera's readout,
 * links, mirrors. The run is evaluate's otherwise: as many frames of the same, by the same rules,
 * so factors of 1 give its latency to the last bit; a frame that lasts longer than its period by
 * its factors alone meets no other. */
#ifndef AOLAG_STRETCH_H
#define AOLAG_STRETCH_H

#include <stddef.h>

#include "result.h"

/* Factors a run takes, of all nodes, frames and slots that may be. */
size_t stretch_count(const struct result *result);

/* The device of the work that factor `number` is of; -1: there is no such work. */
int stretch_device(const struct result *result, size_t number);

/* The latency with these factors, each above 0, in s. What evaluate keeps for itself is the
 * stretched frame's until stretch_end; what the result says stays. */
double stretch_run(struct result *result, const double *factor);

void stretch_end(struct result *result);

#endif
