#include "roofs_point.h"

#include <string.h>

#include "larger.h"
#include "stage.h"

/* A point in the making, and the seconds a frame of it takes with one cause more each. */
struct climb {
    const struct device *device;
    const struct stage *stage;
    struct roof_point *point;
    double least; /* at the roof */
    double after[LOSS_COUNT];
};

/* Work ----------------------------------------------------------------------------------------- */

static void add_cost(const struct memory_cost *cost, double bytes, double served[LEVEL_COUNT])
{
    for (int k = 0; k < cost->count; k++)
        served[cost->part[k].level] += bytes * cost->part[k].fraction;
}

static void add_work(const struct stage *stage, const struct work *work, struct roof_point *point)
{
    const struct stage_costs *costs = &stage->costs;
    double resident = stage->demand.sweeps * work->resident;

    point->flop += work->flop;
    point->bytes += work->read + work->written + resident;
    add_cost(&costs->arriving, work->read, point->served);
    add_cost(&costs->streamed, work->written, point->served);
    add_cost(&costs->resident, resident, point->served);
}

static void set_work(struct climb *climb)
{
    const struct stage *stage = climb->stage;
    struct roof_point *point = climb->point;
    double partial = stage->demand.accumulator * stage->weights.count;

    if (point->deferred) {
        add_work(stage, &stage->demand.deferred, point);
        return;
    }
    add_work(stage, &stage->demand.stream, point);
    add_work(stage, &stage->demand.tail, point);
    point->bytes += partial;
    add_cost(&stage->costs.streamed, partial, point->served);
}

/* Seconds of the bytes at the bandwidth of the levels they come from. */
static double transfer(const struct roof_point *point, const struct memory *levels)
{
    double seconds = 0;

    for (int k = 0; k < levels->count; k++)
        seconds += point->served[levels->level[k].id] / levels->level[k].bandwidth;
    return seconds;
}

/* Roof ----------------------------------------------------------------------------------------- */

static void set_roof(struct climb *climb)
{
    struct roof_point *point = climb->point;
    double peak = device_peak(climb->device, point->precision);
    double compute = point->flop / peak;
    struct memory all;
    double moved;

    device_memory(climb->device, 0, &all);
    moved = transfer(point, &all);
    climb->least = larger(compute, moved);
    point->under_memory = moved > compute;
    if (moved > 0)
        point->bandwidth = point->bytes / moved;
    if (point->flop > 0)
        point->roof = point->flop / climb->least;
    if (point->flop > 0 && point->bytes > 0)
        point->intensity = point->flop / point->bytes;
}

static void set_attained(struct roof_point *point)
{
    if (point->time <= 0)
        return;
    if (point->flop > 0)
        point->flops = point->flop / point->time;
    if (point->bytes > 0)
        point->rate = point->bytes / point->time;
}

/* Losses --------------------------------------------------------------------------------------- */

static void set_cores_and_efficiency(struct climb *climb)
{
    const struct device *device = climb->device;
    const struct stage *stage = climb->stage;
    double part = device->kind == DEVICE_GPU ? 1 : stage->cores / device_cores(device);
    double compute = climb->point->flop / (device_peak(device, climb->point->precision) * part);
    double moved = transfer(climb->point, stage->levels);

    climb->after[LOSS_CORES] = larger(compute, moved);
    climb->after[LOSS_EFFICIENCY] =
        larger(compute / (device->sustained_compute * stage->compute_efficiency),
               moved / (device->sustained_memory * stage->memory_efficiency));
}

static void set_latency_and_share(struct climb *climb, bool partition)
{
    const struct stage *stage = climb->stage;
    const struct span *span = climb->point->deferred ? &stage->deferred : &stage->whole;
    double share = partition && stage->share > 0 ? stage->share : 1;
    double compute = stage->own_cores ? span->compute : span->compute / share;

    climb->after[LOSS_LATENCY] = larger(span->compute, span->transfer + span->wait);
    climb->after[LOSS_SHARE] = larger(compute, span->transfer / share + span->wait);
}

static void set_packets_and_launch(struct climb *climb)
{
    const struct stage *stage = climb->stage;
    struct roof_point *point = climb->point;
    double fixed = point->deferred ? stage->fixed_deferred : stage->fixed_total;

    /* never less, but for rounding */
    climb->after[LOSS_PACKETS] = larger(point->time - fixed, climb->after[LOSS_SHARE]);
    climb->after[LOSS_LAUNCH] = larger(point->time, climb->after[LOSS_PACKETS]);
}

static void set_losses(struct climb *climb, bool partition)
{
    struct roof_point *point = climb->point;
    double before = climb->least;

    set_cores_and_efficiency(climb);
    set_latency_and_share(climb, partition);
    set_packets_and_launch(climb);
    for (int l = 0; l < LOSS_COUNT; l++) {
        point->loss[l] = climb->after[l] / before;
        before = climb->after[l];
        if (point->loss[l] > point->loss[point->worst])
            point->worst = (enum roof_loss)l;
    }
}

/* All ------------------------------------------------------------------------------------------ */

static enum bound bound_of(const struct climb *climb, const struct node_result *node)
{
    const struct stage *stage = climb->stage;

    if (!climb->point->deferred)
        return node->bound;
    if (stage->fixed_deferred > stage->deferred_time / 2)
        return BOUND_OVERHEAD;
    return stage->deferred.compute > stage->deferred.transfer + stage->deferred.wait ? BOUND_COMPUTE
                                                                                     : BOUND_MEMORY;
}

void roofs_point(const struct scenario *scenario, const struct result *result, int n, bool deferred,
                 struct roof_point *point)
{
    const struct node_result *node = &result->node[n];
    const struct component *component = &scenario->component[node->component];
    struct climb climb = {.device = &scenario->device[node->device],
                          .stage = &result->work->stage[n],
                          .point = point};

    *point = (struct roof_point){.node = n,
                                 .deferred = deferred,
                                 .precision = (enum precision)component->precision,
                                 .level = node->level,
                                 .time = deferred ? node->deferred : node->time,
                                 .intensity = RESULT_NONE,
                                 .flops = RESULT_NONE,
                                 .rate = RESULT_NONE,
                                 .bandwidth = RESULT_NONE,
                                 .roof = RESULT_NONE,
                                 .fraction = RESULT_NONE};
    memcpy(point->name, node->name, sizeof point->name);
    for (int l = 0; l < LOSS_COUNT; l++)
        point->loss[l] = 1;
    point->bound = bound_of(&climb, node);
    if (climb.stage->program != NULL)
        return;
    set_work(&climb);
    set_roof(&climb);
    set_attained(point);
    if (climb.least <= 0 || point->time <= 0)
        return;
    point->fraction = climb.least / point->time;
    set_losses(&climb, scenario->general.sharing == SHARING_PARTITION);
}
