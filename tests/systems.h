/* Every AO preset, evaluated. */
#ifndef AOLAG_SYSTEMS_H
#define AOLAG_SYSTEMS_H

#include "result.h"
#include "scenario.h"

/* Calls `look` for each, with its name, as embedded. The result is sample_result's. One that cannot
 * be read or evaluated, and none at all, fail the running test. */
void systems_each(void (*look)(const char *name, const struct scenario *scenario,
                               const struct result *result));

#endif
