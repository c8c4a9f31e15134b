/* What the commands print with: JSON, tables, text for people. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cli/arguments.h"
#include "draw/table.h"
#include "draw/text.h"
#include "model/result.h"
#include "report/json.h"
#include "rows.h"

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

/* One value as JSON; to be freed. */
static char *json_of(double value, const char *text)
{
    FILE *file = print_start();
    struct json json = json_to(file);

    if (text != NULL)
        json_text(&json, NULL, text);
    else
        json_number(&json, NULL, value);
    fclose(file);
    return printed;
}

static void check_json_text(const struct row *row)
{
    char *text = json_of(0, row->field[0]);

    ROW_STR(row, text, row->field[1]);
    free(text);
}

static double number_or_none(const struct row *row)
{
    return strcmp(row->field[0], "none") == 0 ? RESULT_NONE : row_number(row, 0);
}

static void check_json_number(const struct row *row)
{
    char *text = json_of(number_or_none(row), NULL);

    ROW_STR(row, text, row->field[1]);
    free(text);
}

TEST(values_in_json)
{
    rows_each("output.txt", "json text", 2, check_json_text);
    rows_each("output.txt", "json numbers", 2, check_json_number);
    for (int i = 0; i < 1000; i++) {
        double value = ldexp(1.0 + i / 1234.5, i - 500);
        char *text = json_of(value, NULL);

        CHECK_TRUE(strtod(text, NULL) == value, "%s reads back as %a", text, value);
        free(text);
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

static void check_clean(const struct row *row)
{
    char text[32];

    text_clean(row->field[0], strcmp(row->field[1], "unicode") == 0, text, sizeof text);
    ROW_STR(row, text, row->field[2]);
}

TEST(cleans_text)
{
    rows_each("output.txt", "clean", 3, check_clean);
}

static void check_quantity(const struct row *row)
{
    char text[32];

    text_quantity(number_or_none(row), row->field[1], strcmp(row->field[2], "unicode") == 0, text,
                  sizeof text);
    ROW_STR(row, text, row->field[3]);
}

TEST(writes_quantities)
{
    rows_each("output.txt", "quantities", 4, check_quantity);
}

TEST(percentages_without_exponent)
{
    static const struct {
        double fraction;
        const char *expected;
    } rows[] = {{0, "0 %"},   {1.23e-9, "0.00000012 %"}, {0.000123, "0.012 %"}, {0.158, "15.8 %"},
                {1, "100 %"}, {39.33, "3933 %"}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char text[PERCENT_MAX];

        CHECK_STR(text_percent(rows[r].fraction, text), rows[r].expected);
    }
}

TEST(fills_lines)
{
    FILE *file = print_start();

    fputs("ab  ", file);
    text_fill(file, "one two  three four", 4, 2, 12);
    print_check(file, "ab  one two\n  three four\n");
}
