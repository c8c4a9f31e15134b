/* The shared timeline again, slow and obviously right. */
#ifndef AOLAG_REFERENCE_SHARED_H
#define AOLAG_REFERENCE_SHARED_H

#include "model/timeline.h"

/* Slots of a frame: the packets, in several frames one more for deferred work. */
int reference_slots(const struct timeline *timeline);

/* Starts and ends of all slots of all frames, begin[node][slot] and end[node][slot], by letting
 * time pass from event to event; the rates of all slots on a fluid device are computed anew at
 * each. Only what the tracks need is read, not what came out. Ends of the tracks that are `given`
 * (NULL: none) are in `end` already: so that those who ask at once do so by the same rounding. */
void reference_shared(const struct timeline *timeline, const bool *given, double **begin,
                      double **end);

/* Which tracks share something or wait for one that does. */
void reference_meets(const struct timeline *timeline, bool *meets);

#endif
