/* The timeline of packets: start and end of each slot of a track.
 *
 * A track is a node of the plan (component or transfer) with one slot per packet, up to the last
 * packet that matters for a command. A slot waits for the same slot of every predecessor (for the
 * last slot of one that has fewer) and for its own preceding slot:
 *
 *     request[i] = max(ready[i], enqueued[i - 1]) + enqueue + delay
 *     start[i]   = max(request[i], end[i - 1])
 *     end[i]     = start[i] + duration[i]
 *
 * `delay` (launch of a kernel, wake-up of threads, hand-over between processes, latency of a copy)
 * occupies nothing, so it passes while the track is still busy. A visit is a run of consecutive
 * tracks on one device in one packet: it is launched and enqueued once, when its first slot is
 * ready. A slot without work takes no time and passes readiness on. Transfers hold a queue (one
 * direction of a link) for their wire time and end a latency later, so packets pipeline.
 *
 * Here each component has its own part of a device. contention.h simulates shared devices and
 * queues, frames.h finds the frames that are run if frames overlap. */
#ifndef AOLAG_MODEL_TIMELINE_H
#define AOLAG_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "model/link.h"
#include "model/plan.h"
#include "model/readout.h"

enum track_kind {
    TRACK_CAMERA, /* delivers its packets regardless of predecessors */
    TRACK_COMPUTE,
    TRACK_LINK
};

/* Combines compute and memory time, s: t = max(tc, tm) + (1 - overlap) min(tc, tm). Overlap 1 is
 * the roofline (Williams, Waterman, Patterson, CACM 52(4), 2009), 0 the sum of both. */
static inline double roofline_time(double compute, double memory, double overlap)
{
    double longer = compute > memory ? compute : memory;
    double shorter = compute > memory ? memory : compute;

    return longer + (1 - overlap) * shorter;
}

/* The data of a camera at its host. Packet i has left the wire at camera_time(i); its datagrams
 * arrive evenly over its part of the readout, and one core receives them in turn. */
struct arrival {
    double datagram; /* s of the core per datagram; 0: none */
    double latency;  /* s from the core to the program */
    double bytes;    /* of a sensor's frame */
    double payload;  /* B of a datagram */
    double most;     /* datagrams of its largest packet */
    bool at_once;    /* one packet without readout: only its last datagram counts */
};

/* Whether the slots of a track with work begin a visit. */
enum visits { VISITS_BEGIN, VISITS_CONTINUE, VISITS_VARY };

/* One node: inputs, then results. Times in s. */
struct track {
    enum track_kind kind;
    const int *before; /* predecessors, all with lower numbers */
    int before_count;
    struct weights weights;
    int slots;    /* number of slots, 1 to the number of packets; later packets do not matter */
    bool command; /* its last slot sends a command */
    int order;    /* the lowest goes first of those with the same rank and packet: in the file */
    double rank;  /* exclusive: priority and longest path, before packet and `order` */
    int divisor;  /* works in every k-th frame; at least 1 */

    bool continues;        /* all predecessors run on its device: it may continue their visit */
    double delay;          /* of a slot that begins a visit */
    double delay_inside;   /* of a slot that continues one */
    double enqueue;        /* time of the enqueuing thread for a slot that begins a visit */
    double enqueue_inside; /* for one that continues a visit: that of its kernels */
    double enqueue_tail;   /* in addition for the last slot */
    double sleep;          /* delay of one slot while its host wakes from a sleep state */
    int sleep_slot;
    int thread; /* enqueuing thread, shared by tracks with the same number; -1: none */

    /* compute: a slot of weight w takes roofline(w compute, w memory + accumulator) + fixed; the
     * last one takes tail + tail_fixed in addition */
    double compute, memory, accumulator, overlap;
    double fixed;          /* fixed time of a slot with work that occupies the device */
    double tail;           /* work after the last slot */
    double tail_fixed;     /* its fixed time, and that of every frame */
    double deferred;       /* work after all commands of the frame are out */
    double deferred_fixed; /* its fixed time */
    int device;            /* unit of a device, -1: none, and no work */
    enum sharing sharing;  /* of that device */
    double share;          /* fluid: share of the device, relative to the others' */
    double at_share;       /* share of the device for which the times above are */

    /* link */
    struct wire wire;
    double bytes;    /* per frame */
    double datagram; /* s of the receiving core per datagram; it may be slower than the wire */
    double latency;  /* from the end of the wire time to the arrival */
    double beyond;   /* part of that after a command has left the port */
    int queue[2];    /* held simultaneously; NO_QUEUE: none */

    /* camera: slot i has its data (i + 1) / packets of the readout after the start, or `when[i]` of
     * it */
    double start, readout;
    const double *when;
    struct arrival arrival;

    /* compute: a factor per slot duration, [frames][packets + 1], the last of a frame for its
     * deferred work; NULL: 1 */
    const double *scale;

    /* set by timeline_find_work */
    bool weight_works; /* slots of a weight above 0 work */
    bool tail_works;   /* the last slot works, whatever its weight */
    enum visits visits;

    /* the visits that are known, number of the first track + 1: [frames][visit_frame], 0: not yet;
     * only of a track that may continue one */
    uint16_t *visit;
    int visit_frame; /* 0: of one frame at a time */

    /* results, from the start of readout of the reported frame */
    double *end;        /* [packets], own memory; `last` holds the end of the last slot */
    const double *ends; /* read by successors: `end`, or a predecessor's */
    double last;        /* end of the last slot */
    double last_start;
    double last_duration;  /* of the last slot, without the latency of a link */
    const double *begin;   /* [packets], later by `origin`; NULL: see critical.h */
    const double *request; /* [packets], likewise */
    double origin;
    double held;         /* end of its work in earlier frames, of a camera that of its receiving
                            core; 0: none */
    double passed;       /* end of its last slot in earlier frames */
    double enqueued;     /* end of its enqueuing in earlier frames, then in this one */
    double released;     /* end of its last slot's duration, of a camera that of its core */
    double deferred_end; /* end of its deferred work if several frames were run */
};

#define RUN_KINDS 128

/* A run of the timeline. */
struct timeline {
    struct track *tracks; /* [count], at most NODE_MAX; edges of at most PLAN_POOL */
    int count;
    int packets;
    int units;       /* of all devices, see plan.h */
    bool shared;     /* a device or queue has more than one user that has to wait for another */
    int frames;      /* number of consecutive frames; 1: in an idle system */
    int kind;        /* below RUN_KINDS; runs of a kind often have the same order (repeat.h) */
    int report;      /* number of the reported frame, in which every sensor delivers; -1: not known
                        yet, see contention_report */
    double period;   /* s */
    double *scratch; /* [2 packets] */
    struct simulation *simulations; /* [2], used with contention (contention.h): of one frame, of
                                       several */
    struct simulation *simulation;  /* output: that of the last run */
    bool simulated;                /* output: simulation was used */
    struct pace *pace;             /* counts steps; NULL: nobody stops the run */
};

/* Returns false if a run has to end, or has ended, without results. */
static inline bool timeline_goes_on(const struct timeline *timeline)
{
    return timeline->pace == NULL || !timeline->pace->stopped;
}

/* Returns the fraction of a frame's work in a slot. */
static inline double track_weight(const struct track *track, int slot)
{
    if (track->weights.slot != NULL)
        return track->weights.slot[slot];
    return slot == track->slots - 1 ? 1 : 0;
}

/* Returns the seconds for which a slot holds its resource, without its jitter scale. */
double track_duration(const struct track *track, int slot);

/* Fills in the durations of a track's slots with work from `first` on, times the scales of its
 * frame if they are not NULL. */
void track_fill_durations(const struct track *track, const double *scale, int first,
                          double *duration);

/* Returns the jitter scale of a slot in one of the frames; slot `packets` is the deferred work. */
static inline double track_scale(const struct track *track, int frame, int slot, int packets)
{
    return track->scale == NULL ? 1 : track->scale[frame * (packets + 1) + slot];
}

/* Returns the seconds for which a link is held by bytes sent together. */
double track_link_time(const struct track *track, double bytes);

/* Returns what the receiving core adds to the duration of a link, s: its work on the last datagram
 * or, where it is slower than the wire, its wait for the first one. */
static inline double track_reception(const struct track *track)
{
    double first = wire_first_time(&track->wire, track->bytes);

    return track->datagram < first ? track->datagram : first;
}

/* Returns the fixed part of track_duration of a computation, s. */
double track_fixed(const struct track *track, int slot);

/* Returns true if a track has data in a frame; all have in the first. */
static inline bool track_delivers(const struct track *track, int frame)
{
    return track->divisor == 1 || frame % track->divisor == 0;
}

/* Returns true if a track sends a command in a frame: without data it sends none, and deferred work
 * does not wait for it. */
static inline bool track_sends(const struct track *track, int frame)
{
    return track->command && track_delivers(track, frame);
}

/* Returns true if a slot has work, even if that is only a delay or the latency of a link; otherwise
 * it passes readiness on. */
static inline bool track_works(const struct track *track, int slot)
{
    return (track->weight_works && track_weight(track, slot) > 0) ||
           (track->tail_works && slot == track->slots - 1);
}

/* Returns the end of a slot; of the last one for later slots. */
static inline double track_end(const struct track *track, int slot)
{
    return slot >= track->slots - 1 ? track->last : track->ends[slot];
}

/* Returns the time at which all predecessors' slots of that number have ended. */
double track_ready(const struct track *tracks, int node, int slot);

/* Returns the node that begins the visit of which a node's slot with work is part: itself, or the
 * first of the chain of predecessors on its device that work in this packet. Remembers it: each
 * edge is followed once per slot. */
int track_visit(const struct track *tracks, int node, int frame, int slot);

/* Finds which slots of all tracks work and which visits they begin; call before a run. */
void timeline_find_work(const struct timeline *timeline);

/* Returns true if a slot with work begins a visit. */
static inline bool track_begins(const struct track *tracks, int node, int frame, int slot)
{
    enum visits visits = tracks[node].visits;

    return visits == VISITS_VARY ? track_visit(tracks, node, frame, slot) == node
                                 : visits == VISITS_BEGIN;
}

/* Returns the delay of a slot with work, without enqueuing. */
static inline double track_delay(const struct track *track, int slot, bool begins)
{
    return (begins ? track->delay : track->delay_inside) +
           (track->sleep > 0 && slot == track->sleep_slot ? track->sleep : 0);
}

/* Returns the time of the enqueuing thread for a slot with work: that of a visit it begins, of its
 * kernels unless its packet has no work for them, and of those after the last packet. */
static inline double track_enqueue(const struct track *track, int slot, bool begins)
{
    double visit = begins ? track->enqueue - track->enqueue_inside : 0;
    double inside = track_weight(track, slot) > 0 ? track->enqueue_inside : 0;

    return visit + inside + (slot == track->slots - 1 ? track->enqueue_tail : 0);
}

/* Returns true if a slot's duration (without fixed times) is `slope` times its weight plus `offset`
 * for slots with work: always, unless an accumulator is read during a longer computation or a link
 * splits its payload into datagrams. */
bool track_linear(const struct track *track, double *slope, double *offset);

/* Returns when the data of a camera's slots up to this one have left the wire, from the start of
 * the frame; slot -1: when its readout starts. */
double camera_time(const struct track *camera, int slot, int packets);

/* Fills `end` with the times at which the packets of a frame are available to the program, from the
 * start of the frame; `passed`: when the receiving core is free. Returns when it is free next. */
double arrival_fill(const struct track *camera, int packets, double passed, double *end);

/* Returns when a command whose slot ends at `end` is out: before switches and cable. */
static inline double track_command(const struct track *track, double end)
{
    return end - track->beyond;
}

/* Returns a track's first slot with work, the last one if it has none. */
static inline int track_first_slot(const struct track *track)
{
    return track->weights.first < track->slots ? track->weights.first : track->slots - 1;
}

/* Finds the first slot of each track in which it or a track behind it works. Those before it only
 * pass readiness on, to nobody who works. */
void timeline_find_first_slots(const struct timeline *timeline, int first[]);

/* Returns the start of a track's first slot with work, from the start of the reported frame. */
double track_first_start(const struct track *track);

/* Runs one track without contention through a frame, after its predecessors; in a frame without
 * data for its divisor it passes readiness on. */
void timeline_run_alone(const struct timeline *timeline, int node, int frame);

/* Run all tracks without contention through consecutive frames from 0; a track only waits for its
 * own work of the frame before. The results are those of the last frame. */
void timeline_start(struct timeline *timeline);
void timeline_run_frame(struct timeline *timeline, int frame);

/* Computes the recurrence for one chain: `end` from `ready` and `duration`, free from `held` on. */
void timeline_chain(const double *ready, const double *duration, double held, int count,
                    double *end);

#endif
