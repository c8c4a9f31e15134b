/* Before slots are simulated: who meets whom, what waits for what. Part of timeline_shared. */
#ifndef AOLAG_SHARED_SETUP_H
#define AOLAG_SHARED_SETUP_H

#include "timeline_shared.h"

/* Runs what meets nobody; lines up those whose first slot can be looked at. */
void shared_set_up(struct simulation *s, struct timeline *timeline);

/* Predecessors that have done the slot a track is at; once all have, it can be looked at. */
void shared_count_arrived(struct simulation *s, int node);

/* When the cameras of a frame begin their readout. */
static inline double shared_frame_start(const struct simulation *s, int frame)
{
    return (s->run->ago[0] - s->run->ago[frame]) * s->run->period;
}

#endif
