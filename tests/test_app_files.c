#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "app_fixture.h"
#include "check.h"

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
    fixture_press(&f, "Enter"); /* the safe answer: nothing */
    fixture_shows(&f, "[modified]");
    fixture_press(&f, "R d");
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
    fixture_shows(&f, "nosuch.ini cannot be read: no such file");
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
    fixture_press(&f, "Esc s o"); /* overwrites */
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
    app_draw(f.app, &f.canvas);
    fixture_shows(&f, "ELT SCAO, 80");
    fixture_shows(&f, "Unsaved changes of a design never saved, kept on 2");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    fixture_shows(&f, "[modified]");
    CHECK(access("aolag/recover.ini", R_OK) == 0);
    fixture_press(&f, "q d");
    CHECK(access("aolag/recover.ini", R_OK) != 0);
    fixture_close(&f);
    fixture_leave();
}

/* Leaves a.ini with 3 sockets and a recovery file with 4. */
static bool interrupt(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return false;
    fixture_press(&f, "Right S");
    fixture_type(&f, "a.ini");
    fixture_press(&f, "Enter Right");
    app_save_recovery(f.app);
    fixture_close(&f);
    return true;
}

static bool offer(struct fixture *f)
{
    if (!fixture_open(f, "elt-scao", 24, 80))
        return false;
    app_offer_recovery(f->app);
    app_draw(f->app, &f->canvas);
    return true;
}

/* What is recovered goes back where it came from, and is kept until then. */
static void recovered_work_goes_home(void)
{
    struct fixture f;

    if (!fixture_enter() || !interrupt() || !offer(&f))
        return;
    fixture_shows(&f, "a.ini");
    fixture_press(&f, "o");
    fixture_shows(&f, "a.ini [modified]");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    CHECK(access("aolag/recover.ini", R_OK) == 0);
    fixture_press(&f, "s");
    fixture_shows(&f, "saved ");
    fixture_hides(&f, "[modified]");
    CHECK(access("aolag/recover.ini", R_OK) != 0);
    fixture_press(&f, "Right Right R d");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    CHECK(access("a.ini", R_OK) == 0);
    fixture_close(&f);
    fixture_leave();
}

static void recovered_work_spares_others(void)
{
    struct fixture f;

    if (!fixture_enter() || !interrupt())
        return;
    append("a.ini", "; another hand\n");
    if (!offer(&f))
        return;
    fixture_press(&f, "o s");
    fixture_shows(&f, "Overwrite?");
    fixture_press(&f, "c");
    fixture_shows(&f, "[modified]");
    CHECK(access("aolag/recover.ini", R_OK) == 0);
    fixture_press(&f, "s o");
    fixture_hides(&f, "[modified]");
    CHECK(access("aolag/recover.ini", R_OK) != 0);
    fixture_close(&f);
    fixture_leave();
}

/* Several problems are read first; one Esc leads back. */
static void broken_files_close_the_line(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    append("bad.ini", "[scenario]\nformat = 1\nnonsense = 1\n[plumbing]\nx = 1\n");
    fixture_press(&f, ":");
    fixture_type(&f, "open bad.ini");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "Problems");
    fixture_shows(&f, "bad.ini has 2 problems");
    CHECK_INT(f.app->mode, MODE_NORMAL);
    fixture_press(&f, "Esc");
    CHECK(!pager_is_open(&f.app->pager));
    fixture_press(&f, ":");
    fixture_type(&f, "edit");
    fixture_press(&f, "Enter");
    fixture_hides(&f, "there is no command");
    fixture_close(&f);
    fixture_leave();
}

static void directories_are_no_files(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "save /tmp");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "/tmp is a directory; a scenario is saved to a file");
    CHECK_INT(f.app->mode, MODE_LINE);
    fixture_close(&f);
    fixture_leave();
}

static const struct test tests[] = {
    {"files are saved and opened", files_are_saved_and_opened},
    {"saving first goes on", saving_first_goes_on},
    {"unsaved work is recovered", unsaved_work_is_recovered},
    {"recovered work goes home", recovered_work_goes_home},
    {"recovered work spares others", recovered_work_spares_others},
    {"broken files close the line", broken_files_close_the_line},
    {"directories are no files", directories_are_no_files},
    {NULL, NULL},
};

const struct suite suite_app_files = {.name = "app_files", .tests = tests};
