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

/* Times of one slot by cause, s; the last entry is certain. */
struct causes {
    double of[CAUSE_COUNT + 1];
};

static double sum_of(const struct causes *causes)
{
    double sum = 0;

    for (int c = 0; c <= CAUSE_COUNT; c++)
        sum += causes->of[c];
    return sum;
}

/* Adds `seconds`, divided as the causes are, to a device; all of it is certain if there is no
 * cause. */
static void add_causes(const struct breaking *b, int device, const struct causes *causes,
                       double seconds)
{
    double sum = sum_of(causes);

    if (sum <= 0 || device < 0) {
        b->into->certain += seconds;
        return;
    }
    for (int c = 0; c < CAUSE_COUNT; c++)
        b->into->of[device][c] += seconds * causes->of[c] / sum;
    b->into->certain += seconds * causes->of[CAUSE_NONE] / sum;
}

/* Returns the time of the outermost level and of all levels for a number of bytes. */
static void add_level_times(const struct memory_cost *cost, double bytes, double rate,
                            double times[2])
{
    for (int k = 0; k < cost->count; k++) {
        double time = bytes * (cost->part[k].transfer / rate + cost->part[k].wait);

        times[memory_cause(cost->part[k].level) == CAUSE_MEMORY ? 0 : 1] += time;
    }
}

/* Returns the fraction of a component's memory time that is beyond the caches. */
static double outer_fraction(const struct stage *stage)
{
    const struct demand *demand = &stage->demand;
    const struct stage_costs *costs = &stage->costs;
    double rate = stage->memory_rate;
    double times[2] = {0, 0};

    add_level_times(&costs->resident, demand->sweeps * stage->working_set, rate, times);
    add_level_times(&costs->arriving, demand->stream.read + demand->tail.read, rate, times);
    add_level_times(&costs->streamed,
                    demand->stream.written + demand->tail.written +
                        demand->accumulator * stage->weights.count,
                    rate, times);
    add_level_times(&costs->operand, stage->operand, rate, times);
    return times[0] + times[1] > 0 ? times[0] / (times[0] + times[1]) : 1;
}

/* Adds the compute and memory time of a part of the work. */
static void add_work(const struct stage *stage, double compute, double memory, double overlap,
                     struct causes *causes)
{
    double outer = outer_fraction(stage);

    if (compute > memory)
        memory *= 1 - overlap;
    else
        compute *= 1 - overlap;
    causes->of[CAUSE_COMPUTE] += compute;
    causes->of[CAUSE_MEMORY] += memory * outer;
    causes->of[CAUSE_CACHE] += memory * (1 - outer);
}

/* Returns the occupying time of a component's slot by cause. */
static struct causes work_causes(const struct breaking *b, int n, int slot)
{
    const struct plan_node *node = &b->work->plan.node[n];
    const struct component *c = &b->scenario->component[node->component];
    const struct overhead *overhead = &b->work->overhead[node->device];
    const struct stage *stage = &b->work->stage[n];
    const struct track *track = &b->work->track[n];
    double weight = track_weight(track, slot);
    bool last = slot == track->slots - 1;
    bool alone = stage_alone(c, &b->scenario->device[node->device], stage);
    double boundary = alone ? 0 : overhead->boundary;
    double slower = track->sharing == SHARING_PARTITION && stage->share > 0 ? 1 / stage->share : 1;
    struct causes causes = {{0}};

    if (weight > 0) {
        causes.of[CAUSE_DISPATCH] += boundary * stage->demand.kernels;
        causes.of[CAUSE_SOFTWARE] += c->overhead;
        causes.of[CAUSE_FRAMEWORK] += stage->operators * overhead->operator;
        add_work(stage, weight * track->compute, weight * track->memory + track->accumulator,
                 track->overlap, &causes);
    }
    if (last) {
        causes.of[CAUSE_DISPATCH] += boundary * stage->demand.tail_kernels;
        causes.of[CAUSE_SOFTWARE] += overhead->software;
        add_work(stage, stage->own_cores ? stage->tail.compute : stage->tail.compute * slower,
                 stage->tail.transfer * slower + stage->tail.wait, track->overlap, &causes);
    }
    return causes;
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

/* Adds the delay of a slot before it asks for its device or link. */
static void add_delay(const struct breaking *b, int n, int slot, double seconds)
{
    const struct plan_node *node = &b->work->plan.node[n];
    const struct track *track = &b->work->track[n];
    struct causes causes = {{0}};
    int device = node->device;

    if (seconds <= 0)
        return;
    if (track->sleep > 0 && slot == track->sleep_slot)
        causes.of[CAUSE_SLEEP] = smaller(track->sleep, seconds);
    if (track->kind == TRACK_LINK) {
        double enqueue = smaller(track->enqueue, seconds);

        device = link_device(b, n, false);
        causes.of[CAUSE_DISPATCH] = enqueue;
        if (is_copy(node)) {
            causes.of[CAUSE_COPY] = seconds - enqueue;
        } else if (device >= 0) {
            double handover = smaller(b->work->overhead[device].handover, seconds);

            causes.of[CAUSE_DISPATCH] += handover;
            causes.of[CAUSE_PORT] = seconds - enqueue - handover;
        }
    } else {
        causes.of[CAUSE_DISPATCH] = seconds - causes.of[CAUSE_SLEEP];
    }
    add_causes(b, device, &causes, seconds);
}

/* Adds the time for which a slot held its device or link, and the latency after it. */
static void add_busy(const struct breaking *b, int n, int slot, double seconds)
{
    const struct plan_node *node = &b->work->plan.node[n];
    const struct track *track = &b->work->track[n];
    struct causes causes = {{0}};

    if (seconds <= 0)
        return;
    if (track->kind == TRACK_COMPUTE && node->device >= 0) {
        causes = work_causes(b, n, slot);
        add_causes(b, node->device, &causes, seconds);
    } else if (track->kind == TRACK_LINK && is_copy(node)) {
        causes.of[CAUSE_COPY] = 1;
        add_causes(b, link_device(b, n, true), &causes, seconds);
    } else if (track->kind == TRACK_LINK && node->to >= 0) {
        struct ingress_times times = overhead_ingress(b->scenario, node->to, -1);
        double bytes = track->bytes * track_weight(track, slot);
        double core = track_link_time(track, bytes) - wire_time(&track->wire, bytes);

        causes.of[CAUSE_PORT] = smaller(seconds, times.latency + times.datagram + core);
        causes.of[CAUSE_NONE] = seconds - causes.of[CAUSE_PORT];
        add_causes(b, node->to, &causes, seconds);
    } else {
        b->into->certain += seconds;
    }
}

/* Adds the time between the last packet on the wire and its arrival in the program. */
static void add_arrival(const struct breaking *b, int n, double seconds)
{
    const struct track *track = &b->work->track[n];
    struct causes causes = {{0}};

    causes.of[CAUSE_SLEEP] = smaller(track->sleep, seconds);
    causes.of[CAUSE_PORT] = seconds - causes.of[CAUSE_SLEEP];
    add_causes(b, b->work->plan.node[n].to, &causes, seconds);
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

void breakdown_find(const struct scenario *scenario, const struct result *result,
                    struct breakdown *breakdown)
{
    find_parts(scenario, result, -1, breakdown);
}

void breakdown_find_node(const struct scenario *scenario, const struct result *result, int node,
                         struct breakdown *breakdown)
{
    find_parts(scenario, result, node, breakdown);
}
