/* The text of a scenario file, keeping what the text it was read from has.
 *
 * Keys that are there keep their place, spelling and comments; a key whose value did not change
 * keeps its text; new keys are written only where they differ from preset and default. Sections
 * stay where they are, unless the scenario has its sensors, devices or components in another order:
 * they then take one another's places (the order has a meaning: the previous component, the first
 * device). A new one goes behind the one before it. */
#ifndef AOLAG_DESIGN_SCENARIO_WRITE_H
#define AOLAG_DESIGN_SCENARIO_WRITE_H

#include <stddef.h>

#include "design/ini.h"
#include "design/scenario.h"

/* The text of a scenario; free() it. NULL without memory. `ini` is the former text and `loaded`
 * what it says. */
char *scenario_write(const struct scenario *scenario, const struct ini *ini,
                     const struct scenario *loaded, size_t *length);

#endif
