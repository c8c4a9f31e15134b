/* Packets through components: when each slot starts and ends.
 *
 * Every node (component or transfer) has one slot per packet.
 *
 *     start[i] = max(end[i - 1], end of slot i of every predecessor)
 *     end[i]   = start[i] + duration[i]
 *
 * A slot without work costs nothing and passes readiness on. Transfers hold a queue (one direction
 * of a link) for their wire time and end a latency later, so packets pipeline. Transfers that share
 * a queue are served first come, first served; of simultaneous ones the lower node goes first. */
#ifndef AOLAG_TIMELINE_H
#define AOLAG_TIMELINE_H

#include <stdbool.h>

#include "link.h"
#include "readout.h"
#include "roofline.h"

enum track_kind {
    TRACK_CAMERA, /* slot i ends at (i + 1) readout / packets, whatever comes before */
    TRACK_COMPUTE,
    TRACK_LINK
};

#define NO_QUEUE (-1)

/* One node: what it needs, then what came out. Times in s. */
struct track {
    enum track_kind kind;
    const int *before; /* predecessors, all of lower number */
    int before_count;
    struct weights weights;

    /* compute: a slot of weight w takes roofline(w compute, w memory + accumulator) + fixed; the
     * last one the tail more */
    double compute, memory, accumulator, overlap;
    double fixed; /* overhead and launch of a slot with work */
    double tail;
    double deferred; /* work once the command is out; without its launches */

    /* link */
    struct wire wire;
    double bytes;   /* per frame */
    double latency; /* from the end on the wire to the arrival */
    int queue[2];   /* both are held at once; NO_QUEUE: none */

    double readout; /* camera */

    double *end;        /* [packets], own memory; the last slot's end is `last` */
    const double *ends; /* what successors read: `end`, or a predecessor's where slots pass */
    double last;        /* end of the last slot */
    double last_start;
    double last_duration; /* of the last slot, without a link's latency */
};

/* Seconds slot `slot` of `packets` holds its resource. */
double track_duration(const struct track *track, int slot, int packets);

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

/* Fills in the ends of all tracks. `scratch` holds `packets` doubles. `queued`: some queue has more
 * than one user. */
void timeline_run(struct track *tracks, int count, int packets, bool queued, double *scratch);

/* The recurrence itself, for one chain: ready and duration to end. */
void timeline_chain(const double *ready, const double *duration, int count, double *end);

#endif
