/* The critical path of a finished run: what each slot waited for, the path itself, and the slack of
 * each track. Part of evaluate. */
#ifndef AOLAG_MODEL_CRITICAL_H
#define AOLAG_MODEL_CRITICAL_H

#include <float.h>

#include "model/result.h"
#include "model/timeline.h"

/* What a slot waited for. */
struct slot_cause {
    int previous; /* slot that had to be over before, -1: none of this frame's */
    double free; /* when it was: a packet waits for the one before to leave the wire, a slot without
                    work for all to arrive */
    int latest;  /* predecessor whose slot ended last, -1: there are none */
    double ready; /* when that was */
    double begin;
};

struct slot_cause critical_cause(const struct timeline *timeline, int node, int slot);

/* When the slot could start: its predecessors and the slot before are done. */
static inline double critical_cause_from(const struct slot_cause *cause)
{
    return cause->previous >= 0 && cause->free > cause->ready ? cause->free : cause->ready;
}

/* The part of a slot that could start at `from`, began at `begin` and led on at `to` that is
 * waiting: for a queue, a device or the frame before, and with processor sharing the time
 * taken by other work. Seconds. */
double critical_wait(const struct timeline *timeline, int node, int slot, double from, double begin,
                     double to);

/* A slot on the path: from when it could start to when it led on; the waiting in that. */
struct path_slot {
    int node, slot;
    double from, to, wait;
};

/* The path slot by slot, backwards. Begins with the last slot of `node`, at its end. */
struct path_cursor {
    const struct timeline *timeline;
    double after; /* s, the path begins there */
    int node, slot;
    double to;
};

struct path_cursor critical_path_end(const struct timeline *timeline, int node, double after);

/* The next slot back; false: the path begins here. */
bool critical_path_back(struct path_cursor *cursor, struct path_slot *at);

/* Writes to `path` ([NODE_MAX]) what led to the end of the last slot of `node`, later than `after`,
 * in the order of time, and returns how many steps that are: each track at most once, with the
 * slots that follow one another. Waits and busy times add up to that end less `after`; what is not
 * waiting is busy, a link's latency too. */
int critical_path_find(const struct timeline *timeline, int node, double after,
                       struct path_step *path);

#define SLACK_NONE DBL_MAX /* no command waits for it; fluid: or it is not known */

/* slack[node] in s for all tracks of a finished run: how far an end may slip without moving the
 * last command. What the simulation knows of ends is lost, the tracks are left as they were.
 *
 * The last slot of a track, in the reported frame, may last its slack longer, holding what it holds
 * for as much longer, and the last command leaves when it did; with more it leaves later by the
 * excess. Slots of all tracks wait for their predecessors, for the slot before and for the slot
 * that was served before them on the queues and devices they hold. This is exact as long as slots
 * are served in the order in which they were: always where no queue and no device is shared. Where
 * one is, that order is assumed to stay: another, which a late slot may cause, mostly leaves more
 * room, so that far more than its slack moves nothing; seldom it leaves less. With processor
 * sharing a later slot takes longer or shorter as it meets others' work. There the slack of a track
 * is known only where nothing works on its device once its last slot began but the last slots of
 * tracks behind it, and the same holds for all tracks behind it, in the design or in the line for a
 * queue. */
void critical_slack(const struct timeline *timeline, double *slack);

#endif
