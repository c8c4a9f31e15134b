#include "design/notices.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "files.h"

/* The notices of a file with these lines after the format, as "LINE: SENTENCE|...". */
static const char *notices_of(const char *lines, bool all)
{
    static char text[4000];
    char file[2000];
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    static struct scenario scenario;
    size_t used = 0;

    snprintf(file, sizeof file, "[scenario]\nformat = 1\n%s", lines);
    text[0] = '\0';
    CHECK_TRUE(scenario_parse(&scenario, &document, file, strlen(file), files_catalogue(),
                              &problems) == STATUS_OK,
               "%s", problems.count > 0 ? problems.list[0].message : "");
    problems_free(&problems);
    if (document != NULL)
        notices_find(document, files_catalogue(), all, &problems);
    for (size_t i = 0; i < problems.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d: %s|", problems.list[i].line,
                                 problems.list[i].message);
    problems_free(&problems);
    document_free(document);
    return text;
}

#define LAUNCH                                                                                     \
    ": now a delay once per visit, which does not occupy the device; boundary is the time of a "   \
    "kernel or a barrier that does"
#define PARTS                                                                                      \
    ": its device stays partitioned; devices are now exclusive where sharing and such parts are "  \
    "not stated"
#define DRIVER ": sets ingress_latency and egress_latency, which now count for cameras, too"
#define DEFAULTS                                                                                   \
    ": the defaults of sharing, dispatch, ports and copies are not those of earlier versions; a "  \
    "device that states os, dispatch or ingress confirms them"
#define TWO                                                                                        \
    "[component.a]\ntype = custom\ndevice = rtc\n[component.b]\ntype = custom\ndevice = rtc\n"

TEST(none)
{
    CHECK_STR(notices_of("[device.rtc]\nos = stock\n[device.gpu0]\nkind = gpu\n" TWO, true), "");
}

TEST(launch)
{
    CHECK_STR(notices_of("[device.rtc]\nlaunch = 2 us\n", true), "4: device.rtc.launch" LAUNCH "|");
    CHECK_STR(notices_of("[device.rtc]\nlaunch = 2 us\nboundary = 2 us\n", true), "");
    CHECK_STR(notices_of("[device.rtc]\nlaunch = 2 us\ndispatch = spin\n", true), "");
}

TEST(parts_of_a_device)
{
    CHECK_STR(notices_of("[device.rtc]\nos = stock\n" TWO "workers = 3\n", true),
              "11: component.b.workers" PARTS "|");
    CHECK_STR(notices_of("[device.rtc]\nos = stock\n" TWO "share = 0.5\n", true),
              "11: component.b.share" PARTS "|");
    CHECK_STR(
        notices_of("sharing = partition\n[device.rtc]\nos = stock\n" TWO "workers = 3\n", true),
        "");
    CHECK_STR(
        notices_of("[device.rtc]\nos = stock\n[component.b]\ntype = custom\nworkers = 3\n", true),
        "");
}

TEST(driver)
{
    CHECK_STR(notices_of("[device.rtc]\ndriver = 2 us\n", true), "4: device.rtc.driver" DRIVER "|");
    CHECK_STR(notices_of("[device.rtc]\ningress_latency = 2 us\negress_latency = 2 us\n", true),
              "");
}

/* A file that states nothing new may be an old one: only a complete list says so. */
TEST(defaults)
{
    static const char *const confirmations[] = {
        "os = stock",      "dispatch = spin", "boundary = 1 us",     "ingress = kernel",
        "egress = kernel", "software = 8 us", "datagram_time = 3 us"};

    CHECK_STR(notices_of("[device.rtc]\n" TWO, true), "2: scenario.format" DEFAULTS "|");
    CHECK_STR(notices_of("[device.rtc]\n" TWO, false), "");
    CHECK_STR(notices_of("sharing = fluid\n[device.rtc]\n" TWO, true),
              "2: scenario.format" DEFAULTS "|");
    for (size_t i = 0; i < sizeof confirmations / sizeof confirmations[0]; i++) {
        char lines[400];

        snprintf(lines, sizeof lines, "[device.rtc]\n%s\n" TWO, confirmations[i]);
        CHECK_STR(notices_of(lines, true), "");
    }
}

/* A shipped preset that states nothing new, and the same with a change. */
TEST(presets)
{
    const struct preset *preset = catalogue_find(files_catalogue(), "gregor", PRESET_DESIGNS, NULL);
    static struct scenario scenario;
    char text[8000];

    if (!CHECK(preset != NULL && preset->length + 100 < sizeof text))
        return;
    for (int changed = 0; changed < 2; changed++) {
        struct problems problems = {NULL, 0, 0};
        struct document *document = NULL;
        int length = snprintf(text, sizeof text, "%s%s", preset->text, changed ? "# mine\n" : "");

        scenario_parse(&scenario, &document, text, (size_t)length, files_catalogue(), &problems);
        notices_find(document, files_catalogue(), true, &problems);
        CHECK_INT(problems.count, changed);
        problems_free(&problems);
        document_free(document);
    }
}

TEST(all_or_one_of_each)
{
    static const char lines[] = "[device.a]\nlaunch = 2 us\n[device.b]\nlaunch = 2 us\n"
                                "driver = 1 us\n[device.c]\nlaunch = 2 us\n";

    CHECK_STR(notices_of(lines, true),
              "4: device.a.launch" LAUNCH "|6: device.b.launch" LAUNCH "|7: device.b.driver" DRIVER
              "|9: device.c.launch" LAUNCH "|");
    CHECK_STR(notices_of(lines, false),
              "4: device.a.launch" LAUNCH " (and 2 more)|7: device.b.driver" DRIVER "|");
}

SUITE(files_open, files_close)
