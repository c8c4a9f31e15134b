/* This machine as a device of a design. */
#ifndef AOLAG_RUN_HERE_H
#define AOLAG_RUN_HERE_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"

/* Returns the index of the host of a design, the first CPU that its components use; -1: none. */
int run_host(const struct scenario *scenario);

/* Fills the device that this machine is: as `aolag probe` measured it last, `probed`, else with the
 * cores, registers and caches that the system reports and the defaults of a CPU for all else.
 * Errors are those of a measurement that cannot be used. */
enum status run_device_here(struct device *device, bool *probed, struct error *error);

/* Returns true for a device that was measured on this machine: it is this machine already. */
bool run_is_here(const struct device *device);

/* Puts a device in the place of every CPU of a design that its components use and that is not this
 * machine already, or with `all` in the place of each. It has at most the cores of what it replaces
 * and of this machine, less one for the cameras unless its components state that they need all.
 * What is no property of the part stays: ports, operating system, the way to start work, which
 * counts as stated from now on. `device` has to exist as long as the scenario. Returns the number
 * of devices that were replaced. */
int run_put_device(struct scenario *scenario, const char *name, const struct device *device,
                   bool all);

#endif
