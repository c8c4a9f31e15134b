/* View 2: packets passing through components or devices, and what each waits for. Wide screens show
 * its lanes beside Explore too. */
#ifndef AOLAG_TUI_VIEW_TIMELINE_H
#define AOLAG_TUI_VIEW_TIMELINE_H

#include "draw/plot.h"
#include "model/schedule.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"
#include "tui/widget.h"

/* Range that the window follows when the design changes; SCOPE_FREE: the window does not move. */
enum timeline_scope { SCOPE_WHOLE, SCOPE_TAIL, SCOPE_FRAMES, SCOPE_FREE };

struct timeline_view {
    struct host *host;
    const struct design *design; /* the host's */
    struct rect box, cells; /* as last drawn, for the mouse: the view, the cells of the lanes */
    int band;               /* rows per lane */
    int columns;            /* of the cells; 0: not drawn yet */
    bool outdated;          /* the lanes are of an earlier design */
    bool displaced;         /* cursor and window are of earlier lanes; `slot` is -1 */
    struct schedule lanes;  /* of the last valid design; initially empty */
    enum row_order by;
    enum timeline_scope scope;
    double from, to;              /* s: window */
    struct list_pane rows;        /* lanes */
    int slot;                     /* under the cursor; -1: none */
    char node[NODE_NAME_MAX + 1]; /* node and number of that slot, to find it again */
    int number;
    struct bar_scale beside; /* of the latency, beside Explore */
};

/* Draws the lanes without a cursor, from shortly before the last pixel on a scale that changes only
 * when the latency leaves it. Cursor and window of the view stay as they are. */
void timeline_draw_beside(struct timeline_view *view, struct canvas *canvas, struct rect box);

#endif
