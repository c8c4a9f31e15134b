#include "model/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "design/vibration.h"
#include "model/bound.h"
#include "model/device.h"
#include "model/formulas.h"
#include "model/knob_effect.h"
#include "model/order.h"
#include "model/overhead.h"

#define TOLERANCE 1e-12 /* relative; a completely filled frame is not an overload */
#define SAME 1e-9       /* relative; busy times closer than this are equal */

/* Nodes ---------------------------------------------------------------------------------------- */

double camera_exposure(const struct component *camera, double divisor, double period,
                       double readout)
{
    if (camera->exposure > 0)
        return camera->exposure;
    return camera->frame_transfer ? formula_frame_exposure(divisor, period)
                                  : formula_exposure_before_readout(divisor, period, readout);
}

static double camera_busy(const struct component *c, double readout)
{
    return c->frame_transfer ? formula_busy_frame_transfer(readout, c)
                             : formula_busy_exposing(readout, c);
}

static double deferred_traffic(const struct demand *demand)
{
    return work_bytes(&demand->deferred) + (demand->sweeps - 1) * demand->deferred.resident;
}

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
        out->deferred_bytes = deferred_traffic(&stage->demand);
    }
    out->busy = stage->time + stage->deferred_time;
    out->exposure = RESULT_NONE;
    if (node->type == COMPONENT_CAMERA) {
        const struct component *camera = &scenario->component[node->component];

        out->exposure = camera_exposure(camera, stage->divisor,
                                        formula_frame_period(&scenario->general), stage->time);
        out->busy = camera_busy(camera, stage->time);
    }
    out->bound = bound_of_node(work, n).bound;
}

/* Devices and links ---------------------------------------------------------------------------- */

/* Adds what each of a device's parts takes, 0 if that is not stated, to a total of all devices;
 * returns that of the device. A total without a part is none. */
static double add_parts(double parts, double each, double *total)
{
    double sum = parts > 0 && each <= 0 ? RESULT_NONE : parts * each;

    *total = *total == RESULT_NONE || sum == RESULT_NONE ? RESULT_NONE : *total + sum;
    return sum;
}

static void add_cost(const struct device *device, struct device_result *out, struct result *result)
{
    double parts = device_parts(device);

    result->part_count += parts;
    out->watts = add_parts(parts, device->tdp, &result->watts);
    out->price = add_parts(parts, device->price, &result->price);
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
    struct memory each;

    memcpy(out->name, device->head.name, sizeof out->name);
    out->memory =
        device->kind == DEVICE_GPU ? device_memory_kind(device) : memory_level_name(LEVEL_MEMORY);
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
static double node_device_time(const struct workspace *work, int n)
{
    const struct stage *stage = &work->stage[n];
    double all = stage->time + stage->deferred_time;

    switch (work->sharing[work->plan.node[n].device]) {
    case SHARING_EXCLUSIVE:
        return all;
    case SHARING_FLUID:
        return larger(0, all - stage->fixed_total - work->track[n].deferred_fixed);
    default:
        return stage->share * all;
    }
}

/* Fills in the busy times of devices: of identical ones that of the busiest; of an FPGA that of its
 * busiest component, as each has its own circuit; of a CPU at least that of its busiest thread. */
static void fill_devices(const struct scenario *scenario, struct workspace *work,
                         struct result *result)
{
    double busy[UNIT_MAX], held[UNIT_MAX];
    double longest[DEVICE_MAX] = {0};

    for (int d = 0; d < scenario->device_count; d++) {
        if (!work->device_filled[d])
            fill_device(&scenario->device[d], &work->memory[d], &result->device[d]);
        work->device_filled[d] = true;
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
        time = node_device_time(work, n) / work->stage[n].divisor;
        busy[node->unit] = scenario->device[node->device].kind == DEVICE_FPGA
                               ? larger(busy[node->unit], time)
                               : busy[node->unit] + time;
        if (stage_in_thread(work, n))
            busy[work->track[n].device] += result->node[n].busy / work->stage[n].divisor;
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
static struct link_result *add_link(struct workspace *work, struct result *result, int kind,
                                    int index)
{
    struct link_result *link = &result->link[result->link_count++];
    bool known = !work->rebuilt && link->kind == kind && link->index == index;

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

    if (slot >= weights->first && slot < weights->last &&
        weights->count <= weights->last - weights->first)
        return slot + 1; /* some in between have no weight */
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        if (at[i] > slot && at[i] < next)
            next = at[i];
    return next;
}

/* Counts the graphs that each node starts per frame; a packet that no command waits for is part of
 * as many visits as the last one that matters. */
static void count_graphs(struct workspace *work, int packets)
{
    int first[NODE_MAX];
    bool any = false;
    int next;

    for (int n = 0; n < work->plan.count; n++) {
        work->stage[n].graphs = 0;
        any = any || runs_graphs(work, n);
    }
    for (int i = 0; i < packets && any && pace_step(work->pace, work->plan.pool_used); i = next) {
        next = packets;
        for (int n = 0; n < work->plan.count; n++) {
            const struct track *track = &work->track[n];
            int change = next_change(track, i);

            next = change < next ? change : next;
            if (i < track->slots)
                first[n] = runs_graphs(work, n) ? first_of_visit(work, n, i, first) : -1;
        }
        for (int n = 0; n < work->plan.count; n++) {
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
    link = add_link(work, result, LINK_ENQUEUE, device);
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
        link = add_link(work, result, LINK_QUEUE, q);
        link->busy = port;
        if (link->name[0] == '\0')
            plan_queue_name(scenario, q, link->name, sizeof link->name);
    }
    for (int n = 0; n < work->plan.count; n++)
        for (int i = 0; i < 2; i++)
            if (work->plan.node[n].queue[i] != NO_QUEUE)
                result->link[work->link_number[work->plan.node[n].queue[i]]].busy +=
                    work->stage[n].time / work->stage[n].divisor;
    for (int d = 0; d < scenario->device_count; d++)
        fill_enqueue(scenario, work, d, enqueuing, result);
    for (int n = 0; n < work->plan.count; n++) {
        struct link_result *link;

        if (work->plan.node[n].type != COMPONENT_CAMERA || work->receive_time[n] == 0)
            continue;
        link = add_link(work, result, LINK_RECEIVE, n);
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
    double busy = node->busy / node->divisor;

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
        double busy = result->node[n].busy / result->node[n].divisor;

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
        result->device[d].utilisation = result->device[d].busy / result->frame_period;
    }
    for (int l = 0; l < result->link_count; l++)
        if (result->link[l].busy > result->limit_busy * (1 + SAME))
            offer_limit(result, result->link[l].name, result->link[l].busy);
    result->max_frame_rate =
        result->limit_busy > 0 ? formula_max_frame_rate(result->limit_busy) : RESULT_NONE;
    result->load = formula_load(result->limit_busy, result->frame_period);
    result->overloaded = result->limit_busy > result->frame_period * (1 + TOLERANCE);
}

void load_fill(const struct scenario *scenario, struct workspace *work, struct result *result)
{
    result->node_count = work->plan.count;
    result->frame_period = formula_frame_period(&scenario->general);
    for (int n = 0; n < work->plan.count; n++)
        fill_node(scenario, work, n, &result->node[n]);
    fill_devices(scenario, work, result);
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
        list[at] = (struct overload){name, busy};
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
            offer_overload(list, &count, node->name, node->busy / node->divisor, period);
    }
    for (int d = 0; d < result->device_count; d++)
        offer_overload(list, &count, scenario->device[d].head.name, result->device[d].busy, period);
    for (int l = 0; l < result->link_count; l++)
        offer_overload(list, &count, result->link[l].name, result->link[l].busy, period);
    return count;
}

/* Threads -------------------------------------------------------------------------------------- */

bool load_crowded_sentence(const struct scenario *scenario, int component, char *text, size_t size)
{
    const double workers = scenario->component[component].workers;

    for (int d = 0; d < scenario->device_count; d++) {
        char path[96], threads[32], cores[32];

        if (!scenario_runs_on(scenario, component, d) ||
            !overhead_is_crowded(&scenario->device[d], workers))
            continue;
        knob_path(scenario, knob_ref_to(KNOB_COMPONENT_WORKERS, component), path, sizeof path);
        number_format(workers, threads, sizeof threads);
        number_format(device_cores(&scenario->device[d]), cores, sizeof cores);
        snprintf(text, size, "%s: %s threads take turns on the %s cores of device.%s", path,
                 threads, cores, scenario->device[d].head.name);
        return true;
    }
    return false;
}

/* Shares --------------------------------------------------------------------------------------- */

/* Returns true if a component states a share and none of its devices is divided; sets one of them.
 */
static bool has_idle_share(const struct scenario *scenario, int component, int *device)
{
    bool idle = false;

    if (scenario->component[component].share == 0)
        return false;
    for (int d = 0; d < scenario->device_count; d++) {
        if (!scenario_runs_on(scenario, component, d))
            continue;
        if (scenario->device[d].kind != DEVICE_FPGA &&
            scenario_sharing(scenario, d) != SHARING_EXCLUSIVE)
            return false;
        *device = d;
        idle = true;
    }
    return idle;
}

bool load_idle_share_sentence(const struct scenario *scenario, char *text, size_t size)
{
    char path[96], more[32] = "";
    int first = -1;
    int others = 0;
    int device = -1;

    for (int i = scenario->component_count - 1; i >= 0; i--)
        if (has_idle_share(scenario, i, &device)) {
            others += first >= 0;
            first = i;
        }
    if (first < 0)
        return false;
    knob_path(scenario, knob_ref_to(KNOB_COMPONENT_SHARE, first), path, sizeof path);
    if (others > 0)
        snprintf(more, sizeof more, " (and %d more)", others);
    snprintf(text, size, "%s: has no effect, as device.%s %s%s", path,
             scenario->device[device].head.name,
             scenario->device[device].kind == DEVICE_FPGA ? "has a circuit for each component"
                                                          : "is exclusive",
             more);
    return true;
}

bool load_unused_part_sentence(const struct scenario *scenario, int d, char *text, size_t size)
{
    const struct device *device = &scenario->device[d];
    const double cores = device->kind == DEVICE_CPU ? device_cores(device) : 0;
    double shares = 0;
    double workers = 0;
    bool all_shares = true;
    bool all_workers = cores > 0;
    char unused[32], all[32];

    if (device->kind == DEVICE_FPGA || !scenario_device_used(scenario, d) ||
        scenario_sharing(scenario, d) != SHARING_PARTITION)
        return false;
    for (int c = 0; c < scenario->component_count; c++) {
        const struct component *component = &scenario->component[c];

        if (!scenario_runs_on(scenario, c, d))
            continue;
        shares += component->share;
        workers += scenario_taken_cores(scenario, c, d);
        all_shares = all_shares && component->share > 0;
        all_workers = all_workers && scenario_workers(scenario, c, d) > 0;
    }
    if (all_workers && workers < 0.99 * cores) {
        number_format(cores - workers, unused, sizeof unused);
        number_format(cores, all, sizeof all);
        snprintf(text, size, "device.%s: no component uses %s of its %s cores", device->head.name,
                 unused, all);
        return true;
    }
    if (!all_workers && all_shares && shares < 0.99) {
        number_format(round(1e4 * (1 - shares)) / 1e4, unused, sizeof unused);
        snprintf(text, size, "device.%s: no component uses %s of it", device->head.name, unused);
        return true;
    }
    return false;
}

/* Ports ---------------------------------------------------------------------------------------- */

bool load_rdma_ingress_sentence(const struct scenario *scenario, int d, char *text, size_t size)
{
    char path[96];

    if (scenario->device[d].ingress != INGRESS_RDMA)
        return false;
    knob_path(scenario, knob_ref_to(KNOB_DEVICE_INGRESS, d), path, sizeof path);
    for (int c = 0; c < scenario->component_count; c++) {
        struct ingress_times times;

        if (scenario->component[c].type != COMPONENT_CAMERA || !scenario_feeds_host(scenario, c, d))
            continue;
        times = overhead_ingress(scenario, d, c);
        if (times.ingress == INGRESS_RDMA)
            continue;
        snprintf(text, size, "%s: rdma: no GPU receives %s, which is counted as %s", path,
                 scenario->component[c].head.name,
                 knob_word(KNOB_DEVICE_INGRESS, (int)times.ingress));
        return true;
    }
    return false;
}

bool load_rdma_copy_sentence(const struct scenario *scenario, int d, char *text, size_t size)
{
    char path[96];

    if (scenario->device[d].kind != DEVICE_GPU || scenario->device[d].copy != COPY_RDMA ||
        !scenario_device_used(scenario, d) || overhead_gpu_gets_pixels(scenario, d))
        return false;
    knob_path(scenario, knob_ref_to(KNOB_DEVICE_COPY, d), path, sizeof path);
    snprintf(text, size, "%s: rdma: no camera feeds this GPU; counted as mapped", path);
    return true;
}

/* Structure ------------------------------------------------------------------------------------ */

static int count_of_type(const struct scenario *scenario, enum component_type type)
{
    int count = 0;

    for (int c = 0; c < scenario->component_count; c++)
        count += scenario->component[c].type == (int)type;
    return count;
}

/* Writes that nobody uses what a component of a design with mirrors computes. Programs and custom
 * components may be ends: they record or send. */
static bool note_unread(const struct scenario *scenario, int component, char *text, size_t size)
{
    const struct component *c = &scenario->component[component];

    if (c->type == COMPONENT_DM || c->type == COMPONENT_PROGRAM || c->type == COMPONENT_CUSTOM ||
        count_of_type(scenario, COMPONENT_DM) == 0)
        return false;
    for (int i = 0; i < scenario->component_count; i++)
        if ((scenario_predecessors(scenario, i) >> component & 1) != 0)
            return false;
    snprintf(text, size, "component.%s: nothing uses its data", c->head.name);
    return true;
}

static bool note_unserved(const struct scenario *scenario, int wfs, char *text, size_t size)
{
    if (count_of_type(scenario, COMPONENT_CAMERA) == 0)
        return false;
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CAMERA && scenario_wfs(scenario, c) == wfs)
            return false;
    snprintf(text, size, "wfs.%s: no camera serves it", scenario->wfs[wfs].head.name);
    return true;
}

static double pupil_area(double across)
{
    return acos(-1) / 4 * square(across);
}

static bool note_subaps(const struct scenario *scenario, int wfs, char *text, size_t size)
{
    const double stated = scenario->wfs[wfs].valid_subaps;
    const double across = scenario->wfs[wfs].subaps_across;
    char number[3][32];

    if (scenario->wfs[wfs].mask.pattern != NULL && scenario->wfs[wfs].mask.pattern->inverted) {
        snprintf(
            text, size,
            "wfs.%s.mask: its corners are valid and the ring between them is not, as if it were "
            "inverted; black is valid in a PBM picture, white in a PGM picture, 1 in text",
            scenario->wfs[wfs].head.name);
        return true;
    }
    if (stated <= pupil_area(across + 1) || stated == square(across))
        return false;
    number_format(stated, number[0], sizeof number[0]);
    number_format(across, number[1], sizeof number[1]);
    number_format(round(pupil_area(across)), number[2], sizeof number[2]);
    snprintf(text, size, "wfs.%s.valid_subaps: %s stated, %s across gives about %s",
             scenario->wfs[wfs].head.name, number[0], number[1], number[2]);
    return true;
}

/* Writes that an agenda has another number of pixels than its sensor. */
static bool note_agenda(const struct scenario *scenario, const struct result *result, int wfs,
                        char *text, size_t size)
{
    const struct pattern *agenda = scenario->wfs[wfs].agenda.pattern;
    const struct wfs_result *sensor = &result->wfs[wfs];

    if (agenda == NULL || agenda->pixels == 0 || wfs >= result->wfs_count ||
        agenda->pixels == sensor->width * sensor->height)
        return false;
    snprintf(text, size, "wfs.%s.agenda: %.0f pixels, but the sensor has %.0f x %.0f = %.0f",
             scenario->wfs[wfs].head.name, agenda->pixels, sensor->width, sensor->height,
             sensor->width * sensor->height);
    return true;
}

static bool note_actuators(const struct scenario *scenario, char *text, size_t size)
{
    double total = 0;
    char number[2][32];

    for (int c = 0; c < scenario->component_count; c++) {
        if (scenario->component[c].type != COMPONENT_DM)
            continue;
        if (scenario->component[c].actuators == 0)
            return false;
        total += scenario->component[c].actuators;
    }
    if (total == 0 || total == scenario->ao.actuators)
        return false;
    number_format(scenario->ao.actuators, number[0], sizeof number[0]);
    number_format(total, number[1], sizeof number[1]);
    snprintf(text, size, "ao.actuators: %s, but the mirrors have %s", number[0], number[1]);
    return true;
}

/* Writes that a camera exposes longer than it has for a frame. */
static bool note_exposure(const struct scenario *scenario, int component, char *text, size_t size)
{
    const struct component *c = &scenario->component[component];
    char exposure[32], frame[32];
    double period;

    if (c->type != COMPONENT_CAMERA || scenario->wfs_count == 0)
        return false;
    period = scenario->wfs[scenario_wfs(scenario, component)].rate_divisor /
             scenario->general.frame_rate;
    if (c->exposure <= period * (1 + 1e-9))
        return false;
    quantity_print(c->exposure, "s", exposure, sizeof exposure);
    quantity_print(period, "s", frame, sizeof frame);
    snprintf(text, size, "component.%s.exposure: %s, longer than its frame of %s", c->head.name,
             exposure, frame);
    return true;
}

/* Writes the vibrations that the fastest camera samples too slowly. */
static bool note_vibrations(const struct scenario *scenario, char *text, size_t size)
{
    struct buffer note = buffer_over(text, size);
    struct vibration list[VIBRATION_MAX];
    double divisor = scenario->wfs_count > 0 ? scenario->wfs[0].rate_divisor : 1;
    double nyquist;
    char quantity[32];
    int count, fast = 0;

    for (int w = 1; w < scenario->wfs_count; w++)
        divisor = smaller(divisor, scenario->wfs[w].rate_divisor);
    nyquist = scenario->general.frame_rate / divisor / 2;
    if (vibrations_read(scenario->ao.vibrations, list, &count, NULL) != STATUS_OK)
        return false;
    for (int v = 0; v < count; v++) {
        if (list[v].frequency <= nyquist)
            continue;
        quantity_print(list[v].frequency, "Hz", quantity, sizeof quantity);
        buffer_print(&note, "%s%s", fast++ == 0 ? "ao.vibrations: " : ", ", quantity);
    }
    quantity_print(nyquist, "Hz", quantity, sizeof quantity);
    buffer_print(&note, " %s above half the frame rate, %s: the loop samples %s",
                 fast > 1 ? "are" : "is", quantity,
                 fast > 1 ? "them as slower ones" : "it as a slower one");
    return fast > 0;
}

/* Writes that a stated knob has no effect. `at`: counts all knobs of all sections. */
static bool note_vain(const struct scenario *scenario, int at, char *text, size_t size)
{
    char path[96];

    for (int s = 0; s < SECTION_COUNT; s++) {
        const enum section section = (enum section)s;
        const int knobs_of = knob_section_count(section);
        const int all = knobs_of * section_count(scenario, section);
        struct knob_ref ref;

        if (at >= all) {
            at -= all;
            continue;
        }
        ref = (struct knob_ref){section, at / knobs_of,
                                &knobs[knob_section_first(section) + at % knobs_of]};
        if (!knob_is_vain(scenario, ref))
            return false;
        knob_path(scenario, ref, path, sizeof path);
        snprintf(text, size, "%s: has no effect in this design", path);
        return true;
    }
    return false;
}

static int count_knobs(const struct scenario *scenario)
{
    int count = 0;

    for (int s = 0; s < SECTION_COUNT; s++)
        count += knob_section_count((enum section)s) * section_count(scenario, (enum section)s);
    return count;
}

/* Writes note number `at`, if there is one: those of components, of sensors, of the whole, of pairs
 * of values. */
static bool write_note(const struct scenario *scenario, const struct result *result, int at,
                       char *text, size_t size)
{
    if (at < scenario->component_count)
        return note_unread(scenario, at, text, size);
    at -= scenario->component_count;
    if (at < scenario->wfs_count)
        return note_unserved(scenario, at, text, size);
    at -= scenario->wfs_count;
    if (at < scenario->wfs_count)
        return note_subaps(scenario, at, text, size);
    at -= scenario->wfs_count;
    if (at < scenario->wfs_count)
        return note_agenda(scenario, result, at, text, size);
    at -= scenario->wfs_count;
    if (at < scenario->component_count)
        return note_exposure(scenario, at, text, size);
    at -= scenario->component_count;
    if (at < 2)
        return (at == 0 ? note_vibrations : note_actuators)(scenario, text, size);
    at -= 2;
    if (at < count_knobs(scenario))
        return note_vain(scenario, at, text, size);
    return order_note(scenario, result, at - count_knobs(scenario), text, size);
}

bool load_next_note(const struct scenario *scenario, const struct result *result, int *at,
                    char *text, size_t size)
{
    const int end = 2 * scenario->component_count + 3 * scenario->wfs_count + 2 +
                    count_knobs(scenario) + order_pairs(scenario);

    while (*at < end)
        if (write_note(scenario, result, (*at)++, text, size))
            return true;
    return false;
}

/* Memory --------------------------------------------------------------------------------------- */

void load_unfit_sentence(const struct scenario *scenario, const struct result *result, int d,
                         char *text, size_t size)
{
    char path[96], held[40], memory[40];

    knob_path(scenario, knob_ref_to(KNOB_DEVICE_MEMORY_SIZE, d), path, sizeof path);
    quantity_print(result->device[d].held, "B", held, sizeof held);
    quantity_print(scenario->device[d].memory_size, "B", memory, sizeof memory);
    snprintf(text, size, "%s: does not fit: %s of working sets, %s of memory", path, held, memory);
}
