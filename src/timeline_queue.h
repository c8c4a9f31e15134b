/* Transfers that share a queue. Part of timeline. */
#ifndef AOLAG_TIMELINE_QUEUE_H
#define AOLAG_TIMELINE_QUEUE_H

#include "timeline.h"

/* The ends of all tracks where some queue has several users: those who share one, and all behind
 * them, slot by slot in the order of time, the others as ever. At most NODE_MAX tracks, edges of
 * at most PLAN_POOL. Costs a heap operation a shared slot and a step an edge and slot. */
void timeline_queued(struct track *tracks, int count, int packets, double *scratch);

/* One track, all of whose predecessors are done, where no queue is shared. */
void timeline_alone(struct track *tracks, int node, int packets, double *scratch);

/* The part of a frame's work that comes with a slot. */
double track_weight(const struct track *track, int slot, int packets);

#endif
