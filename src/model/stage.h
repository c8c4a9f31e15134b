/* The work of each node of the plan: weights of packets, FLOP and bytes, rates, share of its
 * device. From the scenario to the tracks of the timeline. Part of evaluate. */
#ifndef AOLAG_MODEL_STAGE_H
#define AOLAG_MODEL_STAGE_H

#include "base/status.h"
#include "design/algorithm.h"
#include "design/scenario.h"
#include "model/contention.h"
#include "model/loop.h"
#include "model/memory.h"
#include "model/plan.h"
#include "model/program.h"
#include "model/readout.h"
#include "model/result.h"
#include "model/workload.h"

/* Seconds of a part of the work with the whole of the device. With less of it the wait for memory
 * does not grow. */
struct span {
    double compute, transfer, wait;
};

/* What a byte costs, by kind. */
struct stage_costs {
    struct memory_cost resident;
    struct memory_cost streamed;
    struct memory_cost arriving; /* streamed in from a camera or a link */
    struct memory_cost operand;  /* of a row's other factor; of the innermost level the loads */
};

struct stage {
    const struct algorithm *algorithm; /* NULL: none */
    bool frame_barrier;                /* all of its work waits for the last packet */
    struct weights weights;
    bool at_end;          /* hands its output on only with the last packet */
    double slopes;        /* measurements per frame it hands on */
    double divisor;       /* delivers every k-th frame */
    double across;        /* subapertures across, of the largest sensor that feeds it */
    double output;        /* B per frame */
    bool adds;            /* a part: its output is a part of the sum that each output is */
    double pixels;        /* of its sensor(s) */
    struct demand demand; /* accumulator: of each packet, as often as it is moved */
    double flop, bytes, working_set;
    double chain_items, chain_depth; /* of serially dependent sums */
    double vector;  /* B that every one of those sums reads again; 0 where none does */
    double operand; /* B a frame of it */
    double rows, columns;
    double grid, states; /* of a reconstruction, of a controller */
    double compute_efficiency, memory_efficiency;
    double cores;   /* it runs on; 0 on a GPU */
    bool own_cores; /* it states them: its share is of the bandwidth only */
    double chain;   /* s of those sums at share 1; 0 where the latency of an operation is unknown */
    double scalar;  /* s of their FLOP one by one at share 1; 0 where the rate is unknown */
    const struct memory *levels;
    struct memory own_levels; /* where it does not see those of the whole device */
    double block;             /* elements of the working set read in a row */
    bool arrives;             /* what it reads was not on the device before */
    struct stage_costs costs;
    enum memory_level_id level;                /* the one that takes most of the memory time */
    struct span stream, tail, deferred, whole; /* whole: all before the command is out */
    struct span accumulator;                   /* of a slot */
    const struct program *program;  /* a program's, which runs in place of the spans; else NULL */
    struct program_machine machine; /* it runs on, all of it */
    double compute, memory;         /* s per frame */
    double slots;          /* s per frame at share 1, their durations without fixed times */
    double work;           /* in proportion to which automatic shares are given */
    double fixed;          /* s of a slot with work */
    double fixed_tail;     /* s after the last slot */
    double fixed_deferred; /* s once the command is out */
    double fixed_total;    /* s per frame */
    double share;
    double time;          /* s, sum of the slots' durations */
    double deferred_time; /* s, with its launches */
};

struct workspace {
    struct plan plan;
    bool rebuilt; /* the plan, since names were last copied to the result */
    struct agenda agenda[WFS_MAX];
    struct stage stage[NODE_MAX];
    struct track track[NODE_MAX];
    struct device seen[DEVICE_MAX];   /* what its memory was made from */
    struct memory memory[DEVICE_MAX]; /* of all cores */
    bool shown[DEVICE_MAX];           /* the result has what the device alone decides */
    double held[DEVICE_MAX];          /* B, the working sets of all that runs there */
    struct coherence coherence;
    struct timeline timeline;
    struct simulation simulation;
    double *storage; /* all the arrays of tracks and below */
    double *join[COMPONENT_MAX];
    double *scratch;
};

/* Sets every stage and track of the plan. STATUS_INVALID names the section and key: a detector too
 * small, shares above 1, more workers than cores. */
enum status stage_prepare(struct workspace *work, const struct scenario *scenario,
                          struct error *error);

/* The steps of stage_prepare in stage_work.c: the work of node n; the cores and memory levels of
 * all nodes; the time of node n's work at share 1; the same of a program. A node's predecessors
 * must be done. */
void stage_demand(struct workspace *work, const struct scenario *scenario, int n);
enum status stage_memory(struct workspace *work, const struct scenario *scenario,
                         struct error *error);
void stage_work(struct workspace *work, const struct scenario *scenario, int n);
enum status stage_program(struct workspace *work, const struct scenario *scenario, int n,
                          struct error *error);

/* Sets the track's durations at a share of the device, without fixed times. Returns the seconds of
 * all its slots, the tail not among them. */
double stage_at_share(const struct stage *stage, double share, int packets, struct track *track);

/* Valid subapertures of all identical sensors together. */
double stage_subaps(const struct workspace *work, const struct scenario *scenario, int wfs);

/* Whether a component runs in one thread, without waiting for others: on one core of a CPU, or as a
 * program of one thread. */
bool stage_alone(const struct component *c, const struct device *device, const struct stage *stage);

/* The i-th predecessor of a node. */
static inline const struct stage *stage_before(const struct workspace *work,
                                               const struct plan_node *node, int i)
{
    return &work->stage[work->plan.pool[node->before_first + i]];
}

#endif
