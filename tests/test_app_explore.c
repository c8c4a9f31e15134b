#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "design/knob_text.h"
#include "model/load.h"
#include "tui/widget.h"

static void command(struct fixture *f, const char *text)
{
    fixture_press(f, ":");
    fixture_type(f, text);
    fixture_press(f, "Enter");
}

static int count_style(const struct fixture *f, struct rect rect, enum style style)
{
    int count = 0;

    for (int r = 0; r < rect.rows; r++)
        for (int c = 0; c < rect.columns; c++)
            count += f->canvas.cells[(rect.row + r) * f->canvas.columns + rect.column + c].style ==
                     style;
    return count;
}

/* Knobs left to the program show what they come to, and steps begin there. */
static void automatic_values_step_from_there(void)
{
    static const struct {
        const char *path, *shown, *key, *then;
    } cases[] = {
        {"wfs.ngs.valid_subaps", "auto 4632", "Right", "4700"},
        {"wfs.ngs.detector_width", "auto 640 px", "Left", "630 px"},
        {"wfs.ngs.detector_height", "auto 640 px", "Right", "650 px"},
        {"component.camera.exposure", "auto 2.00 ms", "Left", "1900 us"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;

        if (!fixture_open(&f, "elt-scao", 24, 80))
            return;
        fixture_show(&f, cases[i].path);
        CHECK_STR(fixture_value(&f, cases[i].path), "auto");
        fixture_shows(&f, cases[i].shown);
        fixture_press(&f, cases[i].key);
        CHECK_STR(fixture_value(&f, cases[i].path), cases[i].then);
        fixture_close(&f);
    }
}

/* Only the very design is the same as the baseline. */
static void another_design_is_not_the_same(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_shows(&f, "same as the baseline");
    fixture_show(&f, "device.rtc.tdp");
    fixture_press(&f, "Right");
    fixture_hides(&f, "same as the baseline");
    fixture_shows(&f, "latency as the baseline's");
    fixture_press(&f, "u");
    fixture_shows(&f, "same as the baseline");
    fixture_close(&f);
    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    command(&f, "set atmosphere.wind=30 m/s");
    fixture_shows(&f, "latency as the baseline's, lag +");
    fixture_close(&f);
}

/* What the difference is to stays, digits go. */
static void differences_name_the_baseline(void)
{
    static const int columns[] = {60, 80, 100, 120};
    static const char *const changes[] = {
        "set device.gpu0.bus_bits=16",        "set device.gpu0.bus_bits=2560",
        "set device.gpu0.bus_bits=8192",      "set component.recon.overhead=5 us",
        "set component.recon.overhead=17 us", "set scenario.packets=1",
    };

    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            struct fixture f;

            if (!fixture_open(&f, "elt-scao", 24, columns[c]))
                return;
            command(&f, changes[i]);
            fixture_press(&f, "Up");
            fixture_shows(&f, columns[c] < 80 ? "baseline " : "baseline 14.8");
            fixture_hides(&f, "baseline 14.8 \xC2\xB5s \xE2\x94\x80");
            fixture_close(&f);
        }
}

/* Nothing of a loop that cannot keep up looks like success. */
static void overload_is_no_success(void)
{
    static const int sizes[][2] = {{16, 60}, {24, 80}, {36, 120}, {60, 200}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct fixture f;

        if (!fixture_open(&f, "elt-scao", sizes[i][0], sizes[i][1]))
            return;
        CHECK(sizes[i][1] < 80 || count_style(&f, f.app->explore.layout.loop, STYLE_GOOD) > 0);
        command(&f, "set device.gpu0.bus_bits=16 scenario.target_latency=100 ms "
                    "component.slopes.overhead=100 us component.calibration.overhead=60 us");
        fixture_press(&f, "Up");
        CHECK(f.app->host.design.result.overloaded && f.app->host.design.result.margin > 0);
        CHECK_INT(count_style(&f, f.app->explore.layout.loop, STYLE_GOOD), 0);
        fixture_shows(&f, "kept up");
        fixture_shows(&f, "OVERLOAD");
        fixture_shows(&f, "recon");
        CHECK(count_style(&f, f.app->explore.layout.loop, STYLE_DIM) > 0);
        if (sizes[i][0] >= 36) {
            fixture_shows(&f, "also");
            fixture_shows(&f, "target met if it kept up");
            fixture_shows(&f, "rms, if it kept up");
        }
        fixture_close(&f);
    }
}

static void overload_names_what_there_is_room_for(void)
{
    struct overload list[OVERLOAD_MAX];
    struct fixture f;
    char text[512];

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    CHECK_INT(load_list_overloads(&f.app->host.design.scenario, &f.app->host.design.result, list),
              0);
    explore_overload_words(&f.app->host.design.scenario, &f.app->host.design.result, 2, 40, text,
                           sizeof text);
    CHECK_STR(text, "");
    command(&f, "set device.gpu0.bus_bits=16 component.slopes.overhead=100 us "
                "component.calibration.overhead=60 us");
    CHECK_INT(load_list_overloads(&f.app->host.design.scenario, &f.app->host.design.result, list),
              4);
    CHECK_STR(list[0].name, "recon");
    CHECK_STR(list[1].name, "slopes");
    for (int i = 1; i < 4; i++)
        CHECK(list[i - 1].busy >= list[i].busy);
    explore_overload_words(&f.app->host.design.scenario, &f.app->host.design.result, 4, 60, text,
                           sizeof text);
    CHECK(strstr(text, "recon is busy 37.5 ms of a 2.00 ms frame, 18.7 times") != NULL);
    CHECK(strstr(text, "calibration") != NULL && strstr(text, "rtc") != NULL);
    explore_overload_words(&f.app->host.design.scenario, &f.app->host.design.result, 2, 26, text,
                           sizeof text);
    CHECK_STR(text, "OVERLOAD, times too slow: recon 18.7 and 3 more");
    fixture_close(&f);
}

/* The cells of a character in a row. */
static int count_cells(const struct fixture *f, struct rect line, uint32_t character)
{
    int count = 0;

    for (int c = 0; c < line.columns; c++)
        count +=
            f->canvas.cells[line.row * f->canvas.columns + line.column + c].character == character;
    return count;
}

/* Overhead that binds is as long as it takes. */
static void bars_reach_the_whole_time(void)
{
    static const int columns[] = {60, 80, 120, 200};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct fixture f;
        struct rect line;
        struct bar_columns c;
        struct bar_scale scale;
        const struct node_result *recon;
        int cells;

        if (!fixture_open(&f, "elt-scao", 36, columns[i]))
            return;
        line = rect_inside(f.app->explore.layout.components);
        c = layout_bar(line.columns, 11, 4);
        recon =
            &f.app->host.design.result.node[result_find_node(&f.app->host.design.result, "recon")];
        scale = bar_scale_for(0, recon->time, false);
        line = (struct rect){line.row + 7, line.column + c.bar, 1, c.bar_columns};
        cells = count_cells(&f, line, 0x2500) + count_cells(&f, line, 0x2591) +
                count_cells(&f, line, 0x2592);
        CHECK_INT(recon->bound, BOUND_OVERHEAD);
        CHECK_INT(cells, lround(bar_length(&scale, recon->time, c.bar_columns)));
        CHECK(count_cells(&f, line, 0x2500) > count_cells(&f, line, 0x2592));
        fixture_shows(&f, "\xE2\x94\x80 whole ");
        fixture_close(&f);
    }
}

/* A time and what it is of, or neither. */
static void times_keep_their_word(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    fixture_hides(&f, "103 \xC2\xB5s");
    fixture_press(&f, "Tab Down");
    fixture_shows(&f, "103 \xC2\xB5s overhead");
    fixture_close(&f);
    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_shows(&f, "367 \xC2\xB5s overhead");
    CHECK(layout_bar(rect_inside(f.app->explore.layout.components).columns, 11, 4).bar_columns >=
          6);
    fixture_hides(&f, "gpu0");
    fixture_press(&f, "Tab Down Down Down Down");
    fixture_shows(&f, "gpu0 \xC2\xB7 367 \xC2\xB5s overhead");
    fixture_close(&f);
}

static bool has_row(struct fixture *f, const char *path)
{
    struct knob_ref ref;

    return CHECK(knob_find(&f->app->host.design.scenario, path, &ref, NULL) == STATUS_OK) &&
           tree_find(&f->app->explore.tree, ref.section, ref.index, ref.knob) >= 0;
}

/* What a device's heading says of its preset is not said again. */
static void headings_say_the_model(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    CHECK(!has_row(&f, "device.rtc.kind"));
    CHECK(!has_row(&f, "device.rtc.model"));
    CHECK(has_row(&f, "device.rtc.preset"));
    command(&f, "set device.rtc.model=a board of our own");
    CHECK(has_row(&f, "device.rtc.model"));
    command(&f, "set device.rtc.preset=");
    CHECK(has_row(&f, "device.rtc.kind"));
    fixture_close(&f);
}

/* "auto" typed where it is automatic already changes nothing; where a preset has a value it is a
 * change. */
static void auto_is_no_value(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 40, 120))
        return;
    fixture_show(&f, "device.rtc.l2_bandwidth");
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "auto");
    fixture_press(&f, "Enter");
    fixture_hides(&f, "[modified]");
    command(&f, "set component.recon.share=auto wfs.ngs.valid_subaps=0");
    fixture_hides(&f, "[modified]");
    fixture_show(&f, "device.rtc.l3");
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "auto");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.l3"), "auto");
    fixture_shows(&f, "[modified]");
    fixture_close(&f);
}

/* What has nothing to act on is not shown until it has, or is stated. */
static void idle_knobs_are_not_shown(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 40, 120))
        return;
    fixture_show(&f, "component.recon.algorithm");
    CHECK(!has_row(&f, "component.recon.tile"));
    CHECK(!has_row(&f, "component.recon.workers"));
    CHECK(!has_row(&f, "device.gpu0.host_bandwidth"));
    CHECK(!has_row(&f, "device.gpu0.l3_latency"));
    CHECK(has_row(&f, "device.rtc.l3_latency"));
    command(&f, "set component.recon.algorithm=tlr");
    CHECK(has_row(&f, "component.recon.tile"));
    command(&f, "set component.recon.algorithm=auto");
    CHECK(!has_row(&f, "component.recon.tile"));
    command(&f, "set component.recon.tile=128");
    CHECK(has_row(&f, "component.recon.tile"));
    /* a row that goes leaves the cursor beside it */
    command(&f, "reset component.recon.tile");
    CHECK(!has_row(&f, "component.recon.tile"));
    CHECK_STR(tree_row(&f.app->explore.tree)->knob->key, "columns");
    fixture_close(&f);
}

/* Nothing shown is no value at all. */
static void empty_values_say_none(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 40, 120))
        return;
    fixture_show(&f, "device.gpu0.l3");
    fixture_shows(&f, "auto none");
    command(&f, "set device.gpu0.preset=");
    fixture_show(&f, "device.gpu0.preset");
    fixture_shows(&f, "\xE2\x80\xB9none\xE2\x80\xBA?");
    fixture_show(&f, "device.gpu0.model");
    fixture_shows(&f, " none?");
    fixture_hides(&f, "\xE2\x80\xB9\xE2\x80\xBA");
    fixture_close(&f);
}

/* The telescopes of the sun are found by that word. */
static void solar_systems_are_found(void)
{
    static const char *const names[] = {"dkist", "gregor", "sst", "themis"};
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 40, 120))
        return;
    fixture_show(&f, "scenario.packets");
    fixture_press(&f, "p");
    fixture_type(&f, "sol");
    CHECK_INT(f.app->picker.list.count, 4);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        fixture_shows(&f, names[i]);
    fixture_close(&f);
}

static void new_sections_show_their_knobs(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "a");
    fixture_type(&f, "cpu");
    fixture_press(&f, "Enter Enter");
    CHECK_STR(f.app->host.design.scenario.device[2].head.name, "cpu0");
    CHECK_INT(tree_row(&f.app->explore.tree)->index, 2);
    CHECK_INT(f.app->explore.tree.at.list.first, f.app->explore.tree.at.list.focus);
    fixture_close(&f);
}

/* What each device could do and does, where there is room; never instead of a component. */
static void devices_show_where_there_is_room(void)
{
    static const int sizes[][2] = {{60, 200}, {40, 120}, {36, 120}, {24, 80}, {60, 80}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct fixture f;
        char number[40];

        if (!fixture_open(&f, "elt-scao", sizes[i][0], sizes[i][1]))
            return;
        CHECK_INT(f.app->explore.layout.devices.rows, i < 3 ? 5 : 0);
        if (i >= 3) {
            fixture_hides(&f, "utilisation");
            fixture_close(&f);
            continue;
        }
        fixture_shows(&f, "fp32 peak");
        fixture_shows(&f, "utilisation");
        for (int d = 0; d < f.app->host.design.result.device_count; d++) {
            quantity_show(f.app->host.design.result.device[d].bandwidth, "B/s", number,
                          sizeof number);
            fixture_shows(&f, number);
            quantity_show(f.app->host.design.result.device[d].busy, "s", number, sizeof number);
            fixture_shows(&f, number);
            snprintf(number, sizeof number, " %.3g %%",
                     f.app->host.design.result.device[d].utilisation * 100);
            fixture_shows(&f, number);
        }
        command(&f, "set component.slopes.after=recon");
        fixture_hides(&f, "utilisation");
        fixture_close(&f);
    }
}

/* Opens the box with a text. */
static void show_text(struct pager *pager, const char *text)
{
    FILE *out = pager_start(pager, "test");

    if (CHECK(out != NULL)) {
        fputs(text, out);
        CHECK(pager_show(pager));
    }
}

/* No word of a long line is lost, whatever the width. */
static void pager_loses_nothing(void)
{
    static const char *const words[] = {
        "one", "supercalifragilistic", "three", "\xC2\xB5s", "last-one", "second", "indented"};

    for (int columns = 60; columns <= 200; columns += 7) {
        struct pager pager = {0};
        struct canvas canvas = {0};
        struct rect body = layout_screen(60, columns).body;
        char line[512] = "";
        char *text;
        char *screen = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&screen, &size);

        for (int i = 0; i < 20; i++)
            strcat(line, "some filling words ");
        text = malloc(4096);
        snprintf(text, 4096,
                 "one %ssupercalifragilistic\n\n    indented %sthree \xC2\xB5s last-one\n"
                 "second\n",
                 line, line);
        canvas_init(&canvas, 60, columns, true);
        show_text(&pager, text);
        free(text);
        pager_draw(&pager, &canvas, body);
        canvas_print(&canvas, out);
        fclose(out);
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            CHECK_TRUE(strstr(screen, words[w]) != NULL, "%d columns: %s is lost", columns,
                       words[w]);
        CHECK(strstr(screen, "\xE2\x80\xA6") == NULL);
        CHECK(pager.list.total > 4);
        pager_act(&pager, ACTION_END);
        pager_close(&pager);
        canvas_free(&canvas);
        free(screen);
    }
}

/* The last lines are reached where the wrapped text is higher than the box. */
static void pager_scrolls_wrapped_text(void)
{
    struct fixture f;
    char *text;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    text = malloc(8192);
    text[0] = '\0';
    for (int i = 0; i < 30; i++)
        strcat(text, "a line that is much longer than sixty columns are wide, so that it has two "
                     "rows\n");
    strcat(text, "the end\n");
    show_text(&f.app->pager, text);
    free(text);
    app_draw(f.app, &f.canvas);
    fixture_hides(&f, "the end");
    fixture_press(&f, "End");
    fixture_shows(&f, "the end");
    fixture_close(&f);
}

static const struct test tests[] = {
    {"automatic values step from there", automatic_values_step_from_there},
    {"another design is not the same", another_design_is_not_the_same},
    {"differences name the baseline", differences_name_the_baseline},
    {"overload is no success", overload_is_no_success},
    {"overload names what there is room for", overload_names_what_there_is_room_for},
    {"bars reach the whole time", bars_reach_the_whole_time},
    {"times keep their word", times_keep_their_word},
    {"headings say the model", headings_say_the_model},
    {"auto is no value", auto_is_no_value},
    {"idle knobs are not shown", idle_knobs_are_not_shown},
    {"empty values say none", empty_values_say_none},
    {"solar systems are found", solar_systems_are_found},
    {"new sections show their knobs", new_sections_show_their_knobs},
    {"devices show where there is room", devices_show_where_there_is_room},
    {"pager loses nothing", pager_loses_nothing},
    {"pager scrolls wrapped text", pager_scrolls_wrapped_text},
    {NULL, NULL},
};

const struct suite suite_app_explore = {.name = "app_explore", .tests = tests};
