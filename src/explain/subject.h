/* What a quantity belongs to, and the parts of an evaluated design that a subject stands for. */
#ifndef AOLAG_EXPLAIN_SUBJECT_H
#define AOLAG_EXPLAIN_SUBJECT_H

#include <stdbool.h>

#include "design/knob.h"
#include "model/result.h"
#include "model/stage.h"

/* An evaluated design. */
struct explain {
    const struct scenario *scenario;
    const struct result *result;
};

/* What a quantity belongs to. */
enum explain_kind {
    EXPLAIN_DESIGN,
    EXPLAIN_LOOP,
    EXPLAIN_SCENARIO,
    EXPLAIN_AO,
    EXPLAIN_ATMOSPHERE,
    EXPLAIN_WFS,
    EXPLAIN_DEVICE,
    EXPLAIN_COMPONENT, /* a node of the plan: transfers that were inserted too */
    EXPLAIN_LEVEL,     /* of memory, as a component sees it */
    EXPLAIN_SLOT,      /* a component's work on one packet */
    EXPLAIN_STEP,      /* of the way to a component's last end; part: from its beginning */
    EXPLAIN_BEFORE,    /* of the way to a component's first start */
    EXPLAIN_LINK
};

struct explain_subject {
    enum explain_kind kind;
    int index; /* sensor, device, node, link */
    int part;  /* level, slot, step */
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

/* The knobs of a subject: section and index, or false. */
bool explain_section(const struct explain *explain, struct explain_subject subject,
                     struct knob_ref *ref);

/* The levels a component's bytes are in: subject.part is one of these times LEVEL_COUNT and the
 * level. How many kinds a component has: operands only where rows read their vector again. */
enum explain_bytes { EXPLAIN_RESIDENT, EXPLAIN_ARRIVING, EXPLAIN_STREAMED, EXPLAIN_OPERAND };

int explain_byte_kinds(const struct explain *explain, struct explain_subject subject);
const struct memory_cost *explain_cost(const struct stage_costs *costs, enum explain_bytes bytes);

/* Whether a memory has a level; the levels a component, or (NODE_MAX and more) a device, sees. */
bool explain_has_level(const struct memory *memory, int id);
const struct memory *explain_levels(const struct explain *explain, int index);

/* The sensor from whose geometry a packet's weight is counted, or -1. */
int explain_geometry(const struct explain *explain, struct explain_subject subject);

/* The board of a PCIe hop. */
int explain_board(const struct explain *explain, struct explain_subject subject);

/* The device of a component, a level or itself; the algorithm of a component, or NULL. */
const struct device *explain_device(const struct explain *explain, struct explain_subject subject);
const struct algorithm *explain_algorithm(const struct explain *explain,
                                          struct explain_subject subject);

/* The knob of a subject's key that applies to it. */
bool explain_knob_find(const struct explain *explain, struct explain_subject subject,
                       const char *key, struct knob_ref *ref);

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
