/* Editing the structure of a scenario: creating an empty one, inserting and removing sensors,
 * devices and components. knob.h changes their values. */
#ifndef AOLAG_DESIGN_SCENARIO_EDIT_H
#define AOLAG_DESIGN_SCENARIO_EDIT_H

#include "base/status.h"
#include "design/scenario.h"

/* Creates a scenario without sensors, devices or components, with all values at their defaults. */
void scenario_init(struct scenario *scenario);

/* Inserts an instance with default values before position `at` (the count: appends) and renumbers
 * the references. Fails if the section is full or the name is in use, is not 1 to 31 of a-z 0-9 -
 * _, or is "none" or "auto". */
enum status scenario_insert(struct scenario *scenario, enum section section, int at,
                            const char *name, struct error *error);

/* Removes an instance and renumbers the references. Fails if other sections refer to it by a
 * component's `after`, `device` or `wfs` or a GPU's `host`; the error names them. */
enum status scenario_remove(struct scenario *scenario, enum section section, int index,
                            struct error *error);

/* Makes automatic what is stated for a component on its device - share, workers, efficiencies, block
 * and chains - before it goes to another one. */
void scenario_reset_component(struct scenario *scenario, int component);

#endif
