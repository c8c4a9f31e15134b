/* Conversion between numbers and decimal text, exact in both directions and independent of the
 * locale, and minimum, maximum and clamping of numbers. */
#ifndef AOLAG_BASE_NUMBER_H
#define AOLAG_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Neither is NaN. Inline because fmax and fmin are function calls in loops over packets. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Returns `value` clamped to low..high; `low` if the range is empty. */
static inline int clamp_int(int value, int low, int high)
{
    if (value > high)
        value = high;
    return value < low ? low : value;
}

/* Reads a decimal number (sign, digits, point, exponent; nothing else) at the start of `text` and
 * sets `end` after it. STATUS_INVALID if there is no finite decimal number. */
enum status number_parse(const char *text, double *value, const char **end);

/* Reads a relative value: "x2" and "*2" (times), "/2", "+10%" and "-10 %". Returns false for other
 * text and for a factor that is not a number above 0. */
bool number_factor(const char *text, double *factor);

/* A decimal number: digits x 10^exponent. */
struct decimal {
    uint64_t digits; /* without zeros at the end; 0 has exponent 0 */
    int exponent;
};

/* Returns the decimal with the fewest digits that reads back as `value`, the closest of several.
 * `value` is finite; its sign is ignored.
 *
 * Giulietti, "The Schubfach way to render doubles", 2020. */
struct decimal number_shortest(double value);

/* Writes the shortest decimal text that reads back as `value`, at most 24 characters and the NUL.
 * Uses an exponent below 1e-4 and if the point lies beyond all digits and the 15th place. */
void number_format(double value, char *text, size_t size);

/* Writes `value` with `digits` significant digits as printf's %g does. */
void number_round(double value, int digits, char *text, size_t size);

/* Writes `value` with `decimals` digits behind the point as printf's %f does; one of more than 15
 * digits before it, which a double does not have, with three significant digits, as %g does. */
void number_fixed(double value, int decimals, char *text, size_t size);

#endif
