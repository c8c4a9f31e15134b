/* View 4: a result as a function of the knob under Explore's cursor, before that was moved of the
 * most sensitive one; or of a held knob and the most sensitive other one. The values are those of
 * parts where these are listed. Computed in the background, coarse first, then finer. */
#ifndef AOLAG_TUI_VIEW_SWEEP_H
#define AOLAG_TUI_VIEW_SWEEP_H

#include <stdbool.h>

#include "draw/plot.h"
#include "explore/grid.h"
#include "model/result_read.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"
#include "tui/worker.h"

struct grid_work;

#define SWEEP_PATH GRID_PATH_MAX
#define SWEEP_SPEC 1024 /* "P=FROM:TO:N" */

struct sweep_view {
    struct host *host;
    const struct design *design;          /* the host's */
    char path[GRID_AXES_MAX][SWEEP_PATH]; /* knobs along x and y; empty: none */
    char spec[GRID_AXES_MAX][SWEEP_SPEC]; /* values to sweep; empty: not typed */
    bool whole;                           /* the whole range of a knob, not what is around it */
    double centre[GRID_AXES_MAX];         /* SI, of the values around; 0: the one in force */
    char followed[SWEEP_PATH];            /* knob under Explore's cursor; empty: not open yet */
    char initial[SWEEP_PATH];             /* the same when the design was loaded */
    bool choosing;                        /* the most sensitive knob is looked for */
    struct result_ref wanted;             /* row NULL: the latency, or the total of the error
                                             budget if the latency does not change */
    double cursor[GRID_AXES_MAX];         /* position along each axis, 0 to 1 */
    bool cursor_moved;                    /* by the user, from the present design */
    bool requested;                       /* a computation is requested */
    char problem[ERROR_MESSAGE_MAX];      /* why no grid is shown; empty: none */
    struct grid grid;                     /* grid shown; count 0: none */
    struct worker worker;
    struct grid_work *work; /* grid being computed; NULL: none */
    struct rect box;        /* as last drawn, for the mouse */
    struct plot plot;
    bool drawn;            /* `plot` is valid */
    struct list_pane bars; /* bars shown */
};

#endif
