/* View 8: readout and pupil, packet by packet. */
#ifndef AOLAG_VIEW_DETECTOR_H
#define AOLAG_VIEW_DETECTOR_H

#include "layout.h"

struct detector_view {
    struct rect box; /* as last drawn, for the mouse */
};

#endif
