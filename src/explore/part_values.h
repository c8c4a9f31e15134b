/* The next realistic value of a knob, up and down.
 *
 * Hardware numbers (knob_role) step to the next value that presets of the catalogue, of devices or
 * in systems, state: what is on the market. Channels, bus width and rate of a memory step among
 * memories of its kind, that is of equal channel width or transfers per clock. Values less than 5 %
 * apart count as one; 0, an absent cache, does not count. Rates of Ethernet links are those of IEEE
 * 802.3; other hardware numbers with fewer than two known values double and halve. Software numbers
 * double and halve if their range is logarithmic, step by 0.1 if they are fractions, else by the
 * slider's step, as do instruments and assumptions. Workers also step to 1, which pays no launch.
 *
 * A choice steps to every other choice but "none"; algorithms that need the whole frame (a
 * controller, a globally normalised pyramid) keep their barrier; a component steps to every other
 * device, and a reconstruction also to its devices plus or minus one. */
#ifndef AOLAG_EXPLORE_PART_VALUES_H
#define AOLAG_EXPLORE_PART_VALUES_H

#include <stdbool.h>

#include "design/knob.h"
#include "design/preset.h"
#include "model/result.h"

#define VALUE_STEP_TEXT (DEVICE_MAX * (NAME_MAX_LENGTH + 2)) /* the longest list of devices */
#define VALUE_STEPS_MAX (2 * DEVICE_MAX)                     /* the most one knob has */

struct value_step {
    int direction;               /* -1 down, 1 up, 0 another choice */
    char value[VALUE_STEP_TEXT]; /* as knob_set_text takes it */
};

struct part_values;

/* Reads the whole catalogue, once; the values are not changed any more and may be used by several
 * threads. A user's preset that cannot be read is left out. STATUS_MEMORY. */
enum status part_values_new(struct part_values **values, struct catalogue *catalogue,
                            struct error *error);
void part_values_free(struct part_values *values);

/* The next value (SI) above (direction 1) or below (-1) `value` of a number of the scenario, within
 * its range; false: there is none. */
bool part_values_next(const struct part_values *values, const struct scenario *scenario,
                      struct knob_ref ref, double value, int direction, double *next);

/* All steps of a knob in a design whose result is that of evaluate; returns how many. None of what
 * is neither number nor choice, and of an unknown number. */
int part_values_steps(const struct part_values *values, const struct scenario *scenario,
                      const struct result *result, struct knob_ref ref,
                      struct value_step step[VALUE_STEPS_MAX]);

#endif
