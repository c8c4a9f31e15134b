/* View 6: what one step of each knob would gain, ranked. */
#ifndef AOLAG_VIEW_ADVISE_H
#define AOLAG_VIEW_ADVISE_H

#include "layout.h"

struct advise_view {
    struct rect box; /* as last drawn, for the mouse */
};

#endif
