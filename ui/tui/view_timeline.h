/* View 2: packets through the components or devices, and what waits for what. */
#ifndef AOLAG_TUI_VIEW_TIMELINE_H
#define AOLAG_TUI_VIEW_TIMELINE_H

#include "draw/plot.h"
#include "model/schedule.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

/* What the window follows when the design changes; else it stays where it is. */
enum timeline_scope { SCOPE_WHOLE, SCOPE_TAIL, SCOPE_FRAMES, SCOPE_FREE };

struct timeline_view {
    struct host *host;
    const struct design *design; /* of the host */
    struct rect box, cells; /* as last drawn, for the mouse: all of it, the cells of the lanes */
    int band;               /* rows of each lane */
    bool outdated;          /* the lanes are those of an earlier design */
    struct schedule lanes;  /* of the last design that was valid; of none at first */
    enum row_order by;
    enum timeline_scope scope;
    double from, to;              /* s: the window */
    struct list_pane rows;        /* the lanes */
    int slot;                     /* under the cursor; -1: there is none */
    char node[NODE_NAME_MAX + 1]; /* whose that is, and its number: when the design changes */
    int number;
};

#endif
