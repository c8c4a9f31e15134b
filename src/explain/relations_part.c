#include "explain/rules.h"
#include "explain/way.h"
#include "outcome.h"

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
