/* View 3: every component under the roofs of a device. A cursor on one of them; the numbers of all
 * in a list where there is room. */
#ifndef AOLAG_TUI_VIEW_ROOFLINE_H
#define AOLAG_TUI_VIEW_ROOFLINE_H

#include "draw/plot.h"
#include "model/roofline.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

struct roofline_view {
    struct host *host;
    const struct design *design; /* of the host */
    struct roofs roofs;          /* of the last design that was valid */
    bool found;
    char device[NAME_MAX_LENGTH + 1]; /* chosen; empty: the one that binds */
    struct list_pane points;
    char
        point[NODE_NAME_MAX + 1]; /* under the cursor: by name, as numbers change with the design */
    bool deferred;
    struct listed_layout layout; /* as last drawn, for the mouse */
    struct plot plot;
    bool plotted; /* `plot` is valid */
};

#endif
