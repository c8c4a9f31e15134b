/* View 5: two designs side by side, every difference. */
#ifndef AOLAG_VIEW_COMPARE_H
#define AOLAG_VIEW_COMPARE_H

#include "layout.h"

struct compare_view {
    struct rect box; /* as last drawn, for the mouse */
};

#endif
