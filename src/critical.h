/* The critical path: what the last command had to wait for, walked back from it. Part of
 * evaluate. */
#ifndef AOLAG_CRITICAL_H
#define AOLAG_CRITICAL_H

#include "result.h"
#include "timeline.h"

/* Writes to `path` ([NODE_MAX]) what led to the end of the last slot of `node`, later than `after`,
 * in the order of time, and returns how many steps that are: each track at most once, with the
 * slots that follow one another. Waits and busy times add up to that end less `after`.
 *
 * A step's wait is what its slots waited for a queue, a device or the frame before once they could
 * have started, and in fluid what the others' work took; the rest, a link's latency too, is busy.
 */
int critical_path(const struct timeline *timeline, int node, double after, struct path_step *path);

#endif
