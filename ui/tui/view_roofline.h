/* View 3: every component under the roofs of a device. */
#ifndef AOLAG_VIEW_ROOFLINE_H
#define AOLAG_VIEW_ROOFLINE_H

#include "layout.h"

struct roofline_view {
    struct rect box; /* as last drawn, for the mouse */
};

#endif
