/* From finished tracks to the result: latencies, the critical path, slack, what the loop makes of
 * them. Part of evaluate. */
#ifndef AOLAG_OUTCOME_H
#define AOLAG_OUTCOME_H

#include "result.h"
#include "scenario.h"
#include "stage.h"

/* The rows of what is split, from those of its parts. */
void outcome_whole(const struct scenario *scenario, const struct workspace *work,
                   struct result *result);

/* Last pixel in to last command out, s. */
double outcome_latency(const struct workspace *work);

/* The devices whose predictions the latency rests on, bit i for device i: those of the components
 * on the critical path after the last pixel; all where there is none of them (links and cameras
 * have no such factor).
 *
 * The latency may be off by the largest factor of these: each is the typical error of a time on one
 * device, errors of several kinds do not cancel for sure, and a device that has no part in the
 * latency says nothing about it. */
uint32_t outcome_path_devices(const struct scenario *scenario, const struct result *result);

/* After load_fill. */
void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

#endif
