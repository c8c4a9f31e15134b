/* How far an end may slip without moving the last command. Part of evaluate.
 *
 * The last slot of a track, in the reported frame, may last its slack longer, holding what it holds
 * for as much longer, and the last command leaves when it did; with more it leaves later by the
 * excess. Slots of all tracks wait for their predecessors, for the slot before and for the slot
 * that was served before them on the queues and devices they hold. This is exact as long as slots
 * are served in the order in which they were: always where no queue and no device is shared. Where
 * one is, that order is taken to stay: another, which a late slot may bring about, mostly leaves
 * more room than is told, so that far more than its slack moves nothing; seldom it leaves less. On
 * a fluid device a slot that is later takes longer or shorter as it meets others' work. So there is
 * slack to tell of a track only where nothing works on its device once its last slot began but the
 * last slots of tracks behind it, and the same holds of all tracks behind it, in the design or in
 * the line for a queue. */
#ifndef AOLAG_MODEL_SLACK_H
#define AOLAG_MODEL_SLACK_H

#include <float.h>

#include "model/timeline.h"

#define SLACK_NONE DBL_MAX /* no command waits for it; fluid: or it is not known */

/* slack[node] in s for all tracks of a finished run. What the simulation knows of ends is gone
 * then, the tracks are left as they were. */
void slack_find(const struct timeline *timeline, double *slack);

#endif
