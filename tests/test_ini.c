/* Reading scenario files: what is refused and how it is said, what is accepted and what it means.
 */
#include "design/scenario_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_save.h"
#include "files.h"
#include "rows.h"

#define FORMAT "[scenario]\nformat = 1\n"

static struct scenario scenario;

/* The corpus --------------------------------------------------------------------------------- */

static char *slurp(const char *name)
{
    FILE *file = fopen(check_data_path(name), "rb");
    char *text = calloc(1, 65536);
    size_t length = 0;

    if (file != NULL && text != NULL)
        length = fread(text, 1, 65535, file);
    if (file != NULL)
        fclose(file);
    if (length > 0 || file != NULL)
        return text;
    free(text);
    return NULL;
}

static void check_broken(const char *name)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    char path[300];
    char *expected;
    char *actual;
    enum status status;

    snprintf(path, sizeof path, "broken/%s.expected", name);
    expected = slurp(path);
    snprintf(path, sizeof path, "broken/%s.ini", name);
    status =
        scenario_load(&scenario, &document, check_data_path(path), files_catalogue(), &problems);
    actual = files_problems(&problems);
    CHECK_TRUE(status == STATUS_INVALID && document == NULL && expected != NULL &&
                   expected[0] != '\0' && strcmp(actual, expected) == 0,
               "%s: status %d\nexpected:\n%sactual:\n%s", path, status,
               expected == NULL ? "(no such file)\n" : expected, actual);
    free(actual);
    free(expected);
    problems_free(&problems);
}

TEST(corpus_of_broken_files)
{
    DIR *directory = opendir(check_data_path("broken"));
    const struct dirent *entry;
    int count = 0;

    if (!CHECK(directory != NULL))
        return;
    while ((entry = readdir(directory)) != NULL) {
        char name[256];
        char *end;

        snprintf(name, sizeof name, "%s", entry->d_name);
        end = strstr(name, ".ini");
        if (end == NULL || end[4] != '\0')
            continue;
        *end = '\0';
        check_broken(name);
        count++;
    }
    closedir(directory);
    CHECK_TRUE(count >= 73, "only %d files in the corpus", count);
}

/* Sections are read in several passes; problems come in the order of lines. */
TEST(problems_are_ordered)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct error error;

    scenario_load(&scenario, &document, check_data_path("broken/many.ini"), files_catalogue(),
                  &problems);
    CHECK(problems.count > 5);
    for (size_t i = 1; i < problems.count; i++)
        CHECK(problems.list[i - 1].line <= problems.list[i].line);
    problems_summary(&problems, "many.ini", &error);
    CHECK_STR(error.message,
              "many.ini:4: title = \"open: the closing quote is missing (and 10 more problems)");
    problems_free(&problems);
}

/* A failed reading leaves what was there. */
TEST(failure_changes_nothing)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct document *before;

    if (!files_parse(FORMAT "packets = 7\n", &scenario, &document))
        return;
    before = document;
    CHECK_INT(scenario_parse(&scenario, &document, "[scenario]\npackets = 8\n", 23,
                             files_catalogue(), &problems),
              STATUS_INVALID);
    CHECK(document == before);
    CHECK_NEAR(scenario.general.packets, 7, 0);
    problems_free(&problems);
    document_free(document);
}

/* Accepted ----------------------------------------------------------------------------------- */

/* The title that the line gives. */
static void check_title(const struct row *row)
{
    struct document *document = NULL;
    char text[1200];

    snprintf(text, sizeof text, FORMAT "%s\n", row->field[0]);
    if (files_parse(text, &scenario, &document))
        ROW_STR(row, scenario.general.title, row->field[1]);
    document_free(document);
}

TEST(values_quotes_and_comments)
{
    rows_each("titles.txt", "titles", 2, check_title);
}

TEST(units_and_numbers)
{
    struct document *document = NULL;

    if (!files_parse(FORMAT "frame_rate = 0.5 kHz\ntarget_latency = 1.5 ms\noverlap = 5e-1\n"
                            "[device.rtc]\nclock = 3200 MHz\nmtu = 9 kB\nnic = 40 Gbit/s\n",
                     &scenario, &document))
        return;
    CHECK_NEAR(scenario.general.frame_rate, 500, 0);
    CHECK_NEAR(scenario.general.target_latency, 1.5e-3, 0);
    CHECK_NEAR(scenario.general.overlap, 0.5, 0);
    CHECK_NEAR(scenario.device[0].clock, 3.2e9, 0);
    CHECK_NEAR(scenario.device[0].mtu, 9000, 0);
    CHECK_NEAR(scenario.device[0].nic, 40e9, 0);
    document_free(document);
}

/* Names may be used before the section they name. */
TEST(forward_references)
{
    struct document *document = NULL;

    if (!files_parse("[component.recon]\ncolumns = 10\nafter = slopes, tip\ndevice = gpu0\n"
                     "type = reconstruction\n[component.slopes]\ntype = centroid\nwfs = lgs\n"
                     "after = none\n[component.tip]\nafter = none\ntype = custom\n"
                     "[device.gpu0]\nhost = rtc\npreset = nvidia-a100-80gb-sxm\n[device.rtc]\n"
                     "[wfs.lgs]\n" FORMAT,
                     &scenario, &document))
        return;
    CHECK_INT(scenario.component[0].after.members, 6);
    CHECK_INT((int)scenario.component[0].devices, 1);
    CHECK_INT(scenario.component[1].wfs, 0);
    CHECK_INT(scenario.device[0].host, 1);
    CHECK_INT(scenario.device[0].kind, DEVICE_GPU);
    CHECK(scenario.component[2].after.stated && scenario.component[2].after.members == 0);
    document_free(document);
}

/* The preset gives the base; keys before or behind it in the file override it. */
TEST(preset_and_keys)
{
    struct document *document = NULL;
    struct knob_ref ref;

    if (!files_parse(FORMAT "[device.gpu0]\nbus_bits = 2560\npreset = nvidia-a100-80gb-sxm\n"
                            "kind = gpu\nclock = 1 GHz\n",
                     &scenario, &document))
        return;
    CHECK_NEAR(scenario.device[0].bus_bits, 2560, 0);
    CHECK_NEAR(scenario.device[0].clock, 1e9, 0);
    CHECK_NEAR(scenario.device[0].units, 6912, 0);
    CHECK_INT(knob_find(&scenario, "device.gpu0.bus_bits", &ref, NULL), STATUS_OK);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_SET);
    CHECK_INT(knob_find(&scenario, "device.gpu0.units", &ref, NULL), STATUS_OK);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_STATED);
    CHECK_INT(knob_find(&scenario, "device.gpu0.launch", &ref, NULL), STATUS_OK);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_ASSUMED);
    document_free(document);
}

/* A decimal comma in the locale changes neither reading nor writing. */
TEST(comma_locale)
{
    static const char text[] = FORMAT "frame_rate = 512.5 Hz\n\n[wfs.ngs]\nobscuration = 0.25\n";
    struct document *document = NULL;
    struct document *none = NULL;
    char *written;
    size_t length;

    check_comma_locale(true);
    if (files_parse(text, &scenario, &document)) {
        CHECK_NEAR(scenario.general.frame_rate, 512.5, 0);
        CHECK_NEAR(scenario.wfs[0].obscuration, 0.25, 0);
        written = scenario_text(&scenario, none, &length);
        CHECK_STR(written, text);
        free(written);
    }
    check_comma_locale(false);
    document_free(document);
}

SUITE(files_open, files_close)
