#include <stddef.h>
#include <stdio.h>
#include <string.h>
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
    fixture_press(&f, "Esc o");
    fixture_type(&f, "micado-scao");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "micado-scao: no such file; \"preset micado-scao\" loads the preset");
    fixture_press(&f, "Esc n");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "2");
    fixture_shows(&f, "untitled");
    fixture_close(&f);
    fixture_leave();
}

/* A file read again as it was takes nothing away. */
static void the_same_file_changes_nothing(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_show(&f, "device.rtc.sockets");
    /* a value set to its default is stated here and not in the file */
    fixture_press(&f, ":");
    fixture_type(&f, "set scenario.overlap=1");
    fixture_press(&f, "Enter");
    fixture_press(&f, "Right Right S");
    fixture_type(&f, "a.ini");
    fixture_press(&f, "Enter b R");
    fixture_shows(&f, "a.ini has not changed");
    fixture_hides(&f, "[modified]");
    CHECK(f.app->host.design.baseline.pinned);
    fixture_press(&f, "u");
    fixture_shows(&f, "undone");
    /* what is unsaved goes, as was asked for */
    fixture_press(&f, "u R d");
    fixture_shows(&f, "opened a.ini");
    append("a.ini", "; another hand\n");
    fixture_press(&f, "R");
    fixture_shows(&f, "opened a.ini");
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
    recovery_save(f.app);
    CHECK(access("aolag/recover.ini", R_OK) != 0);
    fixture_press(&f, "Right Right");
    recovery_save(f.app);
    CHECK(access("aolag/recover.ini", R_OK) == 0);
    fixture_close(&f);
    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    recovery_offer(f.app);
    app_draw(f.app, &f.canvas);
    fixture_shows(&f, "ELT SCAO, 80");
    fixture_shows(&f, "Unsaved changes (2");
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
    recovery_save(f.app);
    fixture_close(&f);
    return true;
}

static bool offer(struct fixture *f)
{
    if (!fixture_open(f, "elt-scao", 24, 80))
        return false;
    recovery_offer(f->app);
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

static bool kept(const char *name)
{
    return access(name, R_OK) == 0;
}

/* What was left for later survives the next interruption, of another design. */
static void work_left_for_later_is_kept(void)
{
    struct fixture f;

    if (!fixture_enter() || !interrupt() || !offer(&f))
        return;
    fixture_press(&f, "l");
    CHECK_INT(f.app->mode, MODE_NORMAL);
    fixture_press(&f, "Right Right Right Right");
    recovery_save(f.app);
    CHECK(strstr(recovery_kept(f.app), "unsaved changes kept in /") != NULL);
    CHECK(strstr(recovery_kept(f.app), "/aolag/recover-2.ini") != NULL);
    CHECK(kept("aolag/recover.ini") && kept("aolag/recover-2.ini"));
    fixture_close(&f);
    if (!offer(&f))
        return;
    fixture_shows(&f, "Unsaved changes ("); /* the first */
    fixture_shows(&f, "a.ini");
    fixture_press(&f, "l");
    fixture_shows(&f, ") of a new design.");
    fixture_press(&f, "o");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "6");
    fixture_press(&f, "q d");
    CHECK(kept("aolag/recover.ini") && !kept("aolag/recover-2.ini"));
    fixture_close(&f);
    if (!offer(&f))
        return;
    fixture_press(&f, "d");
    CHECK(!kept("aolag/recover.ini"));
    CHECK_INT(f.app->mode, MODE_NORMAL);
    fixture_close(&f);
    fixture_leave();
}

/* Two sessions end at once, both of which opened what was left before. */
static void sessions_end_together(void)
{
    struct fixture f, g;

    if (!fixture_enter() || !interrupt() || !offer(&f) || !offer(&g))
        return;
    fixture_press(&f, "o Right");
    fixture_press(&g, "o Right Right");
    recovery_save(f.app);
    CHECK(!kept("aolag/recover.ini") && kept("aolag/recover-2.ini"));
    recovery_save(g.app);
    CHECK(kept("aolag/recover.ini") && kept("aolag/recover-2.ini"));
    fixture_close(&f);
    fixture_close(&g);
    if (!offer(&f) || !offer(&g))
        return;
    fixture_press(&f, "o");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "6");
    fixture_press(&g, "d o");
    CHECK_STR(fixture_value(&g, "device.rtc.sockets"), "5");
    recovery_save(g.app); /* takes the name `f` has in mind */
    CHECK(kept("aolag/recover.ini") && !kept("aolag/recover-2.ini"));
    fixture_press(&f, "q d");
    CHECK(kept("aolag/recover.ini"));
    fixture_close(&f);
    fixture_close(&g);
    fixture_leave();
}

static void failures_to_keep_are_told(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    recovery_save(f.app);
    CHECK_STR(recovery_kept(f.app), "");
    append("aolag", "no directory\n");
    fixture_press(&f, "Right");
    recovery_save(f.app);
    CHECK(strstr(recovery_kept(f.app), "unsaved changes could not be kept: /") != NULL);
    CHECK(strstr(recovery_kept(f.app), "/aolag/recover.ini: ") != NULL);
    fixture_close(&f);
    fixture_leave();
}

static void resize(struct fixture *f, int rows, int columns)
{
    canvas_init(&f->canvas, rows, columns, true);
    app_draw(f->app, &f->canvas);
}

/* What cannot be seen is not answered, typed or changed. */
static void small_screens_take_no_keys(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    resize(&f, 15, 80);
    fixture_shows(&f, "16 needed");
    fixture_press(&f, "Right s Enter : q");
    CHECK_INT(f.app->next, APP_QUIT); /* nothing would be lost */
    CHECK_INT(f.app->mode, MODE_NORMAL);
    CHECK_INT(fixture_press(&f, "C-l"), APP_REDRAW);
    CHECK_INT(fixture_press(&f, "C-z"), APP_SUSPEND);
    resize(&f, 24, 80);
    fixture_hides(&f, "[modified]");
    fixture_press(&f, "Right q");
    fixture_shows(&f, "Unsaved changes");
    resize(&f, 10, 40);
    fixture_press(&f, "Enter s d Esc");
    CHECK_INT(f.app->next, APP_CONTINUE);
    resize(&f, 24, 80);
    fixture_shows(&f, "Unsaved changes");
    fixture_press(&f, "Esc :");
    fixture_type(&f, "se");
    resize(&f, 24, 59);
    fixture_type(&f, "q");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "needed");
    resize(&f, 24, 80);
    CHECK_STR(f.app->prompt.line.text, "se");
    fixture_close(&f);
    fixture_leave();
}

static void small_screens_are_left_in_two_steps(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Right");
    resize(&f, 15, 59);
    fixture_press(&f, "q");
    CHECK_INT(f.app->next, APP_CONTINUE);
    CHECK_INT(f.app->mode, MODE_NORMAL);
    fixture_shows(&f, "enlarge the terminal: there are unsaved changes");
    CHECK_INT(fixture_press(&f, "q"), APP_CONTINUE);
    resize(&f, 24, 80);
    resize(&f, 3, 20);
    fixture_press(&f, "C-c");
    CHECK_INT(f.app->next, APP_CONTINUE);
    fixture_shows(&f, "enlarge");
    fixture_shows(&f, "unsaved");
    CHECK(!kept("aolag/recover.ini"));
    CHECK_INT(fixture_press(&f, "C-c"), APP_QUIT);
    CHECK(kept("aolag/recover.ini"));
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
    fixture_press(&f, "Esc");
    append("bare.ini", "x\ny\n");
    fixture_press(&f, ":");
    fixture_type(&f, "open bare.ini");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "bare.ini: [scenario] with format = 1 is missing");
    fixture_hides(&f, "bare.ini:0");
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
    {"the same file changes nothing", the_same_file_changes_nothing},
    {"saving first goes on", saving_first_goes_on},
    {"unsaved work is recovered", unsaved_work_is_recovered},
    {"recovered work goes home", recovered_work_goes_home},
    {"recovered work spares others", recovered_work_spares_others},
    {"work left for later is kept", work_left_for_later_is_kept},
    {"sessions end together", sessions_end_together},
    {"failures to keep are told", failures_to_keep_are_told},
    {"small screens take no keys", small_screens_take_no_keys},
    {"small screens are left in two steps", small_screens_are_left_in_two_steps},
    {"broken files close the line", broken_files_close_the_line},
    {"directories are no files", directories_are_no_files},
    {NULL, NULL},
};

const struct suite suite_app_files = {.name = "app_files", .tests = tests};
