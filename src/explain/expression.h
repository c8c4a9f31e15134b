/* Evaluation of formulas given as text, readable by people and programs.
 *
 *     flop / (device.rtc.peak * compute_efficiency)        sum(before.*.slopes)
 *
 * The arithmetic of C: operators + - * /, parentheses, decimal numbers, pi, and the functions min
 * max sum (of any number of arguments) ceil floor round log log2 sqrt exp sin cos pow, those of
 * model/formulas.h (square, next_power_of_two) and roofline_time (model/timeline.h). A name begins
 * with a letter and ends before a blank or one of ( ) , / +; it may contain points, dashes and the
 * > @ of inserted transfers, so blanks must surround operators. A name with an asterisk between
 * points has any number of values; it must be an argument of min, max or sum. Values are SI. */
#ifndef AOLAG_EXPLAIN_EXPRESSION_H
#define AOLAG_EXPLAIN_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

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

/* Returns the first name (other than functions and pi) at or after `text` and sets its length;
 * NULL if there is none. */
const char *expression_name(const char *text, size_t *length);

#endif
