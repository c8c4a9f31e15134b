/* A report, once in every format. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "model/result.h"
#include "report/record.h"

struct part {
    const char *name;
    double time; /* s */
    double share;
    const char *bound; /* NULL: none */
    const char *problem;
};

static const struct part parts[] = {
    {"recon", 122e-6, 0.5, "memory", NULL},
    {"dm*", RESULT_NONE, 0.125, NULL, "a, \"b\""},
};

static void put_part(struct record *record, const struct part *part)
{
    record_row(record);
    record_cell(record, "", part->bound == NULL ? "!" : "");
    record_text(record, "name", "Name", part->name);
    record_number(record, "time_us", "Time", "us", part->time);
    record_number(record, "share", "Share", "fraction", part->share);
    record_number(record, "share_percent", NULL, "%", part->share);
    record_bool(record, "good", "Good", part->problem == NULL);
    record_object(record, "bound", "Bound by", part->bound != NULL);
    record_text(record, "by", NULL, part->bound);
    record_text(record, "device", "on", "gpu0");
    record_object_end(record);
    record_text(record, "problem", NULL, part->problem);
    record_row_end(record);
}

static void put_report(struct record *record, int count)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, 1);
    record_title(record, "A <report>");
    record_line(record, TONE_GOOD, "Verdict", "meets %d of 2", count);
    record_number(record, "rate_hz", "Rate", "Hz", 1500);
    record_object(record, "limit", NULL, false);
    record_text(record, "resource", NULL, "none");
    record_object_end(record);
    record_array(record, "words", true);
    record_text(record, NULL, NULL, "one");
    record_array_end(record);
    record_table(record, "parts", "Parts");
    for (int i = 0; i < count; i++)
        put_part(record, &parts[i]);
    record_table_end(record);
    record_note(record, "Of what there is.");
    record_remark(record, "dm", "a reason");
    record_object_end(record);
}

static void prints_as(enum record_format format, int width, int count, const char *expected)
{
    char *printed = NULL;
    size_t size;
    FILE *file = open_memstream(&printed, &size);
    struct record record = record_to(file, format);

    record.unicode = true;
    record.width = width;
    put_report(&record, count);
    fclose(file);
    CHECK_STR(printed, expected);
    free(printed);
}

TEST(reports_as_text)
{
    prints_as(RECORD_TEXT, 80, 2,
              "A <report>\n"
              "Verdict           meets 2 of 2\n"
              "Rate              1.50 kHz\n"
              "\n"
              "   Name     Time   Share  Good  Bound by\n"
              "   recon  122 \xC2\xB5s  50.0 %  yes   memory on gpu0\n"
              "!  dm*         -  12.5 %  no    -\n"
              "Of what there is.\n"
              "\n"
              "dm: a reason\n");
    prints_as(RECORD_TEXT, 80, 0,
              "A <report>\n"
              "Verdict           meets 0 of 2\n"
              "Rate              1.50 kHz\n"
              "\n"
              "Of what there is.\n"
              "\n"
              "dm: a reason\n");
}

TEST(reports_as_markdown)
{
    prints_as(RECORD_MARKDOWN, 80, 2,
              "# A \\<report\\>\n"
              "\n"
              "| Result | Value |\n"
              "|---|---|\n"
              "| Verdict | meets 2 of 2 |\n"
              "| Rate | 1.50 kHz |\n"
              "\n"
              "## Parts\n"
              "\n"
              "|  | Name | Time | Share | Good | Bound by |\n"
              "|---|---|---:|---:|---|---|\n"
              "|  | recon | 122 \xC2\xB5s | 50.0 % | yes | memory on gpu0 |\n"
              "| ! | dm\\* | - | 12.5 % | no | - |\n"
              "\n"
              "Of what there is.\n"
              "\n"
              "dm: a reason\n");
}

TEST(reports_as_json)
{
    prints_as(RECORD_JSON, 80, 0,
              "{\n"
              "  \"schema\": 1,\n"
              "  \"rate_hz\": 1500,\n"
              "  \"limit\": null,\n"
              "  \"words\": [\n"
              "    \"one\"\n"
              "  ],\n"
              "  \"parts\": []\n"
              "}\n");
    prints_as(
        RECORD_JSON_LINES, 80, 2,
        "{\"schema\": 1, \"rate_hz\": 1500, \"limit\": null, \"words\": [\"one\"], \"parts\": ["
        "{\"name\": \"recon\", \"time_us\": 122, \"share\": 0.5, \"share_percent\": 50, "
        "\"good\": true, \"bound\": {\"by\": \"memory\", \"device\": \"gpu0\"}, "
        "\"problem\": null}, "
        "{\"name\": \"dm*\", \"time_us\": null, \"share\": 0.125, \"share_percent\": 12.5, "
        "\"good\": false, \"bound\": null, \"problem\": \"a, \\\"b\\\"\"}]}\n");
}

TEST(reports_as_csv)
{
    prints_as(RECORD_CSV, 80, 2,
              "name,time_us,share,share_percent,good,bound_by,bound_device,problem\n"
              "recon,122,0.5,50,true,memory,gpu0,\n"
              "dm*,,0.125,12.5,false,,,\"a, \"\"b\"\"\"\n");
    prints_as(RECORD_CSV, 80, 0, "");
}

/* A soft, an optional and a folded column, in ever less room. */
static void print_narrow(int width, bool below, const char *expected)
{
    char *printed = NULL;
    size_t size;
    FILE *file = open_memstream(&printed, &size);
    struct record record = record_to(file, RECORD_TEXT);

    record.width = width;
    record_table(&record, NULL, NULL);
    record_row(&record);
    record_text(&record, NULL, "Name", "a-long-name");
    record_number(&record, NULL, "time of\nrecon", "s", 1e-3);
    record_number(&record, NULL, "Power", "W", 200);
    record_optional(&record);
    record_cellf(&record, "Bound by", "%s", "calibration overhead");
    record_soft(&record);
    if (below) {
        record_cell(&record, "", "more of it");
        record_below(&record);
    }
    record_row_end(&record);
    record_table_end(&record);
    fclose(file);
    CHECK_STR(printed, expected);
    free(printed);
}

TEST(gives_way)
{
    print_narrow(80, false,
                 "             time of\n"
                 "Name           recon  Power  Bound by\n"
                 "a-long-name  1.00 ms  200 W  calibration overhead\n");
    print_narrow(44, false,
                 "            time of\n"
                 "Name          recon Bound by\n"
                 "a-long-name 1.00 ms calibration overhead\n");
    print_narrow(32, true,
                 "            time of\n"
                 "Name          recon Bound by\n"
                 "a-long-name 1.00 ms calibrati...\n"
                 "  more of it\n");
}

TEST(breaks_lines)
{
    char *printed = NULL;
    size_t size;
    FILE *file = open_memstream(&printed, &size);
    struct record record = record_to(file, RECORD_TEXT);

    record.width = 40;
    record_line(&record, TONE_BAD, "Path", "one 1 s (waits, 2 s), two 3 s; three 4 s");
    record_line(&record, TONE_BAD, "", "a reason (and where it is from)");
    fclose(file);
    CHECK_STR(printed, "Path              one 1 s (waits, 2 s),\n"
                       "                  two 3 s; three 4 s\n"
                       "                  a reason\n"
                       "                  (and where it is from)\n");
    free(printed);
}
