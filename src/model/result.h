/* The results of evaluate, and the table that declares each of them once.
 *
 * All values are SI and finite. A value that does not exist in a design (the slack of nodes after
 * the last command, tau0 without wind) is RESULT_NONE; printers write null or a dash. */
#ifndef AOLAG_MODEL_RESULT_H
#define AOLAG_MODEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "model/memory.h"

#define RESULT_NONE (-1e300)
#define NODE_NAME_MAX 143
#define NODE_MAX 1024 /* components, their parts and inserted transfers */
#define DM_MAX COMPONENT_MAX
#define QUEUE_MAX (5 * DEVICE_MAX) /* queues per host: see enum queue_end */
#define LINK_RESULT_MAX (QUEUE_MAX + DEVICE_MAX + COMPONENT_MAX)

/* What takes most of the time of a component or transfer: of a computation the time on its device,
 * of a transfer or mirror that until its data arrive. On the critical path delays count too. */
enum bound {
    BOUND_COMPUTE,
    BOUND_MEMORY,
    BOUND_OVERHEAD, /* dispatch, hand-overs, software, operators of an interpreter */
    BOUND_LINK,     /* the wire */
    BOUND_READOUT,
    BOUND_WAITING, /* of a design only: components wait for one longer than it is on the path */
    BOUND_PORT,    /* between the wire and the program */
    BOUND_SLEEP,   /* on the path only: a wake-up from a sleep state */
    BOUND_ENQUEUE, /* the thread that enqueues kernels and copies of a GPU */
    BOUND_COPY     /* the delay of a copy from or to a GPU */
};
enum { BOUND_COUNT = BOUND_COPY + 1 };

/* What takes most of the time between the wire and the program. */
enum port_part {
    PORT_WIRE,    /* the port is slower than the readout */
    PORT_CORE,    /* a core receives the datagrams */
    PORT_INGRESS, /* from the receiving core to the program */
    PORT_EGRESS   /* from the program to the wire */
};

/* A component or an inserted transfer; times are of one frame. */
struct node_result {
    char name[NODE_NAME_MAX + 1]; /* "recon", "recon@gpu0", "slopes>recon", "a>b.2" */
    int component;                /* index of the component, -1 for an inserted transfer */
    enum component_type type;
    int algorithm;  /* row of the algorithm table or -1 */
    int device;     /* -1 for cameras, transfers, mirrors and split components */
    double divisor; /* works in every k-th frame of the loop, including the reported one */
    int parts;      /* number of parts of a split component; else 0 */
    int part;       /* index of the part; -1 for the whole and for other nodes */
    double flop;
    double bytes;       /* memory traffic; of a transfer, camera or mirror the payload */
    double working_set; /* B */
    double share;       /* of the device, stated or automatic; 1 without device */
    double compute_efficiency, memory_efficiency; /* effective values */
    double rows, columns;                         /* of a reconstruction, else RESULT_NONE */
    double grid;     /* grid points of a reconstruction, else RESULT_NONE */
    double states;   /* of a controller, else RESULT_NONE */
    double stated[STATED_COUNT]; /* numbers of a custom component, else 0 */
    double kernels;  /* launches per packet; RESULT_NONE without a device */
    double exposure; /* s, of a camera, else RESULT_NONE */
    double workers;  /* cores, stated or remaining; RESULT_NONE except on a CPU */
    double block;    /* consecutive elements of its working set; RESULT_NONE without one */
    enum memory_level_id level; /* level with most of its memory time, else memory */
    bool few_rows;  /* the latency of memory takes most of that: too few rows to read at once */
    double compute; /* s, after share */
    double memory;  /* s, after share; wire time of a transfer or mirror */
    double time;    /* s, sum of its slots' durations; readout of a camera */
    enum bound bound;
    double first_start, last_end;         /* s from the start of readout */
    double deferred;                      /* s, work after the last command */
    double deferred_flop, deferred_bytes; /* deferred part of flop and bytes */
    double busy;                 /* s per frame that it delivers, including deferred work */
    double slack;                /* read it with result_slack */
    double path_wait, path_busy; /* s, on the critical path after the last useful packet */
};

/* Consecutive slots of a node on the critical path. */
struct path_step {
    int node;
    int first, last;         /* slots */
    double to;               /* s from the start of readout: the last one released its successor */
    double wait;             /* s, for a queue or device held by others */
    double busy;             /* s */
    double delay;            /* s of busy before it asked for its queue or device */
    double enqueuing, sleep; /* s of delay for its enqueuing thread, of busy for a wake-up */
    enum bound bound;        /* what takes most of busy (bound.h) */
    int device;              /* whose resource that is; -1: none */
    enum port_part port;     /* of that, if it is a port */
};

/* Returns true for the row of a split component: its work is the sum of its parts, each time that
 * of the slowest, its start the first and its end the last of theirs. Only the parts run. */
static inline bool node_is_whole(const struct node_result *node)
{
    return node->parts > 0 && node->part < 0;
}

/* Writes the name of a node without the devices of parts: "recon" for "recon@gpu0", "slopes>recon"
 * for "slopes>recon@gpu0.2". */
void node_plain_name(const char *name, char plain[NODE_NAME_MAX + 1]);

struct device_result {
    char name[NAME_MAX_LENGTH + 1];
    const char *memory; /* what its memory is called: "HBM" of an accelerator, "GDDR", "DRAM" */
    double peak_flops;  /* FLOP/s, fp32 */
    double bandwidth;   /* B/s, peak memory bandwidth */
    double busy;        /* s per frame */
    double utilisation;
    enum bound bound; /* of the component that keeps it busy longest; compute if none does */
    /* by enum memory_level_id, in the units of their knobs; RESULT_NONE for a level that does not
     * exist (capacity 0) and for the capacity of memory */
    double capacity[LEVEL_COUNT];        /* B */
    double level_bandwidth[LEVEL_COUNT]; /* B/s */
    double level_latency[LEVEL_COUNT];   /* s of one access */
    double core_bandwidth;               /* B/s; RESULT_NONE except on a CPU */
    /* s; RESULT_NONE where the device has no such knob */
    double launch, boundary, enqueue, handover, software, copy_latency, peer_latency;
    double ingress_latency, datagram_time, egress_latency;
    double pc;   /* uncertainty factor of memory, caches and FLOP; RESULT_NONE: by cause */
    double watts; /* W, all its parts; RESULT_NONE: not stated */
    double price; /* likewise, in the currency of the scenario */
    double held; /* B, working sets of its components; of identical devices the most */
    bool fits;   /* its memory, if the size is known, holds them */
};

/* One of the `count` sensors of a section. */
struct wfs_result {
    double subaps;        /* valid subapertures, stated or counted from the geometry */
    double width, height; /* px, detector size, stated or the smallest possible */
};

/* Queue of a link, thread that enqueues the work of a GPU, core that receives a camera's data. */
enum link_kind_result { LINK_QUEUE, LINK_ENQUEUE, LINK_RECEIVE };

struct link_result {
    char name[NODE_NAME_MAX + 1]; /* "rtc.nic.out", "gpu0.enqueue", "camera.receive" */
    double busy;                  /* s per frame */
    int kind, index;              /* enum link_kind_result and its queue, device or node */
};

struct dm_result {
    int component;
    double latency;    /* s, last useful packet to command at the mirror */
    double arrival;    /* s from the start of readout, before settling */
    double correction; /* s from the start of readout to the middle of settling */
};

struct loop_result {
    double delay_frames;
    double tau_total;     /* s */
    double sample_period; /* s, of the fastest cameras */
    double exposure;      /* s, the longest of these */
    double delay;         /* s, from the end of that exposure to the correction */
    double tau0;          /* s at the science wavelength and zenith angle; RESULT_NONE: no wind */
    double greenwood;     /* Hz, likewise */
    double tau0_500;      /* s at 500 nm and zenith, or RESULT_NONE */
    double greenwood_500; /* Hz, likewise */
    double servo_lag;     /* m of wavefront, rms */
    double strehl_lag;    /* with servo lag as the only error */
    /* Of an integrator with mirrors that follow at once, else RESULT_NONE. */
    double max_gain;      /* stability */
    double gain_45;       /* phase margin of 45 degrees */
    double crossover;     /* Hz, open loop at gain_45 */
    /* Of the error budget (budget.h), found by derived_find; RESULT_NONE after evaluate. Errors are m
     * of wavefront, rms. */
    double total, lag, noise, vibration, fitting, aliasing, other;
    double strehl, gain, margin_cost;
    double nm_per_100us; /* m */
    /* The maximum of the gain in force if that is above it: the loop is unstable and has none of these
     * but fitting and aliasing. Else RESULT_NONE. */
    double unstable_above;
    /* Of the gain in force, found likewise; RESULT_NONE if the loop is unstable. */
    double gain_margin, modulus_margin;
    double phase_margin; /* rad; RESULT_NONE without a crossover */
    double delay_margin; /* s; RESULT_NONE above SERVO_FRAMES_MAX periods */
    double zero_db;      /* Hz, below which the loop rejects */
    double noise_gain;   /* variance on the mirror per variance of a measurement */
    double gain_crossover; /* Hz, open loop; RESULT_NONE without one */
    double peak;           /* largest |1 / (1 + L)| */
    double stable;         /* 1: it is, 0: it is not; RESULT_NONE: not known */
};

/* The flow of data (flow.h). Loads are fractions; RESULT_NONE: none, or the scenario does not state
 * what it takes to know. */
struct flow_result {
    double pixels, slopes, commands; /* B/s, of all sensors and to all mirrors */
    double recorded, updates;        /* B/s, of telemetry and of new matrices */
    double port_load;                /* of the busiest camera link, port, PCIe or peer link */
    double memory_load;              /* of the memory with least bandwidth to spare */
    double memory_full;              /* of the size of the fullest memory */
    double disk_load;
    double disk_time; /* s until the disk is full */
    double load;      /* the largest of these; above 1 data are lost */
    /* What the busiest port or link, the busiest memory and the fullest one carry (B/s) or hold (B) for
     * the pipeline and besides, and can; of those without a load all is 0. */
    struct flow_most {
        double pipeline, background, capacity;
        int device; /* of a memory */
    } port, memory, size;
};

struct workspace;

struct result {
    double latency; /* s, last useful packet off the wire to last command off the port */
    /* s, ends of its range: found by range_find; RESULT_NONE after evaluate */
    double latency_low, latency_high;
    double whole_frames; /* s, latency if software waits for whole frames: likewise, or as stated */
    double readout_latency; /* s, last pixel of the detector off the wire to that command */
    double first_pixel;     /* s, first pixel in to last command out */
    double last_pixel;      /* s from the start of readout: last useful packet off the wire */
    double readout_end;     /* s, last pixel off the wire */
    bool not_periodic;      /* the frames do not repeat; the latest command is reported */
    double frame_period;
    double target;
    double margin;         /* s, target - latency; negative if the target is missed, RESULT_NONE if
                              overloaded */
    double max_frame_rate; /* Hz; RESULT_NONE if nothing takes time */
    /* Hz, ends of its range, as those of the latency */
    double max_frame_rate_low, max_frame_rate_high;
    char limit[NODE_NAME_MAX + 1]; /* component, device or link that limits max_frame_rate */
    double limit_busy;             /* s */
    double load;                   /* limit_busy / frame_period; overloaded above 1 */
    bool overloaded;
    double watts; /* W, thermal design power of all devices; RESULT_NONE if one does not state it */
    double price; /* likewise, in the currency of the scenario */
    double part_count; /* processors and accelerators of all devices */
    bool fits;     /* so does every device */
    double frames; /* number of simulated frames, see frames.h; the last is reported */
    int path_count;
    struct path_step *path; /* [NODE_MAX], in order of time; its times add up to the latency */
    /* What has to be faster for a shorter latency: the node with the largest part of the critical
     * path, counting the time for which others on the path wait for it; -1: none. */
    int bottleneck;
    enum bound bottleneck_bound;
    int bottleneck_device;          /* whose resource that is; -1: none */
    enum port_part bottleneck_port; /* of that, if it is a port */
    /* The bottleneck; or, if waiting is the larger part, the node that waits for it longest, with
     * bound_for the bottleneck (-1: the node waits for its own earlier frame). */
    int bound_node;
    enum bound bound;
    int bound_for;
    struct loop_result loop;
    int node_count, device_count, wfs_count, link_count, dm_count;
    struct node_result *node; /* [NODE_MAX], in topological order, parts after their whole */
    struct device_result device[DEVICE_MAX];
    struct wfs_result wfs[WFS_MAX];
    struct link_result link[LINK_RESULT_MAX];
    struct dm_result dm[DM_MAX];
    struct pace pace;       /* of evaluate and what asks for its slots: see result_watch */
    bool brief; /* to evaluate: without the critical path, the bottleneck and what binds nodes */
    struct workspace *work; /* private to src/model, and to explain, which shows what is in it */
    struct budget *budget;  /* private to derived_find; NULL: none yet */
};

/* Allocates a result. result_free accepts a zeroed one. */
void result_init(struct result *result);
void result_free(struct result *result);

/* Lets `progress` stop evaluations of this result from now on: after a stop none is begun. NULL:
 * none is stopped. It has to exist as long. */
void result_watch(struct result *result, const struct progress *progress);

/* Sets the results that evaluate does not find to RESULT_NONE. */
void result_clear_derived(struct result *result);

const char *bound_name(enum bound bound);

/* Returns where most of a node's memory time comes from: "L2", or the memory of its device. */
const char *result_level_name(const struct result *result, const struct node_result *node);

/* Returns the part of a node's time, s, that is neither the longer one of compute and memory nor, of a
 * transfer, on the wire, nor the readout of a camera. */
double result_overhead(const struct node_result *node);

/* Returns the node with this name, or -1. */
int result_find_node(const struct result *result, const char *name);

/* Object that a result describes; components are nodes. */
enum result_scope {
    RESULT_DESIGN,
    RESULT_LOOP,
    RESULT_FLOW,
    RESULT_COMPONENT,
    RESULT_DEVICE,
    RESULT_WFS,
    RESULT_SPAN /* two points; its row is none of the table */
};

/* How the result of a split component follows from those of its parts: as that of the slowest one
 * where nothing is said. */
enum result_parts { PARTS_UNSAID, PARTS_SUM, PARTS_MOST, PARTS_LEAST, PARTS_SLOWEST };

/* Direction of improvement of a result. */
enum result_sense { SENSE_LESS = -1, SENSE_NEITHER, SENSE_MORE };

enum result_id {
#define RESULT(id, ...) RESULT_##id,
#include "model/results.def"
#undef RESULT
    RESULT_ROW_COUNT
};

/* What finds a result that evaluate does not (derived.h), one bit each. */
enum derived {
    DERIVED_NONE,
    DERIVED_UPPER = 1, /* of the range only what longer times lead to */
    DERIVED_BUDGET = 2,
    DERIVED_CHANGES = 4,
    DERIVED_MARGINS = 8,
    DERIVED_FRAMES = 16, /* with DERIVED_RANGE */
    DERIVED_LOWER = 32,  /* with DERIVED_UPPER */
    DERIVED_RANGE = DERIVED_UPPER | DERIVED_LOWER,
    DERIVED_LOOP = DERIVED_BUDGET | DERIVED_CHANGES | DERIVED_MARGINS
};

struct result_row {
    enum result_scope scope;
    size_t offset;     /* offset of the double in the scope's struct */
    const char *label; /* in words, of a result of the design or its loop; else NULL */
    const char *key;   /* last part of the path */
    const char *json;  /* key in JSON and CSV, including the unit */
    const char *alias; /* another path, or NULL */
    char unit[8];      /* unit of the JSON number */
    enum result_sense sense;
    enum derived derived; /* DERIVED_NONE: evaluate */
    bool of_latency;   /* follows from the latency: of an overloaded design it is not reached */
    enum knob_id knob; /* knob whose automatic value it shows; 0: none */
    enum result_parts parts;
    const char *help;  /* one line without a final period */
};

extern const struct result_row result_rows[RESULT_ROW_COUNT];

static inline enum result_id result_id(const struct result_row *row)
{
    return (enum result_id)(row - result_rows);
}

#endif
