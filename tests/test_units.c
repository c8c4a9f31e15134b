#include "base/units.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define PI 3.14159265358979323846

/* Every spelling there is, written out: the table must neither lack one nor have another. */
static const struct {
    const char *spelling;
    enum dimension dimension;
    double si;
} spellings[] = {
    {"", DIMENSION_NUMBER, 1},
    {"s", DIMENSION_TIME, 1},
    {"ms", DIMENSION_TIME, 1e-3},
    {"us", DIMENSION_TIME, 1e-6},
    {"\xC2\xB5s", DIMENSION_TIME, 1e-6},
    {"\xCE\xBCs", DIMENSION_TIME, 1e-6},
    {"ns", DIMENSION_TIME, 1e-9},
    {"Hz", DIMENSION_FREQUENCY, 1},
    {"kHz", DIMENSION_FREQUENCY, 1e3},
    {"MHz", DIMENSION_FREQUENCY, 1e6},
    {"GHz", DIMENSION_FREQUENCY, 1e9},
    {"THz", DIMENSION_FREQUENCY, 1e12},
    {"B", DIMENSION_BYTES, 1},
    {"kB", DIMENSION_BYTES, 1e3},
    {"MB", DIMENSION_BYTES, 1e6},
    {"GB", DIMENSION_BYTES, 1e9},
    {"TB", DIMENSION_BYTES, 1e12},
    {"KiB", DIMENSION_BYTES, 1024.0},
    {"MiB", DIMENSION_BYTES, 1048576.0},
    {"GiB", DIMENSION_BYTES, 1073741824.0},
    {"TiB", DIMENSION_BYTES, 1099511627776.0},
    {"bit", DIMENSION_BITS, 1},
    {"kbit", DIMENSION_BITS, 1e3},
    {"Mbit", DIMENSION_BITS, 1e6},
    {"Gbit", DIMENSION_BITS, 1e9},
    {"Tbit", DIMENSION_BITS, 1e12},
    {"b", DIMENSION_BITS, 1},
    {"kb", DIMENSION_BITS, 1e3},
    {"Mb", DIMENSION_BITS, 1e6},
    {"Gb", DIMENSION_BITS, 1e9},
    {"Tb", DIMENSION_BITS, 1e12},
    {"B/s", DIMENSION_BYTE_RATE, 1},
    {"kB/s", DIMENSION_BYTE_RATE, 1e3},
    {"MB/s", DIMENSION_BYTE_RATE, 1e6},
    {"GB/s", DIMENSION_BYTE_RATE, 1e9},
    {"TB/s", DIMENSION_BYTE_RATE, 1e12},
    {"KiB/s", DIMENSION_BYTE_RATE, 1024.0},
    {"MiB/s", DIMENSION_BYTE_RATE, 1048576.0},
    {"GiB/s", DIMENSION_BYTE_RATE, 1073741824.0},
    {"TiB/s", DIMENSION_BYTE_RATE, 1099511627776.0},
    {"b/s", DIMENSION_BIT_RATE, 1},
    {"kb/s", DIMENSION_BIT_RATE, 1e3},
    {"Mb/s", DIMENSION_BIT_RATE, 1e6},
    {"Gb/s", DIMENSION_BIT_RATE, 1e9},
    {"Tb/s", DIMENSION_BIT_RATE, 1e12},
    {"bit/s", DIMENSION_BIT_RATE, 1},
    {"kbit/s", DIMENSION_BIT_RATE, 1e3},
    {"Mbit/s", DIMENSION_BIT_RATE, 1e6},
    {"Gbit/s", DIMENSION_BIT_RATE, 1e9},
    {"Tbit/s", DIMENSION_BIT_RATE, 1e12},
    {"T/s", DIMENSION_TRANSFER_RATE, 1},
    {"kT/s", DIMENSION_TRANSFER_RATE, 1e3},
    {"MT/s", DIMENSION_TRANSFER_RATE, 1e6},
    {"GT/s", DIMENSION_TRANSFER_RATE, 1e9},
    {"FLOP", DIMENSION_FLOP, 1},
    {"kFLOP", DIMENSION_FLOP, 1e3},
    {"MFLOP", DIMENSION_FLOP, 1e6},
    {"GFLOP", DIMENSION_FLOP, 1e9},
    {"TFLOP", DIMENSION_FLOP, 1e12},
    {"OP/s", DIMENSION_OPERATION_RATE, 1},
    {"kOP/s", DIMENSION_OPERATION_RATE, 1e3},
    {"MOP/s", DIMENSION_OPERATION_RATE, 1e6},
    {"GOP/s", DIMENSION_OPERATION_RATE, 1e9},
    {"TOP/s", DIMENSION_OPERATION_RATE, 1e12},
    {"FLOP/s", DIMENSION_FLOP_RATE, 1},
    {"kFLOP/s", DIMENSION_FLOP_RATE, 1e3},
    {"MFLOP/s", DIMENSION_FLOP_RATE, 1e6},
    {"GFLOP/s", DIMENSION_FLOP_RATE, 1e9},
    {"TFLOP/s", DIMENSION_FLOP_RATE, 1e12},
    {"m", DIMENSION_LENGTH, 1},
    {"km", DIMENSION_LENGTH, 1e3},
    {"cm", DIMENSION_LENGTH, 1e-2},
    {"mm", DIMENSION_LENGTH, 1e-3},
    {"um", DIMENSION_LENGTH, 1e-6},
    {"\xC2\xB5m", DIMENSION_LENGTH, 1e-6},
    {"\xCE\xBCm", DIMENSION_LENGTH, 1e-6},
    {"nm", DIMENSION_LENGTH, 1e-9},
    {"m/s", DIMENSION_SPEED, 1},
    {"km/s", DIMENSION_SPEED, 1e3},
    {"deg", DIMENSION_ANGLE, PI / 180},
    {"rad", DIMENSION_ANGLE, 1},
    {"mrad", DIMENSION_ANGLE, 1e-3},
    {"urad", DIMENSION_ANGLE, 1e-6},
    {"\xC2\xB5rad", DIMENSION_ANGLE, 1e-6},
    {"\xCE\xBCrad", DIMENSION_ANGLE, 1e-6},
    {"nrad", DIMENSION_ANGLE, 1e-9},
    {"W", DIMENSION_POWER, 1},
    {"mW", DIMENSION_POWER, 1e-3},
    {"kW", DIMENSION_POWER, 1e3},
    {"MW", DIMENSION_POWER, 1e6},
    {"px", DIMENSION_PIXELS, 1},
    {"kpx", DIMENSION_PIXELS, 1e3},
    {"Mpx", DIMENSION_PIXELS, 1e6},
    {"cycles", DIMENSION_CYCLES, 1},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void count_visit(const char *spelling, const struct unit *unit, void *context)
{
    int *count = context;
    bool known = false;

    for (size_t i = 0; i < COUNT(spellings); i++)
        known = known || (strcmp(spellings[i].spelling, spelling) == 0 &&
                          spellings[i].dimension == unit->dimension);
    CHECK_TRUE(known, "a unit \"%s\" of dimension %d", spelling, unit->dimension);
    ++*count;
}

TEST(has_every_unit)
{
    int count = 0;

    unit_each(count_visit, &count);
    CHECK_INT(count, COUNT(spellings));
    for (size_t i = 0; i < COUNT(spellings); i++) {
        struct unit unit;

        if (!CHECK_TRUE(unit_find(spellings[i].spelling, &unit) == STATUS_OK, "no unit \"%s\"",
                        spellings[i].spelling))
            continue;
        CHECK_TRUE(unit.dimension == spellings[i].dimension, "%s is of dimension %d, expected %d",
                   spellings[i].spelling, unit.dimension, spellings[i].dimension);
        CHECK_TRUE(unit.numerator / unit.denominator == spellings[i].si,
                   "%s is %.17g, expected %.17g", spellings[i].spelling,
                   unit.numerator / unit.denominator, spellings[i].si);
    }
}

TEST(has_no_other)
{
    static const char *const wrong[] = {
        "S",    "sec", "hz",     "khz", "KHz",  "kib",  "Kb",   "KB", "Kib",  "ub",    "nB",
        "mHz",  "cs",  "Ms",     "b/S", "Gbps", "GBps", "bits", "GT", "TT/s", "FLOPS", "flop",
        "kdeg", "Kis", "KiFLOP", " s",  "s ",   "u",    "k",    "Ki", "/s"};

    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct unit unit;

        CHECK_TRUE(unit_find(wrong[i], &unit) == STATUS_INVALID, "\"%s\" is a unit", wrong[i]);
    }
}

/* Each unit in each of its dimension, with and without the space. */
TEST(parses_each_unit_in_each)
{
    for (size_t i = 0; i < COUNT(spellings); i++) {
        for (size_t j = 0; j < COUNT(spellings); j++) {
            struct error error = {STATUS_OK, ""};
            char text[2][64];
            double si = NAN;

            snprintf(text[0], sizeof text[0], "2.5 %s", spellings[i].spelling);
            snprintf(text[1], sizeof text[1], " \t2.5%s \t", spellings[i].spelling);
            for (int k = 0; k < 2; k++) {
                enum status status = quantity_parse(text[k], spellings[j].spelling, &si, &error);

                if (i == 0) /* a plain number is in the other unit */
                    CHECK_TRUE(status == STATUS_OK &&
                                   fabs(si - 2.5 * spellings[j].si) <= 1e-15 * fabs(si),
                               "\"%s\" in %s is %.17g: %s", text[k], spellings[j].spelling, si,
                               error.message);
                else if (spellings[i].dimension == spellings[j].dimension)
                    CHECK_TRUE(status == STATUS_OK &&
                                   fabs(si - 2.5 * spellings[i].si) <= 1e-15 * fabs(si),
                               "\"%s\" in %s is %.17g: %s", text[k], spellings[j].spelling, si,
                               error.message);
                else
                    CHECK_TRUE(status == STATUS_INVALID && error.message[0] != '\0',
                               "\"%s\" is accepted in %s", text[k], spellings[j].spelling);
            }
        }
    }
}

static void refused(const char *text, const char *unit, const char *expected)
{
    struct error error = {STATUS_OK, ""};
    double si = 42;

    CHECK_TRUE(quantity_parse(text, unit, &si, &error) == STATUS_INVALID,
               "\"%s\" in %s is accepted as %g", text, unit, si);
    CHECK_STR(error.message, expected);
    CHECK_TRUE(si == 42, "\"%s\" in %s is refused and changes the value to %g", text, unit, si);
}

TEST(tells_bits_from_bytes)
{
    refused("10 GB/s", "Gb/s", "GB/s counts bytes, this value is in bits (Gb/s)");
    refused("10 Gb/s", "GB/s", "Gb/s counts bits, this value is in bytes (GB/s)");
    refused("10 Gbit/s", "GB/s", "Gbit/s counts bits, this value is in bytes (GB/s)");
    refused("10 MiB/s", "Gb/s", "MiB/s counts bytes, this value is in bits (Gb/s)");
    refused("64 kb", "KiB", "kb counts bits, this value is in bytes (KiB)");
    refused("64 b", "B", "b counts bits, this value is in bytes (B)");
    refused("16 B", "bit", "B counts bytes, this value is in bits (bit)");
    refused("9000 bit", "B", "bit counts bits, this value is in bytes (B)");
    refused("10 GB", "GB/s", "GB is a unit of another kind, this value is in GB/s");
    refused("10 GB/s", "B", "GB/s is a unit of another kind, this value is in B");
}

TEST(says_what_would_be_right)
{
    refused("3.2 Ghz", "GHz", "unknown unit \"Ghz\"; did you mean GHz?");
    refused("3.2 GHz fast", "GHz", "unknown unit \"GHz fast\"; did you mean GHz?");
    refused("3 msec", "us", "unknown unit \"msec\"; did you mean ms?");
    refused("3 parsecs", "us", "unknown unit \"parsecs\"; did you mean us?");
    refused("5 W", "us", "W is a unit of another kind, this value is in us");
    refused("5 us", "", "\"us\" follows the number, which has no unit");
    refused("3,2 GHz", "GHz", "numbers are written with a point, not a comma");
    refused("3,2", "", "numbers are written with a point, not a comma");
    refused("5 us us", "us", "unknown unit \"us us\"; did you mean us?");
    refused("5", "parsec", "unknown unit \"parsec\"");
}

TEST(refuses_what_is_no_number)
{
    static const char *const wrong[] = {
        "",    " ",     "nan",      "NaN",      "-nan",         "inf",
        "Inf", "-inf",  "infinity", "abc",      "--3",          "+-3",
        "+",   "-",     ".",        "-.",       "e5",           ".e5",
        "us",  "1e999", "-1e999",   "\xD9\xA3", "\xE2\x88\x92", "- 3",
        "$5",  ",5",
    };

    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct error error = {STATUS_OK, ""};
        char expected[64];
        double si = 42;

        snprintf(expected, sizeof expected, "\"%s\" is not a number",
                 wrong[i] + strspn(wrong[i], " "));
        CHECK_TRUE(quantity_parse(wrong[i], "us", &si, &error) == STATUS_INVALID,
                   "\"%s\" is accepted as %g", wrong[i], si);
        CHECK_STR(error.message, expected);
    }
    refused("1e308 GHz", "Hz", "\"1e308 GHz\" is not a finite number");
    /* hexadecimal stops behind the first 0 */
    refused("0x10", "", "\"x10\" follows the number, which has no unit");
    refused("0x10", "us", "unknown unit \"x10\"; did you mean us?");
    refused("1.2.3", "", "\".3\" follows the number, which has no unit");
    refused("1e5e5", "", "\"e5\" follows the number, which has no unit");
    refused("5e", "", "\"e\" follows the number, which has no unit");
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

TEST(reads_decimal_numbers)
{
    static const struct {
        const char *text;
        double value;
        size_t used;
    } cases[] = {
        {"0", 0, 1},     {"-0", 0, 2},        {"+7", 7, 2},           {"1.", 1, 2},
        {".5", 0.5, 2},  {"1.5e3", 1500, 5},  {"1.5E-3x", 1.5e-3, 6}, {"1e+2 ", 100, 4},
        {"5e", 5, 1},    {"5e+", 5, 1},       {"5em", 5, 1},          {"0x10", 0, 1},
        {"1_000", 1, 1}, {"007", 7, 3},       {"1e-400", 0, 6},       {"12GHz", 12, 2},
        {"0.1", 0.1, 3}, {"1e308", 1e308, 5}, {"1,5", 1, 1},          {"3.5.1", 3.5, 3},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *end = NULL;
        double value = NAN;

        CHECK_TRUE(number_parse(cases[i].text, &value, &end) == STATUS_OK &&
                       value == cases[i].value && end == cases[i].text + cases[i].used,
                   "\"%s\" is %.17g, %td characters, expected %.17g, %zu", cases[i].text, value,
                   end == NULL ? (ptrdiff_t)-1 : end - cases[i].text, cases[i].value,
                   cases[i].used);
    }
}

TEST(a_comma_locale_changes_nothing)
{
    const char *path = getenv("COMMA_LOCPATH");
    struct error error;
    double si = NAN;

    if (path != NULL)
        setenv("LOCPATH", path, 1);
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        printf("# no locale with a decimal comma, not tested\n");
    CHECK_INT(quantity_parse("3.25 GHz", "GHz", &si, &error), STATUS_OK);
    CHECK_NEAR(si, 3.25e9, 0);
    refused("3,25 GHz", "GHz", "numbers are written with a point, not a comma");
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}
