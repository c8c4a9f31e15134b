/* View 8: readout and pupil, packet by packet: what is already complete, what this packet
 * completes, what is still missing; and the list of packets. */
#ifndef AOLAG_TUI_VIEW_DETECTOR_H
#define AOLAG_TUI_VIEW_DETECTOR_H

#include "model/detector.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

/* Position of the detector on the screen, as last drawn. */
struct detector_picture {
    struct rect map;   /* pixels */
    struct rect strip; /* rows of pixels in readout order */
    struct rect bars;  /* of the packet list; one or more packets per column */
};

struct detector_view {
    struct host *host;
    const struct design *design; /* the host's */
    struct detector_map map;     /* of the last valid design */
    bool found;
    char sensor[NAME_MAX_LENGTH + 1]; /* chosen; empty: the first */
    struct list_pane packets;         /* the cursor selects a packet */
    struct detector_layout layout;
    struct detector_picture picture;
};

#endif
