/* What the commands print with: JSON, tables, text for people. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw/table.h"
#include "draw/text.h"
#include "model/result.h"
#include "report/json.h"

static char *printed;
static size_t printed_size;

static FILE *print_start(void)
{
    return open_memstream(&printed, &printed_size);
}

static void print_check(FILE *file, const char *expected)
{
    fclose(file);
    CHECK_STR(printed, expected);
    free(printed);
}

TEST(nests_json)
{
    FILE *file = print_start();
    struct json json = json_to(file);

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_array(&json, "list");
    json_object(&json, NULL);
    json_bool(&json, "yes", true);
    json_object_end(&json);
    json_bool(&json, NULL, false);
    json_array_end(&json);
    json_array(&json, "empty");
    json_array_end(&json);
    json_text(&json, "none", NULL);
    json_object_end(&json);
    print_check(file, "{\n"
                      "  \"schema\": 1,\n"
                      "  \"list\": [\n"
                      "    {\n"
                      "      \"yes\": true\n"
                      "    },\n"
                      "    false\n"
                      "  ],\n"
                      "  \"empty\": [],\n"
                      "  \"none\": null\n"
                      "}\n");
}

static void json_text_is(const char *text, const char *expected)
{
    FILE *file = print_start();
    struct json json = json_to(file);

    json_text(&json, NULL, text);
    print_check(file, expected);
}

TEST(escapes_json)
{
    json_text_is("", "\"\"");
    json_text_is("say \"no\" \\ /", "\"say \\\"no\\\" \\\\ /\"");
    json_text_is("a\nb\tc\rd\001e\177", "\"a\\nb\\tc\\u000dd\\u0001e\\u007f\"");
    json_text_is("80\xC3\x97"
                 "80 \xF0\x9F\x94\xAD",
                 "\"80\xC3\x97"
                 "80 \xF0\x9F\x94\xAD\"");
    /* a lone continuation, a cut character, an overlong one, a surrogate, beyond Unicode */
    json_text_is("\x80", "\"\xEF\xBF\xBD\"");
    json_text_is("\xC3", "\"\xEF\xBF\xBD\"");
    json_text_is("\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    json_text_is("\xED\xA0\x80!", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD!\"");
    json_text_is("\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void json_number_is(double value, const char *expected)
{
    FILE *file = print_start();
    struct json json = json_to(file);

    json_number(&json, NULL, value);
    print_check(file, expected);
}

TEST(numbers_in_json)
{
    json_number_is(0, "0");
    json_number_is(0.1, "0.1");
    json_number_is(-2.5, "-2.5");
    json_number_is(1e6, "1000000");
    json_number_is(RESULT_NONE, "null");
    json_number_is(NAN, "null");
    json_number_is(INFINITY, "null");
    for (int i = 0; i < 1000; i++) {
        double value = ldexp(1.0 + i / 1234.5, i - 500);
        FILE *file = print_start();
        struct json json = json_to(file);

        json_number(&json, NULL, value);
        fclose(file);
        CHECK_TRUE(strtod(printed, NULL) == value, "%s reads back as %a", printed, value);
        free(printed);
    }
}

static struct table filled(int columns, unsigned right, int soft, const char *const *cells)
{
    struct table table = table_new(columns, right, soft);

    for (; *cells != NULL; cells++)
        table_add(&table, *cells);
    return table;
}

static void table_is(struct table table, int limit, const char *expected)
{
    FILE *file = print_start();

    table_print(&table, file, limit, "<", ">");
    table_free(&table);
    print_check(file, expected);
}

TEST(aligns_tables)
{
    static const char *const cells[] = {"Name",   "Time", "Bound", "recon", "122 \xC2\xB5s",
                                        "memory", "dm",   "8 ns",  "",      NULL};

    table_is(filled(3, 2, 0, cells), 0,
             "<Name     Time  Bound>\n"
             "recon  122 \xC2\xB5s  memory\n"
             "dm       8 ns\n");
    table_is(table_new(3, 0, 0), 80, "");
}

TEST(fits_tables)
{
    static const char *const cells[] = {"Name", "Device", "Time", "recon", "a-long-device-name",
                                        "1 us", NULL};
    static const char *const named[] = {"Name", "Device", "Time", "a-long-component",
                                        "rtc",  "1 us",   NULL};

    table_is(filled(3, 4, 1, cells), 31,
             "<Name   Device              Time>\n"
             "recon  a-long-device-name  1 us\n");
    table_is(filled(3, 4, 1, cells), 30,
             "<Name  Device             Time>\n"
             "recon a-long-device-name 1 us\n");
    table_is(filled(3, 4, 1, cells), 24,
             "<Name  Device        Time>\n"
             "recon a-long-dev... 1 us\n");
    table_is(filled(3, 4, 1, named), 16,
             "<Name Device Time>\n"
             "a-long-component\n"
             "     rtc    1 us\n");
}

TEST(cuts_remarks)
{
    static const char *const cells[] = {"Device", "Model", "gpu0", "RTX 2080 Ti (reference)", NULL};

    table_is(filled(2, 0, 1, cells), 31,
             "<Device  Model>\n"
             "gpu0    RTX 2080 Ti (reference)\n");
    table_is(filled(2, 0, 1, cells), 20,
             "<Device Model>\n"
             "gpu0   RTX 2080 Ti\n");
    table_is(filled(2, 0, 1, cells), 17,
             "<Device Model>\n"
             "gpu0   RTX 208...\n");
}

/* The last cell of a row on lines of its own, however many that takes. */
TEST(notes_below)
{
    static const char *const cells[] = {"Name", "", "recon", "then memory binds\nand more",
                                        "dm",   "", NULL};
    struct table table = filled(2, 0, -1, cells);

    table.below = true;
    table_is(table, 12,
             "<Name>\n"
             "recon\n"
             "  then\n"
             "  memory\n"
             "  binds\n"
             "  and more\n"
             "dm\n");
}

static void text_is(const char *from, bool unicode, const char *expected)
{
    char text[32];

    text_clean(from, unicode, text, sizeof text);
    CHECK_STR(text, expected);
}

TEST(cleans_text)
{
    text_is("80\xC3\x97"
            "80",
            true,
            "80\xC3\x97"
            "80");
    text_is("80\xC3\x97"
            "80",
            false, "80x80");
    text_is("\033[31mred\n", true, "?[31mred?");
    text_is("\xC2\x9B"
            "31m \x80",
            true, "?31m ?");
    text_is("0123456789012345678901234567890\xC2\xB5", true, "0123456789012345678901234567890");
    text_is("012345678901234567890123456789\xC2\xB5", true, "012345678901234567890123456789");
}

static void quantity_is(double si, const char *unit, bool unicode, const char *expected)
{
    char text[32];

    text_quantity(si, unit, unicode, text, sizeof text);
    CHECK_STR(text, expected);
}

TEST(writes_quantities)
{
    quantity_is(1.22e-4, "s", false, "122 us");
    quantity_is(1.22e-4, "s", true, "122 \xC2\xB5s");
    quantity_is(2.039e12, "B/s", true, "2.04 TB/s");
    quantity_is(RESULT_NONE, "s", true, "-");
}

TEST(fills_lines)
{
    FILE *file = print_start();

    fputs("ab  ", file);
    text_fill(file, "one two  three four", 4, 2, 12);
    print_check(file, "ab  one two\n  three four\n");
}
