#include "model/roofline.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "design/knob_table.h"
#include "model/stage.h"

/* --- Ceilings --- */

static struct roof_ceiling *add_ceiling(struct roofs *roofs, enum roof_kind kind, double peak,
                                        double part, const char *what, const char *unit)
{
    struct roof_ceiling *ceiling = &roofs->ceiling[roofs->ceilings++];
    char rate[32];

    *ceiling = (struct roof_ceiling){.kind = kind, .peak = peak, .sustained = peak * part};
    quantity_print(peak, unit, rate, sizeof rate);
    snprintf(ceiling->what, sizeof ceiling->what, "%s", what);
    snprintf(ceiling->name, sizeof ceiling->name, "%s %s", what, rate);
    return ceiling;
}

static void add_levels(const struct device *device, struct roofs *roofs)
{
    struct memory memory;

    device_memory(device, 0, &memory);
    for (int k = 0; k < memory.count; k++) {
        const struct memory_level *level = &memory.level[k];

        add_ceiling(roofs, ROOF_LEVEL, level->bandwidth, device->sustained_memory,
                    memory_level_name(level->id), "B/s")
            ->level = level->id;
    }
}

static void add_peak(const struct device *device, struct roofs *roofs, enum roof_kind kind,
                     enum precision precision, double peak)
{
    bool fuses = device->kind == DEVICE_GPU ? device->ops_per_clock > 1 : device->fma != 0;
    const char *how = kind == ROOF_NO_FMA   ? " no FMA"
                      : kind == ROOF_SCALAR ? " scalar"
                      : fuses               ? " FMA"
                                            : "";
    char what[32];

    snprintf(what, sizeof what, "%s%s", knob_word(KNOB_COMPONENT_PRECISION, (int)precision), how);
    add_ceiling(roofs, kind, peak, device->sustained_compute, what, roofs_rate_unit(precision))
        ->precision = precision;
}

/* Every processor has fp64 and fp32, every GPU all; bf16 goes at the rate of fp16. What else a
 * processor's registers might hold counts where a component uses it. */
static bool has(const struct device *device, enum precision precision)
{
    return precision == PRECISION_FP64 || precision == PRECISION_FP32 ||
           (device->kind == DEVICE_GPU && precision != PRECISION_BF16);
}

static bool uses(const struct roofs *roofs, enum precision precision)
{
    for (int p = 0; p < roofs->points; p++)
        if (roofs->point[p].precision == precision)
            return true;
    return false;
}

/* From the highest: by element, but where a GPU's ratios have it otherwise. */
static void sort_peaks(struct roofs *roofs, int first)
{
    for (int i = first + 1; i < roofs->ceilings; i++) {
        struct roof_ceiling moved = roofs->ceiling[i];
        int at = i;

        for (; at > first && roofs->ceiling[at - 1].peak < moved.peak; at--)
            roofs->ceiling[at] = roofs->ceiling[at - 1];
        roofs->ceiling[at] = moved;
    }
}

static void add_peaks(const struct device *device, struct roofs *roofs)
{
    int first = roofs->ceilings;
    double lanes = device_lanes(device, PRECISION_FP32);
    double single = device_peak(device, PRECISION_FP32) / (device->fma ? 2 : 1);

    for (int p = PRECISION_FP64; p <= PRECISION_INT8; p++)
        if (has(device, (enum precision)p) || uses(roofs, (enum precision)p))
            add_peak(device, roofs, ROOF_PEAK, (enum precision)p,
                     device_peak(device, (enum precision)p));
    if (device->kind == DEVICE_CPU && device->fma)
        add_peak(device, roofs, ROOF_NO_FMA, PRECISION_FP32, single);
    if (device->kind == DEVICE_CPU && lanes > 1)
        add_peak(device, roofs, ROOF_SCALAR, PRECISION_FP32, single / lanes);
    sort_peaks(roofs, first);
}

static bool serves(const struct roofs *roofs, enum memory_level_id level)
{
    for (int p = 0; p < roofs->points; p++)
        if (roofs->point[p].served[level] > 0)
            return true;
    return false;
}

static void mark_used(struct roofs *roofs)
{
    for (int i = 0; i < roofs->ceilings; i++) {
        struct roof_ceiling *ceiling = &roofs->ceiling[i];

        ceiling->used = ceiling->kind == ROOF_LEVEL  ? serves(roofs, ceiling->level)
                        : ceiling->kind == ROOF_PEAK ? uses(roofs, ceiling->precision)
                                                     : false;
    }
}

/* --- All --- */

void roofs_find(const struct scenario *scenario, const struct result *result, int device,
                struct roofs *roofs)
{
    const struct device *of = &scenario->device[device];

    roofs->ceilings = roofs->points = 0;
    roofs->sustained_memory = of->sustained_memory;
    roofs->sustained_compute = of->sustained_compute;
    roofs->sockets = of->kind == DEVICE_CPU ? of->sockets : 1;
    memcpy(roofs->device, of->head.name, sizeof roofs->device);
    memcpy(roofs->model, of->model[0] != '\0' ? of->model : of->preset, sizeof roofs->model);
    for (int n = 0; n < result->node_count; n++) {
        if (result->node[n].device != device || node_is_whole(&result->node[n]))
            continue;
        roofs_point(scenario, result, n, false, &roofs->point[roofs->points++]);
        if (result->node[n].deferred > 0)
            roofs_point(scenario, result, n, true, &roofs->point[roofs->points++]);
    }
    add_levels(of, roofs);
    add_peaks(of, roofs);
    mark_used(roofs);
}

int roofs_device(const struct result *result)
{
    double most = -1;
    int found = result->device_count > 0 ? 0 : -1;

    for (int d = 0; d < result->device_count; d++) {
        double part = -1;

        for (int n = 0; n < result->node_count; n++)
            if (result->node[n].device == d)
                part = larger(part, 0) + result->node[n].path_busy + result->node[n].path_wait;
        if (part > most) {
            most = part;
            found = d;
        }
    }
    return found;
}

double roofs_ridge(const struct roof_ceiling *level, const struct roof_ceiling *peak)
{
    return peak->peak / level->peak;
}

const char *roofs_rate_unit(enum precision precision)
{
    return precision == PRECISION_INT8 ? "OP/s" : "FLOP/s";
}

const char *roof_loss_name(enum roof_loss loss)
{
    static const char *const names[LOSS_COUNT] = {"cores", "efficiency", "latency",
                                                  "share", "packets",    "launches"};

    return names[loss];
}

/* --- Roofs point --- */

/* A point in the making, and the seconds a frame of it takes with one cause more each. */
struct climb {
    const struct device *device;
    const struct stage *stage;
    struct roof_point *point;
    double least; /* at the roof */
    double after[LOSS_COUNT];
};

/* --- Work --- */

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

/* --- Roof --- */

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

/* --- Losses --- */

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

/* --- All --- */

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
