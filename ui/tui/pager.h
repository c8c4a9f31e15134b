/* Text in a box over the view, to be scrolled: help, the output of a command. */
#ifndef AOLAG_TUI_PAGER_H
#define AOLAG_TUI_PAGER_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/keys.h"
#include "tui/list_pane.h"

/* Zero-initialised is closed. */
struct pager {
    char title[64];
    char *text;            /* owned; NULL: closed */
    int columns;           /* of the longest line */
    struct list_pane list; /* rows of the text, broken into the width of the last draw */
};

/* Shows text; takes it over. Tabs and control characters become blanks. */
void pager_open(struct pager *pager, const char *title, char *text);
void pager_close(struct pager *pager);
bool pager_is_open(const struct pager *pager);

void pager_act(struct pager *pager, enum action_id id);
void pager_mouse(struct pager *pager, const struct key_event *event);

/* Lines too long for the box go on below themselves, a little further in. */
void pager_draw(struct pager *pager, struct canvas *canvas, struct rect body);

#endif
