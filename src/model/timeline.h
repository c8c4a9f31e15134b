/* The timeline of packets: when each slot of a track starts and ends.
 *
 * A track is a node of the plan (component or transfer) with one slot per packet.
 *
 *     start[i] = max(end[i - 1], end of slot i of every predecessor)
 *     end[i]   = start[i] + duration[i]
 *
 * A slot without work costs nothing and passes readiness on. Transfers hold a queue (one direction
 * of a link) for their wire time and end a latency later, so packets pipeline.
 *
 * With partition each component of a device has a part of it. contention.h simulates shared
 * devices, shared queues and overlapping frames. */
#ifndef AOLAG_MODEL_TIMELINE_H
#define AOLAG_MODEL_TIMELINE_H

#include <stdbool.h>

#include "model/link.h"
#include "model/plan.h"
#include "model/readout.h"

enum track_kind {
    TRACK_CAMERA, /* slot i ends at (i + 1) readout / packets, whatever comes before */
    TRACK_COMPUTE,
    TRACK_LINK
};

#define FRAMES_MAX 13

/* Compute and memory time combined, s: t = max(tc, tm) + (1 - overlap) min(tc, tm). Overlap 1 is
 * the roofline (Williams, Waterman, Patterson, CACM 52(4), 2009), 0 the plain sum of both. */
static inline double roofline_time(double compute, double memory, double overlap)
{
    double longer = compute > memory ? compute : memory;
    double shorter = compute > memory ? memory : compute;

    return longer + (1 - overlap) * shorter;
}

/* One node: what it needs, then what came out. Times in s. */
struct track {
    enum track_kind kind;
    const int *before; /* predecessors, all of lower number */
    int before_count;
    struct weights weights;
    bool command; /* its end is a command leaving */
    int turn;     /* of simultaneous requests for a resource the lowest goes first */
    int divisor;  /* works in every k-th frame, the reported one among them; 1 or more */

    /* compute: a slot of weight w takes roofline(w compute, w memory + accumulator) + fixed; the
     * last one tail + tail_fixed more */
    double compute, memory, accumulator, overlap;
    double fixed;          /* overhead and launch of a slot with work */
    double tail;           /* work after that of the last slot */
    double tail_fixed;     /* its launches */
    double deferred;       /* work once all commands of the frame are out */
    double deferred_fixed; /* its launches */
    int device;            /* what it runs on; -1: none, and nothing to do */
    double share;          /* of the device, relative to those of the others; fluid */

    /* link */
    struct wire wire;
    double bytes;   /* per frame */
    double latency; /* from the end on the wire to the arrival */
    int queue[2];   /* both are held at once; NO_QUEUE: none */

    double readout; /* camera */

    /* compute: a factor for each slot's duration, launches included, [frames][packets + 1], the
     * last of a frame for its deferred work; NULL: 1 */
    const double *scale;

    /* from the start of the readout of the reported frame */
    double *end;        /* [packets], own memory; the last slot's end is `last` */
    const double *ends; /* what successors read: `end`, or a predecessor's where slots pass */
    double last;        /* end of the last slot */
    double last_start;
    double last_duration; /* of the last slot, without a link's latency */
    const double *begin;  /* [packets], later by `origin`; NULL: a slot starts when it can */
    double origin;
    double held;         /* until when earlier frames keep it; 0: they do not */
    double deferred_end; /* of its deferred work, where several frames were run */
};

/* A run of the timeline. */
struct timeline {
    struct track *tracks; /* [count], at most NODE_MAX; edges of at most PLAN_POOL */
    int count;
    int packets;
    enum sharing sharing;
    bool queued;                   /* some queue has more than one user */
    int frames;                    /* 1: in an empty system; more: the last of as many */
    int ago[FRAMES_MAX];           /* of several: periods each starts before the last */
    double period;                 /* s */
    double *scratch;               /* [packets] */
    struct simulation *simulation; /* used with contention (contention.h) */
    bool simulated;                /* set: some did */
};

/* The part of a frame's work that comes with a slot. */
static inline double track_weight(const struct track *track, int slot, int packets)
{
    if (track->weights.slot != NULL)
        return track->weights.slot[slot];
    return slot == packets - 1 ? 1 : 0;
}

/* Seconds for which a slot holds its resource, without its jitter scale. */
double track_duration(const struct track *track, int slot, int packets);

/* The jitter scale of a slot in one of the frames; slot `packets` is the deferred work. */
static inline double track_scale(const struct track *track, int frame, int slot, int packets)
{
    return track->scale == NULL ? 1 : track->scale[frame * (packets + 1) + slot];
}

/* The launches and overheads of a computation among them. */
double track_fixed(const struct track *track, int slot, int packets);

/* Whether anything is done in a slot, be it only the wait for the latency of a link; else the slot
 * passes readiness on. */
static inline bool track_works(const struct track *track, int slot, int packets)
{
    bool weighs = track_weight(track, slot, packets) > 0;

    if (track->kind != TRACK_COMPUTE)
        return weighs;
    if (weighs && track->compute + track->memory + track->accumulator + track->fixed > 0)
        return true;
    return slot == packets - 1 && track->tail + track->tail_fixed > 0;
}

/* The end of a slot. */
static inline double track_end(const struct track *track, int slot, int packets)
{
    return slot == packets - 1 ? track->last : track->ends[slot];
}

/* When a slot may start: all predecessors' slots of that number have ended. */
double track_ready(const struct track *tracks, int node, int slot, int packets);

/* Whether a slot's duration (without fixed times) is `slope` times its weight plus `offset` where
 * there is work; true unless an accumulator is read in the shadow of a longer computation or a link
 * cuts its payload into datagrams. */
bool track_linear(const struct track *track, double *slope, double *offset);

/* Runs one track without contention; its predecessors must be done. `scratch` holds `packets`
 * doubles. */
void timeline_run_alone(struct track *tracks, int node, int packets, double *scratch);

/* The recurrence itself, for one chain: ready and duration to end. */
void timeline_chain(const double *ready, const double *duration, int count, double *end);

#endif
