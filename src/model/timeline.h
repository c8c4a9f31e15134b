/* The timeline of packets: start and end of each slot of a track.
 *
 * A track is a node of the plan (component or transfer) with one slot per packet.
 *
 *     start[i] = max(end[i - 1], end of slot i of every predecessor)
 *     end[i]   = start[i] + duration[i]
 *
 * A slot without work takes no time and passes readiness on. Transfers hold a queue (one direction
 * of a link) for their wire time and end a latency later, so packets pipeline.
 *
 * With partition each component has its own part of a device. contention.h simulates shared
 * devices, shared queues and overlapping frames. */
#ifndef AOLAG_MODEL_TIMELINE_H
#define AOLAG_MODEL_TIMELINE_H

#include <stdbool.h>

#include "model/link.h"
#include "model/plan.h"
#include "model/readout.h"

enum track_kind {
    TRACK_CAMERA, /* slot i ends at (i + 1) readout / packets, regardless of predecessors */
    TRACK_COMPUTE,
    TRACK_LINK
};

#define FRAMES_MAX 13

/* Combines compute and memory time, s: t = max(tc, tm) + (1 - overlap) min(tc, tm). Overlap 1 is
 * the roofline (Williams, Waterman, Patterson, CACM 52(4), 2009), 0 the sum of both. */
static inline double roofline_time(double compute, double memory, double overlap)
{
    double longer = compute > memory ? compute : memory;
    double shorter = compute > memory ? memory : compute;

    return longer + (1 - overlap) * shorter;
}

/* One node: inputs, then results. Times in s. */
struct track {
    enum track_kind kind;
    const int *before; /* predecessors, all with lower numbers */
    int before_count;
    struct weights weights;
    bool command; /* its end sends a command */
    int turn;     /* the lowest goes first among simultaneous requests for a resource */
    int divisor;  /* works in every k-th frame, including the reported one; at least 1 */

    /* compute: a slot of weight w takes roofline(w compute, w memory + accumulator) + fixed; the
     * last one takes tail + tail_fixed in addition */
    double compute, memory, accumulator, overlap;
    double fixed;          /* overhead and launches of a slot with work */
    double tail;           /* work after the last slot */
    double tail_fixed;     /* its launches */
    double deferred;       /* work after all commands of the frame are out */
    double deferred_fixed; /* its launches */
    int device;            /* -1: none, and no work */
    double share;          /* fluid: share of the device, relative to the others' */

    /* link */
    struct wire wire;
    double bytes;   /* per frame */
    double latency; /* from the end of the wire time to the arrival */
    int queue[2];   /* held simultaneously; NO_QUEUE: none */

    double readout; /* camera */

    /* compute: a factor per slot duration, including launches, [frames][packets + 1], the last of a
     * frame for its deferred work; NULL: 1 */
    const double *scale;

    /* results, from the start of readout of the reported frame */
    double *end;        /* [packets], own memory; `last` holds the end of the last slot */
    const double *ends; /* read by successors: `end`, or a predecessor's */
    double last;        /* end of the last slot */
    double last_start;
    double last_duration; /* of the last slot, without the latency of a link */
    const double *begin;  /* [packets], later by `origin`; NULL: slots start as soon as they can */
    double origin;
    double held;         /* end of its work in earlier frames; 0: none */
    double deferred_end; /* end of its deferred work if several frames were run */
};

/* A run of the timeline. */
struct timeline {
    struct track *tracks; /* [count], at most NODE_MAX; edges of at most PLAN_POOL */
    int count;
    int packets;
    enum sharing sharing;
    bool queued;         /* a queue has more than one user */
    int frames;          /* 1: in an idle system; more: number of frames, the last is reported */
    int ago[FRAMES_MAX]; /* with several frames: periods from the start of each to the last */
    double period;       /* s */
    double *scratch;     /* [packets] */
    struct simulation *simulation; /* used with contention (contention.h) */
    bool simulated;                /* output: simulation was used */
};

/* Returns the fraction of a frame's work in a slot. */
static inline double track_weight(const struct track *track, int slot, int packets)
{
    if (track->weights.slot != NULL)
        return track->weights.slot[slot];
    return slot == packets - 1 ? 1 : 0;
}

/* Returns the seconds for which a slot holds its resource, without its jitter scale. */
double track_duration(const struct track *track, int slot, int packets);

/* Returns the jitter scale of a slot in one of the frames; slot `packets` is the deferred work. */
static inline double track_scale(const struct track *track, int frame, int slot, int packets)
{
    return track->scale == NULL ? 1 : track->scale[frame * (packets + 1) + slot];
}

/* Returns the launches and overheads included in track_duration of a computation, s. */
double track_fixed(const struct track *track, int slot, int packets);

/* Returns true if a slot has work, even if that is only the latency of a link; otherwise it passes
 * readiness on. */
static inline bool track_works(const struct track *track, int slot, int packets)
{
    bool weighs = track_weight(track, slot, packets) > 0;

    if (track->kind != TRACK_COMPUTE)
        return weighs;
    if (weighs && track->compute + track->memory + track->accumulator + track->fixed > 0)
        return true;
    return slot == packets - 1 && track->tail + track->tail_fixed > 0;
}

/* Returns the end of a slot. */
static inline double track_end(const struct track *track, int slot, int packets)
{
    return slot == packets - 1 ? track->last : track->ends[slot];
}

/* Returns the time at which all predecessors' slots of that number have ended. */
double track_ready(const struct track *tracks, int node, int slot, int packets);

/* Returns true if a slot's duration (without fixed times) is `slope` times its weight plus `offset`
 * for slots with work: always, unless an accumulator is read during a longer computation or a link
 * splits its payload into datagrams. */
bool track_linear(const struct track *track, double *slope, double *offset);

/* Runs one track without contention; its predecessors must be done. `scratch` holds `packets`
 * doubles. */
void timeline_run_alone(struct track *tracks, int node, int packets, double *scratch);

/* Computes the recurrence for one chain: `end` from `ready` and `duration`. */
void timeline_chain(const double *ready, const double *duration, int count, double *end);

#endif
