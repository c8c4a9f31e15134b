/* View 3: every component under the roofs of a device. A cursor on one of them; the numbers of all
 * in a list where there is room. */
#ifndef AOLAG_TUI_VIEW_ROOFLINE_H
#define AOLAG_TUI_VIEW_ROOFLINE_H

#include "draw/plot.h"
#include "model/roofline.h"
#include "tui/host.h"
#include "tui/layout.h"

struct roofline_view {
    struct host *host;
    struct roofs roofs; /* of the last design that had a meaning */
    bool found;
    char device[NAME_MAX_LENGTH + 1]; /* chosen; empty: the one that binds */
    char point[NODE_NAME_MAX + 1];    /* the cursor: by name, as numbers change with the design */
    bool deferred;
    struct listed_layout layout; /* as last drawn, for the mouse */
    struct plot plot;
    bool plotted; /* `plot` says where dots are */
    int first;    /* row of the list at the top */
};

/* The point under the cursor, or -1 where there is none. */
int roofline_focus(const struct roofline_view *view);

/* roofline_list.c: the numbers of all points; what keeps the one under the cursor from its roof. */
int roofline_list_columns(const struct roofs *roofs);
void roofline_draw_list(struct roofline_view *view, struct canvas *canvas, struct rect box);
/* listed: the list tells what is attained. */
void roofline_detail(const struct roof_point *point, bool listed, char *text, size_t size);

#endif
