/* View 8: readout and pupil, packet by packet: what is complete, what completes with this packet,
 * what is still to come; and the agenda. */
#ifndef AOLAG_TUI_VIEW_DETECTOR_H
#define AOLAG_TUI_VIEW_DETECTOR_H

#include "model/detector.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

/* Where the detector lies on the screen, as last drawn. */
struct detector_picture {
    struct rect map;   /* its pixels */
    struct rect strip; /* its rows, as they are read */
    struct rect bars;  /* of the agenda; each column some packets */
};

struct detector_view {
    struct host *host;
    const struct design *design; /* of the host */
    struct detector_map map;     /* of the last design that was valid */
    bool found;
    char sensor[NAME_MAX_LENGTH + 1]; /* chosen; empty: the first */
    struct list_pane packets;         /* the cursor is on the one looked at */
    struct detector_layout layout;
    struct detector_picture picture;
};

#endif
