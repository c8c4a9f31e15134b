/* Scripted input for the explorer, without a terminal: one command per line. A command is a key's
 * name, a single character, or one of
 *
 *     text WORDS               types the rest of the line
 *     resize 80x24             columns x rows
 *     screen                   prints the screen between rulers, after background work has ended or
 *                              exceeds a number of steps (app_limit_work): the first ruler names it
 *     click ROW COLUMN         presses the mouse button; rows and columns count from 0
 *     drag ROW COLUMN          moves the mouse with the button down
 *     wheel up|down ROW COLUMN
 *     wait                     waits until all background work has ended
 *
 * The button is released before the next command other than drag. */
#ifndef AOLAG_TUI_SCRIPT_H
#define AOLAG_TUI_SCRIPT_H

#include <stdio.h>

#include "tui/app.h"

/* State of a session between two lines. The caller sets `app`, `canvas` and `out`; all other fields
 * are zero at first. */
struct script {
    struct app *app;
    struct canvas *canvas; /* drawn after every key */
    FILE *out;             /* output of `screen` */
    enum app_next next;    /* after the last line; after APP_QUIT no more keys are sent */
    struct key_event last; /* last position of the mouse while its button is down */
    bool held;
    bool printed; /* the screen was printed and has not changed since */
    FILE *err;    /* a terminal shows there what takes long; NULL: nothing does */
};

/* Executes one line. Returns STATUS_INVALID if it is wrong; `error` says why. */
enum status script_run_line(struct script *script, const char *line, struct error *error);

/* Executes the lines of `keys` up to one that is wrong, each as it comes. Skips blank lines and
 * lines that begin with "# ", and everything after a key that quits. A wrong line, or one of more
 * than 64 KiB, is reported on `err` with `file`, the name of `keys` in messages, and the line
 * number; the exit status is then 2. If `keys` cannot be read to its end it is 1. */
int script_play(struct script *script, FILE *keys, const char *file, FILE *err);

/* Executes the lines of `keys` and prints screens to `out`, the last one even without a final
 * `screen`; exit status as of script_play. With `picture` the last screen becomes an SVG file
 * instead. Sets `output_error` to the errno of a write of the last screen that fails. Takes
 * ownership of start->document, also on failure. */
struct script_picture {
    const char *path; /* NULL: none; "-": to `out` */
    bool light;       /* background */
};

int script_run(const struct app_start *start, int rows, int columns, bool unicode, FILE *keys,
               const char *file, struct script_picture picture, FILE *out, int *output_error,
               FILE *err);

#endif
