/* Decimal text of numbers, exact in both directions, with a point whatever the locale; and the
 * larger and the smaller of two numbers, and the nearest within a range. */
#ifndef AOLAG_BASE_NUMBER_H
#define AOLAG_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Neither is NaN. Inline, because fmax and fmin are calls in the loops over packets. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The value nearest to `value` from low to high; low where the range is empty. */
static inline int clamp_int(int value, int low, int high)
{
    if (value > high)
        value = high;
    return value < low ? low : value;
}

/* Reads a decimal number (sign, digits, point, exponent; nothing else) at the start of `text` and
 * points `end` behind it. STATUS_INVALID for anything that is not a finite decimal number. */
enum status number_parse(const char *text, double *value, const char **end);

/* A decimal number: digits x 10^exponent. */
struct decimal {
    uint64_t digits; /* without zeros at the end; 0 has exponent 0 */
    int exponent;
};

/* The decimal with the fewest digits that reads back as `value`, the closest to it of several. Of a
 * finite number, its sign aside.
 *
 * Giulietti, "The Schubfach way to render doubles", 2020. */
struct decimal number_shortest(double value);

/* Writes the shortest decimal text that reads back as `value`; at most 24 characters and the NUL.
 * An exponent stands below 1e-4, and where neither the digits nor 15 of them reach the point. */
void number_format(double value, char *text, size_t size);

/* Writes `value` with `digits` significant digits as printf's %g does. */
void number_round(double value, int digits, char *text, size_t size);

#endif
