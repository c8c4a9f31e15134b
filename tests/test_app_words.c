#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "sample.h"

static void commands_are_words(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "undoo");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "did you mean undo?");
    CHECK_INT(f.app->mode, MODE_LINE);
    fixture_press(&f, "C-u");
    fixture_type(&f, "set device.rtc.sockets=3 ao.modes=10");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "3");
    CHECK_STR(fixture_value(&f, "ao.modes"), "10");
    CHECK_INT(f.app->host.design.history.position, 1);
    fixture_press(&f, ":");
    fixture_type(&f, "reset ao.modes");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "ao.modes"), "0");
    fixture_press(&f, ": Up Up");
    fixture_shows(&f, ":set device.rtc.sockets=3 ao.modes=10");
    fixture_press(&f, "Down");
    fixture_shows(&f, ":reset ao.modes");
    fixture_press(&f, "C-u");
    CHECK(app_mouse(f.app));
    fixture_type(&f, "set mouse off");
    fixture_press(&f, "Enter");
    CHECK(!app_mouse(f.app));
    fixture_press(&f, ":");
    fixture_type(&f, "eval");
    fixture_press(&f, "Enter");
    CHECK(pager_is_open(&f.app->pager));
    fixture_press(&f, "End q");
    CHECK(!pager_is_open(&f.app->pager));
    fixture_close(&f);
}

static void words_are_completed(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "set device.rtc.soc");
    fixture_press(&f, "Tab");
    CHECK_STR(f.app->prompt.line.text, "set device.rtc.sockets=");
    fixture_press(&f, "C-u");
    fixture_type(&f, "set component.slopes.algorithm=bri");
    fixture_press(&f, "Tab");
    CHECK_STR(f.app->prompt.line.text, "set component.slopes.algorithm=brightest");
    fixture_press(&f, "C-u");
    fixture_type(&f, "set component.recon.device=rtc,g");
    fixture_press(&f, "Tab");
    CHECK_STR(f.app->prompt.line.text, "set component.recon.device=rtc,gpu0");
    fixture_press(&f, "C-u");
    fixture_type(&f, "und");
    fixture_press(&f, "Tab");
    CHECK_STR(f.app->prompt.line.text, "undo ");
    fixture_close(&f);
}

static void knobs_are_found(void)
{
    struct fixture f;
    int before;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    before = f.app->explore.tree.at.list.focus;
    fixture_press(&f, "/");
    fixture_type(&f, "hops");
    CHECK_STR(tree_row(&f.app->explore.tree)->knob->key, "hops");
    fixture_press(&f, "Esc");
    CHECK_INT(f.app->explore.tree.at.list.focus, before);
    fixture_press(&f, "/");
    fixture_type(&f, "precision");
    fixture_press(&f, "Enter");
    CHECK_STR(tree_row(&f.app->explore.tree)->knob->key, "precision");
    before = tree_row(&f.app->explore.tree)->index;
    fixture_press(&f, "N");
    CHECK_INT(tree_row(&f.app->explore.tree)->index, before + 1);
    fixture_press(&f, "M");
    CHECK_INT(tree_row(&f.app->explore.tree)->index, before);
    fixture_press(&f, "/");
    fixture_type(&f, "nosuchknob");
    fixture_shows(&f, "no knob matches");
    fixture_press(&f, "Esc");
    fixture_close(&f);
}

static void find(struct fixture *f, const char *text)
{
    fixture_press(f, "/");
    fixture_type(f, text);
    fixture_press(f, "Enter");
}

/* A key, a path or a section in full is that one, not every text it is a part of. */
static void names_in_full_are_found_first(void)
{
    struct fixture f;
    const struct tree_row *row;
    char path[96];

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    find(&f, "rtc.l3");
    row = tree_row(&f.app->explore.tree);
    CHECK_STR(row->knob->key, "l3");
    fixture_press(&f, "N");
    row = tree_row(&f.app->explore.tree);
    CHECK_STR(row->knob->key, "l3");
    CHECK_STR(f.app->host.design.scenario.device[row->index].head.name, "rtc");
    find(&f, "recon.tile");
    fixture_shows(&f, "component.recon.tile has no effect in this design");
    fixture_press(&f, "Esc");
    find(&f, "l3_");
    CHECK_STR(tree_row(&f.app->explore.tree)->knob->key, "l3_bandwidth");
    for (int round = 0; round < 3; round++) {
        if (round < 2)
            find(&f, round == 0 ? "Recon" : "component.recon");
        else
            fixture_press(&f, "N");
        row = tree_row(&f.app->explore.tree);
        section_path(&f.app->host.design.scenario, row->section, row->index, path, sizeof path);
        CHECK_STR(path, "component.recon");
        CHECK(row->knob == NULL);
        if (round == 0)
            fixture_press(&f, "Down Down");
    }
    find(&f, "recon.");
    CHECK(tree_row(&f.app->explore.tree)->knob != NULL);
    /* of sections with one name each has its turn */
    sample_add(&f.app->host.design.scenario, SECTION_DEVICE, "recon");
    f.app->view->changed(f.app->state);
    find(&f, "recon");
    for (int round = 0; round < 4; round++) {
        row = tree_row(&f.app->explore.tree);
        CHECK(row->knob == NULL);
        CHECK_INT(row->section, round % 2 == 1 ? SECTION_DEVICE : SECTION_COMPONENT);
        fixture_press(&f, round == 3 ? "M" : "N");
    }
    CHECK_INT(tree_row(&f.app->explore.tree)->section, SECTION_COMPONENT);
    fixture_close(&f);
}

static void leaving_asks(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Right");
    CHECK_INT(fixture_press(&f, "q"), APP_CONTINUE);
    fixture_shows(&f, "unsaved changes");
    CHECK_INT(fixture_press(&f, "Esc"), APP_CONTINUE);
    fixture_press(&f, "q");
    CHECK_INT(fixture_press(&f, "x c"), APP_CONTINUE);
    CHECK_INT(f.app->mode, MODE_NORMAL);
    CHECK_INT(fixture_press(&f, "q d"), APP_QUIT);
    fixture_press(&f, "u");
    CHECK_INT(fixture_press(&f, "q"), APP_QUIT);
    CHECK_INT(fixture_press(&f, "C-z"), APP_SUSPEND);
    CHECK_INT(fixture_press(&f, "C-l"), APP_REDRAW);
    fixture_close(&f);
}

/* A ':' line, its word and what follows. */
static void command(struct fixture *f, const char *text)
{
    fixture_press(f, ":");
    fixture_type(f, text);
    fixture_press(f, "Enter");
}

static void words_know_their_pane(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Tab");
    command(&f, "edit");
    fixture_shows(&f, "\"edit\" works in Knobs: Tab or the key of a view goes there");
    fixture_press(&f, "C-u");
    fixture_type(&f, "close");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "\"close\" works where a text is open");
    fixture_press(&f, "C-u");
    fixture_type(&f, "show");
    fixture_press(&f, "Enter");
    CHECK_INT(f.app->explore.pane, PLACE_KNOBS);
    command(&f, "first");
    fixture_shows(&f, "\"first\" works in Components and Loop and");
    fixture_close(&f);
}

static void refused_lines_are_remembered(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    command(&f, "log");
    command(&f, "undoo");
    fixture_press(&f, "Up");
    CHECK_STR(f.app->prompt.line.text, "log");
    fixture_press(&f, "Esc : Up");
    CHECK_STR(f.app->prompt.line.text, "undoo");
    fixture_close(&f);
}

static void set_says_what_changed(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Tab");
    command(&f, "set ao.modes=10 component.slopes.overhead=2us");
    fixture_shows(&f, "ao.modes: 0 \xE2\x86\x92 10");
    fixture_shows(&f, " \xE2\x86\x92 2 \xC2\xB5s");
    CHECK_STR(tree_row(&f.app->explore.tree)->knob->key, "overhead");
    CHECK_INT(f.app->explore.pane, PLACE_KNOBS);
    command(&f, "set telescope.m1=2");
    fixture_shows(&f, "unknown section \"telescope\"; allowed: scenario, ao,");
    fixture_press(&f, "Esc");
    fixture_show(&f, "device.rtc.clock");
    fixture_press(&f, "Enter C-u Enter");
    fixture_shows(&f, "type a value; allowed: ");
    fixture_close(&f);
}

static void check_takes_the_design(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    command(&f, "check");
    fixture_shows(&f, "the design on the screen: good");
    fixture_press(&f, "Esc");
    command(&f, "set component.slopes.after=recon");
    command(&f, "check");
    fixture_shows(&f, "the design on the screen: ");
    CHECK(strstr(f.app->pager.text, "cycle") != NULL);
    fixture_close(&f);
}

/* What has no room in a list of completions is counted, and the list ends with a sign. */
static void long_lists_say_so(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, ": Tab");
    fixture_shows(&f, " matches, among them left  right");
    CHECK(canvas_at(&f.canvas, 22 - 1, 79) == 0x2026 || canvas_at(&f.canvas, 22, 79) == 0x2026);
    fixture_press(&f, "s e Tab");
    fixture_shows(&f, "set  seek");
    fixture_hides(&f, " matches, ");
    fixture_close(&f);
}

static const struct test tests[] = {
    {"commands are words", commands_are_words},
    {"words are completed", words_are_completed},
    {"knobs are found", knobs_are_found},
    {"names in full are found first", names_in_full_are_found_first},
    {"leaving asks", leaving_asks},
    {"words know their pane", words_know_their_pane},
    {"refused lines are remembered", refused_lines_are_remembered},
    {"set says what changed", set_says_what_changed},
    {"check takes the design", check_takes_the_design},
    {"long lists say so", long_lists_say_so},
    {NULL, NULL},
};

const struct suite suite_app_words = {.name = "app_words", .tests = tests};
