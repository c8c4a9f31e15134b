/* List to choose from: typing filters it, columns sort it; the current item is marked. */
#ifndef AOLAG_TUI_PICKER_H
#define AOLAG_TUI_PICKER_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/filter.h"
#include "tui/keys.h"
#include "tui/line_edit.h"
#include "tui/list_pane.h"

#define PICKER_NOW " (now)" /* choosing this row changes nothing */

/* Zero-initialised: empty. */
struct picker {
    char title[192];
    char note[160];          /* question or explanation above the list; may be empty */
    struct table_pane table; /* widened to the texts of all items, as of the last selection */
    bool sortable;
    struct picker_item *items;
    int count, capacity;
    int *shown, shown_capacity; /* indices of the items that pass the filter */
    struct list_pane list;      /* list of `shown` */
    int sort;                   /* sort column */
    bool reversed;              /* the sort order is */
    struct rect titles;         /* their line as last drawn, for the mouse; else empty */
    bool asks;                  /* the owner applies the filter: all items pass */
    char passed[32];            /* what it then says of them: "5 of 20 designs" */
    const char *syntax;         /* shown while the filter is empty; NULL: nothing */
    struct line_edit filter;
    bool typing;        /* the last key changed the filter: Enter ends that and takes nothing */
    struct filter read; /* `filter`, as of the last selection */
};

/* Empties the list. `columns` is not copied and must remain valid. */
void picker_start(struct picker *picker, const char *title, const struct table_column *columns,
                  int column_count);
void picker_free(struct picker *picker);

/* Adds an item, zeroed except for its id (its index). */
struct picker_item *picker_add(struct picker *picker);

/* Adds an item with an id and the texts of the first two columns. */
struct picker_item *picker_add_texts(struct picker *picker, int id, const char *first,
                                     const char *second);

/* Completes the list after the last picker_add; puts the cursor on item `id`. */
void picker_ready(struct picker *picker, int id);

/* Marks an item as the current one. Call after its texts are set. */
void picker_mark_present(struct picker_item *item);

/* Types a character of the filter, to be applied; returns false if it has no room. */
bool picker_type(struct picker *picker, uint32_t character);

/* Applies the filter (filter.h). Items in which all words begin words come first. Puts the cursor
 * on the first item. */
void picker_refilter(struct picker *picker);

/* Filters and sorts again after texts or values have changed; the cursor stays on its item. */
void picker_update(struct picker *picker);

/* Replaces all items by these. The cursor stays on the item with its id, else at its place; on the
 * first row it stays there. */
void picker_replace(struct picker *picker, const struct picker_item *items, int count);

/* Puts the cursor on the item with an id, if it is shown. */
void picker_seek(struct picker *picker, int id);

/* Sorts by the next (1) or previous (-1) column that is not empty; the cursor stays on its item. */
void picker_sort(struct picker *picker, int by);

/* Moves the cursor, sorts and edits the filter. */
void picker_act(struct picker *picker, enum action_id id);

/* Returns the item under the cursor, or -1 if nothing passes the filter. */
int picker_chosen(const struct picker *picker);

void picker_draw(struct picker *picker, struct canvas *canvas, struct rect body);

/* Draws the list within a pane: its filter, then its rows. */
void picker_draw_inside(struct picker *picker, struct canvas *canvas, struct rect inside,
                        bool focus);

/* A click on the title of a column sorts by it, on that of the sort column reverses the order.
 * Returns true for a click on the item that already had the cursor. */
bool picker_mouse(struct picker *picker, const struct key_event *event);

#endif
