#include <math.h>
#include <string.h>

#include "base/number.h"
#include "explain/path.h"
#include "explain/rules.h"
#include "explain/steps.h"
#include "model/budget.h"
#include "model/critical.h"
#include "model/flow.h"
#include "model/outcome.h"
#include "model/result_span.h"

/* Relatives of a subject: components, devices, levels and steps named by a word in a formula.
 *
 * Each function finds relative number `number`; `of` is copied from the relation. Functions that
 * scan candidates count `number` down. */

static const struct plan *plan_of(const struct explain_search *s)
{
    return &s->explain->result->work->plan;
}

static const struct plan_node *node_of(const struct explain_search *s)
{
    return explain_plan(s->explain, s->from);
}

static bool set_found(struct explain_search *s, enum explain_kind kind, int index)
{
    s->to = (struct explain_subject){kind, index, 0};
    return index >= 0;
}

static bool fact_holds(const struct explain_search *s, enum explain_fact fact)
{
    return explain_fact_holds(s->explain, s->to, fact);
}

/* Finds nodes for which the fact `of` holds. */
static bool find_node(struct explain_search *s)
{
    for (int n = 0; n < s->explain->result->node_count; n++)
        if (set_found(s, EXPLAIN_COMPONENT, n) && fact_holds(s, (enum explain_fact)s->of) &&
            s->number-- == 0)
            return true;
    return false;
}

/* Finds the cameras with the highest frame rate among those on which a command depends. */
static bool find_fast_camera(struct explain_search *s)
{
    const struct stage *stage = s->explain->result->work->stage;
    struct explain_search camera = *s;
    double least = INFINITY;

    for (int i = 0; camera.number = i, find_node(&camera); i++)
        least = smaller(least, stage[camera.to.index].divisor);
    for (int i = 0; camera.number = i, find_node(&camera); i++)
        if (stage[camera.to.index].divisor == least && s->number-- == 0)
            return set_found(s, EXPLAIN_COMPONENT, camera.to.index);
    return false;
}

/* Finds nodes on a device for which the fact `of` holds. */
static bool find_user(struct explain_search *s)
{
    for (int n = 0; n < s->explain->result->node_count; n++)
        if (plan_of(s)->node[n].device == s->from.index && set_found(s, EXPLAIN_COMPONENT, n) &&
            fact_holds(s, (enum explain_fact)s->of) && s->number-- == 0)
            return true;
    return false;
}

/* Returns what is added up for a unit of a device to find the one with the most. */
static double unit_sum(const struct explain_search *s, int unit)
{
    static const char *const keys[] = {"device_time", "working_set"};
    double sum = 0;

    for (int n = 0; n < s->explain->result->node_count; n++)
        if (plan_of(s)->node[n].unit == unit)
            sum += explain_quantity(s->explain, (struct explain_subject){EXPLAIN_COMPONENT, n, 0},
                                    keys[s->of]);
    return sum;
}

/* Finds nodes on the busiest of identical devices or, with `of` 1, on the fullest. */
static bool find_user_of_unit(struct explain_search *s)
{
    const struct plan_device *units = &plan_of(s)->device[s->from.index];
    int most = units->first_unit;

    for (int u = most + 1; u < units->first_unit + units->units; u++)
        if (unit_sum(s, u) > unit_sum(s, most))
            most = u;
    for (int n = 0; n < s->explain->result->node_count; n++)
        if (plan_of(s)->node[n].unit == most && s->number-- == 0)
            return set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

/* Finds nodes on the unit of a component for which the fact `of` holds. */
static bool find_sharer(struct explain_search *s)
{
    int unit = node_of(s)->unit;

    for (int n = 0; n < s->explain->result->node_count; n++)
        if (unit >= 0 && plan_of(s)->node[n].unit == unit && set_found(s, EXPLAIN_COMPONENT, n) &&
            fact_holds(s, (enum explain_fact)s->of) && s->number-- == 0)
            return true;
    return false;
}

/* Finds the component whose cores are those of a component's thread. */
static bool find_thread(struct explain_search *s)
{
    const struct scenario *scenario = s->explain->scenario;
    const struct plan_node *node = node_of(s);
    int thread = node->device < 0 ? -1 : scenario_thread(scenario, node->component, node->device);

    for (int n = 0; n < s->explain->result->node_count && thread >= 0; n++)
        if (plan_of(s)->node[n].device == node->device && plan_of(s)->node[n].component == thread)
            return set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

/* Finds the nodes of the thread of a component or, with `of` 1, the one whose share it has. */
static bool find_turn(struct explain_search *s)
{
    const struct stage *stage = s->explain->result->work->stage;
    int thread = stage[s->from.index].thread;

    for (int n = 0; n < s->explain->result->node_count && thread >= 0; n++)
        if (plan_of(s)->node[n].device >= 0 && stage[n].thread == thread &&
            set_found(s, EXPLAIN_COMPONENT, n) && (s->of == 0 || fact_holds(s, IF_CLAIMS_SHARE)) &&
            s->number-- == 0)
            return true;
    return false;
}

/* Finds the nodes of the busiest thread of a device if that is busier than the device on average.
 */
static bool find_busy_thread(struct explain_search *s)
{
    const struct result *result = s->explain->result;
    double busiest = unit_sum(s, plan_of(s)->device[s->from.index].first_unit) * (1 + 1e-9);
    int most = -1;

    for (int thread = 0; thread < result->node_count; thread++) {
        double busy = 0;

        if (plan_of(s)->node[thread].device != s->from.index ||
            !stage_in_thread(result->work, thread) || result->work->stage[thread].thread != thread)
            continue;
        for (int n = 0; n < result->node_count; n++)
            if (plan_of(s)->node[n].device >= 0 && result->work->stage[n].thread == thread)
                busy += result->node[n].busy / result->node[n].divisor;
        if (busy > busiest) {
            busiest = busy;
            most = thread;
        }
    }
    for (int n = 0; n < result->node_count && most >= 0; n++)
        if (plan_of(s)->node[n].device >= 0 && result->work->stage[n].thread == most &&
            s->number-- == 0)
            return set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

/* Finds the cameras that feed the port of a host. */
static bool find_port_camera(struct explain_search *s)
{
    int queue = s->from.kind == EXPLAIN_LINK ? s->explain->result->link[s->from.index].index
                                             : plan_queue(node_of(s)->to, QUEUE_NETWORK_IN);

    for (int n = 0; n < s->explain->result->node_count; n++)
        if (plan_of(s)->node[n].type == COMPONENT_CAMERA && plan_of(s)->node[n].to >= 0 &&
            plan_queue(plan_of(s)->node[n].to, QUEUE_NETWORK_IN) == queue &&
            set_found(s, EXPLAIN_COMPONENT, n) && !fact_holds(s, IF_GRABBER) && s->number-- == 0)
            return true;
    return false;
}

/* Returns true if a thread that enqueues work on a GPU serves a node. */
static bool is_enqueued(const struct explain_search *s, int n, int device, bool partition)
{
    const struct track *track = &s->explain->result->work->track[n];
    const struct plan_device *units = &plan_of(s)->device[device];
    int unit = partition ? plan_of(s)->node[n].unit : track->thread;

    return track->enqueue > 0 && unit >= units->first_unit &&
           unit < units->first_unit + units->units;
}

/* Returns the time of the thread of a unit per frame. */
static double thread_time(const struct explain_search *s, int unit)
{
    double sum = 0;

    for (int n = 0; n < s->explain->result->node_count; n++)
        if (s->explain->result->work->track[n].thread == unit)
            sum += explain_quantity(s->explain, (struct explain_subject){EXPLAIN_COMPONENT, n, 0},
                                    "enqueue_busy");
    return sum;
}

/* Finds nodes that a link or thread serves: of the threads of identical devices the busiest. */
static bool find_served(struct explain_search *s)
{
    const struct result *result = s->explain->result;
    const struct link_result *link = &result->link[s->from.index];
    bool partition = link->kind == LINK_ENQUEUE && stage_is_partitioned(result->work, link->index);
    int most = -1;

    if (link->kind == LINK_ENQUEUE && !partition) {
        const struct plan_device *units = &plan_of(s)->device[link->index];

        most = units->first_unit;
        for (int u = most + 1; u < units->first_unit + units->units; u++)
            if (thread_time(s, u) > thread_time(s, most))
                most = u;
    }
    for (int n = 0; n < result->node_count; n++) {
        const struct plan_node *node = &plan_of(s)->node[n];
        bool served = link->kind == LINK_RECEIVE ? n == link->index
                      : link->kind == LINK_QUEUE
                          ? node->queue[0] == link->index || node->queue[1] == link->index
                          : is_enqueued(s, n, link->index, partition) &&
                                (partition || result->work->track[n].thread == most);

        if (served && s->number-- == 0)
            return set_found(s, EXPLAIN_COMPONENT, n);
    }
    return false;
}

static bool find_sensor(struct explain_search *s)
{
    return s->number < s->explain->scenario->wfs_count && set_found(s, EXPLAIN_WFS, s->number);
}

/* Finds the sensor of the error budget, if that was found. */
static bool find_budget_sensor(struct explain_search *s)
{
    const struct budget *budget = s->explain->result->budget;

    return budget != NULL && budget->wfs >= 0 && set_found(s, EXPLAIN_WFS, budget->wfs);
}

static bool find_device(struct explain_search *s)
{
    return set_found(s, EXPLAIN_DEVICE,
                     s->from.index >= NODE_MAX ? s->from.index - NODE_MAX : node_of(s)->device);
}

static bool find_any_device(struct explain_search *s)
{
    return s->number < s->explain->result->device_count && set_found(s, EXPLAIN_DEVICE, s->number);
}

/* Finds the device of the busiest memory, or of the fullest one. */
static bool find_memory_of_flow(struct explain_search *s)
{
    const struct flow_result *flow = result_flow(s->explain->scenario, s->explain->result);
    double load = s->of == 1 ? flow->memory_full : flow->memory_load;

    return load != RESULT_NONE &&
           set_found(s, EXPLAIN_DEVICE, s->of == 1 ? flow->size.device : flow->memory.device);
}

static bool find_wfs(struct explain_search *s)
{
    return set_found(s, EXPLAIN_WFS, node_of(s)->wfs);
}

/* Finds the component that states the sensor of one that follows it and states none itself. */
static bool find_wfs_owner(struct explain_search *s)
{
    const struct plan_node *node = node_of(s);
    const struct scenario *scenario = s->explain->scenario;
    int own = node->component >= 0 ? node->component : plan_of(s)->node[node->producer].component;
    int owner = own >= 0 ? scenario_wfs_owner(scenario, own) : -1;

    for (int n = 0; n < s->explain->result->node_count && owner >= 0; n++)
        if (plan_of(s)->node[n].component == owner)
            return s->number == 0 && owner != node->component && set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

/* Finds predecessors: components for a component, slots of the same packet for a slot. */
static bool find_before(struct explain_search *s)
{
    const struct plan_node *node = node_of(s);

    if (s->number >= node->before_count)
        return false;
    s->to = (struct explain_subject){s->from.kind, plan_of(s)->pool[node->before_first + s->number],
                                     s->from.part};
    return true;
}

static bool find_part(struct explain_search *s)
{
    return s->number < node_of(s)->parts &&
           set_found(s, EXPLAIN_COMPONENT, s->from.index + 1 + s->number);
}

/* Finds the slowest part, which provides all numbers of the whole that are not sums. */
static bool find_slowest(struct explain_search *s)
{
    const struct node_result *part = &s->explain->result->node[s->from.index + 1];
    int slowest = 0;

    for (int p = 1; p < node_of(s)->parts; p++)
        if (part[p].time > part[slowest].time)
            slowest = p;
    return node_of(s)->parts > 0 && set_found(s, EXPLAIN_COMPONENT, s->from.index + 1 + slowest);
}

/* Finds predecessors whose outputs are summed; with `of` 1 without the first part. */
static bool find_summand(struct explain_search *s)
{
    const struct plan *plan = plan_of(s);

    for (int i = 0; i < node_of(s)->before_count; i++) {
        int before = plan->pool[node_of(s)->before_first + i];

        if (plan->node[before].component < 0)
            before = plan->node[before].producer;
        if (set_found(s, EXPLAIN_COMPONENT, before) &&
            explain_stage(s->explain, s->to)->partial_sums &&
            (s->of == 0 || plan->node[before].part > 0) && s->number-- == 0)
            return true;
    }
    return false;
}

/* Finds components that run on a device, of split ones the first part. */
static bool find_placed(struct explain_search *s)
{
    for (int n = 0; n < s->explain->result->node_count; n++)
        if (plan_of(s)->node[n].device >= 0 && plan_of(s)->node[n].part <= 0 && s->number-- == 0)
            return set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

/* Finds nodes that run: all but those that represent a split component. */
static bool find_running_node(struct explain_search *s)
{
    for (int n = 0; n < s->explain->result->node_count; n++)
        if (!plan_node_is_whole(&plan_of(s)->node[n]) && s->number-- == 0)
            return set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

/* Finds the busiest resource, which limits the frame rate, of the design or with the longer times
 * of a group; `of` is its kind. */
static bool find_busiest(struct explain_search *s)
{
    const struct result *result = s->explain->result;
    const char *limit =
        s->from.kind == EXPLAIN_GROUP ? explain_group(s->explain, s->from)->limit : result->limit;

    if (s->of == EXPLAIN_COMPONENT)
        return set_found(s, EXPLAIN_COMPONENT, result_find_node(result, limit));
    if (s->of == EXPLAIN_DEVICE)
        return set_found(s, EXPLAIN_DEVICE,
                         section_find(s->explain->scenario, SECTION_DEVICE, limit));
    for (int i = 0; i < result->link_count; i++)
        if (strcmp(result->link[i].name, limit) == 0)
            return set_found(s, EXPLAIN_LINK, i);
    return false;
}

/* Finds the devices at the ends of a transfer. */
static bool find_end(struct explain_search *s)
{
    const int ends[2] = {node_of(s)->from, node_of(s)->to};

    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0 && s->number-- == 0)
            return set_found(s, EXPLAIN_DEVICE, ends[i]);
    return false;
}

/* Finds the sending end of a transfer or, with `of` 1, the receiving one. */
static bool find_one_end(struct explain_search *s)
{
    return set_found(s, EXPLAIN_DEVICE, s->of == 0 ? node_of(s)->from : node_of(s)->to);
}

/* Finds the end of a transfer between boards with the slower link to the host. */
static bool find_slower_end(struct explain_search *s)
{
    double from, to;

    from = explain_quantity(
        s->explain, (struct explain_subject){EXPLAIN_DEVICE, node_of(s)->from, 0}, "host_rate");
    to = explain_quantity(s->explain, (struct explain_subject){EXPLAIN_DEVICE, node_of(s)->to, 0},
                          "host_rate");
    return set_found(s, EXPLAIN_DEVICE,
                     from != RESULT_NONE && (to == RESULT_NONE || from < to) ? node_of(s)->from
                                                                             : node_of(s)->to);
}

static bool find_host_of_device(struct explain_search *s)
{
    return set_found(s, EXPLAIN_DEVICE, plan_of(s)->device[s->from.index].host);
}

static void add_wait_part(void *waits, int node, int slot, double seconds)
{
    (void)slot;
    ((double *)waits)[node] += seconds;
}

/* Finds the component for which a step waits longest. */
static bool find_blocker(struct explain_search *s)
{
    const struct timeline *timeline = &s->explain->result->work->timeline;
    struct explain_step step = explain_step(s->explain, s->from);
    struct sharers sharers = {.known = false};
    double waits[NODE_MAX] = {0};
    int most = 0;

    if (timeline->tracks[step.node].kind == TRACK_CAMERA)
        return false;
    for (int i = step.first; i <= step.last; i++) {
        double to = track_end(&timeline->tracks[step.node], i);
        struct slot_cause cause;
        struct path_slot at = critical_slot(timeline, step.node, i, to, 0, &cause);

        if (at.wait > 0)
            critical_divide_wait(timeline, &at, &sharers, add_wait_part, waits);
    }
    for (int n = 1; n < timeline->count; n++)
        most = waits[n] > waits[most] ? n : most;
    return waits[most] > 0 && set_found(s, EXPLAIN_COMPONENT, most);
}

/* Finds the board of a PCIe hop or, with `of` 1, the board's host. */
static bool find_board(struct explain_search *s)
{
    int board = explain_board(s->explain, s->from);

    return set_found(s, EXPLAIN_DEVICE,
                     board >= 0 && s->of != 0 ? plan_of(s)->device[board].host : board);
}

/* Finds the hosts that a camera feeds. */
static bool find_host(struct explain_search *s)
{
    const struct plan *plan = plan_of(s);

    for (int i = 0; i < s->explain->scenario->component_count; i++)
        for (int d = 0; d < s->explain->scenario->device_count; d++)
            if ((plan->component[i].before >> node_of(s)->component & 1) != 0 &&
                (plan->component[i].devices >> d & 1) != 0 && s->number-- == 0)
                return set_found(s, EXPLAIN_DEVICE, plan->device[d].host);
    return false;
}

static bool find_producer(struct explain_search *s)
{
    return node_of(s)->component < 0 && set_found(s, EXPLAIN_COMPONENT, node_of(s)->producer);
}

/* Finds the component at the receiving end of an inserted transfer. */
static bool find_consumer(struct explain_search *s)
{
    return node_of(s)->component < 0 &&
           set_found(s, EXPLAIN_COMPONENT, plan_of(s)->node_of[node_of(s)->consumer]);
}

/* Finds the levels that serve a component's accesses; `of` is the kind of bytes. */
static bool find_level(struct explain_search *s)
{
    const struct memory_cost *cost =
        explain_cost(&explain_stage(s->explain, s->from)->costs, (enum explain_bytes)s->of);

    if (s->number >= cost->count)
        return false;
    s->to = (struct explain_subject){EXPLAIN_LEVEL, s->from.index,
                                     s->of * LEVEL_COUNT + (int)cost->part[s->number].level};
    return true;
}

/* Finds the next existing level inwards (`of` -1) or outwards (1). */
static bool find_neighbour(struct explain_search *s)
{
    int first = s->from.part - s->from.part % LEVEL_COUNT;

    for (int id = s->from.part % LEVEL_COUNT + s->of; id >= 0 && id < LEVEL_COUNT; id += s->of)
        if (explain_has_level(explain_levels(s->explain, s->from.index), id)) {
            s->to = (struct explain_subject){EXPLAIN_LEVEL, s->from.index, first + id};
            return true;
        }
    return false;
}

/* Finds level `of` of a device. */
static bool find_device_level(struct explain_search *s)
{
    s->to = (struct explain_subject){EXPLAIN_LEVEL, NODE_MAX + s->from.index, s->of};
    return explain_has_level(explain_levels(s->explain, s->to.index), s->of);
}

static bool find_geometry(struct explain_search *s)
{
    return set_found(s, EXPLAIN_WFS, explain_geometry(s->explain, s->from));
}

/* Finds the camera whose pixel order determines the weights of packets. */
static bool find_camera(struct explain_search *s)
{
    int wfs = explain_geometry(s->explain, s->from);

    for (int n = 0; n < s->explain->result->node_count && wfs >= 0; n++)
        if (plan_of(s)->node[n].type == COMPONENT_CAMERA && plan_of(s)->node[n].wfs == wfs)
            return set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

/* Finds steps to the end or, with `of` 1, to the start. */
static bool find_step(struct explain_search *s)
{
    struct explain_subject last = s->of == 0 ? explain_path_end(s->explain, s->from.index)
                                             : explain_path_start(s->explain, s->from.index);

    return explain_path_step(s->explain, last, -1, s->number, &s->to);
}

/* Finds steps to the last command; of a component only its own. */
static bool find_command_step(struct explain_search *s)
{
    int node = outcome_command_node(s->explain->result->work);
    int own = s->from.kind == EXPLAIN_COMPONENT ? s->from.index : -1;

    return node >= 0 && explain_path_step(s->explain, explain_path_end(s->explain, node), own,
                                          s->number, &s->to);
}

static bool find_component(struct explain_search *s)
{
    return s->from.index < NODE_MAX && /* not a level of a device */
           set_found(s, EXPLAIN_COMPONENT, s->from.index);
}

static bool has_packet(const struct track *track, int slot)
{
    return track->kind == TRACK_CAMERA ? track_weight(track, slot) > 0
                                       : track_duration(track, slot) > 0;
}

/* Finds packets that carry work. */
static bool find_packet(struct explain_search *s)
{
    int packets = explain_packets(s->explain);
    struct explain_step step = {s->from.index, 0, packets - 1, 0, 0};
    const struct track *track;
    int slot;

    if (s->from.kind == EXPLAIN_STEP)
        step = explain_step(s->explain, s->from);
    track = &s->explain->result->work->track[step.node];
    slot = step.first > track->weights.first ? step.first : track->weights.first;
    if (track->weights.count == packets - track->weights.first)
        slot += s->number;
    else
        while (slot <= step.last && (!has_packet(track, slot) || s->number-- > 0))
            slot++;
    s->to = (struct explain_subject){EXPLAIN_SLOT, step.node, slot};
    return slot <= step.last;
}

/* Finds the groups that change the latency; with `of` 1, all that change the maximum frame rate. */
static bool find_group(struct explain_search *s)
{
    const struct latency_range *range = s->explain->range;

    return range != NULL && s->number < (s->of == 1 ? range->rate_count : range->count) &&
           set_found(s, EXPLAIN_GROUP, s->number);
}

/* Finds the groups that overload the design, which does not do so by itself. */
static bool find_overloading(struct explain_search *s)
{
    const struct latency_range *range = s->explain->range;

    for (int g = 0; range != NULL && !s->explain->result->overloaded && g < range->count; g++)
        if (range->group[g].overloads && s->number-- == 0)
            return set_found(s, EXPLAIN_GROUP, g);
    return false;
}

/* Finds the design if it is overloaded by itself. */
static bool find_overloaded(struct explain_search *s)
{
    return s->explain->range != NULL && s->explain->result->overloaded && s->number == 0 &&
           set_found(s, EXPLAIN_DESIGN, 0);
}

static bool find_group_device(struct explain_search *s)
{
    return set_found(s, EXPLAIN_DEVICE, explain_group(s->explain, s->from)->device);
}

/* Finds the component of the first point of a latency or, with `of` 1, of the second. */
static bool find_point_component(struct explain_search *s)
{
    struct result_span span = explain_span(s->from);

    return set_found(s, EXPLAIN_COMPONENT, s->of == 0 ? span.from.node : span.to.node);
}

/* Finds the reconstructions and parts of them that have a matrix. */
static bool find_matrix(struct explain_search *s)
{
    for (int n = 0; n < s->explain->result->node_count; n++)
        if (plan_of(s)->node[n].type == COMPONENT_RECONSTRUCTION && plan_of(s)->node[n].unit >= 0 &&
            s->number-- == 0)
            return set_found(s, EXPLAIN_COMPONENT, n);
    return false;
}

static const struct explain_relation relations[] = {
    {.from = EXPLAIN_DESIGN, .word = "commands", .find = find_node, .of = IF_COMMAND_NODE},
    {.from = EXPLAIN_DESIGN, .word = "cameras", .find = find_node, .of = IF_LEADING_CAMERA},
    {.from = EXPLAIN_DESIGN,
     .word = "fast_cameras",
     .find = find_fast_camera,
     .of = IF_LEADING_CAMERA},
    {.from = EXPLAIN_LOOP,
     .word = "fast_cameras",
     .find = find_fast_camera,
     .of = IF_LEADING_CAMERA},
    {.from = EXPLAIN_LOOP, .word = "mirrors", .find = find_node, .of = IF_MIRROR},
    {.from = EXPLAIN_LOOP, .word = "sensor", .single = true, .find = find_budget_sensor},
    {.from = EXPLAIN_FLOW, .word = "cameras", .find = find_node, .of = IF_CAMERA},
    {.from = EXPLAIN_FLOW, .word = "measurers", .find = find_node, .of = IF_MEASURES},
    {.from = EXPLAIN_FLOW, .word = "mirrors", .find = find_node, .of = IF_MIRROR},
    {.from = EXPLAIN_FLOW, .word = "matrices", .find = find_matrix},
    {.from = EXPLAIN_FLOW, .word = "devices", .find = find_any_device},
    {.from = EXPLAIN_FLOW, .word = "busiest", .single = true, .find = find_memory_of_flow},
    {.from = EXPLAIN_FLOW, .word = "fullest", .single = true, .find = find_memory_of_flow, .of = 1},
    {.from = EXPLAIN_DESIGN, .word = "devices", .find = find_any_device},
    {.from = EXPLAIN_DESIGN, .word = "mirrors", .find = find_node, .of = IF_MIRROR},
    {.from = EXPLAIN_DESIGN,
     .word = "limit_component",
     .single = true,
     .find = find_busiest,
     .of = EXPLAIN_COMPONENT},
    {.from = EXPLAIN_DESIGN,
     .word = "limit_device",
     .single = true,
     .find = find_busiest,
     .of = EXPLAIN_DEVICE},
    {.from = EXPLAIN_DESIGN,
     .word = "limit_link",
     .single = true,
     .find = find_busiest,
     .of = EXPLAIN_LINK},
    {.from = EXPLAIN_DESIGN, .word = "path", .find = find_command_step},
    {.from = EXPLAIN_DESIGN, .word = "groups", .find = find_group},
    {.from = EXPLAIN_DESIGN, .word = "rate_groups", .find = find_group, .of = 1},
    {.from = EXPLAIN_DESIGN, .word = "overloading", .find = find_overloading},
    {.from = EXPLAIN_DESIGN, .word = "overloaded", .find = find_overloaded},
    {.from = EXPLAIN_GROUP,
     .word = "limit_component",
     .single = true,
     .find = find_busiest,
     .of = EXPLAIN_COMPONENT},
    {.from = EXPLAIN_GROUP,
     .word = "limit_device",
     .single = true,
     .find = find_busiest,
     .of = EXPLAIN_DEVICE},
    {.from = EXPLAIN_GROUP,
     .word = "limit_link",
     .single = true,
     .find = find_busiest,
     .of = EXPLAIN_LINK},
    {.from = EXPLAIN_GROUP, .word = "device", .single = true, .find = find_group_device},
    {.from = EXPLAIN_COMPONENT, .word = "device", .single = true, .find = find_device},
    {.from = EXPLAIN_COMPONENT, .word = "wfs", .single = true, .find = find_wfs},
    {.from = EXPLAIN_COMPONENT, .word = "wfs_owner", .single = true, .find = find_wfs_owner},
    {.from = EXPLAIN_COMPONENT, .word = "before", .find = find_before},
    {.from = EXPLAIN_COMPONENT, .word = "sensors", .find = find_sensor},
    {.from = EXPLAIN_COMPONENT, .word = "parts", .find = find_part},
    {.from = EXPLAIN_COMPONENT, .word = "slowest", .single = true, .find = find_slowest},
    {.from = EXPLAIN_COMPONENT, .word = "all", .find = find_running_node},
    {.from = EXPLAIN_COMPONENT, .word = "placed", .find = find_placed},
    {.from = EXPLAIN_DEVICE, .word = "placed", .find = find_placed},
    {.from = EXPLAIN_COMPONENT, .word = "summands", .find = find_summand},
    {.from = EXPLAIN_COMPONENT, .word = "added", .find = find_summand, .of = 1},
    {.from = EXPLAIN_COMPONENT, .word = "ends", .find = find_end},
    {.from = EXPLAIN_COMPONENT, .word = "slower", .single = true, .find = find_slower_end},
    {.from = EXPLAIN_COMPONENT, .word = "sender", .single = true, .find = find_one_end},
    {.from = EXPLAIN_COMPONENT, .word = "receiver", .single = true, .find = find_one_end, .of = 1},
    {.from = EXPLAIN_COMPONENT, .word = "claimants", .find = find_sharer, .of = IF_CLAIMS_SHARE},
    {.from = EXPLAIN_COMPONENT, .word = "streamers", .find = find_sharer, .of = IF_OVERLAPS},
    {.from = EXPLAIN_COMPONENT, .word = "thread", .single = true, .find = find_thread},
    {.from = EXPLAIN_COMPONENT, .word = "turns", .find = find_turn},
    {.from = EXPLAIN_COMPONENT, .word = "claimant", .single = true, .find = find_turn, .of = 1},
    {.from = EXPLAIN_COMPONENT, .word = "neighbours", .find = find_sharer, .of = IF_ALWAYS},
    {.from = EXPLAIN_COMPONENT, .word = "sharers", .find = find_port_camera},
    {.from = EXPLAIN_COMPONENT, .word = "board", .single = true, .find = find_board},
    {.from = EXPLAIN_COMPONENT, .word = "host", .single = true, .find = find_board, .of = 1},
    {.from = EXPLAIN_COMPONENT, .word = "hosts", .find = find_host},
    {.from = EXPLAIN_COMPONENT, .word = "producer", .single = true, .find = find_producer},
    {.from = EXPLAIN_COMPONENT, .word = "consumer", .single = true, .find = find_consumer},
    {.from = EXPLAIN_COMPONENT, .word = "path", .find = find_step},
    {.from = EXPLAIN_COMPONENT, .word = "way", .find = find_step, .of = 1},
    {.from = EXPLAIN_COMPONENT, .word = "steps", .find = find_command_step},
    {.from = EXPLAIN_COMPONENT, .word = "packets", .find = find_packet},
    {.from = EXPLAIN_COMPONENT, .word = "resident", .find = find_level, .of = EXPLAIN_RESIDENT},
    {.from = EXPLAIN_COMPONENT, .word = "arriving", .find = find_level, .of = EXPLAIN_ARRIVING},
    {.from = EXPLAIN_COMPONENT, .word = "streamed", .find = find_level, .of = EXPLAIN_STREAMED},
    {.from = EXPLAIN_COMPONENT, .word = "operand", .find = find_level, .of = EXPLAIN_OPERAND},
    {.from = EXPLAIN_COMPONENT, .word = "geometry", .single = true, .find = find_geometry},
    {.from = EXPLAIN_COMPONENT, .word = "camera", .single = true, .find = find_camera},
    {.from = EXPLAIN_DEVICE, .word = "users", .find = find_user, .of = IF_ALWAYS},
    {.from = EXPLAIN_DEVICE, .word = "busiest", .find = find_user_of_unit},
    {.from = EXPLAIN_DEVICE, .word = "thread", .find = find_busy_thread},
    {.from = EXPLAIN_DEVICE, .word = "fullest", .find = find_user_of_unit, .of = 1},
    {.from = EXPLAIN_DEVICE, .word = "host", .single = true, .find = find_host_of_device},
    {.from = EXPLAIN_DEVICE, .word = "pinned", .find = find_user, .of = IF_TAKES_CORES},
    {.from = EXPLAIN_DEVICE,
     .word = "l1",
     .single = true,
     .find = find_device_level,
     .of = LEVEL_L1},
    {.from = EXPLAIN_DEVICE,
     .word = "l2",
     .single = true,
     .find = find_device_level,
     .of = LEVEL_L2},
    {.from = EXPLAIN_DEVICE,
     .word = "l3",
     .single = true,
     .find = find_device_level,
     .of = LEVEL_L3},
    {.from = EXPLAIN_LINK, .word = "users", .find = find_served},
    {.from = EXPLAIN_LINK, .word = "cameras", .find = find_port_camera},
    {.from = EXPLAIN_LINK, .word = "camera", .single = true, .find = find_served},
    {.from = EXPLAIN_SPAN, .word = "from", .single = true, .find = find_point_component},
    {.from = EXPLAIN_SPAN, .word = "to", .single = true, .find = find_point_component, .of = 1},
    {.from = EXPLAIN_SPAN, .word = "all", .find = find_running_node},
    {.from = EXPLAIN_SLOT, .word = "before", .find = find_before},
    {.from = EXPLAIN_SLOT, .word = "component", .single = true, .find = find_component},
    {.from = EXPLAIN_SLOT, .word = "geometry", .single = true, .find = find_geometry},
    {.from = EXPLAIN_STEP, .word = "all", .find = find_running_node},
    {.from = EXPLAIN_STEP, .word = "blocker", .single = true, .find = find_blocker},
    {.from = EXPLAIN_STEP, .word = "component", .single = true, .find = find_component},
    {.from = EXPLAIN_STEP, .word = "packets", .find = find_packet},
    {.from = EXPLAIN_LEVEL, .word = "component", .single = true, .find = find_component},
    {.from = EXPLAIN_LEVEL, .word = "device", .single = true, .find = find_device},
    {.from = EXPLAIN_LEVEL, .word = "inner", .single = true, .find = find_neighbour, .of = -1},
    {.from = EXPLAIN_LEVEL, .word = "outer", .single = true, .find = find_neighbour, .of = 1},
};

const struct explain_relation *explain_relation_find(enum explain_kind from, const char *word,
                                                     size_t length)
{
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++)
        if (relations[i].from == from && strncmp(relations[i].word, word, length) == 0 &&
            relations[i].word[length] == '\0')
            return &relations[i];
    return NULL;
}

bool explain_relative(const struct explain *explain, const struct explain_relation *relation,
                      struct explain_subject from, int number, struct explain_subject *to)
{
    struct explain_search search = {explain, from, relation->of, number, {EXPLAIN_DESIGN, 0, 0}};
    bool found = relation->find(&search);

    *to = search.to;
    return found;
}

bool explain_find_relative(const struct explain *explain, struct explain_subject from,
                           const char *word, int number, struct explain_subject *to)
{
    return explain_relative(explain, explain_relation_find(from.kind, word, strlen(word)), from,
                            number, to);
}
