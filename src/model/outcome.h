/* Fills the result from finished tracks: latencies, critical path, slack and loop performance. Part
 * of evaluate. */
#ifndef AOLAG_MODEL_OUTCOME_H
#define AOLAG_MODEL_OUTCOME_H

#include <stdint.h>

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"

/* Returns the node whose command leaves last, or -1. */
int outcome_command_node(const struct workspace *work);

/* Returns the time at which the latency begins: the last packet that matters has left the wire. */
double outcome_clock(const struct workspace *work);

/* Returns the time from last packet in to last command out, s. */
double outcome_latency(const struct workspace *work);

/* Returns the devices whose predictions determine the latency, bit i for device i: those of the
 * components on the critical path after the last pixel; all devices if there are none (links and
 * cameras have no uncertainty factor).
 *
 * The uncertainty of the latency is the largest factor of these devices: each is the typical error
 * of a time on one device, errors of several kinds need not cancel, and devices without a part in
 * the latency do not affect it. */
uint32_t outcome_path_devices(const struct scenario *scenario, const struct result *result);

/* Fills in the results; call after load_fill. */
void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

#endif
