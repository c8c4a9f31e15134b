/* View 4: latency over one knob or two. */
#ifndef AOLAG_VIEW_SWEEP_H
#define AOLAG_VIEW_SWEEP_H

#include "layout.h"

struct sweep_view {
    struct rect box; /* as last drawn, for the mouse */
};

#endif
