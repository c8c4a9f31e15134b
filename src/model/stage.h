/* The work of each node of the plan: weights of packets, FLOP and bytes, rates, share of its
 * device. Converts the scenario to the tracks of the timeline. Part of evaluate. */
#ifndef AOLAG_MODEL_STAGE_H
#define AOLAG_MODEL_STAGE_H

#include "base/status.h"
#include "design/algorithm.h"
#include "design/scenario.h"
#include "model/cases.h"
#include "model/cause.h"
#include "model/contention.h"
#include "model/loop.h"
#include "model/memory.h"
#include "model/overhead.h"
#include "model/plan.h"
#include "model/program.h"
#include "model/readout.h"
#include "model/result.h"
#include "model/workload.h"

/* The matrices of a dense product. */
enum matrix { MATRIX_STREAM, MATRIX_TAIL, MATRIX_DEFERRED, MATRIX_COUNT };

/* Seconds of a part of the work with the whole device. A smaller share does not lengthen the
 * latency (`wait`), nor what the rows of a matrix on a GPU take if there are few of them. */
struct span {
    double compute, transfer, wait;
    struct matrix_time {
        double gap, rows; /* of `transfer`; at least, 0: not a matrix on a GPU */
    } matrix[MATRIX_COUNT];
};

/* Returns the memory time of a part of the work whose transfers take `slower` times as long. */
double stage_span_memory(const struct span *span, double slower);

/* Returns the part of that by which few rows lengthen it. */
double stage_few_rows_time(const struct span *span, double slower);

/* Cost per byte, by kind of traffic. */
struct stage_costs {
    struct memory_cost resident;
    struct memory_cost streamed;
    struct memory_cost arriving; /* streamed in from a camera or link */
    struct memory_cost operand;  /* input vector of a row; at the innermost level, its loads */
};

struct stage {
    unsigned char taken[CASES_COUNT];  /* the case of each quantity of formulas.def; 0: none */
    const struct algorithm *algorithm; /* NULL: none */
    bool frame_barrier;                /* all its work waits for the last packet */
    double frame_copy;                 /* s, of a camera's frame by a core of its host */
    struct weights weights;
    bool at_end;          /* delivers its output only with the last packet */
    double slopes;        /* measurements per frame that it delivers */
    double divisor;       /* delivers every k-th frame */
    double across;        /* subapertures across of the largest sensor that feeds it */
    double output;        /* B per frame */
    bool partial_sums;    /* a part: its output is a partial sum of every output */
    double pixels;        /* pixels of its sensor(s) */
    struct demand demand; /* accumulator: per packet, including repeated moves */
    double flop, bytes, working_set;
    enum chain chain; /* of its serially dependent sums, if operation latencies are known */
    double chain_items, chain_depth; /* items and depth of these */
    double vector;                   /* B that every such sum reads again; 0: none */
    double operand;                  /* B of vector reads per frame */
    double rows, columns;
    double stated[STATED_COUNT]; /* numbers of a custom component, else 0 */
    double arriving;             /* measurements that it gets, or states */
    double grid, states;         /* of a reconstruction and of a controller */
    double compute_efficiency, memory_efficiency;
    double memory_rate;            /* fraction of the peak bandwidth that it reaches */
    double total_rate;             /* of code of which that is known in total, else 0 */
    double row_cost[MATRIX_COUNT]; /* s/B, least cost of a matrix with few rows; 0: none */
    int thread;     /* node that has the cores of its thread, itself or another; -1: none */
    int in_thread;  /* of that node: number of nodes of the thread */
    double workers; /* scenario_workers */
    double cores;   /* number of cores; 0 on a GPU */
    bool own_cores; /* it states its cores: its share is of the bandwidth only */
    double chain_time; /* s, dependent sums at share 1; 0 if operation latencies are unknown */
    double scalar;     /* s, scalar FLOP of these sums at share 1; 0 if the rate is unknown */
    const struct memory *levels;
    struct memory own_levels; /* if they differ from those of the whole device */
    double memory_stretch;  /* factor of transfers in a memory that host and board share, else 1 */
    struct memory_sharing { /* of such a memory: formula_memory_stretch; shared_rate 0: none */
        double own_rate, shared_rate, own_time, other_moved;
    } sharing;
    double block;             /* consecutive elements of the working set */
    bool input_arrives;       /* its input was not on the device before */
    struct stage_costs costs;
    enum memory_level_id level;                /* level with most of the memory time */
    bool few_rows;                             /* few rows take most of the memory time */
    struct span stream, tail, deferred, whole; /* whole: all work before the command */
    struct span accumulator;                   /* per slot */
    const struct program *program;             /* program that replaces the spans, or NULL */
    struct program_machine machine;            /* whole machine that the program runs on */
    double compute, memory;                    /* s per frame */
    double slots;          /* s per frame at share 1, slot durations without fixed times */
    double work;           /* weight for automatic shares */
    double handover;       /* of a link, s of its delay between processes */
    double port[2];        /* of a link, s of its delay and of its latency in ports */
    bool port_limits;      /* of a camera: its readout lasts longer because of a port */
    double graphs;         /* started per frame on a GPU that runs graphs, else 0 */
    double operators;      /* of an interpreter, per slot with work; 0: none */
    double fixed;          /* s per slot with work */
    double fixed_tail;     /* s after the last slot, and once per frame */
    double fixed_deferred; /* s after the command is out */
    double fixed_total;    /* s per frame */
    bool overlaps;         /* automatic share: may work at the same time as others of its unit */
    double share;
    /* of a thread, at the node that has its cores, or of a node alone: */
    double claimed;       /* largest stated share; 0: automatic */
    double claimed_work;  /* sum of `work` */
    bool claim_overlaps;  /* one of them may work at the same time as others of its unit */
    double time;          /* s, sum of slot durations */
    double deferred_time; /* s, including launches */
    double idle;          /* s, between frames, of what finds its core asleep; else undefined */
};

/* The numbers of a custom component, as far as they are known. */
struct stated_values {
    double value[STATED_COUNT]; /* SI */
    enum stated_state { STATED_UNKNOWN, STATED_BUSY, STATED_KNOWN } state[STATED_COUNT];
};

/* Whether the slack of the nodes of a result is known: lost if the timeline is no longer that of
 * the result. */
enum slack_state { SLACK_LOST, SLACK_UNKNOWN, SLACK_KNOWN };

struct workspace {
    unsigned char taken[CASES_COUNT]; /* the case of each quantity of the design; 0: none */
    enum slack_state slack;
    bool flow_known;
    struct flow_result flow; /* of the design evaluated last, if that is known */
    struct plan plan;
    bool rebuilt; /* the plan was rebuilt since names were last copied to the result */
    int units;    /* of the plan, and of threads */
    struct agenda agenda[WFS_MAX];
    struct stage *stage; /* [node_room] */
    struct track *track; /* [node_room] */
    int node_room;
    const struct cause_factors *factors; /* NULL: all 1 */
    struct cause_factors scaled;         /* room for them */
    struct cause_factors used; /* of the design evaluated last, as far as it has devices */
    /* of the calibration and of the first `calibrated_devices` of `memory_source`, if they are
     * known */
    bool calibration_known, calibration_used;
    int calibrated_devices;
    struct calibration calibration;
    struct cause_factors calibrated;
    enum sharing sharing[DEVICE_MAX];
    struct overhead overhead[DEVICE_MAX];
    int link_number[QUEUE_MAX];                 /* of each queue in the result; -1: none */
    double port_time[DEVICE_MAX];               /* s on the wire if all cameras of a host deliver */
    double port_busy[DEVICE_MAX];               /* s per frame, on average */
    struct ingress_times ingress[NODE_MAX];     /* of cameras */
    double receive_time[NODE_MAX];              /* of cameras, s of a receiving core per frame */
    struct device memory_source[DEVICE_MAX];    /* device that `memory` and `overhead` are of */
    struct memory memory[DEVICE_MAX];           /* levels of all cores */
    bool device_filled[DEVICE_MAX];             /* the result has the values of this device alone */
    struct stated_values stated[COMPONENT_MAX]; /* of custom components */
    double held[UNIT_MAX];                      /* B, working sets of all nodes on the unit */
    struct coherence coherence;
    struct pace *pace; /* of the result */
    struct timeline timeline;
    struct simulation simulation[2]; /* of one frame, of several */
    /* memory of the ends of tracks, the agendas and below, for a design of this size */
    double *storage;
    struct design_size {
        int nodes, packets, sensors, components;
    } size;
    double *join[COMPONENT_MAX];
    double *scratch; /* [2 packets] */
};

/* Set every stage and track of the plan unless its pace stops it: what no factor changes; then the
 * times. `again`: that was done for the same design before, with other factors. Return
 * STATUS_INVALID and name section and key: a detector too small, shares above 1, more workers than
 * cores. */
enum status stage_prepare(struct workspace *work, const struct scenario *scenario,
                          struct error *error);
enum status stage_times(struct workspace *work, const struct scenario *scenario, bool again,
                        struct error *error);

/* Returns the link between a board and its host; of an infinite rate if it uses the host's memory.
 */
struct wire stage_board_wire(const struct scenario *scenario, const struct plan *plan, int board);

/* Returns the B/s with which one core of a host copies: reads and writes. */
double stage_core_rate(const struct device *host);

/* Return true if a camera's data enter its host through the network port, and the seconds for which
 * the cameras of a node occupy it per frame. */
bool stage_uses_port(const struct scenario *scenario, const struct plan_node *node);
double stage_port_time(const struct workspace *work, const struct scenario *scenario,
                       const struct plan_node *node);

/* Updates the memory levels and fixed times of a device if it changed: comparing is faster than
 * computing them. */
void stage_update_device(struct workspace *work, const struct scenario *scenario, int d);

/* Steps of stage_prepare in stage_packets.c: the agendas of all sensors; how packets, measurements
 * and rate pass through node n. Predecessors must be done first. */
enum status stage_update_agendas(struct workspace *work, const struct scenario *scenario,
                                 struct error *error);
void stage_pass_packets(struct workspace *work, const struct scenario *scenario, int n);

/* Steps in stage_wires.c: a camera; the bytes of a link, and its times; a camera's way into its
 * host, once all are known that share its port. */
void stage_set_camera(struct workspace *work, const struct scenario *scenario, int n);
void stage_set_payload(struct workspace *work, const struct scenario *scenario, int n);
void stage_set_link(struct workspace *work, const struct scenario *scenario, int n);
void stage_set_arrival(struct workspace *work, const struct scenario *scenario, int n);

/* The last step, in stage_shares.c: the shares of all nodes, also of a memory that a board shares with
 * its host, and their durations at these. */
enum status stage_set_shares(struct workspace *work, const struct scenario *scenario,
                             struct error *error);

/* Steps in stage_work.c: the work of node n; the cores and memory levels of all
 * nodes; the time of node n's work at share 1; the same for a program. The predecessors of a node
 * must be done first. */
enum status stage_demand(struct workspace *work, const struct scenario *scenario, int n,
                         struct error *error);
enum status stage_memory(struct workspace *work, const struct scenario *scenario,
                         struct error *error);
void stage_work(struct workspace *work, const struct scenario *scenario, int n);
/* Does that again for one whose transfers from and to memory take memory_stretch times as long. */
void stage_stretch_memory(struct workspace *work, const struct scenario *scenario, int n);
enum status stage_program(struct workspace *work, const struct scenario *scenario, int n,
                          struct error *error);

/* Gets the numbers of a custom component of the plan (stage_stated.c). Its predecessors must be
 * done first. One may be a formula (model/expression.h; knob_formula), which names numbers of any
 * section by their paths (ao.actuators), also those that formulas state, and wfs.NAME.subaps valid
 * subapertures or pupil pixels of all sensors of the section wfs.NAME.slopes    slopes of all
 * these: two of each wfs.NAME.pixels    pixels of all their detectors component.NAME.flop, .bytes,
 * .working_set    results of a component that comes before An asterisk for the name of a sensor
 * stands for all, in min, max and sum. An automatic number has a value only if the design counts
 * it: the valid subapertures, the size of the detector and the packets of a sensor.
 *
 * Returns STATUS_INVALID and names section and key: no formula, an unknown name, units that
 * disagree, formulas that depend on themselves or, in a chain, on more than 16, a value out of the
 * range of the knob. */
enum status stage_stated(struct workspace *work, const struct scenario *scenario, int component,
                         double values[STATED_COUNT], struct error *error);

/* Forgets them all, before a design is evaluated. */
void stage_forget_stated(struct workspace *work, const struct scenario *scenario);

/* Sets the track's durations at a share of the device, without fixed times. Returns the seconds of
 * all its slots, excluding the tail. */
double stage_at_share(const struct stage *stage, double share, struct track *track);

/* Returns the level with most of the memory time where a share of the device makes transfers
 * `slower` times as long, but no waits; memory if nothing is moved. */
enum memory_level_id stage_slowest_level(const struct stage *stage, double slower);

/* Returns the seconds per frame of the transfers from and to memory before the command, with the
 * whole device; sets the bytes. */
double stage_memory_transfer(const struct stage *stage, double *bytes);

/* Returns the bytes that work after the command moves. */
double stage_deferred_bytes(const struct demand *demand);

/* Return the valid subapertures of a sensor, and of all identical ones together. */
double stage_valid_subaps(const struct workspace *work, const struct scenario *scenario, int wfs);
double stage_subaps(const struct workspace *work, const struct scenario *scenario, int wfs);

/* Returns the pixels of the detectors of all identical sensors together. */
double stage_pixels(const struct workspace *work, const struct scenario *scenario, int wfs);

/* Returns true if a component runs in one thread and waits for no others: on one core of a CPU, or
 * as a program with one thread. */
bool stage_alone(const struct component *c, const struct device *device, const struct stage *stage);

/* Returns the factor of a cause on a device; 1 for an unknown device. */
static inline double stage_factor(const struct workspace *work, int device, enum cause cause)
{
    return work->factors == NULL || device < 0 ? 1 : work->factors->of[device][cause];
}

/* Returns true if components of a device own parts of it: those of an FPGA are separate circuits.
 */
static inline bool stage_is_partitioned(const struct workspace *work, int device)
{
    return work->sharing[device] == SHARING_PARTITION;
}

/* Returns true if a node has a slot only while no other one of its thread has. */
static inline bool stage_in_thread(const struct workspace *work, int n)
{
    return work->stage[n].thread >= 0 && work->stage[work->stage[n].thread].in_thread > 1;
}

/* Returns the i-th predecessor of a node. */
static inline const struct stage *stage_before(const struct workspace *work,
                                               const struct plan_node *node, int i)
{
    return &work->stage[work->plan.pool[node->before_first + i]];
}

#endif
