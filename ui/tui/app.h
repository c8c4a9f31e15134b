/* The explorer without a terminal: keys in, canvas out. Driven by the live program and `aolag
 * screen`. */
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
    /* Source of the scenario. Ownership is taken, also on failure. A scenario that differs from it
     * (--set) is the first change: unsaved, and can be undone. */
    struct document *document;
    const char *notice; /* initial message, or NULL */
    /* Name of this program, for background jobs; NULL: jobs are impossible. */
    const char *program;
    bool named; /* the user named the scenario */
    /* Returns true if a key waits to be read: it ends a command that takes long. NULL: none ever
     * does. */
    bool (*key_waits)(const void *keys);
    const void *keys; /* its argument */
};

#define APP_FILES 2

/* Background work. app_watch stores the files to watch besides keys, at most APP_FILES, and returns
 * their count; app_collect_results is called when there is something to read; app_busy returns true
 * if more results are expected. */
int app_watch(const struct app *app, int files[APP_FILES]);
void app_collect_results(struct app *app);
bool app_busy(const struct app *app);

/* Returns why background work could not be started, an errno, or 0. */
int app_refused(const struct app *app);

/* Makes the views wait with new work, or start it when they are drawn next. */
void app_hold_work(struct app *app, bool hold);

/* Returns true if a thread is still computing what is displayed, and does not pause. */
bool app_computing(const struct app *app);

/* Lets threads pause whose work takes more than a number of looks (bell_limit); 0: none. Returns
 * the number so far, at first 0. */
int app_limit_work(struct app *app, int looks);

/* Lists what threads still compute: "next steps, advice", or an empty text. */
void app_list_work(const struct app *app, char *text, size_t size);

/* Makes the screen mark results of a machine other than this one (live program only: the screens of
 * a script must be the same everywhere). */
void app_know_machine(struct app *app);

enum status app_new(struct app **app, const struct app_start *start, struct error *error);
void app_free(struct app *app);

enum app_next app_key(struct app *app, const struct key_event *event);

/* Returns true once after a question was asked: keys that were typed before it is displayed are no
 * answer. */
bool app_asks(struct app *app);

/* Draws the whole screen in the canvas's size. */
void app_draw(struct app *app, struct canvas *canvas);

bool app_mouse(const struct app *app); /* true if the mouse is enabled (`:set mouse off`) */

/* Unsaved changes are written to a recovery file while the design is edited, at most two seconds
 * behind, and offered at the next start: $XDG_STATE_HOME/aolag/recover.ini (default
 * ~/.local/state), or the first unused name of recover-2.ini, recover-3.ini... The file is replaced
 * whole, and locked while its session lives; it is removed when the design is saved, discarded or
 * as it was. */

/* Returns the milliseconds after which recovery_keep has to be called; -1: there is nothing to keep
 * or to remove. */
int recovery_due(struct app *app);
void recovery_keep(struct app *app);

/* The same at the end of the program, whose file other sessions may then offer. */
void recovery_save(struct app *app);

/* Returns the outcome of recovery_save as a sentence; empty if there was nothing to save. */
const char *recovery_kept(const struct app *app);

/* Offers existing recovery files at start (live program only), one after the other until one is
 * opened. If a scenario was named at the start, only those of its file are offered, the proposed
 * answer leaves them for later, and a line mentions others. */
void recovery_offer(struct app *app, bool named);

/* At the first start (live program only), while there is no directory for recovery files, creates
 * it and mentions the help and the tour, unless there is something else to say. */
void tour_offer(struct app *app);

#endif
