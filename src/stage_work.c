#include <math.h>

#include "device.h"
#include "larger.h"
#include "stage.h"
#include "workload.h"

static void set_efficiencies(const struct component *c, const struct algorithm *algorithm,
                             const struct device *device, enum access access, struct stage *stage)
{
    bool waits = memory_model_waits((enum memory_model)device->memory_model);

    stage->compute_efficiency = c->compute_efficiency;
    if (stage->compute_efficiency == 0)
        stage->compute_efficiency =
            device_chain_latency(device, algorithm->chain) > 0
                ? 1 /* what else keeps it from its peak the chain says */
                : algorithm_efficiency(algorithm, device, (enum precision)c->precision);
    stage->memory_efficiency = c->memory_efficiency;
    if (stage->memory_efficiency == 0)
        stage->memory_efficiency = memory_access_efficiency(waits ? ACCESS_SEQUENTIAL : access) *
                                   (device->kind == DEVICE_GPU ? algorithm->gpu_memory : 1);
}

static bool arrives(const struct plan *plan, const struct plan_node *node)
{
    for (int i = 0; i < node->before_count; i++) {
        enum component_type type = plan->node[plan->pool[node->before_first + i]].type;

        if (type == COMPONENT_CAMERA || type == COMPONENT_TRANSFER)
            return true;
    }
    return false;
}

/* Elements in a row by pattern; `in_order` where all of them follow one another. */
static double row_length(enum access access, double element, double in_order)
{
    switch (access) {
    case ACCESS_STRIDED:
        return 64 / element; /* a cache line */
    case ACCESS_RANDOM:
        return 1;
    case ACCESS_SEQUENTIAL:
        break;
    }
    return in_order;
}

static double streamed_bytes(const struct work *part)
{
    return part->read + part->written;
}

/* Bytes of a packet that are not of the working set. */
static double packet_bytes(const struct stage *stage)
{
    const struct demand *demand = &stage->demand;
    double frame = streamed_bytes(&demand->stream) + streamed_bytes(&demand->tail) +
                   streamed_bytes(&demand->deferred);

    return frame / larger(1, stage->weights.count) + demand->accumulator;
}

/* What must fit into a cache for a byte to be found there again: all that is touched in between. Of
 * a device that was measured, whose capacities are what the caches really hold, that is the working
 * sets and what streams past them, once where it is read as soon as it is written, a packet's part
 * of the working set where it is the streams that come again. (Calibration of 67 kB in all on a
 * first level of 32 KiB: 38 kB of maps alone would have most of them found there.) What others
 * assume to be usable of a cache leaves that room. */
static void set_costs(struct workspace *work, const struct component *c,
                      const struct device *device, enum access access, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    enum memory_model model = (enum memory_model)device->memory_model;
    double element = precision_bytes((enum precision)c->precision);
    double packet = packet_bytes(stage);
    double rows = stage->demand.block > 0 ? stage->demand.block : stage->working_set / element;
    bool both = device_knows_operations(device);
    double touched = packet - stage->demand.again / larger(1, stage->weights.count);
    double swept = stage->working_set / larger(1, stage->weights.count);
    struct traffic resident = {.held = work->held[node->device] + (both ? touched : 0),
                               .block = c->block > 0 ? c->block : row_length(access, element, rows),
                               .element = element,
                               .locality = c->locality};
    struct traffic streamed = {.held = both ? touched + swept : packet,
                               .block = row_length(access, element, packet / element),
                               .element = element,
                               .locality = c->locality};

    stage->block = larger(1, resident.block);
    memory_cost(model, stage->levels, &resident, &stage->costs.resident);
    memory_cost(model, stage->levels, &streamed, &stage->costs.streamed);
    streamed.beyond = true;
    stage->arrives = arrives(&work->plan, node);
    if (stage->arrives)
        memory_cost(model, stage->levels, &streamed, &stage->costs.arriving);
    else
        stage->costs.arriving = stage->costs.streamed;
}

/* The vector that rows read anew, beside the row that passes, in the caches of each core. */
static void set_operand(const struct component *c, const struct device *device, struct stage *stage)
{
    struct memory_cost *cost = &stage->costs.operand;
    const struct traffic traffic = {.held = 2 * stage->vector * stage->cores /
                                            larger(1, stage->weights.count),
                                    .block = (double)INFINITY,
                                    .element = precision_bytes((enum precision)c->precision),
                                    .locality = c->locality};

    stage->operand = stage->chain_items * stage->vector / c->chains;
    if (stage->operand == 0) {
        cost->count = 0;
        cost->transfer = cost->wait = 0;
        return;
    }
    memory_cost((enum memory_model)device->memory_model, stage->levels, &traffic, cost);
    cost->transfer -= cost->part[0].transfer;
    cost->part[0].transfer = 0;
    if (device->operand_bandwidth > 0 && cost->count > 1)
        cost->part[0].transfer =
            cost->part[0].fraction / (stage->cores * device->operand_bandwidth);
    cost->transfer += cost->part[0].transfer;
}

/* Seconds at share 1 of a part of the work. */
static struct span span_of(const struct stage *stage, const struct work *part, double per_flop,
                           double stretch)
{
    const struct stage_costs *costs = &stage->costs;
    double resident = stage->demand.sweeps * part->resident;

    if (part->flop + part->read + part->written + resident == 0) /* most have a stream only */
        return (struct span){0, 0, 0};
    return (struct span){
        .compute = part->flop * per_flop,
        .transfer =
            (part->read * costs->arriving.transfer + part->written * costs->streamed.transfer +
             resident * costs->resident.transfer) *
            stretch,
        .wait = part->read * costs->arriving.wait + part->written * costs->streamed.wait +
                resident * costs->resident.wait,
    };
}

static void add_span(struct span *sum, const struct span *span, double times)
{
    sum->compute += times * span->compute;
    sum->transfer += times * span->transfer;
    sum->wait += times * span->wait;
}

/* The same levels of the two costs, the last of them memory. */
static double level_time(const struct memory_part *resident, double resident_bytes,
                         const struct memory_part *streamed, double streamed_bytes, double stretch)
{
    return (resident_bytes * resident->transfer + streamed_bytes * streamed->transfer) * stretch +
           resident_bytes * resident->wait + streamed_bytes * streamed->wait;
}

/* The level that takes most of the memory time; memory where nothing is moved. */
static enum memory_level_id slowest_level(const struct stage *stage, double stretch)
{
    const struct demand *demand = &stage->demand;
    const struct stage_costs *costs = &stage->costs;
    int last = costs->resident.count - 1;
    double held = demand->sweeps * stage->working_set;
    double read = demand->stream.read + demand->tail.read + demand->deferred.read;
    double passed = demand->stream.written + demand->tail.written + demand->deferred.written +
                    demand->accumulator * stage->weights.count + (stage->arrives ? 0 : read);
    double most =
        level_time(&costs->resident.part[last], held, &costs->streamed.part[last], passed, stretch);
    enum memory_level_id slowest = LEVEL_MEMORY;

    if (stage->arrives)
        most += read * (costs->arriving.transfer * stretch + costs->arriving.wait);
    for (int k = last - 1; k >= 0; k--) {
        double seconds =
            level_time(&costs->resident.part[k], held, &costs->streamed.part[k], passed, stretch);

        if (seconds > most) {
            most = seconds;
            slowest = costs->resident.part[k].level;
        }
    }
    return slowest;
}

static void set_spans(struct stage *stage, double flops, double rate)
{
    const struct demand *demand = &stage->demand;
    double per_flop = 1 / flops;
    double stretch = 1 / rate;

    stage->stream = span_of(stage, &demand->stream, per_flop, stretch);
    stage->stream.compute = larger(stage->stream.compute, larger(stage->chain, stage->scalar));
    stage->stream.transfer += stage->operand * stage->costs.operand.transfer * stretch;
    stage->tail = span_of(stage, &demand->tail, per_flop, stretch);
    stage->deferred = span_of(stage, &demand->deferred, per_flop, stretch);
    stage->accumulator =
        (struct span){.transfer = demand->accumulator * stage->costs.streamed.transfer * stretch,
                      .wait = demand->accumulator * stage->costs.streamed.wait};
    stage->whole = stage->stream;
    add_span(&stage->whole, &stage->tail, 1);
    add_span(&stage->whole, &stage->accumulator, stage->weights.count);
    stage->level = slowest_level(stage, stretch);
}

/* FLOP/s of the cores in use at share 1. */
static double flops_of(const struct component *c, const struct device *device,
                       const struct stage *stage)
{
    double part = device->kind == DEVICE_GPU ? 1 : stage->cores / device_cores(device);

    return device_peak(device, (enum precision)c->precision) * device->sustained_compute *
           stage->compute_efficiency * part;
}

/* Seconds of the sums that wait for themselves at share 1. */
static double chain_time(const struct component *c, const struct device *device,
                         const struct stage *stage)
{
    if (stage->chain_items == 0)
        return 0;
    return stage->chain_items * stage->chain_depth *
           device_chain_latency(device, stage->algorithm->chain) /
           (stage->cores * c->chains *
            chain_overlap(stage->algorithm->chain, stage->chain_depth, device->window));
}

/* Seconds of what such sums have to compute, number by number, at share 1. */
static double scalar_time(const struct component *c, const struct device *device,
                          const struct stage *stage)
{
    double flops = device_scalar_flops(device, stage->algorithm->chain);

    return flops > 0 ? stage->demand.stream.flop / (flops * stage->cores * c->chains) : 0;
}

bool stage_alone(const struct component *c, const struct device *device, const struct stage *stage)
{
    const struct program *program = c->type == COMPONENT_PROGRAM ? c->trace.program : NULL;

    return device->kind == DEVICE_CPU &&
           (stage->cores == 1 || (program != NULL && program->threads == 1));
}

static void set_fixed(const struct component *c, const struct device *device, struct stage *stage)
{
    bool alone = stage_alone(c, device, stage);
    double launch = alone ? 0 : device->launch;

    stage->fixed = c->overhead + launch * stage->demand.kernels;
    stage->fixed_tail = launch * stage->demand.tail_kernels;
    stage->fixed_deferred = launch * stage->demand.deferred_kernels;
    stage->fixed_total = stage->fixed * stage->weights.count + stage->fixed_tail;
}

void stage_work(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];
    struct stage *stage = &work->stage[n];
    const struct algorithm *algorithm = stage->algorithm;
    enum access access = c->access == CHOICE_AUTO ? algorithm->access : (enum access)c->access;
    struct track *track = &work->track[n];

    set_efficiencies(c, algorithm, device, access, stage);
    set_costs(work, c, device, access, n);
    set_operand(c, device, stage);
    stage->chain = chain_time(c, device, stage);
    stage->scalar = scalar_time(c, device, stage);
    set_spans(stage, flops_of(c, device, stage),
              device->sustained_memory * stage->memory_efficiency);
    set_fixed(c, device, stage);
    track->kind = TRACK_COMPUTE;
    track->overlap = scenario->general.overlap;
    stage->slots = stage_at_share(stage, 1, (int)scenario->general.packets, track);
    /* what only adds up vectors needs a share all the same */
    stage->work = stage->slots > 0 ? stage->slots : track->tail;
}
