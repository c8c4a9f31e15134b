/* A list to choose from: type to filter, sort by column; the one in force is marked. */
#ifndef AOLAG_TUI_PICKER_H
#define AOLAG_TUI_PICKER_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/keys.h"
#include "tui/line_edit.h"
#include "tui/list_pane.h"

#define PICKER_COLUMNS 5
#define PICKER_TEXT 64

struct picker_column {
    const char *title;
    bool number; /* set against the right; sorts downwards, by `value` */
};

struct picker_item {
    char text[PICKER_COLUMNS][PICKER_TEXT];
    double value[PICKER_COLUMNS];
    int group; /* lower ones first, whatever the sort */
    int id;
};

/* Zero-initialised is empty. */
struct picker {
    char title[96];
    char note[160]; /* a question or explanation above the list; may be empty */
    const struct picker_column *columns;
    int column_count;
    bool sortable;
    struct picker_item *items;
    int count, capacity;
    int *shown, shown_capacity; /* items that pass the filter, in order, */
    struct list_pane list;      /* which are those of this list */
    int present;                /* item in force, -1: none */
    int sort;                   /* column */
    struct line_edit filter;
};

/* Empties the list; the columns are the caller's and stay. */
void picker_start(struct picker *picker, const char *title, const struct picker_column *columns,
                  int column_count);
void picker_free(struct picker *picker);

/* A new item, zeroed but for its id (its number), to be filled; NULL without memory. */
struct picker_item *picker_add(struct picker *picker);

/* The same with an id and the texts of the first two columns. */
struct picker_item *picker_add_texts(struct picker *picker, int id, const char *first,
                                     const char *second);

/* To be called when all items are there: puts the focus on item `id`. */
void picker_ready(struct picker *picker, int id);

/* Marks item `id` as the one in force; -1: none. */
void picker_present(struct picker *picker, int id);

/* Words of the filter must each occur in one of the item's texts, whatever their case. */
void picker_refilter(struct picker *picker);

/* Sorts by the next (1) or previous (-1) column; the focus stays on its item. */
void picker_sort(struct picker *picker, int by);

/* Moves, sorts and edits the filter. */
void picker_act(struct picker *picker, enum action_id id);
void picker_type(struct picker *picker, uint32_t character);

/* The item under the focus, or -1 when nothing passes the filter. */
int picker_chosen(const struct picker *picker);

void picker_draw(struct picker *picker, struct canvas *canvas, struct rect body);

/* true: a click on the item that had the focus already. */
bool picker_mouse(struct picker *picker, const struct key_event *event);

#endif
