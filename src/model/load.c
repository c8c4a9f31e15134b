#include "model/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "model/bound.h"
#include "model/device.h"
#include "model/formulas.h"
#include "model/overhead.h"

#define TOLERANCE 1e-12 /* relative; a completely filled frame is not an overload */
#define SAME 1e-9       /* relative; busy times closer than this are equal */

/* Nodes ---------------------------------------------------------------------------------------- */

/* Returns a size that only some components have, or RESULT_NONE. */
static double size_or_none(double size)
{
    return size > 0 ? size : RESULT_NONE;
}

static void fill_node(const struct scenario *scenario, const struct workspace *work, int n,
                      struct node_result *out)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct stage *stage = &work->stage[n];

    if (work->rebuilt)
        memcpy(out->name, node->name, sizeof out->name);
    out->component = node->component;
    out->type = node->type;
    out->algorithm = node->device >= 0 ? (int)(stage->algorithm - algorithms) : -1;
    out->device = node->device;
    out->divisor = stage->divisor;
    out->parts = node->parts;
    out->part = node->component < 0 ? -1 : node->part;
    out->flop = stage->flop;
    out->bytes = stage->bytes;
    out->working_set = stage->working_set;
    out->share = stage->share;
    out->compute_efficiency = stage->compute_efficiency;
    out->memory_efficiency = stage->memory_efficiency;
    out->workers = stage->cores > 0 ? stage->cores : RESULT_NONE;
    out->block = stage->working_set > 0 ? stage->block : RESULT_NONE;
    out->level = node->device >= 0 ? stage->level : LEVEL_MEMORY;
    out->few_rows = node->device >= 0 && stage->few_rows;
    out->rows = size_or_none(stage->rows);
    out->columns = size_or_none(stage->columns);
    out->grid = size_or_none(stage->grid);
    out->states = size_or_none(stage->states);
    memcpy(out->stated, stage->stated, sizeof out->stated);
    out->kernels = node->device >= 0 ? stage->demand.kernels : RESULT_NONE;
    out->compute = stage->compute;
    out->memory = stage->memory;
    out->time = stage->time;
    out->deferred = stage->deferred_time;
    out->deferred_flop = out->deferred_bytes = 0;
    if (node->device >= 0) {
        out->deferred_flop = stage->demand.deferred.flop;
        out->deferred_bytes = stage_deferred_bytes(&stage->demand);
    }
    out->exposure = RESULT_NONE;
    if (node->type == COMPONENT_CAMERA)
        out->exposure = formula_exposure(&scenario->component[node->component], stage->divisor,
                                         formula_frame_period(&scenario->general), stage->time);
}

static void fill_busy(const struct scenario *scenario, const struct workspace *work, int n,
                      struct node_result *out)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct stage *stage = &work->stage[n];

    out->busy = node->type == COMPONENT_CAMERA
                    ? formula_camera_busy(&scenario->component[node->component], stage->time)
                    : formula_busy(stage->time, stage->deferred_time);
}

/* Devices and links ---------------------------------------------------------------------------- */

/* Adds what a device takes, if it is stated, to a total of all devices; returns it. A total without
 * a part is none. */
static double add_stated(bool stated, double sum, double *total)
{
    sum = stated ? sum : RESULT_NONE;
    *total = *total == RESULT_NONE || sum == RESULT_NONE ? RESULT_NONE : *total + sum;
    return sum;
}

static void add_cost(const struct device *device, struct device_result *out, struct result *result)
{
    double parts = device_parts(device);

    result->part_count += parts;
    out->watts = add_stated(parts == 0 || device->tdp > 0, formula_device_watts(parts, device),
                            &result->watts);
    out->price = add_stated(parts == 0 || device->price > 0, formula_device_price(parts, device),
                            &result->price);
}

/* Fills in the fixed times of a device. */
static void fill_overhead(const struct device *device, struct device_result *out)
{
    struct overhead overhead = overhead_of(device);
    bool cpu = device->kind == DEVICE_CPU;
    bool gpu = device->kind == DEVICE_GPU;

    out->launch = cpu || gpu ? overhead.launch : RESULT_NONE;
    out->boundary = cpu || gpu ? overhead.boundary : RESULT_NONE;
    out->enqueue = gpu ? overhead.enqueue : RESULT_NONE;
    out->handover = cpu ? overhead.handover : RESULT_NONE;
    out->software = cpu ? overhead.software : RESULT_NONE;
    out->copy_latency = gpu ? overhead.copy_in : RESULT_NONE;
    out->peer_latency = gpu ? overhead.peer : RESULT_NONE;
    out->egress_latency = overhead.egress;
}

/* Fills in the times of a port, which depend on the components behind it. */
static void fill_ingress(const struct scenario *scenario, int d, struct device_result *out)
{
    struct ingress_times ingress = overhead_ingress(scenario, d, -1);

    out->ingress_latency = ingress.latency;
    out->datagram_time = ingress.datagram;
}

/* Fills in the values that depend on the device only. */
static void fill_device(const struct device *device, const struct memory *memory,
                        struct device_result *out)
{
    const char *kind = device->kind == DEVICE_CPU ? "" : device_memory_kind(device);
    struct memory each;

    memcpy(out->name, device->head.name, sizeof out->name);
    out->memory = kind[0] != '\0' ? kind : memory_level_name(LEVEL_MEMORY);
    out->peak_flops = device_peak(device, PRECISION_FP32);
    out->bandwidth = device_bandwidth(device);
    for (int id = LEVEL_L1; id <= LEVEL_MEMORY; id++) {
        bool cached = device->kind == DEVICE_CPU || (device->kind == DEVICE_GPU && id != LEVEL_L1);

        out->capacity[id] = cached ? 0 : RESULT_NONE;
        out->level_bandwidth[id] = out->level_latency[id] = RESULT_NONE;
    }
    device_memory_knobs(device, memory, &each);
    for (int k = 0; k < each.count; k++) {
        const struct memory_level *level = &each.level[k];

        out->capacity[level->id] = level->id == LEVEL_MEMORY ? RESULT_NONE : level->capacity;
        out->level_bandwidth[level->id] = level->bandwidth;
        out->level_latency[level->id] = level->latency;
    }
    out->pc = device->pc > 0 ? device->pc : RESULT_NONE;
    out->core_bandwidth = device->kind == DEVICE_CPU ? device_core_bandwidth(device) : RESULT_NONE;
    fill_overhead(device, out);
}

/* Returns the device time of a node per frame, s. */
static double node_device_time(struct workspace *work, int n)
{
    struct stage *stage = &work->stage[n];

    return formula_device_time(stage->taken, work->sharing[work->plan.node[n].device],
                               formula_busy(stage->time, stage->deferred_time), stage->divisor,
                               stage->fixed_total, work->track[n].deferred_fixed, stage->share);
}

/* Fills in the busy times of devices: of identical ones that of the busiest; of an FPGA that of its
 * busiest component, as each has its own circuit; of a CPU at least that of its busiest thread. */
static void fill_devices(const struct scenario *scenario, struct workspace *work, bool again,
                         struct result *result)
{
    double busy[UNIT_MAX], held[UNIT_MAX];
    double longest[DEVICE_MAX] = {0};

    for (int d = 0; d < scenario->device_count; d++) {
        if (!work->device_filled[d])
            fill_device(&scenario->device[d], &work->memory[d], &result->device[d]);
        work->device_filled[d] = true;
        if (!again)
            fill_ingress(scenario, d, &result->device[d]);
        result->device[d].busy = result->device[d].held = 0;
        result->device[d].bound = BOUND_COMPUTE;
    }
    for (int u = 0; u < work->units; u++)
        busy[u] = held[u] = 0;
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        double time;

        if (node->device < 0)
            continue;
        time = node_device_time(work, n);
        busy[node->unit] = scenario->device[node->device].kind == DEVICE_FPGA
                               ? larger(busy[node->unit], time)
                               : busy[node->unit] + time;
        if (stage_in_thread(work, n))
            busy[work->track[n].device] +=
                formula_frame_busy(result->node[n].busy, work->stage[n].divisor);
        result->device[node->device].busy =
            larger(result->device[node->device].busy,
                   larger(busy[node->unit], busy[work->track[n].device]));
        if (time > longest[node->device]) {
            longest[node->device] = time;
            result->device[node->device].bound = result->node[n].bound;
        }
        held[node->unit] += work->stage[n].working_set;
        result->device[node->device].held =
            larger(result->device[node->device].held, held[node->unit]);
    }
    result->fits = true;
    result->watts = result->price = result->part_count = 0;
    for (int d = 0; d < scenario->device_count; d++) {
        struct device_result *out = &result->device[d];

        out->fits =
            scenario->device[d].memory_size == 0 || out->held <= scenario->device[d].memory_size;
        result->fits = result->fits && out->fits;
        add_cost(&scenario->device[d], out, result);
    }
    result->device_count = scenario->device_count;
}

/* Adds a link; its name is written if it is another one than before. */
static struct link_result *add_link(struct result *result, int kind, int index)
{
    struct link_result *link = &result->link[result->link_count++];
    bool known = link->kind == kind && link->index == index;

    link->busy = 0;
    link->kind = kind;
    link->index = index;
    if (!known)
        link->name[0] = '\0';
    return link;
}

static bool runs_graphs(const struct workspace *work, int n)
{
    const struct track *track = &work->track[n];

    return track->kind == TRACK_COMPUTE && track->thread >= 0 && track->enqueue_inside == 0;
}

/* Returns the node that begins the visit of which a slot is part, as track_visit; -1: the slot has
 * no work. `first`: of its predecessors in this slot. */
static int first_of_visit(const struct workspace *work, int n, int slot, const int first[NODE_MAX])
{
    const struct track *track = &work->track[n];
    int found = -1;

    if (track_weight(track, slot) <= 0 &&
        (slot < track->slots - 1 || track->tail + track->tail_fixed <= 0))
        return -1;
    for (int p = 0; p < track->before_count && track->continues; p++) {
        int visit = first[track->before[p]];

        if (visit < 0 || slot >= work->track[track->before[p]].slots)
            continue;
        if (found >= 0 && visit != found)
            return n;
        found = visit;
    }
    return found < 0 ? n : found;
}

/* Returns the first slot after this one in which a track may work where it does not in this one, or
 * the other way round. */
static int next_change(const struct track *track, int slot)
{
    const struct weights *weights = &track->weights;
    const int at[] = {weights->first, weights->last + 1, track->slots - 1, track->slots};
    int next = PACKETS_MAX;

    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        if (at[i] > slot && at[i] < next)
            next = at[i];
    if (slot >= weights->first && slot < weights->last &&
        weights->count <= weights->last - weights->first) { /* some in between have no weight */
        const bool works = track_weight(track, slot) > 0;
        int same = slot + 1;

        while (same < next && (track_weight(track, same) > 0) == works)
            same++;
        next = same;
    }
    return next;
}

/* Counts the graphs that each node starts per frame; a packet that no command waits for is part of
 * as many visits as the last one that matters. */
static void count_graphs(struct workspace *work, int packets)
{
    int first[NODE_MAX], until[NODE_MAX];
    int list[NODE_MAX]; /* nodes that run graphs; others are part of no visit */
    int count = 0;
    int next;

    for (int n = 0; n < work->plan.count; n++) {
        work->stage[n].graphs = until[n] = 0;
        first[n] = -1;
        if (runs_graphs(work, n))
            list[count++] = n;
    }
    for (int i = 0; i < packets && count > 0 && pace_step(work->pace, work->plan.pool_used);
         i = next) {
        next = packets;
        for (int k = 0; k < count; k++) {
            const int n = list[k];
            const struct track *track = &work->track[n];

            if (until[n] <= i)
                until[n] = next_change(track, i);
            next = until[n] < next ? until[n] : next;
            if (i < track->slots)
                first[n] = first_of_visit(work, n, i, first);
        }
        for (int k = 0; k < count; k++) {
            const int n = list[k];
            const struct track *track = &work->track[n];

            if (first[n] == n &&
                (i < track->slots || (i <= track->weights.last && track_weight(track, i) > 0)))
                work->stage[n].graphs += next - i;
        }
    }
}

/* Returns the time per frame of the thread that enqueues a node's kernels or copies. */
static double enqueue_time(const struct workspace *work, int n)
{
    const struct track *track = &work->track[n];
    double each = track->continues ? track->enqueue_inside : track->enqueue;

    if (runs_graphs(work, n))
        return formula_enqueue_graphs(track->enqueue, work->stage[n].graphs,
                                      work->stage[n].divisor);
    return formula_enqueue_busy(each, track->weights.count, track->enqueue_tail,
                                work->stage[n].divisor);
}

/* Finds the busy times of the threads that enqueue work on the units of GPUs. */
static void find_enqueue_times(const struct workspace *work, double *busy)
{
    for (int u = 0; u < work->plan.units; u++)
        busy[u] = 0;
    for (int n = 0; n < work->plan.count; n++)
        if (work->track[n].thread >= 0 && work->track[n].enqueue > 0)
            busy[work->track[n].thread] += enqueue_time(work, n);
}

/* Fills in the busy time of the thread that enqueues work on a GPU: the busiest of several. */
static void fill_enqueue(const struct scenario *scenario, struct workspace *work, int device,
                         const double *busy, struct result *result)
{
    const struct plan_device *units = &work->plan.device[device];
    struct link_result *link = NULL;

    if (work->overhead[device].enqueue == 0)
        return;
    link = add_link(result, LINK_ENQUEUE, device);
    if (link->name[0] == '\0')
        snprintf(link->name, sizeof link->name, "%s.enqueue", scenario->device[device].head.name);
    for (int u = units->first_unit; u < units->first_unit + units->units; u++)
        link->busy = larger(link->busy, busy[u]);
}

/* Fills in the busy times of links and of the cores and threads that serve them. */
static void fill_links(const struct scenario *scenario, struct workspace *work,
                       struct result *result)
{
    double enqueuing[UNIT_MAX];

    /* also of those that the design had not when it was last evaluated */
    for (int l = 0; l < LINK_RESULT_MAX && work->rebuilt; l++)
        result->link[l].name[0] = '\0';
    result->link_count = 0;
    count_graphs(work, work->size.packets);
    find_enqueue_times(work, enqueuing);
    for (int q = 0; q < QUEUE_ENDS * scenario->device_count; q++) {
        double port = q % QUEUE_ENDS == QUEUE_NETWORK_IN ? work->port_busy[q / QUEUE_ENDS] : 0;
        struct link_result *link;

        work->link_number[q] = -1;
        if (work->plan.queue_users[q] == 0 && port == 0)
            continue;
        work->link_number[q] = result->link_count;
        link = add_link(result, LINK_QUEUE, q);
        link->busy = port;
        if (link->name[0] == '\0')
            plan_queue_name(scenario, q, link->name, sizeof link->name);
    }
    for (int n = 0; n < work->plan.count; n++)
        for (int i = 0; i < 2; i++)
            if (work->plan.node[n].queue[i] != NO_QUEUE)
                result->link[work->link_number[work->plan.node[n].queue[i]]].busy +=
                    formula_frame_busy(work->stage[n].time, work->stage[n].divisor);
    for (int d = 0; d < scenario->device_count; d++)
        fill_enqueue(scenario, work, d, enqueuing, result);
    for (int n = 0; n < work->plan.count; n++) {
        struct link_result *link;

        if (work->plan.node[n].type != COMPONENT_CAMERA || work->receive_time[n] == 0)
            continue;
        link = add_link(result, LINK_RECEIVE, n);
        link->busy = work->receive_time[n] / work->stage[n].divisor;
        if (link->name[0] == '\0')
            snprintf(link->name, sizeof link->name, "%.*s.receive", NAME_MAX_LENGTH,
                     work->plan.node[n].name);
    }
}

/* Returns true for a camera whose readout lasts as long as the port of its host takes: the port
 * limits the rate. */
static bool waits_for_port(const struct result *result, const struct node_result *node)
{
    double busy = formula_frame_busy(node->busy, node->divisor);

    for (int l = 0; l < result->link_count && node->type == COMPONENT_CAMERA; l++)
        if (result->link[l].kind == LINK_QUEUE && fabs(result->link[l].busy - busy) <= SAME * busy)
            return true;
    return false;
}

static void offer_limit(struct result *result, const char *name, double busy)
{
    if (busy <= result->limit_busy)
        return;
    result->limit_busy = busy;
    strcpy(result->limit, name); /* names of nodes, devices and links fit */
}

static void find_limit(const struct scenario *scenario, struct result *result)
{
    int most = -1;
    double most_busy = 0;

    result->limit_busy = 0;
    result->limit[0] = '\0';
    for (int n = 0; n < result->node_count; n++) {
        double busy = formula_frame_busy(result->node[n].busy, result->node[n].divisor);

        if (busy > most_busy && !waits_for_port(result, &result->node[n])) {
            most_busy = busy;
            most = n;
        }
    }
    if (most >= 0)
        offer_limit(result, result->node[most].name, most_busy);
    for (int d = 0; d < result->device_count; d++) {
        /* prefer the component if it alone keeps its device busy */
        if (result->device[d].busy > result->limit_busy * (1 + SAME))
            offer_limit(result, scenario->device[d].head.name, result->device[d].busy);
        result->device[d].utilisation =
            formula_utilisation(result->device[d].busy, result->frame_period);
    }
    for (int l = 0; l < result->link_count; l++)
        if (result->link[l].busy > result->limit_busy * (1 + SAME))
            offer_limit(result, result->link[l].name, result->link[l].busy);
    result->max_frame_rate =
        result->limit_busy > 0 ? formula_max_frame_rate(result->limit_busy) : RESULT_NONE;
    result->load = formula_load(result->limit_busy, result->frame_period);
    result->overloaded = result->limit_busy > result->frame_period * (1 + TOLERANCE);
}

void load_fill(const struct scenario *scenario, struct workspace *work, bool again,
               struct result *result)
{
    result->node_count = work->plan.count;
    result->frame_period = formula_frame_period(&scenario->general);
    for (int n = 0; n < work->plan.count; n++) {
        if (!again)
            fill_node(scenario, work, n, &result->node[n]);
        if (!again && !result->brief)
            result->node[n].bound = bound_of_node(work, n).bound;
        fill_busy(scenario, work, n, &result->node[n]);
    }
    fill_devices(scenario, work, again, result);
    fill_links(scenario, work, result);
    find_limit(scenario, result);
    work->rebuilt = false;
}

/* Overload ------------------------------------------------------------------------------------- */

static void offer_overload(struct overload list[OVERLOAD_MAX], int *count, const char *name,
                           double busy, double period)
{
    int at = *count < OVERLOAD_MAX ? *count : OVERLOAD_MAX;

    if (busy <= period * (1 + TOLERANCE))
        return;
    for (int i = 0; i < at; i++)
        if (fabs(list[i].busy - busy) <= SAME * busy)
            return;
    ++*count;
    for (; at > 0 && list[at - 1].busy < busy; at--)
        if (at < OVERLOAD_MAX)
            list[at] = list[at - 1];
    if (at < OVERLOAD_MAX)
        list[at] = (struct overload){name, busy, formula_load(busy, period)};
}

int load_list_overloads(const struct scenario *scenario, const struct result *result,
                        struct overload list[OVERLOAD_MAX])
{
    double period = result->frame_period;
    int count = 0;

    /* skip inserted transfers, which keep a link busy, and parts, which their whole includes */
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];

        if (node->component >= 0 && node->part < 0 && !waits_for_port(result, node))
            offer_overload(list, &count, node->name, formula_frame_busy(node->busy, node->divisor),
                           period);
    }
    for (int d = 0; d < result->device_count; d++)
        offer_overload(list, &count, scenario->device[d].head.name, result->device[d].busy, period);
    for (int l = 0; l < result->link_count; l++)
        offer_overload(list, &count, result->link[l].name, result->link[l].busy, period);
    return count;
}
