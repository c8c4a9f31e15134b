/* The frames that are simulated where frames overlap. Part of evaluate.
 *
 * Only frames in which some sensor delivers data are simulated. In the last one, which is reported,
 * all sensors deliver. It is preceded by the last four deliveries of each divisor; so where all
 * sensors deliver every k-th frame, five frames are run, k periods apart. Where divisors differ,
 * the latest of the other frames with data within four steps of the slowest sensor are added, up to
 * FRAMES_MAX in all. So with divisors of 1 and 2, or 1 and 3, every frame of four steps of the
 * slower sensor is run; of a sensor that delivers less often, its deliveries and the frames just
 * before the last one. */
#ifndef AOLAG_MODEL_FRAMES_H
#define AOLAG_MODEL_FRAMES_H

#include "model/timeline.h"

#define FRAMES_STEPS 5 /* of each divisor */

/* Sets `frames` and `ago` of the timeline, from the divisors of its tracks that have something to
 * do: at most `limit` frames, 1 or more and at most FRAMES_MAX; the nearest deliveries of each
 * divisor come first. */
void frames_choose(struct timeline *timeline, int limit);

/* Periods from one frame that carries data to the next where they follow one another fastest: the
 * largest that all divisors are multiples of. */
int frames_step(const struct timeline *timeline);

#endif
