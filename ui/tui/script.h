/* The explorer driven by words, one a line, without a terminal. A word is a key's name, a single
 * character, or one of
 *
 *     text WORDS               types the rest of the line
 *     resize 80x24             columns x rows
 *     screen                   prints the screen between rulers
 *     click ROW COLUMN         presses the mouse button there; from 0, as the canvas counts
 *     drag ROW COLUMN          moves the mouse, the button down
 *     wheel up|down ROW COLUMN
 *     wait                     until the work in the background has ended
 *
 * The button is released before the next word that is not a drag. */
#ifndef AOLAG_TUI_SCRIPT_H
#define AOLAG_TUI_SCRIPT_H

#include <stdio.h>

#include "tui/app.h"

/* A session between two lines. `app`, `canvas` and `out` are the caller's; the rest is zero at
 * first. */
struct script {
    struct app *app;
    struct canvas *canvas; /* drawn after every key */
    FILE *out;             /* for `screen` */
    enum app_next next;    /* what the last line led to: APP_QUIT, nothing was pressed after it */
    struct key_event last; /* where the mouse button went down or was dragged to */
    bool held;
    bool printed; /* the screen as it is now */
};

/* Runs one line. STATUS_INVALID: it is wrong, and `error` says why. */
enum status script_run_line(struct script *script, const char *line, struct error *error);

/* Runs the lines of `keys` and prints screens to `out`, the last one even without a final `screen`.
 * Blank lines and lines that begin with "# " say nothing; after a key that quits, the rest is not
 * read. A wrong line is named with its number and `file`, the name of `keys` for people, on `err`:
 * exit status 2. Takes start->document over, whatever comes of it. */
int script_run(const struct app_start *start, int rows, int columns, bool unicode, FILE *keys,
               const char *file, FILE *out, FILE *err);

#endif
