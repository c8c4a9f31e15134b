/* The design as one plain struct: the contents of a scenario file, no derived values.
 *
 * Every number is SI. A scenario owns no heap memory: it is copied by assignment and needs no free.
 * The knob table (knobs.def) defines values, ranges and defaults; the fields here are the input of
 * the model. For fields with "0: automatic" and references that are REFERENCE_AUTO, evaluate
 * derives the value; the scenario_* functions below document how. */
#ifndef AOLAG_DESIGN_SCENARIO_H
#define AOLAG_DESIGN_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define NAME_MAX_LENGTH 31 /* a-z 0-9 - _ */
#define TEXT_MAX_LENGTH 63
#define FILE_PATH_MAX 255 /* bytes of the path of a file that a knob names */
#define WFS_MAX 16
#define DEVICE_MAX 32
#define COMPONENT_MAX 64
#define LIST_MAX_LENGTH 255 /* bytes of a list that a knob states */
#define CALIBRATION_MAX 959 /* bytes of a list of a calibration: they fit a line of a file */
#define FORMULA_MAX 159   /* bytes of a formula that a knob has instead of a number */
#define PACKETS_MAX 4096
#define DEVICE_COUNT_MAX 64
#define UNCERTAINTY_MOST 100 /* a factor */
#define SCENARIO_FORMAT 1
#define ORIGINS_STATED 4 /* origins a file may state: stated, assumed, measured, fitted */

/* Reference that is not an index into a section's array: */
#define REFERENCE_AUTO (-1)

/* Automatic capacity, below all that can be stated; a stated 0 means that there is none. */
#define CAPACITY_AUTO (-1)

/* Automatic time, likewise. */
#define TIME_AUTO (-1)

/* A magnitude below all that can be stated, and another number likewise. */
#define MAGNITUDE_NONE (-100)
#define NUMBER_UNSTATED (-1)

/* A number that a formula of the scenario states: the model evaluates it. */
#define NUMBER_FORMULA (-1e299)

/* A choice that is not stated and follows from the component's type or algorithm. */
#define CHOICE_AUTO (-1)

enum section {
    SECTION_SCENARIO,
    SECTION_AO,
    SECTION_ATMOSPHERE,
    SECTION_TELEMETRY,
    SECTION_UPDATE,
    SECTION_CALIBRATION,
    SECTION_WFS,
    SECTION_DEVICE,
    SECTION_COMPONENT,
    SECTION_COUNT
};

enum wfs_kind { WFS_SHACK_HARTMANN, WFS_PYRAMID };
enum device_kind { DEVICE_CPU, DEVICE_GPU, DEVICE_FPGA };
enum sharing { SHARING_PARTITION, SHARING_EXCLUSIVE, SHARING_FLUID, SHARING_MIXED };
enum dispatch {
    DISPATCH_STREAM,
    DISPATCH_GRAPH,
    DISPATCH_PERSISTENT,
    DISPATCH_SPIN,
    DISPATCH_WAKE,
    DISPATCH_PROCESS
};
enum framework { FRAMEWORK_NONE, FRAMEWORK_INTERPRETER };
/* What the clock of a processor is: two of different kinds do not compare, but with a fixed one. */
enum clock_kind {
    CLOCK_BASE,     /* guaranteed with all cores busy */
    CLOCK_ALL_CORE, /* boost of all cores, whatever the instructions */
    CLOCK_NARROW,   /* boost of all cores without wide vectors */
    CLOCK_WIDE,     /* of all cores with wide vectors */
    CLOCK_SINGLE,   /* boost of one core */
    CLOCK_FIXED     /* there is only one */
};
enum copy { COPY_MEMCPY, COPY_MAPPED, COPY_RDMA };
enum peer_link { PEER_PCIE, PEER_NVLINK };
enum os { OS_REALTIME, OS_STOCK, OS_IDEAL };
enum ingress {
    INGRESS_KERNEL,
    INGRESS_BUSY_POLL,
    INGRESS_BYPASS,
    INGRESS_FRAME_GRABBER,
    INGRESS_RDMA,
    INGRESS_IDEAL
};
enum egress { EGRESS_KERNEL, EGRESS_BUSY_POLL, EGRESS_BYPASS, EGRESS_IDEAL };
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
enum processing { PROCESSING_PACKETS, PROCESSING_FRAMES };
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
enum gain_choice { GAINS_COMMON, GAINS_PER_ORDER };
enum star_band { BAND_V, BAND_R, BAND_I, BAND_J, BAND_H, BAND_K };
enum mirror_surface { SURFACE_CONTINUOUS, SURFACE_SQUARE, SURFACE_SEGMENTS, SURFACE_PISTONS };
enum controller {
    CONTROLLER_INTEGRATOR,
    CONTROLLER_LEAKY,
    CONTROLLER_PID,
    CONTROLLER_LQG,
    CONTROLLER_LQG_TIP_TILT, /* of tip and tilt; the other modes have an integrator */
    CONTROLLER_COUNT
};
enum distance { DISTANCE_INSTRUCTIONS, DISTANCE_CYCLES };

/* Delays of late wake-ups that 90 %, 99 %, ... of the frames do not exceed, and the largest. */
enum late { LATE_P90, LATE_P99, LATE_P999, LATE_P9999, LATE_P99999, LATE_MAX, LATE_COUNT };

/* Instruction classes that a program's trace counts; a CPU has a cost for each. */
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

/* Set of components. Not stated: the previous component in the file. */
struct component_set {
    uint64_t members; /* bit i: component i */
    bool stated;
};

/* Set of a section's knobs, by row within the section. */
struct knob_set {
    uint64_t bits[2];
};

/* A file that a knob names: its path in the scenario and its contents, of which the knob decides
 * which they are. Contents are immutable and outlive every scenario (trace_library.h), so pointers
 * are copied with the scenario; both are NULL if no file is stated. */
struct program;
struct pattern;
struct stated_file {
    const struct program *program; /* the trace of a parallel program */
    const struct pattern *pattern; /* of a sensor */
    char path[FILE_PATH_MAX + 1];
};

struct section_head {
    char name[NAME_MAX_LENGTH + 1]; /* empty for scenario, ao, atmosphere */
    struct knob_set own;            /* values stated by the file itself */
};

struct general {
    struct section_head head;
    char title[TEXT_MAX_LENGTH + 1];
    double format;
    double frame_rate;        /* Hz */
    double packets;           /* per frame */
    double overlap;           /* 1 roofline, 0 plain sum */
    int sharing;              /* of devices; CHOICE_AUTO: scenario_sharing */
    int processing;           /* enum processing; CHOICE_AUTO: packets */
    double target_latency;    /* s */
    double published_latency; /* s, of the real system; 0: none; nothing depends on it */
};

struct ao {
    struct section_head head;
    double actuators; /* total of all mirrors */
    double modes;     /* 0: zonal */
    double diameter;  /* m, of the telescope; 0: not stated */
    int controller;
    double gain; /* 0: automatic */
    double leak; /* part of the previous command that a leaky integrator keeps */
    int gains; /* of an automatic gain: one for all modes, or one for each radial order */
    double phase_margin;             /* rad, least of an automatic gain; 0: none */
    double gain_margin;              /* factor, likewise; 1: none */
    double proportional, derivative; /* of a PID, over the gain of its integral */
    char vibrations[LIST_MAX_LENGTH + 1]; /* a list (vibration.h) */
    double rtc_latency; /* s, with which the loop is closed; 0: that of the design */
    double other_errors; /* m of wavefront, rms, that the budget does not compute; 0: not stated */
};

struct atmosphere {
    struct section_head head;
    double r0;         /* m at 500 nm and zenith */
    double wind;       /* m/s, effective */
    double wavelength; /* m, science */
    double zenith;     /* rad */
    double outer_scale; /* m; 0: infinite */
};

/* What is recorded of the loop, and where. */
struct telemetry {
    struct section_head head;
    double pixels, slopes, commands; /* the parts of each that are recorded, 0 to 1 */
    int host;         /* device that records; REFERENCE_AUTO: another computer */
    double buffer;    /* s of what is recorded that its memory holds */
    double disk_rate; /* B/s, that all its disks write together; 0: not stated */
    double disk_size; /* B; 0: not stated */
};

/* New matrices of the reconstructions. */
struct update {
    struct section_head head;
    double period; /* s from one to the next; 0: none */
    int host;      /* device that computes them; REFERENCE_AUTO: another computer */
};

/* What measurements say of the model's factors (calibration.h). */
struct calibration {
    struct section_head head;
    char program[TEXT_MAX_LENGTH + 1]; /* the version whose model was calibrated */
    char devices[CALIBRATION_MAX + 1];
    char factors[CALIBRATION_MAX + 1]; /* empty: not calibrated */
    char correlations[CALIBRATION_MAX + 1];
    char measured[CALIBRATION_MAX + 1];
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
    double packets; /* 0: those of the scenario */
    double start;   /* s from the start of a frame to the start of its readout */
    struct stated_file agenda, readout_map, mask; /* patterns (pattern.h) */
    int band;            /* of the star; CHOICE_AUTO: not stated */
    double magnitude;    /* MAGNITUDE_NONE: no star */
    double wavelength;   /* m; 0: that of the band */
    double photons;      /* detected per subaperture and exposure, without a magnitude; 0: none */
    double throughput;   /* fraction of photons that is detected; 0: not stated */
    double read_noise;   /* electrons rms per pixel; NUMBER_UNSTATED */
    double excess;       /* squared excess noise factor */
    double pixel_scale;  /* pixels per wavelength over subaperture */
    double weight;       /* px, FWHM of the weights of a weighted centre of gravity; 0: the spot's */
    double modulation;   /* of a pyramid, wavelengths over diameter */
    double optical_gain; /* of a pyramid */
    double aliasing;     /* coefficient of (subaperture / r0)^(5/3) rad^2; NUMBER_UNSTATED */
    double spatial_filter; /* part of the variance of aliasing that it passes; 1: there is none */
};

/* A fixed time of a preset in a way to start work that is not its own: WAY.KEY in its file. */
struct other_start {
    double value; /* SI */
    int dispatch;
    int knob; /* enum knob_id; 0: there is none */
    int origin;
};

#define OTHER_STARTS_MAX 6 /* two ways, three times each */

struct device {
    struct section_head head;
    struct knob_set origin[ORIGINS_STATED]; /* values with a stated origin, by origin (knob.h) */
    const struct device *base;              /* its preset in the catalogue, or NULL */
    char preset[TEXT_MAX_LENGTH + 1];
    char model[TEXT_MAX_LENGTH + 1];
    char sold_in[TEXT_MAX_LENGTH + 1]; /* empty: sold singly */
    char source[TEXT_MAX_LENGTH + 1];  /* a file that it was described in; only words */
    int kind;
    int host; /* a GPU's; REFERENCE_AUTO: scenario_host */
    double sockets, cores, simd_bits, fma_pipes;
    int fma;
    double clock;           /* Hz, CPU with all cores busy or GPU boost */
    double sustained_clock; /* Hz, GPU; 0: clock */
    int clock_kind;         /* CPU; CHOICE_AUTO: unknown */
    double memory_channels, channel_bits;
    double memory_rate; /* transfers/s */
    double units, ops_per_clock;
    double bus_bits, memory_clock, transfers_per_clock;
    double fp64_ratio, fp16_ratio, int8_ratio; /* rate relative to fp32 */
    int host_link;
    double host_bandwidth; /* B/s per direction, nvlink */
    double count;          /* identical devices; only a reconstruction uses more than one */
    int peer_link;
    double peer_bandwidth; /* B/s per direction, nvlink */
    double peer_latency;   /* s; TIME_AUTO */
    int dispatch;
    struct other_start other[OTHER_STARTS_MAX]; /* of a preset */
    double launch;             /* s per visit, a delay; TIME_AUTO */
    double boundary;           /* s per kernel or thread barrier; TIME_AUTO */
    double enqueue;            /* s of the host per kernel or copy, per graph; TIME_AUTO */
    double handover, software; /* s; TIME_AUTO */
    int framework, legacy;
    double operator_time; /* s */
    double sleep_latency; /* s, to leave the deepest sleep state of a core */
    int copy;
    double copy_latency;  /* s; TIME_AUTO */
    double stage_latency; /* s, FPGA */
    int os;
    double memory_size; /* B; 0: unknown */
    int numa;           /* 0: a component uses the memory and L3 of one socket only */
    double l1, l2;      /* B, CAPACITY_AUTO; per core or whole GPU */
    double l3;          /* B, CAPACITY_AUTO; per socket or whole GPU */
    double l1_bandwidth, l2_bandwidth, l3_bandwidth;           /* B/s, likewise; 0: automatic */
    double l1_latency, l2_latency, l3_latency, memory_latency; /* s; 0: automatic */
    double cache_usable;             /* usable fraction of cache capacity */
    double outstanding;              /* accesses in flight per core or GPU unit */
    double core_bandwidth;           /* B/s, memory bandwidth of one core; 0: automatic */
    double l3_core_bandwidth;        /* B/s, L3 bandwidth of one core; 0: automatic */
    double operand_bandwidth;        /* B/s per core, L1 loads of the input vector; 0: free */
    double add_latency, fma_latency; /* s, of serially dependent operations; 0: unknown */
    double window;                   /* operations in flight per core; 0: unknown */
    double scalar_rate;              /* scalar adds per cycle and core; 0: unknown */
    double pc;                       /* uncertainty factor of predictions; 0: automatic */
    double jitter;                   /* p99 over median of a slot's duration; 1: none */
    double late[LATE_COUNT];         /* s beyond the median wake-up; TIME_AUTO */
    int memory_model;
    double sustained_compute, sustained_memory;
    double nic; /* bit/s of one port */
    double nics;
    double mtu;  /* B */
    int ingress; /* CHOICE_AUTO: by the camera's interface */
    int receive_offload;
    int egress;
    double ingress_latency, datagram_time, egress_latency; /* s; TIME_AUTO */
    double pcie_gen, pcie_lanes;
    double socket_lanes;           /* of a socket, to the others */
    double cpi[INSTRUCTION_COUNT]; /* cycles per instruction, by class */
    double issue;                  /* instructions begun per cycle; 0: automatic */
    double remote_latency;         /* cycles from a remote reference to its data */
    double tdp;                    /* W */
    double price;                  /* of one part, in any one currency; 0: not stated */
};

/* Numbers of custom components that may be formulas. */
enum stated_number { STATED_FLOPS, STATED_READ, STATED_WRITTEN, STATED_SET, STATED_COUNT };

struct component {
    struct section_head head;
    int type;
    int wfs;                    /* REFERENCE_AUTO: scenario_wfs */
    uint32_t devices;           /* bit i: device i; 0: the first. Several: reconstruction only */
    struct component_set after; /* predecessors; see scenario_predecessors */
    int algorithm;              /* row of the algorithm table; REFERENCE_AUTO: first of the type */
    int precision;
    double share;                      /* fraction of the device; 0: automatic */
    double compute_efficiency;         /* 0: by algorithm and device kind */
    double memory_efficiency;          /* 0: by access */
    int access;                        /* CHOICE_AUTO: by algorithm */
    double locality;                   /* alpha of the hierarchy model */
    double block;                      /* consecutive elements read; 0: by algorithm and access */
    double workers;                    /* number of cores; 0: all */
    double chains;                     /* dependency chains interleaved by a core */
    double kernels;                    /* launches per slot; 0: by algorithm */
    double operators;                  /* per slot, interpreter; 0: by algorithm */
    char process[TEXT_MAX_LENGTH + 1]; /* name of its process */
    char thread[TEXT_MAX_LENGTH + 1];  /* name of the thread or team that runs it; empty: its own */
    double priority;                   /* exclusive sharing: 0 (first) to 9 (last) */
    int deferred;                      /* CHOICE_AUTO: by algorithm */
    double overhead;                   /* s, per slot with work */
    int barrier;                       /* CHOICE_AUTO: by algorithm */
    double readout, exposure;          /* s; exposure 0: the frame period */
    int shutter, order, interface;
    double lanes, link_rate; /* link_rate bit/s */
    int frame_transfer;
    double flops_per_pixel;
    int reference_slopes;
    int normalisation;
    double search;        /* px, shifts of the correlation along one side */
    double rows, columns; /* 0: modes or actuators; number of input slopes */
    double tile, rank;    /* tile low-rank matrix: side, mean rank */
    double density;       /* sparse matrix: nonzero fraction */
    double iterations;    /* conjugate gradient */
    double unknowns;      /* conjugate gradient */
    double grid;          /* points of a Fourier reconstructor; 0: from the geometry */
    double states;        /* states of an LQG controller; 0: twice the actuators */
    int split;            /* split of the matrix over devices */
    int link;
    double hops, length; /* length m */
    int switching;
    double bytes;     /* of a transfer; 0: output of its producer */
    double actuators; /* of a mirror; 0: all */
    double bits_per_actuator;
    int surface;   /* what a mirror cannot fit */
    double pitch;  /* m on the primary mirror; 0: as the sensor and the modes allow */
    double settle;    /* s */
    double bandwidth; /* Hz, natural frequency of the mirror; 0: not stated, it settles */
    double damping;   /* of critical damping */
    double flops, bytes_read, bytes_written, working_set;
    char formula[STATED_COUNT][FORMULA_MAX + 1]; /* of those that are NUMBER_FORMULA, else empty */
    int agenda;
    struct stated_file trace; /* of a program */
    int distance;             /* unit of distances in the trace */
};

struct scenario {
    struct general general;
    struct ao ao;
    struct atmosphere atmosphere;
    struct telemetry telemetry;
    struct update update;
    struct calibration calibration;
    int wfs_count, device_count, component_count;
    struct wfs wfs[WFS_MAX];
    struct device device[DEVICE_MAX];
    struct component component[COMPONENT_MAX];
};

/* Return the packets of a sensor, and the slots of a frame: the most packets of a sensor. */
int scenario_sensor_packets(const struct scenario *scenario, int wfs);
int scenario_slots(const struct scenario *scenario);

/* Writes "50 packets", or of sensors with different numbers of them "3 to 50 packets". */
#define PACKETS_TEXT_MAX 48
void scenario_packets_text(const struct scenario *scenario, char text[PACKETS_TEXT_MAX]);

/* Returns true if the name of an instance is valid: 1 to NAME_MAX_LENGTH of a-z 0-9 - _. */
bool name_is_good(const char *name);

/* Copies only the instances in use; `to` need not be initialised. */
void scenario_copy(struct scenario *to, const struct scenario *from);

/* Return the number of instances of a section (1 for scenario, ao, atmosphere) and its maximum. */
int section_count(const struct scenario *scenario, enum section section);
int section_max(enum section section);

/* Returns "scenario", "ao", "atmosphere", "wfs", "device" or "component". */
const char *section_name(enum section section);

/* Returns the section with this name, SECTION_COUNT if there is none. */
enum section section_named(const char *name);

/* Returns the head of an instance, at the start of its struct; cast it to get the struct. */
struct section_head *section_head(struct scenario *scenario, enum section section, int index);
const struct section_head *section_head_const(const struct scenario *scenario, enum section section,
                                              int index);

/* Copies an instance that both scenarios have. */
void section_copy(struct scenario *to, const struct scenario *from, enum section section,
                  int index);

/* Writes "device.rtc" or "ao"; at least 44 bytes. */
void section_path(const struct scenario *scenario, enum section section, int index, char *text,
                  size_t size);

/* Returns the index of a named instance, or -1. */
int section_find(const struct scenario *scenario, enum section section, const char *name);

/* Returns STATUS_INVALID; the error names the missing instance and the nearest existing name. */
enum status section_missing(const struct scenario *scenario, enum section section, const char *name,
                            struct error *error);

/* Insert a zeroed instance before position `at`, or remove one. Only the arrays change; references
 * keep their numbers (scenario_edit.h renumbers them). */
void section_insert(struct scenario *scenario, enum section section, int at);
void section_erase(struct scenario *scenario, enum section section, int index);

/* Returns the predecessors of a component as a bit set: those stated by `after`, else the previous
 * component in the file; none for a camera. */
uint64_t scenario_predecessors(const struct scenario *scenario, int component);

/* Returns the device of a component: the stated one, else the first; REFERENCE_AUTO for cameras,
 * transfers, mirrors and if there is no device. */
int scenario_device(const struct scenario *scenario, int component);

/* Returns all devices of a component, bit i for device i: several only for a split reconstruction,
 * whose first is scenario_device; 0 if there is none. */
uint32_t scenario_devices(const struct scenario *scenario, int component);

/* Returns the name of the product: the model, else the preset. */
static inline const char *device_product(const struct device *device)
{
    return device->model[0] != '\0' ? device->model : device->preset;
}

static inline bool scenario_runs_on(const struct scenario *scenario, int component, int device)
{
    return (scenario_devices(scenario, component) >> device & 1) != 0;
}

/* Returns true if a successor of the component runs on the device. */
bool scenario_feeds(const struct scenario *scenario, int component, int device);

/* Likewise on any device of a host. */
bool scenario_feeds_host(const struct scenario *scenario, int component, int host);

/* Returns true if any component runs on the device. */
bool scenario_device_used(const struct scenario *scenario, int device);

/* Thermal design power. */
struct power {
    double watts;    /* of the devices that state it, W */
    double unstated; /* the number of the others */
};

/* Price, in the user's currency. */
struct total_price {
    double stated;   /* of the devices that state it */
    double unstated; /* the number of the others */
};

/* Returns the sockets of a processor and the number of identical accelerators, and the power of all
 * of them (W; 0: not stated), and power and price of all sections. */
double device_parts(const struct device *device);
double device_power(const struct device *device);
struct power scenario_power(const struct scenario *scenario);
struct total_price scenario_price(const struct scenario *scenario);

/* Return the lowest number in a set of devices, REFERENCE_AUTO if it is empty, and their number. */
int devices_first(uint32_t devices);
static inline int devices_count(uint32_t devices)
{
    int count = 0;

    for (; devices != 0; devices &= devices - 1)
        count++;
    return count;
}

/* Returns the sensor of a component: the stated one, else that of its first predecessor, else the
 * first; REFERENCE_AUTO without sensors. */
int scenario_wfs(const struct scenario *scenario, int component);
/* Returns the component that states this sensor: itself or one before it; -1: none states one. */
int scenario_wfs_owner(const struct scenario *scenario, int component);

/* Returns the actuators of a mirror: as stated, else all. */
double scenario_actuators(const struct scenario *scenario, int dm);

/* Returns the host of a device: a CPU itself; the stated one; else for a GPU the first CPU; else (a
 * board without a CPU in the file, an FPGA with ports of its own) the device itself. */
int scenario_host(const struct scenario *scenario, int device);

/* Returns the first board whose memory is that of its host (host_link = unified), -1: none. */
int scenario_sharing_board(const struct scenario *scenario, int host);

/* Returns how the components of a device share it: as stated; else in parts if a component on it
 * states its share, workers or thread, else in turn. */
enum sharing scenario_sharing(const struct scenario *scenario, int device);

/* Returns true if the lock of an interpreter lets one component of a process run at a time, other
 * than in the one thread of a device that polls. */
bool scenario_has_lock(const struct device *device);

/* Returns the component that has the cores of the thread of a component on a CPU: of all that one
 * thread or team runs in turn (with the lock of an interpreter of a process) the first with the
 * most workers; -1: it shares its threads with none. */
int scenario_thread(const struct scenario *scenario, int component, int device);

/* Return the workers of a component that runs on a device - stated, else those of a thread that it
 * states; 0: neither - and the cores that it takes from the others: of a thread only one does. */
double scenario_workers(const struct scenario *scenario, int component, int device);
double scenario_taken_cores(const struct scenario *scenario, int component, int device);

/* Returns the sharing of all devices that run components: fluid if stated, else partition if any is
 * divided; SHARING_MIXED: some are divided, others used in turn. */
enum sharing scenario_common_sharing(const struct scenario *scenario);

/* Returns true if components of this type run on a device (have a share of it). */
bool component_type_computes(enum component_type type);

/* Defaults of the network path. */
#define LINK_HOPS 1
#define LINK_LENGTH 20 /* m */
#define LINK_MTU 9000  /* B */

#endif
