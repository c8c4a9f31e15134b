/* View 9: the control loop: transfer functions, spectra, error budget, and the gain as a slider. A
 * thread computes them. */
#ifndef AOLAG_TUI_VIEW_LOOP_H
#define AOLAG_TUI_VIEW_LOOP_H

#include "charts/loop.h"
#include "tui/host.h"

struct loop_work;

struct loop_view {
    struct host *host;
    const struct design *design; /* the host's */
    enum loop_chart chart;       /* chosen, where there is room for one */
    struct rect slider;          /* of the gain, as last drawn, for the mouse */
    struct worker worker;
    struct loop_work *running; /* owned by the worker while it runs; NULL: none */
    struct loop_work *shown;   /* NULL: none yet */
    bool current;              /* `shown` or `problem` is of the present design */
    bool stale;                /* what runs is not */
    struct error problem;      /* why there is no budget; STATUS_OK: there is */
};

#endif
