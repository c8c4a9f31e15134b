#include "reference_work.h"

#include <math.h>
#include <string.h>

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

/* Valid subapertures of all identical sensors. */
static double subaps(const struct scenario *scenario, const struct result *result, int wfs)
{
    const struct wfs *w = &scenario->wfs[wfs];

    return w->count * (w->valid_subaps > 0 ? w->valid_subaps : result->work->agenda[wfs].subaps);
}

static const char *algorithm_name(const struct scenario *scenario, const struct result *result,
                                  int node)
{
    return algorithms[scenario_algorithm(scenario, node_of(result, node)->component)].name;
}

/* Measurements a node hands on: 2n, 4n as intensities, none of calibration and cameras. */
static double slopes(const struct scenario *scenario, const struct result *result, int node)
{
    const struct plan_node *n = node_of(result, node);
    double sum = 0;

    switch (n->type) {
    case COMPONENT_CAMERA:
    case COMPONENT_CALIBRATION:
    case COMPONENT_DESCRAMBLE:
        return 0;
    case COMPONENT_CENTROID:
        return 2 * subaps(scenario, result, n->wfs);
    case COMPONENT_PYRAMID:
        return (strcmp(algorithm_name(scenario, result, node), "intensity") == 0 ? 4 : 2) *
               subaps(scenario, result, n->wfs);
    default:
        break;
    }
    for (int i = 0; i < n->before_count; i++)
        sum += slopes(scenario, result, result->work->plan.pool[n->before_first + i]);
    return sum;
}

static double columns(const struct scenario *scenario, const struct result *result, int node)
{
    const struct component *c = component_of(scenario, result, node);
    double sum = slopes(scenario, result, node);

    if (c->columns > 0)
        return c->columns;
    for (int i = 0; i < scenario->wfs_count && slopes(scenario, result, node) == 0; i++)
        sum += 2 * subaps(scenario, result, i);
    return sum;
}

/* FLOP and bytes of the stream, the tail and a packet's partial result. */
struct parts {
    double flop, streamed, resident;
    double tail_flop, tail_streamed, tail_resident;
    double partial;
};

static void centroid(const struct component *c, const char *name, double n, double p,
                     struct parts *out)
{
    double area = p * p;

    out->flop = fmax(0, n * (c->flops_per_pixel * area - 1));
    out->streamed = 4 * n * area;
    if (strcmp(name, "simple") == 0) {
        out->flop = c->flops_per_pixel * n * area;
        out->streamed = 4 * n * area + 8 * n;
    } else if (strcmp(name, "threshold") == 0) {
        out->flop += 2 * n * area;
    } else if (strcmp(name, "weighted") == 0) {
        out->flop += n * area;
        out->resident = 4 * n * area;
    } else if (strcmp(name, "brightest") == 0) {
        out->flop += 2 * n * area * log2(area);
        out->streamed = 12 * n * area;
    } else if (strcmp(name, "matched") == 0) {
        out->flop = 4 * n * area;
        out->resident = 8 * n * area;
    }
    if (c->reference_slopes) {
        out->flop += 10 * n;
        out->streamed += 8 * n;
        out->resident += 8 * n;
    }
}

static void reconstruction(const struct scenario *scenario, const struct component *c,
                           const char *name, double S, struct parts *out)
{
    double M = scenario->ao.actuators;
    double R = c->rows > 0 ? c->rows : scenario->ao.modes > 0 ? scenario->ao.modes : M;

    out->flop = 2 * R * S;
    out->streamed = 4 * S;
    out->resident = 4 * R * S;
    out->partial = 4 * R;
    if (strcmp(name, "modal") == 0) {
        out->tail_flop = 2 * R * M;
        out->tail_streamed = 4 * (R + M);
        out->tail_resident = 4 * R * M;
    }
}

/* As the table has them, for fp32. */
static struct parts single_precision(const struct scenario *scenario, const struct result *result,
                                     int node)
{
    const struct plan_node *n = node_of(result, node);
    const struct component *c = component_of(scenario, result, node);
    const char *name = algorithm_name(scenario, result, node);
    const struct agenda_key *key = n->wfs < 0 ? NULL : &result->work->agenda[n->wfs].key;
    struct parts parts = {0};

    switch (n->type) {
    case COMPONENT_CALIBRATION: {
        double N = (double)key->width * (double)key->height * scenario->wfs[n->wfs].count;

        parts.flop = 2 * N;
        parts.streamed = 4 * N;
        parts.resident = 8 * N;
        break;
    }
    case COMPONENT_DESCRAMBLE: {
        double N = (double)key->width * (double)key->height * scenario->wfs[n->wfs].count;

        parts.streamed = 2 * N * scenario->wfs[n->wfs].bit_depth / 8;
        parts.resident = 4 * N;
        break;
    }
    case COMPONENT_CENTROID:
        centroid(c, name, subaps(scenario, result, n->wfs), scenario->wfs[n->wfs].pixels_per_subap,
                 &parts);
        break;
    case COMPONENT_PYRAMID:
        parts.flop = 17 * subaps(scenario, result, n->wfs) + 4;
        parts.streamed = 36 * subaps(scenario, result, n->wfs);
        if (strcmp(name, "intensity") == 0) {
            parts.flop = 12 * subaps(scenario, result, n->wfs) + 4;
            parts.streamed = 32 * subaps(scenario, result, n->wfs);
        }
        break;
    case COMPONENT_RECONSTRUCTION:
        reconstruction(scenario, c, name, columns(scenario, result, node), &parts);
        break;
    case COMPONENT_CONTROL:
        parts.flop = 7 * scenario->ao.actuators;
        parts.streamed = 32 * scenario->ao.actuators;
        break;
    default:
        parts.flop = c->flops;
        parts.streamed = c->bytes_read + c->bytes_written;
        parts.resident = c->working_set;
        break;
    }
    return parts;
}

static struct parts parts_of(const struct scenario *scenario, const struct result *result, int node)
{
    static const double bytes[] = {8, 4, 2, 2, 1};
    const struct plan_node *n = node_of(result, node);
    struct parts parts = single_precision(scenario, result, node);
    double scale = bytes[component_of(scenario, result, node)->precision] / 4;

    if (n->type == COMPONENT_CUSTOM || n->type == COMPONENT_DESCRAMBLE)
        return parts;
    parts.streamed *= scale;
    parts.resident *= scale;
    parts.tail_streamed *= scale;
    parts.tail_resident *= scale;
    parts.partial *= scale;
    if (n->type == COMPONENT_CALIBRATION) { /* raw pixels at their own depth */
        const struct agenda_key *key = &result->work->agenda[n->wfs].key;

        parts.streamed += (double)key->width * (double)key->height * scenario->wfs[n->wfs].count *
                          scenario->wfs[n->wfs].bit_depth / 8;
    }
    return parts;
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
                                               : row->cpu_efficiency;
    double memory = c->memory_efficiency > 0 ? c->memory_efficiency
                                             : access[c->access < 0 ? (int)row->access : c->access];

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
    struct parts parts = parts_of(scenario, result, node);
    struct rates rates = rates_of(scenario, result, node);
    int packets = (int)scenario->general.packets;
    double partial = (slots_with_work(stage, packets) > 1 ? 2 : 1) * parts.partial;
    double sum = 0;

    for (int i = 0; i < packets; i++) {
        double w = weight(stage, i, packets);

        if (w > 0)
            sum += roof(w * parts.flop / rates.flops,
                        (w * (parts.streamed + parts.resident) + partial) / rates.bandwidth,
                        scenario->general.overlap);
    }
    return sum;
}

static bool waits_for_frame(const struct component *c)
{
    if (c->barrier >= 0)
        return c->barrier == BARRIER_FRAME;
    return c->type == COMPONENT_CONTROL ||
           (c->type == COMPONENT_PYRAMID && c->normalisation == NORMALISATION_GLOBAL);
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
    struct parts parts = parts_of(scenario, result, node);
    struct rates rates = rates_of(scenario, result, node);
    int slots = slots_with_work(stage, (int)scenario->general.packets);
    struct reference_work out;
    double scale;
    double tail;

    out.share = share_of(scenario, result, node);
    scale = out.share > 0 ? 1 / out.share : 0;
    out.flop = parts.flop + parts.tail_flop;
    out.bytes = parts.streamed + parts.resident + parts.tail_streamed + parts.tail_resident +
                (slots > 1 ? 2.0 * slots : 1) * parts.partial;
    out.working_set = parts.resident + parts.tail_resident;
    out.compute = scale * out.flop / rates.flops;
    out.memory = scale * out.bytes / rates.bandwidth;
    tail = roof(parts.tail_flop / rates.flops,
                (parts.tail_streamed + parts.tail_resident) / rates.bandwidth,
                scenario->general.overlap);
    out.time = scale * (stream_time(scenario, result, node) + tail) +
               slots * (c->overhead + d->launch * (c->kernels > 0 ? c->kernels : 1)) +
               (parts.tail_flop > 0 ? d->launch : 0);
    return out;
}
