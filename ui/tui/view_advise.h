/* View 6: what one step of each knob would gain, ranked; and, beside it, what meets the target, the
 * best division of devices, the best number of packets, the best presets.
 *
 * It is found by a worker while the view is open, part by part, and anew when the design changed;
 * what was found for the design before stays on the screen until there is something newer. */
#ifndef AOLAG_TUI_VIEW_ADVISE_H
#define AOLAG_TUI_VIEW_ADVISE_H

#include <stdbool.h>

#include "explore/part_values.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/worker.h"

struct advise_work;
struct chart;

enum advise_pane { ADVISE_PANE_STEPS, ADVISE_PANE_ANSWERS, ADVISE_PANES };

enum advise_row_kind {
    ADVISE_HEADING, /* text alone, `text` */
    ADVISE_STEP,    /* choices[a] */
    ADVISE_GIVEN,   /* given[a] */
    ADVISE_KNOB,    /* reach.knob[a] */
    ADVISE_WAY,     /* reach.way[a], its steps up to b; b -1: its heading */
    ADVISE_SPLIT,   /* split[a] */
    ADVISE_SHARE,   /* split[a].share[b] */
    ADVISE_PACKETS_BEST,
    ADVISE_PACKETS_FEWEST,
    ADVISE_PRESET /* rank[a].row[b] */
};

struct advise_row {
    enum advise_row_kind kind;
    int a, b;
    char text[128];
};

#define ADVISE_ROWS 2048 /* at most, of a pane */

struct advise_rows {
    int count, focus, first;
    struct advise_row row[ADVISE_ROWS];
};

struct advise_view {
    struct host *host;
    struct part_values *part_values; /* made when the view is first opened */
    struct worker worker;
    struct advise_work *running; /* the worker's; NULL: none */
    struct advise_work *shown;   /* NULL: nothing yet; may be the running one */
    bool stale;                  /* what runs is about a design that is no more */
    bool current;                /* what is shown, as far as it goes, is of the present design */
    int parts;                   /* of `shown` that the rows are of */
    struct error problem;        /* why there is none; STATUS_OK: nothing went wrong */
    enum advise_pane focus;
    struct rect box[ADVISE_PANES]; /* as last drawn, for the mouse; empty: not on the screen */
    struct advise_rows list[ADVISE_PANES];
};

/* advise_work.c */
void advise_ask(
    struct advise_view *view); /* starts the worker where what is shown is not of this design */
void advise_outdate(struct advise_view *view); /* the design changed */
void advise_close(struct advise_view *view);
bool advise_busy(const void *state);
void advise_take(void *state);

/* advise_rows.c: what is shown as rows, when more of it is there */
void advise_list_rows(struct advise_view *view);
const struct advise_row *advise_row(const struct advise_view *view); /* under the cursor, or NULL */
bool advise_row_knob(const struct advise_view *view, const struct advise_row *row,
                     struct knob_ref *ref); /* it is about */
int advise_row_device(const struct advise_view *view, const struct advise_row *row); /* or -1 */

/* advise_draw.c */
void advise_draw(void *state, struct canvas *canvas, struct rect body);
void advise_detail(void *state, struct canvas *canvas, struct rect line);

/* advise_change.c: Enter */
void advise_change(struct advise_view *view);

#endif
