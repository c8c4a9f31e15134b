/* Contention: components that share a device, transfers that share a queue, frames that overlap.
 * Their slots are simulated in the order of time.
 *
 * First come, first served (exclusive): a slot holds the whole device for all of its duration; of
 * simultaneous slots the one with the lower `turn` goes first. Processor sharing (fluid): a slot
 * waits its fixed time, for which it needs no device, then works at the rate of its share divided
 * by the sum of the shares that work there. Queues are served first come, first served in any case.
 * A slot without work requests nothing.
 *
 * More speed, a larger share or a shorter launch may make a frame later with either: a slot that
 * ends earlier can delay another (Graham, SIAM J. Applied Mathematics 17(2), 1969). Requests that
 * are simultaneous by arithmetic but not by rounding are served in the order of their rounded
 * times.
 *
 * With several frames (frames.h chooses them) every camera starts its readout when a frame starts;
 * a camera that delivers every k-th frame of the loop, and what follows it, passes readiness on in
 * the others. Once the last command of a frame is out, each of its components does the work it
 * deferred: on its own part of the device, on the device in its turn, or at its rate; the next
 * frame's slots wait for that. The last frame is reported, from its own start. */
#ifndef AOLAG_MODEL_CONTENTION_H
#define AOLAG_MODEL_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "model/plan.h"
#include "model/timeline.h"

#define SIMULATION_SLOTS ((size_t)NODE_MAX * PACKETS_MAX) /* in all frames together */
#define RESOURCE_MAX (LINK_MAX + DEVICE_MAX)

/* A device with processor sharing. Virtual time passes at 1 / (sum of the active shares): a job
 * that needs w seconds of the whole device and has share s is done w / s after it began, whatever
 * comes and goes meanwhile (Parekh and Gallager, IEEE/ACM Trans. Networking 1(3), 1993). So jobs
 * stay in the order in which they end. */
struct shared_device {
    struct heap jobs; /* of nodes, by the virtual time at which they are done */
    double shares;    /* sum of the active ones */
    double lost; /* what rounding took from it: a large share that goes leaves small ones exact */
    double virtual;
    double now; /* s, when that was */
};

struct simulation_edge {
    int to;
    int next; /* of the same predecessor; -1: none */
};

/* A slot that was done. */
struct simulation_step {
    uint16_t node;
    uint16_t slot; /* of all frames */
};

/* One run. Slots are numbered through all frames; in several frames one more follows the packets,
 * for deferred work. */
struct simulation {
    struct timeline *run;
    int per_frame;              /* slots */
    int total;                  /* of a node */
    bool contends[NODE_MAX];    /* has contention or waits for a track that has */
    int next[NODE_MAX];         /* the slot each track has yet to do */
    int slot[NODE_MAX];         /* within its frame */
    int frame[NODE_MAX];        /* which */
    int arrived[NODE_MAX];      /* predecessors that have done that slot */
    double free[NODE_MAX];      /* when it could do that slot */
    double passed[NODE_MAX];    /* the end of the slot before */
    double begun[NODE_MAX];     /* processor sharing: the slot at work */
    int held[NODE_MAX][2];      /* resources others want too, NO_QUEUE: none */
    int shared[NODE_MAX];       /* the device on which it shares the processor with others, or -1 */
    double until[RESOURCE_MAX]; /* queues, then devices: when they are free */
    struct shared_device device[DEVICE_MAX];
    struct heap_item job[NODE_MAX]; /* of all shared devices */
    int job_place[NODE_MAX];
    int commands_left[FRAMES_MAX]; /* not out yet */
    double commanded[FRAMES_MAX];  /* when the last one was */
    int first_edge[NODE_MAX];      /* to successors that are simulated */
    struct simulation_edge edge[PLAN_POOL];
    int edge_count;
    int ready[NODE_MAX]; /* tracks whose next slot can be examined */
    int ready_count;
    struct heap events; /* of nodes, then of devices, in s */
    struct heap_item event[NODE_MAX + DEVICE_MAX];
    int event_place[NODE_MAX + DEVICE_MAX];
    double *end[NODE_MAX];   /* [total]; NULL: it runs alone */
    double *begin[NODE_MAX]; /* [total] */
    int step_count;

    /* the caller's memory, [SIMULATION_SLOTS] each */
    double *ends, *begins;
    struct simulation_step *step; /* in an order in which nothing precedes what it waited for */
};

/* As many frames, at most FRAMES_MAX, as there is memory for. */
int contention_frames(int tracks, int packets);

/* Fills in the results of all tracks of a timeline. Tracks with contention, and all that follow
 * them, are simulated slot by slot, the others run alone; with several frames all are simulated. A
 * shared slot costs a heap operation or two, every slot a step for each edge. */
void contention_run(struct timeline *timeline);

/* Whether a track does anything in a slot of a simulated frame. */
bool contention_works(const struct simulation *s, int node, int frame, int slot);

#endif
