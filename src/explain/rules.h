/* The rules by which results are explained: tables, a row a quantity. For
 * explain/.
 *
 * A formula's names are, in this order: a quantity or knob of the same subject ("flop"); one of a
 * single relative ("device.peak_flops", "wfs.count", "ao.actuators", "scenario.packets"); one of
 * each of several relatives ("before.*.slopes"); a result of the whole design ("frame_period").
 * Printed, a single relative's name is its path. "knob.rows" is the knob,
 * whatever rule there is. */
#ifndef AOLAG_EXPLAIN_RULES_H
#define AOLAG_EXPLAIN_RULES_H

#include <stddef.h>

#include "explain/explain.h"
#include "model/stage.h"

typedef bool explain_condition(const struct explain *explain, struct explain_subject subject);
typedef double explain_source(const struct explain *explain, struct explain_subject subject);
/* Writes a formula that depends on the design. */
typedef void explain_writer(const struct explain *explain, struct explain_subject subject,
                            char *text, size_t size);

/* Where a quantity's value is kept. */
enum explain_base {
    BASE_NONE,      /* `value`; else the result row of the key; else what the formula gives */
    BASE_FORMULA,   /* what the formula gives, whatever the result is */
    BASE_DESIGN,    /* struct result */
    BASE_LINK,      /* struct link_result */
    BASE_STAGE,     /* struct stage */
    BASE_TRACK,     /* struct track */
    BASE_PLAN,      /* struct plan_node, an int */
    BASE_ALGORITHM, /* struct algorithm */
    BASE_TRANSFER,  /* struct stage, s/B with all of the bandwidth: of an element */
    BASE_WAIT,      /* struct stage, s/B of latency: of an element */
    BASE_LEVEL,     /* struct memory_level */
    BASE_PART       /* struct memory_part */
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

struct explain_rule {
    enum explain_kind kind;
    const char *key;
    const char *unit;        /* NULL: that of the result row, or none */
    explain_condition *when; /* NULL: always; the first row that holds is in force */
    const char *formula;     /* NULL: a leaf, or `write`; a number alone is a leaf's value */
    enum explain_base base;  /* where its value is, at `offset` */
    size_t offset;
    explain_source *value; /* computes it */
    const char *help;      /* NULL: the result row's or the knob's */
    explain_writer *write;
    bool prune; /* addends that are a name and 0 go unsaid */
};

/* The steps to a start go by the rules of those to an end. */
static inline enum explain_kind explain_kind_of(struct explain_subject subject)
{
    return subject.kind == EXPLAIN_BEFORE ? EXPLAIN_STEP : subject.kind;
}

static inline bool explain_same(struct explain_subject a, struct explain_subject b)
{
    return a.kind == b.kind && a.index == b.index && a.part == b.part;
}

/* Tables end with a row without a key. */
extern const struct explain_rule explain_design_rules[];
extern const struct explain_rule explain_loop_rules[];
extern const struct explain_rule explain_device_rules[];
extern const struct explain_rule explain_chain_rules[];
extern const struct explain_rule explain_share_rules[];
extern const struct explain_rule explain_time_rules[];
extern const struct explain_rule explain_count_rules[];
extern const struct explain_rule explain_memory_rules[];
extern const struct explain_rule explain_level_rules[];
extern const struct explain_rule explain_workload_rules[];
extern const struct explain_rule explain_link_rules[];
extern const struct explain_rule explain_slot_rules[];

/* Writes the names of the knobs that choose which formula stands for a quantity, whose quantities
 * it (`source`) names, or the value where there is none; blanks between them. Those that do not
 * apply to the design are written as well. */
void explain_chosen_by(enum explain_kind kind, const char *key, const char *source, char *text,
                       size_t size);

/* Relatives: subject number `number` of those `word` stands for, or false. */
struct explain_relation {
    enum explain_kind from;
    const char *word;
    bool single;
    bool (*find)(const struct explain *explain, struct explain_subject from, int number,
                 struct explain_subject *to);
};

/* Of components, devices and links; of their levels, packets and steps. Both end with a row without
 * a word. */
extern const struct explain_relation explain_relations[];
extern const struct explain_relation explain_part_relations[];

/* What there is one of: "scenario", "ao", "atmosphere", "loop". */
bool explain_single(const char *word, size_t length, struct explain_subject *subject);

/* The path of a subject, with a final point where it has one; the subject of a path, which is cut
 * off the text. */
void explain_subject_path(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size);
bool explain_subject_of(const struct explain *explain, const char **path,
                        struct explain_subject *subject);

/* The knobs of a subject: section and index, or false. */
bool explain_section(const struct explain *explain, struct explain_subject subject,
                     struct knob_ref *ref);

/* Formulas that several tables share: compute and memory combined (timeline.h); a program's trace
 * on its part of the machine. */
#define EXPLAIN_PROGRAM(what)                                                                      \
    what "(device.clock, device.cpi_int, device.cpi_fp, device.cpi_fma, device.cpi_simd, "         \
         "device.cpi_div, device.cpi_load, device.cpi_store, device.cpi_branch, "                  \
         "device.cpi_sync, device.cpi_other, device.remote_latency, device.memory_bandwidth, "     \
         "device.sustained_memory, workers, share)"

#define EXPLAIN_ROOF(compute, memory) "roofline_time(" compute ", " memory ", scenario.overlap)"

/* The levels a component's bytes are in: subject.part is one of these times LEVEL_COUNT and the
 * level. */
enum explain_bytes { EXPLAIN_RESIDENT, EXPLAIN_ARRIVING, EXPLAIN_STREAMED, EXPLAIN_OPERAND };

/* How many of these kinds a component has: operands only where rows read their vector again. */
int explain_byte_kinds(const struct explain *explain, struct explain_subject subject);

/* Whether a component's input comes fresh from a camera or a link; the bytes of one of its packets
 * that do not stay. */
bool explain_arrives(const struct explain *explain, struct explain_subject subject);
double explain_packet_bytes(const struct explain *explain, struct explain_subject subject);
double explain_touched_bytes(const struct explain *explain, struct explain_subject subject);

/* The sensor from whose geometry a packet's weight is counted, or -1. */
int explain_geometry(const struct explain *explain, struct explain_subject subject);

/* What a component's loaded packets are counted from. */
void explain_loaded_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size);

/* Seconds from the middle of a camera's exposure to its end, twice. */
double explain_integration(const struct explain *explain, struct explain_subject subject);

/* The hosts a camera feeds, by number. */
bool explain_host(const struct explain *explain, struct explain_subject camera, int number,
                  struct explain_subject *host);

/* The part of its device a component owns; 1 where the device is everybody's. */
double explain_share(const struct explain *explain, struct explain_subject subject);

/* Whether a memory has a level; the levels a component, or (NODE_MAX and more) a device, sees. */
bool explain_has_level(const struct memory *memory, int id);
const struct memory *explain_levels(const struct explain *explain, int index);

/* The device of a component, a level or itself; the algorithm of a component, or NULL. */
const struct device *explain_device(const struct explain *explain, struct explain_subject subject);
const struct algorithm *explain_algorithm(const struct explain *explain,
                                          struct explain_subject subject);

/* Bytes of a component's numbers; the part of a level's bandwidth its code gets, share aside. */
explain_source explain_element, explain_rate;

/* Conditions that several tables share: of a component that it runs on a device, or only stands for
 * its parts, or is of a sensor, or a program; that what belongs to it is on a GPU; that it has work
 * to share a device for, a part of it as its own, cores as its own, or all of it with others. */
explain_condition explain_computes, explain_is_whole, explain_senses, explain_is_program;
explain_condition explain_on_gpu, explain_has_share, explain_owns_share, explain_owns_cores;
explain_condition explain_shares;

/* A component's part in what a level of its memory serves; a level as a component or device sees
 * it. */
const struct memory_part *explain_memory_part(const struct explain *explain,
                                              struct explain_subject subject);
const struct memory_level *explain_memory_level(const struct explain *explain,
                                                struct explain_subject subject);

/* Shorthands. */
static inline const struct stage *explain_stage(const struct explain *explain,
                                                struct explain_subject subject)
{
    return &explain->result->work->stage[subject.index];
}

static inline const struct track *explain_track(const struct explain *explain,
                                                struct explain_subject subject)
{
    return &explain->result->work->track[subject.index];
}

static inline const struct plan_node *explain_plan(const struct explain *explain,
                                                   struct explain_subject subject)
{
    return &explain->result->work->plan.node[subject.index];
}

/* NULL for what was inserted. */
static inline const struct component *explain_component(const struct explain *explain,
                                                        struct explain_subject subject)
{
    int component = explain_plan(explain, subject)->component;

    return component < 0 ? NULL : &explain->scenario->component[component];
}

static inline const struct node_result *explain_result(const struct explain *explain,
                                                       struct explain_subject subject)
{
    return &explain->result->node[subject.index];
}

static inline int explain_packets(const struct explain *explain)
{
    return (int)explain->scenario->general.packets;
}

#endif
