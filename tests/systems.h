/* AO presets as embedded, for tests. */
#ifndef AOLAG_SYSTEMS_H
#define AOLAG_SYSTEMS_H

#include <stdbool.h>

#include "design/preset.h"
#include "design/scenario.h"
#include "model/result.h"

/* The embedded catalogue, which lasts as long as the program; also for a suite's setup. NULL after
 * a failed check. */
struct catalogue *systems_catalogue(void);

/* The device preset of an id of the tables in tests/data, which have _ for -; NULL after a failed
 * check. */
const struct device *systems_device(const char *id);

/* Loads a system or measured pipeline by name; false after a failed check. */
bool systems_load(struct scenario *scenario, const char *name);

/* Calls `look` for each (for few under sanitizers, draw.h), with its name, evaluated. The result is
 * sample_result's. One that cannot be read or evaluated, and none at all, fail the running test. */
void systems_each(void (*look)(const char *name, const struct scenario *scenario,
                               const struct result *result));

#endif
