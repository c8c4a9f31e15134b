/* From finished tracks to the result: latencies, critical path, slack and loop performance. Part of
 * evaluate. */
#ifndef AOLAG_MODEL_OUTCOME_H
#define AOLAG_MODEL_OUTCOME_H

#include <stdint.h>

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"

/* The node whose command leaves last, or -1. */
int outcome_command_node(const struct workspace *work);

/* Last pixel in to last command out, s. */
double outcome_latency(const struct workspace *work);

/* The devices on whose predictions the latency rests, bit i for device i: those of the components
 * on the critical path after the last pixel; all where there is none of them (links and cameras
 * have no such factor).
 *
 * The latency may be off by the largest factor of these: each is the typical error of a time on one
 * device, errors of several kinds need not cancel, and a device that has no part in the latency
 * does not affect it. */
uint32_t outcome_path_devices(const struct scenario *scenario, const struct result *result);

/* After load_fill. */
void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

#endif
