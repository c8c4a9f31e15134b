/* What saving writes: only what changed, everything else as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/preset.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "files.h"

#define FORMAT "[scenario]\nformat = 1\n"

static struct scenario scenario;
static struct document *document;

static bool open_text(const char *text)
{
    document_free(document);
    document = NULL;
    return files_parse(text, &scenario, &document);
}

static void set(const char *path, const char *value)
{
    struct knob_ref ref;
    struct error error = {STATUS_OK, ""};

    if (CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message))
        CHECK_TRUE(knob_set_text(&scenario, ref, value, &error) == STATUS_OK, "%s = %s: %s", path,
                   value, error.message);
}

static void reset(const char *path)
{
    struct knob_ref ref;

    if (CHECK_INT(knob_find(&scenario, path, &ref, NULL), STATUS_OK))
        knob_reset(&scenario, ref);
}

static void insert(enum section section, int at, const char *name)
{
    CHECK_INT(scenario_insert(&scenario, section, at, name, NULL), STATUS_OK);
}

static void drop(enum section section, const char *name)
{
    CHECK_INT(scenario_remove(&scenario, section, section_find(&scenario, section, name), NULL),
              STATUS_OK);
}

/* The text that is written now, and that it says what the scenario does, and is written again
 * without a change. */
static void check_text(const char *expected)
{
    struct document *read = NULL;
    static struct scenario again;
    size_t length = 0;
    char *text = scenario_text(&scenario, document, &length);
    char *second;

    CHECK_STR(text, expected);
    if (text != NULL && files_parse(text, &again, &read)) {
        files_same(&again, &scenario, "read again");
        second = scenario_text(&again, read, &length);
        CHECK_STR(second, text);
        free(second);
    }
    document_free(read);
    free(text);
}

static const char original[] = "; a design\n"
                               "\n"
                               "[scenario]\n"
                               "format=1 ; the only one\n"
                               "title   = \"a; b\"  # quoted\n"
                               "frame_rate = 0.5 kHz\n"
                               "  packets = 50\n"
                               "; frames\n"
                               "\n"
                               "; the sensor\n"
                               "[wfs.ngs]\n"
                               "\n"
                               "[device.rtc]\n"
                               "preset = amd-epyc-7702 ; two of them\n"
                               "sockets=2\n"
                               "\n"
                               "\n"
                               "# the loop\n"
                               "[component.camera]\n"
                               "type = camera\n"
                               "\n"
                               "[component.slopes]\n"
                               "type = centroid\n"
                               "\n"
                               "; the end\n";

TEST(nothing_changed)
{
    if (open_text(original))
        check_text(original);
}

/* The original with one piece of text in another's place. */
static const char *edited(const char *from, const char *to)
{
    static char text[2048];
    const char *at = strstr(original, from);

    if (!CHECK_TRUE(at != NULL, "no \"%s\" in the original", from))
        return "";
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - original), original, to, at + strlen(from));
    return text;
}

TEST(changed_values)
{
    open_text(original);
    set("scenario.title", "c");
    check_text(edited("\"a; b\"  #", "\"c\"  #"));
    open_text(original);
    set("scenario.frame_rate", "600");
    check_text(edited("0.5 kHz", "600 Hz"));
    open_text(original);
    set("device.rtc.sockets", "1");
    check_text(edited("sockets=2", "sockets= 1"));
    open_text(original);
    set("scenario.packets", "25");
    check_text(edited("  packets = 50", "  packets = 25"));
}

TEST(equal_values_keep_their_spelling)
{
    open_text(original);
    set("scenario.frame_rate", "500 Hz");
    set("scenario.packets", "5e1");
    check_text(original);
    set("scenario.packets", "25");
    set("scenario.packets", "50");
    check_text(original);
}

TEST(new_keys)
{
    open_text(original);
    set("scenario.target_latency", "800 us");
    check_text(edited("; frames\n", "; frames\ntarget_latency = 800 us\n"));
    open_text(original);
    set("wfs.ngs.count", "6");
    set("wfs.ngs.kind", "pyramid");
    check_text(edited("[wfs.ngs]\n", "[wfs.ngs]\nkind = pyramid\ncount = 6\n"));
    /* at the end of the file, before its last words */
    open_text(original);
    set("component.slopes.algorithm", "weighted");
    check_text(edited("type = centroid\n", "type = centroid\nalgorithm = weighted\n"));
}

/* A value that is the default's or the preset's needs no line; one that is not does, even where it
 * is the table's default. */
TEST(only_what_differs)
{
    open_text(original);
    set("scenario.overlap", "1");
    set("device.rtc.cores", "64");
    set("component.slopes.precision", "fp32");
    check_text(original);
    open_text(original);
    set("device.rtc.cores", "16");
    check_text(edited("sockets=2\n", "sockets=2\ncores = 16\n"));
}

TEST(reset_keys)
{
    open_text(original);
    reset("scenario.title");
    check_text(edited("title   = \"a; b\"  # quoted\n", ""));
    open_text(original);
    reset("device.rtc.sockets");
    check_text(edited("sockets=2\n", ""));
}

/* What a component is and the format are always said. */
TEST(required_keys)
{
    open_text(original);
    reset("scenario.format");
    reset("component.slopes.type");
    check_text(edited("type = centroid", "type = custom"));
}

TEST(presets)
{
    open_text(original);
    CHECK_INT(scenario_set_preset(&scenario, 0, files_catalogue(), "amd-epyc-9654", NULL),
              STATUS_OK);
    check_text(edited("amd-epyc-7702 ; two of them\nsockets=2\n", "amd-epyc-9654 ; two of them\n"));
    CHECK_INT(scenario_set_preset(&scenario, 0, files_catalogue(), "nvidia-h100-sxm", NULL),
              STATUS_OK);
    check_text(
        edited("amd-epyc-7702 ; two of them\nsockets=2\n", "nvidia-h100-sxm ; two of them\n"));
    CHECK_INT(scenario_set_preset(&scenario, 0, files_catalogue(), "", NULL), STATUS_OK);
    check_text(edited("preset = amd-epyc-7702 ; two of them\nsockets=2\n", ""));
}

/* "auto" is written where the preset says otherwise, and stays where it was. */
TEST(left_to_the_program)
{
    static const char text[] =
        FORMAT "\n[component.camera]\ntype = camera\nexposure = auto ; a frame\n";

    open_text(original);
    set("device.rtc.l3", "auto");
    set("component.slopes.share", "auto");
    check_text(edited("sockets=2\n", "sockets=2\nl3 = auto\n"));
    open_text(text);
    check_text(text);
    set("component.camera.exposure", "100 us");
    check_text(FORMAT "\n[component.camera]\ntype = camera\nexposure = 100 us ; a frame\n");
    set("component.camera.exposure", "0");
    check_text(text);
    open_text(FORMAT "\n[component.camera]\ntype = camera\nexposure = 100 us\n");
    set("component.camera.exposure", "auto");
    check_text(FORMAT "\n[component.camera]\ntype = camera\n");
}

TEST(removed_sections)
{
    open_text(original);
    drop(SECTION_COMPONENT, "slopes");
    check_text(edited("[component.slopes]\ntype = centroid\n\n", ""));
    open_text(original);
    drop(SECTION_COMPONENT, "camera");
    check_text(edited("[component.camera]\ntype = camera\n", ""));
    open_text(original);
    drop(SECTION_DEVICE, "rtc");
    check_text(edited("[device.rtc]\npreset = amd-epyc-7702 ; two of them\nsockets=2\n\n\n", ""));
    open_text(FORMAT "\n[wfs.a]\n; inside\ncount = 2\n; also\n\n[wfs.b]\n; inside b\n");
    drop(SECTION_WFS, "b");
    check_text(FORMAT "\n[wfs.a]\n; inside\ncount = 2\n; also\n");
    drop(SECTION_WFS, "a");
    check_text(FORMAT);
}

TEST(new_sections)
{
    open_text(original);
    insert(SECTION_DEVICE, 1, "gpu0");
    set("device.gpu0.kind", "gpu");
    check_text(edited("# the loop\n", "[device.gpu0]\nkind = gpu\n\n# the loop\n"));
    open_text(original);
    set("ao.modes", "100");
    check_text(edited("; the sensor\n", "[ao]\nmodes = 100\n\n; the sensor\n"));
    open_text(original);
    insert(SECTION_COMPONENT, 2, "dm");
    set("component.dm.type", "dm");
    check_text(edited("; the end\n", "; the end\n\n[component.dm]\ntype = dm\n"));
    drop(SECTION_COMPONENT, "dm");
    check_text(original);
}

/* The order of components has a meaning: `after` is the previous one where it is not stated. */
TEST(inserted_between)
{
    open_text(original);
    insert(SECTION_COMPONENT, 1, "calibration");
    set("component.calibration.type", "calibration");
    check_text(edited("[component.slopes]\n",
                      "[component.calibration]\ntype = calibration\n\n[component.slopes]\n"));
    open_text(original);
    insert(SECTION_COMPONENT, 0, "first");
    set("component.first.type", "camera");
    check_text(edited("# the loop\n", "[component.first]\ntype = camera\n\n# the loop\n"));
}

TEST(moved)
{
    open_text(FORMAT "\n; a\n[wfs.a]\ncount = 1\n\n; b\n[wfs.b]\ncount = 2\n\n[ao]\n\n[wfs.c]");
    drop(SECTION_WFS, "a");
    insert(SECTION_WFS, 2, "a");
    set("wfs.a.count", "7");
    check_text(FORMAT "\n; b\n[wfs.b]\ncount = 2\n\n[wfs.c]\n\n[ao]\n\n; a\n[wfs.a]\ncount = 7");
}

TEST(line_ends)
{
    open_text("[scenario]\r\nformat = 1\r\npackets = 5\r\n\r\n[ao]\r\n");
    set("scenario.packets", "6");
    set("ao.modes", "7");
    insert(SECTION_WFS, 0, "a");
    check_text("[scenario]\r\nformat = 1\r\npackets = 6\r\n\r\n[ao]\r\nmodes = 7\r\n\r\n"
               "[wfs.a]\r\n");
    open_text("[scenario]\nformat = 1\npackets = 5");
    check_text("[scenario]\nformat = 1\npackets = 5");
    set("scenario.packets", "6");
    check_text("[scenario]\nformat = 1\npackets = 6");
    set("scenario.overlap", "0");
    check_text("[scenario]\nformat = 1\npackets = 6\noverlap = 0");
    reset("scenario.packets");
    reset("scenario.overlap");
    check_text("[scenario]\nformat = 1");
    open_text("[scenario]\r\nformat = 1");
    set("scenario.packets", "6");
    check_text("[scenario]\r\nformat = 1\r\npackets = 6");
}

static void check_title(const char *title, const char *spelled)
{
    char expected[200];

    open_text(FORMAT);
    set("scenario.title", title);
    snprintf(expected, sizeof expected, FORMAT "title = %s\n", spelled);
    check_text(expected);
}

TEST(quotes)
{
    check_title("plain [words] = here", "plain [words] = here");
    check_title("red;green", "\"red;green\"");
    check_title("C# ", "\"C# \"");
    check_title(" led", "\" led\"");
    check_title("Gemini's", "\"Gemini's\"");
    check_title("a \"word\"", "'a \"word\"'");
    check_title("back\\", "\"back\\\"");
    open_text(FORMAT "title = 'single'\n");
    set("scenario.title", "it's");
    check_text(FORMAT "title = \"it's\"\n");
    open_text(FORMAT "title =\n");
    check_text(FORMAT "title =\n");
    set("scenario.title", "given");
    check_text(FORMAT "title = given\n");
    set("scenario.title", "");
    check_text(FORMAT "title =\n");
    open_text(FORMAT "title = given\n");
    set("scenario.title", "");
    check_text(FORMAT "title = \"\"\n");
}

TEST(new_document)
{
    struct error error;

    document_free(document);
    document = NULL;
    CHECK_INT(document_new(&document, &error), STATUS_OK);
    CHECK(document_path(document) == NULL);
    scenario_init(&scenario);
    check_text(FORMAT);
    insert(SECTION_COMPONENT, 0, "camera");
    insert(SECTION_DEVICE, 0, "rtc");
    insert(SECTION_WFS, 0, "ngs");
    set("component.camera.type", "camera");
    set("component.camera.readout", "0.25 ms");
    set("atmosphere.zenith", "45");
    CHECK_INT(scenario_set_preset(&scenario, 0, files_catalogue(), "amd-epyc-7702", NULL),
              STATUS_OK);
    set("device.rtc.clock", "3.1");
    check_text(FORMAT "\n[atmosphere]\nzenith = 45 deg\n\n[wfs.ngs]\n\n[device.rtc]\n"
                      "preset = amd-epyc-7702\nclock = 3.1 GHz\n\n[component.camera]\n"
                      "type = camera\nreadout = 250 us\n");
}

/* Two rows of the table share a key: the line follows the kind. */
TEST(key_of_two_kinds)
{
    open_text(FORMAT "\n[device.a]\nclock = 3 GHz ; fast\n");
    set("device.a.kind", "gpu");
    check_text(FORMAT "\n[device.a]\nkind = gpu\n");
    set("device.a.clock", "1 GHz");
    check_text(FORMAT "\n[device.a]\nclock = 1000 MHz ; fast\nkind = gpu\n");
}

static int close_suite(void)
{
    document_free(document);
    document = NULL;
    return files_close();
}

SUITE(files_open, close_suite)
