/* A device whose jobs run side by side, each at the rate its share is of the shares of all.
 *
 * Kept in virtual time, which passes at 1 / (sum of the active shares): a job that needs w seconds
 * of the whole device and has share s is done w / s after it began, whoever comes and goes
 * meanwhile (generalised processor sharing; Parekh and Gallager, IEEE/ACM Trans. Networking 1(3),
 * 1993). So jobs stay in the order in which they end, and one that comes or goes costs O(log n). */
#ifndef AOLAG_MODEL_CONTENTION_H
#define AOLAG_MODEL_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "model/plan.h"
#include "model/timeline.h"

struct fluid_job {
    double done; /* virtual time */
    double share;
    int node;
};

struct fluid {
    struct fluid_job *job; /* heap, the first to end on top; room for all that may run here */
    int count;
    double shares; /* sum of the active ones */
    double lost;   /* what rounding took from it: a large share that goes leaves small ones exact */
    double virtual;
    double now; /* s, when that was */
};

/* An idle device. */
void fluid_clear(struct fluid *fluid, struct fluid_job *room);

/* Begins a job at `now`, not before anything else that happened here: `work` s of the whole device,
 * above 0; `share` above 0. */
void fluid_begin(struct fluid *fluid, double now, int node, double share, double work);

/* When the first job ends if no other comes, in s. There must be one. */
double fluid_next(const struct fluid *fluid);

/* Ends the first job, at the time fluid_next told; its node. */
int fluid_end(struct fluid *fluid, double now);

/* Components that share a device, transfers that share a queue: slots in the order of time. Part of
 * timeline.
 *
 * exclusive: a slot holds the whole device for all of its duration; first ready, first served, of
 * simultaneous ones the lower `turn`. fluid: a slot waits its fixed time, for which it needs no
 * device, then works at the rate its share is of the shares of all that work there. Queues are
 * served as ever. A slot without work asks for nothing.
 *
 * More speed, a larger share or a shorter launch may make a frame later in either: what one gains
 * can be in another's way (Graham, SIAM J. Applied Mathematics 17(2), 1969). Requests that are
 * simultaneous by arithmetic but not by rounding go in the order of their rounded times.
 *
 * In several frames (frames.h says which) every camera starts its readout when a frame starts; one
 * that delivers every k-th frame of the loop, and what follows it, passes readiness on in the
 * others. Once the last command of a frame is out each of its
 * components does the work it deferred, on its own part of the device, on the device in its turn or
 * at its rate; the next frame's slots wait for that. What is told is the last frame's, from its own
 * start. */

#define SIMULATION_SLOTS ((size_t)NODE_MAX * PACKETS_MAX) /* in all frames together */
#define RESOURCE_MAX (LINK_MAX + DEVICE_MAX)

struct shared_edge {
    int to;
    int next; /* of the same predecessor; -1: none */
};

/* A slot that was done. */
struct shared_step {
    uint16_t node;
    uint16_t slot; /* of all frames */
};

/* One run. Slots are numbered through all frames; in several frames one more follows the packets,
 * for deferred work. */
struct simulation {
    struct timeline *run;
    int per_frame;              /* slots */
    int total;                  /* of a node */
    bool met[NODE_MAX];         /* meets others or waits for one that does */
    int next[NODE_MAX];         /* the slot each track has yet to do */
    int slot[NODE_MAX];         /* within its frame */
    int frame[NODE_MAX];        /* which */
    int arrived[NODE_MAX];      /* predecessors that have done that slot */
    double free[NODE_MAX];      /* when it could do that slot */
    double passed[NODE_MAX];    /* the end of the slot before */
    double begun[NODE_MAX];     /* fluid: the slot at work */
    int held[NODE_MAX][2];      /* resources others want too, NO_QUEUE: none */
    int fluid_of[NODE_MAX];     /* the device it flows on with others, or -1 */
    double until[RESOURCE_MAX]; /* queues, then devices: when they are free */
    struct fluid fluid[DEVICE_MAX];
    struct fluid_job room[NODE_MAX];
    int commands_left[FRAMES_MAX]; /* not out yet */
    double commanded[FRAMES_MAX];  /* when the last one was */
    int first_edge[NODE_MAX];      /* to successors that are simulated */
    struct shared_edge edge[PLAN_POOL];
    int edge_count;
    int ready[NODE_MAX]; /* tracks whose next slot can be looked at */
    int ready_count;
    struct event_heap events;
    double *end[NODE_MAX];   /* [total]; NULL: it runs alone */
    double *begin[NODE_MAX]; /* [total] */
    int step_count;

    /* the caller's memory, [SIMULATION_SLOTS] each */
    double *ends, *begins;
    struct shared_step *step; /* in an order in which nothing precedes what it waited for */
};

/* As many frames, at most FRAMES_MAX, as there is memory for. */
int timeline_frames(int tracks, int packets);

/* timeline_run where tracks may meet. Those that do and all behind them slot by slot, the others as
 * ever; in several frames all. Costs a heap operation or two a shared slot and a step an edge and
 * slot. */
void timeline_shared(struct timeline *timeline);

/* Whether a track does anything in a slot of a frame. */
bool shared_works(const struct simulation *s, int node, int frame, int slot);

/* Before slots are simulated: who meets whom, what waits for what. Part of timeline_shared. */

/* Runs what meets nobody; lines up those whose first slot can be looked at. */
void shared_set_up(struct simulation *s, struct timeline *timeline);

/* Predecessors that have done the slot a track is at; once all have, it can be looked at. */
void shared_count_arrived(struct simulation *s, int node);

/* When the cameras of a frame begin their readout. */
static inline double shared_frame_start(const struct simulation *s, int frame)
{
    return (s->run->ago[0] - s->run->ago[frame]) * s->run->period;
}

#endif
