/* Tracks of a test's own, for the timeline alone. */
#ifndef AOLAG_TRACKS_H
#define AOLAG_TRACKS_H

#include "draw.h"
#include "model/timeline.h"

#define TRACKS 40
#define SLOTS 64
#define UNITS 8
#define RUN_FRAMES 16 /* at most in a run of a test */

extern struct track tracks[TRACKS];

/* Nothing to do, no predecessors. */
void tracks_clear(void);

void tracks_follow(int node, int predecessor);

/* The same work in every packet. */
void tracks_even(int node, int packets);

void tracks_camera(int node, double readout);

/* One of any kind, behind some of those before it. Links use queues 0 to `queues` - 1 and `queues`
 * to 2 queues - 1. */
void tracks_random(struct draw *draw, int node, int packets, int queues);

/* Anything that a track may have in a design where devices are shared, over several frames: a
 * device of `devices`, a share, a rank, a divisor, deferred work, a command now and then. */
void tracks_random_sharing(struct draw *draw, int node, int devices);

/* One frame of them in an idle system, all devices shared in the same way. Fills in the number of
 * slots, the weights of cameras and whether anything is shared. */
struct timeline tracks_timeline(int count, int packets, enum sharing sharing);

/* Reports the last of `frames` consecutive frames. */
void tracks_frames(struct timeline *timeline, int frames);

/* A factor of its own for every slot of a computation. */
void tracks_random_stretch(struct draw *draw, const struct timeline *timeline);

/* Returns whether some queue has several users. */
bool tracks_queued(int count);

#endif
