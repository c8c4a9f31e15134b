/* The component pane: deferred work, rows that are alike, names, levels, the critical path; and the
 * signs of terminals without Unicode. */
#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "draw/text.h"
#include "tui/widget.h"

static void command(struct fixture *f, const char *text)
{
    fixture_press(f, ":");
    fixture_type(f, text);
    fixture_press(f, "Enter");
}

static bool open_on(struct fixture *f, const char *system, int rows, int columns, const char *node)
{
    if (!fixture_open(f, system, rows, columns))
        return false;
    f->app->explore.pane = PLACE_COMPONENTS;
    snprintf(f->app->explore.node, sizeof f->app->explore.node, "%s", node);
    app_draw(f->app, &f->canvas);
    return true;
}

/* Deferred work is in no bar, and the FLOP are not all done in the time that is shown. */
static void deferred_work_shows(void)
{
    static const int sizes[][2] = {{16, 60}, {24, 80}, {36, 120}};
    struct fixture f;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (!open_on(&f, "harmoni-ltao", sizes[i][0], sizes[i][1], "control"))
            return;
        fixture_hides(&f, " deferred");
        command(&f, "set component.control.algorithm=polc-explicit");
        fixture_shows(&f, "+1.1");
        fixture_shows(&f, " ms deferred");
        fixture_close(&f);
    }
    if (!open_on(&f, "harmoni-ltao", 36, 200, "control"))
        return;
    command(&f, "set component.control.algorithm=polc-explicit");
    f.app->explore.pane = PLACE_COMPONENTS;
    fixture_press(&f, "Down Up");
    fixture_shows(&f, " ms deferred \xC2\xB7 critical, busy 4.11");
    fixture_shows(&f, "\xC2\xB7 with deferred work 506 MFLOP, 1.01 GB from");
    fixture_close(&f);
}

static void deferred_says_what_is_automatic(void)
{
    struct fixture f;

    if (!fixture_open(&f, "harmoni-ltao", 36, 120))
        return;
    fixture_show(&f, "component.control.overhead");
    fixture_hides(&f, "deferred work"); /* an integrator has none */
    command(&f, "set component.control.algorithm=polc-explicit");
    fixture_show(&f, "component.control.deferred");
    fixture_shows(&f, "\xE2\x80\xB9"
                      "auto yes\xE2\x80\xBA");
    fixture_close(&f);
}

/* Seven devices that do the same take a row each kind, and Enter shows all. */
static void alike_rows_share_one(void)
{
    struct fixture f;

    if (!open_on(&f, "nfiraos-lgs", 24, 80, "slopes>recon@gpu3"))
        return;
    fixture_shows(&f, "slopes>recon \xC3\x97"
                      "7 wire 2.42 \xC2\xB5s");
    fixture_shows(&f, "  @gpu0\xE2\x80\x93"
                      "6 ");
    fixture_shows(&f, "recon>control \xC3\x97"
                      "7 wire");
    fixture_shows(&f, "each ");
    fixture_shows(&f, " control  ");
    fixture_shows(&f, "dm          wire");
    fixture_hides(&f, "slopes>recon@gpu3");
    fixture_press(&f, "Down");
    CHECK_STR(f.app->explore.node, "recon");
    fixture_press(&f, "Up");
    CHECK_STR(f.app->explore.node, "slopes>recon@gpu0");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "slopes>recon@gpu3");
    fixture_shows(&f, "slopes>recon@gpu6");
    fixture_press(&f, "Down Enter");
    fixture_hides(&f, "slopes>recon@gpu3");
    CHECK_INT(explore_node(&f.app->explore),
              result_find_node(&f.app->host.design.result, "slopes>recon@gpu0"));
    command(&f, "set device.gpu3.bus_bits=1024");
    fixture_shows(&f, "  @gpu0\xE2\x80\x93"
                      "2 ");
    fixture_shows(&f, "  @gpu4\xE2\x80\x93"
                      "6 ");
    fixture_close(&f);
    if (!fixture_open(&f, "nfiraos-lgs", 36, 120))
        return;
    fixture_shows(&f, "Devices");
    fixture_shows(&f, "gpu0\xE2\x80\x93"
                      "6 ");
    fixture_close(&f);
}

/* Names of one kind differ at their end. */
static void names_stay_apart(void)
{
    static const int sizes[][2] = {{16, 60}, {24, 80}, {30, 100}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct fixture f;

        if (!open_on(&f, "mavis", sizes[i][0], sizes[i][1], "calibration-lgs"))
            return;
        fixture_shows(&f, "-lgs ");
        fixture_press(&f, "Down Down Down Down");
        fixture_shows(&f, "-ngs ");
        fixture_hides(&f, "calibratio\xE2\x80\xA6");
        fixture_close(&f);
    }
}

static void middles_go(void)
{
    static const struct {
        const char *text;
        int columns;
        const char *shown;
    } cases[] = {
        {"calibration-lgs", 15, "calibration-lgs"},
        {"calibration-lgs", 14, "calibrati\xE2\x80\xA6-lgs"},
        {"calibration-lgs", 11, "calibr\xE2\x80\xA6-lgs"},
        {"reconstructor", 9, "recon\xE2\x80\xA6tor"},
        {"\xC3\x97\xC3\x97\xC3\x97\xC3\x97\xC3\x97\xC3\x97\xC3\x97", 6,
         "\xC3\x97\xC3\x97\xC3\x97\xE2\x80\xA6\xC3\x97\xC3\x97"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];

        snprintf(text, sizeof text, "%s", cases[i].text);
        text_middle(text, sizeof text, cases[i].columns);
        CHECK_STR(text, cases[i].shown);
    }
}

/* On the smallest screen the level that serves and the device stand under the name. */
static void level_shows_where_it_is_narrow(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    fixture_shows(&f, "rtc DRAM ");
    fixture_shows(&f, "partition");
    fixture_close(&f);
}

/* Nothing of the path is left out because its last slot has no work; nothing is a wait that only
 * rounding makes. */
static void path_has_no_holes(void)
{
    struct fixture f;

    if (!open_on(&f, "dkist", 36, 100, "slopes"))
        return;
    fixture_shows(&f, "\xE2\x97\x87 slopes ");
    fixture_shows(&f, "\xE2\x97\x87 recon ");
    fixture_shows(&f, "critical, but the last packet brings nothing");
    fixture_hides(&f, "\xE2\x97\x87 camera");
    snprintf(f.app->explore.node, sizeof f.app->explore.node, "control");
    f.app->host.design.result.node[result_find_node(&f.app->host.design.result, "control")]
        .path_wait = 2e-19;
    app_draw(f.app, &f.canvas);
    fixture_shows(&f, "critical, busy ");
    fixture_hides(&f, "waits");
    fixture_close(&f);
}

/* In the help as on the screen: texts and marks come down to the same characters. */
static void signs_are_the_marks(void)
{
    static const enum mark marks[] = {MARK_BOUND, MARK_CRITICAL, MARK_PRESENT};
    struct canvas unicode = {.unicode = true};
    struct canvas ascii = {.unicode = false};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        CHECK_INT(glyph_ascii(mark_character(&unicode, marks[i])),
                  mark_character(&ascii, marks[i]));
        for (size_t j = 0; j < i; j++)
            CHECK(mark_character(&ascii, marks[i]) != mark_character(&ascii, marks[j]));
    }
}

/* The uncertainty stays where the gauge has no room. */
static void uncertainty_stays(void)
{
    static const int columns[] = {60, 70, 80, 90, 100, 120, 200};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct fixture f;
        bool wide = columns[i] >= 100;

        if (!fixture_open(&f, "elt-scao", 30, columns[i]))
            return;
        fixture_shows(&f, "\xC2\xB5s \xC3\x97/\xC3\xB7 1.");
        if (wide)
            fixture_shows(&f, " target 1.00 ms");
        command(&f, "set scenario.frame_rate=20 kHz");
        fixture_shows(&f, "kept up");
        if (columns[i] >= 80)
            fixture_shows(&f, "s \xC3\x97/\xC3\xB7 1.");
        fixture_close(&f);
    }
}

/* A label gives way only to a value it would run into. */
static void labels_use_the_room(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    fixture_show(&f, "device.rtc.memory_channels");
    fixture_shows(&f, "memory channels ");
    fixture_close(&f);
    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_show(&f, "device.rtc.core_bandwidth");
    fixture_shows(&f, "core bandwidth  auto 28.4 GB/s? ");
    fixture_close(&f);
}

/* What is automatic is printed as what is stated: counts in digits. */
static void automatic_counts_have_digits(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_show(&f, "component.calibration.block");
    fixture_shows(&f, "auto 819200 ");
    fixture_shows(&f, "x explain");
    fixture_close(&f);
}

/* In the smallest pane too, with both scales. */
static void fills_are_explained(void)
{
    struct fixture f;

    if (!fixture_open(&f, "nfiraos-lgs", 16, 60))
        return;
    fixture_shows(&f, " whole \xE2\x94\x80");
    fixture_shows(&f, " full 2.00 ms ");
    fixture_press(&f, "L");
    fixture_shows(&f, " whole \xE2\x94\x80");
    fixture_shows(&f, " log to 2.00 ms ");
    fixture_close(&f);
}

static const struct test tests[] = {
    {"deferred work shows", deferred_work_shows},
    {"deferred says what is automatic", deferred_says_what_is_automatic},
    {"alike rows share one", alike_rows_share_one},
    {"names stay apart", names_stay_apart},
    {"middles go", middles_go},
    {"level shows where it is narrow", level_shows_where_it_is_narrow},
    {"path has no holes", path_has_no_holes},
    {"signs are the marks", signs_are_the_marks},
    {"uncertainty stays", uncertainty_stays},
    {"labels use the room", labels_use_the_room},
    {"automatic counts have digits", automatic_counts_have_digits},
    {"fills are explained", fills_are_explained},
    {NULL, NULL},
};

const struct suite suite_app_components = {.name = "app_components", .tests = tests};
