/* View 4: a result as a function of the knob under Explore's cursor, before that was moved of the
 * most sensitive one; or of a held knob and the most sensitive other one. The values are those of
 * parts where these are listed. Computed in the background, coarse first, then finer. */
#ifndef AOLAG_TUI_VIEW_SWEEP_H
#define AOLAG_TUI_VIEW_SWEEP_H

#include <stdbool.h>

#include "draw/plot.h"
#include "explore/grid.h"
#include "model/result_read.h"
#include "session/sweep_answer.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

struct sweep_view {
    struct host *host;
    const struct design *design;          /* the host's */
    struct sweep_question question;       /* of the knob that is swept */
    char followed[GRID_PATH_MAX];            /* knob under Explore's cursor; empty: not open yet */
    char initial[GRID_PATH_MAX];             /* the same when the design was loaded */
    double cursor[GRID_AXES_MAX];         /* position along each axis, 0 to 1 */
    bool cursor_moved;                    /* by the user, from the present design */
    char problem[ERROR_MESSAGE_MAX];      /* why no grid is shown; empty: none */
    struct grid grid;                     /* grid shown; count 0: none */
    bool fresh;                           /* it answers the present question */
    struct answer answer;                 /* sweep_answer */
    struct rect box;        /* as last drawn, for the mouse */
    struct plot plot;
    bool drawn;            /* `plot` is valid */
    struct list_pane bars; /* bars shown */
};

#endif
