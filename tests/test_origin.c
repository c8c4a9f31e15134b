/* Where a device's value comes from: what files tell of it, read, kept and forgotten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/preset.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "files.h"
#include "sample.h"

#define FORMAT "[scenario]\nformat = 1\n"

static struct scenario scenario;

static void check_origin(const char *path, const char *expected)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    if (CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message))
        CHECK_TRUE(strcmp(origin_name(knob_origin(&scenario, ref)), expected) == 0,
                   "%s is %s, expected %s", path, origin_name(knob_origin(&scenario, ref)),
                   expected);
}

static void reset(const char *path)
{
    struct knob_ref ref;

    if (CHECK_INT(knob_find(&scenario, path, &ref, NULL), STATUS_OK))
        knob_reset(&scenario, ref);
}

static void check_text(const struct document *document, const char *expected)
{
    size_t length;
    char *text = scenario_text(&scenario, document, &length);

    CHECK_STR(text, expected);
    free(text);
}

/* Reading ------------------------------------------------------------------------------------ */

static const char told[] = FORMAT "\n"
                                  "[device.rtc]\n"
                                  "origin.l3 = fitted ; before its value\n"
                                  "cores = 8\n"
                                  "l3 = 24 MiB\n"
                                  "origin.clock=\"measured\"\n"
                                  "clock = 3 GHz\n"
                                  "tdp = 65 W\n"
                                  "origin.tdp = stated\n"
                                  "launch = 1 us\n"
                                  "origin.launch = assumed\n"
                                  "l2 = auto\n"
                                  "origin.l2 = assumed\n";

TEST(read_from_a_scenario)
{
    struct document *document = NULL;

    if (!files_parse(told, &scenario, &document))
        return;
    check_origin("device.rtc.l3", "fitted");
    check_origin("device.rtc.clock", "measured");
    check_origin("device.rtc.tdp", "stated");
    check_origin("device.rtc.launch", "assumed");
    check_origin("device.rtc.cores", "set");
    check_origin("device.rtc.l2", "assumed");
    check_origin("device.rtc.sockets", "assumed");
    check_text(document, told);
    document_free(document);
}

/* What is set anew is set, and its line goes; what is reset has neither line. */
TEST(forgotten_with_the_value)
{
    struct document *document = NULL;
    static struct scenario before;

    if (!files_parse(told, &scenario, &document))
        return;
    scenario_copy(&before, &scenario);
    sample_set(&scenario, "device.rtc.l3", "24 MiB");
    sample_set(&scenario, "device.rtc.clock", "2 GHz");
    reset("device.rtc.launch");
    sample_set(&scenario, "device.rtc.tdp", "0 W");
    check_origin("device.rtc.l3", "set");
    check_origin("device.rtc.clock", "set");
    check_origin("device.rtc.launch", "assumed");
    check_text(document, FORMAT "\n"
                                "[device.rtc]\n"
                                "cores = 8\n"
                                "l3 = 24 MiB\n"
                                "clock = 2 GHz\n"
                                "tdp = 0 W\n"
                                "l2 = auto\n"
                                "origin.l2 = assumed\n");
    scenario_copy(&scenario, &before);
    check_text(document, told);
    document_free(document);
}

/* Lines that the file has not: of a design never saved, of a value whose line is there alone. */
TEST(written_beside_the_value)
{
    struct document *document = NULL;
    static struct scenario before;

    if (!files_parse(FORMAT "\n[device.rtc]\nl3 = 24 MiB\norigin.l3 = fitted\n", &scenario,
                     &document))
        return;
    check_text(NULL, FORMAT "\n[device.rtc]\nl3 = 24 MiB\norigin.l3 = fitted\n");
    document_free(document);
    document = NULL;
    scenario_copy(&before, &scenario);
    if (!files_parse(FORMAT "\n[device.rtc]\nl3 = 24 MiB ; of it\n", &scenario, &document))
        return;
    scenario_copy(&scenario, &before);
    check_text(document, FORMAT "\n[device.rtc]\nl3 = 24 MiB ; of it\norigin.l3 = fitted\n");
    document_free(document);
}

TEST(follows_the_device)
{
    struct document *document = NULL;

    if (!files_parse(told, &scenario, &document))
        return;
    sample_set(&scenario, "device.rtc.kind", "gpu");
    check_origin("device.rtc.clock", "assumed");
    sample_set(&scenario, "device.rtc.kind", "cpu");
    check_origin("device.rtc.clock", "assumed");
    check_origin("device.rtc.l3", "fitted");
    CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 0, "first", NULL), STATUS_OK);
    check_origin("device.rtc.l3", "fitted");
    check_origin("device.first.l3", "assumed");
    CHECK_INT(scenario_set_preset(&scenario, 1, files_catalogue(), "amd-epyc-7702", NULL),
              STATUS_OK);
    check_origin("device.rtc.l3", "stated");
    check_origin("device.rtc.launch", "assumed");
    document_free(document);
}

/* Presets ------------------------------------------------------------------------------------ */

static const char measured[] = "[device]\n"
                               "kind = cpu\n"
                               "model = this machine\n"
                               "origin.model = stated\n"
                               "cores = 4\n"
                               "clock = 2.5 GHz\n"
                               "origin.clock = measured\n"
                               "l3 = 20 MiB\n"
                               "origin.l3 = fitted\n"
                               "launch = 2 us\n"
                               "origin.launch = assumed\n";

TEST(of_a_user_s_preset)
{
    static const char text[] = FORMAT "\n[device.rtc]\npreset = here\n";
    struct catalogue *catalogue = NULL;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    struct error error;

    mkdir(files_path("aolag"), 0700);
    mkdir(files_path("aolag/presets"), 0700);
    files_write("aolag/presets/here.ini", measured, sizeof measured - 1);
    if (!CHECK_INT(catalogue_open(&catalogue, &error), STATUS_OK))
        return;
    if (CHECK_INT(scenario_parse(&scenario, &document, text, sizeof text - 1, catalogue, &problems),
                  STATUS_OK)) {
        check_origin("device.rtc.model", "stated");
        check_origin("device.rtc.cores", "stated");
        check_origin("device.rtc.clock", "measured");
        check_origin("device.rtc.l3", "fitted");
        check_origin("device.rtc.launch", "assumed");
        check_text(document, text);
        sample_set(&scenario, "device.rtc.l3", "30 MiB");
        check_origin("device.rtc.l3", "set");
        check_text(document, FORMAT "\n[device.rtc]\npreset = here\nl3 = 30 MiB\n");
        reset("device.rtc.l3");
        check_origin("device.rtc.l3", "fitted");
        check_text(document, text);
    }
    problems_free(&problems);
    document_free(document);
    catalogue_close(catalogue);
}

/* A key's other name is read, and kept where it was written; new lines have the key. */
TEST(written_by_an_alias)
{
    static const char text[] = FORMAT "\n"
                                      "[device.rtc]\n"
                                      "uncertainty = 2 ; of it\n"
                                      "origin.uncertainty = measured\n";
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct error error;

    if (!files_parse(text, &scenario, &document))
        return;
    CHECK_NEAR(scenario.device[0].pc, 2, 0);
    check_origin("device.rtc.pc", "measured");
    check_origin("device.rtc.uncertainty", "measured");
    check_text(document, text);
    sample_set(&scenario, "device.rtc.uncertainty", "3");
    CHECK_NEAR(scenario.device[0].pc, 3, 0);
    check_text(document, FORMAT "\n[device.rtc]\nuncertainty = 3 ; of it\n");
    check_text(NULL, FORMAT "\n[device.rtc]\npc = 3\n");
    document_free(document);
    document = NULL;
    CHECK_INT(scenario_parse(&scenario, &document, FORMAT "[device.a]\nuncertainty = 2\npc = 3\n",
                             strlen(FORMAT "[device.a]\nuncertainty = 2\npc = 3\n"),
                             files_catalogue(), &problems),
              STATUS_INVALID);
    problems_summary(&problems, "file", &error);
    CHECK_STR(error.message, "file:4: uncertainty is another name of pc, which line 5 states; keep "
                             "one of them");
    problems_free(&problems);
    document_free(document);
}

SUITE(files_open, files_close)
