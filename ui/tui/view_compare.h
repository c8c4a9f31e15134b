/* View 5: all differences between two designs, side by side. */
#ifndef AOLAG_TUI_VIEW_COMPARE_H
#define AOLAG_TUI_VIEW_COMPARE_H

#include <stdbool.h>

#include "design/scenario.h"
#include "draw/canvas.h"
#include "explore/compare.h"
#include "model/result.h"
#include "tui/file_list.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"
#include "tui/table_pane.h"
#include "tui/widget.h"
#include "session/worker.h"

enum compare_pane { COMPARE_VERDICT, COMPARE_KNOBS, COMPARE_RESULTS, COMPARE_NODES, COMPARE_PANES };

/* The design that the present one is compared with, side 1: the baseline or a chosen design. */
struct compare_other {
    char name[DESIGN_NAME];   /* of a chosen design; empty: the baseline */
    struct scenario scenario; /* of a chosen design */
    struct result result;     /* of the baseline or the chosen design */
    bool evaluated;
    int pins; /* the baseline's number when it was evaluated */
};

/* What the design can be compared with, shown until one is chosen. */
struct compare_choices {
    struct menu_design *at;
    int count, capacity;
    struct file_list files; /* of the folder of the design's file */
    struct list_pane list;
    bool read; /* they are those of the list that is shown */
};

/* A row of a pane: a difference, a result, or one of the two rows of a node. */
struct compare_row {
    int item;   /* index in the list; -1: heading of the row below */
    int at;     /* index in the comparison; for a device, index of its figure */
    int device; /* device of the figure; -1: none */
    int alike;  /* number of similar nodes in the row */
    int side;   /* of a node: the design whose row it is */
};

struct compare_rows {
    struct compare_row *row;
    int count, capacity;
};

struct compare_view {
    struct host *host;
    const struct design *design; /* the host's */
    struct compare_other other;
    struct compare_choices choices;
    struct comparison comparison;
    unsigned long comparisons; /* so far */
    struct answer ranges;      /* of both designs (both_answer) */
    struct compare_rows rows[COMPARE_PANES]; /* of the comparison; unused for the verdict */
    bool compared;                           /* there is a comparison, with the last valid design */
    bool current;                            /* the comparison is of the present designs */
    struct compare_layout layout;            /* as last drawn, for the mouse */
    enum compare_pane focus;
    enum compare_pane lower; /* the one below the verdict if there is room */
    struct list_pane list[COMPARE_PANES];
    bool logarithmic;       /* scale of the bars */
    struct bar_scale scale; /* as last drawn */
};

/* Returns the name of the other design. */
const char *compare_name(const struct compare_view *view);

/* Writes the values of a difference in words, of presets the models: shortened to what tells both
 * apart, not to a width; `value` has SIDES texts. */
enum { COMPARE_VALUE_MAX = TABLE_PANE_TEXT };
void compare_values(const struct compare_view *view, const struct difference *difference,
                    char (*value)[COMPARE_VALUE_MAX]);

/* compare_choices.c: reads them; writes the path of the file with an id. */
void compare_read_choices(struct compare_view *view);
void compare_choice_path(const struct compare_view *view, int id, char *path, size_t size);
void compare_free_choices(struct compare_choices *choices);
void compare_draw_choices(struct compare_view *view, struct canvas *canvas, struct rect body);

/* compare_panes.c */

/* Lists the rows of the comparison again. */
void compare_list_rows(struct compare_view *view);

/* Returns the row under the cursor of the focused pane, or NULL. */
const struct compare_row *compare_row(const struct compare_view *view);

void compare_draw(struct compare_view *view, struct canvas *canvas, struct rect body);

#endif
