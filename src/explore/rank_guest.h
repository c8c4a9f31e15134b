/* A device for a design that has none of a kind: what it would gain from the best of them.
 *
 * An instrument without a graphics processor is ranked as it would be fitted with one: the card
 * goes into the host of the component that takes most of a device now, the one with the largest
 * product of share and time of work (the larger of compute and memory time), and that component
 * moves to it alone. What the component states for the device it leaves - share, workers,
 * efficiencies, block, chains - is automatic again, so that it does not hold for hardware it was
 * not meant for. */
#ifndef AOLAG_RANK_GUEST_H
#define AOLAG_RANK_GUEST_H

#include <stdbool.h>

#include "result.h"
#include "scenario.h"
#include "status.h"

/* Whether any device of the design is of that kind. */
bool rank_has_kind(const struct scenario *scenario, enum device_kind kind);

/* Adds such a device, "gpu0", without a preset yet, and moves the component. `result` is that of
 * the scenario as it is. STATUS_INVALID: no component computes, or there is no room for a device;
 * the scenario is not changed then. */
enum status rank_add_guest(struct scenario *scenario, const struct result *result,
                           enum device_kind kind, int *device, int *component, struct error *error);

#endif
