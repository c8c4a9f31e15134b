/* The design as one plain struct: what a scenario file says, nothing derived.
 *
 * Every number is SI. A scenario holds no heap memory: it is copied by assignment and needs no
 * free. Which values exist, their ranges and defaults is the knob table's business (knobs.def); the
 * fields here are what the model reads. Where a field says "0: automatic" or a reference is
 * REFERENCE_AUTO, evaluate derives the value; scenario_* functions below say how. */
#ifndef AOLAG_DESIGN_SCENARIO_H
#define AOLAG_DESIGN_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define NAME_MAX_LENGTH 31 /* a-z 0-9 - _ */
#define TEXT_MAX_LENGTH 63
#define TRACE_MAX_LENGTH 255 /* bytes of the path of a program's trace */
#define WFS_MAX 16
#define DEVICE_MAX 32
#define COMPONENT_MAX 64
#define PACKETS_MAX 4096
#define SCENARIO_FORMAT 1
#define ORIGINS_STATED 4 /* origins a file may state: stated, assumed, measured, fitted */

/* An index into a section's array, or: */
#define REFERENCE_AUTO (-1)

/* An automatic capacity: below any that can be stated, of which 0 means there is none. */
#define CAPACITY_AUTO (-1)

/* A choice that follows the component's type or algorithm until it is stated. */
#define CHOICE_AUTO (-1)

enum section {
    SECTION_SCENARIO,
    SECTION_AO,
    SECTION_ATMOSPHERE,
    SECTION_WFS,
    SECTION_DEVICE,
    SECTION_COMPONENT,
    SECTION_COUNT
};

enum wfs_kind { WFS_SHACK_HARTMANN, WFS_PYRAMID };
enum device_kind { DEVICE_CPU, DEVICE_GPU };
enum sharing { SHARING_PARTITION, SHARING_EXCLUSIVE, SHARING_FLUID };
enum memory_model {
    MODEL_FLAT,
    MODEL_TWO_LEVEL,
    MODEL_LATENCY_BANDWIDTH,
    MODEL_HIERARCHY_2,
    MODEL_HIERARCHY
};
enum host_link { HOST_LINK_PCIE, HOST_LINK_NVLINK, HOST_LINK_UNIFIED };
enum component_type {
    COMPONENT_CAMERA,
    COMPONENT_CALIBRATION,
    COMPONENT_DESCRAMBLE,
    COMPONENT_CENTROID,
    COMPONENT_PYRAMID,
    COMPONENT_RECONSTRUCTION,
    COMPONENT_CONTROL,
    COMPONENT_TRANSFER,
    COMPONENT_DM,
    COMPONENT_PROGRAM,
    COMPONENT_CUSTOM,
    COMPONENT_TYPE_COUNT
};
enum precision { PRECISION_FP64, PRECISION_FP32, PRECISION_FP16, PRECISION_BF16, PRECISION_INT8 };
enum access { ACCESS_SEQUENTIAL, ACCESS_STRIDED, ACCESS_RANDOM };
enum barrier { BARRIER_PACKET, BARRIER_FRAME };
enum shutter { SHUTTER_GLOBAL, SHUTTER_ROLLING };
enum readout_order { ORDER_RASTER, ORDER_CENTRE_OUT, ORDER_EDGES_IN, ORDER_FRAME };
enum camera_interface {
    INTERFACE_NONE,
    INTERFACE_CAMERA_LINK_BASE,
    INTERFACE_CAMERA_LINK_MEDIUM,
    INTERFACE_CAMERA_LINK_FULL,
    INTERFACE_CAMERA_LINK_80,
    INTERFACE_COAXPRESS_6,
    INTERFACE_COAXPRESS_12,
    INTERFACE_GIGE_VISION
};
enum normalisation { NORMALISATION_GLOBAL, NORMALISATION_LOCAL };
enum link_kind { LINK_NONE, LINK_NETWORK, LINK_PCIE };
enum switch_kind { SWITCH_CUT_THROUGH, SWITCH_STORE_FORWARD };
enum split { SPLIT_COLUMNS, SPLIT_ROWS };
enum distance { DISTANCE_INSTRUCTIONS, DISTANCE_CYCLES };

/* Classes of instructions a program's trace counts and a CPU takes its own time for. */
enum instruction {
    INSTRUCTION_INT,
    INSTRUCTION_FP,
    INSTRUCTION_FMA,
    INSTRUCTION_SIMD,
    INSTRUCTION_DIV,
    INSTRUCTION_LOAD,
    INSTRUCTION_STORE,
    INSTRUCTION_BRANCH,
    INSTRUCTION_SYNC,
    INSTRUCTION_OTHER,
    INSTRUCTION_COUNT
};
enum agenda_choice { AGENDA_PIXELS, AGENDA_SLOPES, AGENDA_FRAME };

/* Components by number. Not stated: the previous component in the file. */
struct component_set {
    uint64_t members; /* bit i: component i */
    bool stated;
};

/* A set of a section's knobs, by their row within the section. */
struct knob_set {
    uint64_t bits[2];
};

/* The trace of a parallel program: where the file says it is, and what was read there. Programs are
 * never changed and outlive every scenario (trace_library.h), so the pointer is copied with it.
 */
struct program;
struct trace {
    const struct program *program; /* NULL: not stated */
    char path[TRACE_MAX_LENGTH + 1];
};

struct section_head {
    char name[NAME_MAX_LENGTH + 1]; /* empty for scenario, ao, atmosphere */
    struct knob_set own;            /* values that the file itself states */
};

struct general {
    struct section_head head;
    char title[TEXT_MAX_LENGTH + 1];
    double format;
    double frame_rate;     /* Hz */
    double packets;        /* per frame */
    double overlap;        /* 1 roofline, 0 plain sum */
    int sharing;           /* how components share a device */
    double target_latency; /* s */
};

struct ao {
    struct section_head head;
    double actuators; /* all mirrors together */
    double modes;     /* 0: zonal */
};

struct atmosphere {
    struct section_head head;
    double r0;         /* m at 500 nm and zenith */
    double wind;       /* m/s, effective */
    double wavelength; /* m, science */
    double zenith;     /* rad */
};

struct wfs {
    struct section_head head;
    int kind;
    double count;
    double rate_divisor;
    double subaps_across;    /* pyramid: pixels across one pupil image */
    double obscuration;      /* fraction of the diameter */
    double valid_subaps;     /* per sensor; 0: from the geometry */
    double pixels_per_subap; /* along one side */
    double detector_width;   /* px; 0: just large enough */
    double detector_height;
    double bit_depth;
};

struct device {
    struct section_head head;
    struct knob_set origin[ORIGINS_STATED]; /* values it states the origin of, by that (knob.h) */
    const struct device *base; /* the preset it starts from (the catalogue's), or NULL */
    char preset[TEXT_MAX_LENGTH + 1];
    char model[TEXT_MAX_LENGTH + 1];
    int kind;
    int host; /* a GPU's; REFERENCE_AUTO: scenario_host */
    double sockets, cores, simd_bits, fma_pipes;
    int fma;
    double clock; /* Hz, of either kind */
    double memory_channels, channel_bits;
    double memory_rate; /* transfers/s */
    double units, ops_per_clock;
    double bus_bits, memory_clock, transfers_per_clock;
    double fp64_ratio, fp16_ratio, int8_ratio; /* rate relative to fp32 */
    int host_link;
    double host_bandwidth; /* B/s per direction, nvlink */
    double launch;         /* s per kernel */
    int numa;              /* 0: a component has the memory and L3 of one socket only */
    double l1, l2;         /* B, CAPACITY_AUTO; of a core, a GPU's of the whole device */
    double l3;             /* B, CAPACITY_AUTO; of a socket, a GPU's of the whole device */
    double l1_bandwidth, l2_bandwidth, l3_bandwidth;           /* B/s, likewise; 0: automatic */
    double l1_latency, l2_latency, l3_latency, memory_latency; /* s; 0: automatic */
    double cache_usable;             /* usable fraction of cache capacity */
    double outstanding;              /* accesses in flight of a core, of a unit of a GPU */
    double core_bandwidth;           /* B/s of memory, one core; 0: automatic */
    double l3_core_bandwidth;        /* B/s of L3, one core; 0: automatic */
    double operand_bandwidth;        /* B/s per core, L1 loads of the input vector; 0: free */
    double add_latency, fma_latency; /* s, of serially dependent operations; 0: unknown */
    double window;                   /* operations in flight per core; 0: unknown */
    double scalar_rate;              /* scalar adds per cycle and core; 0: unknown */
    double pc;                       /* uncertainty factor of predictions; 0: automatic */
    double jitter;                   /* p99 over median of a slot's duration; 1: none */
    int memory_model;
    double sustained_compute, sustained_memory;
    double nic; /* bit/s of one port */
    double nics;
    double mtu;    /* B */
    double driver; /* s */
    double pcie_gen, pcie_lanes;
    double cpi[INSTRUCTION_COUNT]; /* cycles per instruction, of each class */
    double remote_latency;         /* cycles from a remote reference to its data */
    double tdp;                    /* W */
};

struct component {
    struct section_head head;
    int type;
    int wfs;                    /* REFERENCE_AUTO: scenario_wfs */
    uint32_t devices;           /* bit i: device i; 0: the first. Several: a reconstruction's */
    struct component_set after; /* predecessors; see scenario_predecessors */
    int algorithm;              /* row of the algorithm table; REFERENCE_AUTO: the type's first */
    int precision;
    double share;              /* of the device; 0: automatic */
    double compute_efficiency; /* 0: by algorithm and kind of device */
    double memory_efficiency;  /* 0: by access */
    int access;                /* CHOICE_AUTO: by algorithm */
    double locality;           /* alpha of the hierarchy model */
    double block;              /* elements read in a row; 0: by algorithm and access */
    double workers;            /* cores it runs on; 0: all */
    double chains;             /* independent items a core works on at the same time */
    double kernels;            /* launches of a slot; 0: by algorithm */
    double priority;           /* exclusive: 0 first served to 9 last */
    int deferred;              /* CHOICE_AUTO: by algorithm */
    double overhead;           /* s per slot with work */
    int barrier;               /* CHOICE_AUTO: by algorithm */
    double readout, exposure;  /* s; exposure 0: the frame period */
    int shutter, order, interface;
    double lanes, link_rate; /* link_rate bit/s */
    int frame_transfer;
    double flops_per_pixel;
    int reference_slopes;
    int normalisation;
    double search;        /* px, shifts along one side a correlation tries */
    double rows, columns; /* 0: modes or actuators; the slopes that feed it */
    double tile, rank;    /* of a tile low-rank matrix: side, mean rank */
    double density;       /* of a sparse matrix */
    double iterations;    /* conjugate gradient */
    double unknowns;      /* conjugate gradient */
    double grid;          /* points of a Fourier reconstructor; 0: by geometry */
    double states;        /* of an LQG controller; 0: twice the actuators */
    int split;            /* of the matrix over several devices */
    int link;
    double hops, length; /* length m */
    int switching;
    double bytes;     /* a stated transfer's; 0: its producer's */
    double actuators; /* a mirror's; 0: all */
    double bits_per_actuator;
    double settle; /* s */
    double flops, bytes_read, bytes_written, working_set;
    int agenda;
    struct trace trace; /* of a program */
    int distance;       /* what its trace counts distances in */
};

struct scenario {
    struct general general;
    struct ao ao;
    struct atmosphere atmosphere;
    int wfs_count, device_count, component_count;
    struct wfs wfs[WFS_MAX];
    struct device device[DEVICE_MAX];
    struct component component[COMPONENT_MAX];
};

/* Whether an instance can be called so: 1 to NAME_MAX_LENGTH of a-z 0-9 - _. */
bool name_is_good(const char *name);

/* Copies only what is in use; `to` need not be initialised. */
void scenario_copy(struct scenario *to, const struct scenario *from);

/* How many instances a section has (1 for scenario, ao, atmosphere) and the most it may have. */
int section_count(const struct scenario *scenario, enum section section);
int section_max(enum section section);

/* "scenario", "ao", "atmosphere", "wfs", "device", "component". */
const char *section_name(enum section section);

/* The section of that name; SECTION_COUNT for none. */
enum section section_named(const char *name);

/* The instance's header, at the start of its struct; the struct itself by a cast. */
struct section_head *section_head(struct scenario *scenario, enum section section, int index);
const struct section_head *section_head_const(const struct scenario *scenario, enum section section,
                                              int index);

/* "device.rtc", "ao": at least 44 bytes. */
void section_path(const struct scenario *scenario, enum section section, int index, char *text,
                  size_t size);

/* The index of a named instance, or -1. */
int section_find(const struct scenario *scenario, enum section section, const char *name);

/* STATUS_INVALID: there is no such instance, and the nearest name of one there is. */
enum status section_missing(const struct scenario *scenario, enum section section, const char *name,
                            struct error *error);

/* Puts an instance of zeros before position `at`, takes one away: the arrays only, references to
 * others keep their numbers (scenario_edit.h). */
void section_insert(struct scenario *scenario, enum section section, int at);
void section_erase(struct scenario *scenario, enum section section, int index);

/* Predecessors of a component as a bit set: what `after` states, else the previous component in
 * the file; none for a camera. */
uint64_t scenario_predecessors(const struct scenario *scenario, int component);

/* The device a component runs on: what it states, else the first; REFERENCE_AUTO for cameras,
 * transfers, mirrors and where there is no device. */
int scenario_device(const struct scenario *scenario, int component);

/* All devices a component runs on, bit i for device i: several only of a split reconstruction, of
 * which scenario_device gives the first; 0 where that gives none. */
uint32_t scenario_devices(const struct scenario *scenario, int component);

static inline bool scenario_runs_on(const struct scenario *scenario, int component, int device)
{
    return (scenario_devices(scenario, component) >> device & 1) != 0;
}

/* Whether any component runs on a device. */
bool scenario_device_used(const struct scenario *scenario, int device);

/* The lowest number in a set of devices, REFERENCE_AUTO of an empty one; how many are in it. */
int devices_first(uint32_t devices);
static inline int devices_count(uint32_t devices)
{
    int count = 0;

    for (; devices != 0; devices &= devices - 1)
        count++;
    return count;
}

/* The sensor of a component: what it states, else that of its first predecessor, else the only or
 * first; REFERENCE_AUTO without sensors. */
int scenario_wfs(const struct scenario *scenario, int component);

/* The host of a device: a CPU is its own; a GPU's is the one it states, else the first CPU, else
 * (a board without a CPU of its own in the file) itself. */
int scenario_host(const struct scenario *scenario, int device);

/* Whether components of this type run on a device (have a share of it). */
bool component_type_computes(enum component_type type);

/* The network path by default. */
#define LINK_HOPS 1
#define LINK_LENGTH 20 /* m */
#define LINK_MTU 9000  /* B */

#endif
