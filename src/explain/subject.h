/* Subjects: the entities of an evaluated design that quantities belong to. */
#ifndef AOLAG_EXPLAIN_SUBJECT_H
#define AOLAG_EXPLAIN_SUBJECT_H

#include <stdbool.h>

#include "design/knob.h"
#include "model/range.h"
#include "model/result.h"
#include "model/stage.h"

/* An evaluated design. */
struct explain {
    const struct scenario *scenario;
    const struct result *result;
    const struct latency_range *range; /* of the result; NULL: unknown */
};

enum explain_kind {
    EXPLAIN_DESIGN,
    EXPLAIN_LOOP,
    EXPLAIN_FLOW,
    EXPLAIN_SCENARIO,
    EXPLAIN_TELEMETRY,
    EXPLAIN_UPDATE,
    EXPLAIN_CALIBRATION,
    EXPLAIN_AO,
    EXPLAIN_ATMOSPHERE,
    EXPLAIN_WFS,
    EXPLAIN_DEVICE,
    EXPLAIN_COMPONENT, /* node of the plan, including inserted transfers */
    EXPLAIN_LEVEL,     /* memory level as seen by a component or device */
    EXPLAIN_SLOT,      /* work of a component on one packet */
    EXPLAIN_STEP,      /* step of a critical path that ends with a slot of a component */
    EXPLAIN_LINK,
    EXPLAIN_GROUP, /* group of errors in the range of the latency */
    EXPLAIN_SPAN   /* latency between two points, packed in index and part (path.h) */
};

struct explain_subject {
    enum explain_kind kind;
    int index; /* of the sensor, device, node, link or group */
    int part;  /* of the index: level, slot or step, from 0 */
};

static inline bool explain_same(struct explain_subject a, struct explain_subject b)
{
    return a.kind == b.kind && a.index == b.index && a.part == b.part;
}

/* Sets section and index of the subject's knobs. Returns false if it has none. */
bool explain_section(const struct explain *explain, struct explain_subject subject,
                     struct knob_ref *ref);

/* Kinds of accessed bytes. subject.part of a component's level is kind * LEVEL_COUNT + level. */
enum explain_bytes { EXPLAIN_RESIDENT, EXPLAIN_ARRIVING, EXPLAIN_STREAMED, EXPLAIN_OPERAND };

/* Returns the number of kinds; operands count only if every row rereads the input vector. */
int explain_byte_kinds(const struct explain *explain, struct explain_subject subject);
const struct memory_cost *explain_cost(const struct stage_costs *costs, enum explain_bytes bytes);

/* Return true if a memory has a level; the levels seen by node `index` or, from NODE_MAX on, by
 * device `index` - NODE_MAX. */
bool explain_has_level(const struct memory *memory, int id);
const struct memory *explain_levels(const struct explain *explain, int index);

/* Returns the group of a subject. */
const struct range_group *explain_group(const struct explain *explain,
                                        struct explain_subject subject);

/* Returns the sensor whose geometry determines the weights of packets, or -1. */
int explain_geometry(const struct explain *explain, struct explain_subject subject);

/* Returns the device that is the board of a PCIe hop. */
int explain_board(const struct explain *explain, struct explain_subject subject);

/* Return the device of a subject (its own, if it is a device) and the algorithm of a component;
 * NULL if there is none. */
const struct device *explain_device(const struct explain *explain, struct explain_subject subject);
const struct algorithm *explain_algorithm(const struct explain *explain,
                                          struct explain_subject subject);

/* Finds the knob with a key that applies to the subject. */
bool explain_knob_find(const struct explain *explain, struct explain_subject subject,
                       const char *key, struct knob_ref *ref);

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

/* Returns NULL for an inserted transfer. */
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
    return scenario_slots(explain->scenario);
}

/* The key of a device's factor of a cause, "memory_factor", and its value, 1 if the cause is not
 * calibrated. */
extern const char *const explain_factor_keys[CAUSE_COUNT];
double explain_factor(const struct explain *explain, int device, enum cause cause);

#endif
