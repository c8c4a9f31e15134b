/* Text in a box over the view, to be scrolled: help, the output of a command. */
#ifndef AOLAG_TUI_PAGER_H
#define AOLAG_TUI_PAGER_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/canvas.h"
#include "tui/list_pane.h"

/* Zero-initialised is closed. */
struct pager {
    char title[176];
    FILE *out;     /* what is being written; NULL: nothing is, */
    char *written; /* and the memory it is written to, owned, */
    size_t length;
    char *text;            /* as shown; NULL: closed */
    int columns;           /* of the longest line */
    struct list_pane list; /* rows of the text, broken into the width of the last draw; keys and
                              mouse act on it */
};

/* Closes the box and returns the stream to write a new text to; NULL without memory. */
FILE *pager_start(struct pager *pager, const char *title);

/* Opens the box with what was written, and closes the stream. A first line that is the title is
 * left out; tabs and control characters become blanks. false without memory or text: it stays
 * closed. */
bool pager_show(struct pager *pager);

void pager_close(struct pager *pager);
bool pager_is_open(const struct pager *pager);

/* Lines too long for the box go on below themselves, a little further in. */
void pager_draw(struct pager *pager, struct canvas *canvas, struct rect body);

#endif
