#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/node.h"
#include "explain/path.h"
#include "explain/rules.h"
#include "model/outcome.h"

/* Relatives ------------------------------------------------------------------------------------ */

/* Node number `number` of those that fit. */
static bool nth_node(const struct explain *explain, int number, struct explain_subject of,
                     bool (*fits)(const struct explain *, int, struct explain_subject),
                     struct explain_subject *to)
{
    for (int n = 0; n < explain->result->node_count; n++)
        if (fits(explain, n, of) && number-- == 0) {
            *to = (struct explain_subject){EXPLAIN_COMPONENT, n, 0};
            return true;
        }
    return false;
}

static bool is_command(const struct explain *explain, int n, struct explain_subject of)
{
    (void)of;
    return explain->result->work->plan.node[n].command;
}

static bool find_commands(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    return nth_node(explain, number, from, is_command, to);
}

/* A camera that some command waits for. */
static bool is_camera(const struct explain *explain, int n, struct explain_subject of)
{
    (void)of;
    return explain->result->work->plan.node[n].type == COMPONENT_CAMERA &&
           explain->result->work->plan.node[n].leads;
}

static bool find_cameras(const struct explain *explain, struct explain_subject from, int number,
                         struct explain_subject *to)
{
    return nth_node(explain, number, from, is_camera, to);
}

static bool is_fast_camera(const struct explain *explain, int n, struct explain_subject of)
{
    const struct stage *stage = explain->result->work->stage;

    if (!is_camera(explain, n, of))
        return false;
    for (int other = 0; other < explain->result->node_count; other++)
        if (is_camera(explain, other, of) && stage[other].divisor < stage[n].divisor)
            return false;
    return true;
}

static bool find_fast_cameras(const struct explain *explain, struct explain_subject from,
                              int number, struct explain_subject *to)
{
    return nth_node(explain, number, from, is_fast_camera, to);
}

static bool is_mirror(const struct explain *explain, int n, struct explain_subject of)
{
    (void)of;
    return explain->result->work->plan.node[n].type == COMPONENT_DM;
}

static bool find_mirrors(const struct explain *explain, struct explain_subject from, int number,
                         struct explain_subject *to)
{
    return nth_node(explain, number, from, is_mirror, to);
}

static bool runs_on(const struct explain *explain, int n, struct explain_subject of)
{
    return explain->result->work->plan.node[n].device == of.index;
}

static bool find_users(const struct explain *explain, struct explain_subject from, int number,
                       struct explain_subject *to)
{
    return nth_node(explain, number, from, runs_on, to);
}

static bool claims(const struct explain *explain, int n, struct explain_subject of)
{
    return runs_on(explain, n, of) &&
           explain->scenario->component[explain->result->work->plan.node[n].component].share > 0;
}

static bool find_claimants(const struct explain *explain, struct explain_subject from, int number,
                           struct explain_subject *to)
{
    return nth_node(explain, number, from, claims, to);
}

static bool streams(const struct explain *explain, int n, struct explain_subject of)
{
    return runs_on(explain, n, of) && !claims(explain, n, of) &&
           !explain->result->work->stage[n].frame_barrier;
}

static bool find_streamers(const struct explain *explain, struct explain_subject from, int number,
                           struct explain_subject *to)
{
    return nth_node(explain, number, from, streams, to);
}

static bool is_pinned(const struct explain *explain, int n, struct explain_subject of)
{
    return runs_on(explain, n, of) &&
           explain->scenario->component[explain->result->work->plan.node[n].component].workers > 0;
}

static bool find_pinned(const struct explain *explain, struct explain_subject from, int number,
                        struct explain_subject *to)
{
    return nth_node(explain, number, from, is_pinned, to);
}

bool explain_host(const struct explain *explain, struct explain_subject from, int number,
                  struct explain_subject *to)
{
    const struct plan *plan = &explain->result->work->plan;
    int camera = explain_plan(explain, from)->component;

    for (int i = 0; i < explain->scenario->component_count; i++)
        for (int d = 0; d < explain->scenario->device_count; d++)
            if ((plan->component[i].before >> camera & 1) != 0 &&
                (plan->component[i].devices >> d & 1) != 0 && number-- == 0) {
                *to = (struct explain_subject){EXPLAIN_DEVICE, plan->device[d].host, 0};
                return true;
            }
    return false;
}

static bool is_sender(const struct explain *explain, int n, struct explain_subject of)
{
    const struct plan_node *node = &explain->result->work->plan.node[n];
    char name[NODE_NAME_MAX + 1];

    for (int i = 0; i < 2; i++) {
        if (node->queue[i] == NO_QUEUE)
            continue;
        plan_queue_name(explain->scenario, node->queue[i], name, sizeof name);
        if (strcmp(name, explain->result->link[of.index].name) == 0)
            return true;
    }
    return false;
}

static bool find_senders(const struct explain *explain, struct explain_subject from, int number,
                         struct explain_subject *to)
{
    return nth_node(explain, number, from, is_sender, to);
}

static bool find_sensors(const struct explain *explain, struct explain_subject from, int number,
                         struct explain_subject *to)
{
    (void)from;
    *to = (struct explain_subject){EXPLAIN_WFS, number, 0};
    return number < explain->scenario->wfs_count;
}

static bool find_device(const struct explain *explain, struct explain_subject from, int number,
                        struct explain_subject *to)
{
    (void)number;
    *to = (struct explain_subject){
        EXPLAIN_DEVICE,
        from.index >= NODE_MAX ? from.index - NODE_MAX : explain_plan(explain, from)->device, 0};
    return to->index >= 0;
}

static bool find_wfs(const struct explain *explain, struct explain_subject from, int number,
                     struct explain_subject *to)
{
    (void)number;
    *to = (struct explain_subject){EXPLAIN_WFS, explain_plan(explain, from)->wfs, 0};
    return to->index >= 0;
}

/* Predecessors: of a component components, of a slot slots of the same packet. */
static bool find_before(const struct explain *explain, struct explain_subject from, int number,
                        struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);

    if (number >= node->before_count)
        return false;
    *to = (struct explain_subject){
        from.kind, explain->result->work->plan.pool[node->before_first + number], from.part};
    return true;
}

static bool find_parts(const struct explain *explain, struct explain_subject from, int number,
                       struct explain_subject *to)
{
    *to = (struct explain_subject){EXPLAIN_COMPONENT, from.index + 1 + number, 0};
    return number < explain_plan(explain, from)->parts;
}

/* Whose numbers the whole has that are no sums. */
static bool find_slowest(const struct explain *explain, struct explain_subject from, int number,
                         struct explain_subject *to)
{
    const struct node_result *part = &explain->result->node[from.index + 1];
    int slowest = 0;

    (void)number;
    for (int p = 1; p < explain_plan(explain, from)->parts; p++)
        if (part[p].time > part[slowest].time)
            slowest = p;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, from.index + 1 + slowest, 0};
    return explain_plan(explain, from)->parts > 0;
}

/* Predecessors whose outputs are to be added, those that are added to another only. */
static bool find_sums(const struct explain *explain, struct explain_subject from, int number,
                      bool added, struct explain_subject *to)
{
    const struct workspace *work = explain->result->work;
    const struct plan_node *node = explain_plan(explain, from);

    for (int i = 0; i < node->before_count; i++) {
        int before = work->plan.pool[node->before_first + i];

        if (work->plan.node[before].component < 0)
            before = work->plan.node[before].producer;
        if (!work->stage[before].adds || (added && work->plan.node[before].part == 0) ||
            number-- > 0)
            continue;
        *to = (struct explain_subject){EXPLAIN_COMPONENT, before, 0};
        return true;
    }
    return false;
}

static bool find_summands(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    return find_sums(explain, from, number, false, to);
}

static bool find_added(const struct explain *explain, struct explain_subject from, int number,
                       struct explain_subject *to)
{
    return find_sums(explain, from, number, true, to);
}

static bool is_any(const struct explain *explain, int n, struct explain_subject of)
{
    (void)of;
    return !plan_node_is_whole(&explain->result->work->plan.node[n]);
}

static bool find_all(const struct explain *explain, struct explain_subject from, int number,
                     struct explain_subject *to)
{
    return nth_node(explain, number, from, is_any, to);
}

static bool find_limit_component(const struct explain *explain, struct explain_subject from,
                                 int number, struct explain_subject *to)
{
    (void)from;
    (void)number;
    *to = (struct explain_subject){EXPLAIN_COMPONENT,
                                   result_find_node(explain->result, explain->result->limit), 0};
    return to->index >= 0;
}

static bool find_limit_device(const struct explain *explain, struct explain_subject from,
                              int number, struct explain_subject *to)
{
    (void)from;
    (void)number;
    *to = (struct explain_subject){
        EXPLAIN_DEVICE, section_find(explain->scenario, SECTION_DEVICE, explain->result->limit), 0};
    return to->index >= 0;
}

static bool find_limit_link(const struct explain *explain, struct explain_subject from, int number,
                            struct explain_subject *to)
{
    (void)from;
    (void)number;
    for (int i = 0; i < explain->result->link_count; i++) {
        *to = (struct explain_subject){EXPLAIN_LINK, i, 0};
        if (strcmp(explain->result->link[i].name, explain->result->limit) == 0)
            return true;
    }
    return false;
}

/* The devices at the ends of a transfer. */
static bool find_ends(const struct explain *explain, struct explain_subject from, int number,
                      struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);
    const int ends[2] = {node->from, node->to};

    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0 && number-- == 0) {
            *to = (struct explain_subject){EXPLAIN_DEVICE, ends[i], 0};
            return true;
        }
    return false;
}

/* The board of a PCIe hop, and the processor it is in. */
static bool find_board(const struct explain *explain, struct explain_subject from, int number,
                       struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);
    const struct plan *plan = &explain->result->work->plan;

    (void)number;
    to->kind = EXPLAIN_DEVICE;
    to->part = 0;
    to->index = node->to >= 0 && plan->device[node->to].kind == DEVICE_GPU ? node->to
                : node->from >= 0                                          ? node->from
                                                                           : node->to;
    return to->index >= 0;
}

static bool find_host(const struct explain *explain, struct explain_subject from, int number,
                      struct explain_subject *to)
{
    if (from.kind == EXPLAIN_COMPONENT && !find_board(explain, from, number, &from))
        return false;
    *to = (struct explain_subject){EXPLAIN_DEVICE,
                                   explain->result->work->plan.device[from.index].host, 0};
    return true;
}

static bool find_producer(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);

    (void)number;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, node->producer, 0};
    return node->component < 0;
}

/* The mirror an inserted transfer leads to. */
static bool find_consumer(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);

    (void)number;
    if (node->component >= 0)
        return false;
    *to = (struct explain_subject){EXPLAIN_COMPONENT,
                                   explain->result->work->plan.node_of[node->consumer], 0};
    return true;
}

const struct explain_relation explain_relations[] = {
    {EXPLAIN_DESIGN, "commands", false, find_commands},
    {EXPLAIN_DESIGN, "cameras", false, find_cameras},
    {EXPLAIN_DESIGN, "fast_cameras", false, find_fast_cameras},
    {EXPLAIN_DESIGN, "mirrors", false, find_mirrors},
    {EXPLAIN_DESIGN, "limit_component", true, find_limit_component},
    {EXPLAIN_DESIGN, "limit_device", true, find_limit_device},
    {EXPLAIN_DESIGN, "limit_link", true, find_limit_link},
    {EXPLAIN_COMPONENT, "device", true, find_device},
    {EXPLAIN_COMPONENT, "wfs", true, find_wfs},
    {EXPLAIN_COMPONENT, "before", false, find_before},
    {EXPLAIN_COMPONENT, "sensors", false, find_sensors},
    {EXPLAIN_COMPONENT, "parts", false, find_parts},
    {EXPLAIN_COMPONENT, "slowest", true, find_slowest},
    {EXPLAIN_COMPONENT, "all", false, find_all},
    {EXPLAIN_COMPONENT, "summands", false, find_summands},
    {EXPLAIN_COMPONENT, "added", false, find_added},
    {EXPLAIN_COMPONENT, "ends", false, find_ends},
    {EXPLAIN_COMPONENT, "board", true, find_board},
    {EXPLAIN_COMPONENT, "host", true, find_host},
    {EXPLAIN_COMPONENT, "hosts", false, explain_host},
    {EXPLAIN_COMPONENT, "producer", true, find_producer},
    {EXPLAIN_COMPONENT, "consumer", true, find_consumer},
    {EXPLAIN_DEVICE, "users", false, find_users},
    {EXPLAIN_DEVICE, "claimants", false, find_claimants},
    {EXPLAIN_DEVICE, "streamers", false, find_streamers},
    {EXPLAIN_DEVICE, "pinned", false, find_pinned},
    {EXPLAIN_LINK, "users", false, find_senders},
    {EXPLAIN_SLOT, "before", false, find_before},
    {EXPLAIN_STEP, "all", false, find_all},
    {EXPLAIN_LEVEL, "device", true, find_device},
    {EXPLAIN_DESIGN, NULL, false, NULL},
};

/* Relations part ------------------------------------------------------------------------------- */

/* Relatives of components that are parts of theirs: levels of memory, packets, steps. */

/* Levels a component's bytes are in, as its memory model sees them. */
static bool find_level(const struct explain *explain, struct explain_subject from, int number,
                       enum explain_bytes bytes, struct explain_subject *to)
{
    const struct stage_costs *costs = &explain_stage(explain, from)->costs;
    const struct memory_cost *cost = bytes == EXPLAIN_RESIDENT   ? &costs->resident
                                     : bytes == EXPLAIN_ARRIVING ? &costs->arriving
                                     : bytes == EXPLAIN_OPERAND  ? &costs->operand
                                                                 : &costs->streamed;

    if (number >= cost->count)
        return false;
    *to = (struct explain_subject){EXPLAIN_LEVEL, from.index,
                                   (int)bytes * LEVEL_COUNT + (int)cost->part[number].level};
    return true;
}

static bool find_resident(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    return find_level(explain, from, number, EXPLAIN_RESIDENT, to);
}

static bool find_arriving(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    return find_level(explain, from, number, EXPLAIN_ARRIVING, to);
}

static bool find_streamed(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    return find_level(explain, from, number, EXPLAIN_STREAMED, to);
}

static bool find_operand(const struct explain *explain, struct explain_subject from, int number,
                         struct explain_subject *to)
{
    return find_level(explain, from, number, EXPLAIN_OPERAND, to);
}

/* The next level in or out that there is. */
static bool find_neighbour(const struct explain *explain, struct explain_subject from, int step,
                           struct explain_subject *to)
{
    int first = from.part - from.part % LEVEL_COUNT;

    for (int id = from.part % LEVEL_COUNT + step; id >= 0 && id < LEVEL_COUNT; id += step)
        if (explain_has_level(explain_levels(explain, from.index), id)) {
            *to = (struct explain_subject){EXPLAIN_LEVEL, from.index, first + id};
            return true;
        }
    return false;
}

static bool find_inner(const struct explain *explain, struct explain_subject from, int number,
                       struct explain_subject *to)
{
    (void)number;
    return find_neighbour(explain, from, -1, to);
}

static bool find_outer(const struct explain *explain, struct explain_subject from, int number,
                       struct explain_subject *to)
{
    (void)number;
    return find_neighbour(explain, from, 1, to);
}

static bool device_level_of(const struct explain *explain, struct explain_subject from, int id,
                            struct explain_subject *to)
{
    *to = (struct explain_subject){EXPLAIN_LEVEL, NODE_MAX + from.index, id};
    return explain_has_level(explain_levels(explain, to->index), id);
}

static bool find_l1(const struct explain *explain, struct explain_subject from, int number,
                    struct explain_subject *to)
{
    (void)number;
    return device_level_of(explain, from, LEVEL_L1, to);
}

static bool find_l2(const struct explain *explain, struct explain_subject from, int number,
                    struct explain_subject *to)
{
    (void)number;
    return device_level_of(explain, from, LEVEL_L2, to);
}

static bool find_l3(const struct explain *explain, struct explain_subject from, int number,
                    struct explain_subject *to)
{
    (void)number;
    return device_level_of(explain, from, LEVEL_L3, to);
}

/* The sensor whose pixels or subapertures a packet's weight is counted from. */
static bool find_geometry(const struct explain *explain, struct explain_subject from, int number,
                          struct explain_subject *to)
{
    (void)number;
    *to = (struct explain_subject){EXPLAIN_WFS, explain_geometry(explain, from), 0};
    return to->index >= 0;
}

/* The camera whose pixels come in the order that decides it. */
static bool find_camera(const struct explain *explain, struct explain_subject from, int number,
                        struct explain_subject *to)
{
    int wfs = explain_geometry(explain, from);

    (void)number;
    for (int n = 0; n < explain->result->node_count && wfs >= 0; n++) {
        const struct plan_node *node = &explain->result->work->plan.node[n];

        if (node->type == COMPONENT_CAMERA && node->wfs == wfs) {
            *to = (struct explain_subject){EXPLAIN_COMPONENT, n, 0};
            return true;
        }
    }
    return false;
}

static bool find_steps(const struct explain *explain, struct explain_subject from, int number,
                       struct explain_subject *to)
{
    *to = (struct explain_subject){EXPLAIN_STEP, from.index, number};
    return number < explain_step_count(explain, *to);
}

static bool find_way(const struct explain *explain, struct explain_subject from, int number,
                     struct explain_subject *to)
{
    *to = (struct explain_subject){EXPLAIN_BEFORE, from.index, number};
    return number < explain_step_count(explain, *to);
}

/* Of the way to the last command: without the readout where that ends with the last pixel. */
static bool find_command_steps(const struct explain *explain, struct explain_subject from,
                               int number, struct explain_subject *to)
{
    from.index = explain_command(explain);
    return from.index >= 0 &&
           find_steps(explain, from, number + (explain_from_last_pixel(explain) ? 1 : 0), to);
}

/* Its steps on the way to the last command. */
static bool find_own_steps(const struct explain *explain, struct explain_subject from, int number,
                           struct explain_subject *to)
{
    struct explain_step step;

    for (int i = 0; find_command_steps(explain, from, i, to); i++)
        if (explain_step(explain, *to, &step) && step.node == from.index && number-- == 0)
            return true;
    return false;
}

static bool find_component(const struct explain *explain, struct explain_subject from, int number,
                           struct explain_subject *to)
{
    struct explain_step step = {from.index, 0, 0, 0, 0};

    (void)number;
    if ((from.kind == EXPLAIN_STEP || from.kind == EXPLAIN_BEFORE) &&
        !explain_step(explain, from, &step))
        return false;
    if (step.node >= NODE_MAX) /* the levels of a device are nobody's */
        return false;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, step.node, 0};
    return true;
}

/* Packets that bring work. */
static bool find_packets(const struct explain *explain, struct explain_subject from, int number,
                         struct explain_subject *to)
{
    int packets = explain_packets(explain);
    struct explain_step step = {from.index, 0, packets - 1, 0, 0};
    const struct track *track;
    int slot;

    if (from.kind != EXPLAIN_COMPONENT && !explain_step(explain, from, &step))
        return false;
    track = &explain->result->work->track[step.node];
    slot = step.first > track->weights.first ? step.first : track->weights.first;
    if (track->weights.count == packets - track->weights.first)
        slot += number;
    else
        while (slot <= step.last && (track_duration(track, slot, packets) <= 0 || number-- > 0))
            slot++;
    *to = (struct explain_subject){EXPLAIN_SLOT, step.node, slot};
    return slot <= step.last;
}

/* Those the way from the last pixel to the last command leads over, or all. */
static bool find_path_devices(const struct explain *explain, struct explain_subject from,
                              int number, struct explain_subject *to)
{
    uint32_t devices = outcome_path_devices(explain->scenario, explain->result);

    (void)from;
    for (int d = 0; d < explain->scenario->device_count; d++)
        if ((devices >> d & 1) != 0 && number-- == 0) {
            *to = (struct explain_subject){EXPLAIN_DEVICE, d, 0};
            return true;
        }
    return false;
}

const struct explain_relation explain_part_relations[] = {
    {EXPLAIN_DESIGN, "path", false, find_command_steps},
    {EXPLAIN_DESIGN, "path_devices", false, find_path_devices},
    {EXPLAIN_COMPONENT, "path", false, find_steps},
    {EXPLAIN_COMPONENT, "way", false, find_way},
    {EXPLAIN_COMPONENT, "packets", false, find_packets},
    {EXPLAIN_COMPONENT, "resident", false, find_resident},
    {EXPLAIN_COMPONENT, "arriving", false, find_arriving},
    {EXPLAIN_COMPONENT, "streamed", false, find_streamed},
    {EXPLAIN_COMPONENT, "operand", false, find_operand},
    {EXPLAIN_COMPONENT, "geometry", true, find_geometry},
    {EXPLAIN_COMPONENT, "camera", true, find_camera},
    {EXPLAIN_COMPONENT, "steps", false, find_own_steps},
    {EXPLAIN_DEVICE, "l1", true, find_l1},
    {EXPLAIN_DEVICE, "l2", true, find_l2},
    {EXPLAIN_DEVICE, "l3", true, find_l3},
    {EXPLAIN_SLOT, "component", true, find_component},
    {EXPLAIN_SLOT, "geometry", true, find_geometry},
    {EXPLAIN_STEP, "component", true, find_component},
    {EXPLAIN_STEP, "packets", false, find_packets},
    {EXPLAIN_LEVEL, "component", true, find_component},
    {EXPLAIN_LEVEL, "inner", true, find_inner},
    {EXPLAIN_LEVEL, "outer", true, find_outer},
    {EXPLAIN_DESIGN, NULL, false, NULL},
};

/* Subject -------------------------------------------------------------------------------------- */

/* Paths ---------------------------------------------------------------------------------------- */

static const struct {
    enum explain_kind kind;
    const char *prefix;
} singles[] = {{EXPLAIN_LOOP, "loop."},
               {EXPLAIN_SCENARIO, "scenario."},
               {EXPLAIN_AO, "ao."},
               {EXPLAIN_ATMOSPHERE, "atmosphere."}};

#define SINGLE_COUNT (sizeof singles / sizeof singles[0])

static const char *const level_names[LEVEL_COUNT] = {"l1", "l2", "l3", "memory"};
static const char *const bytes_names[] = {"resident", "arriving", "streamed", "operand"};

void explain_subject_path(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size)
{
    const struct result *result = explain->result;
    struct explain_step step;

    text[0] = '\0';
    for (size_t i = 0; i < SINGLE_COUNT; i++)
        if (singles[i].kind == subject.kind)
            snprintf(text, size, "%s", singles[i].prefix);
    if (subject.kind == EXPLAIN_WFS)
        snprintf(text, size, "wfs.%s.", explain->scenario->wfs[subject.index].head.name);
    else if (subject.kind == EXPLAIN_DEVICE)
        snprintf(text, size, "device.%s.", explain->scenario->device[subject.index].head.name);
    else if (subject.kind == EXPLAIN_LINK)
        snprintf(text, size, "link.%s.", result->link[subject.index].name);
    else if (subject.kind == EXPLAIN_COMPONENT)
        snprintf(text, size, "component.%s.", result->node[subject.index].name);
    else if (subject.kind == EXPLAIN_LEVEL && subject.index >= NODE_MAX)
        snprintf(text, size, "device.%s.%s.",
                 explain->scenario->device[subject.index - NODE_MAX].head.name,
                 level_names[subject.part]);
    else if (subject.kind == EXPLAIN_LEVEL)
        snprintf(text, size, "component.%s.%s.%s.", result->node[subject.index].name,
                 bytes_names[subject.part / LEVEL_COUNT], level_names[subject.part % LEVEL_COUNT]);
    else if (subject.kind == EXPLAIN_SLOT)
        snprintf(text, size, "component.%s.packet.%d.", result->node[subject.index].name,
                 subject.part + 1);
    else if ((subject.kind == EXPLAIN_STEP || subject.kind == EXPLAIN_BEFORE) &&
             explain_step(explain, subject, &step))
        snprintf(text, size, "component.%s.%s.%d.%s.", result->node[subject.index].name,
                 subject.kind == EXPLAIN_STEP ? "path" : "way", subject.part + 1,
                 result->node[step.node].name);
}

bool explain_single(const char *word, size_t length, struct explain_subject *subject)
{
    for (size_t i = 0; i < SINGLE_COUNT; i++)
        if (strlen(singles[i].prefix) == length + 1 &&
            strncmp(singles[i].prefix, word, length) == 0) {
            *subject = (struct explain_subject){singles[i].kind, 0, 0};
            return true;
        }
    return false;
}

/* Takes "NAME." off the front of a path: the instance with the longest name that fits, or -1. */
static int take_instance(const struct explain *explain, enum explain_kind kind, const char **path)
{
    int counts[] = {[EXPLAIN_WFS] = explain->scenario->wfs_count,
                    [EXPLAIN_DEVICE] = explain->scenario->device_count,
                    [EXPLAIN_COMPONENT] = explain->result->node_count,
                    [EXPLAIN_LEVEL] = 0,
                    [EXPLAIN_SLOT] = 0,
                    [EXPLAIN_STEP] = 0,
                    [EXPLAIN_BEFORE] = 0,
                    [EXPLAIN_LINK] = explain->result->link_count};
    size_t longest = 0;
    int found = -1;

    for (int i = 0; i < counts[kind]; i++) {
        const char *name = kind == EXPLAIN_WFS      ? explain->scenario->wfs[i].head.name
                           : kind == EXPLAIN_DEVICE ? explain->scenario->device[i].head.name
                           : kind == EXPLAIN_LINK   ? explain->result->link[i].name
                                                    : explain->result->node[i].name;
        size_t length = strlen(name);

        if (length > longest && strncmp(*path, name, length) == 0 && (*path)[length] == '.') {
            longest = length;
            found = i;
        }
    }
    *path += found < 0 ? 0 : longest + 1;
    return found;
}

/* "WORD." */
static bool take_word(const char **path, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(*path, word, length) != 0 || (*path)[length] != '.')
        return false;
    *path += length + 1;
    return true;
}

bool explain_has_level(const struct memory *memory, int id)
{
    for (int k = 0; k < memory->count; k++)
        if ((int)memory->level[k].id == id)
            return true;
    return false;
}

const struct memory *explain_levels(const struct explain *explain, int index)
{
    const struct workspace *work = explain->result->work;

    return index >= NODE_MAX ? &work->memory[index - NODE_MAX] : work->stage[index].levels;
}

int explain_byte_kinds(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->operand > 0 ? EXPLAIN_OPERAND + 1 : EXPLAIN_OPERAND;
}

/* "l3." */
static bool take_level(const struct explain *explain, const char **path, int index, int part,
                       struct explain_subject *subject)
{
    for (int id = 0; id < LEVEL_COUNT; id++)
        if (take_word(path, level_names[id])) {
            *subject = (struct explain_subject){EXPLAIN_LEVEL, index, part + id};
            return explain_has_level(explain_levels(explain, index), id);
        }
    return false;
}

/* "packet.12.", "path.3.recon.", "resident.l3." */
static bool take_part(const struct explain *explain, const char **path,
                      struct explain_subject *subject)
{
    static const struct {
        enum explain_kind kind;
        const char *word;
    } words[] = {{EXPLAIN_SLOT, "packet."}, {EXPLAIN_STEP, "path."}, {EXPLAIN_BEFORE, "way."}};
    struct explain_step step;

    for (int i = 0; i <= EXPLAIN_OPERAND && subject->kind == EXPLAIN_COMPONENT; i++)
        if (take_word(path, bytes_names[i]))
            return explain_plan(explain, *subject)->device >= 0 &&
                   i < explain_byte_kinds(explain, *subject) &&
                   take_level(explain, path, subject->index, i * LEVEL_COUNT, subject);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char *end;
        long number;

        if (strncmp(*path, words[i].word, strlen(words[i].word)) != 0)
            continue;
        number = strtol(*path + strlen(words[i].word), &end, 10);
        if (*end != '.' || number < 1 || number > PACKETS_MAX)
            return false;
        *subject = (struct explain_subject){words[i].kind, subject->index, (int)number - 1};
        *path = end + 1;
        if (words[i].kind == EXPLAIN_SLOT)
            return number <= explain_packets(explain);
        if (!explain_step(explain, *subject, &step))
            return false;
        return take_instance(explain, EXPLAIN_COMPONENT, path) == step.node;
    }
    return true;
}

bool explain_subject_of(const struct explain *explain, const char **path,
                        struct explain_subject *subject)
{
    static const struct {
        enum explain_kind kind;
        const char *prefix;
    } sections[] = {{EXPLAIN_WFS, "wfs."},
                    {EXPLAIN_DEVICE, "device."},
                    {EXPLAIN_COMPONENT, "component."},
                    {EXPLAIN_LINK, "link."}};

    *subject = (struct explain_subject){EXPLAIN_DESIGN, 0, 0};
    for (size_t i = 0; i < SINGLE_COUNT; i++) {
        if (strncmp(*path, singles[i].prefix, strlen(singles[i].prefix)) != 0)
            continue;
        subject->kind = singles[i].kind;
        *path += strlen(singles[i].prefix);
        return true;
    }
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (strncmp(*path, sections[i].prefix, strlen(sections[i].prefix)) != 0)
            continue;
        *path += strlen(sections[i].prefix);
        subject->kind = sections[i].kind;
        subject->index = take_instance(explain, subject->kind, path);
        if (subject->index < 0)
            return false;
        if (subject->kind == EXPLAIN_DEVICE && strchr(*path, '.') != NULL)
            return take_level(explain, path, NODE_MAX + subject->index, 0, subject);
        return subject->kind != EXPLAIN_COMPONENT || take_part(explain, path, subject);
    }
    return true;
}

bool explain_section(const struct explain *explain, struct explain_subject subject,
                     struct knob_ref *ref)
{
    static const struct {
        enum explain_kind kind;
        enum section section;
    } sections[] = {
        {EXPLAIN_SCENARIO, SECTION_SCENARIO},     {EXPLAIN_AO, SECTION_AO},
        {EXPLAIN_ATMOSPHERE, SECTION_ATMOSPHERE}, {EXPLAIN_WFS, SECTION_WFS},
        {EXPLAIN_DEVICE, SECTION_DEVICE},         {EXPLAIN_COMPONENT, SECTION_COMPONENT}};

    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (sections[i].kind == subject.kind) {
            *ref = (struct knob_ref){sections[i].section, subject.index, NULL};
            if (subject.kind == EXPLAIN_COMPONENT)
                ref->index = explain_plan(explain, subject)->component;
            return ref->index >= 0;
        }
    return false;
}

/* Users ---------------------------------------------------------------------------------------- */

/* The quantities that name a knob, found without walking any tree: of the rules whose text can hold
 * the knob's key, those in force are made into nodes, whatever they belong to. */

struct search {
    const struct explain *explain;
    const struct explain_node *knob;
    bool chooses;
    explain_visit *visit;
    void *context;
    int found;
};

/* Whether a formula, or a list of choices, holds a name that ends in the key. */
static bool mentions(const char *text, const char *key)
{
    const char *name;
    size_t length;
    size_t wanted = strlen(key);

    if (strstr(text, key) == NULL)
        return false;
    for (const char *from = text; (name = expression_name(from, &length)) != NULL;
         from = name + length) {
        const char *end = name + length - wanted;

        if (length >= wanted && strncmp(end, key, wanted) == 0 && (end == name || end[-1] == '.'))
            return true;
    }
    return false;
}

/* Whether a quantity with this formula names the knob's key, or lets it choose. */
static bool names(const struct search *search, enum explain_kind kind, const char *key,
                  const char *formula)
{
    char chosen[EXPLAIN_CHOSEN_MAX];

    if (!search->chooses)
        return mentions(formula, search->knob->key);
    explain_chosen_by(kind, key, formula, chosen, sizeof chosen);
    return mentions(chosen, search->knob->key);
}

/* The same before it is known for whom: what is written may say anything, but of a step's no knob.
 */
static bool may_name(const struct search *search, const struct explain_rule *rule)
{
    char formula[EXPLAIN_SOURCE_MAX];

    explain_copy_formula(rule->formula != NULL ? rule->formula : "", formula, sizeof formula);
    return (rule->write != NULL && rule->kind != EXPLAIN_STEP) ||
           names(search, rule->kind, rule->key, formula);
}

/* Visits the quantity of a subject if the rule (NULL: none) is in force and the knob is among the
 * children. */
static void look_at(struct search *search, struct explain_subject subject, const char *key,
                    const struct explain_rule *rule)
{
    struct explain_node node;
    struct explain_node child;

    if (explain_find_rule(search->explain, subject, key) != rule ||
        !explain_resolve(search->explain, subject, key, false, &node) ||
        !names(search, explain_kind_of(subject), key, node.source))
        return;
    node.name[0] = '\0';
    explain_finish(search->explain, &node);
    for (int i = 0; explain_child(search->explain, &node, i, &child); i++)
        if (child.chooses == search->chooses && strcmp(child.path, search->knob->path) == 0) {
            search->visit(search->context, &node);
            search->found++;
            return;
        }
}

/* Parts of a component: the levels of memory that its bytes are in, its packets, its steps. */
static bool has_part(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;

    switch (subject.kind) {
    case EXPLAIN_LEVEL:
        return explain_plan(explain, subject)->device >= 0 &&
               subject.part < explain_byte_kinds(explain, subject) * LEVEL_COUNT;
    case EXPLAIN_SLOT:
        return subject.part < explain_packets(explain);
    case EXPLAIN_STEP:
    case EXPLAIN_BEFORE:
        return explain_step(explain, subject, &step);
    default:
        return subject.part == 0;
    }
}

static void look_at_parts(struct search *search, enum explain_kind kind, int node,
                          const struct explain_rule *rule)
{
    struct explain_subject subject = {kind, node, 0};

    for (; has_part(search->explain, subject); subject.part++) {
        const struct memory *levels =
            kind == EXPLAIN_LEVEL ? explain_levels(search->explain, node) : NULL;

        if (levels == NULL || explain_has_level(levels, subject.part % LEVEL_COUNT))
            look_at(search, subject, rule->key, rule);
    }
}

static int count_of(const struct explain *explain, enum explain_kind kind)
{
    const struct result *result = explain->result;

    return kind == EXPLAIN_WFS          ? result->wfs_count
           : kind == EXPLAIN_DEVICE     ? result->device_count
           : kind == EXPLAIN_LINK       ? result->link_count
           : kind <= EXPLAIN_ATMOSPHERE ? 1
                                        : result->node_count;
}

/* Levels of devices stand behind those of components. */
static void look_at_device_levels(struct search *search, const struct explain_rule *rule)
{
    for (int d = 0; d < search->explain->result->device_count; d++)
        for (int id = 0; id < LEVEL_COUNT; id++)
            if (explain_has_level(explain_levels(search->explain, NODE_MAX + d), id))
                look_at(search, (struct explain_subject){EXPLAIN_LEVEL, NODE_MAX + d, id},
                        rule->key, rule);
}

/* Results that no rule speaks of. */
static void look_at_results(struct search *search)
{
    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        for (int i = 0; i < result_count(search->explain->result, result_rows[r].scope); i++) {
            struct explain_subject subject = {explain_kinds[result_rows[r].scope], i, 0};

            if (names(search, subject.kind, result_rows[r].key, ""))
                look_at(search, subject, result_rows[r].key, NULL);
        }
}

int explain_users(const struct explain *explain, const struct explain_node *knob, bool chooses,
                  explain_visit *visit, void *context)
{
    struct search search = {explain, knob, chooses, visit, context, 0};

    for (int t = 0; explain_tables[t] != NULL; t++)
        for (const struct explain_rule *rule = explain_tables[t]; rule->key != NULL; rule++) {
            if (!may_name(&search, rule))
                continue;
            for (int i = 0; i < count_of(explain, rule->kind); i++)
                look_at_parts(&search, rule->kind, i, rule);
            for (int i = 0; i < explain->result->node_count && rule->kind == EXPLAIN_STEP; i++)
                look_at_parts(&search, EXPLAIN_BEFORE, i, rule);
            if (rule->kind == EXPLAIN_LEVEL)
                look_at_device_levels(&search, rule);
        }
    look_at_results(&search);
    return search.found;
}
