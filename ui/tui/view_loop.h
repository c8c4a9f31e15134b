/* View 9: the control loop: transfer functions, spectra, error budget, and a list of the knobs on
 * which they depend, with the gain between 0 and its maximum and what another delay changes. A
 * thread computes them; until it is done those of the design before are shown. */
#ifndef AOLAG_TUI_VIEW_LOOP_H
#define AOLAG_TUI_VIEW_LOOP_H

#include "charts/loop.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

#define LOOP_KNOBS 24

struct loop_view {
    struct host *host;
    const struct design *design; /* the host's */
    int chart;                   /* chosen, where there is room for one; LOOP_CHARTS: the list */
    struct knob_ref knob[LOOP_KNOBS]; /* rows of the list */
    struct list_pane knobs;
    struct control_layout layout; /* as last drawn */
    struct rect slider;           /* of the gain, as last drawn, for the mouse */
};

#endif
