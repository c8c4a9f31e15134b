/* The next realistic value of a knob, up and down.
 *
 * A number of a part (knob_role) goes to the next value that presets of the catalogue, of devices
 * or in systems, state for it: what is on the market. Channels, bus and rate of a memory go to what
 * is sold with its kind, that is with channels as wide or as many transfers a clock. Values less
 * than 5 % apart count as one; 0, a cache that is not there, is none. Rates of Ethernet links,
 * which presets do not state, are those of IEEE 802.3; other parts for which fewer than two values
 * are known double and halve. A setting doubles and halves where its range is logarithmic, moves by
 * a tenth of the whole where it is a fraction, else by the slider's step; so do instruments and
 * assumptions, by that step. Workers go to one alone, too, however many there are: it pays no
 * launch.
 *
 * A choice goes to each other choice but "none"; what waits for the frame by its algorithm (a
 * controller, a pyramid normalised by the whole of it) goes on waiting; a component goes to each
 * other device, and a reconstruction to its devices and one more, or one less. */
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
