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

/* After load_fill. */
void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

#endif
