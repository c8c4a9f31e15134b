#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "explain/rules.h"
#include "explain/steps.h"
#include "model/outcome.h"

/* Relatives of a subject: components, devices, levels and steps that a word in a formula names. */

/* Every function finds number `number` of the relatives; `of` is that of the table's row. */

static const struct plan *plan_of(const struct explain *explain)
{
    return &explain->result->work->plan;
}

/* Nodes of which a fact holds. */
static bool find_node(const struct explain *explain, struct explain_subject from, int of,
                      int number, struct explain_subject *to)
{
    (void)from;
    for (int n = 0; n < explain->result->node_count; n++) {
        *to = (struct explain_subject){EXPLAIN_COMPONENT, n, 0};
        if (explain_fact_holds(explain, *to, (enum explain_fact)of, "") && number-- == 0)
            return true;
    }
    return false;
}

/* Cameras that deliver most often of those a command waits for. */
static bool find_fast_camera(const struct explain *explain, struct explain_subject from, int of,
                             int number, struct explain_subject *to)
{
    const struct stage *stage = explain->result->work->stage;
    struct explain_subject camera;
    double least = -1;

    for (int i = 0; find_node(explain, from, of, i, &camera); i++)
        if (least < 0 || stage[camera.index].divisor < least)
            least = stage[camera.index].divisor;
    for (int i = 0; find_node(explain, from, of, i, to); i++)
        if (stage[to->index].divisor == least && number-- == 0)
            return true;
    return false;
}

/* Nodes that run on a device. */
static bool find_user(const struct explain *explain, struct explain_subject from, int of,
                      int number, struct explain_subject *to)
{
    for (int n = 0; n < explain->result->node_count; n++) {
        *to = (struct explain_subject){EXPLAIN_COMPONENT, n, 0};
        if (plan_of(explain)->node[n].device == from.index &&
            explain_fact_holds(explain, *to, (enum explain_fact)of, "") && number-- == 0)
            return true;
    }
    return false;
}

/* Of those with automatic shares, the ones that work as packets come. */
static bool find_streamer(const struct explain *explain, struct explain_subject from, int of,
                          int number, struct explain_subject *to)
{
    for (int i = 0; find_user(explain, from, of, i, to); i++)
        if (!explain_fact_holds(explain, *to, IF_STATED_SHARE, "") &&
            !explain_stage(explain, *to)->frame_barrier && number-- == 0)
            return true;
    return false;
}

static bool find_sender(const struct explain *explain, struct explain_subject from, int of,
                        int number, struct explain_subject *to)
{
    char name[NODE_NAME_MAX + 1];

    (void)of;
    for (int n = 0; n < explain->result->node_count; n++)
        for (int i = 0; i < 2; i++) {
            int queue = plan_of(explain)->node[n].queue[i];

            if (queue == NO_QUEUE)
                continue;
            plan_queue_name(explain->scenario, queue, name, sizeof name);
            if (strcmp(name, explain->result->link[from.index].name) != 0)
                continue;
            if (number-- == 0) {
                *to = (struct explain_subject){EXPLAIN_COMPONENT, n, 0};
                return true;
            }
            break;
        }
    return false;
}

static bool find_sensor(const struct explain *explain, struct explain_subject from, int of,
                        int number, struct explain_subject *to)
{
    (void)from;
    (void)of;
    *to = (struct explain_subject){EXPLAIN_WFS, number, 0};
    return number < explain->scenario->wfs_count;
}

static bool find_device(const struct explain *explain, struct explain_subject from, int of,
                        int number, struct explain_subject *to)
{
    (void)of;
    (void)number;
    *to = (struct explain_subject){
        EXPLAIN_DEVICE,
        from.index >= NODE_MAX ? from.index - NODE_MAX : explain_plan(explain, from)->device, 0};
    return to->index >= 0;
}

static bool find_wfs(const struct explain *explain, struct explain_subject from, int of, int number,
                     struct explain_subject *to)
{
    (void)of;
    (void)number;
    *to = (struct explain_subject){EXPLAIN_WFS, explain_plan(explain, from)->wfs, 0};
    return to->index >= 0;
}

/* Predecessors: of a component components, of a slot slots of the same packet. */
static bool find_before(const struct explain *explain, struct explain_subject from, int of,
                        int number, struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);

    (void)of;
    if (number >= node->before_count)
        return false;
    *to = (struct explain_subject){from.kind, plan_of(explain)->pool[node->before_first + number],
                                   from.part};
    return true;
}

static bool find_part(const struct explain *explain, struct explain_subject from, int of,
                      int number, struct explain_subject *to)
{
    (void)of;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, from.index + 1 + number, 0};
    return number < explain_plan(explain, from)->parts;
}

/* The part whose numbers the whole has that are no sums. */
static bool find_slowest(const struct explain *explain, struct explain_subject from, int of,
                         int number, struct explain_subject *to)
{
    const struct node_result *part = &explain->result->node[from.index + 1];
    int slowest = 0;

    (void)of;
    (void)number;
    for (int p = 1; p < explain_plan(explain, from)->parts; p++)
        if (part[p].time > part[slowest].time)
            slowest = p;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, from.index + 1 + slowest, 0};
    return explain_plan(explain, from)->parts > 0;
}

/* Predecessors whose outputs are to be added; `of` 1: those that are added to another only. */
static bool find_summand(const struct explain *explain, struct explain_subject from, int of,
                         int number, struct explain_subject *to)
{
    const struct plan *plan = plan_of(explain);
    const struct plan_node *node = explain_plan(explain, from);

    for (int i = 0; i < node->before_count; i++) {
        int before = plan->pool[node->before_first + i];

        if (plan->node[before].component < 0)
            before = plan->node[before].producer;
        *to = (struct explain_subject){EXPLAIN_COMPONENT, before, 0};
        if (explain_stage(explain, *to)->adds && (of == 0 || plan->node[before].part > 0) &&
            number-- == 0)
            return true;
    }
    return false;
}

/* All that runs: no wholes. */
static bool find_any(const struct explain *explain, struct explain_subject from, int of, int number,
                     struct explain_subject *to)
{
    (void)from;
    (void)of;
    for (int n = 0; n < explain->result->node_count; n++)
        if (!plan_node_is_whole(&plan_of(explain)->node[n]) && number-- == 0) {
            *to = (struct explain_subject){EXPLAIN_COMPONENT, n, 0};
            return true;
        }
    return false;
}

/* What sets the frame rate; `of` is its kind. */
static bool find_limit(const struct explain *explain, struct explain_subject from, int of,
                       int number, struct explain_subject *to)
{
    const struct result *result = explain->result;

    (void)from;
    (void)number;
    *to = (struct explain_subject){(enum explain_kind)of, -1, 0};
    if (to->kind == EXPLAIN_COMPONENT)
        to->index = result_find_node(result, result->limit);
    else if (to->kind == EXPLAIN_DEVICE)
        to->index = section_find(explain->scenario, SECTION_DEVICE, result->limit);
    for (int i = 0; to->kind == EXPLAIN_LINK && i < result->link_count; i++)
        if (strcmp(result->link[i].name, result->limit) == 0)
            to->index = i;
    return to->index >= 0;
}

/* The devices at the ends of a transfer. */
static bool find_end(const struct explain *explain, struct explain_subject from, int of, int number,
                     struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);
    const int ends[2] = {node->from, node->to};

    (void)of;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0 && number-- == 0) {
            *to = (struct explain_subject){EXPLAIN_DEVICE, ends[i], 0};
            return true;
        }
    return false;
}

/* The board of a PCIe hop; `of` 1: the processor it is in. */
static bool find_board(const struct explain *explain, struct explain_subject from, int of,
                       int number, struct explain_subject *to)
{
    int board = explain_board(explain, from);

    (void)number;
    *to = (struct explain_subject){EXPLAIN_DEVICE, board, 0};
    if (board >= 0 && of != 0)
        to->index = plan_of(explain)->device[board].host;
    return to->index >= 0;
}

/* The hosts a camera feeds. */
static bool find_host(const struct explain *explain, struct explain_subject from, int of,
                      int number, struct explain_subject *to)
{
    const struct plan *plan = plan_of(explain);
    int camera = explain_plan(explain, from)->component;

    (void)of;
    for (int i = 0; i < explain->scenario->component_count; i++)
        for (int d = 0; d < explain->scenario->device_count; d++)
            if ((plan->component[i].before >> camera & 1) != 0 &&
                (plan->component[i].devices >> d & 1) != 0 && number-- == 0) {
                *to = (struct explain_subject){EXPLAIN_DEVICE, plan->device[d].host, 0};
                return true;
            }
    return false;
}

static bool find_producer(const struct explain *explain, struct explain_subject from, int of,
                          int number, struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);

    (void)of;
    (void)number;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, node->producer, 0};
    return node->component < 0;
}

/* The mirror an inserted transfer leads to. */
static bool find_consumer(const struct explain *explain, struct explain_subject from, int of,
                          int number, struct explain_subject *to)
{
    const struct plan_node *node = explain_plan(explain, from);

    (void)of;
    (void)number;
    if (node->component >= 0)
        return false;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, plan_of(explain)->node_of[node->consumer], 0};
    return true;
}

/* Levels a component's bytes are in, as its memory model sees them; `of` is the kind of bytes. */
static bool find_level(const struct explain *explain, struct explain_subject from, int of,
                       int number, struct explain_subject *to)
{
    const struct memory_cost *cost =
        explain_cost(&explain_stage(explain, from)->costs, (enum explain_bytes)of);

    if (number >= cost->count)
        return false;
    *to = (struct explain_subject){EXPLAIN_LEVEL, from.index,
                                   of * LEVEL_COUNT + (int)cost->part[number].level};
    return true;
}

/* The next level in (`of` -1) or out (1) that there is. */
static bool find_neighbour(const struct explain *explain, struct explain_subject from, int of,
                           int number, struct explain_subject *to)
{
    int first = from.part - from.part % LEVEL_COUNT;

    (void)number;
    for (int id = from.part % LEVEL_COUNT + of; id >= 0 && id < LEVEL_COUNT; id += of)
        if (explain_has_level(explain_levels(explain, from.index), id)) {
            *to = (struct explain_subject){EXPLAIN_LEVEL, from.index, first + id};
            return true;
        }
    return false;
}

/* A level of a device. */
static bool find_device_level(const struct explain *explain, struct explain_subject from, int of,
                              int number, struct explain_subject *to)
{
    (void)number;
    *to = (struct explain_subject){EXPLAIN_LEVEL, NODE_MAX + from.index, of};
    return explain_has_level(explain_levels(explain, to->index), of);
}

static bool find_geometry(const struct explain *explain, struct explain_subject from, int of,
                          int number, struct explain_subject *to)
{
    (void)of;
    (void)number;
    *to = (struct explain_subject){EXPLAIN_WFS, explain_geometry(explain, from), 0};
    return to->index >= 0;
}

/* The camera whose pixels come in the order that decides a packet's weight. */
static bool find_camera(const struct explain *explain, struct explain_subject from, int of,
                        int number, struct explain_subject *to)
{
    int wfs = explain_geometry(explain, from);

    (void)of;
    (void)number;
    for (int n = 0; n < explain->result->node_count && wfs >= 0; n++) {
        const struct plan_node *node = &plan_of(explain)->node[n];

        *to = (struct explain_subject){EXPLAIN_COMPONENT, n, 0};
        if (node->type == COMPONENT_CAMERA && node->wfs == wfs)
            return true;
    }
    return false;
}

/* Steps to the end or, `of` EXPLAIN_BEFORE, to the start. */
static bool find_step(const struct explain *explain, struct explain_subject from, int of,
                      int number, struct explain_subject *to)
{
    *to = (struct explain_subject){(enum explain_kind)of, from.index, number};
    return number < explain_step_count(explain, *to);
}

/* Of the way to the last command: without the readout where that ends with the last pixel. */
static bool find_command_step(const struct explain *explain, struct explain_subject from, int of,
                              int number, struct explain_subject *to)
{
    from.index = explain_command(explain);
    return from.index >= 0 &&
           find_step(explain, from, of, number + (explain_from_last_pixel(explain) ? 1 : 0), to);
}

/* Its steps on the way to the last command. */
static bool find_own_step(const struct explain *explain, struct explain_subject from, int of,
                          int number, struct explain_subject *to)
{
    struct explain_step step;

    for (int i = 0; find_command_step(explain, from, of, i, to); i++)
        if (explain_step(explain, *to, &step) && step.node == from.index && number-- == 0)
            return true;
    return false;
}

static bool find_component(const struct explain *explain, struct explain_subject from, int of,
                           int number, struct explain_subject *to)
{
    struct explain_step step = {.node = from.index};

    (void)of;
    (void)number;
    if (explain_kind_of(from) == EXPLAIN_STEP && !explain_step(explain, from, &step))
        return false;
    *to = (struct explain_subject){EXPLAIN_COMPONENT, step.node, 0};
    return step.node < NODE_MAX; /* a device's levels are no component's */
}

/* Packets that bring work. */
static bool find_packet(const struct explain *explain, struct explain_subject from, int of,
                        int number, struct explain_subject *to)
{
    int packets = explain_packets(explain);
    struct explain_step step = {from.index, 0, packets - 1, 0, 0};
    const struct track *track;
    int slot;

    (void)of;
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
static bool find_path_device(const struct explain *explain, struct explain_subject from, int of,
                             int number, struct explain_subject *to)
{
    uint32_t devices = outcome_path_devices(explain->scenario, explain->result);

    (void)from;
    (void)of;
    for (int d = 0; d < explain->scenario->device_count; d++)
        if ((devices >> d & 1) != 0 && number-- == 0) {
            *to = (struct explain_subject){EXPLAIN_DEVICE, d, 0};
            return true;
        }
    return false;
}

static const struct explain_relation relations[] = {
    {EXPLAIN_DESIGN, "commands", false, find_node, IF_COMMAND_NODE},
    {EXPLAIN_DESIGN, "cameras", false, find_node, IF_LEADING_CAMERA},
    {EXPLAIN_DESIGN, "fast_cameras", false, find_fast_camera, IF_LEADING_CAMERA},
    {EXPLAIN_DESIGN, "mirrors", false, find_node, IF_MIRROR},
    {EXPLAIN_DESIGN, "limit_component", true, find_limit, EXPLAIN_COMPONENT},
    {EXPLAIN_DESIGN, "limit_device", true, find_limit, EXPLAIN_DEVICE},
    {EXPLAIN_DESIGN, "limit_link", true, find_limit, EXPLAIN_LINK},
    {EXPLAIN_DESIGN, "path", false, find_command_step, EXPLAIN_STEP},
    {EXPLAIN_DESIGN, "path_devices", false, find_path_device, 0},
    {EXPLAIN_COMPONENT, "device", true, find_device, 0},
    {EXPLAIN_COMPONENT, "wfs", true, find_wfs, 0},
    {EXPLAIN_COMPONENT, "before", false, find_before, 0},
    {EXPLAIN_COMPONENT, "sensors", false, find_sensor, 0},
    {EXPLAIN_COMPONENT, "parts", false, find_part, 0},
    {EXPLAIN_COMPONENT, "slowest", true, find_slowest, 0},
    {EXPLAIN_COMPONENT, "all", false, find_any, 0},
    {EXPLAIN_COMPONENT, "summands", false, find_summand, 0},
    {EXPLAIN_COMPONENT, "added", false, find_summand, 1},
    {EXPLAIN_COMPONENT, "ends", false, find_end, 0},
    {EXPLAIN_COMPONENT, "board", true, find_board, 0},
    {EXPLAIN_COMPONENT, "host", true, find_board, 1},
    {EXPLAIN_COMPONENT, "hosts", false, find_host, 0},
    {EXPLAIN_COMPONENT, "producer", true, find_producer, 0},
    {EXPLAIN_COMPONENT, "consumer", true, find_consumer, 0},
    {EXPLAIN_COMPONENT, "path", false, find_step, EXPLAIN_STEP},
    {EXPLAIN_COMPONENT, "way", false, find_step, EXPLAIN_BEFORE},
    {EXPLAIN_COMPONENT, "steps", false, find_own_step, EXPLAIN_STEP},
    {EXPLAIN_COMPONENT, "packets", false, find_packet, 0},
    {EXPLAIN_COMPONENT, "resident", false, find_level, EXPLAIN_RESIDENT},
    {EXPLAIN_COMPONENT, "arriving", false, find_level, EXPLAIN_ARRIVING},
    {EXPLAIN_COMPONENT, "streamed", false, find_level, EXPLAIN_STREAMED},
    {EXPLAIN_COMPONENT, "operand", false, find_level, EXPLAIN_OPERAND},
    {EXPLAIN_COMPONENT, "geometry", true, find_geometry, 0},
    {EXPLAIN_COMPONENT, "camera", true, find_camera, 0},
    {EXPLAIN_DEVICE, "users", false, find_user, IF_ALWAYS},
    {EXPLAIN_DEVICE, "claimants", false, find_user, IF_STATED_SHARE},
    {EXPLAIN_DEVICE, "streamers", false, find_streamer, IF_ALWAYS},
    {EXPLAIN_DEVICE, "pinned", false, find_user, IF_STATED_WORKERS},
    {EXPLAIN_DEVICE, "l1", true, find_device_level, LEVEL_L1},
    {EXPLAIN_DEVICE, "l2", true, find_device_level, LEVEL_L2},
    {EXPLAIN_DEVICE, "l3", true, find_device_level, LEVEL_L3},
    {EXPLAIN_LINK, "users", false, find_sender, 0},
    {EXPLAIN_SLOT, "before", false, find_before, 0},
    {EXPLAIN_SLOT, "component", true, find_component, 0},
    {EXPLAIN_SLOT, "geometry", true, find_geometry, 0},
    {EXPLAIN_STEP, "all", false, find_any, 0},
    {EXPLAIN_STEP, "component", true, find_component, 0},
    {EXPLAIN_STEP, "packets", false, find_packet, 0},
    {EXPLAIN_LEVEL, "component", true, find_component, 0},
    {EXPLAIN_LEVEL, "device", true, find_device, 0},
    {EXPLAIN_LEVEL, "inner", true, find_neighbour, -1},
    {EXPLAIN_LEVEL, "outer", true, find_neighbour, 1},
};

const struct explain_relation *explain_relation_find(enum explain_kind from, const char *word,
                                                     size_t length)
{
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++)
        if (relations[i].from == from && strlen(relations[i].word) == length &&
            strncmp(relations[i].word, word, length) == 0)
            return &relations[i];
    return NULL;
}
