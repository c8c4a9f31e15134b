/* Values of a design in an order that no machine has: a cache of a core that is larger than the
 * next one, a quantile above a later one, tiles of a rank above their side. Measurements may be so;
 * a design with them is valid. */
#ifndef AOLAG_MODEL_ORDER_H
#define AOLAG_MODEL_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "design/scenario.h"
#include "model/result.h"

/* Returns the number of pairs of values that have an order. */
int order_pairs(const struct scenario *scenario);

/* Returns true if pair `at` of these is the wrong way round and at least one of its values is
 * stated, by the scenario or by a preset, and writes so: "device.rtc.l1: 2048 KiB, above l2, 1024
 * KiB, assumed", "device.rtc.l2_bandwidth: 16.0 GB/s of the whole device, below memory, 276 GB/s".
 */
bool order_note(const struct scenario *scenario, const struct result *result, int at, char *text,
                size_t size);

#endif
