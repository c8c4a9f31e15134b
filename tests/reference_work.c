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
    double deferred_flop, deferred_streamed, deferred_resident;
    double partial;
    double sweeps, kernels, tail_kernels, deferred_kernels;
};

static double power_of_two(double least)
{
    return least <= 1 ? 1 : exp2(ceil(log2(least)));
}

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
    } else if (strcmp(name, "correlation") == 0) {
        out->flop = n * (2 * c->search * c->search * area + 20);
        out->resident = 4 * n * area;
    } else if (strcmp(name, "correlation-fft") == 0) {
        double F2 = pow(power_of_two(p + c->search - 1), 2);

        out->flop = n * (10 * F2 * log2(F2) + 6 * F2);
        out->streamed = 4 * n * area + 24 * n * F2;
        out->resident = 4 * n * area + 4 * F2;
    }
    if (c->reference_slopes) {
        out->flop += 10 * n;
        out->streamed += 8 * n;
        out->resident += 8 * n;
    }
}

/* The largest sensor upstream. */
static double across(const struct scenario *scenario, const struct result *result, int node)
{
    const struct plan_node *n = node_of(result, node);
    double most = 0;

    if (n->type == COMPONENT_CAMERA || n->type == COMPONENT_CALIBRATION ||
        n->type == COMPONENT_DESCRAMBLE || n->type == COMPONENT_CENTROID ||
        n->type == COMPONENT_PYRAMID)
        return scenario->wfs[n->wfs].subaps_across;
    for (int i = 0; i < n->before_count; i++)
        most = fmax(most, across(scenario, result, result->work->plan.pool[n->before_first + i]));
    return most;
}

static double grid(const struct scenario *scenario, const struct result *result, int node)
{
    double most = across(scenario, result, node);

    if (component_of(scenario, result, node)->grid > 0)
        return component_of(scenario, result, node)->grid;
    for (int i = 0; i < scenario->wfs_count && across(scenario, result, node) == 0; i++)
        most = fmax(most, scenario->wfs[i].subaps_across);
    return pow(power_of_two(most), 2);
}

static void dense(double R, double S, struct parts *out)
{
    out->flop = 2 * R * S;
    out->streamed = 4 * S;
    out->resident = 4 * R * S;
    out->partial = 4 * R;
}

/* `index`: bytes of a sparse element's index, in those of fp32 before they are scaled. */
static void reconstruction(const struct scenario *scenario, const struct component *c,
                           const char *name, double S, double G, double index, struct parts *out)
{
    double M = scenario->ao.actuators;
    double R = c->rows > 0 ? c->rows : scenario->ao.modes > 0 ? scenario->ao.modes : M;
    double t = c->tile;

    if (strcmp(name, "mvm") == 0) {
        dense(R, S, out);
    } else if (strcmp(name, "modal") == 0) {
        dense(R, S, out);
        out->tail_flop = 2 * R * M;
        out->tail_streamed = 4 * (R + M);
        out->tail_resident = 4 * R * M;
        out->tail_kernels = 1;
    } else if (strcmp(name, "tlr") == 0) {
        double tiles = ceil(R / t) * ceil(S / t);

        out->flop = out->tail_flop = tiles * 2 * t * c->rank;
        out->resident = out->tail_resident = tiles * 4 * t * c->rank;
        out->streamed = 4 * S;
        out->tail_streamed = 4 * R;
    } else if (strcmp(name, "sparse") == 0) {
        out->flop = 2 * c->density * R * S;
        out->streamed = 4 * (S + R);
        out->resident = (4 + index) * c->density * R * S;
    } else if (strcmp(name, "fourier") == 0) {
        out->flop = 15 * G * log2(G) + 8 * G;
        out->streamed = 24 * G;
        out->resident = 8 * G;
    } else if (strcmp(name, "cured") == 0) {
        out->flop = 20 * S / 2;
        out->streamed = 40 * S / 2;
        out->resident = 8 * S / 2;
    } else if (strcmp(name, "cg") == 0) {
        out->flop = 204 * c->unknowns * c->iterations;
        out->resident = 633 * c->unknowns;
        out->sweeps = c->iterations;
        out->kernels = 6 * c->iterations;
    }
}

static void control(const struct scenario *scenario, const struct component *c, const char *name,
                    double S, struct parts *out)
{
    double M = scenario->ao.actuators;
    double x = c->states > 0 ? c->states : 2 * M;

    if (strcmp(name, "lqg") == 0) {
        out->flop = 2 * 2 * x * S;
        out->streamed = 4 * (S + x);
        out->resident = 4 * 2 * x * S;
        out->tail_flop = 2 * M * x;
        out->tail_streamed = 4 * (x + M);
        out->tail_resident = 4 * M * x;
        out->tail_kernels = 1;
        out->deferred_flop = 2 * x * x;
        out->deferred_streamed = 8 * x;
        out->deferred_resident = 4 * x * x;
        return;
    }
    out->flop = strcmp(name, "pid") == 0 ? 11 * M : 7 * M;
    out->streamed = strcmp(name, "pid") == 0 ? 40 * M : 32 * M;
    if (strncmp(name, "polc", 4) == 0) {
        double rows = strcmp(name, "polc") == 0 ? M : S;

        out->deferred_flop = 2 * M * rows;
        out->deferred_resident = 4 * M * rows;
        out->kernels = 2;
        out->deferred_kernels = 1;
    }
}

static double element_bytes(const struct component *c)
{
    static const double bytes[] = {8, 4, 2, 2, 1};

    return bytes[c->precision];
}

/* As the table has them, for fp32. */
static struct parts single_precision(const struct scenario *scenario, const struct result *result,
                                     int node)
{
    const struct plan_node *n = node_of(result, node);
    const struct component *c = component_of(scenario, result, node);
    const char *name = algorithm_name(scenario, result, node);
    const struct agenda_key *key = n->wfs < 0 ? NULL : &result->work->agenda[n->wfs].key;
    struct parts parts = {.sweeps = 1, .kernels = 1};

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
        reconstruction(scenario, c, name, columns(scenario, result, node),
                       grid(scenario, result, node), 16 / element_bytes(c), &parts);
        break;
    case COMPONENT_CONTROL:
        control(scenario, c, name, columns(scenario, result, node), &parts);
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
    const struct component *c = component_of(scenario, result, node);
    const struct plan_node *n = node_of(result, node);
    struct parts parts = single_precision(scenario, result, node);
    double scale = element_bytes(c) / 4;

    if (c->deferred == 0) {
        parts.tail_flop += parts.deferred_flop;
        parts.tail_streamed += parts.deferred_streamed;
        parts.tail_resident += parts.deferred_resident;
        parts.tail_kernels += parts.deferred_kernels;
        parts.deferred_flop = parts.deferred_streamed = parts.deferred_resident = 0;
        parts.deferred_kernels = 0;
    }
    if (c->kernels > 0)
        parts.kernels = c->kernels;
    if (n->type == COMPONENT_CUSTOM || n->type == COMPONENT_DESCRAMBLE)
        return parts;
    parts.streamed *= scale;
    parts.resident *= scale;
    parts.tail_streamed *= scale;
    parts.tail_resident *= scale;
    parts.deferred_streamed *= scale;
    parts.deferred_resident *= scale;
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
    struct parts parts = parts_of(scenario, result, node);
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
    struct parts parts = parts_of(scenario, result, node);
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
