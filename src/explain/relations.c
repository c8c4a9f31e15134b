#include <string.h>

#include "explain/rules.h"
#include "explain/way.h"

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
                                   result_node(explain->result, explain->result->limit), 0};
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

/* A device at an end of a transfer. */
static bool find_from(const struct explain *explain, struct explain_subject from, int number,
                      struct explain_subject *to)
{
    (void)number;
    *to = (struct explain_subject){EXPLAIN_DEVICE, explain_plan(explain, from)->from, 0};
    return to->index >= 0;
}

static bool find_to(const struct explain *explain, struct explain_subject from, int number,
                    struct explain_subject *to)
{
    (void)number;
    *to = (struct explain_subject){EXPLAIN_DEVICE, explain_plan(explain, from)->to, 0};
    return to->index >= 0;
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
    {EXPLAIN_COMPONENT, "from", true, find_from},
    {EXPLAIN_COMPONENT, "to", true, find_to},
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
