/* From finished tracks to the result: latencies, the critical path, slack, what the loop makes of
 * them. Part of evaluate. */
#ifndef AOLAG_MODEL_OUTCOME_H
#define AOLAG_MODEL_OUTCOME_H

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"
#include "model/timeline.h"

/* The rows of what is split, from those of its parts. */
void outcome_whole(const struct scenario *scenario, const struct workspace *work,
                   struct result *result);

/* Last pixel in to last command out, s. */
double outcome_latency(const struct workspace *work);

/* The devices whose predictions the latency rests on, bit i for device i: those of the components
 * on the critical path after the last pixel; all where there is none of them (links and cameras
 * have no such factor).
 *
 * The latency may be off by the largest factor of these: each is the typical error of a time on one
 * device, errors of several kinds do not cancel for sure, and a device that has no part in the
 * latency says nothing about it. */
uint32_t outcome_path_devices(const struct scenario *scenario, const struct result *result);

/* After load_fill. */
void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

/* What slots waited for, and the critical path: what the last command had to wait for, walked back
 * from it. Part of evaluate. */

/* What a slot waited for. */
struct cause {
    int previous; /* slot that had to be over before, -1: none of this frame's */
    double free; /* when it was: a packet waits for the one before to leave the wire, a slot without
                    work for all to arrive */
    int latest;  /* predecessor whose slot ended last, -1: there are none */
    double ready; /* when that was */
    double begin;
};

struct cause cause_of(const struct timeline *timeline, int node, int slot);

/* When it could start: its predecessors and the slot before are done. */
static inline double cause_from(const struct cause *cause)
{
    return cause->previous >= 0 && cause->free > cause->ready ? cause->free : cause->ready;
}

/* What of a slot that could start at `from`, began at `begin` and led on at `to` was waiting: for a
 * queue, a device or the frame before, and in fluid what the others' work took. Seconds. */
double cause_waited(const struct timeline *timeline, int node, int slot, double from, double begin,
                    double to);

/* A slot on the path: from when it could start to when it led on; what of that it waited. */
struct path_slot {
    int node, slot;
    double from, to, wait;
};

/* The way back, slot by slot. Begins with the last slot of `node`, at its end. */
struct path_walk {
    const struct timeline *timeline;
    double after; /* s, the walk ends there */
    int node, slot;
    double to;
};

struct path_walk path_walk_from(const struct timeline *timeline, int node, double after);

/* The next slot back; false: there is none, the walk is over. */
bool path_walk_back(struct path_walk *walk, struct path_slot *at);

/* Writes to `path` ([NODE_MAX]) what led to the end of the last slot of `node`, later than `after`,
 * in the order of time, and returns how many steps that are: each track at most once, with the
 * slots that follow one another. Waits and busy times add up to that end less `after`.
 *
 * A step's wait is what its slots waited for a queue, a device or the frame before once they could
 * have started, and in fluid what the others' work took; the rest, a link's latency too, is busy.
 */
int critical_path(const struct timeline *timeline, int node, double after, struct path_step *path);

#endif
