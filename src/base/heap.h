/* What happens next: at most one event for each actor, the soonest on top. */
#ifndef AOLAG_BASE_HEAP_H
#define AOLAG_BASE_HEAP_H

#include "model/result.h"

#define ACTOR_MAX (NODE_MAX + DEVICE_MAX)

struct event {
    double time; /* s */
    int rank;    /* of simultaneous ones the lowest comes first */
    int actor;   /* 0 to ACTOR_MAX - 1 */
};

struct event_heap {
    int count;
    struct event item[ACTOR_MAX];
    int place[ACTOR_MAX]; /* of an actor's event; -1: it has none */
};

/* No events, of `nodes` nodes, the first actors, and the devices, the actors from NODE_MAX on. */
void event_clear(struct event_heap *heap, int nodes);

/* Sets an actor's event, in place of the one it had. O(log n), like the rest. */
void event_set(struct event_heap *heap, struct event event);

/* Takes an actor's event away, if it has one. */
void event_drop(struct event_heap *heap, int actor);

/* Takes the soonest event; there must be one. */
struct event event_take(struct event_heap *heap);

#endif
