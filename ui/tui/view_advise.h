/* View 6: the gain of one step of each knob, ranked, beside the ways to meet the target, the best
 * shares of devices and the best number of packets.
 *
 * A worker computes the parts one by one while the view is open, and again after the design
 * changes; until then the results of the previous design stay on the screen. */
#ifndef AOLAG_TUI_VIEW_ADVISE_H
#define AOLAG_TUI_VIEW_ADVISE_H

#include <stdbool.h>

#include "explore/advise.h"
#include "explore/rank.h"
#include "session/answers.h"
#include "tui/front.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"
#include "tui/picker.h"

/* The search has the whole view. */
enum advise_pane {
    ADVISE_PANE_STEPS,
    ADVISE_PANE_ANSWERS,
    ADVISE_PANES, /* of rows */
    ADVISE_PANE_SEARCH = ADVISE_PANES,
    ADVISE_PANES_ALL
};

enum advise_row_kind {
    ADVISE_HEADING,  /* heading: text only */
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
    const char *group; /* of the pane, for the heading above the rows */
    int a, b;
    struct knob_ref ref; /* its subject; knob NULL: none */
    const char *to;      /* value proposed for `ref`; NULL: none, or not a text */
    char name[NODE_NAME_MAX + 128];
    bool title;                      /* `name` only, across all columns */
    char change[300];                /* "from → to"; empty: none */
    const char *caveat;              /* of a step; NULL: none */
    double gain, elasticity;         /* s, and a number; RESULT_NONE: none */
    double error;                    /* m, change of the total; RESULT_NONE: not known */
    double load;                     /* after the change; RESULT_NONE: none */
    double watts;                    /* change of the power, W; RESULT_NONE: the row has none */
    bool unstated;                   /* a device does not state its power */
    const struct performance *after; /* after the change; NULL: the row is not a change */
};

struct advise_rows {
    struct list_pane list;
    struct advise_row *row; /* list.count elements; owned */
    int capacity;
    const char *group; /* of the rows added next */
    bool by_watts;     /* what needs least power comes first in each group */
};

struct advise_view {
    struct host *host;
    const struct design *design; /* the host's */
    struct answer answer; /* advice_answer */
    int parts;            /* complete parts of what is shown when the rows were listed */
    enum advise_pane focus;
    struct rect box[ADVISE_PANES]; /* as last drawn, for the mouse; empty: hidden */
    struct advise_rows rows[ADVISE_PANES];

    struct front *front; /* the host's */
    struct picker designs;
    struct rect search; /* as last drawn; empty: hidden */
    int version;        /* of the front that is listed */
};

/* advise_rows.c */

/* Returns the advice that is shown, also of an earlier design or a part; NULL: nothing yet. */
static inline const struct advice_answer *advise_shown(const struct advise_view *view)
{
    const struct advice_answer *answer = view->answer.job;

    return answer != NULL && atomic_load(&answer->parts) > 0 ? answer : NULL;
}

/* Lists the rows of its complete parts. */
void advise_list_rows(struct advise_view *view);

/* Returns the row under the cursor, or NULL. */
const struct advise_row *advise_row(const struct advise_view *view);

void advise_draw(struct advise_view *view, struct canvas *canvas, struct rect body);
void advise_draw_detail(void *state, struct canvas *canvas, struct rect line);

#endif
