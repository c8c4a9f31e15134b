#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "check.h"
#include "draw.h"

#define PI 3.14159265358979323846
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct {
    char spelling[24];
    struct unit unit;
} units[256];
static int unit_count;

static void note(const char *spelling, const struct unit *unit, void *context)
{
    (void)context;
    snprintf(units[unit_count].spelling, sizeof units[unit_count].spelling, "%s", spelling);
    units[unit_count++].unit = *unit;
}

static int list_units(void)
{
    unit_count = 0;
    unit_each(note, NULL);
    return unit_count > 80 ? 0 : 1;
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
    int repeat = draw_repeat(10000000);
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

TEST(formats_legibly)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {1000000, "1000000"},
                 {1e14, "100000000000000"},
                 {1e15, "1e+15"},
                 {0.1, "0.1"},
                 {1.5e-5, "1.5e-05"},
                 {-2.5, "-2.5"},
                 {1.0 / 3, "0.3333333333333333"},
                 {123456789, "123456789"},
                 {0x1p-24, "5.960464477539063e-08"},
                 {0x1p-1074, "5e-324"},
                 {1234567890123456, "1234567890123456"},
                 {12345678901234560, "1.234567890123456e+16"}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];

        number_format(cases[i].value, text, sizeof text);
        CHECK_STR(text, cases[i].text);
    }
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

TEST(formats_in_the_unit)
{
    static const struct {
        double si;
        const char *unit;
        const char *text;
    } cases[] = {
        {500e-6, "us", "500 us"},
        {3.55e9, "GHz", "3.55 GHz"},
        {3200e6, "MT/s", "3200 MT/s"},
        {0.15, "cm", "15 cm"},
        {2200e-9, "nm", "2200 nm"},
        {65536, "KiB", "64 KiB"},
        {10e9, "Gb/s", "10 Gb/s"},
        {42, "", "42"},
        {0, "us", "0 us"},
        {30 * PI / 180, "deg", "30 deg"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];

        quantity_format(cases[i].si, cases[i].unit, text, sizeof text);
        CHECK_STR(text, cases[i].text);
    }
}

TEST(prints_for_reading)
{
    static const struct {
        double si;
        const char *unit;
        const char *text;
    } cases[] = {
        {122e-6, "us", "122 us"},
        {2.039e12, "GB/s", "2.04 TB/s"},
        {0, "us", "0.00 s"},
        {999.4e-6, "s", "999 us"},
        {999.6e-6, "s", "1.00 ms"},
        {12.34e-6, "ms", "12.3 us"},
        {1.234e-6, "us", "1.23 us"},
        {5e-12, "us", "0.005 ns"},
        {1500, "Hz", "1.50 kHz"},
        {0.5, "Hz", "0.500 Hz"},
        {1.2e-4, "Hz", "0.00012 Hz"},
        {-28.3e-6, "us", "-28.3 us"},
        {19.49e12, "FLOP/s", "19.5 TFLOP/s"},
        {53e-9, "m", "53.0 nm"},
        {196e6, "B", "196 MB"},
        {9.996, "", "10.0"},
        {99.96, "", "100"},
        {123456, "", "123456"},
        {0.95444, "", "0.954"},
        {0.0346, "", "0.0346"},
        {0.99964, "", "1.00"},
        {0.099964, "", "0.100"},
        {0.0099964, "", "0.01"},
        {-0.5, "", "-0.500"},
        {1.5, "", "1.50"},
        {PI / 6, "deg", "30.0 deg"},
        {1e16, "Hz", "10000 THz"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];

        quantity_print(cases[i].si, cases[i].unit, text, sizeof text);
        CHECK_STR(text, cases[i].text);
    }
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
    const char *path = getenv("COMMA_LOCPATH");
    char plain[2048];
    char comma[2048];

    all_texts(plain, sizeof plain);
    if (path != NULL)
        setenv("LOCPATH", path, 1);
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        printf("# no locale with a decimal comma, not tested\n");
        CHECK(plain[0] != '\0');
        unsetenv("LOCPATH");
        return;
    }
    CHECK_STR(localeconv()->decimal_point, ",");
    all_texts(comma, sizeof comma);
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    CHECK_STR(comma, plain);
}

SUITE(list_units, NULL)
