#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading -------------------------------------------------------------------------------------- */

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/* Returns the end of the decimal number at `text`, or NULL if there is none. */
static const char *find_number_end(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-');
    const char *whole = at;
    bool digits;

    at = skip_digits(at);
    digits = at > whole;
    if (*at == '.') {
        const char *fraction = ++at;

        at = skip_digits(at);
        digits = digits || at > fraction;
    }
    if (!digits)
        return NULL;
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');

        if (skip_digits(exponent) > exponent)
            at = skip_digits(exponent);
    }
    return at;
}

enum status number_parse(const char *text, double *value, const char **end)
{
    const char *stop = find_number_end(text);
    const char *point = localeconv()->decimal_point;
    char copy[128];
    char *dot;
    size_t length;

    if (stop == NULL)
        return STATUS_INVALID;
    length = (size_t)(stop - text);
    if (length + strlen(point) >= sizeof copy)
        return STATUS_INVALID;
    memcpy(copy, text, length);
    copy[length] = '\0';
    dot = strchr(copy, '.');
    if (dot != NULL && strcmp(point, ".") != 0) {
        size_t wide = strlen(point);

        memmove(dot + wide, dot + 1, strlen(dot + 1) + 1);
        memcpy(dot, point, wide);
    }
    *value = strtod(copy, NULL);
    if (!isfinite(*value))
        return STATUS_INVALID;
    *end = stop;
    return STATUS_OK;
}

bool number_factor(const char *text, double *factor)
{
    char sign = text[strspn(text, " ")];
    const char *end;
    double number;

    if (sign == '\0' || strchr("x*/+-", sign) == NULL)
        return false;
    text = strchr(text, sign) + 1;
    if (number_parse(text + strspn(text, " "), &number, &end) != STATUS_OK)
        return false;
    end += strspn(end, " ");
    if (sign == '+' || sign == '-') {
        if (*end++ != '%')
            return false;
        number = 1 + (sign == '+' ? number : -number) / 100;
    }
    *factor = sign == '/' ? 1 / number : number;
    return end[strspn(end, " ")] == '\0' && *factor > 0 && isfinite(*factor);
}

/* Shortest digits ------------------------------------------------------------------------------ */

/* Powers of ten that scale any double to an integer: 10^k = g 2^(e - 127), 2^127 <= g < 2^128, g
 * rounded up. */
enum { POWER_MIN = -292, POWER_MAX = 324, POWERS = POWER_MAX - POWER_MIN + 1 };

struct wide {
    uint64_t high, low;
};

static struct wide powers[POWERS];

/* Integers of 32-bit limbs, lowest first. The quotient of 2^BIG_BITS by 10^292 has at least 128
 * bits. */
enum { LIMBS = 36, BIG_BITS = 32 * (LIMBS - 1) };

/* Returns the highest 128 bits of an integer of `used` limbs, rounded up; `inexact`: lower bits are
 * set. */
static struct wide top_bits(const uint32_t limb[LIMBS], int used, bool inexact)
{
    uint32_t top[5] = {0}; /* highest limb first */
    struct wide wide;
    int shift = 0; /* distance of the highest bit from the top */

    for (int i = 0; i < 5 && i < used; i++)
        top[i] = limb[used - 1 - i];
    while ((top[0] << shift & UINT32_C(0x80000000)) == 0)
        shift++;
    wide.high = (uint64_t)top[0] << 32 | top[1];
    wide.low = (uint64_t)top[2] << 32 | top[3];
    if (shift > 0) {
        wide.high = wide.high << shift | wide.low >> (64 - shift);
        wide.low = wide.low << shift | top[4] >> (32 - shift);
    }
    inexact = inexact || (uint32_t)(top[4] << shift) != 0;
    for (int i = used - 6; i >= 0 && !inexact; i--)
        inexact = limb[i] != 0;
    if (inexact && ++wide.low == 0)
        wide.high++;
    return wide;
}

/* Computes from exact integers: 10^k by multiplication, floor(2^BIG_BITS / 10^k) by division. */
static void compute_powers(void)
{
    uint32_t limb[LIMBS] = {1};
    int used = 1;

    for (int k = 0; k <= POWER_MAX; k++) {
        uint64_t carry = 0;

        powers[k - POWER_MIN] = top_bits(limb, used, false);
        for (int i = 0; i < used; i++) {
            carry += (uint64_t)limb[i] * 10;
            limb[i] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry > 0)
            limb[used++] = (uint32_t)carry;
    }
    memset(limb, 0, sizeof limb);
    limb[LIMBS - 1] = 1;
    used = LIMBS;
    for (int k = -1; k >= POWER_MIN; k--) {
        uint64_t rest = 0;

        for (int i = used - 1; i >= 0; i--) {
            rest = rest << 32 | limb[i];
            limb[i] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        used -= limb[used - 1] == 0;
        powers[k - POWER_MIN] = top_bits(limb, used, true);
    }
}

static struct wide multiply_wide(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t mid = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (mid & UINT32_MAX);

    return (struct wide){(a >> 32) * (b >> 32) + (mid >> 32) + (other >> 32),
                         other << 32 | (low & UINT32_MAX)};
}

/* Returns the highest 64 bits of the product; the lowest is set if bits below are. */
static uint64_t scale_to_odd(struct wide power, uint64_t factor)
{
    uint64_t below = multiply_wide(power.low, factor).high;
    struct wide product = multiply_wide(power.high, factor);

    product.low += below;
    product.high += product.low < below;
    return product.high | (product.low > 1);
}

static int floor_shift(int value, int bits)
{
    return value >= 0 ? value >> bits : -((-value + (1 << bits) - 1) >> bits);
}

static struct decimal strip_zeros(uint64_t digits, int exponent)
{
    while (digits % 10000 == 0 && digits != 0) {
        digits /= 10000;
        exponent += 4;
    }
    while (digits % 10 == 0 && digits != 0) {
        digits /= 10;
        exponent++;
    }
    return (struct decimal){digits, digits == 0 ? 0 : exponent};
}

/* Returns the shortest decimal between the midpoints to the neighbours of c 2^q; the lower midpoint
 * is closer if `uneven`. All are scaled by 10^-k, to four times an integer of at most 17 digits. */
static struct decimal shortest_between(uint64_t c, int q, bool uneven)
{
    int k = floor_shift(q * 1262611 - (uneven ? 524031 : 0), 22);
    int h = q + floor_shift(-k * 1741647, 19) + 1;
    struct wide power = powers[-k - POWER_MIN];
    bool odd = (c & 1) != 0; /* midpoints read back as the even neighbour */
    uint64_t lower = scale_to_odd(power, (4 * c - 2 + uneven) << h) + odd;
    uint64_t exact = scale_to_odd(power, (4 * c) << h);
    uint64_t upper = scale_to_odd(power, (4 * c + 2) << h) - odd;
    uint64_t s = exact / 4;
    uint64_t tens = s / 10;
    bool below = lower <= 4 * s;
    bool above = 4 * s + 4 <= upper;

    if (s >= 10 && (lower <= 40 * tens) != (40 * tens + 40 <= upper))
        return strip_zeros(tens + (40 * tens + 40 <= upper), k + 1);
    if (below == above)
        above = exact > 4 * s + 2 || (exact == 4 * s + 2 && (s & 1) != 0);
    return strip_zeros(s + above, k);
}

struct decimal number_shortest(double value)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const uint64_t hidden = UINT64_C(1) << 52;
    uint64_t bits;
    uint64_t fraction;
    int exponent;

    pthread_once(&once, compute_powers);
    memcpy(&bits, &value, sizeof bits);
    fraction = bits & (hidden - 1);
    exponent = (int)(bits >> 52 & 0x7FF);
    if (exponent == 0 && fraction == 0)
        return (struct decimal){0, 0};
    if (exponent == 0)
        return shortest_between(fraction, -1074, false);
    fraction |= hidden;
    exponent -= 1075;
    if (exponent <= 0 && exponent > -53 && (fraction & ((UINT64_C(1) << -exponent) - 1)) == 0)
        return strip_zeros(fraction >> -exponent, 0);
    return shortest_between(fraction, exponent, fraction == hidden && exponent > -1074);
}

/* Writing -------------------------------------------------------------------------------------- */

/* Writes the digits to the start of `text` and returns how many there are. */
static int write_digits(uint64_t digits, char *text)
{
    char reversed[20];
    int count = 0;

    do {
        reversed[count++] = (char)('0' + digits % 10);
        digits /= 10;
    } while (digits != 0);
    for (int i = 0; i < count; i++)
        text[i] = reversed[count - 1 - i];
    return count;
}

void number_format(double value, char *text, size_t size)
{
    struct decimal decimal = number_shortest(value);
    char digits[20];
    char whole[48];
    int count = write_digits(decimal.digits, digits);
    int point = count + decimal.exponent; /* digits before the point */
    int length = 0;

    if (signbit(value) != 0)
        whole[length++] = '-';
    if (point <= -4 || point > (count > 15 ? count : 15)) {
        whole[length++] = digits[0];
        if (count > 1) {
            whole[length++] = '.';
            memcpy(whole + length, digits + 1, (size_t)count - 1);
            length += count - 1;
        }
        whole[length++] = 'e';
        whole[length++] = point < 1 ? '-' : '+';
        if (abs(point - 1) < 10)
            whole[length++] = '0';
        length += write_digits((uint64_t)abs(point - 1), whole + length);
    } else {
        if (point <= 0) {
            memcpy(whole + length, "0.0000", (size_t)(2 - point));
            length += 2 - point;
        }
        for (int i = 0; i < count || i < point; i++) {
            if (i == point && i > 0)
                whole[length++] = '.';
            whole[length++] = (char)(i < count ? digits[i] : '0');
        }
    }
    if (size > 0) {
        size_t kept = (size_t)length < size ? (size_t)length : size - 1;

        memcpy(text, whole, kept);
        text[kept] = '\0';
    }
}

/* Prints with a point in all locales. */
static void print_with_point(char *text, size_t size, const char *format, int digits, double value)
{
    const char *point = localeconv()->decimal_point;
    char *comma;

    snprintf(text, size, format, digits, value);
    comma = strcmp(point, ".") == 0 ? NULL : strstr(text, point);
    if (comma != NULL) {
        *comma = '.';
        memmove(comma + 1, comma + strlen(point), strlen(comma + strlen(point)) + 1);
    }
}

void number_round(double value, int digits, char *text, size_t size)
{
    print_with_point(text, size, "%.*g", digits, value);
}

void number_fixed(double value, int decimals, char *text, size_t size)
{
    if (fabs(value) >= 1e15)
        number_round(value, 3, text, size);
    else
        print_with_point(text, size, "%.*f", decimals, value);
}
