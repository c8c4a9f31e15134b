#include "model/breakdown.h"

#include <string.h>

#include "base/number.h"
#include "model/critical.h"
#include "model/outcome.h"
#include "model/stage.h"

struct breaking {
    const struct scenario *scenario;
    const struct workspace *work;
    struct breakdown *into;
    struct sharers sharers;
};

/* Times of one slot by figure, s; the last entry is certain. */
struct parts {
    double of[FIGURE_COUNT + 1];
};

static double sum_of(const struct parts *parts)
{
    double sum = 0;

    for (int f = 0; f <= FIGURE_COUNT; f++)
        sum += parts->of[f];
    return sum;
}

/* Adds `seconds`, divided as the parts are, to a device; all of it is certain if there is none. */
static void add_parts(const struct breaking *b, int device, const struct parts *parts,
                      double seconds)
{
    double sum = sum_of(parts);

    if (sum <= 0 || device < 0) {
        b->into->certain += seconds;
        return;
    }
    for (int f = 0; f < FIGURE_COUNT; f++)
        b->into->of[device][f] += seconds * parts->of[f] / sum;
    b->into->certain += seconds * parts->of[FIGURE_NONE] / sum;
}

/* Takes `seconds` of what is left as a part. */
static void take_part(struct parts *parts, enum time_figure figure, double seconds, double *left)
{
    double part = smaller(seconds, *left);

    parts->of[figure] += part;
    *left -= part;
}

/* Adds the time of each level for a number of bytes. */
static void add_level_times(const struct memory_cost *cost, double bytes, double rate,
                            double times[LEVEL_COUNT])
{
    for (int k = 0; k < cost->count; k++)
        times[cost->part[k].level] += bytes * (cost->part[k].transfer / rate + cost->part[k].wait);
}

/* Adds a component's memory time, divided between the levels. */
static void add_memory(const struct stage *stage, double memory, struct parts *parts)
{
    static const enum time_figure figures[LEVEL_COUNT] = {[LEVEL_L1] = FIGURE_L1,
                                                          [LEVEL_L2] = FIGURE_L2,
                                                          [LEVEL_L3] = FIGURE_L3,
                                                          [LEVEL_MEMORY] = FIGURE_MEMORY};
    const struct demand *demand = &stage->demand;
    const struct stage_costs *costs = &stage->costs;
    double rate = stage->memory_rate;
    double times[LEVEL_COUNT] = {0};
    double sum = 0;

    add_level_times(&costs->resident, demand->sweeps * stage->working_set, rate, times);
    add_level_times(&costs->arriving, demand->stream.read + demand->tail.read, rate, times);
    add_level_times(&costs->streamed,
                    demand->stream.written + demand->tail.written +
                        demand->accumulator * stage->weights.count,
                    rate, times);
    add_level_times(&costs->operand, stage->operand, rate, times);
    for (int level = 0; level < LEVEL_COUNT; level++)
        sum += times[level];
    if (sum <= 0)
        parts->of[FIGURE_MEMORY] += memory;
    for (int level = 0; level < LEVEL_COUNT && sum > 0; level++)
        parts->of[figures[level]] += memory * times[level] / sum;
}

/* Adds the compute and memory time of a part of the work. */
static void add_work(const struct stage *stage, double compute, double memory, double overlap,
                     struct parts *parts)
{
    if (compute > memory)
        memory *= 1 - overlap;
    else
        compute *= 1 - overlap;
    parts->of[FIGURE_COMPUTE] += compute;
    add_memory(stage, memory, parts);
}

/* Returns the occupying time of a component's slot. */
static struct parts work_parts(const struct breaking *b, int n, int slot)
{
    const struct plan_node *node = &b->work->plan.node[n];
    const struct component *c = &b->scenario->component[node->component];
    const struct overhead *overhead = &b->work->overhead[node->device];
    const struct stage *stage = &b->work->stage[n];
    const struct track *track = &b->work->track[n];
    double weight = track_weight(track, slot);
    bool last = slot == track->slots - 1;
    bool alone = stage_alone(c, &b->scenario->device[node->device], stage);
    const double software = stage_factor(b->work, node->device, CAUSE_SOFTWARE);
    double boundary =
        alone ? 0 : overhead->boundary * stage_factor(b->work, node->device, CAUSE_DISPATCH);
    bool owned = stage_is_partitioned(b->work, node->device) && stage->share > 0;
    double slower = owned ? 1 / stage->share : 1;
    struct parts parts = {{0}};

    if (weight > 0) {
        parts.of[FIGURE_BOUNDARY] += boundary * stage->demand.kernels;
        parts.of[FIGURE_OVERHEAD] += c->overhead * software;
        parts.of[FIGURE_OPERATOR] += stage->operators * overhead->operator* stage_factor(
                                                            b->work, node->device, CAUSE_FRAMEWORK);
        add_work(stage, weight * track->compute, weight * track->memory + track->accumulator,
                 track->overlap, &parts);
    }
    if (last) {
        parts.of[FIGURE_BOUNDARY] += boundary * stage->demand.tail_kernels;
        parts.of[FIGURE_SOFTWARE] += overhead->software * software;
        add_work(stage, stage->own_cores ? stage->tail.compute : stage->tail.compute * slower,
                 stage_span_memory(&stage->tail, slower), track->overlap, &parts);
    }
    return parts;
}

/* Returns the device to which the time of a link belongs: the GPU of a copy, the host of a port. */
static int link_device(const struct breaking *b, int n, bool after)
{
    const struct plan_node *node = &b->work->plan.node[n];

    if (node->hop == HOP_PCIE || node->hop == HOP_PEER)
        return plan_hop_board(&b->work->plan, node);
    return after ? node->to : node->from;
}

static bool is_copy(const struct plan_node *node)
{
    return (node->hop == HOP_PCIE && node->type != COMPONENT_DM) || node->hop == HOP_PEER;
}

/* Returns the time of a hand-over on a host. */
static double host_handover(const struct breaking *b, int host)
{
    return b->work->overhead[host].handover * stage_factor(b->work, host, CAUSE_DISPATCH);
}

/* Takes the sleep, hand-over and launch of a component's slot from its delay; the rest is the time
 * of the thread that enqueues it. */
static void take_dispatch(const struct breaking *b, int n, int slot, struct parts *parts,
                          double *left)
{
    const struct timeline *timeline = &b->work->timeline;
    const struct track *track = &b->work->track[n];
    int host = b->work->plan.device[b->work->plan.node[n].device].host;
    bool begins = track_begins(timeline->tracks, n, timeline->report, slot);
    double handover = smaller(host_handover(b, host), track->delay_inside);

    take_part(parts, FIGURE_HANDOVER, handover, left);
    take_part(parts, FIGURE_LAUNCH, (begins ? track->delay : track->delay_inside) - handover, left);
    take_part(parts, FIGURE_ENQUEUE, *left, left);
}

/* Adds the delay of a slot before it asks for its device or link. */
static void add_delay(const struct breaking *b, int n, int slot, double seconds)
{
    const struct plan_node *node = &b->work->plan.node[n];
    const struct track *track = &b->work->track[n];
    struct parts parts = {{0}};
    int device = node->device;
    double left = seconds;

    if (seconds <= 0)
        return;
    if (track->sleep > 0 && slot == track->sleep_slot)
        take_part(&parts, FIGURE_SLEEP, track->sleep, &left);
    if (track->kind == TRACK_LINK) {
        device = link_device(b, n, false);
        take_part(&parts, FIGURE_ENQUEUE, track->enqueue, &left);
        if (!is_copy(node) && device >= 0)
            take_part(&parts, FIGURE_HANDOVER, host_handover(b, device), &left);
        take_part(&parts,
                  !is_copy(node)          ? FIGURE_EGRESS
                  : node->hop == HOP_PEER ? FIGURE_PEER_LATENCY
                                          : FIGURE_COPY_LATENCY,
                  left, &left);
    } else if (node->device >= 0) {
        take_dispatch(b, n, slot, &parts, &left);
    }
    add_parts(b, device, &parts, seconds);
}

/* Returns the figure of the bytes of a copy: between GPUs they need no PCIe where there is a link
 * of their own. */
static enum time_figure copy_figure(const struct plan_node *node)
{
    return node->hop == HOP_PEER && node->queue[0] == NO_QUEUE ? FIGURE_PEER_RATE
                                                               : FIGURE_COPY_RATE;
}

/* Divides the time of a port between its latency and its datagrams, and notes the way in. */
static void take_port(const struct breaking *b, int host, const struct ingress_times *times,
                      struct parts *parts, double *left)
{
    take_part(parts, FIGURE_INGRESS, times->latency * stage_factor(b->work, host, CAUSE_PORT),
              left);
    take_part(parts, FIGURE_DATAGRAM, *left, left);
    if (host >= 0)
        b->into->ingress[host] = times->ingress;
}

/* Adds the time for which a slot held its device or link, and the latency after it. */
static void add_busy(const struct breaking *b, int n, int slot, double seconds)
{
    const struct plan_node *node = &b->work->plan.node[n];
    const struct track *track = &b->work->track[n];
    struct parts parts = {{0}};

    if (seconds <= 0)
        return;
    if (track->kind == TRACK_COMPUTE && node->device >= 0) {
        parts = work_parts(b, n, slot);
        add_parts(b, node->device, &parts, seconds);
    } else if (track->kind == TRACK_LINK && is_copy(node)) {
        parts.of[copy_figure(node)] = 1;
        add_parts(b, link_device(b, n, true), &parts, seconds);
    } else if (track->kind == TRACK_LINK && node->to >= 0) {
        struct ingress_times times = overhead_ingress(b->scenario, node->to, -1);
        double bytes = track->bytes * track_weight(track, slot);
        double core = track_link_time(track, bytes) - wire_time(&track->wire, bytes);
        const double factor = stage_factor(b->work, node->to, CAUSE_PORT);
        double port = smaller(seconds, (times.latency + times.datagram) * factor + core);

        parts.of[FIGURE_NONE] = seconds - port;
        take_port(b, node->to, &times, &parts, &port);
        add_parts(b, node->to, &parts, seconds);
    } else {
        b->into->certain += seconds;
    }
}

/* Adds the time between the last packet on the wire and its arrival in the program. */
static void add_arrival(const struct breaking *b, int n, double seconds)
{
    const struct plan_node *node = &b->work->plan.node[n];
    struct parts parts = {{0}};
    double left = seconds;

    take_part(&parts, FIGURE_SLEEP, b->work->track[n].sleep, &left);
    take_part(&parts, FIGURE_MEMORY, b->work->stage[n].frame_copy, &left);
    take_port(b, node->to, &b->work->ingress[n], &parts, &left);
    add_parts(b, node->to, &parts, seconds);
}

static void add_wait_part(void *breaking, int n, int slot, double seconds)
{
    add_busy(breaking, n, slot, seconds);
}

/* Adds a wait to the causes of the slots that held what was waited for. */
static void add_wait(struct breaking *b, const struct path_slot *at)
{
    if (at->wait > 0 &&
        !critical_divide_wait(&b->work->timeline, at, &b->sharers, add_wait_part, b))
        b->into->certain += at->wait;
}

/* Divides the latency, or of it the busy time of one node. */
static void find_parts(const struct scenario *scenario, const struct result *result, int node,
                       struct breakdown *breakdown)
{
    struct breaking b; /* without filling the lists of `sharers` with 0 */
    int last = outcome_command_node(result->work);
    struct path_cursor cursor;
    struct path_slot at;

    memset(breakdown, 0, sizeof *breakdown);
    if (last < 0)
        return;
    b.scenario = scenario;
    b.work = result->work;
    b.into = breakdown;
    b.sharers.known = false;
    cursor = critical_path_end(&result->work->timeline, last, outcome_clock(result->work));
    while (critical_path_back(&cursor, &at)) {
        double busy = at.to - at.from - at.delay - at.wait;

        if (node >= 0 && at.node != node)
            continue;
        if (result->work->track[at.node].kind == TRACK_CAMERA) {
            add_arrival(&b, at.node, at.to - at.from);
            continue;
        }
        add_delay(&b, at.node, at.slot, at.delay);
        if (node < 0)
            add_wait(&b, &at);
        add_busy(&b, at.node, at.slot, busy);
    }
}

double breakdown_part(const struct breakdown *breakdown, int device, enum cause cause)
{
    double part = 0;

    for (int f = 0; f < FIGURE_COUNT; f++)
        if (time_figure_cause((enum time_figure)f) == cause)
            part += breakdown->of[device][f];
    return part;
}

void breakdown_find(const struct scenario *scenario, const struct result *result,
                    struct breakdown *breakdown)
{
    find_parts(scenario, result, -1, breakdown);
}

void breakdown_find_frame(const struct scenario *scenario, const struct result *result, int node,
                          struct breakdown *breakdown)
{
    struct breaking b; /* without filling the lists of `sharers` with 0 */

    memset(breakdown, 0, sizeof *breakdown);
    b.scenario = scenario;
    b.work = result->work;
    b.into = breakdown;
    for (int slot = 0; slot < result->work->track[node].slots; slot++) {
        struct parts parts = work_parts(&b, node, slot);

        add_parts(&b, result->node[node].device, &parts, sum_of(&parts));
    }
}

void breakdown_find_node(const struct scenario *scenario, const struct result *result, int node,
                         struct breakdown *breakdown)
{
    find_parts(scenario, result, node, breakdown);
}
