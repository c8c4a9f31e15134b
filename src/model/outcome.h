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

/* Returns how much later the end of a node may be without delaying a command, s (critical.h):
 * RESULT_NONE after the last command. It is computed when it is asked for first, which has to be
 * before the next evaluate of this result, even a refused one; after a refusal it is RESULT_NONE
 * unless it was asked for before. */
double result_slack(const struct result *result, int node);

/* Returns how much later than the last slots of all its predecessors the last slot of a component,
 * or of a part of one, at least ends, s, by what depends on one device alone, which it sets: of a
 * computation on its device the launch, the enqueuing thread, the work at its share while nothing
 * else uses the device, and the copies of its GPU to and from all its neighbours; of a camera the
 * way from the wire to the program, after the last useful packet; of a mirror the way to the wire
 * until the command is out. 0 for other nodes. Before the next evaluate of the result. */
double result_last_delay(const struct result *result, int node, int *device);

#endif
