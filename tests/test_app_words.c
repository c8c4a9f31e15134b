#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app_fixture.h"
#include "check.h"

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
    CHECK_INT(f.app->history.position, 1);
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
    before = f.app->explore.tree.at.focus;
    fixture_press(&f, "/");
    fixture_type(&f, "hops");
    CHECK_STR(tree_row(&f.app->explore.tree)->knob->key, "hops");
    fixture_press(&f, "Esc");
    CHECK_INT(f.app->explore.tree.at.focus, before);
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
    fixture_type(&f, "discard");
    CHECK_INT(fixture_press(&f, "Enter"), APP_QUIT);
    fixture_press(&f, "u");
    CHECK_INT(fixture_press(&f, "q"), APP_QUIT);
    CHECK_INT(fixture_press(&f, "C-z"), APP_SUSPEND);
    CHECK_INT(fixture_press(&f, "C-l"), APP_REDRAW);
    fixture_close(&f);
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");

    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void files_are_saved_and_opened(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Right s");
    fixture_shows(&f, "save as: elt-scao.ini");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "saved elt-scao.ini");
    CHECK(access("elt-scao.ini", R_OK) == 0);
    fixture_press(&f, "Right s");
    fixture_hides(&f, "[modified]");
    append("elt-scao.ini", "; another hand\n");
    fixture_press(&f, "Right s");
    fixture_shows(&f, "Overwrite?");
    fixture_press(&f, "Esc R Down Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    fixture_press(&f, "Right S");
    fixture_type(&f, "other.ini");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "saved other.ini");
    fixture_press(&f, "o");
    fixture_type(&f, "elt");
    fixture_press(&f, "Tab");
    CHECK_STR(f.app->prompt.line.text, "elt-scao.ini");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    fixture_press(&f, "o");
    fixture_type(&f, "nosuch.ini");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "nosuch.ini");
    CHECK_INT(f.app->mode, MODE_LINE);
    fixture_press(&f, "Esc n");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "2");
    fixture_shows(&f, "untitled");
    fixture_close(&f);
    fixture_leave();
}

/* What waits for a save goes on after it, and never after a later one. */
static void saving_first_goes_on(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "S");
    fixture_type(&f, "a.ini");
    fixture_press(&f, "Enter S");
    fixture_type(&f, "b.ini");
    fixture_press(&f, "Enter Right o");
    fixture_type(&f, "a.ini");
    fixture_press(&f, "Enter Enter");
    fixture_shows(&f, "opened a.ini");
    fixture_press(&f, "Right q Enter");
    CHECK_INT(f.app->next, APP_QUIT);
    fixture_press(&f, "Right");
    append("a.ini", "; another hand\n");
    fixture_press(&f, "q Enter");
    fixture_shows(&f, "Overwrite?");
    CHECK_INT(f.app->next, APP_CONTINUE);
    fixture_press(&f, "Esc s Enter"); /* overwrites */
    CHECK_INT(f.app->next, APP_CONTINUE);
    fixture_shows(&f, "saved a.ini");
    fixture_close(&f);
    fixture_leave();
}

static void unsaved_work_is_recovered(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    app_save_recovery(f.app);
    CHECK(access("aolag/recover.ini", R_OK) != 0);
    fixture_press(&f, "Right Right");
    app_save_recovery(f.app);
    CHECK(access("aolag/recover.ini", R_OK) == 0);
    fixture_close(&f);
    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    app_offer_recovery(f.app);
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    fixture_shows(&f, "[modified]");
    CHECK(access("aolag/recover.ini", R_OK) != 0);
    fixture_close(&f);
    fixture_leave();
}

static const struct test tests[] = {
    {"commands are words", commands_are_words},
    {"words are completed", words_are_completed},
    {"knobs are found", knobs_are_found},
    {"leaving asks", leaving_asks},
    {"files are saved and opened", files_are_saved_and_opened},
    {"saving first goes on", saving_first_goes_on},
    {"unsaved work is recovered", unsaved_work_is_recovered},
    {NULL, NULL},
};

const struct suite suite_app_words = {.name = "app_words", .tests = tests};
