/* The frames that are simulated if frames overlap. Part of evaluate.
 *
 * Only frames in which at least one sensor delivers data are simulated. In the last one, which is
 * reported, all sensors deliver. It is preceded by the last four deliveries of each divisor; so if
 * all sensors deliver every k-th frame, five frames are run, k periods apart. If divisors differ,
 * the latest other frames with data within four steps of the slowest sensor are added, up to
 * FRAMES_MAX in total. So with divisors of 1 and 2, or 1 and 3, every frame of four steps of the
 * slower sensor is run; for a sensor that delivers less often, its deliveries and the frames just
 * before the last one. */
#ifndef AOLAG_MODEL_FRAMES_H
#define AOLAG_MODEL_FRAMES_H

#include "model/timeline.h"

#define FRAMES_STEPS 5 /* frames per divisor */

/* Sets `frames` and `ago` of the timeline according to the divisors of its tracks with work: at
 * most `limit` frames, 1 to FRAMES_MAX; the nearest deliveries of each divisor have priority. */
void frames_choose(struct timeline *timeline, int limit);

/* Returns the shortest distance, in periods, between frames with data: the greatest common divisor
 * of all divisors. */
int frames_step(const struct timeline *timeline);

#endif
