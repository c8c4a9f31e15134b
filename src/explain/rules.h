/* Rules that explain quantities: tables with a row per quantity and a case per formula. Private to
 * explain/.
 *
 * Formulas are the text of those compiled from model/formulas.def, of a quantity with cases that of
 * the case that the model took (TAKEN). The tables contain other text only where the model has no
 * single expression:
 *   - sums and extremes over relatives ("sum(before.*.slopes)"), which the model computes in loops;
 *   - sums over the parts of the work, whose addends the model takes in another order ("stream_read
 *     + tail_read"), and quotients that it takes as products ("stream_transfer / share");
 *   - quantities that only explain has, as the delay of a component's first packet;
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
    IF_OPEN,       /* the knob with the rule's key is automatic */
    IF_CAUSE,      /* of a group of errors */
    IF_LEVEL,      /* of a memory level */
    IF_CALIBRATED, /* of any subject of a design that states factors */
    IF_PRECISION,  /* of a component */
    IF_PYRAMID,
    IF_UNITS,       /* several identical devices are used */
    IF_BUSY_THREAD, /* a thread is busier than its device by shares */
    IF_GEOMETRY,    /* the weight is counted from a sensor's geometry */
    IF_SPREAD,      /* the work is spread over packets */
#define FACT(name, condition) IF_##name,
#define ALSO_FACT(name, condition)
#define DESIGN_FACT FACT
#define DEVICE_FACT FACT
#define SHARE_FACT FACT
#define COMPUTE_FACT FACT
#define NODE_FACT FACT
#define WIRE_FACT FACT
#define LEVEL_FACT FACT
#define PACKET_FACT FACT
#define STEP_FACT FACT
#define LINK_FACT FACT
#define SPAN_FACT FACT
#define GROUP_FACT FACT
#include "explain/facts.def"
#undef FACT
#undef ALSO_FACT
};

#define EXPLAIN_FACTS_MAX 5

struct explain_case {
    enum explain_fact when[EXPLAIN_FACTS_MAX]; /* all must hold */
    int of;                                    /* what a fact is about: a cause, a level */
    enum cases taken;    /* formula and help are those of the case that the model took, if any */
    const char *formula; /* NULL: leaf; a lone number: value of the leaf; %s: text of the count;
                            %f: formula of the scenario; %k: key; %l: level, "l1" */
    const char *help;    /* NULL: that of the rule */
    /* Word of the relative whose calibrated factor multiplies the formula, or "/" and that of which
     * it divides it; NULL: none. Of a level the cause is its own. */
    const char *factor_of;
    enum cause cause;
};

/* The factor of a calibrated cause on the device of a relative. */
#define TIMES(of, relative) .cause = (of), .factor_of = (relative)
#define OVER(of, relative) .cause = (of), .factor_of = "/" relative

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

/* Delay (s) of each visit of a component, also of one that continues a visit. */
explain_source explain_launch_inside;

/* Finds the pause of a step, or before the first start of a component. */
struct explain_pause explain_step_pause(const struct explain *explain,
                                        struct explain_subject subject);
struct explain_pause explain_first_pause(const struct explain *explain,
                                         struct explain_subject subject);

#endif
