#include "reference_work.h"

#include <math.h>
#include <string.h>

#include "model/stage.h"
#include "reference_demand.h"
#include "reference_memory.h"

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

/* The sums of a centroid and of CuReD: 1.6 FLOP a cycle (0.16 sorting), or all a core can. */
static double cpu_efficiency(const struct algorithm *row, const struct device *d, int precision)
{
    double peak = flops_per_second(d, precision) / (d->sockets * d->cores * d->clock);

    if (strcmp(row->name, "cured") != 0 &&
        (row->type != COMPONENT_CENTROID || strncmp(row->name, "correlation", 11) == 0))
        return row->cpu_efficiency;
    return fmin(peak, strcmp(row->name, "brightest") == 0 ? 0.16 : 1.6) / peak;
}

/* Cores -------------------------------------------------------------------------------------- */

/* Cores that other components of the device and this one state. */
static double stated_workers(const struct scenario *scenario, const struct result *result, int node)
{
    double sum = 0;

    for (int n = 0; n < result->node_count; n++)
        if (node_of(result, n)->device == node_of(result, node)->device)
            sum += component_of(scenario, result, n)->workers;
    return sum;
}

static double cores_of(const struct scenario *scenario, const struct result *result, int node)
{
    const struct device *d = &scenario->device[node_of(result, node)->device];
    double own = component_of(scenario, result, node)->workers;

    if (d->kind == DEVICE_GPU)
        return 0;
    return own > 0 ? own : d->sockets * d->cores - stated_workers(scenario, result, node);
}

/* Seconds of the sums of a frame whose operations wait for one another, where the device knows how
 * long one does: adds of a pixel, multiply-adds of a register of columns. */
static double chain_time(const struct scenario *scenario, const struct result *result, int node)
{
    static const double bits[] = {64, 32, 16, 16, 8};
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    double each = c->type == COMPONENT_CENTROID
                      ? d->add_latency
                      : d->fma_latency * bits[c->precision] / d->simd_bits;

    if (d->kind == DEVICE_GPU)
        return 0;
    if (c->type == COMPONENT_RECONSTRUCTION && reference_parts(scenario, result, node).chain > 0) {
        double columns =
            reference_parts(scenario, result, node).row * bits[c->precision] / d->simd_bits;

        each *= columns / (columns + d->window);
    }
    return reference_parts(scenario, result, node).chain * each /
           (cores_of(scenario, result, node) * c->chains);
}

/* Nor are the FLOP of those of a pixel faster than so many adds, one after the other. */
static double sums_time(const struct scenario *scenario, const struct result *result, int node)
{
    double chain = chain_time(scenario, result, node);
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    double each;

    if (chain == 0 || c->type != COMPONENT_CENTROID || d->scalar_rate == 0)
        return chain;
    each = 1 / (d->clock * d->scalar_rate);
    return fmax(chain, reference_parts(scenario, result, node).flop * each /
                           (cores_of(scenario, result, node) * c->chains));
}

/* Rates -------------------------------------------------------------------------------------- */

static double compute_rate(const struct scenario *scenario, const struct result *result, int node)
{
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    const struct algorithm *row = algorithm_row(scenario, node_of(result, node)->component);
    double rate = flops_per_second(d, c->precision) * d->sustained_compute;

    if (d->kind != DEVICE_GPU)
        rate *= cores_of(scenario, result, node) / (d->sockets * d->cores);
    if (c->compute_efficiency > 0)
        return rate * c->compute_efficiency;
    if (chain_time(scenario, result, node) > 0)
        return rate;
    if (d->kind != DEVICE_GPU && d->add_latency > 0 &&
        (c->type == COMPONENT_CALIBRATION || c->type == COMPONENT_PYRAMID ||
         c->type == COMPONENT_CONTROL))
        return rate;
    return rate *
           (d->kind == DEVICE_GPU ? row->gpu_efficiency : cpu_efficiency(row, d, c->precision));
}

/* Fraction of the device's bandwidth it would have at share 1. */
static double memory_rate(const struct scenario *scenario, const struct result *result, int node)
{
    static const double access[] = {0.92, 0.5, 0.2};
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    const struct algorithm *row = algorithm_row(scenario, node_of(result, node)->component);
    double sustained = d->sustained_memory;

    if (c->memory_efficiency > 0)
        return sustained * c->memory_efficiency;
    if (d->kind == DEVICE_GPU && strcmp(row->name, "tlr") == 0)
        sustained *= 0.65;
    if (d->memory_model != MODEL_FLAT && d->memory_model != MODEL_TWO_LEVEL)
        return sustained * 0.92;
    return sustained * access[c->access < 0 ? (int)row->access : c->access];
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

static double working_set(const struct reference_parts *parts)
{
    return parts->resident + parts->tail_resident + parts->deferred_resident;
}

/* Seconds of a byte of each kind. */
struct price {
    double resident, arriving, streamed;
};

static double in_a_row(const struct scenario *scenario, const struct result *result, int node,
                       double e, double whole)
{
    const struct component *c = component_of(scenario, result, node);
    int access = c->access;

    if (access < 0)
        access = (int)algorithm_row(scenario, node_of(result, node)->component)->access;
    return access == ACCESS_RANDOM ? 1 : access == ACCESS_STRIDED ? 64 / e : whole;
}

static bool from_outside(const struct result *result, int node)
{
    const struct plan *plan = &result->work->plan;
    bool outside = false;

    for (int i = 0; i < plan->node[node].before_count; i++) {
        int type = (int)plan->node[plan->pool[plan->node[node].before_first + i]].type;

        outside = outside || type == COMPONENT_CAMERA || type == COMPONENT_TRANSFER;
    }
    return outside;
}

static double partial_bytes(const struct scenario *scenario, const struct result *result, int node)
{
    int slots = slots_with_work(&result->work->stage[node], (int)scenario->general.packets);

    return (slots > 1 ? 2 : 1) * reference_parts(scenario, result, node).partial;
}

/* Seconds that rows take to read their vector again and again, from beyond the innermost cache. */
static double vector_time(const struct scenario *scenario, const struct result *result, int node,
                          double share)
{
    static const double bytes[] = {8, 4, 2, 2, 1};
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    struct reference_parts parts = reference_parts(scenario, result, node);
    double e = bytes[c->precision];
    double cores = cores_of(scenario, result, node);
    int slots = slots_with_work(&result->work->stage[node], (int)scenario->general.packets);
    double held = 2 * parts.row * e * cores / (slots > 1 ? slots : 1);
    struct reference_level levels[4];
    int first = 0;
    double before = 0, sum = 0;
    int count;

    if (c->type != COMPONENT_RECONSTRUCTION || chain_time(scenario, result, node) == 0)
        return 0;
    count = reference_levels(d, cores, stated_workers(scenario, result, node) > 0, levels);
    if (d->memory_model == MODEL_FLAT || d->memory_model == MODEL_LATENCY_BANDWIDTH)
        first = count - 1;
    else if (d->memory_model != MODEL_HIERARCHY && count > 2)
        first = count - 2;
    for (int k = first; k < count; k++) {
        double hit = k == count - 1 ? 1 : fmin(1, pow(levels[k].capacity / held, c->locality));

        hit = fmax(hit, before);
        if (k > first)
            sum += (hit - before) / levels[k].bandwidth;
        else if (d->operand_bandwidth > 0 && first < count - 1)
            sum += hit / (cores * d->operand_bandwidth);
        before = hit;
    }
    return parts.chain * e / c->chains * sum / (memory_rate(scenario, result, node) * share);
}

/* Of a packet, what three of an integrator's four operations read: the one before wrote it. */
static double passed_on(const struct scenario *scenario, const struct result *result, int node)
{
    static const double bytes[] = {8, 4, 2, 2, 1};
    const struct component *c = component_of(scenario, result, node);
    const struct algorithm *row = algorithm_row(scenario, node_of(result, node)->component);

    if (c->type != COMPONENT_CONTROL || strcmp(row->name, "lqg") == 0)
        return 0;
    return 3 * bytes[c->precision] * scenario->ao.actuators /
           slots_with_work(&result->work->stage[node], (int)scenario->general.packets);
}

static struct price price_of(const struct scenario *scenario, const struct result *result, int node,
                             double share)
{
    static const double bytes[] = {8, 4, 2, 2, 1};
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    struct reference_parts parts = reference_parts(scenario, result, node);
    double e = bytes[c->precision];
    double packet =
        (parts.read + parts.written + parts.tail_read + parts.tail_written + parts.deferred_read +
         parts.deferred_written) /
            slots_with_work(&result->work->stage[node], (int)scenario->general.packets) +
        partial_bytes(scenario, result, node);
    double touched = packet - passed_on(scenario, result, node);
    double whole = parts.row > 0 ? parts.row : working_set(&parts) / e;
    struct reference_access access = {.e = e, .alpha = c->locality};
    struct reference_level levels[4];
    enum memory_model model = (enum memory_model)d->memory_model;
    struct price price;
    int count = reference_levels(d, cores_of(scenario, result, node),
                                 stated_workers(scenario, result, node) > 0, levels);

    access.slower = 1 / (memory_rate(scenario, result, node) * share);
    for (int n = 0; n < result->node_count; n++) {
        if (node_of(result, n)->device == node_of(result, node)->device) {
            struct reference_parts other = reference_parts(scenario, result, n);

            access.M += working_set(&other);
        }
    }
    if (d->kind != DEVICE_GPU && d->add_latency > 0)
        access.M += touched;
    access.L = c->block > 0 ? c->block : in_a_row(scenario, result, node, e, whole);
    price.resident = reference_element(model, levels, count, &access) / e;
    access.M = packet;
    if (d->kind != DEVICE_GPU && d->add_latency > 0)
        access.M = touched + working_set(&parts) / slots_with_work(&result->work->stage[node],
                                                                   (int)scenario->general.packets);
    access.L = in_a_row(scenario, result, node, e, packet / e);
    price.streamed = reference_element(model, levels, count, &access) / e;
    access.beyond = from_outside(result, node);
    price.arriving = reference_element(model, levels, count, &access) / e;
    return price;
}

/* Times -------------------------------------------------------------------------------------- */

static double roof(double compute, double memory, double overlap)
{
    return fmax(compute, memory) + (1 - overlap) * fmin(compute, memory);
}

/* What computation gets of the cores: all that it states, else the share. */
static double compute_share(const struct component *c, double share)
{
    return c->workers > 0 ? 1 : share;
}

/* Seconds of all slots at a share, without launches; the tail apart. */
static double stream_time(const struct scenario *scenario, const struct result *result, int node,
                          double share)
{
    const struct stage *stage = &result->work->stage[node];
    const struct component *c = component_of(scenario, result, node);
    struct reference_parts parts = reference_parts(scenario, result, node);
    struct price price = price_of(scenario, result, node, share);
    double flops = compute_rate(scenario, result, node) * compute_share(c, share);
    double memory = parts.read * price.arriving + parts.written * price.streamed +
                    parts.sweeps * parts.resident * price.resident +
                    vector_time(scenario, result, node, share);
    double partial = partial_bytes(scenario, result, node) * price.streamed;
    double chain = sums_time(scenario, result, node) / compute_share(c, share);
    int packets = (int)scenario->general.packets;
    double sum = 0;

    for (int i = 0; i < packets; i++) {
        double w = weight(stage, i, packets);

        if (w > 0)
            sum += roof(w * fmax(parts.flop / flops, chain), w * memory + partial,
                        scenario->general.overlap);
    }
    return sum;
}

static bool waits_for_frame(const struct scenario *scenario, const struct result *result, int node)
{
    const struct component *c = component_of(scenario, result, node);

    if (c->type == COMPONENT_CONTROL && result->work->stage[node].weights.slot == NULL)
        return true;
    if (c->barrier >= 0)
        return c->barrier == BARRIER_FRAME;
    if (c->type == COMPONENT_PYRAMID)
        return c->normalisation == NORMALISATION_GLOBAL;
    if (c->type == COMPONENT_PROGRAM)
        return true;
    if (c->type == COMPONENT_CONTROL)
        return c->algorithm < 0 || strcmp(algorithms[c->algorithm].name, "lqg") != 0;
    return c->type == COMPONENT_RECONSTRUCTION && c->algorithm >= 0 &&
           strcmp(algorithms[c->algorithm].name, "cg") == 0;
}

static double tail_time(const struct scenario *scenario, const struct result *result, int node,
                        double share)
{
    const struct component *c = component_of(scenario, result, node);
    struct reference_parts parts = reference_parts(scenario, result, node);
    struct price price = price_of(scenario, result, node, share);
    double flops = compute_rate(scenario, result, node) * compute_share(c, share);

    return roof(parts.tail_flop / flops,
                parts.tail_read * price.arriving + parts.tail_written * price.streamed +
                    parts.sweeps * parts.tail_resident * price.resident,
                scenario->general.overlap);
}

/* What counts where shares are divided: the stream, or the tail of what has no other work. */
static double claim_of(const struct scenario *scenario, const struct result *result, int node)
{
    double stream = stream_time(scenario, result, node, 1);

    return stream > 0 ? stream : tail_time(scenario, result, node, 1);
}

static double share_of(const struct scenario *scenario, const struct result *result, int node)
{
    const struct component *c = component_of(scenario, result, node);
    double rest = 1;
    double work = 0;
    int streaming = 0;

    if (scenario->general.sharing == SHARING_EXCLUSIVE)
        return 1;
    if (c->share > 0)
        return c->share;
    if (scenario->general.sharing == SHARING_FLUID)
        return 1;
    for (int n = 0; n < result->node_count; n++) {
        const struct component *other;

        if (node_of(result, n)->device != node_of(result, node)->device)
            continue;
        other = component_of(scenario, result, n);
        rest -= other->share;
        if (other->share > 0 || waits_for_frame(scenario, result, n))
            continue;
        work += claim_of(scenario, result, n);
        streaming++;
    }
    if (waits_for_frame(scenario, result, node))
        return rest;
    return work > 0 ? rest * claim_of(scenario, result, node) / work : rest / streaming;
}

/* Adds the program of tests/sample.h, its phase in force at the share. */
static void add_program(const struct scenario *scenario, const struct result *result, int node,
                        double share, struct reference_work *out)
{
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    double clock = d->clock * compute_share(c, share);
    double own = 1000 * d->cpi[INSTRUCTION_INT] + 200 * d->cpi[INSTRUCTION_FMA];
    double hidden = c->distance == DISTANCE_CYCLES ? 50 : 50 * own / 1200;
    double cycles = own + 30 * fmax(1, d->remote_latency - hidden);
    double bytes = 100000 + 30 * 64;
    struct reference_level levels[4];
    int count = reference_levels(d, cores_of(scenario, result, node),
                                 stated_workers(scenario, result, node) > 0, levels);
    double memory = bytes / (levels[count - 1].bandwidth * d->sustained_memory * share);

    out->bytes += bytes;
    out->compute += cycles / clock;
    out->memory += memory;
    out->time += fmax(fmax(cycles, 500) / clock, memory); /* 500 under the lock */
}

struct reference_work reference_work(const struct scenario *scenario, const struct result *result,
                                     int node)
{
    const struct component *c = component_of(scenario, result, node);
    const struct device *d = &scenario->device[node_of(result, node)->device];
    struct reference_parts parts = reference_parts(scenario, result, node);
    int slots = slots_with_work(&result->work->stage[node], (int)scenario->general.packets);
    double partial = slots * partial_bytes(scenario, result, node);
    /* the program has one thread */
    bool alone = cores_of(scenario, result, node) == 1 || c->type == COMPONENT_PROGRAM;
    double launch = alone && d->kind == DEVICE_CPU ? 0 : d->launch;
    struct reference_work out = {0};
    struct price price;
    double flops;
    double share;
    double tail;
    double later;

    out.share = share_of(scenario, result, node);
    out.flop = parts.flop + parts.tail_flop + parts.deferred_flop;
    out.working_set = working_set(&parts);
    out.bytes = parts.read + parts.written + parts.tail_read + parts.tail_written +
                parts.deferred_read + parts.deferred_written + parts.sweeps * out.working_set +
                partial;
    out.time = slots * (c->overhead + launch * parts.kernels) + launch * parts.tail_kernels;
    out.deferred = launch * parts.deferred_kernels;
    if (out.share == 0)
        return out;
    share = scenario->general.sharing == SHARING_PARTITION ? out.share : 1;
    price = price_of(scenario, result, node, share);
    flops = compute_rate(scenario, result, node) * compute_share(c, share);
    tail = parts.tail_read * price.arriving + parts.tail_written * price.streamed +
           parts.sweeps * parts.tail_resident * price.resident;
    later = parts.deferred_read * price.arriving + parts.deferred_written * price.streamed +
            parts.sweeps * parts.deferred_resident * price.resident;
    out.compute =
        fmax(parts.flop / flops, sums_time(scenario, result, node) / compute_share(c, share)) +
        parts.tail_flop / flops;
    out.memory = parts.read * price.arriving + (parts.written + partial) * price.streamed +
                 parts.sweeps * parts.resident * price.resident +
                 vector_time(scenario, result, node, share) + tail;
    out.time += stream_time(scenario, result, node, share) +
                roof(parts.tail_flop / flops, tail, scenario->general.overlap);
    if (c->type == COMPONENT_PROGRAM)
        add_program(scenario, result, node, share, &out);
    out.deferred += roof(parts.deferred_flop / flops, later, scenario->general.overlap);
    return out;
}
