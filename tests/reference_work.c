#include "reference_work.h"

#include <math.h>
#include <string.h>

#include "reference_demand.h"
#include "stage.h"
#include "workload.h"

static const struct plan_node *node_of(const struct result *result, int node)
{
    return &result->work->plan.node[node];
}

static const struct component *component_of(const struct scenario *scenario,
                                            const struct result *result, int node)
{
    return &scenario->component[node_of(result, node)->component];
}

static double flops_per_second(const struct device *d, int precision)
{
    static const double bits[] = {64, 32, 16, 16, 8};
    const double ratio[] = {d->fp64_ratio, 1, d->fp16_ratio, d->fp16_ratio, d->int8_ratio};

    if (d->kind == DEVICE_GPU)
        return d->units * d->clock * d->ops_per_clock * ratio[precision];
    return d->sockets * d->cores * d->clock * (d->simd_bits / bits[precision]) * d->fma_pipes *
           (d->fma ? 2 : 1);
}

/* The sums of a centroid: 1.6 FLOP a cycle (0.16 sorting), or all a core can. */
static double cpu_efficiency(const struct algorithm *row, const struct device *d, int precision)
{
    double peak = flops_per_second(d, precision) / (d->sockets * d->cores * d->clock);

    if (row->type != COMPONENT_CENTROID || strncmp(row->name, "correlation", 11) == 0)
        return row->cpu_efficiency;
    return fmin(peak, strcmp(row->name, "brightest") == 0 ? 0.16 : 1.6) / peak;
}

static double bytes_per_second(const struct device *d)
{
    if (d->kind == DEVICE_GPU)
        return d->bus_bits * d->memory_clock * d->transfers_per_clock / 8;
    return d->sockets * d->memory_channels * d->channel_bits * d->memory_rate / 8;
}

struct rates {
    double flops, bandwidth;
};

static struct rates rates_of(const struct scenario *scenario, const struct result *result, int node)
{
    static const double access[] = {0.875, 0.5, 0.2};
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    const struct algorithm *row =
        &algorithms[scenario_algorithm(scenario, node_of(result, node)->component)];
    double compute = c->compute_efficiency > 0 ? c->compute_efficiency
                     : d->kind == DEVICE_GPU   ? row->gpu_efficiency
                                               : cpu_efficiency(row, d, c->precision);
    double memory = access[c->access < 0 ? (int)row->access : c->access];

    if (d->kind == DEVICE_GPU && strcmp(row->name, "tlr") == 0)
        memory *= 0.65;
    if (c->memory_efficiency > 0)
        memory = c->memory_efficiency;

    return (struct rates){flops_per_second(d, c->precision) * d->sustained_compute * compute,
                          bytes_per_second(d) * d->sustained_memory * memory};
}

static double roof(double compute, double memory, double overlap)
{
    return fmax(compute, memory) + (1 - overlap) * fmin(compute, memory);
}

static double weight(const struct stage *stage, int slot, int packets)
{
    return stage->weights.slot == NULL ? slot == packets - 1 : stage->weights.slot[slot];
}

static int slots_with_work(const struct stage *stage, int packets)
{
    int count = 0;

    for (int i = 0; i < packets; i++)
        count += weight(stage, i, packets) > 0;
    return count;
}

/* Seconds of all slots at share 1, without launches; the tail apart. */
static double stream_time(const struct scenario *scenario, const struct result *result, int node)
{
    const struct stage *stage = &result->work->stage[node];
    struct reference_parts parts = reference_parts(scenario, result, node);
    struct rates rates = rates_of(scenario, result, node);
    int packets = (int)scenario->general.packets;
    double partial = (slots_with_work(stage, packets) > 1 ? 2 : 1) * parts.partial;
    double sum = 0;

    for (int i = 0; i < packets; i++) {
        double w = weight(stage, i, packets);

        if (w > 0)
            sum += roof(w * parts.flop / rates.flops,
                        (w * (parts.streamed + parts.sweeps * parts.resident) + partial) /
                            rates.bandwidth,
                        scenario->general.overlap);
    }
    return sum;
}

static bool waits_for_frame(const struct component *c)
{
    if (c->barrier >= 0)
        return c->barrier == BARRIER_FRAME;
    if (c->type == COMPONENT_PYRAMID)
        return c->normalisation == NORMALISATION_GLOBAL;
    if (c->type == COMPONENT_CONTROL)
        return c->algorithm < 0 || strcmp(algorithms[c->algorithm].name, "lqg") != 0;
    return c->type == COMPONENT_RECONSTRUCTION && c->algorithm >= 0 &&
           strcmp(algorithms[c->algorithm].name, "cg") == 0;
}

static double share_of(const struct scenario *scenario, const struct result *result, int node)
{
    const struct component *c = component_of(scenario, result, node);
    double rest = 1;
    double work = 0;
    int streaming = 0;

    if (c->share > 0)
        return c->share;
    for (int n = 0; n < result->node_count; n++) {
        const struct component *other;

        if (node_of(result, n)->device != node_of(result, node)->device)
            continue;
        other = component_of(scenario, result, n);
        rest -= other->share;
        if (other->share > 0 || waits_for_frame(other))
            continue;
        work += stream_time(scenario, result, n);
        streaming++;
    }
    if (waits_for_frame(c))
        return rest;
    return work > 0 ? rest * stream_time(scenario, result, node) / work : rest / streaming;
}

struct reference_work reference_work(const struct scenario *scenario, const struct result *result,
                                     int node)
{
    const struct stage *stage = &result->work->stage[node];
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    struct reference_parts parts = reference_parts(scenario, result, node);
    struct rates rates = rates_of(scenario, result, node);
    int slots = slots_with_work(stage, (int)scenario->general.packets);
    struct reference_work out;
    double scale;
    double tail;

    out.share = share_of(scenario, result, node);
    scale = out.share > 0 ? 1 / out.share : 0;
    out.flop = parts.flop + parts.tail_flop + parts.deferred_flop;
    out.working_set = parts.resident + parts.tail_resident + parts.deferred_resident;
    out.bytes = parts.streamed + parts.tail_streamed + parts.deferred_streamed +
                parts.sweeps * out.working_set + (slots > 1 ? 2.0 * slots : 1) * parts.partial;
    out.compute = scale * out.flop / rates.flops;
    out.memory = scale * out.bytes / rates.bandwidth;
    tail = roof(parts.tail_flop / rates.flops,
                (parts.tail_streamed + parts.tail_resident) / rates.bandwidth,
                scenario->general.overlap);
    out.time = scale * (stream_time(scenario, result, node) + tail) +
               slots * (c->overhead + d->launch * parts.kernels) + d->launch * parts.tail_kernels;
    return out;
}
