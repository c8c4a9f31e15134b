/* View 3: roofline of a device with all its components. A cursor selects one of them; a list shows
 * the numbers of all if there is room. */
#ifndef AOLAG_TUI_VIEW_ROOFLINE_H
#define AOLAG_TUI_VIEW_ROOFLINE_H

#include "draw/plot.h"
#include "model/roofline.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

struct roofline_view {
    struct host *host;
    const struct design *design; /* the host's */
    struct roofs roofs;          /* of the last valid design */
    bool found;
    char device[NAME_MAX_LENGTH + 1]; /* chosen; empty: the bottleneck */
    struct list_pane points;
    char point[NODE_NAME_MAX + 1]; /* under the cursor, by name: indices change */
    bool deferred;
    struct listed_layout layout; /* as last drawn, for the mouse */
    struct plot plot;
    bool plotted; /* `plot` is valid */
};

#endif
