/* Fills the result from finished tracks: latencies, critical path, slack and loop performance. Part
 * of evaluate. */
#ifndef AOLAG_MODEL_OUTCOME_H
#define AOLAG_MODEL_OUTCOME_H

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"

/* Returns the node whose command leaves last, or -1. */
int outcome_command_node(const struct workspace *work);

/* Returns the time at which the latency begins: the last packet that matters has left the wire. */
double outcome_clock(const struct workspace *work);

/* Returns the time from last packet in to last command out, s. */
double outcome_latency(const struct workspace *work);

/* Fills in the results; call after load_fill. */
void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

#endif
