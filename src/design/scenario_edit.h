/* Editing the structure of a scenario: creating an empty one, inserting and removing sensors,
 * devices and components. knob.h edits their values. */
#ifndef AOLAG_DESIGN_SCENARIO_EDIT_H
#define AOLAG_DESIGN_SCENARIO_EDIT_H

#include "base/status.h"
#include "design/scenario.h"

/* A scenario without sensors, devices or components, every value at its default. */
void scenario_init(struct scenario *scenario);

/* Inserts an instance with every value at its default before position `at` (its count: appends)
 * and renumbers the references. Fails when the section is full or the name is taken, is not 1 to 31
 * of a-z 0-9 - _, or is "none" or "auto". */
enum status scenario_insert(struct scenario *scenario, enum section section, int at,
                            const char *name, struct error *error);

/* Removes an instance and renumbers the references. Fails, naming who, when another section names
 * it: a component's `after`, `device` or `wfs`, a GPU's `host`. */
enum status scenario_remove(struct scenario *scenario, enum section section, int index,
                            struct error *error);

#endif
