/* The critical path of a finished run: what each slot waited for, the path, and the slack of each
 * track. Part of evaluate. */
#ifndef AOLAG_MODEL_CRITICAL_H
#define AOLAG_MODEL_CRITICAL_H

#include <float.h>

#include "model/contention.h"
#include "model/result.h"
#include "model/timeline.h"

/* Cause of a slot's start time. */
struct slot_cause {
    int previous; /* preceding slot that had to end first, -1: none in this frame */
    double free; /* time at which it was over: a packet waits until its predecessor leaves the wire,
                    a slot without work until everything arrives */
    int latest;  /* predecessor whose slot ended last, -1: no predecessors */
    double ready;   /* end of that slot */
    double request; /* time at which it asked for its device or queue: after delays */
    double begin;
};

struct slot_cause critical_cause(const struct timeline *timeline, int node, int slot);

/* Returns true if the preceding slot determined the start: the delays passed before it ended. */
static inline bool critical_cause_is_previous(const struct slot_cause *cause)
{
    return cause->previous >= 0 && cause->free > cause->request;
}

/* Returns the end of what determined the start: of the predecessors or the preceding slot. */
static inline double critical_cause_from(const struct slot_cause *cause)
{
    return critical_cause_is_previous(cause) ? cause->free : cause->ready;
}

/* Returns the waiting time, s, within a slot that released its successor at `to`: for a queue, a
 * device or the preceding frame and, with fluid sharing, the time taken by other work. Delays are
 * not waits. */
double critical_wait(const struct timeline *timeline, int node, int slot,
                     const struct slot_cause *cause, double to);

/* A slot on the path: from the end of what determined its start to the release of its successor,
 * with the time for which it was delayed (launch, hand-over, copy, port) and waited. */
struct path_slot {
    int node, slot;
    double from, to, delay, wait;
};

/* Returns a slot that is not a camera's, released its successor at `to` and is of interest from
 * `after` on, and fills its cause. */
struct path_slot critical_slot(const struct timeline *timeline, int node, int slot, double to,
                               double after, struct slot_cause *cause);

/* Takes a part of a wait, s: that for a node's slot. */
typedef void wait_part_fn(void *context, int node, int slot, double seconds);

/* The tracks that use each device and queue, in the order in which they release it last: one search
 * serves all waits of a run. */
struct sharer {
    int track;
    double released; /* end of its last use */
    double from;     /* first use of this one and of those after it */
};
struct sharers {
    bool known; /* false: not yet searched */
    int first[RESOURCE_MAX + 1];
    struct sharer of[2 * NODE_MAX]; /* of resource r: from first[r] to first[r + 1] */
    int slot[NODE_MAX];             /* of each track the slot that was looked at last; -1: none */
};

/* Divides a wait between the slots of the reported frame that held the device or queues meanwhile,
 * in proportion to time; returns false if there were none: it waited for an earlier frame. */
bool critical_divide_wait(const struct timeline *timeline, const struct path_slot *waiting,
                          struct sharers *sharers, wait_part_fn *add, void *context);

/* Cursor over the path, backwards. Begins when the command of `node` is out. */
struct path_cursor {
    const struct timeline *timeline;
    double after; /* s, start of the path */
    int node, slot;
    double to;
};

struct path_cursor critical_path_end(const struct timeline *timeline, int node, double after);

/* Moves to the preceding slot; returns false at the start of the path. */
bool critical_path_back(struct path_cursor *cursor, struct path_slot *at);

/* Writes the critical path to the command of `node` to `path` ([NODE_MAX]), limited to times later
 * than `after`, in order of time, and returns the number of steps. Each track occurs at
 * most once, with its consecutive slots. Waits and busy times add up to that end minus `after`;
 * everything except waiting is busy, including delays and a link's latency. */
int critical_path_find(const struct timeline *timeline, int node, double after,
                       struct path_step *path);

#define SLACK_NONE DBL_MAX /* no command depends on it; fluid: or it is unknown */

/* Computes slack[node], s, for all tracks of a finished run: how much later a track may end without
 * delaying the last command. Destroys the simulation's end times; the tracks are unchanged.
 *
 * The last slot of a track in the reported frame may last longer by its slack, holding its
 * resources for that time, without delaying the last command; any excess delays it by the excess.
 * Slots of all tracks wait for their predecessors, the preceding slot, the slot served before them
 * on the queues and devices they hold, and the enqueuing thread. The slack is exact if the order of
 * service does not change: always if no queue, device or thread is shared. Otherwise the order is
 * assumed to be fixed: another one, which a late slot may cause, usually allows more slack, so that
 * a delay far above the slack has no effect; rarely it allows less. With processor sharing a later
 * slot takes more or less time, depending on the other work it meets. Then the slack of a track is
 * known only if, after its last slot begins or asks its thread, nothing works on its device except
 * the last slots of its successors, if it has as many slots as its successors, and if the same
 * holds for all of them, in the design or in the order of a queue or thread. Less than rounding
 * errors is 0. Returns false if the run's pace stopped it: the slack is unknown. */
bool critical_slack(const struct timeline *timeline, double *slack);

#endif
