#include "explain/rules.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "explain/path.h"
#include "model/calibration.h"
#include "model/critical.h"
#include "model/device.h"
#include "model/flow.h"
#include "model/outcome.h"
#include "model/overhead.h"
#include "model/result_read.h"
#include "model/result_span.h"

const enum explain_kind explain_scope_kinds[] = {
    [RESULT_DESIGN] = EXPLAIN_DESIGN, [RESULT_LOOP] = EXPLAIN_LOOP,
    [RESULT_FLOW] = EXPLAIN_FLOW,     [RESULT_COMPONENT] = EXPLAIN_COMPONENT,
    [RESULT_DEVICE] = EXPLAIN_DEVICE, [RESULT_WFS] = EXPLAIN_WFS,
};

const struct explain_table explain_tables[] = {
    {.kind = EXPLAIN_DESIGN, .rules = explain_design_rules},
    {.kind = EXPLAIN_LOOP, .rules = explain_loop_rules},
    {.kind = EXPLAIN_FLOW, .rules = explain_flow_rules},
    {.kind = EXPLAIN_WFS, .rules = explain_wfs_rules},
    {.kind = EXPLAIN_DEVICE, .rules = explain_device_rules},
    {.kind = EXPLAIN_LINK, .rules = explain_link_rules},
    {.kind = EXPLAIN_GROUP, .rules = explain_group_rules},
    {.kind = EXPLAIN_LEVEL, .rules = explain_level_rules},
    {.kind = EXPLAIN_COMPONENT, .rules = explain_component_rules},
    {.kind = EXPLAIN_SLOT, .rules = explain_slot_rules},
    {.kind = EXPLAIN_STEP, .rules = explain_step_rules},
    {.kind = EXPLAIN_SPAN, .rules = explain_span_rules},
    {.rules = NULL},
};

const struct explain_rule *explain_rule_find(enum explain_kind kind, const char *key)
{
    for (const struct explain_table *table = explain_tables; table->rules != NULL; table++)
        for (const struct explain_rule *rule = table->rules;
             table->kind == kind && rule->key != NULL; rule++)
            if (rule->key[0] == key[0] && strcmp(rule->key, key) == 0)
                return rule;
    return NULL;
}

const struct result_row *explain_row_find(struct explain_subject subject, const char *key)
{
    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (explain_scope_kinds[result_rows[i].scope] == subject.kind &&
            result_rows[i].key[0] == key[0] && strcmp(result_rows[i].key, key) == 0)
            return &result_rows[i];
    return NULL;
}

static bool knob_is_open(const struct explain *explain, struct explain_subject subject,
                         const char *key)
{
    struct knob_ref ref;

    if (!explain_section(explain, subject, &ref))
        return false;
    for (int i = 0; i < KNOB_COUNT; i++)
        if (knobs[i].section == ref.section && knob_has_key(&knobs[i], key)) {
            ref.knob = &knobs[i];
            return knob_is_auto(ref.knob, knob_number(explain->scenario, ref));
        }
    return false;
}

static bool case_holds(const struct explain *explain, struct explain_subject subject,
                       const struct explain_rule *rule, const struct explain_case *one)
{
    for (int i = 0; i < EXPLAIN_FACTS_MAX && one->when[i] != IF_NEVER; i++)
        if (one->when[i] == IF_OPEN         ? !knob_is_open(explain, subject, rule->key)
            : one->when[i] == IF_CAUSE      ? (int)explain_group(explain, subject)->cause != one->of
            : one->when[i] == IF_CALIBRATED ? !calibration_stated(explain->scenario)
            : one->when[i] == IF_LEVEL      ? subject.part % LEVEL_COUNT != one->of
            : one->when[i] == IF_PRECISION
                ? explain_component(explain, subject)->precision != one->of
                : !explain_fact_holds(explain, subject, one->when[i]))
            return false;
    return true;
}

/* Returns the number of the case that the model took, 0: none. */
static int number_taken(const struct explain *explain, struct explain_subject subject,
                        enum cases cases)
{
    const struct formula_cases *list = &formula_cases[cases];
    const struct device *device = explain_device(explain, subject);
    bool of_node = subject.kind == EXPLAIN_COMPONENT || subject.kind == EXPLAIN_LEVEL ||
                   subject.kind == EXPLAIN_SLOT || subject.kind == EXPLAIN_STEP;

    if (list->of_device != NULL)
        return device == NULL ? 0 : list->of_device(device);
    if (list->of_component != NULL)
        return explain_component(explain, subject) == NULL
                   ? 0
                   : list->of_component(explain_component(explain, subject));
    return of_node ? explain_stage(explain, subject)->taken[cases]
                   : explain->result->work->taken[cases];
}

/* Replaces a case by the one of the model. */
static bool take_case(const struct explain *explain, struct explain_subject subject,
                      struct explain_case *one)
{
    int number = number_taken(explain, subject, one->taken);
    const struct formula_case *taken = &formula_cases[one->taken].cases[number - 1];

    if (number == 0 || taken->none)
        return false;
    one->formula = taken->text;
    if (taken->help != NULL)
        one->help = taken->help;
    return true;
}

bool explain_case_find(const struct explain *explain, struct explain_subject subject,
                       const struct explain_rule *rule, struct explain_case *one)
{
    static const char *const parts[] = {[PARTS_SUM] = "sum(parts.*.%k)",
                                        [PARTS_MOST] = "max(parts.*.%k)",
                                        [PARTS_LEAST] = "min(parts.*.%k)",
                                        [PARTS_SLOWEST] = "slowest.%k"};
    const struct result_row *row = explain_row_find(subject, rule->key);

    *one = (struct explain_case){.formula = NULL};
    if (row != NULL && row->parts != PARTS_UNSAID &&
        plan_node_is_whole(explain_plan(explain, subject))) {
        one->formula = parts[row->parts];
        return true;
    }
    for (const struct explain_case *at = rule->cases; at->when[0] != IF_NEVER; at++)
        if (case_holds(explain, subject, rule, at)) {
            *one = *at;
            return at->taken == CASES_NONE || take_case(explain, subject, one);
        }
    return false;
}

/* Values of subjects --------------------------------------------------------------------------- */

double explain_element(const struct explain *explain, struct explain_subject subject)
{
    return precision_bytes((enum precision)explain_component(explain, subject)->precision);
}

double explain_rate(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->memory_rate;
}

static enum memory_level_id level_id(struct explain_subject subject)
{
    return (enum memory_level_id)(subject.part % LEVEL_COUNT);
}

static enum explain_bytes level_bytes(struct explain_subject subject)
{
    return (enum explain_bytes)(subject.part / LEVEL_COUNT);
}

static const struct memory_level *memory_level_at(const struct explain *explain,
                                                  struct explain_subject subject)
{
    const struct memory *memory = explain_levels(explain, subject.index);

    for (int k = 0; k < memory->count; k++)
        if (memory->level[k].id == level_id(subject))
            return &memory->level[k];
    return &memory->level[memory->count - 1];
}

/* Returns NULL if the level serves none of the component's accesses. */
static const struct memory_part *memory_part_at(const struct explain *explain,
                                                struct explain_subject subject)
{
    const struct memory_cost *cost;

    if (subject.index >= NODE_MAX || explain_plan(explain, subject)->device < 0)
        return NULL;
    cost = explain_cost(&explain_stage(explain, subject)->costs, level_bytes(subject));
    for (int k = 0; k < cost->count; k++)
        if (cost->part[k].level == level_id(subject))
            return &cost->part[k];
    return NULL;
}

static double double_at(const void *base, size_t offset)
{
    return *(const double *)(const void *)((const char *)base + offset);
}

double explain_member(const struct explain *explain, struct explain_subject subject,
                      const struct explain_rule *rule)
{
    switch (rule->base) {
    case BASE_DESIGN:
        return double_at(explain->result, rule->offset);
    case BASE_FLOW:
        return double_at(result_flow(explain->scenario, explain->result), rule->offset);
    case BASE_LINK:
        return double_at(&explain->result->link[subject.index], rule->offset);
    case BASE_STAGE:
        return double_at(explain_stage(explain, subject), rule->offset);
    case BASE_TRACK:
        return double_at(explain_track(explain, subject), rule->offset);
    case BASE_PLAN:
        return *(const int *)(const void *)((const char *)explain_plan(explain, subject) +
                                            rule->offset);
    case BASE_ALGORITHM:
        return double_at(explain_algorithm(explain, subject), rule->offset);
    case BASE_TRANSFER:
        return double_at(explain_stage(explain, subject), rule->offset) *
               explain_element(explain, subject) / explain_rate(explain, subject);
    case BASE_WAIT:
        return double_at(explain_stage(explain, subject), rule->offset) *
               explain_element(explain, subject);
    case BASE_LEVEL:
        return double_at(memory_level_at(explain, subject), rule->offset);
    case BASE_PART:
        return double_at(memory_part_at(explain, subject), rule->offset);
    case BASE_GROUP:
        return double_at(explain_group(explain, subject), rule->offset);
    case BASE_NONE:
    case BASE_FORMULA:
    case BASE_RESULT_OR_FORMULA:
        break;
    }
    return RESULT_NONE;
}

double explain_launch_inside(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);
    const double launch = device->kind == DEVICE_FPGA ? device->stage_latency
                          : overhead_is_crowded(device, explain_stage(explain, subject)->workers)
                              ? CROWDED_LAUNCH
                              : 0;

    return launch * explain_factor(explain, explain_plan(explain, subject)->device, CAUSE_DISPATCH);
}

/* Facts ---------------------------------------------------------------------------------------- */

/* Case of a switch: the condition of a fact. */
#define FACT(name, condition)                                                                      \
    case IF_##name:                                                                                \
        return condition;
#define ALSO_FACT FACT

static bool any_node_has_fact(const struct explain *explain, enum explain_fact fact)
{
    for (int n = 0; n < explain->result->node_count; n++)
        if (explain_fact_holds(explain, (struct explain_subject){EXPLAIN_COMPONENT, n, 0}, fact))
            return true;
    return false;
}

/* Returns true if the busiest resource is a component, rather than a device or link. */
static bool limit_is_component(const struct result *result)
{
    int node = result_find_node(result, result->limit);

    return node >= 0 &&
           result->node[node].busy / result->work->stage[node].divisor == result->limit_busy;
}

static bool design_fact(const struct explain *explain, enum explain_fact fact)
{
    const struct scenario *scenario = explain->scenario;
    const struct result *result = explain->result;

    switch (fact) {
#define DESIGN_FACT FACT
#include "explain/facts.def"
    default:
        return false;
    }
}

/* Facts of a device, also used for components and levels of the device. */
static bool device_fact(const struct device *device, enum explain_fact fact)
{
    if (device == NULL)
        return false;
    switch (fact) {
#define DEVICE_FACT FACT
#include "explain/facts.def"
    default:
        return false;
    }
}

static bool has_own_packets(const struct scenario *scenario)
{
    for (int i = 0; i < scenario->wfs_count; i++)
        if (scenario->wfs[i].packets > 0)
            return true;
    return false;
}

static bool has_slopes_before(const struct explain *explain, const struct plan_node *node)
{
    for (int i = 0; i < node->before_count; i++)
        if (stage_before(explain->result->work, node, i)->slopes > 0)
            return true;
    return false;
}

static enum access access_pattern(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c->access == CHOICE_AUTO ? explain_algorithm(explain, subject)->access
                                    : (enum access)c->access;
}

/* Returns how the device of a component is shared. */
static enum sharing explain_sharing(const struct explain *explain, struct explain_subject subject)
{
    int device = explain_plan(explain, subject)->device;

    return device < 0 ? SHARING_EXCLUSIVE : explain->result->work->sharing[device];
}

/* Returns the share of its device that a component owns; 1 without partition. */
static double owned_share(const struct explain *explain, struct explain_subject subject)
{
    return explain_sharing(explain, subject) == SHARING_PARTITION
               ? explain_stage(explain, subject)->share
               : 1;
}

/* Returns true if components that divide what is left of a device have work in packets. */
static bool streams_work(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject other;

    for (int i = 0; explain_find_relative(explain, subject, "streamers", i, &other); i++)
        if (explain_stage(explain, other)->work > 0)
            return true;
    return false;
}

/* Returns what claims a share for a component: its thread, else itself. */
static const struct stage *thread_of(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return stage->thread < 0 ? stage : &explain->result->work->stage[stage->thread];
}

/* Returns true for a stated share that counts: of a thread the largest, the first of those. */
static bool claims_share(const struct explain *explain, int n)
{
    const struct workspace *work = explain->result->work;
    double share = explain->scenario->component[work->plan.node[n].component].share;

    for (int i = 0; i < work->plan.count && share > 0 && work->stage[n].thread >= 0; i++) {
        double other;

        if (work->plan.node[i].device < 0 || work->stage[i].thread != work->stage[n].thread)
            continue;
        other = explain->scenario->component[work->plan.node[i].component].share;
        if (other > share || (other == share && i < n))
            return false;
    }
    return share > 0;
}

static bool share_fact(const struct explain *explain, struct explain_subject subject,
                       enum explain_fact fact)
{
    enum sharing sharing = explain_sharing(explain, subject);
    const struct component *c = explain_component(explain, subject);
    const struct stage *stage = explain_stage(explain, subject);
    struct explain_subject other;

    switch (fact) {
#define SHARE_FACT FACT
#include "explain/facts.def"
    default:
        return false;
    }
}

/* Facts of a component that runs on a device. */
static bool compute_fact(const struct explain *explain, struct explain_subject subject,
                         enum explain_fact fact)
{
    const struct component *c = explain_component(explain, subject);
    const struct stage *stage = explain_stage(explain, subject);
    const struct device *device = explain_device(explain, subject);
    const struct algorithm *algorithm = explain_algorithm(explain, subject);
    double memory = stage_span_memory(&stage->stream, 1);
    /* of a component that continues a visit */
    double launch_inside = explain_launch_inside(explain, subject);

    switch (fact) {
#define COMPUTE_FACT FACT
#include "explain/facts.def"
    default:
        return share_fact(explain, subject, fact);
    }
}

static bool node_fact(const struct explain *explain, struct explain_subject subject,
                      enum explain_fact fact)
{
    const struct plan_node *node = explain_plan(explain, subject);
    const struct component *c = explain_component(explain, subject);
    const struct stage *stage = explain_stage(explain, subject);
    const struct node_result *result = explain_result(explain, subject);
    const struct timeline *timeline = &explain->result->work->timeline;
    struct explain_subject other;
    const struct track *track = explain_track(explain, subject);
    const int first = track_first_slot(track);
    bool whole = plan_node_is_whole(node);
    bool camera = track->kind == TRACK_CAMERA;

    switch (fact) {
#define NODE_FACT FACT
#include "explain/facts.def"
    default:
        return node->device >= 0 && compute_fact(explain, subject, fact);
    }
}

/* Returns true if a packet waits for no other in its camera's receiving core. */
static bool is_prompt(const struct explain *explain, const struct track *track, double reception)
{
    double prompt = formula_reception(track->arrival.datagram, track->arrival.latency);

    return explain_beyond_rounding(explain, fabs(reception - prompt), track->last) == 0;
}

/* Facts of a camera, link or mirror. */
static bool wire_fact(const struct explain *explain, struct explain_subject subject,
                      enum explain_fact fact)
{
    const struct plan_node *node = explain_plan(explain, subject);
    const struct component *c = explain_component(explain, subject);
    const struct track *track = explain_track(explain, subject);
    const struct scenario *scenario = explain->scenario;
    const struct plan *plan = &explain->result->work->plan;
    struct explain_subject host;
    bool link = track->kind == TRACK_LINK;
    bool idle = link && (node->hop == HOP_NONE || (node->from < 0 && node->to < 0));
    bool is_copy = link && !idle && node->hop == HOP_PCIE &&
                   scenario->device[plan_hop_board(plan, node)].kind == DEVICE_GPU &&
                   plan->device[plan_hop_board(plan, node)].host != plan_hop_board(plan, node);

    switch (fact) {
#define WIRE_FACT FACT
#include "explain/facts.def"
    default:
        return false;
    }
}

/* Returns true if no bytes of this kind could be cached for reuse. */
static bool nothing_is_cached(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);
    const struct demand *demand = &stage->demand;
    double passed = demand->stream.read + demand->stream.written + demand->tail.read +
                    demand->tail.written + demand->deferred.read + demand->deferred.written;
    double packet = passed / larger(1, stage->weights.count) + demand->accumulator;
    double touched = formula_touched_bytes(packet, demand->reread, stage->weights.count);
    double held = explain->result->work->held[explain_plan(explain, subject)->unit];
    bool both = device_has_operation_latencies(explain_device(explain, subject));

    switch (level_bytes(subject)) {
    case EXPLAIN_OPERAND:
        return stage->vector <= 0;
    case EXPLAIN_RESIDENT:
        return held + (both ? touched : 0) <= 0;
    case EXPLAIN_ARRIVING:
    case EXPLAIN_STREAMED:
        break;
    }
    return (both ? touched + stage->working_set : packet) <= 0;
}

static bool level_fact(const struct explain *explain, struct explain_subject subject,
                       enum explain_fact fact)
{
    const struct memory_part *part = memory_part_at(explain, subject);
    enum memory_level_id id = level_id(subject);
    enum explain_bytes bytes = level_bytes(subject);
    bool of_device = subject.index >= NODE_MAX;

    switch (fact) {
#define LEVEL_FACT FACT
#include "explain/facts.def"
    default:
        return device_fact(explain_device(explain, subject), fact);
    }
}

static struct explain_subject component_of(struct explain_subject slot)
{
    return (struct explain_subject){EXPLAIN_COMPONENT, slot.index, 0};
}

/* Returns true if a packet fills all of its datagrams. */
static bool fills_datagrams(const struct explain *explain, struct explain_subject subject)
{
    double payload = explain_quantity(explain, component_of(subject), "payload");
    double bytes = explain_quantity(explain, subject, "bytes");

    return payload > 0 && bytes - formula_datagrams(bytes, payload) * payload <= 0;
}

static bool packet_fact(const struct explain *explain, struct explain_subject subject,
                        enum explain_fact fact)
{
    const struct track *track = explain_track(explain, subject);
    const struct stage *stage = explain_stage(explain, subject);
    double weight = track_weight(track, subject.part);

    switch (fact) {
#define PACKET_FACT FACT
#include "explain/facts.def"
    default:
        return wire_fact(explain, subject, fact);
    }
}

static bool step_fact(const struct explain *explain, struct explain_subject subject,
                      enum explain_fact fact)
{
    const struct timeline *timeline = &explain->result->work->timeline;
    struct explain_step step = explain_step(explain, subject);
    struct explain_subject blocker;
    const struct track *track;
    double slope;
    double offset;

    track = &explain->result->work->track[step.node];
    switch (fact) {
#define STEP_FACT FACT
#include "explain/facts.def"
    case IF_LOADED:
        for (int i = step.first; i <= step.last; i++)
            if (track_weight(track, i) > 0)
                return true;
        return false;
    default:
        return wire_fact(explain, (struct explain_subject){EXPLAIN_COMPONENT, step.node, 0}, fact);
    }
}

static bool link_fact(const struct explain *explain, struct explain_subject subject,
                      enum explain_fact fact)
{
    const struct link_result *link = &explain->result->link[subject.index];
    struct explain_subject camera;

    switch (fact) {
#define LINK_FACT FACT
#include "explain/facts.def"
    default:
        return false;
    }
}

static bool is_first_start(const struct result_point *point)
{
    return point->packet == POINT_FIRST && point->start;
}

static bool is_last_end(const struct result_point *point)
{
    return point->packet == POINT_LAST && !point->start;
}

static bool span_fact(struct explain_subject subject, enum explain_fact fact)
{
    struct result_span span = explain_span(subject);

    switch (fact) {
#define SPAN_FACT FACT
#include "explain/facts.def"
    default:
        return false;
    }
}

/* Facts about the weights of packets, of a component or a packet. */
static bool weight_fact(const struct explain *explain, struct explain_subject subject,
                        enum explain_fact fact)
{
    int wfs = explain_geometry(explain, subject);

    if (fact == IF_SPREAD)
        return explain_track(explain, subject)->weights.slot != NULL;
    return wfs >= 0 && (fact == IF_GEOMETRY || explain->scenario->wfs[wfs].kind == WFS_PYRAMID);
}

static bool component_fact(const struct explain *explain, struct explain_subject subject,
                           enum explain_fact fact)
{
    double slope;
    double offset;

    if (fact == IF_LINEAR)
        return track_linear(explain_track(explain, subject), &slope, &offset);
    return node_fact(explain, subject, fact) || wire_fact(explain, subject, fact) ||
           device_fact(explain_device(explain, subject), fact);
}

/* Facts of a group of errors. */
static bool group_fact(const struct explain *explain, struct explain_subject subject,
                       enum explain_fact fact)
{
    const struct range_group *group = explain_group(explain, subject);
    const struct device *device = explain_device(explain, subject);

    switch (fact) {
#define GROUP_FACT FACT
#include "explain/facts.def"
    default:
        return device_fact(device, fact);
    }
}

bool explain_fact_holds(const struct explain *explain, struct explain_subject subject,
                        enum explain_fact fact)
{
    bool weighs = fact == IF_GEOMETRY || fact == IF_SPREAD || fact == IF_PYRAMID;
    struct explain_subject other;

    if (fact == IF_ALWAYS)
        return true;
    switch (subject.kind) {
    case EXPLAIN_WFS:
        return explain->scenario->wfs[subject.index].kind == WFS_PYRAMID;
    case EXPLAIN_DEVICE:
        /* the host link of a device that is its own host leads nowhere */
        if ((fact == IF_UNIFIED || fact == IF_HOST_NVLINK) &&
            explain->result->work->plan.device[subject.index].host == subject.index)
            return false;
        return (fact == IF_UNITS && explain->result->work->plan.device[subject.index].units > 1) ||
               (fact == IF_BUSY_THREAD &&
                explain_find_relative(explain, subject, "thread", 0, &other)) ||
               (fact == IF_NO_DATAGRAMS &&
                !ingress_has_datagrams(
                    overhead_ingress(explain->scenario, subject.index, -1).ingress)) ||
               device_fact(explain_device(explain, subject), fact);
    case EXPLAIN_COMPONENT:
        return weighs ? weight_fact(explain, subject, fact)
                      : component_fact(explain, subject, fact);
    case EXPLAIN_SLOT:
        return weighs ? weight_fact(explain, subject, fact) : packet_fact(explain, subject, fact);
    case EXPLAIN_LEVEL:
        return level_fact(explain, subject, fact);
    case EXPLAIN_STEP:
        return step_fact(explain, subject, fact);
    case EXPLAIN_LINK:
        return link_fact(explain, subject, fact);
    case EXPLAIN_GROUP:
        return group_fact(explain, subject, fact);
    case EXPLAIN_SPAN:
        return span_fact(subject, fact);
    default:
        return design_fact(explain, fact);
    }
}
