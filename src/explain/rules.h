/* Rules that explain quantities: tables with a row per quantity and a case per formula. Private to
 * explain/.
 *
 * Formulas are the text of those compiled from model/formulas.def. The tables contain other text
 * only where the model has no single expression:
 *   - sums and extremes over relatives ("sum(before.*.slopes)"), which the model computes in loops;
 *   - sums of bytes, whose addends the model takes in another order ("stream_bytes + tail_bytes");
 *   - formulas that depend only on a choice in the design ("stream_transfer / share");
 *   - memory costs, which the model keeps per byte and as precomputed reciprocals but readers want
 *     per element; capacities and latencies of levels, computed in one loop over all levels;
 *   - times of packets and steps, which are simulated ("simulated(all.*.busy)") or piecewise, and
 *     counts from the geometry of a detector ("geometry(...)");
 *   - constants of tables in the model ("pcie(...)", "mapped(...)") and datagrams that wait for one
 *     another ("received(...)").
 *
 * Optional addends and arguments need no case: those with names of nothing in the design are
 * omitted, as in "max(stream_flop / full_flops, chain_time)" without a chain.
 *
 * A name in a formula is resolved in this order: a quantity or knob of the same subject ("flop");
 * one of a single relative ("device.peak_flops", "wfs.count", "ao.actuators", "scenario.packets");
 * one of each of several relatives ("before.*.slopes"); for a level, packet or step a quantity of
 * its component, else of its device; a result of the whole design ("frame_period"). Names of other
 * subjects are printed as paths. "stated.wfs.ngs.slopes" is the quantity of the path after
 * "stated.", with "sensors" for "wfs.*". "knob.rows" is always the knob, even if a rule has that
 * key. */
#ifndef AOLAG_EXPLAIN_RULES_H
#define AOLAG_EXPLAIN_RULES_H

#include <stddef.h>

#include "explain/steps.h"
#include "explain/subject.h"
#include "model/formulas.h"
#include "model/stage.h"

/* Conditions of a case; rules.c evaluates them. */
enum explain_fact {
    IF_NEVER, /* terminates a list of facts; as a case, the list of cases */
    IF_ALWAYS,
    IF_OPEN,      /* the knob with the rule's key is automatic */
    IF_CAUSE,     /* of a group of errors */
    IF_LEVEL,     /* of a memory level */
    IF_PRECISION, /* of a component */

    /* Design */
    IF_COMMAND,
    IF_FROM_LAST_PIXEL, /* the critical path to the last command starts at the last pixel */
    IF_CAMERAS,         /* a command depends on a camera */
    IF_MIRRORS,
    IF_WHOLE_FRAMES, /* the latency with whole frames is another question */
    IF_PROCESSING,   /* how software processes frames is stated */
    IF_LIMIT,        /* some resource is busy; the busiest one has the name of: */
    IF_LIMIT_COMPONENT,
    IF_LIMIT_DEVICE,
    IF_WIND,
    IF_UPDATED,   /* reconstructions get new matrices */
    IF_DISK_RATE, /* something is recorded, on disks of known rate or size */

    /* Device or sensor; GPU and CPU also for components and levels of one */
    IF_GPU,
    IF_CPU,
    IF_FPGA,
    IF_ACCELERATOR, /* no CPU */
    IF_L3_STATED,
    IF_PYRAMID,
    IF_FRAME_COPY,   /* a core copies its frame */
    IF_INTERPRETED,  /* an interpreter calls its operators */
    IF_GRAPH,        /* kernels are enqueued as a graph */
    IF_INGRESS_OPEN, /* of a host, or of that of a camera */
    IF_KERNEL,       /* the kernel receives what enters it */
    IF_HOST_NVLINK,
    IF_UNIFIED, /* shares the memory of its host */
    IF_UNITS,   /* several identical devices are used */

    /* Kind of component */
    IF_COMPUTES, /* runs on a device */
    IF_WHOLE,    /* represents all parts of a split component */
    IF_PARTS,    /* is a part of a split component */
    IF_SPLIT_ROWS,
    IF_SPLIT_COLUMNS,
    IF_SENSES,
    IF_MEASURES, /* senses and produces slopes */
    IF_WFS,
    IF_CENTROID,
    IF_RECONSTRUCTION,
    IF_PROGRAM,
    IF_FOLLOWS,        /* has a predecessor */
    IF_ADDS_PARTS,     /* sums the outputs of a split predecessor */
    IF_PIECES,         /* processes one of several pieces of its input */
    IF_ARRIVES,        /* the input comes directly from a camera or link */
    IF_COMMAND_NODE,   /* sends a command when it ends */
    IF_LEADING_CAMERA, /* is a camera on which a command depends */

    /* Sizes of a component */
    IF_ROWS_OPEN,
    IF_COLUMNS_OPEN,
    IF_ACTUATORS_OPEN,
    IF_MODES,
    IF_FED,         /* receives slopes */
    IF_FED_PUPIL,   /* receives slopes of a sensor */
    IF_WORKING_SET, /* has a working set */
    IF_PARTIAL,     /* each packet yields a partial result */
    IF_PACKETS,     /* several packets carry work */
    IF_REREAD,      /* reads what it has just written */
    IF_STRIDED,
    IF_SEQUENTIAL,
    IF_ROW_LENGTH, /* the algorithm defines the row length of the working set */

    /* Share of the device */
    IF_EXCLUSIVE,
    IF_FLUID,
    IF_SHARED, /* exclusive or fluid */
    IF_SHARE,  /* the share is above 0 */
    IF_OWN_SHARE,
    IF_OWN_CORES,
    IF_SOME_CORES,
    IF_CLAIMS_SHARE, /* states its share; of a thread the largest */
    IF_TAKES_CORES,  /* its cores are not left to others; of a thread one component takes them */
    IF_OVERLAPS,     /* automatic share: may work at the same time as others of its device */
    IF_STREAMS,      /* components that divide what is left of the device have work per packet */
    IF_THREAD,       /* takes turns with others of its thread */
    IF_THREAD_SHARE, /* a component of its thread states a share */
    IF_THREAD_CORES, /* has the cores of its thread */
    IF_THREAD_TEAM,  /* of which one states workers */
    IF_BUSY_THREAD,  /* a thread is busier than its device by shares */
    IF_OPERATION_LATENCIES,
    IF_CHAIN,      /* sums are serially dependent and the operation latency is known */
    IF_OPERAND,    /* every row rereads the input vector */
    IF_STATED_SET, /* a formula states the working set */
    IF_USUAL_RATE, /* the efficiency follows from a FLOP rate that all cores reach */

    /* Times of a component */
    IF_ALONE,   /* runs on one thread, without barriers */
    IF_CROWDED, /* its threads outnumber the cores, and poll */
    IF_CLAMPED, /* its workers outnumber the cores */
    IF_CROSSES, /* gets data from another process */
    IF_CONTINUES,
    IF_TOTAL_RATE, /* code of known bandwidth in total */
    IF_FEW_ROWS,   /* a product that may have too few rows to fill a GPU */
    IF_LQG,
    IF_POLC_EXPLICIT,
    IF_UNDEFERRED, /* work that it could defer is done before the command */
    IF_ASLEEP,     /* finds its core in a sleep state */
    IF_DEFERS,     /* takes time after the command */
    IF_DEFERS_FLOP,
    IF_LINEAR, /* durations of packets add up regardless of their weights */
    IF_LINEAR_ALONE,
    IF_WAITS, /* waits for other components */
    IF_WAITS_FIRST,
    IF_FIRST_DELAYED, /* its first packet with work is delayed */
    IF_OWN_PACKETS,   /* a sensor has packets of its own */
    IF_UNEVEN,        /* the data of a camera do not leave at the slots of the frame */
    IF_FIRST_BEGINS,  /* that packet begins a visit, */
    IF_FIRST_LAST,    /* is the last one, */
    IF_FIRST_EMPTY,   /* has only the work after the last packet, */
    IF_FIRST_ASLEEP,  /* finds its core in a sleep state */
    IF_PATH,
    IF_PATH_BUSY,
    IF_PATH_WAIT,

    /* Camera, link or mirror */
    IF_CAMERA,
    IF_GIGE,
    IF_HOSTED,     /* a camera that feeds a host */
    IF_FEEDS_NONE, /* feeds no host */
    IF_GRABBER,    /* its data enter through a frame grabber */
    IF_MEASURED,   /* subapertures or pupil pixels determine its last useful packet */
    IF_NO_DATAGRAMS,
    IF_LIKE_HOST, /* data of the camera enter like those from other hosts */
    IF_PROMPT,    /* a packet waits for no other in its receiving core */
    IF_LINK,
    IF_IDLE, /* both ends are outside the computers */
    IF_NETWORK,
    IF_PLAIN_WIRE,    /* does not use datagrams */
    IF_COPY,          /* between host and GPU */
    IF_ENQUEUED,      /* by a thread of the host */
    IF_INWARD,        /* to a GPU */
    IF_BOARD_UNIFIED, /* on a board that shares the memory of its host */
    IF_MAPPED_IN,     /* the host writes into the memory of a GPU */
    IF_WRITTEN,       /* the port has written the data into the GPU already */
    IF_SHARED_MEMORY, /* takes no time on such a board */
    IF_PEER,          /* between two GPUs of a host */
    IF_PEER_NVLINK,
    IF_SENDS, /* leaves a host */
    IF_SENDS_CPU,
    IF_RECEIVED, /* a host's core receives it */
    IF_BEYOND,   /* a command on its way after the port */
    IF_INSERTED,
    IF_TO_MIRROR,
    IF_PRODUCER_PARTS,
    IF_STATED_BYTES,
    IF_MIRROR,
    IF_STORES, /* uses store-and-forward switches */

    /* Memory level */
    IF_DEVICE_LEVEL, /* seen by all cores of a device */
    IF_SERVES,       /* serves some of a component's accesses */
    IF_ONLY_LEVEL,
    IF_INNERMOST,
    IF_RESIDENT_BYTES,
    IF_OPERAND_BYTES,
    IF_NO_BYTES,
    IF_LOADS,      /* for operands: the load bandwidth is known */
    IF_UNCACHED,   /* accesses go to memory regardless of cache contents */
    IF_LATENCY,    /* the memory model includes latencies */
    IF_OWN_LEVELS, /* seen by a subset of the cores */

    /* Group of errors, by cause */
    IF_GROUP_COMPONENT, /* a component is busiest with the longer times */
    IF_GROUP_DEVICE,
    IF_GROUP_MEASURED, /* the device brings the factor */
    IF_GROUP_FITTED,   /* measured pipelines determine it */

    /* Packet or step */
    IF_GEOMETRY, /* the weight is counted from a sensor's geometry */
    IF_SPREAD,   /* the work is spread over packets */
    IF_LOADED,
    IF_LAST,
    IF_LATE, /* slopes are passed on after the last packet */
    IF_EMPTY,
    IF_FULL_DATAGRAMS,
    IF_CORE, /* a core receives its datagrams */
    IF_STEP_WAITS,
    IF_STEP_BLOCKED, /* something held what it waited for */
    IF_STEP_DELAYED,
    IF_STEP_BEGINS, /* begins a visit */
    IF_STEP_LAST,   /* its first slot is the last one of its component */
    IF_STEP_ASLEEP,
    IF_THREAD_WAITS, /* for the enqueuing thread */
    IF_SEVERAL,

    /* Link */
    IF_RECEIVING_CORE,
    IF_ENQUEUING_THREAD,
    IF_OWN_THREADS, /* one per component */
    IF_PORT,        /* cameras feed it */

    /* Latency between two points */
    IF_FROM_END,   /* from the last end of a component */
    IF_FROM_START, /* from its first start */
    IF_TO_END,     /* to the last end of one */
    IF_TO_START    /* to its first start */
};

#define EXPLAIN_FACTS_MAX 5

struct explain_case {
    enum explain_fact when[EXPLAIN_FACTS_MAX]; /* all must hold */
    int of;                                    /* what a fact is about: a cause, a level */
    enum cases taken;    /* formula and help are those of the case that the model took, if any */
    const char *formula; /* NULL: leaf; a lone number: value of the leaf; %s: text of the count;
                            %f: formula of the scenario; %k: key; %l: level, "l1" */
    const char *help;    /* NULL: that of the rule */
};

#define CASES(...)                                                                                 \
    .cases = (const struct explain_case[])                                                         \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .when = { IF_NEVER }                                                                   \
        }                                                                                          \
    }

#define TAKEN(name) .taken = CASES_##name
#define ALL_TAKEN(name) CASES({.when = {IF_ALWAYS}, TAKEN(name)})
#define ALWAYS(text) CASES({.when = {IF_ALWAYS}, .formula = text})
#define COMPUTED(text) CASES({.when = {IF_COMPUTES}, .formula = text}) /* on a device */

/* A number of a custom component that a formula of the scenario states: "%f" stands for it, with
 * its names, which are whole paths, after EXPLAIN_WHOLE. */
#define EXPLAIN_WHOLE "stated."

/* The key of such a number where a result has its key. */
#define EXPLAIN_FORMULA_KEY "stated_"
#define STATED_BY(si) .unit = si, CASES({.when = {IF_OPEN}, .formula = "%f"})

/* Compute and memory time combined (timeline.h). */
#define EXPLAIN_ROOF(compute, memory) "roofline_time(" compute ", " memory ", scenario.overlap)"

/* What a simulation depends on: all work and delays, and more. */
#define EXPLAIN_RUN "simulated(all.*.busy, all.*.delays)"
#define EXPLAIN_RUN_OF(more) "simulated(" more ", all.*.busy, all.*.delays)"

/* Work of packets, counted from the geometry of pupil and detector. */
#define EXPLAIN_GEOMETRY                                                                           \
    "geometry(geometry.subaps_across, geometry.obscuration, geometry.pixels_per_subap, "           \
    "geometry.detector_width, geometry.detector_height, geometry.packets)"

/* Source of a quantity's value. */
enum explain_base {
    BASE_NONE,    /* function `value`, else the result with the rule's key, else the formula */
    BASE_FORMULA, /* formula, even if there is a result with the key */
    BASE_RESULT_OR_FORMULA, /* result if it exists, else formula */
    BASE_DESIGN,            /* struct result */
    BASE_FLOW,              /* struct flow_result */
    BASE_LINK,              /* struct link_result */
    BASE_STAGE,             /* struct stage */
    BASE_TRACK,             /* struct track */
    BASE_PLAN,              /* struct plan_node, an int */
    BASE_ALGORITHM,         /* struct algorithm */
    BASE_TRANSFER,          /* struct stage, s/B at full bandwidth; shown per element */
    BASE_WAIT,              /* struct stage, s/B of latency; shown per element */
    BASE_LEVEL,             /* struct memory_level */
    BASE_PART,              /* struct memory_part */
    BASE_GROUP              /* struct range_group */
};

#define DESIGN(member) .base = BASE_DESIGN, .offset = offsetof(struct result, member)
#define FLOW(member) .base = BASE_FLOW, .offset = offsetof(struct flow_result, member)
#define LINK(member) .base = BASE_LINK, .offset = offsetof(struct link_result, member)
#define STAGE(member) .base = BASE_STAGE, .offset = offsetof(struct stage, member)
#define TRACK(member) .base = BASE_TRACK, .offset = offsetof(struct track, member)
#define PLAN(member) .base = BASE_PLAN, .offset = offsetof(struct plan_node, member)
#define ALGORITHM(member) .base = BASE_ALGORITHM, .offset = offsetof(struct algorithm, member)
#define ELEMENT_TRANSFER(member) .base = BASE_TRANSFER, .offset = offsetof(struct stage, member)
#define ELEMENT_WAIT(member) .base = BASE_WAIT, .offset = offsetof(struct stage, member)
#define LEVEL(member) .base = BASE_LEVEL, .offset = offsetof(struct memory_level, member)
#define PART(member) .base = BASE_PART, .offset = offsetof(struct memory_part, member)
#define GROUP(member) .base = BASE_GROUP, .offset = offsetof(struct range_group, member)

/* Count that depends on the component's algorithm. */
#define COUNTED(member) .counted = true, .count = offsetof(struct demand_text, member)

/* Addends to omit from a formula, besides those with names of nothing in this design: names with
 * value 0 (the first stays if all are 0), or also products that begin with such a name (none stays
 * if all are 0). */
enum explain_prune { PRUNE_NOTHING, PRUNE_NAMES, PRUNE_PRODUCTS };

typedef double explain_source(const struct explain *explain, struct explain_subject subject);

struct explain_rule {
    const char *key;
    const char *unit;       /* NULL: that of the result row, or none */
    enum explain_base base; /* struct that holds the value at `offset` */
    size_t offset;
    explain_source *value; /* computes the value; NULL: use `base` */
    bool counted;
    size_t count; /* offset in struct demand_text */
    enum explain_prune prune;
    const char *chosen;               /* names of knobs and quantities that select the formula */
    const char *help;                 /* NULL: that of the result row or knob */
    const struct explain_case *cases; /* the first that holds is in force */
};

/* A row without a key terminates a table; a table without rules terminates the list. */
struct explain_table {
    enum explain_kind kind;
    const struct explain_rule *rules;
};

extern const struct explain_table explain_tables[];

extern const struct explain_rule explain_design_rules[];
extern const struct explain_rule explain_loop_rules[];
extern const struct explain_rule explain_flow_rules[];
extern const struct explain_rule explain_wfs_rules[];
extern const struct explain_rule explain_device_rules[];
extern const struct explain_rule explain_link_rules[];
extern const struct explain_rule explain_group_rules[];
extern const struct explain_rule explain_component_rules[];
extern const struct explain_rule explain_level_rules[];
extern const struct explain_rule explain_slot_rules[];
extern const struct explain_rule explain_step_rules[];
extern const struct explain_rule explain_span_rules[];

extern const enum explain_kind explain_scope_kinds[]; /* by enum result_scope */

/* Returns the result with a key of a subject, or NULL. */
const struct result_row *explain_row_find(struct explain_subject subject, const char *key);

/* Returns the rule of a key for a kind of subject, or NULL. */
const struct explain_rule *explain_rule_find(enum explain_kind kind, const char *key);

/* Finds the case in force; false: none. What a split component has of its parts
 * (result_row.parts) needs no case. */
bool explain_case_find(const struct explain *explain, struct explain_subject subject,
                       const struct explain_rule *rule, struct explain_case *one);

/* Returns the value of the quantity with a key of a subject, RESULT_NONE if there is none. */
double explain_quantity(const struct explain *explain, struct explain_subject subject,
                        const char *key);

/* Returns true if a fact that needs neither a key nor what it is about holds for a subject. */
bool explain_fact_holds(const struct explain *explain, struct explain_subject subject,
                        enum explain_fact fact);

/* Returns the value at the rule's base and offset. */
double explain_member(const struct explain *explain, struct explain_subject subject,
                      const struct explain_rule *rule);

/* Search for a relative of a subject, named by a word in a formula. `of` parametrises the search: a
 * fact, a level, a kind of bytes. */
struct explain_search {
    const struct explain *explain;
    struct explain_subject from;
    int of, number; /* number of the relative, from 0; consumed by the search */
    struct explain_subject to;
};

struct explain_relation {
    enum explain_kind from;
    const char *word;
    bool single;
    bool (*find)(struct explain_search *search); /* sets `to`; false: no such relative */
    int of;
};

/* Returns NULL if the kind of subject has no such relatives. */
const struct explain_relation *explain_relation_find(enum explain_kind from, const char *word,
                                                     size_t length);

/* Finds relative `number` (from 0) of a subject. Returns false after the last. */
bool explain_relative(const struct explain *explain, const struct explain_relation *relation,
                      struct explain_subject from, int number, struct explain_subject *to);

/* Same, with the relation named by its word, which must exist. */
bool explain_find_relative(const struct explain *explain, struct explain_subject from,
                           const char *word, int number, struct explain_subject *to);

/* Bytes per number of a component; fraction of bandwidth that its code reaches, share aside. */
explain_source explain_element, explain_rate;

/* Waiting time (s) of a component's first start, and of a step; time (s) from the wire to the
 * program of a camera's packet on a step or, of a camera, of its last one; payload rate (B/s) of a
 * camera's interface, 0 without one. */
explain_source explain_first_wait, explain_step_wait, explain_reception, explain_interface_rate;

/* Finds the pause of a step, or before the first start of a component. */
struct explain_pause explain_step_pause(const struct explain *explain,
                                        struct explain_subject subject);
struct explain_pause explain_first_pause(const struct explain *explain,
                                         struct explain_subject subject);

#endif
