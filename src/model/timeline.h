/* Packets through components: when each slot starts and ends.
 *
 * Every node (component or transfer) has one slot per packet.
 *
 *     start[i] = max(end[i - 1], end of slot i of every predecessor)
 *     end[i]   = start[i] + duration[i]
 *
 * A slot without work costs nothing and passes readiness on. Transfers hold a queue (one direction
 * of a link) for their wire time and end a latency later, so packets pipeline. Transfers that share
 * a queue are served first come, first served.
 *
 * Components of one device have a part of it each (partition), or they share it (timeline_shared.h
 * says how). */
#ifndef AOLAG_MODEL_TIMELINE_H
#define AOLAG_MODEL_TIMELINE_H

#include <stdbool.h>

#include "model/link.h"
#include "model/readout.h"
#include "model/roofline.h"

enum track_kind {
    TRACK_CAMERA, /* slot i ends at (i + 1) readout / packets, whatever comes before */
    TRACK_COMPUTE,
    TRACK_LINK
};

#define NO_QUEUE (-1)
#define FRAMES_MAX 13

/* One node: what it needs, then what came out. Times in s. */
struct track {
    enum track_kind kind;
    const int *before; /* predecessors, all of lower number */
    int before_count;
    struct weights weights;
    bool command; /* its end is a command leaving */
    int turn;     /* of those who ask for a resource at once, the lowest goes first */
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
    double share;          /* of the device, against those of the others; fluid */

    /* link */
    struct wire wire;
    double bytes;   /* per frame */
    double latency; /* from the end on the wire to the arrival */
    int queue[2];   /* both are held at once; NO_QUEUE: none */

    double readout; /* camera */

    /* compute: a factor for each slot's duration, launches too, [frames][packets + 1], the last of
     * a frame for its deferred work; NULL: 1 */
    const double *scale;

    /* from the start of the readout of the reported frame */
    double *end;        /* [packets], own memory; the last slot's end is `last` */
    const double *ends; /* what successors read: `end`, or a predecessor's where slots pass */
    double last;        /* end of the last slot */
    double last_start;
    double last_duration; /* of the last slot, without a link's latency */
    const double *begin;  /* [packets], `origin` later than told; NULL: a slot starts when it can */
    double origin;
    double held;         /* until when the frames before keep it; 0: they do not */
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
    struct simulation *simulation; /* used where tracks meet; see timeline_shared.h */
    bool simulated;                /* set: some did */
};

/* Fills in what comes out of all tracks. */
void timeline_run(struct timeline *timeline);

/* The part of a frame's work that comes with a slot. */
static inline double track_weight(const struct track *track, int slot, int packets)
{
    if (track->weights.slot != NULL)
        return track->weights.slot[slot];
    return slot == packets - 1 ? 1 : 0;
}

/* Seconds slot `slot` of `packets` holds its resource, without its stretch. */
double track_duration(const struct track *track, int slot, int packets);

/* By what factor that lasts longer in a run's frame; slot `packets` is its deferred work. */
static inline double track_scale(const struct track *track, int frame, int slot, int packets)
{
    return track->scale == NULL ? 1 : track->scale[frame * (packets + 1) + slot];
}

/* Of them the launches and overheads of a computation. */
double track_fixed(const struct track *track, int slot, int packets);

/* Whether anything is done in a slot, if only the latency of a link waited for; one where nothing
 * is passes readiness on. */
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

/* One track, all of whose predecessors are done, where it meets no other. `scratch` holds `packets`
 * doubles. */
void timeline_alone(struct track *tracks, int node, int packets, double *scratch);

/* The recurrence itself, for one chain: ready and duration to end. */
void timeline_chain(const double *ready, const double *duration, int count, double *end);

#endif
