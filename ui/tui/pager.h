/* Scrollable text in a box over the view: help, the output of a command. */
#ifndef AOLAG_TUI_PAGER_H
#define AOLAG_TUI_PAGER_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/canvas.h"
#include "tui/list_pane.h"

/* Zero-initialised: closed. */
struct pager {
    char title[176];
    FILE *out;     /* stream for the new text; NULL: none */
    char *written; /* memory of `out`, owned */
    size_t length;
    char *text;            /* as displayed; NULL: closed */
    int columns;           /* width of the longest line */
    struct list_pane list; /* rows of the wrapped text; handles keys and mouse */
};

/* Closes the box and returns a stream for a new text. */
FILE *pager_start(struct pager *pager, const char *title);

/* Closes the stream and opens the box with its text. Omits a first line that equals the title;
 * replaces tabs and control characters by blanks. Returns false and stays closed if there is no
 * text. */
bool pager_show(struct pager *pager);

void pager_close(struct pager *pager);
bool pager_is_open(const struct pager *pager);

/* Draws the text. Lines wider than the box are wrapped, with a slightly deeper indent. */
void pager_draw(struct pager *pager, struct canvas *canvas, struct rect body);

#endif
