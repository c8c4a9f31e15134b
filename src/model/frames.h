/* The frames that are run for a latency. Part of evaluate.
 *
 * One frame in an idle system gives the latency unless work of a frame is still running when the
 * next one needs the same device, link or component. Then consecutive frames are run from an idle
 * system on, until two of them are alike. A frame has successors as well: their packets may ask for
 * a device before its own work is done. Sensors may deliver every k-th frame: frames are compared,
 * and reported, where all deliver, a least common multiple of their divisors apart. */
#ifndef AOLAG_MODEL_FRAMES_H
#define AOLAG_MODEL_FRAMES_H

#include "model/timeline.h"

/* Largest difference of the times of frames that are alike, s. */
#define FRAMES_ALIKE 1e-9

/* At most this many frames are run, or so many multiples if that is more. */
#define FRAMES_USUAL 64
#define FRAMES_MULTIPLES 8

enum frames_end {
    FRAMES_REPEAT,
    FRAMES_GROW, /* each frame ends later than those before: the design is overloaded */
    FRAMES_STOPPED, /* there are no results: see timeline_goes_on */
    FRAMES_VARY  /* neither: the one with the latest command of the last quarter is reported */
};

/* Runs one frame, and more if `overlap` is true and they overlap; sets `frames` and `report`. If
 * frames grow, the results are those of one frame. */
enum frames_end frames_run(struct timeline *timeline, bool overlap);

#endif
