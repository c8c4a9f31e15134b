/* Formulas as text: what a result is made of, in a form that people and programs read alike.
 *
 *     flop / (device.rtc.peak * compute_efficiency)        sum(before.*.slopes)
 *
 * The arithmetic of C: operators + - * /, parentheses, decimal numbers, pi, and the functions min
 * max sum (of any number of arguments) ceil floor round log2 sqrt exp sin cos pow, those of
 * model/formulas.h (square, next_power_of_two) and roofline_time (model/timeline.h). A name begins
 * with a letter and ends before a blank or one of ( ) , / +; it may hold points, dashes and the > @
 * of inserted transfers, so operators stand between blanks. A name with an asterisk between points
 * stands for any number of values; it is an argument of min, max or sum. Values are SI. */
#ifndef AOLAG_EXPLAIN_EXPRESSION_H
#define AOLAG_EXPLAIN_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum expression_outcome {
    EXPRESSION_OK,
    EXPRESSION_OPAQUE, /* it calls a function that is no arithmetic, as geometry(...) */
    EXPRESSION_BAD     /* not a formula, or a name without a value */
};

/* Value `number` (from 0) of a name that is `length` long; false when it has no such value. */
typedef bool expression_lookup(void *context, const char *name, size_t length, int number,
                               double *value);

enum expression_outcome expression_value(const char *text, expression_lookup *lookup, void *context,
                                         double *value);

/* The first name (not of a function, not pi) at or after `text` and its length; NULL when there is
 * none. */
const char *expression_name(const char *text, size_t *length);

#endif
