/* Cursor, paging, scrolling and mouse of everything on the screen that has more rows than it can
 * show: lists with a cursor on one item, and texts, which only scroll.
 *
 * Each frame the owner says how many items there are and where they are drawn (list_pane_lay, and
 * list_pane_reveal where items have several rows), draws the lines it is given and then the scroll
 * bar. Keys and mouse events then work on what was drawn last. */
#ifndef AOLAG_TUI_LIST_PANE_H
#define AOLAG_TUI_LIST_PANE_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/keys.h"

/* Zero-initialised is empty. */
struct list_pane {
    int count; /* items */
    int focus; /* the item under the cursor; what exceeds the count means the last */
    int page;  /* items of PageUp and PageDown; 0: one less than there are rows */
    bool text; /* without a cursor: keys and wheel scroll */

    int total;        /* rows of all items */
    int first;        /* the row at the top */
    struct rect area; /* where rows are, as last drawn */
};

/* The item under the cursor: 0 to count - 1; -1: there is none. */
int list_pane_focus(const struct list_pane *list);

/* Puts the cursor on an item, or on the nearest there is. */
void list_pane_set(struct list_pane *list, int item);

/* Moves the cursor, or scrolls a text, by items or rows as far as there are any. */
void list_pane_move(struct list_pane *list, int by);

/* Moves what is shown by rows; the cursor comes along only where it would be lost. For items of one
 * row each. */
void list_pane_scroll(struct list_pane *list, int by);

/* Up, Down, PageUp, PageDown, Home and End. false: it is another action, and nothing was done. */
bool list_pane_act(struct list_pane *list, enum action_id id);

/* The wheel, by `wheel` items or rows; a click puts the cursor on its item. true: on the item that
 * had the cursor already. For items of one row each. */
bool list_pane_mouse(struct list_pane *list, const struct key_event *event, int wheel);

/* The row at a cell of the screen, or -1. */
int list_pane_row_at(const struct list_pane *list, int row, int column);

/* Before drawing: `count` items of one row each in `area`. What is shown follows the cursor, moving
 * as little as it can, and stays within the rows. */
void list_pane_lay(struct list_pane *list, struct rect area, int count);

/* The same for items of other heights: all have `total` rows, the item under the cursor those from
 * `top` on, of which the first is shown in any case. */
void list_pane_lay_rows(struct list_pane *list, struct rect area, int count, int total, int top,
                        int rows);

/* Where a row is drawn; without rows where it is not shown. */
struct rect list_pane_line(const struct list_pane *list, int row);

/* Marks the line of the cursor and puts the terminal's there; paler without the focus. */
void list_pane_draw_cursor(struct canvas *canvas, struct rect line, bool focus);

/* A thumb in a column, beside the rows; nothing when all of them fit. */
void list_pane_draw_bar(const struct list_pane *list, struct canvas *canvas, int column,
                        bool focus);

#endif
