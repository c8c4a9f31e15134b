/* View 2: packets through the components or devices, and what waits for what. */
#ifndef AOLAG_TUI_VIEW_TIMELINE_H
#define AOLAG_TUI_VIEW_TIMELINE_H

#include "draw/plot.h"
#include "model/schedule.h"
#include "tui/host.h"
#include "tui/layout.h"

/* What the window follows when the design changes; else it stays where it is. */
enum timeline_scope { SCOPE_WHOLE, SCOPE_TAIL, SCOPE_FRAMES, SCOPE_FREE };

struct timeline_view {
    struct host *host;
    struct rect box, cells; /* as last drawn, for the mouse: all of it, the cells of the lanes */
    int band;               /* rows of each lane */
    bool outdated;          /* the lanes are those of an earlier design */
    struct schedule lanes;  /* of the last design that had a meaning; of none at first */
    enum row_order by;
    enum timeline_scope scope;
    double from, to;              /* s: the window */
    int first;                    /* lane at the top */
    int lane;                     /* with the cursor */
    int slot;                     /* under the cursor; -1: there is none */
    char node[NODE_NAME_MAX + 1]; /* whose that is, and its number: when the design changes */
    int number;
};

/* timeline_window.c: the window and the cursor. Whatever they do the window stays within the
 * limits, the lane and the slot are among those there are, and the slot is one of the lane's. */

/* From a frame before the reported one to a frame after it. */
void timeline_limits(const struct timeline_view *view, double *low, double *high);

/* After lanes were taken: the same slot, or one near to it; `start`: where the latency comes from.
 */
void timeline_settle(struct timeline_view *view, const struct result *result);

void timeline_scope(struct timeline_view *view, enum timeline_scope scope);
/* Makes the window `factor` as wide; the time `at` stays where it is. */
void timeline_zoom(struct timeline_view *view, double factor, double at);
/* By a part of its width. The cursor goes along where it would be lost. */
void timeline_pan(struct timeline_view *view, double part);
/* To another slot; brings it into the window. */
void timeline_focus(struct timeline_view *view, int slot);
void timeline_move_lane(struct timeline_view *view, int by);
void timeline_turn(struct timeline_view *view); /* to the other kind of lanes */
/* When the slot under the cursor begins, within the window. */
double timeline_cursor_time(const struct timeline_view *view);

/* timeline_cells.c: the lanes from `first` on in a plot that is open, and which looks there are in
 * it (bit k: enum chart_look k). */
unsigned timeline_cells(const struct timeline_view *view, const struct plot *plot, int lanes);

/* timeline_draw.c */
void timeline_draw(void *state, struct canvas *canvas, struct rect body);
void timeline_detail(void *state, struct canvas *canvas, struct rect line);

/* view_timeline.c: takes the lanes of the design as it is; where it has no meaning those of the
 * last that had one stay. */
void timeline_renew(struct timeline_view *view);

#endif
