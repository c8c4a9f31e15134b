/* View 4: a result over the knob that Explore's cursor is on, or over that and a second one that is
 * held. Computed beside the screen, coarse first, then finer. */
#ifndef AOLAG_TUI_VIEW_SWEEP_H
#define AOLAG_TUI_VIEW_SWEEP_H

#include <stdbool.h>

#include "draw/plot.h"
#include "explore/grid.h"
#include "tui/layout.h"
#include "tui/worker.h"

struct app;
struct sweep_work;

#define SWEEP_PATH GRID_PATH_MAX
#define SWEEP_SPEC 1024 /* "P=FROM:TO:N" */

struct sweep_view {
    char path[GRID_AXES_MAX][SWEEP_PATH]; /* of the knobs: along, up; empty: none */
    char spec[GRID_AXES_MAX][SWEEP_SPEC]; /* what values they are to take; empty: all their range */
    char followed[SWEEP_PATH];            /* the knob that Explore's cursor was on */
    struct result_ref wanted;             /* row NULL: the latency */
    double cursor[GRID_AXES_MAX];         /* part of the way along each axis, 0 to 1 */
    bool placed;                          /* the cursor is where somebody put it */
    bool wants;                           /* what is shown is not what is asked for */
    char problem[ERROR_MESSAGE_MAX];      /* why there is nothing to show; empty: there is */
    struct grid grid;                     /* what is shown; count 0: nothing */
    struct worker worker;
    struct sweep_work *work; /* what it computes, while it runs */
    struct rect box;         /* as last drawn, for the mouse */
    struct plot plot;
    bool drawn; /* the plot says where */
    int first;  /* bar at the top */
};

/* sweep_knobs.c: which knobs, over which values */
void sweep_follow(struct app *app);
void sweep_keep(struct app *app);
bool sweep_can(const struct knob *knob);
bool sweep_ref(const struct app *app, int axis, struct knob_ref *ref);
void sweep_other_knob(struct app *app, int by);
void sweep_variant(struct app *app);
void act_range(struct app *app, const char *argument);

/* sweep_work.c: computing */
void sweep_begin(struct app *app);
void sweep_again(struct app *app);
bool sweep_busy(const struct app *app);
void sweep_take(struct app *app);
void sweep_close(struct app *app);

#endif
