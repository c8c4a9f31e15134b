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
#include "tui/list_pane.h"

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

/* A row of a pane: a difference, a result, one of the two of a node. */
struct compare_row {
    int item;   /* of the list; -1: the heading of the row below */
    int at;     /* its number in the comparison, of a device that of its figure */
    int device; /* whose figure; -1: none */
    int alike;  /* nodes of one kind that it shows */
};

struct compare_rows {
    struct compare_row *row;
    int count, capacity;
};

struct compare_view {
    struct host *host;
    const struct design *design; /* of the host */
    struct compare_other other;
    struct comparison comparison;
    struct compare_rows rows[COMPARE_PANES]; /* of the comparison; the verdict has none */
    bool compared;                           /* there is one; of the last design that was valid */
    bool current;                            /* it is that of the present designs */
    struct compare_layout layout;            /* as last drawn, for the mouse */
    enum compare_pane focus;
    enum compare_pane lower; /* where there is room for one below the verdict */
    struct list_pane list[COMPARE_PANES];
    bool logarithmic; /* bars */
};

/* What the other design is called. */
const char *compare_name(const struct compare_view *view);

/* compare_panes.c */

/* Lists the rows of the comparison again. */
void compare_list_rows(struct compare_view *view);

/* The row under the cursor of the pane with the focus; NULL: there is none. */
const struct compare_row *compare_row(const struct compare_view *view);

void compare_draw(struct compare_view *view, struct canvas *canvas, struct rect body);

#endif
