#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/utf8.h"

struct prefix {
    const char *name;
    bool printed; /* by quantity_print */
    double numerator;
    double denominator;
};

/* In ascending order, those that are printed. */
static const struct prefix prefixes[] = {
    {.name = "n", .printed = true, .numerator = 1, .denominator = 1e9},
    {.name = "u", .printed = true, .numerator = 1, .denominator = 1e6},
    {.name = "\xC2\xB5", .numerator = 1, .denominator = 1e6},
    {.name = "\xCE\xBC", .numerator = 1, .denominator = 1e6},
    {.name = "m", .printed = true, .numerator = 1, .denominator = 1e3},
    {.name = "c", .numerator = 1, .denominator = 1e2},
    {.name = "", .printed = true, .numerator = 1, .denominator = 1},
    {.name = "k", .printed = true, .numerator = 1e3, .denominator = 1},
    {.name = "M", .printed = true, .numerator = 1e6, .denominator = 1},
    {.name = "G", .printed = true, .numerator = 1e9, .denominator = 1},
    {.name = "T", .printed = true, .numerator = 1e12, .denominator = 1},
    {.name = "Ki", .numerator = 1024.0, .denominator = 1},
    {.name = "Mi", .numerator = 1048576.0, .denominator = 1},
    {.name = "Gi", .numerator = 1073741824.0, .denominator = 1},
    {.name = "Ti", .numerator = 1099511627776.0, .denominator = 1},
};

#define SMALL "n u \xC2\xB5 \xCE\xBC m"
#define LARGE "k M G T"
#define BINARY "Ki Mi Gi Ti"
#define DEGREE_NUMERATOR 3.14159265358979323846
#define DEGREE_DENOMINATOR 180.0

#define BASE(name_, dimension_, allowed_) BASE_OF(name_, dimension_, allowed_, 1, 1)
#define BASE_OF(name_, dimension_, allowed_, numerator_, denominator_)                             \
    {                                                                                              \
        .name = name_, .length = sizeof name_ - 1, .dimension = DIMENSION_##dimension_,            \
        .allowed = allowed_, .numerator = numerator_, .denominator = denominator_                  \
    }

/* quantity_print uses the first row of a dimension. */
static const struct base {
    const char *name;
    size_t length;
    enum dimension dimension;
    const char *allowed; /* separated by spaces; a unit without a prefix is always allowed */
    double numerator;
    double denominator;
} bases[] = {
    BASE("", NUMBER, ""),
    BASE("s", TIME, SMALL),
    BASE("Hz", FREQUENCY, LARGE),
    BASE("B", BYTES, LARGE " " BINARY),
    BASE("bit", BITS, LARGE),
    BASE("b", BITS, LARGE),
    BASE("B/s", BYTE_RATE, LARGE " " BINARY),
    BASE("b/s", BIT_RATE, LARGE),
    BASE("bit/s", BIT_RATE, LARGE),
    BASE("T/s", TRANSFER_RATE, "k M G"),
    BASE("FLOP", FLOP, LARGE),
    BASE("FLOP/s", FLOP_RATE, LARGE),
    BASE("OP/s", OPERATION_RATE, LARGE),
    BASE("m", LENGTH, SMALL " c k"),
    BASE("m/s", SPEED, "k"),
    BASE_OF("deg", ANGLE, "", DEGREE_NUMERATOR, DEGREE_DENOMINATOR),
    BASE("rad", ANGLE, SMALL),
    BASE("W", POWER, "m k M"),
    BASE("px", PIXELS, "k M"),
    BASE("cycles", CYCLES, ""),
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool prefix_allowed(const struct base *base, const struct prefix *prefix)
{
    const char *at = base->allowed;
    size_t length = strlen(prefix->name);

    if (length == 0)
        return true;
    while (*at != '\0') {
        size_t word = strcspn(at, " ");

        if (word == length && memcmp(at, prefix->name, length) == 0)
            return true;
        at += word + (at[word] == ' ');
    }
    return false;
}

static struct unit compose_unit(const struct base *base, const struct prefix *prefix)
{
    struct unit unit = {base->dimension, base->numerator * prefix->numerator,
                        base->denominator * prefix->denominator};
    return unit;
}

enum status unit_find(const char *text, struct unit *unit)
{
    size_t length = strlen(text);

    for (size_t b = 0; b < COUNT(bases); b++) {
        size_t base = bases[b].length;

        size_t before = length - base; /* bytes of the prefix */
        char first = before == 0 ? '\0' : text[0];

        if (base > length || (before > 0 && bases[b].allowed[0] == '\0') ||
            (base > 0 && text[length - 1] != bases[b].name[base - 1]) ||
            memcmp(text + before, bases[b].name, base) != 0)
            continue;
        for (size_t p = 0; p < COUNT(prefixes); p++) {
            if (prefixes[p].name[0] == first &&
                strncmp(prefixes[p].name, text, before) == 0 &&
                prefixes[p].name[before] == '\0' &&
                prefix_allowed(&bases[b], &prefixes[p])) {
                *unit = compose_unit(&bases[b], &prefixes[p]);
                return STATUS_OK;
            }
        }
    }
    return STATUS_INVALID;
}

void unit_each(void (*visit)(const char *, const struct unit *, void *), void *context)
{
    for (size_t b = 0; b < COUNT(bases); b++) {
        for (size_t p = 0; p < COUNT(prefixes); p++) {
            char spelling[24];
            struct unit unit = compose_unit(&bases[b], &prefixes[p]);

            if (!prefix_allowed(&bases[b], &prefixes[p]))
                continue;
            snprintf(spelling, sizeof spelling, "%s%s", prefixes[p].name, bases[b].name);
            visit(spelling, &unit, context);
        }
    }
}

/* Values --------------------------------------------------------------------------------------- */

static struct unit unit_named(const char *name)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    unit_find(name, &unit);
    return unit;
}

double unit_from_si(double si, const char *unit)
{
    struct unit u = unit_named(unit);

    return si * u.denominator / u.numerator;
}

double unit_to_si(double value, const char *unit)
{
    struct unit u = unit_named(unit);

    return value * u.numerator / u.denominator;
}

struct suggestion {
    struct nearest nearest;
    enum dimension dimension;
};

static void offer_unit(const char *spelling, const struct unit *unit, void *context)
{
    struct suggestion *suggestion = context;

    if (unit->dimension == suggestion->dimension && (unsigned char)spelling[0] < 0x80)
        nearest_offer(&suggestion->nearest, spelling);
}

static enum status wrong_unit(const char *word, const char *unit, enum dimension wanted,
                              struct error *error)
{
    struct suggestion suggestion = {nearest_to(word), wanted};
    struct unit known;

    if (word[0] == ',')
        return error_set(error, STATUS_INVALID, "write numbers with a decimal point, not a comma");
    if (unit[0] == '\0')
        return error_set(error, STATUS_INVALID, "\"%s\" follows the number, which has no unit",
                         word);
    nearest_offer(&suggestion.nearest, unit);
    unit_each(offer_unit, &suggestion);
    if (unit_find(word, &known) != STATUS_OK)
        return error_set(error, STATUS_INVALID, "unknown unit \"%s\"; did you mean %s?", word,
                         suggestion.nearest.best[0] != '\0' ? suggestion.nearest.best : unit);
    if ((known.dimension == DIMENSION_BITS || known.dimension == DIMENSION_BIT_RATE) &&
        (wanted == DIMENSION_BYTES || wanted == DIMENSION_BYTE_RATE))
        return error_set(error, STATUS_INVALID, "%s counts bits, this value is in bytes (%s)", word,
                         unit);
    if ((known.dimension == DIMENSION_BYTES || known.dimension == DIMENSION_BYTE_RATE) &&
        (wanted == DIMENSION_BITS || wanted == DIMENSION_BIT_RATE))
        return error_set(error, STATUS_INVALID, "%s counts bytes, this value is in bits (%s)", word,
                         unit);
    return error_set(error, STATUS_INVALID, "%s is a unit of another kind, this value is in %s",
                     word, unit);
}

enum status quantity_parse(const char *text, const char *unit, double *si, struct error *error)
{
    struct unit expected;
    struct unit given;
    char word[24];
    const char *at;
    size_t length;
    double value;

    text += strspn(text, " \t");
    if (number_parse(text, &value, &at) != STATUS_OK)
        return error_set(error, STATUS_INVALID, "\"%s\" is not a number", text);
    length = text_trim(&at);
    if (unit_find(unit, &expected) != STATUS_OK)
        return error_set(error, STATUS_INVALID, "unknown unit \"%s\"", unit);
    given = expected;
    if (length > 0) {
        utf8_excerpt(word, sizeof word, at, length);
        if (length >= sizeof word || unit_find(word, &given) != STATUS_OK ||
            given.dimension != expected.dimension)
            return wrong_unit(word, unit, expected.dimension, error);
    }
    value = value * given.numerator / given.denominator;
    if (!isfinite(value))
        return error_set(error, STATUS_INVALID, "\"%s\" is not a finite number", text);
    *si = value;
    return STATUS_OK;
}

static bool reads_back(const char *text, const struct unit *unit, double si)
{
    const char *end;
    double back;

    return number_parse(text, &back, &end) == STATUS_OK &&
           back * unit->numerator / unit->denominator == si;
}

/* Writes the shortest number in `unit` that reads back as `si`; returns false if none does. If the
 * shortest text of the quotient has at most 14 digits, it is the result: rounding changes only the
 * last few places, and no shorter number lies within them. */
static bool format_in_unit(double si, const struct unit *unit, char *text, size_t size)
{
    double shown = si * unit->denominator / unit->numerator;
    bool exact;

    number_format(shown, text, size);
    exact = reads_back(text, unit, si);
    if (exact && number_shortest(shown).digits < UINT64_C(100000000000000))
        return true;
    for (int digits = 1; digits <= 17; digits++) {
        const char *end;
        char rounded[40];
        double back;

        number_round(shown, digits, rounded, sizeof rounded);
        if (reads_back(rounded, unit, si) && number_parse(rounded, &back, &end) == STATUS_OK) {
            number_format(back, text, size);
            return true;
        }
    }
    return exact;
}

/* Returns the unit that is 1 in SI; every number has an exact text in it. */
static const char *si_unit(enum dimension dimension)
{
    for (size_t b = 0; b < COUNT(bases); b++)
        if (bases[b].dimension == dimension && bases[b].numerator == bases[b].denominator)
            return bases[b].name;
    return "";
}

void quantity_format(double si, const char *unit, char *text, size_t size)
{
    struct unit u = unit_named(unit);

    if (!format_in_unit(si, &u, text, size)) {
        unit = si_unit(u.dimension);
        u = unit_named(unit);
        format_in_unit(si, &u, text, size);
    }
    if (unit[0] != '\0') {
        size_t used = strlen(text);

        snprintf(text + used, size - used, " %s", unit);
    }
}

static const struct base *find_base(enum dimension dimension)
{
    for (size_t b = 0; b < COUNT(bases); b++)
        if (bases[b].dimension == dimension)
            return &bases[b];
    return &bases[0];
}

/* Writes three significant digits, without an exponent if that is readable. */
static void print_three_digits(double value, char *text, size_t size)
{
    double magnitude = fabs(value);
    int decimals = magnitude >= 99.95     ? 0
                   : magnitude >= 9.995   ? 1
                   : magnitude >= 0.9995  ? 2
                   : magnitude >= 0.09995 ? 3
                   : value != 0           ? 4
                                          : 2;

    if (value != 0 && (magnitude < 0.01 || (magnitude >= 1e6 && value != floor(value))))
        number_round(value, 3, text, size);
    else
        number_fixed(value, decimals, text, size);
}

bool quantity_is_binary(const char *unit)
{
    return strcmp(unit, "B") == 0 || strstr(unit, "iB") != NULL;
}

bool quantity_is_gib(double bytes)
{
    const double gib = bytes / 1073741824.0;

    return gib >= 1 && gib == floor(gib);
}

const char *quantity_beside(double capacity)
{
    return capacity > 0 && !quantity_is_gib(capacity) ? "GB" : "B";
}

static void print_binary(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    char number[32];
    int u = 0;

    for (; fabs(bytes) >= 1023.5 && u < 4; u++) /* rounds to 1024 with three digits */
        bytes /= 1024;
    if (bytes == floor(bytes))
        number_fixed(bytes, 0, number, sizeof number);
    else
        print_three_digits(bytes, number, sizeof number);
    snprintf(text, size, "%s %s", number, units[u]);
}

void quantity_print(double si, const char *unit, char *text, size_t size)
{
    const struct base *base = find_base(unit_named(unit).dimension);
    const struct prefix *chosen = NULL;
    double scale = 1, shown, least = 0; /* of a larger prefix than the first */
    size_t used;

    if (base->dimension == DIMENSION_BYTES && (quantity_is_binary(unit) || quantity_is_gib(si))) {
        print_binary(si, text, size);
        return;
    }
    for (size_t p = 0; p < COUNT(prefixes); p++)
        /* what rounds to 1000 has the next prefix */
        if (prefixes[p].printed && (chosen == NULL || fabs(si / scale) >= 999.5) &&
            prefix_allowed(base, &prefixes[p])) {
            least = chosen == NULL ? 0 : 1;
            chosen = &prefixes[p];
            scale = chosen->numerator / chosen->denominator;
        }
    if (base->dimension == DIMENSION_BITS && fabs(si) < 999999.5) { /* widths: 16384 bit, no kbit */
        snprintf(text, size, "%.6g %s", si, base->name);
        return;
    }
    if (si == 0)
        chosen = NULL;
    shown = si == 0 ? 0 : si / scale / (base->numerator / base->denominator);
    print_three_digits(fabs(shown) < least ? copysign(least, si) : shown, text, size);
    used = strlen(text);
    if (base->name[0] != '\0' || (chosen != NULL && chosen->name[0] != '\0'))
        snprintf(text + used, size - used, " %s%s", chosen == NULL ? "" : chosen->name, base->name);
}

void quantity_shorten(char *text)
{
    enum { DIGITS = 4 };
    char number[40];
    const char *unit, *end;
    double value, rounded;

    if (number_parse(text, &value, &unit) != STATUS_OK || value == floor(value))
        return;
    if (fabs(value) < 1000)
        snprintf(number, sizeof number, "%.*g", DIGITS, value);
    else
        snprintf(number, sizeof number, "%.0f", value);
    if (number_parse(number, &rounded, &end) != STATUS_OK || rounded == value ||
        strlen(number) > (size_t)(unit - text))
        return;
    memmove(text + strlen(number), unit, strlen(unit) + 1);
    memcpy(text, number, strlen(number));
}
