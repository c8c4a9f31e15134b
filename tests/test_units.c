#include "base/units.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "check.h"
#include "draw.h"
#include "rows.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* As the program lists them, and in SI as the table of the test has them. */
static struct {
    char spelling[24];
    struct unit unit;
    double si;
} units[256];
static int unit_count;

static void note_unit(const char *spelling, const struct unit *unit, void *context)
{
    (void)context;
    snprintf(units[unit_count].spelling, sizeof units[unit_count].spelling, "%s", spelling);
    units[unit_count++].unit = *unit;
}

static int list_units(void)
{
    memset(units, 0, sizeof units);
    unit_count = 0;
    unit_each(note_unit, NULL);
    return unit_count > 80 ? 0 : 1;
}

/* What is typed with many digits is said with four; whole numbers are counts. */
TEST(sentences_have_four_digits)
{
    static const char *const cases[][2] = {
        {"23.21998873588548 deg", "23.22 deg"},
        {"1593.123456789 MHz", "1593 MHz"},
        {"0.3333333333", "0.3333"},
        {"68.719476736 GB", "68.72 GB"},
        {"24083", "24083"},
        {"4.95 us", "4.95 us"},
        {"auto 7.00 us", "auto 7.00 us"},
        {"-12345.6 m", "-12346 m"},
        {"1.234567e-05 m", "1.235e-05 m"},
        {"none", "none"},
        {"", ""},
        {"3.55 GHz", "3.55 GHz"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[40];

        snprintf(text, sizeof text, "%s", cases[c][0]);
        quantity_shorten(text);
        CHECK_STR(text, cases[c][1]);
    }
}

/* Of no number are there more digits than a double has. */
TEST(few_digits)
{
    static const struct {
        double value;
        const char *fixed, *bytes, *quantity;
    } cases[] = {
        {1536, "1536.0", "1.50 KiB", "1.50 KiB"},
        {999999999999999, "999999999999999.0", "909 TiB", "909 TiB"},
        {-2e15, "-2e+15", "-1819 TiB", "-1819 TiB"},
        {1.25e28, "1.25e+28", "1.14e+16 TiB", "1.14e+16 TiB"},
        {1e300, "1e+300", "9.09e+287 TiB", "9.09e+287 TiB"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[40];

        number_fixed(cases[c].value, 1, text, sizeof text);
        CHECK_STR(text, cases[c].fixed);
        quantity_print(cases[c].value, "KiB", text, sizeof text);
        CHECK_STR(text, cases[c].bytes);
        quantity_print(cases[c].value, "B", text, sizeof text);
        CHECK_STR(text, cases[c].quantity);
    }
}

SUITE(list_units, NULL)

static int rows_seen;

static void check_unit(const struct row *row)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    struct unit base = {DIMENSION_NUMBER, 1, 1};
    double si = row_number(row, 2);

    ROW_TRUE(row,
             unit_find(row->field[0], &unit) == STATUS_OK &&
                 unit_find(row->field[1], &base) == STATUS_OK && unit.dimension == base.dimension,
             "\"%s\" is no unit, or not of the dimension of %s", row->field[0], row->field[1]);
    /* the first of each dimension begins one of its own */
    if (strcmp(row->field[0], row->field[1]) == 0)
        for (int i = 0; i < unit_count; i++)
            ROW_TRUE(row, units[i].si == 0 || units[i].unit.dimension != unit.dimension,
                     "%s has the dimension of %s", row->field[0], units[i].spelling);
    ROW_TRUE(row, unit.numerator / unit.denominator == si, "%s is %.17g, expected %.17g",
             row->field[0], unit.numerator / unit.denominator, si);
    for (int i = 0; i < unit_count; i++)
        if (strcmp(units[i].spelling, row->field[0]) == 0)
            units[i].si = si;
    rows_seen++;
}

static void check_no_unit(const struct row *row)
{
    struct unit unit;

    ROW_TRUE(row, unit_find(row->field[0], &unit) == STATUS_INVALID, "\"%s\" is a unit",
             row->field[0]);
}

/* The table of the test neither lacks one nor has another. */
TEST(has_every_unit_and_no_other)
{
    rows_seen = 0;
    rows_each("units.txt", "units", 3, check_unit);
    CHECK_INT(rows_seen, unit_count);
    for (int i = 0; i < unit_count; i++)
        CHECK_TRUE(units[i].si > 0, "a unit \"%s\"", units[i].spelling);
    rows_each("units.txt", "no units", 1, check_no_unit);
}

/* Each unit in each of its dimension, with and without the space. */
TEST(parses_each_unit_in_each)
{
    list_units();
    rows_each("units.txt", "units", 3, check_unit);
    for (size_t i = 0; i < (size_t)unit_count; i++) {
        for (size_t j = 0; j < (size_t)unit_count; j++) {
            struct error error = {STATUS_OK, ""};
            char text[2][64];
            double si = NAN;

            snprintf(text[0], sizeof text[0], "2.5 %.20s", units[i].spelling);
            snprintf(text[1], sizeof text[1], " \t2.5%.20s \t", units[i].spelling);
            for (int k = 0; k < 2; k++) {
                enum status status = quantity_parse(text[k], units[j].spelling, &si, &error);

                if (units[i].spelling[0] == '\0') /* a plain number is in the other unit */
                    CHECK_TRUE(
                        status == STATUS_OK && fabs(si - 2.5 * units[j].si) <= 1e-15 * fabs(si),
                        "\"%s\" in %s is %.17g: %s", text[k], units[j].spelling, si, error.message);
                else if (units[i].unit.dimension == units[j].unit.dimension)
                    CHECK_TRUE(
                        status == STATUS_OK && fabs(si - 2.5 * units[i].si) <= 1e-15 * fabs(si),
                        "\"%s\" in %s is %.17g: %s", text[k], units[j].spelling, si, error.message);
                else
                    CHECK_TRUE(status == STATUS_INVALID && error.message[0] != '\0',
                               "\"%s\" is accepted in %s", text[k], units[j].spelling);
            }
        }
    }
}

static void check_refused(const struct row *row)
{
    struct error error = {STATUS_OK, ""};
    double si = 42;

    ROW_TRUE(row, quantity_parse(row->field[0], row->field[1], &si, &error) == STATUS_INVALID,
             "\"%s\" in %s is accepted as %g", row->field[0], row->field[1], si);
    ROW_STR(row, error.message, row->field[2]);
    ROW_TRUE(row, si == 42, "refused, and the value changes to %g", si);
}

TEST(says_what_would_be_right)
{
    rows_each("units.txt", "refused", 3, check_refused);
}

/* A cut of what cannot be a unit never leaves part of a character in a message. */
TEST(cuts_long_trailing_text)
{
    for (int shift = 0; shift < 4; shift++) {
        struct error error = {STATUS_OK, ""};
        char text[128] = "1 ";
        double si;

        memset(text + 2, 'x', (size_t)shift);
        for (int i = 0; i < 20; i++)
            strcat(text, "\xE2\x82\xAC");
        CHECK_INT(quantity_parse(text, "us", &si, &error), STATUS_INVALID);
        for (const char *at = error.message; *at != '\0'; at++)
            if ((unsigned char)*at == 0xE2)
                CHECK_TRUE(((unsigned char)at[1] & 0xC0U) == 0x80U &&
                               ((unsigned char)at[2] & 0xC0U) == 0x80U,
                           "shift %d: \"%s\" holds part of a character", shift, error.message);
    }
}

static void check_number(const struct row *row)
{
    const char *end = NULL;
    double value = NAN;

    ROW_TRUE(row,
             number_parse(row->field[0], &value, &end) == STATUS_OK &&
                 value == row_number(row, 1) && end == row->field[0] + (int)row_number(row, 2),
             "\"%s\" is %.17g, behind it comes \"%s\"", row->field[0], value,
             end == NULL ? "" : end);
}

TEST(reads_decimal_numbers)
{
    rows_each("units.txt", "numbers", 3, check_number);
}

static double any_double(struct draw *draw)
{
    double value;

    do {
        uint64_t bits = draw_bits(draw);

        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

/* Whether a text with one significant digit less reads back as `value` too. */
static bool shorter_reads_back(double value, int digits)
{
    char text[64];

    if (digits < 2)
        return false;
    snprintf(text, sizeof text, "%.*e", digits - 2, value);
    return strtod(text, NULL) == value;
}

/* The digits of a number's text as an integer, without zeros at its ends. */
static uint64_t text_digits(const char *text)
{
    uint64_t digits = 0;

    for (; *text != '\0' && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9')
            digits = 10 * digits + (uint64_t)(*text - '0');
    while (digits % 10 == 0 && digits > 0)
        digits /= 10;
    return digits;
}

static int digit_count(uint64_t digits)
{
    int count = 1;

    while (digits >= 10) {
        digits /= 10;
        count++;
    }
    return count;
}

/* A double of any bits, a power of two (whose lower neighbour is nearer), a subnormal one, a number
 * of usual size, one with few digits. */
static double varied_double(struct draw *draw, int i)
{
    double value = any_double(draw);

    switch (i % 8) {
    case 0:
        return ldexp(1, (int)(draw_bits(draw) % 2098) - 1074);
    case 1:
        return copysign((double)(draw_bits(draw) >> (12 + draw_bits(draw) % 50)) * 0x1p-1074,
                        value);
    case 2:
    case 3:
        return draw_log(draw, 1e-12, 1e18);
    case 4:
        return round(draw_log(draw, 1e-12, 1e18) * 1000) / 1000;
    default:
        return value;
    }
}

/* Whether no text with fewer digits reads back as `value`, and of those with as many none is
 * closer: printf's digits are the closest there are. */
static bool is_shortest(double value, const char *text)
{
    uint64_t digits = text_digits(text);
    char closest[64];

    snprintf(closest, sizeof closest, "%.*e", digit_count(digits) - 1, value);
    return !shorter_reads_back(value, digit_count(digits)) &&
           (strtod(closest, NULL) != value || text_digits(closest) == digits);
}

TEST(formats_the_shortest)
{
    struct draw draw = draw_start(11);
    int repeat = draw_repeat(1000000);
    int wrong = 0;

    for (int i = 0; i < repeat && wrong < 10; i++) {
        double value = varied_double(&draw, i);
        char text[64];
        bool good;

        number_format(value, text, sizeof text);
        good = strlen(text) <= 24 && strtod(text, NULL) == value &&
               (draw_bits(&draw) % 8 != 0 || is_shortest(value, text));
        wrong += !good;
        if (!good)
            CHECK_TRUE(good, "%.17g is written \"%s\"", value, text);
    }
    CHECK_INT(wrong, 0);
}

static void check_shortest(const struct row *row)
{
    char text[64];

    number_format(row_number(row, 0), text, sizeof text);
    ROW_STR(row, text, row->field[1]);
}

TEST(formats_legibly)
{
    rows_each("units.txt", "shortest", 2, check_shortest);
}

/* What was read is written so that it reads the same, in every unit. */
TEST(round_trips_in_every_unit)
{
    struct draw draw = draw_start(12);
    int repeat = draw_repeat(400);

    for (size_t u = 0; u < (size_t)unit_count; u++) {
        for (int i = 0; i < repeat; i++) {
            const char *unit = units[u].spelling;
            double value = draw_log(&draw, 1e-6, 1e9);
            struct error error = {STATUS_OK, ""};
            char given[64];
            char text[64];
            double si = NAN;
            double back = NAN;

            if (i % 2 == 0)
                value = round(value * 100) / 100;
            number_format(value, given, sizeof given);
            strcat(given, unit);
            CHECK_INT(quantity_parse(given, unit, &si, &error), STATUS_OK);
            quantity_format(si, unit, text, sizeof text);
            CHECK_TRUE(quantity_parse(text, unit, &back, &error) == STATUS_OK && back == si,
                       "%s is %.17g, written \"%s\", read %.17g %s", given, si, text, back,
                       error.message);
        }
    }
}

static void check_format(const struct row *row)
{
    char text[64];

    quantity_format(row_number(row, 0), row->field[1], text, sizeof text);
    ROW_STR(row, text, row->field[2]);
}

static void check_print(const struct row *row)
{
    char text[64];

    quantity_print(row_number(row, 0), row->field[1], text, sizeof text);
    ROW_STR(row, text, row->field[2]);
}

TEST(formats_in_the_unit)
{
    rows_each("units.txt", "in a unit", 3, check_format);
}

TEST(prints_for_reading)
{
    rows_each("units.txt", "for reading", 3, check_print);
}

/* What is printed is within half of its third digit of the value. */
TEST(prints_close_to_the_value)
{
    struct draw draw = draw_start(13);
    int repeat = draw_repeat(100);

    for (size_t u = 0; u < (size_t)unit_count; u++) {
        for (int i = 0; i < repeat; i++) {
            double si = draw_log(&draw, 1e-9, 1e15);
            char text[64];
            struct error error = {STATUS_OK, ""};
            double back = NAN;

            if (units[u].unit.dimension == DIMENSION_ANGLE)
                si = draw_log(&draw, 1e-3, 10);
            quantity_print(si, units[u].spelling, text, sizeof text);
            CHECK_TRUE(quantity_parse(text, units[u].spelling, &back, &error) == STATUS_OK &&
                           fabs(back - si) <= 0.00501 * si,
                       "%.17g %s is printed \"%s\" %s", si, units[u].spelling, text, error.message);
        }
    }
}

static void all_texts(char *text, size_t size)
{
    static const double values[] = {0.1, 3.55e9, 122.4e-6, 1e-7, 1234.5678, 2.5e12, 1e20, 5e-324};
    size_t used = 0;

    for (size_t i = 0; i < COUNT(values); i++) {
        char one[64];

        number_format(values[i], one, sizeof one);
        used += (size_t)snprintf(text + used, size - used, "%s|", one);
        quantity_format(values[i], "us", one, sizeof one);
        used += (size_t)snprintf(text + used, size - used, "%s|", one);
        quantity_print(values[i], "GB/s", one, sizeof one);
        used += (size_t)snprintf(text + used, size - used, "%s|", one);
        quantity_print(values[i], "", one, sizeof one);
        used += (size_t)snprintf(text + used, size - used, "%s|", one);
    }
}

TEST(a_comma_locale_changes_nothing)
{
    struct error error;
    char plain[2048];
    char comma[2048];
    double si = NAN;

    all_texts(plain, sizeof plain);
    check_comma_locale(true);
    all_texts(comma, sizeof comma);
    CHECK_INT(quantity_parse("3.25 GHz", "GHz", &si, &error), STATUS_OK);
    CHECK_NEAR(si, 3.25e9, 0);
    CHECK_INT(quantity_parse("3,25 GHz", "GHz", &si, &error), STATUS_INVALID);
    CHECK_STR(error.message, "write numbers with a decimal point, not a comma");
    check_comma_locale(false);
    CHECK_STR(comma, plain);
}
