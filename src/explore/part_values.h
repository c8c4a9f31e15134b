/* The next realistic values of a knob, up and down: where the keys go, what advice proposes and
 * what a sweep looks at.
 *
 * Hardware numbers (knob_role) step to the next value stated by a preset of the catalogue, in a
 * device or a system: what is on the market. Channels, bus width and rate of a memory step among
 * memories of the same kind, that is, of equal channel width or transfers per clock. 0, an absent
 * cache, is skipped. Ethernet rates are those of IEEE 802.3, the largest packets those of Ethernet
 * without and with jumbo frames, bit depths those of detectors and drivers. Other hardware numbers
 * with fewer than two known values are doubled and halved. Software numbers are doubled and halved
 * if their range is logarithmic, change by 0.1 if they are fractions, and otherwise by the slider's
 * step, as do instrument and assumption knobs; from zonal control the number of modes steps to that
 * of the actuators.
 *
 * Advice passes over values that exist within 5 %, and does not go to more sockets than known
 * boards have. Workers also step to 1, which avoids the barrier of threads. What is the same for
 * all parts of a kind (channel width, transfers and FLOP per clock) is no advice.
 *
 * A choice steps to every other choice except "none"; algorithms that need the whole frame (a
 * controller, a globally normalised pyramid) keep their barrier. A component steps to every other
 * device; a reconstruction also to its present devices plus or minus one. The textbook count of a
 * centre of gravity is no other algorithm and no step. */
#ifndef AOLAG_EXPLORE_PART_VALUES_H
#define AOLAG_EXPLORE_PART_VALUES_H

#include <stdbool.h>

#include "design/knob.h"
#include "design/preset.h"
#include "model/result.h"

#define VALUE_STEP_TEXT (DEVICE_MAX * (NAME_MAX_LENGTH + 2)) /* the longest list of devices */
#define VALUE_STEPS_MAX (2 * DEVICE_MAX)                     /* maximum for one knob */

struct value_step {
    int direction;               /* -1: down, 1: up, 0: another choice */
    char value[VALUE_STEP_TEXT]; /* in the form of knob_set_text */
};

struct part_values;
struct trial;

/* Reads the whole catalogue once, which must outlive the values. The values are immutable and may
 * be shared by threads. User presets that cannot be read are skipped. */
struct part_values *part_values_new(struct catalogue *catalogue);
void part_values_free(struct part_values *values);

/* Frees the values of a former catalogue together with these, since threads may still read them. */
void part_values_keep(struct part_values *values, struct part_values *former);

/* Returns the catalogue that the values are of. */
struct catalogue *part_values_catalogue(const struct part_values *values);

/* Sets a knob to the value of a step, or a device to the preset of that name. With the controller of
 * the loop its algorithm changes, if that is needed to compute it (controllers_follow). */
enum status part_values_set(const struct part_values *values, struct scenario *scenario,
                            struct knob_ref ref, const char *value, struct error *error);

/* Does so with the design of a trial, of its values; returns false if the value is refused. */
bool part_values_try(struct trial *trial, struct knob_ref ref, const char *value);

/* Finds the next value (SI) for advice above (direction 1) or below (-1) `value` within the range
 * of a number in the scenario. Returns false if there is none. */
bool part_values_next(const struct part_values *values, const struct scenario *scenario,
                      struct knob_ref ref, double value, int direction, double *next);

/* Returns true for a number whose values are those of parts and standards. The sockets of a board
 * are counted, not looked up. */
bool part_values_listed(const struct part_values *values, const struct scenario *scenario,
                        struct knob_ref ref);

/* Returns the value so many steps above or below (steps < 0) a value, for keys that move a number,
 * or the last one there is. */
double part_values_move(const struct part_values *values, const struct scenario *scenario,
                        struct knob_ref ref, double value, int steps);

/* Lists the values (SI, rising) of a listed number from `low` to `high`, at most `most`, and
 * returns their count; 0 if the number is not listed. */
int part_values_between(const struct part_values *values, const struct scenario *scenario,
                        struct knob_ref ref, double low, double high, double *value, int most);

/* Lists all steps of a knob in a design with its result and returns their count: 0 for knobs that
 * are neither numbers nor choices, and for unknown numbers. */
int part_values_steps(const struct part_values *values, const struct scenario *scenario,
                      const struct result *result, struct knob_ref ref,
                      struct value_step step[VALUE_STEPS_MAX]);

#endif
