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

static void refuses_alias(const char *device, const char *sentence)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct error error;
    char text[200];

    snprintf(text, sizeof text, FORMAT "[device.a]\n%s", device);
    CHECK_INT(
        scenario_parse(&scenario, &document, text, strlen(text), files_catalogue(), &problems),
        STATUS_INVALID);
    problems_summary(&problems, "file", &error);
    CHECK_STR(error.message, sentence);
    problems_free(&problems);
    document_free(document);
}

TEST(a_key_and_its_other_name)
{
    refuses_alias("uncertainty = 2\npc = 3\n",
                  "file:4: uncertainty is an alias of pc, stated on line 5; keep one of them");
    refuses_alias("driver = 2 us\negress_latency = 2 us\n",
                  "file:4: driver is an alias of egress_latency, stated on line 5; keep one of "
                  "them");
    refuses_alias("ingress_latency = 2 us\ndriver = 2 us\n",
                  "file:5: driver is an alias of ingress_latency, stated on line 4; keep one of "
                  "them");
    refuses_alias("driver = 2 us\negress_latency = 2 us\ningress_latency = 2 us\n",
                  "file:4: driver is an alias of ingress_latency, stated on line 6; keep one of "
                  "them");
}

SUITE(files_open, files_close)
