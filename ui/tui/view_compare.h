/* View 5: two designs side by side, every difference. */
#ifndef AOLAG_TUI_VIEW_COMPARE_H
#define AOLAG_TUI_VIEW_COMPARE_H

#include <stdbool.h>

#include "design/scenario.h"
#include "draw/canvas.h"
#include "explore/compare.h"
#include "model/result.h"
#include "tui/host.h"
#include "tui/layout.h"

enum compare_pane { COMPARE_VERDICT, COMPARE_KNOBS, COMPARE_RESULTS, COMPARE_NODES, COMPARE_PANES };

/* The design the present one is compared with, side 1: the baseline, or one that was chosen. */
struct compare_other {
    char name[96];            /* of the chosen one; empty: the baseline */
    struct scenario scenario; /* of the chosen one */
    struct result result;     /* of either */
    bool ready;               /* there is memory for it */
    bool evaluated;
    int pins; /* the baseline's, when it was evaluated */
};

struct compare_view {
    struct host *host;
    struct compare_other other;
    struct comparison comparison;
    bool compared;                /* there is one; of the last design that had a meaning */
    bool current;                 /* it is that of the present designs */
    struct compare_layout layout; /* as last drawn, for the mouse */
    enum compare_pane focus;
    enum compare_pane lower; /* where there is room for one below the verdict */
    int cursor[COMPARE_PANES], first[COMPARE_PANES]; /* an item, a row at the top */
    int pages[COMPARE_PANES];                        /* rows shown */
    bool logarithmic;                                /* bars */
};

/* compare_other.c */

/* Brings the comparison up to date; compared: there is one. */
void compare_update(struct compare_view *view);

/* What the other design is called. */
const char *compare_name(const struct compare_view *view);
void compare_choose_other(struct compare_view *view, const char *argument);

/* compare_rows.c: items the cursor goes through and rows they take in each pane; the first of an
 * item's rows; the item of a row (-1: a heading). */
int compare_items(const struct compare_view *view, enum compare_pane pane);
int compare_rows(const struct compare_view *view, enum compare_pane pane);
int compare_row_of(const struct compare_view *view, enum compare_pane pane, int item);
int compare_item_at(const struct compare_view *view, enum compare_pane pane, int row);

/* Figure of a device that differs, number `item` of all; false: there are not as many. */
bool compare_device_figure(const struct comparison *comparison, int item,
                           const struct compared_device **device, struct device_figure *figure);

/* The node whose row an item of the components' pane is, and how many it stands for. */
int compare_node(const struct compare_view *view, int item, int *alike);

void compare_draw_pane(struct compare_view *view, struct canvas *canvas, enum compare_pane pane,
                       struct rect box);

/* The verdict as it stands; returns the rows it takes (also when they do not fit). */
int compare_draw_verdict(const struct compare_view *view, struct canvas *canvas, struct rect inside,
                         int first);

/* compare_take.c: what is under the cursor, and Enter on it. */
const struct difference *compare_difference(const struct compare_view *view);
void compare_enter(struct compare_view *view);
bool compare_path(const void *state, char *path, size_t size);
void compare_detail(const struct compare_view *view, char *text, size_t size);

#endif
