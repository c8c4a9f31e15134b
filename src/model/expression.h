/* Evaluation of formulas given as text, readable by people and programs.
 *
 *     flop / (device.rtc.peak * compute_efficiency)        sum(before.*.slopes)
 *
 * The arithmetic of C: operators + - * /, parentheses, decimal numbers, pi, and the functions min
 * max sum (of any number of arguments) ceil floor round log log2 sqrt exp sin cos pow, those of
 * model/formulas.h (square, next_power_of_two) and roofline_time (model/timeline.h). A name begins
 * with a letter and ends before a blank or one of ( ) , / + *; it may contain points, dashes and the
 * > @ of inserted transfers, so blanks must surround a minus. A name with an asterisk between
 * points has any number of values; it must be an argument of min, max or sum. Values are SI. */
#ifndef AOLAG_MODEL_EXPRESSION_H
#define AOLAG_MODEL_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum expression_outcome {
    EXPRESSION_OK,
    EXPRESSION_OPAQUE, /* calls a function that cannot be evaluated, as geometry(...) */
    EXPRESSION_BAD     /* syntax error, or a name without a value */
};

/* Looks up value `number` (from 0) of a name of `length` bytes. Returns false if there is none. */
typedef bool expression_lookup(void *context, const char *name, size_t length, int number,
                               double *value);

enum expression_outcome expression_value(const char *text, expression_lookup *lookup, void *context,
                                         double *value);

/* Formulas with units, which somebody else wrote. */

enum unit_base { BASE_SECOND, BASE_METRE, BASE_BYTE, BASE_FLOP, BASE_WATT, UNIT_BASE_COUNT };

/* A value and its unit as powers of the bases. A number without a unit, pixels, bits, cycles,
 * transfers, operations and angles have none. */
struct measure {
    double value; /* SI */
    double power[UNIT_BASE_COUNT];
};

/* Returns a value (SI) with the powers of a unit (base/units.h). */
struct measure measure_of(double value, const char *unit);

/* Looks up value `number` (from 0) of a name of `length` bytes. Returns STATUS_INVALID, with an
 * error that names it, if value 0 does not exist; further ones end the list without an error. */
typedef enum status expression_measures(void *context, const char *name, size_t length, int number,
                                        struct measure *measure, struct error *error);

/* Evaluates a formula whose value is in `unit`: that unit, or none, for a count of it. What is
 * added or compared must have the same unit; a number without one may stand beside `unit`. Returns
 * STATUS_INVALID if the text is no formula, a name has no value, units disagree, something is
 * divided by 0 or the value is not finite; the error is a sentence without the text. Allocates
 * nothing. */
enum status expression_measure(const char *text, const char *unit, expression_measures *lookup,
                               void *context, double *value, struct error *error);

/* Returns the first name (other than functions and pi) at or after `text` and sets its length;
 * NULL if there is none. */
const char *expression_name(const char *text, size_t *length);

#endif
