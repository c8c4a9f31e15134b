/* The results of evaluate, and the table that names each of them once.
 *
 * All values are SI and finite. A value that does not exist in this design (the slack of what comes
 * after the last command, tau0 without wind) is RESULT_NONE; printers write null or a dash. */
#ifndef AOLAG_MODEL_RESULT_H
#define AOLAG_MODEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "model/memory.h"

#define RESULT_NONE (-1e300)
#define NODE_NAME_MAX 131
#define NODE_MAX 1024 /* components, their parts and inserted transfers */
#define DM_MAX COMPONENT_MAX
#define LINK_MAX (4 * DEVICE_MAX) /* per device: PCIe and network, in and out */

enum bound { BOUND_COMPUTE, BOUND_MEMORY, BOUND_OVERHEAD, BOUND_LINK, BOUND_READOUT };

/* A component or an inserted transfer; times are of one frame. */
struct node_result {
    char name[NODE_NAME_MAX + 1]; /* "recon", "recon@gpu0", "slopes>recon", "a>b.2" */
    int component;                /* its number, -1 for an inserted transfer */
    enum component_type type;
    int algorithm;  /* row of the algorithm table or -1 */
    int device;     /* where it runs, -1 for cameras, transfers, mirrors, what is in parts */
    double divisor; /* it works in every k-th frame of the loop, the reported one among them */
    int parts;      /* of a component split over devices: how many; else 0 */
    int part;       /* which of them; -1: the row of the whole, else too */
    double flop;
    double bytes;       /* moved: memory traffic; of a transfer, camera or mirror the payload */
    double working_set; /* B */
    double share;       /* of the device, stated or automatic; 1 where there is none */
    double compute_efficiency, memory_efficiency; /* in force */
    double rows, columns;                         /* of a reconstruction, else RESULT_NONE */
    double grid;     /* points, of a reconstruction, else RESULT_NONE */
    double states;   /* of a controller, else RESULT_NONE */
    double kernels;  /* launches of a packet; RESULT_NONE without a device */
    double exposure; /* s, of a camera, else RESULT_NONE */
    double workers;  /* cores it runs on, stated or left; RESULT_NONE but on a processor */
    double block;    /* elements of its working set read in a row; RESULT_NONE without one */
    enum memory_level_id level; /* that takes most of its memory time; memory where none does */
    double compute;             /* s, after share */
    double memory;              /* s, after share; of a transfer or mirror the wire time */
    double time;                /* s, sum of its slots' durations; a camera's readout */
    enum bound bound;
    double first_start, last_end;         /* s from the start of readout */
    double deferred;                      /* s, of work once the command is out */
    double deferred_flop, deferred_bytes; /* of it, among flop and bytes */
    double busy;                          /* s per frame that it delivers, deferred work included */
    double slack; /* s its end may slip (slack.h); RESULT_NONE after the last command */
    double path_wait, path_busy; /* s, its part of the critical path after the last pixel */
};

/* Slots of a node that follow one another on the critical path. */
struct path_step {
    int node;
    int first, last; /* slots */
    double wait;     /* s, for a queue or a device that others held */
    double busy;     /* s */
};

/* Whether it is the row of a component that is split: work is its parts' sum, each time that of
 * the slowest, its start the first and its end the last of theirs. Only the parts run. */
static inline bool node_is_whole(const struct node_result *node)
{
    return node->parts > 0 && node->part < 0;
}

/* The name of a node without the devices of parts: "recon" of "recon@gpu0", "slopes>recon" of
 * "slopes>recon@gpu0". */
void node_plain_name(const char *name, char plain[NODE_NAME_MAX + 1]);

struct device_result {
    double peak_flops; /* FLOP/s, fp32 */
    double bandwidth;  /* B/s, peak of device memory */
    double busy;       /* s per frame */
    double utilisation;
    /* by enum memory_level_id, as their knobs have them; RESULT_NONE where there is no level (its
     * capacity 0) and for the capacity of memory */
    double capacity[LEVEL_COUNT];        /* B */
    double level_bandwidth[LEVEL_COUNT]; /* B/s */
    double level_latency[LEVEL_COUNT];   /* s of one access */
    double core_bandwidth;               /* B/s; RESULT_NONE for a GPU */
    double pc;                           /* factor predictions for it are off, either way */
};

/* A sensor; one of its `count`. */
struct wfs_result {
    double subaps;        /* valid ones, stated or counted from the geometry */
    double width, height; /* px, of the detector, stated or just large enough */
};

struct link_result {
    char name[NODE_NAME_MAX + 1]; /* "rtc.nic.out", "gpu0.pcie.in" */
    double busy;                  /* s per frame */
};

struct dm_result {
    int component;
    double latency; /* s, last pixel to command at the mirror */
    double arrival; /* s from the start of readout */
};

struct loop_result {
    double delay_frames;
    double tau_total; /* s */
    double tau0;      /* s, or RESULT_NONE without wind */
    double greenwood; /* Hz */
    double servo_lag; /* m of wavefront, rms */
    double strehl;    /* from lag alone */
    double max_gain;  /* integrator, stability */
    double gain_45;   /* integrator, phase margin of 45 degrees */
    double crossover; /* Hz, open loop at gain_45 */
};

struct workspace;

struct result {
    double latency;     /* s, last pixel in to last command out */
    double first_pixel; /* s, first pixel in to last command out */
    double uncertainty; /* factor the latency may be off, either way: see outcome.h */
    double last_pixel;  /* s from the start of readout */
    double frame_period;
    double target;
    double margin;                 /* s, target - latency; negative when missed */
    double max_frame_rate;         /* Hz; RESULT_NONE when nothing takes time */
    char limit[NODE_NAME_MAX + 1]; /* what sets max_frame_rate: component, device or link */
    double limit_busy;             /* s */
    double load;                   /* limit_busy over frame_period; overloaded above 1 */
    bool overloaded;
    double frames; /* that were simulated, see frames.h; the last is reported */
    int path_count;
    struct path_step *path; /* [NODE_MAX], in the order of time; waits and busy times add up to the
                               latency */
    int bound_node;         /* the component with the largest part of the critical path, or -1 */
    enum bound bound;
    struct loop_result loop;
    int node_count, device_count, wfs_count, link_count, dm_count;
    struct node_result *node; /* [NODE_MAX], in topological order of the file, parts after their
                                 whole */
    struct device_result device[DEVICE_MAX];
    struct wfs_result wfs[WFS_MAX];
    struct link_result link[LINK_MAX];
    struct dm_result dm[DM_MAX];
    struct workspace *work; /* evaluate's own */
};

/* STATUS_MEMORY when there is none. result_free accepts a zeroed or failed result. */
enum status result_init(struct result *result, struct error *error);
void result_free(struct result *result);

const char *bound_name(enum bound bound);

/* The node of that name, or -1. */
int result_find_node(const struct result *result, const char *name);

/* What a result is about; components are nodes. */
enum result_scope { RESULT_DESIGN, RESULT_LOOP, RESULT_COMPONENT, RESULT_DEVICE, RESULT_WFS };

/* Whether a larger number is a better one. */
enum result_sense { SENSE_LESS = -1, SENSE_NEITHER, SENSE_MORE };

enum result_id {
#define RESULT(id, ...) RESULT_##id,
#include "model/results.def"
#undef RESULT
    RESULT_ROW_COUNT
};

struct result_row {
    enum result_scope scope;
    size_t offset;    /* of the double in the scope's struct */
    const char *key;  /* last word of the path */
    const char *json; /* key in JSON and CSV, with the unit in it */
    char unit[8];     /* of the JSON number */
    enum result_sense sense;
    enum knob_id knob; /* whose automatic value it tells; 0: none */
    const char *help;  /* one line, no final point */
};

extern const struct result_row result_rows[RESULT_ROW_COUNT];

static inline enum result_id result_id(const struct result_row *row)
{
    return (enum result_id)(row - result_rows);
}

/* How many elements a scope has: nodes, devices, sensors; 1 for the design and the loop. */
int result_count(const struct result *result, enum result_scope scope);

/* The value (SI) of a row for element `index` of its scope (a node, device or sensor; else 0). */
double result_value(const struct result *result, const struct result_row *row, int index);

/* The value in the row's unit; RESULT_NONE stays RESULT_NONE. */
double result_in_unit(const struct result *result, const struct result_row *row, int index);

/* Paths: "latency", "loop.servo_lag", "component.recon.memory_time", "device.rtc.utilisation",
 * "wfs.ngs.valid_subaps". */

#define RESULT_PATH_MAX (NODE_NAME_MAX + 64)

/* A row for one element of its scope, by name, since indices change with the structure of a
 * design. */
struct result_ref {
    const struct result_row *row;
    char name[NODE_NAME_MAX + 1]; /* of the node, device or sensor; else empty */
    int index;                    /* where it was found */
};

/* STATUS_INVALID names the nearest path of this evaluated design. */
enum status result_find(const struct scenario *scenario, const struct result *result,
                        const char *path, struct result_ref *ref, struct error *error);

/* Its value (SI) in an evaluated design; RESULT_NONE also where the design has no such element. */
double result_read(const struct scenario *scenario, const struct result *result,
                   const struct result_ref *ref);

/* The path it was found by; at least RESULT_PATH_MAX bytes. */
void result_path(const struct result_ref *ref, char *text, size_t size);

/* "component.recon.time_us": the path with the key JSON and CSV use, which has the unit in it. */
void result_json_path(const struct result_ref *ref, char *text, size_t size);

/* Number i of all results of a design, in the order of the table; false: there are not so many. */
bool result_at(const struct scenario *scenario, const struct result *result, int i,
               struct result_ref *ref);

#endif
