/* The explorer without a terminal: keys in, canvas out. The live program and `aolag screen` drive
 * the same functions. */
#ifndef AOLAG_TUI_APP_H
#define AOLAG_TUI_APP_H

#include <stdbool.h>

#include "base/status.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "design/scenario_file.h"
#include "draw/canvas.h"
#include "tui/keys.h"

struct app;

struct app_start {
    struct catalogue *catalogue;
    const struct scenario *scenario; /* copied */
    /* Taken over, also on failure: where it came from. Where the scenario is not what it says
     * (--set), the difference is the first change, unsaved and to be undone. */
    struct document *document;
    const char *notice; /* shown first, or NULL */
    /* This program, for jobs in the background; NULL: there can be none. */
    const char *program;
};

#define APP_FILES 2

/* Work in the background: the files to wait for beside keys, at most APP_FILES, and their count;
 * what to call when there is something to read; and whether something is still to come. */
int app_watch(const struct app *app, int files[APP_FILES]);
void app_collect_results(struct app *app);
bool app_busy(const struct app *app);

/* Whether what is shown is still being computed, in a thread. */
bool app_computing(const struct app *app);

/* From now on the screen says where what it shows of a machine is of another one (live program
 * only: a script's screens are the same everywhere). */
void app_know_machine(struct app *app);

enum status app_new(struct app **app, const struct app_start *start, struct error *error);
void app_free(struct app *app);

enum app_next app_key(struct app *app, const struct key_event *event);

/* Draws the whole screen for the canvas's size. */
void app_draw(struct app *app, struct canvas *canvas);

bool app_mouse(const struct app *app); /* whether the mouse is wanted (`:set mouse off`) */

/* Unsaved changes are kept when the program is ended from outside, and offered at the next start,
 * in files of their own: $XDG_STATE_HOME/aolag/recover.ini (default ~/.local/state), or the first
 * free of recover-2.ini, recover-3.ini... */

/* Writes a modified scenario to a recovery file, in place of the one it was opened from. Does
 * nothing for an unmodified one. */
void recovery_save(struct app *app);

/* What recovery_save did, as a sentence; empty when there was nothing to do. */
const char *recovery_kept(const struct app *app);

/* Offers the recovery files, if there are any, at start (live program only): one after the other,
 * until one is opened. */
void recovery_offer(struct app *app);

#endif
