#include "model/roofline.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "design/knob_table.h"
#include "model/stage.h"
#include "model/verdict.h"

/* Ceilings ------------------------------------------------------------------------------------- */

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

const char *roofs_level_name(const struct roofs *roofs, enum memory_level_id level)
{
    return level == LEVEL_MEMORY ? roofs->memory : memory_level_name(level);
}

static void add_levels(const struct device *device, struct roofs *roofs)
{
    struct memory memory;

    device_memory(device, 0, &memory);
    for (int k = 0; k < memory.count; k++) {
        const struct memory_level *level = &memory.level[k];

        add_ceiling(roofs, ROOF_LEVEL, level->bandwidth, device->sustained_memory,
                    roofs_level_name(roofs, level->id), "B/s")
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

/* Returns true for precisions shown: fp64 and fp32 on CPUs, all on GPUs (bf16 at the rate of fp16).
 * Others are shown on a CPU if a component uses them. */
static bool shows_peak(const struct device *device, enum precision precision)
{
    return precision == PRECISION_FP64 || precision == PRECISION_FP32 ||
           (device->kind == DEVICE_GPU && precision != PRECISION_BF16);
}

static bool uses_precision(const struct roofs *roofs, enum precision precision)
{
    for (int p = 0; p < roofs->points; p++)
        if (roofs->point[p].precision == precision)
            return true;
    return false;
}

/* Sorts peaks in descending order; ratios of a GPU may change the order by element size. */
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
    double lanes = device->simd_bits / (8 * precision_bytes(PRECISION_FP32));
    double single = device_peak(device, PRECISION_FP32) / (device->fma ? 2 : 1);

    for (int p = PRECISION_FP64; p <= PRECISION_INT8; p++)
        if (shows_peak(device, (enum precision)p) || uses_precision(roofs, (enum precision)p))
            add_peak(device, roofs, ROOF_PEAK, (enum precision)p,
                     device_peak(device, (enum precision)p));
    if (device->kind == DEVICE_CPU && device->fma)
        add_peak(device, roofs, ROOF_NO_FMA, PRECISION_FP32, single);
    if (device->kind == DEVICE_CPU && lanes > 1)
        add_peak(device, roofs, ROOF_SCALAR, PRECISION_FP32, single / lanes);
    sort_peaks(roofs, first);
}

static bool uses_level(const struct roofs *roofs, enum memory_level_id level)
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

        ceiling->used = ceiling->kind == ROOF_LEVEL  ? uses_level(roofs, ceiling->level)
                        : ceiling->kind == ROOF_PEAK ? uses_precision(roofs, ceiling->precision)
                                                     : false;
    }
}

/* One component -------------------------------------------------------------------------------- */

static void add_served(const struct memory_cost *cost, double bytes, struct roof_point *point)
{
    for (int k = 0; k < cost->count; k++)
        point->served[cost->part[k].level] += bytes * cost->part[k].fraction;
}

static void add_work_part(const struct stage *stage, const struct work *work,
                          struct roof_point *point)
{
    const struct stage_costs *costs = &stage->costs;
    double resident = stage->demand.sweeps * work->resident;

    point->flop += work->flop;
    point->bytes += work->read + work->written + resident;
    add_served(&costs->arriving, work->read, point);
    add_served(&costs->streamed, work->written, point);
    add_served(&costs->resident, resident, point);
}

static void set_work(const struct stage *stage, struct roof_point *point)
{
    double partial = stage->demand.accumulator * stage->weights.count;

    if (point->deferred) {
        add_work_part(stage, &stage->demand.deferred, point);
        return;
    }
    add_work_part(stage, &stage->demand.stream, point);
    add_work_part(stage, &stage->demand.tail, point);
    point->bytes += partial;
    add_served(&stage->costs.streamed, partial, point);
}

/* Returns the seconds for the bytes at the bandwidth of the levels that serve them. */
static double transfer_time(const struct roof_point *point, const struct memory *levels)
{
    double seconds = 0;

    for (int k = 0; k < levels->count; k++)
        seconds += point->served[levels->level[k].id] / levels->level[k].bandwidth;
    return seconds;
}

/* Sets the roof and the attained rate; returns the seconds of the work at the roof. */
static double set_roof(const struct device *device, struct roof_point *point)
{
    double compute = point->flop / device_peak(device, point->precision);
    struct memory all;
    double moved;

    device_memory(device, 0, &all);
    moved = transfer_time(point, &all);
    point->under_memory = moved > compute;
    if (moved > 0)
        point->bandwidth = point->bytes / moved;
    if (point->flop > 0)
        point->roof = point->flop / larger(compute, moved);
    if (point->flop > 0 && point->bytes > 0)
        point->intensity = point->flop / point->bytes;
    if (point->time > 0 && point->flop > 0)
        point->flops = point->flop / point->time;
    if (point->time > 0 && point->bytes > 0)
        point->rate = point->bytes / point->time;
    return larger(compute, moved);
}

/* Computes the seconds of the work, adding one cause of loss at a time; apart from rounding they
 * never decrease. */
static void find_times(const struct device *device, const struct stage *stage, bool partition,
                       const struct roof_point *point, double after[LOSS_COUNT])
{
    const struct span *span = point->deferred ? &stage->deferred : &stage->whole;
    double part = device->kind == DEVICE_CPU ? stage->cores / device_cores(device) : 1;
    double compute = point->flop / (device_peak(device, point->precision) * part);
    double moved = transfer_time(point, stage->levels);
    double share = partition && stage->share > 0 ? stage->share : 1;
    double fixed = point->deferred ? stage->fixed_deferred : stage->fixed_total;

    after[LOSS_CORES] = larger(compute, moved);
    after[LOSS_EFFICIENCY] =
        larger(compute / (device->sustained_compute * stage->compute_efficiency),
               moved / (device->sustained_memory * stage->memory_efficiency));
    after[LOSS_LATENCY] = larger(span->compute, stage_span_memory(span, 1));
    after[LOSS_SHARE] = larger(stage->own_cores ? span->compute : span->compute / share,
                               stage_span_memory(span, 1 / share));
    after[LOSS_PACKETS] = larger(point->time - fixed, after[LOSS_SHARE]);
    after[LOSS_LAUNCH] = larger(point->time, after[LOSS_PACKETS]);
}

static enum bound deferred_bound(const struct stage *stage)
{
    const struct span *span = &stage->deferred;

    if (stage->fixed_deferred > stage->deferred_time / 2)
        return BOUND_OVERHEAD;
    return span->compute > stage_span_memory(span, 1) ? BOUND_COMPUTE : BOUND_MEMORY;
}

/* Sets the point of a node's work before the command is out, or of its deferred work. */
static void set_point(const struct scenario *scenario, const struct result *result, int n,
                      bool deferred, struct roof_point *point)
{
    const struct node_result *node = &result->node[n];
    const struct stage *stage = &result->work->stage[n];
    const struct device *device = &scenario->device[node->device];
    double after[LOSS_COUNT];
    double before;

    *point = (struct roof_point){.node = n,
                                 .deferred = deferred,
                                 .precision =
                                     (enum precision)scenario->component[node->component].precision,
                                 .level = node->level,
                                 .bound = deferred ? deferred_bound(stage) : node->bound,
                                 .time = deferred ? node->deferred : node->time,
                                 .intensity = RESULT_NONE,
                                 .flops = RESULT_NONE,
                                 .rate = RESULT_NONE,
                                 .bandwidth = RESULT_NONE,
                                 .roof = RESULT_NONE,
                                 .fraction = RESULT_NONE};
    memcpy(point->name, node->name, sizeof point->name);
    point->limit = verdict_bound_word(scenario, result, n, point->bound);
    for (int l = 0; l < LOSS_COUNT; l++)
        point->loss[l] = 1;
    if (stage->program != NULL)
        return;
    set_work(stage, point);
    before = set_roof(device, point);
    if (before <= 0 || point->time <= 0)
        return;
    point->fraction = before / point->time;
    find_times(device, stage, result->work->sharing[node->device] == SHARING_PARTITION, point,
               after);
    for (int l = 0; l < LOSS_COUNT; l++) {
        point->loss[l] = after[l] / before;
        before = after[l];
        if (point->loss[l] > point->loss[point->worst])
            point->worst = (enum roof_loss)l;
    }
}

/* A device ------------------------------------------------------------------------------------- */

void roofs_find(const struct scenario *scenario, const struct result *result, int device,
                struct roofs *roofs)
{
    const struct device *of = &scenario->device[device];

    roofs->ceilings = roofs->points = 0;
    roofs->sustained_memory = of->sustained_memory;
    roofs->sustained_compute = of->sustained_compute;
    roofs->memory = result->device[device].memory;
    roofs->sockets = of->kind == DEVICE_CPU ? of->sockets : 1;
    memcpy(roofs->device, of->head.name, sizeof roofs->device);
    snprintf(roofs->model, sizeof roofs->model, "%s", device_product(of));
    for (int n = 0; n < result->node_count; n++) {
        if (result->node[n].device != device || node_is_whole(&result->node[n]))
            continue;
        set_point(scenario, result, n, false, &roofs->point[roofs->points++]);
        if (result->node[n].deferred > 0)
            set_point(scenario, result, n, true, &roofs->point[roofs->points++]);
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
