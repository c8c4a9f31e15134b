/* View 6: the gain of one step of each knob, ranked; and, beside it, what meets the target, the
 * best division of devices, the best number of packets, the best presets.
 *
 * A worker computes it part by part while the view is open, and again when the design changed;
 * until then the results of the design before stay on the screen. */
#ifndef AOLAG_TUI_VIEW_ADVISE_H
#define AOLAG_TUI_VIEW_ADVISE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "explore/advise.h"
#include "explore/part_values.h"
#include "explore/rank.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"
#include "tui/worker.h"

/* Parts come in this order; those up to `parts` are there and stay as they are. */
enum advise_work_part { WORK_STEPS, WORK_TARGET, WORK_SHARES, WORK_RANK, WORK_PACKETS, WORK_PARTS };

struct advise_work {
    struct advise *advise;
    struct catalogue *catalogue;
    atomic_int parts;
    int rank_count;
    struct rank rank[DEVICE_MAX]; /* of each that runs something, but the first of those alike */
    struct error error;           /* why it ended early */
};

enum advise_pane { ADVISE_PANE_STEPS, ADVISE_PANE_ANSWERS, ADVISE_PANES };

enum advise_row_kind {
    ADVISE_HEADING,  /* text alone, `text` */
    ADVISE_STEP,     /* choices[a] */
    ADVISE_GIVEN,    /* given[a] */
    ADVISE_KNOB,     /* target.knob[a] */
    ADVISE_SEQUENCE, /* target.sequence[a], its steps up to b; b -1: its heading */
    ADVISE_SPLIT,    /* split[a] */
    ADVISE_SHARE,    /* split[a].share[b] */
    ADVISE_PACKETS_BEST,
    ADVISE_PACKETS_FEWEST,
    ADVISE_PRESET /* rank[a].row[b] */
};

struct advise_row {
    enum advise_row_kind kind;
    int a, b;
    struct knob_ref ref; /* it is about; knob NULL: none */
    const char *to;      /* the value it proposes for that; NULL: none, or no text */
    char name[NODE_NAME_MAX + 64];
    bool title;                      /* the name alone, over all columns */
    char change[300];                /* "from → to"; empty: none */
    double gain, elasticity;         /* s, a number; RESULT_NONE: none */
    const struct performance *after; /* the change; NULL: it is none */
};

struct advise_rows {
    struct list_pane list;
    struct advise_row *row; /* as many as the list has items; owned */
    int capacity;
};

struct advise_view {
    struct host *host;
    const struct design *design;     /* of the host */
    struct part_values *part_values; /* made when the view is first opened */
    struct worker worker;
    struct advise_work *running; /* the worker's; NULL: none */
    struct advise_work *shown;   /* NULL: nothing yet; may be the running one */
    bool stale;                  /* what runs is about a design that is no more */
    bool current;                /* what is shown, even if incomplete, is of the present design */
    int parts;                   /* of `shown` that the rows are of */
    struct error problem;        /* why there is none; STATUS_OK: no error */
    enum advise_pane focus;
    struct rect box[ADVISE_PANES]; /* as last drawn, for the mouse; empty: not on the screen */
    struct advise_rows rows[ADVISE_PANES];
};

/* advise_rows.c */

/* Lists what is shown as rows, when there is more of it. */
void advise_list_rows(struct advise_view *view);

/* The row under the cursor; NULL: there is none. */
const struct advise_row *advise_row(const struct advise_view *view);

void advise_draw(struct advise_view *view, struct canvas *canvas, struct rect body);
void advise_draw_detail(void *state, struct canvas *canvas, struct rect line);

#endif
