/* scenario -> result.
 *
 * Deterministic; reads nothing but the scenario, writes nothing but the result, allocates nothing
 * (result_init did). What depends only on the sensors' geometry (the agenda) and on the structure
 * of the design (the node list) is kept in the result and rebuilt when its inputs change; the
 * numbers are the same either way.
 *
 * STATUS_INVALID, naming the section and key to change, when the design is invalid: a cycle,
 * a missing device or sensor, a detector too small, shares above 1. The result is then unchanged
 * as far as readers may tell: keep showing the last good one. */
#ifndef AOLAG_MODEL_EVALUATE_H
#define AOLAG_MODEL_EVALUATE_H

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

enum status evaluate(const struct scenario *scenario, struct result *result, struct error *error);

#endif
