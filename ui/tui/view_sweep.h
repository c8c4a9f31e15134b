/* View 4: a result over the knob that Explore's cursor is on, or over that and a second one that is
 * held. Computed in the background, coarse first, then finer. */
#ifndef AOLAG_TUI_VIEW_SWEEP_H
#define AOLAG_TUI_VIEW_SWEEP_H

#include <stdbool.h>

#include "draw/plot.h"
#include "explore/grid.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"
#include "tui/worker.h"

struct grid_work;

#define SWEEP_PATH GRID_PATH_MAX
#define SWEEP_SPEC 1024 /* "P=FROM:TO:N" */

struct sweep_view {
    struct host *host;
    const struct design *design;          /* of the host */
    char path[GRID_AXES_MAX][SWEEP_PATH]; /* of the knobs: along, up; empty: none */
    char spec[GRID_AXES_MAX][SWEEP_SPEC]; /* the values to sweep; empty: the whole range */
    char followed[SWEEP_PATH];            /* the knob that Explore's cursor was on */
    struct result_ref wanted;             /* row NULL: the latency */
    double cursor[GRID_AXES_MAX];         /* part of the way along each axis, 0 to 1 */
    bool placed;                          /* the cursor was moved */
    bool wants;                           /* what is shown is outdated */
    char problem[ERROR_MESSAGE_MAX];      /* why there is nothing to show; empty: none */
    struct grid grid;                     /* what is shown; count 0: nothing */
    struct worker worker;
    struct grid_work *work; /* what it computes, while it runs */
    struct rect box;        /* as last drawn, for the mouse */
    struct plot plot;
    bool drawn;            /* `plot` is valid */
    struct list_pane bars; /* those that are shown */
};

#endif
