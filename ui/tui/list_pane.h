/* Cursor, paging, scrolling and mouse handling for everything that has more rows than fit: lists
 * with a cursor on one item, and texts, which only scroll.
 *
 * Each frame the owner sets the number of items and their area (list_pane_lay, or
 * list_pane_lay_rows if items have several rows), draws the visible lines and then the scroll bar.
 * Key and mouse events refer to the last frame. */
#ifndef AOLAG_TUI_LIST_PANE_H
#define AOLAG_TUI_LIST_PANE_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/keys.h"

/* Zero-initialised: empty. */
struct list_pane {
    int count; /* number of items */
    int focus; /* item under the cursor; beyond the count: the last item */
    int page;  /* items per PageUp and PageDown; 0: one less than the rows */
    bool text; /* no cursor: keys and wheel scroll */

    int total;        /* total rows of all items */
    int first;        /* topmost visible row */
    struct rect area; /* area of the rows, as last drawn */
};

/* Returns the item under the cursor, 0 to count - 1; -1: none. */
int list_pane_focus(const struct list_pane *list);

/* Moves the cursor to an item or the nearest existing one. */
void list_pane_set(struct list_pane *list, int item);

/* Moves the cursor by items, or scrolls a text by rows, within the range. */
void list_pane_move(struct list_pane *list, int by);

/* Scrolls by rows; moves the cursor only to keep it visible. For items of one row each. */
void list_pane_scroll(struct list_pane *list, int by);

/* Handles Up, Down, PageUp, PageDown, Home and End. Returns false for other actions, which it
 * ignores. */
bool list_pane_act(struct list_pane *list, enum action_id id);

/* Handles the wheel (`wheel` items or rows) and clicks, which move the cursor to their item.
 * Returns true for a click on the item that already had the cursor. For items of one row each. */
bool list_pane_mouse(struct list_pane *list, const struct key_event *event, int wheel);

/* Returns the row at a cell of the screen, or -1. */
int list_pane_row_at(const struct list_pane *list, int row, int column);

/* Prepares drawing `count` items of one row each in `area`. Scrolls as little as needed to show the
 * cursor, within the rows. */
void list_pane_lay(struct list_pane *list, struct rect area, int count);

/* The same for items of several rows: `total` is the number of rows of all items; the item under
 * the cursor has `rows` rows from `top`, the first of which is always shown. */
void list_pane_lay_rows(struct list_pane *list, struct rect area, int count, int total, int top,
                        int rows);

/* Returns the cells of a row; an empty rectangle if it is not visible. */
struct rect list_pane_line(const struct list_pane *list, int row);

/* Highlights the line of the cursor and puts the terminal's cursor there; dimmer without the
 * focus. */
void list_pane_draw_cursor(struct canvas *canvas, struct rect line, bool focus);

/* Draws a scroll bar in `column`; nothing if all rows fit. */
void list_pane_draw_bar(const struct list_pane *list, struct canvas *canvas, int column,
                        bool focus);

#endif
