/* View 2: packets through the components or devices, and what waits for what. */
#ifndef AOLAG_VIEW_TIMELINE_H
#define AOLAG_VIEW_TIMELINE_H

#include "layout.h"

struct timeline_view {
    struct rect box; /* as last drawn, for the mouse */
};

#endif
