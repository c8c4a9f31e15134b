/* Contention: components that share a device, transfers that share a queue, a GPU's enqueuing
 * thread, frames that overlap. Their slots are simulated in order of time.
 *
 * Exclusive sharing: a slot holds the whole device for its duration and is not interrupted. When
 * the device becomes free, the slot with the lowest rank (priority, then the longest path from a
 * camera) of those that have asked for it goes first; of equal ones that of the lower packet
 * number, then that of the earlier component. Deferred work goes last. Fluid sharing (processor
 * sharing): a slot first waits for its fixed time, for which it needs no device, and then works at
 * the rate of its share divided by the sum of the shares active there. Queues and enqueuing threads
 * are served first come, first served; a thread enqueues all kernels of a visit (timeline.h) at
 * once. A slot without work requests nothing.
 *
 * With any of these, more speed, a larger share or a shorter launch may delay a frame: a slot that
 * ends earlier can delay another (scheduling anomalies: Graham, SIAM J. Applied Mathematics 17(2),
 * 1969). Requests of the same instant are served by slot, then by node, and those that
 * are simultaneous except for rounding in the order of their rounded times.
 *
 * With several frames (frames.h) frame f starts at f periods: every camera starts its readout; a
 * camera that delivers every k-th frame, and its successors, work if k divides f and pass readiness
 * on otherwise. After the last command of a frame its components do their deferred work: on their
 * own part of the device, in turn, or at their rate; the next frame's slots wait for it. One frame
 * is reported, relative to its own start. */
#ifndef AOLAG_MODEL_CONTENTION_H
#define AOLAG_MODEL_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/number.h"
#include "model/plan.h"
#include "model/timeline.h"

#define SIMULATION_SLOTS ((size_t)NODE_MAX * PACKETS_MAX) /* of all frames together, 2^22 */
#define RESOURCE_MAX (QUEUE_MAX + UNIT_MAX)
#define FRAMES_MAX 8192
#define REPEAT_MOST 100000 /* slots of a run that may be repeated */
#define JOBS_MOST 10000    /* likewise with fluid sharing, where a slot may have 3 steps */

enum {
    ORDERS = 8,         /* of slots that are kept, see repeat.h */
    ORDERS_SLOTS = 5000 /* of a run of which as many are kept; 2 of a longer one */
};

/* A device that several tracks use.
 *
 * Exclusive: `jobs` are the tracks that wait for it, by rank. Fluid: virtual time advances at 1 /
 * (sum of the active shares): a job that needs w seconds of the whole device and has share s ends
 * w / s after its start in virtual time, whatever other jobs start and end meanwhile (Parekh and
 * Gallager, IEEE/ACM Trans. Networking 1(3), 1993). So the order in which jobs end never changes.
 */
struct shared_device {
    struct heap jobs; /* nodes, by rank or by the virtual time at which their jobs end */
    double shares;    /* sum of the active shares */
    double lost; /* rounding error of `shares`: small shares stay exact when a large one leaves */
    double virtual;
    double now; /* s, real time of `virtual` */
};

/* A predecessor of a simulated track. */
struct simulation_edge {
    struct simulated_track *from, *to;
    const struct simulation_edge *next; /* next edge from the same predecessor, or NULL */
    const double *end;                  /* the predecessor's, [total] */
    int last;                           /* the predecessor's last slot */
};

/* A step of a run, in topological order. */
enum step_kind {
    STEP_PASSES,     /* a slot without work ends */
    STEP_WORKS,      /* one with work ends */
    STEP_ENQUEUES,   /* a shared thread enqueues a visit */
    STEP_BEGINS_JOB, /* fluid: a slot begins its work on the device, after its fixed time */
    STEP_ENDS_JOB    /* and ends */
};

struct simulation_step {
    int slot;      /* index through all frames */
    uint16_t node; /* of a visit the first one */
    uint8_t kind;  /* enum step_kind */
    bool idle;     /* see repeat.c */
};

/* What decides, besides the structure of the plan, which slots of a track work and which of them
 * wait for another. */
struct track_shape {
    int slots, divisor, thread, visits, sharing, device;
    int first, last, weights; /* slots with a weight, and their number; 0: all is in the last one */
    bool weight_works, tail_works, enqueues, enqueues_inside, defers;
};

/* What a track has not finished when its work of a frame begins. */
struct frame_start {
    double free;     /* time from which it can do a slot */
    double enqueued; /* own enqueuing thread: when it is free */
};

/* How a slot that works comes to ask for its device or queues. */
struct slot_entry {
    bool own_thread; /* its own thread enqueues it */
    bool in_visit;   /* its shared thread enqueues it as part of a visit */
    double delay;
};

/* State of one track. */
struct simulated_track {
    int node; /* number of the track */
    struct track *track;
    double *end;          /* [total]; NULL: runs without simulation */
    double *begin;        /* [total] */
    double *request;      /* [total], when it asked for its device or queue */
    double *asked;        /* [total], see repeat.c; NULL: too many */
    int first;            /* its first slot of a frame that is simulated */
    int next;             /* its next slot */
    int slot;             /* index of that slot within its frame */
    int frame;            /* frame of that slot */
    int arrived;          /* predecessors that have completed that slot */
    double free;          /* time from which it can do that slot */
    double passed;        /* end of the preceding slot */
    double enqueued;      /* own enqueuing thread: when it is free */
    double begun;         /* fluid: start of the current slot */
    int held[2];          /* contended resources it holds, NO_QUEUE: none */
    int shared;           /* unit that it shares with others, or -1 */
    int next_visit;       /* slot of the next visit that a shared thread enqueues */
    int visit_slot;       /* index of that slot within its frame */
    int visit_frame;      /* frame of that slot */
    int awaited;          /* slot of its only predecessor that its next slot waits for, or -1 */
    int known_inputs;     /* the first of its inputs are known to have completed that slot */
    int before_in_thread; /* track before it of the thread that may continue a visit, or -1 */
    int edges;            /* from its predecessors and to its simulated successors */
    bool enqueues;        /* its next slot waits for its enqueuing thread */
    bool thread_shared;   /* shares its enqueuing thread */
    bool feeds_thread;    /* a successor does */
    bool contends;        /* has contention or waits for such a track */
    struct slot_entry
        entry[2]; /* see repeat.c: of a slot that continues a visit, that begins one */
    const struct slot_entry *usual; /* likewise, of all slots; NULL: they differ */
    int sleep_slot;                 /* likewise, -1: none */
    double latency;                 /* from the end of a slot's duration to its end */
    int input_count;
    const struct simulation_edge *inputs;     /* edges from its predecessors */
    const struct simulation_edge *first_edge; /* first edge to simulated successors, or NULL */
};

/* Flag in `member` of the last track of a thread that may continue a visit: all are known. */
#define MEMBERS_KNOWN (UINT16_C(1) << 15)

/* State of one run. Slots are numbered through all frames; with several frames one slot for
 * deferred work follows the packets of each frame. */
struct simulation {
    struct timeline *run;
    struct pace *pace; /* of the run, or `unwatched` */
    struct pace unwatched;
    int per_frame; /* slots per node and frame */
    int total;     /* slots per node */
    struct simulated_track node[NODE_MAX];
    struct simulated_track *pointer[NODE_MAX]; /* to each node: faster than computing it per step */
    double busy_until[RESOURCE_MAX];           /* queues, then units */
    double thread_free[UNIT_MAX];
    int users[RESOURCE_MAX], thread_users[UNIT_MAX], last_in_thread[UNIT_MAX];
    struct shared_device device[UNIT_MAX];
    struct heap_item job[NODE_MAX]; /* jobs of all shared devices */
    int job_place[NODE_MAX];
    int commands_left[FRAMES_MAX]; /* commands not yet sent */
    double commanded[FRAMES_MAX];  /* time of the last command */
    struct simulation_edge edge[PLAN_POOL];
    int edge_count;
    struct simulated_track *ready[NODE_MAX]; /* tracks whose next slot can be examined */
    int ready_count;
    struct heap events; /* nodes, then units, then visits by their first node, in s */
    struct heap_item event[2 * NODE_MAX + UNIT_MAX];
    int event_position[2 * NODE_MAX + UNIT_MAX];
    int step_count;

    /* memory for as many slots of all tracks in all frames, and for as many of their frames */
    size_t slots, track_frames;
    double *ends, *begins, *requests; /* [slots] */
    struct frame_start *starts;       /* [tracks][frames] */
    double *asked;                    /* [slots, at most REPEAT_MOST], see repeat.c */
    struct simulation_step *step;     /* [2 slots and JOBS_MOST], in topological order */
    struct simulation_order {         /* of runs of the same shape, see repeat.c */
        struct simulation_step *step; /* likewise; `step` is one of them */
        int count;                    /* 0: none */
    } order[ORDERS];
    int order_count;                  /* those that have memory */
    int order_next;                   /* the one that was replaced last */
    int order_last, order_before;     /* of the last repetition, and another one */
    uint8_t order_of[RUN_KINDS];      /* of the last run of a kind, number + 1; 0: none */
    uint16_t *visit;                  /* [slots], see struct track */
    /* [slots], of tracks that share their enqueuing thread: the next track of its visit in this
     * slot, number + 1 */
    uint16_t *member;

    /* of the last run, for repeat.c */
    struct track_shape shape[NODE_MAX];
    bool *weighs;    /* [slots of a frame], of tracks some of whose slots have no weight */
    bool known;      /* all its steps are known, and so is its shape */
    bool repeated;   /* it went in the order of the run before it */
    bool by_threads; /* only enqueuing threads were shared: it needed no events */
    int missed;      /* runs since one went in the order of the run before it */
    int simulate;    /* runs to be simulated before the next attempt */
};

/* Returns the start of readout of a frame. */
static inline double simulation_frame_start(const struct simulation *s, int frame)
{
    return frame == 0 ? 0 : frame * s->run->period;
}

/* Returns the number of the predecessor's slot that a slot waits for: of the same packet, or the
 * last one of a predecessor with fewer slots. `base`: number of the frame's first slot. */
static inline int simulation_awaited(const struct simulation_edge *edge, int base, int slot)
{
    return base + (slot < edge->last ? slot : edge->last);
}

/* Returns the time at which a track's predecessors are done, no earlier than `ready`. `base`: as
 * above. */
static inline double simulation_inputs(const struct simulated_track *at, int base, int slot,
                                       double ready)
{
    if (at->input_count == 1)
        return larger(ready, at->inputs->end[simulation_awaited(at->inputs, base, slot)]);
    for (int i = 0; i < at->input_count; i++)
        ready = larger(ready, at->inputs[i].end[simulation_awaited(&at->inputs[i], base, slot)]);
    return ready;
}

/* Returns the time at which they or, for deferred work, all commands are done. */
static inline double simulation_ready(const struct simulation *s, const struct simulated_track *at,
                                      int frame, int slot)
{
    if (slot == s->run->packets)
        return s->commanded[frame];
    return simulation_inputs(at, frame * s->per_frame, slot, simulation_frame_start(s, frame));
}

/* Fluid sharing. Starts a job at `now`, not before earlier events on this device: `work` s of the
 * whole device, above 0; `share` above 0. */
void shared_device_begin(struct shared_device *device, double now, int node, double share,
                         double work);

/* Returns the end of the first job, s, if no other job starts. There must be one. */
double shared_device_next_end(const struct shared_device *device);

/* Ends the first job at the time given by shared_device_next_end; returns its node. */
int shared_device_end(struct shared_device *device, double now, const struct track *tracks);

/* Returns the fixed time of a slot, with its jitter, s. */
double contention_fixed_time(const struct simulation *s, const struct track *track, int frame,
                             int slot);

/* Gives back the memory; gets what a run needs. */
void simulation_free(struct simulation *s);
void simulation_fit(struct simulation *s, const struct timeline *run);

/* Returns the number of frames for which there is memory, at most FRAMES_MAX. */
int contention_frames(int tracks, int packets);

/* Returns the track after `member` in the visit of an enqueued slot, in the order of nodes; at
 * first `member` is the one that begins the visit. -1: no more. `number`: of the slot, in all
 * frames. */
static inline int contention_next_member(const struct simulation *s, int member, int number)
{
    uint16_t next = s->member[(size_t)member * (size_t)s->total + (size_t)number];

    return (next & (uint16_t)~MEMBERS_KNOWN) - 1;
}

/* Fills in the results of all tracks of a timeline. Tracks with contention and all their successors
 * are simulated slot by slot, the others run without simulation; with several frames and a shared
 * resource all are simulated. A shared slot costs a few heap operations, but none in a frame in
 * which only enqueuing threads are shared; every slot a step per edge. Allocates only if a run
 * needs more slots than any before; without memory, or stopped by its pace, a run has no results
 * (timeline_goes_on). */
void contention_run(struct timeline *timeline);

/* Sets and returns the simulation that a run of the timeline's number of frames uses. */
struct simulation *contention_choose(struct timeline *timeline);

/* Returns the rank of a slot of a track, `number` in all frames, among those that wait for an
 * exclusive device: exact, as its three parts have 15, 22 and 16 bits. */
double contention_rank(const struct simulation *s, int node, int slot, int number);

/* Returns the rank of a slot, `number` in all frames, among those that ask for a queue or a thread
 * at the same instant. */
static inline double contention_turn(int node, int number)
{
    return (double)number * NODE_MAX + node;
}

/* Begins a run with the same steps as the last one, in which the durations of all slots stand at
 * their ends until these are known; then fills in the results of all tracks, if it is known which
 * frame is reported. */
void contention_begin_again(struct timeline *timeline);
void contention_end(struct timeline *timeline);

/* Reports a frame, or another one, of the last run, which was simulated. */
void contention_report(struct timeline *timeline, int frame);

/* Notes what a track has not finished when its work of a frame begins. */
static inline void simulation_start_frame(struct simulation *s, const struct simulated_track *at,
                                          int frame)
{
    s->starts[at->node * s->run->frames + frame] = (struct frame_start){at->free, at->enqueued};
}

/* Returns the time of the last command of a simulated frame, and the sum of the ends of all tracks
 * in it, from its start. */
double contention_command(const struct timeline *timeline, int frame);
double contention_ends(const struct timeline *timeline, int frame);

/* Returns the time at which the last work of a frame ends, from its start. */
double contention_last_end(const struct timeline *timeline, int frame);

/* Returns true if a track works in a slot of a simulated frame. */
bool contention_works(const struct simulation *s, int node, int frame, int slot);

#endif
