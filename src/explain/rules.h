/* The rules by which quantities are explained: tables, a row a quantity, a case a formula. Private
 * to explain/.
 *
 * Formulas are those of model/formulas.def, shown as they are compiled. Text stands in the tables
 * where the model has no single expression to compile:
 *   - sums and extremes over relatives ("sum(before.*.slopes)"), which the model makes in loops;
 *   - what a choice of the design alone decides ("stream_transfer / share");
 *   - costs of memory: the model has them per byte and by reciprocals that it computes once, a
 *     reader wants them per element; capacities and latencies of levels, one loop for all levels;
 *   - times of packets and steps, which are simulated ("simulated(all.*.busy)") or piecewise, and
 *     counts from the geometry of a detector ("geometry(...)").
 *
 * A formula's names are, in this order: a quantity or knob of the same subject ("flop"); one of a
 * single relative ("device.peak_flops", "wfs.count", "ao.actuators", "scenario.packets"); one of
 * each of several relatives ("before.*.slopes"); what a level, packet or step does not have is its
 * component's, else its device's; a result of the whole design ("frame_period"). Printed, another
 * subject's name is its path. "knob.rows" is the knob, whatever rule there is. */
#ifndef AOLAG_EXPLAIN_RULES_H
#define AOLAG_EXPLAIN_RULES_H

#include <stddef.h>

#include "explain/subject.h"
#include "model/formulas.h"
#include "model/stage.h"

/* What a case asks of the design; rules.c says how each is found out. */
enum explain_fact {
    IF_NEVER, /* ends a list of facts; a case of it ends the cases */
    IF_ALWAYS,
    IF_OPEN, /* the knob of the rule's key is left open */

    /* the design */
    IF_COMMAND,
    IF_FROM_LAST_PIXEL, /* the way to the last command begins when the last pixel is in */
    IF_CAMERAS,         /* a command waits for a camera */
    IF_MIRRORS,
    IF_DEVICES,
    IF_LIMIT, /* something takes time; its name is that of: */
    IF_LIMIT_COMPONENT,
    IF_LIMIT_DEVICE,
    IF_WIND,

    /* a device, a sensor; GPU and CPU also of what belongs to one */
    IF_GPU,
    IF_CPU,
    IF_L2_STATED, /* its bandwidth */
    IF_L3_STATED,
    IF_PYRAMID,

    /* what a component is */
    IF_COMPUTES, /* it runs on a device */
    IF_WHOLE,    /* it stands for its parts */
    IF_PARTS,    /* it is one of some */
    IF_SPLIT_ROWS,
    IF_SPLIT_COLUMNS,
    IF_SENSES,
    IF_MEASURES, /* and makes slopes */
    IF_WFS,
    IF_CENTROID,
    IF_RECONSTRUCTION,
    IF_PROGRAM,
    IF_FOLLOWS,        /* some other component */
    IF_ADDS_PARTS,     /* of a split predecessor */
    IF_PIECES,         /* it handles one of several pieces of what comes in */
    IF_ARRIVES,        /* its input comes fresh from a camera or a link */
    IF_COMMAND_NODE,   /* its end is a command leaving */
    IF_LEADING_CAMERA, /* a camera that a command waits for */

    /* its sizes */
    IF_ROWS_OPEN,
    IF_COLUMNS_OPEN,
    IF_ACTUATORS_OPEN,
    IF_MODES,
    IF_FED,         /* slopes come in */
    IF_FED_PUPIL,   /* from a sensor */
    IF_WORKING_SET, /* it has one */
    IF_PARTIAL,     /* results of packets are partial ones */
    IF_PACKETS,     /* several bring it work */
    IF_AGAIN,       /* it reads what it has just written */
    IF_DEFERRED,    /* some of its work may wait for the command */
    IF_STRIDED,
    IF_SEQUENTIAL,
    IF_ROW_LENGTH, /* of the working set, by its algorithm */
    IF_FP64,
    IF_HALF,
    IF_INT8,

    /* what it gets of its device */
    IF_EXCLUSIVE,
    IF_FLUID,
    IF_SHARED, /* one of the two */
    IF_SHARE,  /* above 0 */
    IF_OWN_SHARE,
    IF_OWN_CORES,
    IF_SOME_CORES,
    IF_FRAME_BARRIER,
    IF_STATED_SHARE,
    IF_STATED_WORKERS,
    IF_STREAMS, /* those with automatic shares have work */
    IF_KNOWS_OPERATIONS,
    IF_CHAIN, /* its sums are serially dependent, and the latency of an operation is known */
    IF_PIXEL_CHAIN,
    IF_SCALAR,
    IF_OPERAND, /* rows read their vector again */
    IF_ELEMENTWISE,
    IF_USUAL_RATE, /* its efficiency is that of a rate which all cores reach */

    /* its times */
    IF_ALONE,  /* one thread: no launches */
    IF_DEFERS, /* it takes time after the command */
    IF_DEFERS_FLOP,
    IF_LINEAR, /* its packets' durations add up whatever their weights */
    IF_LINEAR_ALONE,
    IF_ONLY_TAIL,
    IF_WAITS, /* for other components */
    IF_WAITS_FIRST,
    IF_PATH,
    IF_PATH_BUSY,
    IF_PATH_WAIT,

    /* a camera, link or mirror */
    IF_CAMERA,
    IF_INTERFACE,
    IF_COAXPRESS_6,
    IF_COAXPRESS_12,
    IF_GIGE,
    IF_FEEDS_NONE, /* no host */
    IF_ROLLING,
    IF_EXPOSURE_OPEN,
    IF_FRAME_TRANSFER,
    IF_LINK,
    IF_IDLE, /* both ends are outside the machines */
    IF_NETWORK,
    IF_PLAIN_WIRE, /* no datagrams */
    IF_NVLINK,
    IF_INSERTED,
    IF_TO_MIRROR,
    IF_PRODUCER_PARTS,
    IF_STATED_BYTES,
    IF_MIRROR,
    IF_STORES, /* its switches store and forward */

    /* a level of memory */
    IF_DEVICE_LEVEL, /* as all cores of a device see it */
    IF_SERVES,       /* some of a component's bytes come from it */
    IF_L1,
    IF_L2,
    IF_L3,
    IF_MEMORY,
    IF_ONLY_LEVEL,
    IF_INNERMOST,
    IF_RESIDENT_BYTES,
    IF_OPERAND_BYTES,
    IF_NO_BYTES,
    IF_LOADS,      /* operands: the loads of a known rate */
    IF_BEYOND,     /* its bytes come from memory, whatever the caches hold */
    IF_LATENCY,    /* the memory model knows latencies */
    IF_OWN_LEVELS, /* of some cores */
    IF_NUMA,
    IF_STATED, /* its bandwidth */

    /* a packet, a step */
    IF_GEOMETRY, /* its weight is counted from a sensor's geometry */
    IF_SPREAD,   /* the work comes in several packets */
    IF_LOADED,
    IF_LAST,
    IF_LATE, /* slopes are handed on after the last packet */
    IF_EMPTY,
    IF_FULL_DATAGRAMS,
    IF_STEP_WAITS,
    IF_SEVERAL
};

#define EXPLAIN_FACTS_MAX 5

struct explain_case {
    enum explain_fact when[EXPLAIN_FACTS_MAX]; /* all of them */
    const char *formula; /* NULL: a leaf; a number alone: the leaf's value; %s: the count's text */
    const char *help;    /* NULL: the rule's */
};

#define CASES(...)                                                                                 \
    .cases = (const struct explain_case[])                                                         \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .when = { IF_NEVER }                                                                   \
        }                                                                                          \
    }

#define ALWAYS(text) CASES({.when = {IF_ALWAYS}, .formula = text})
#define COMPUTED(text) CASES({.when = {IF_COMPUTES}, .formula = text}) /* on a device */

/* Compute and memory combined (timeline.h). */
#define EXPLAIN_ROOF(compute, memory) "roofline_time(" compute ", " memory ", scenario.overlap)"

/* Packets' work, counted from the geometry of pupil and detector. */
#define EXPLAIN_GEOMETRY_OF(more)                                                                  \
    "geometry(geometry.subaps_across, geometry.obscuration, " more "geometry.detector_width, "     \
    "geometry.detector_height, scenario.packets)"
#define EXPLAIN_GEOMETRY EXPLAIN_GEOMETRY_OF("geometry.pixels_per_subap, ")
#define EXPLAIN_GEOMETRY_PYRAMID EXPLAIN_GEOMETRY_OF("")

/* Where a quantity's value is kept. */
enum explain_base {
    BASE_NONE,    /* `value`; else the result row of the key; else what the formula gives */
    BASE_FORMULA, /* what the formula gives, whatever the result is */
    BASE_RESULT_OR_FORMULA, /* the result where there is one */
    BASE_DESIGN,            /* struct result */
    BASE_LINK,              /* struct link_result */
    BASE_STAGE,             /* struct stage */
    BASE_TRACK,             /* struct track */
    BASE_PLAN,              /* struct plan_node, an int */
    BASE_ALGORITHM,         /* struct algorithm */
    BASE_TRANSFER,          /* struct stage, s/B with all of the bandwidth: of an element */
    BASE_WAIT,              /* struct stage, s/B of latency: of an element */
    BASE_LEVEL,             /* struct memory_level */
    BASE_PART               /* struct memory_part */
};

#define DESIGN(member) .base = BASE_DESIGN, .offset = offsetof(struct result, member)
#define LINK(member) .base = BASE_LINK, .offset = offsetof(struct link_result, member)
#define STAGE(member) .base = BASE_STAGE, .offset = offsetof(struct stage, member)
#define TRACK(member) .base = BASE_TRACK, .offset = offsetof(struct track, member)
#define PLAN(member) .base = BASE_PLAN, .offset = offsetof(struct plan_node, member)
#define ALGORITHM(member) .base = BASE_ALGORITHM, .offset = offsetof(struct algorithm, member)
#define ELEMENT_TRANSFER(member) .base = BASE_TRANSFER, .offset = offsetof(struct stage, member)
#define ELEMENT_WAIT(member) .base = BASE_WAIT, .offset = offsetof(struct stage, member)
#define LEVEL(member) .base = BASE_LEVEL, .offset = offsetof(struct memory_level, member)
#define PART(member) .base = BASE_PART, .offset = offsetof(struct memory_part, member)

/* The text of a count of the component's algorithm. */
#define COUNTED(member) .counted = true, .count = offsetof(struct demand_text, member)

/* Which addends of a formula are left out: names that are 0 (all but the first, where nothing else
 * is left); products that begin with one as well. */
enum explain_prune { PRUNE_NOTHING, PRUNE_NAMES, PRUNE_PRODUCTS };

typedef double explain_source(const struct explain *explain, struct explain_subject subject);

struct explain_rule {
    const char *key;
    const char *unit;       /* NULL: that of the result row, or none */
    enum explain_base base; /* where its value is, at `offset` */
    size_t offset;
    explain_source *value; /* computes it */
    bool counted;
    size_t count; /* in struct demand_text */
    enum explain_prune prune;
    const char *chosen;               /* names of knobs and quantities that choose its formula */
    const char *help;                 /* NULL: the result row's or the knob's */
    const struct explain_case *cases; /* the first one that holds is in force */
};

/* A table ends with a row without a key, the list of tables with one of NULL. */
struct explain_table {
    enum explain_kind kind;
    const struct explain_rule *rules;
};

extern const struct explain_table explain_tables[];

extern const struct explain_rule explain_design_rules[];
extern const struct explain_rule explain_loop_rules[];
extern const struct explain_rule explain_wfs_rules[];
extern const struct explain_rule explain_device_rules[];
extern const struct explain_rule explain_link_rules[];
extern const struct explain_rule explain_component_rules[];
extern const struct explain_rule explain_level_rules[];
extern const struct explain_rule explain_slot_rules[];
extern const struct explain_rule explain_step_rules[];

/* The rule of a key for a kind of subject, NULL without one; the case in force, or NULL. */
const struct explain_rule *explain_rule_find(enum explain_kind kind, const char *key);
const struct explain_case *explain_case_find(const struct explain *explain,
                                             struct explain_subject subject,
                                             const struct explain_rule *rule);

/* Whether a fact holds of a subject; of IF_OPEN: of the knob of that key. */
bool explain_fact_holds(const struct explain *explain, struct explain_subject subject,
                        enum explain_fact fact, const char *key);

/* The member a rule's base and offset name. */
double explain_member(const struct explain *explain, struct explain_subject subject,
                      const struct explain_rule *rule);

/* Relatives of a subject, by the word for them in a formula. `of` says which of several alike: a
 * fact, a level, a kind of bytes. */
struct explain_search {
    const struct explain *explain;
    struct explain_subject from;
    int of, number; /* the relative's, from 0; used up by the search */
    struct explain_subject to;
};

struct explain_relation {
    enum explain_kind from;
    const char *word;
    bool single;
    bool (*find)(struct explain_search *search); /* sets `to`; false: there are not so many */
    int of;
};

/* NULL: a kind of subject has no such relatives. */
const struct explain_relation *explain_relation_find(enum explain_kind from, const char *word,
                                                     size_t length);

/* Relative number `number` of a subject; false: there are not so many. */
bool explain_relative(const struct explain *explain, const struct explain_relation *relation,
                      struct explain_subject from, int number, struct explain_subject *to);

/* The same by the word. */
bool explain_find_relative(const struct explain *explain, struct explain_subject from,
                           const char *word, int number, struct explain_subject *to);

/* Bytes of a component's numbers; the part of a level's bandwidth its code gets, share aside. */
explain_source explain_element, explain_rate;

/* Seconds for which a component's first start, or a step, waits for others; the payload rate of a
 * camera's interface, 0 without one. */
explain_source explain_first_wait, explain_step_wait, explain_interface_rate;

#endif
