/* The effect of knobs in a design: which knobs have none, and the values of automatic ones.
 *
 * `result` is the result of evaluate for the scenario, or NULL: then only the values that the
 * scenario states are known. */
#ifndef AOLAG_MODEL_KNOB_EFFECT_H
#define AOLAG_MODEL_KNOB_EFFECT_H

#include <stddef.h>

#include "design/knob.h"
#include "model/result.h"

/* Text of a device number that is neither stated nor assumed. */
#define KNOB_UNKNOWN "unknown"

/* Returns true if a knob that applies has no effect and is not stated by the scenario: a knob for
 * programs on a device without programs, the tile size of a matrix without tiles. It keeps its
 * value and may be set, but lists omit it. */
bool knob_idle(const struct scenario *scenario, struct knob_ref ref);

/* Returns true if the scenario itself states a knob that has no effect. */
bool knob_is_vain(const struct scenario *scenario, struct knob_ref ref);

/* Gets the least and the largest of the numbers (SI) that are in force: several where an automatic
 * knob stands for more than one, as a copy latency for copies in and out, and stating any of them
 * changes the others. Returns false if they are unknown. */
bool knob_numbers_in_force(const struct scenario *scenario, const struct result *result,
                           struct knob_ref ref, double *least, double *most);

/* Returns a number or integer (SI); RESULT_NONE if its automatic value is unknown or more than one.
 * Stating it instead changes no latency. */
double knob_number_in_force(const struct scenario *scenario, const struct result *result,
                            struct knob_ref ref);

/* Returns true for an automatic share or number of workers: stating it divides its device anew, so
 * that a design with a value next to the one in force is another design. */
bool knob_divides(const struct scenario *scenario, struct knob_ref ref);

/* Returns a choice, reference or algorithm, numbered as in knob_choice; -1 if unknown. */
int knob_choice_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref);

#define KNOB_NUMBER_MAX 40

/* Writes a number of a knob (SI) as if it were stated: counts in full, with the unit if there is
 * one, "32 KiB", "1.10 us". */
void knob_print_number(const struct knob *knob, double value, char number[KNOB_NUMBER_MAX]);

/* Like knob_print, but writes automatic values as "auto 384 MiB" or
 * "auto 100 ns to 1.10 us" and an empty text as "none". At
 * least 2304 bytes for component lists. */
void knob_print_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref, char *text, size_t size);

#endif
