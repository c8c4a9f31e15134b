/* The two ways to run the explorer. Both return an exit status and take start->document over,
 * whatever comes of it. */
#ifndef AOLAG_TUI_TUI_H
#define AOLAG_TUI_TUI_H

#include <stdio.h>

#include "tui/app.h"

/* On the terminal, until the user quits. */
int tui_run(const struct app_start *start, FILE *err);

/* Headless: runs the words of `keys`, one a line, and prints screens to `out`. A word is a key's
 * name, a single character, or one of
 *
 *     text WORDS               types the rest of the line
 *     resize 80x24             columns x rows
 *     screen                   prints the screen between rulers
 *     click ROW COLUMN         presses the mouse button there; from 0, as the canvas counts
 *     drag ROW COLUMN          moves the mouse, the button down
 *     wheel up|down ROW COLUMN
 *     wait                     until what runs beside the screen has ended
 *
 * The button is released before the next word that is not a drag.
 *
 * Blank lines and lines that begin with "# " say nothing. The last screen is printed even without
 * a final `screen`; after a key that quits, the rest is not read. A bad word is named with its
 * line and `file`, the name of `keys` for people, on `err`: exit status 2. */
int tui_script(const struct app_start *start, int rows, int columns, bool unicode, FILE *keys,
               const char *file, FILE *out, FILE *err);

#endif
