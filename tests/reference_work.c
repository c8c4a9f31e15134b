#include "reference_work.h"

#include <math.h>
#include <string.h>

#include "design/algorithm.h"
#include "figures.h"
#include "reference_demand.h"
#include "reference_memory.h"

static const struct reference_node *node_of(const struct reference_plan *plan, int node)
{
    return &plan->node[node];
}

static const struct component *component_of(const struct scenario *scenario,
                                            const struct reference_plan *plan, int node)
{
    return &scenario->component[node_of(plan, node)->component];
}

static double flops_per_second(const struct device *d, int precision)
{
    static const double bits[] = {64, 32, 16, 16, 8};
    const double ratio[] = {d->fp64_ratio, 1, d->fp16_ratio, d->fp16_ratio, d->int8_ratio};

    if (d->kind == DEVICE_GPU && d->sustained_clock != 0 && d->sustained_clock < d->clock)
        return d->units * d->sustained_clock * d->ops_per_clock * ratio[precision];
    if (d->kind != DEVICE_CPU)
        return d->units * d->clock * d->ops_per_clock * ratio[precision];
    return d->sockets * d->cores * d->clock * (d->simd_bits / bits[precision]) * d->fma_pipes *
           (d->fma ? 2 : 1);
}

/* The sums of a centroid and of CuReD: 1.6 FLOP a cycle (0.16 sorting), or all a core can. */
static double cpu_efficiency(const struct algorithm *row, const struct device *d, int precision)
{
    double peak = flops_per_second(d, precision) / (d->sockets * d->cores * d->clock);

    if (strcmp(row->name, "cured") != 0 &&
        (row->type != COMPONENT_CENTROID || strncmp(row->name, "correlation", 11) == 0 ||
         strcmp(row->name, "square-difference") == 0))
        return row->cpu_efficiency;
    return fmin(peak, strcmp(row->name, "brightest") == 0 ? 0.16 : 1.6) / peak;
}

/* Cores -------------------------------------------------------------------------------------- */

static bool together(const struct reference_plan *plan, int a, int b)
{
    return plan->node[a].at.device >= 0 && plan->node[a].at.device == plan->node[b].at.device &&
           plan->node[a].at.unit == plan->node[b].at.unit;
}

static double all_cores(const struct device *d)
{
    return d->sockets * d->cores;
}

bool reference_locks(const struct device *d)
{
    return d->kind == DEVICE_CPU && d->framework == FRAMEWORK_INTERPRETER &&
           d->dispatch != DISPATCH_SPIN;
}

bool reference_thread(const struct scenario *scenario, const struct reference_plan *plan, int a,
                      int b)
{
    const struct component *x;
    const struct component *y;
    const struct device *d;

    if (a == b || !together(plan, a, b))
        return a == b;
    x = component_of(scenario, plan, a);
    y = component_of(scenario, plan, b);
    d = &scenario->device[node_of(plan, a)->at.device];
    if (reference_locks(d))
        return strcmp(x->process, y->process) == 0;
    return d->kind == DEVICE_CPU && x->thread[0] != '\0' && strcmp(x->thread, y->thread) == 0;
}

/* Workers of a thread: the most that one states, one where a thread is all that is stated. */
static double team_of(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    double most = 0;

    for (int n = 0; n < plan->count; n++)
        if (reference_thread(scenario, plan, n, node)) {
            most = fmax(most, component_of(scenario, plan, n)->workers);
            if (component_of(scenario, plan, n)->thread[0] != '\0')
                most = fmax(most, 1);
        }
    return most;
}

/* Whether it is the first in the file of its thread. */
static bool is_first(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    for (int n = 0; n < node; n++)
        if (reference_thread(scenario, plan, n, node))
            return false;
    return true;
}

/* Cores that components and threads of the device own; one has no more than there are. */
static double owned_cores(const struct scenario *scenario, const struct reference_plan *plan,
                          int node)
{
    double sum = 0;

    for (int n = 0; n < plan->count; n++)
        if (together(plan, n, node) && is_first(scenario, plan, n))
            sum += fmin(team_of(scenario, plan, n),
                        all_cores(&scenario->device[node_of(plan, node)->at.device]));
    return sum;
}

/* Workers that it states, or that its thread has; 0: neither. */
static double workers_of(const struct scenario *scenario, const struct reference_plan *plan,
                         int node)
{
    const struct component *c = component_of(scenario, plan, node);

    if (c->workers > 0 || c->thread[0] == '\0')
        return c->workers;
    return team_of(scenario, plan, node);
}

/* Where components take turns one has all that are there, unless it states less. */
static double cores_of(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    double own = workers_of(scenario, plan, node);

    if (d->kind != DEVICE_CPU)
        return 0;
    if (own > 0)
        return fmin(own, all_cores(d));
    if (reference_sharing(scenario, node_of(plan, node)->at.device) == SHARING_EXCLUSIVE)
        return all_cores(d);
    return all_cores(d) - owned_cores(scenario, plan, node);
}

/* Whether it has fewer cores than there are, which draw no more than theirs. */
static bool is_limited(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];

    return d->kind == DEVICE_CPU && cores_of(scenario, plan, node) < all_cores(d);
}

/* Seconds of the sums of a frame whose operations wait for one another, where the device knows how
 * long one does: adds of a pixel, multiply-adds of a register of columns. */
static double chain_time(const struct scenario *scenario, const struct reference_plan *plan,
                         int node)
{
    static const double bits[] = {64, 32, 16, 16, 8};
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    double each = c->type == COMPONENT_CENTROID
                      ? d->add_latency
                      : d->fma_latency * bits[c->precision] / d->simd_bits;

    if (d->kind != DEVICE_CPU)
        return 0;
    if (c->type == COMPONENT_RECONSTRUCTION && reference_parts(scenario, plan, node).chain > 0) {
        double columns =
            reference_parts(scenario, plan, node).row * bits[c->precision] / d->simd_bits;

        each *= columns / (columns + d->window);
    }
    return reference_parts(scenario, plan, node).chain * each /
           (cores_of(scenario, plan, node) * c->chains);
}

/* Nor are the FLOP of those of a pixel faster than so many adds, one after the other. */
static double sums_time(const struct scenario *scenario, const struct reference_plan *plan,
                        int node)
{
    double chain = chain_time(scenario, plan, node);
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    double each;

    if (chain == 0 || c->type != COMPONENT_CENTROID || d->scalar_rate == 0)
        return chain;
    each = 1 / (d->clock * d->scalar_rate);
    return fmax(chain, reference_parts(scenario, plan, node).flop * each /
                           (cores_of(scenario, plan, node) * c->chains));
}

/* Rates -------------------------------------------------------------------------------------- */

static double compute_rate(const struct scenario *scenario, const struct reference_plan *plan,
                           int node)
{
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    const struct algorithm *row = algorithm_row(scenario, node_of(plan, node)->component);
    double rate = flops_per_second(d, c->precision) * d->sustained_compute;

    if (d->kind == DEVICE_CPU)
        rate *= cores_of(scenario, plan, node) / (d->sockets * d->cores);
    if (c->compute_efficiency > 0)
        return rate * c->compute_efficiency;
    if (d->kind == DEVICE_FPGA)
        return rate;
    if (chain_time(scenario, plan, node) > 0)
        return rate;
    if (d->kind == DEVICE_CPU && d->add_latency > 0 &&
        (c->type == COMPONENT_CALIBRATION || c->type == COMPONENT_PYRAMID ||
         c->type == COMPONENT_CONTROL))
        return rate;
    return rate *
           (d->kind == DEVICE_GPU ? row->gpu_efficiency : cpu_efficiency(row, d, c->precision));
}

static bool is_dense(const char *name)
{
    return strcmp(name, "mvm") == 0 || strcmp(name, "modal") == 0 || strcmp(name, "lqg") == 0;
}

/* Fraction of the device's bandwidth it would have at share 1, and its deferred work. */
static double memory_rate(const struct scenario *scenario, const struct reference_plan *plan,
                          int node)
{
    static const double access[] = {0.92, 0.5, 0.2};
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    const struct algorithm *row = algorithm_row(scenario, node_of(plan, node)->component);
    double sustained = d->sustained_memory;

    if (d->kind == DEVICE_GPU && d->legacy && c->memory_efficiency == 0)
        return FIGURE_LEGACY;
    if (d->kind == DEVICE_CPU && c->memory_efficiency == 0 &&
        d->framework == FRAMEWORK_INTERPRETER &&
        (is_dense(row->name) || strncmp(row->name, "polc", 4) == 0))
        return 0.52;
    if (c->memory_efficiency > 0)
        return sustained * c->memory_efficiency;
    if (d->kind == DEVICE_GPU && strcmp(row->name, "tlr") == 0)
        sustained *= 0.65;
    if (d->memory_model != MODEL_FLAT && d->memory_model != MODEL_TWO_LEVEL)
        return sustained * 0.92;
    return sustained * access[c->access < 0 ? (int)row->access : c->access];
}

static int slots_with_work(const struct reference_plan *plan, int node)
{
    int count = 0;

    for (int i = 0; i < plan->packets; i++)
        count += node_of(plan, node)->weight[i] > 0;
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

static double in_a_row(const struct scenario *scenario, const struct reference_plan *plan, int node,
                       double e, double whole)
{
    const struct component *c = component_of(scenario, plan, node);
    int access = c->access;

    if (access < 0)
        access = (int)algorithm_row(scenario, node_of(plan, node)->component)->access;
    return access == ACCESS_RANDOM ? 1 : access == ACCESS_STRIDED ? 64 / e : whole;
}

static bool from_outside(const struct reference_plan *plan, int node)
{
    bool outside = false;

    for (int i = 0; i < plan->node[node].before_count; i++) {
        enum component_type type = plan->node[plan->node[node].before[i]].type;

        outside = outside || type == COMPONENT_CAMERA || type == COMPONENT_TRANSFER;
    }
    return outside;
}

static double partial_bytes(const struct scenario *scenario, const struct reference_plan *plan,
                            int node)
{
    int slots = slots_with_work(plan, node);

    return (slots > 1 ? 2 : 1) * reference_parts(scenario, plan, node).partial;
}

/* Seconds that rows take to read their vector again and again, from beyond the innermost cache. */
static double vector_time(const struct scenario *scenario, const struct reference_plan *plan,
                          int node, double share, double wider)
{
    static const double bytes[] = {8, 4, 2, 2, 1};
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    struct reference_parts parts = reference_parts(scenario, plan, node);
    double e = bytes[c->precision];
    double cores = cores_of(scenario, plan, node);
    int slots = slots_with_work(plan, node);
    double held = 2 * parts.row * e * cores / (slots > 1 ? slots : 1);
    struct reference_level levels[4];
    int first = 0;
    double before = 0, sum = 0;
    int count;

    if (c->type != COMPONENT_RECONSTRUCTION || chain_time(scenario, plan, node) == 0)
        return 0;
    count = reference_levels(d, cores, is_limited(scenario, plan, node), levels);
    levels[count - 1].bandwidth *= wider;
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
    return parts.chain * e / c->chains * sum / (memory_rate(scenario, plan, node) * share);
}

/* Of a packet, what three of an integrator's four operations read: the one before wrote it. */
/* A stage of control as a component of its own. */
static bool is_stage(const char *name)
{
    static const char *const names[] = {"offset", "integrate", "saturate", "power", "combine"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static double passed_on(const struct scenario *scenario, const struct reference_plan *plan,
                        int node)
{
    static const double bytes[] = {8, 4, 2, 2, 1};
    const struct component *c = component_of(scenario, plan, node);
    const struct algorithm *row = algorithm_row(scenario, node_of(plan, node)->component);

    if (c->type != COMPONENT_CONTROL || strcmp(row->name, "lqg") == 0 || is_stage(row->name))
        return 0;
    return 3 * bytes[c->precision] * scenario->ao.actuators / slots_with_work(plan, node);
}

/* Seconds of a byte without the latency of its blocks. */
static double gaps(enum memory_model model, const struct reference_level *levels, int count,
                   const struct reference_access *access)
{
    struct reference_level at_once[4];

    for (int k = 0; k < count; k++) {
        at_once[k] = levels[k];
        at_once[k].latency = 0;
    }
    return reference_element(model, at_once, count, access) / access->e;
}

/* Seconds of a byte of a product of so many rows on a GPU, each with 512 B on the way from where
 * the matrix is: levels whose gaps are latencies give the mean latency. */
static double flight_time(const struct device *d, enum memory_model model,
                          const struct reference_level *levels, int count,
                          const struct reference_access *access, double rows)
{
    struct reference_access one = {
        .M = access->M, .L = 1e30, .e = 1, .alpha = access->alpha, .slower = 1};
    struct reference_level late[4];

    for (int k = 0; k < count; k++)
        late[k] = (struct reference_level){levels[k].capacity,
                                           1 / (levels[k].latency * d->units * d->outstanding), 0};
    return reference_element(model, late, count, &one) / (512 * fmax(1, rows));
}

/* Prices at a share and with a memory `wider` than its own, of data that are read in so many rows
 * (0: of no product). */
static struct price price_of(const struct scenario *scenario, const struct reference_plan *plan,
                             int node, double share, double wider, double rows)
{
    static const double bytes[] = {8, 4, 2, 2, 1};
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    struct reference_parts parts = reference_parts(scenario, plan, node);
    double e = bytes[c->precision];
    double packet = (parts.read + parts.written + parts.tail_read + parts.tail_written +
                     parts.deferred_read + parts.deferred_written) /
                        slots_with_work(plan, node) +
                    partial_bytes(scenario, plan, node);
    double touched = packet - passed_on(scenario, plan, node);
    double whole = parts.row > 0 ? parts.row : working_set(&parts) / e;
    struct reference_access access = {.e = e, .alpha = c->locality};
    struct reference_level levels[4];
    enum memory_model model = (enum memory_model)d->memory_model;
    struct price price;
    bool limited = is_limited(scenario, plan, node);
    double cores = cores_of(scenario, plan, node);
    int count = reference_levels(d, cores, limited, levels);

    levels[count - 1].bandwidth *= wider;
    access.slower = 1 / (memory_rate(scenario, plan, node) * share);
    for (int n = 0; n < plan->count; n++) {
        if (together(plan, n, node)) {
            struct reference_parts other = reference_parts(scenario, plan, n);

            access.M += working_set(&other);
        }
    }
    if (d->kind == DEVICE_CPU && d->add_latency > 0)
        access.M += touched;
    access.L = c->block > 0 ? c->block : in_a_row(scenario, plan, node, e, whole);
    price.resident = reference_element(model, levels, count, &access) / e;
    if (d->kind == DEVICE_GPU && rows > 0)
        price.resident += fmax(0, flight_time(d, model, levels, count, &access, rows) -
                                      gaps(model, levels, count, &access));
    access.M = packet;
    if (d->kind == DEVICE_CPU && d->add_latency > 0)
        access.M = touched + working_set(&parts) / slots_with_work(plan, node);
    access.L = in_a_row(scenario, plan, node, e, packet / e);
    price.streamed = reference_element(model, levels, count, &access) / e;
    access.beyond = from_outside(plan, node);
    price.arriving = reference_element(model, levels, count, &access) / e;
    return price;
}

/* Times ---------------------------------------------------------------------------------------- */

static double roof(double compute, double memory, double overlap)
{
    return fmax(compute, memory) + (1 - overlap) * fmin(compute, memory);
}

/* What computation gets of the cores: all that it states, else the share. */
static double compute_share(const struct scenario *scenario, const struct reference_plan *plan,
                            int node, double share)
{
    return workers_of(scenario, plan, node) > 0 ? 1 : share;
}

/* Seconds of the phase of the program of tests/sample.h. */
static double program_time(const struct scenario *scenario, const struct reference_plan *plan,
                           int node, double share, double wider, struct reference_work *out)
{
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    double clock = d->clock * compute_share(scenario, plan, node, share);
    double own = (1000 * d->cpi[INSTRUCTION_INT] + 200 * d->cpi[INSTRUCTION_FMA]) /
                 (d->issue > 0 ? d->issue : 1);
    double hidden = c->distance == DISTANCE_CYCLES ? 50 : 50 * own / 1200;
    double cycles = own + 30 * fmax(1, d->remote_latency - hidden);
    double bytes = 100000 + 30 * 64;
    struct reference_level levels[4];
    int count = reference_levels(d, 1, d->sockets * d->cores > 1, levels); /* one thread */
    double memory = bytes / (levels[count - 1].bandwidth * d->sustained_memory * share * wider);

    out->bytes += bytes;
    out->compute += cycles / clock;
    out->memory += memory;
    return fmax(fmax(cycles, 500) / clock, memory); /* 500 under the lock */
}

/* Fills in the work at a share and with a memory wider than its own. */
static void add_work(const struct scenario *scenario, const struct reference_plan *plan, int node,
                     double share, double wider, struct reference_work *out)
{
    const struct component *c = component_of(scenario, plan, node);
    struct reference_parts parts = reference_parts(scenario, plan, node);
    struct price price = price_of(scenario, plan, node, share, wider, parts.rows);
    struct price last = price_of(scenario, plan, node, share, wider, parts.tail_rows);
    struct price late = price_of(scenario, plan, node, share, wider, parts.deferred_rows);
    double flops = compute_rate(scenario, plan, node) * compute_share(scenario, plan, node, share);
    double chain = sums_time(scenario, plan, node) / compute_share(scenario, plan, node, share);
    double tail_flop = parts.tail_flop;
    double tail = parts.tail_read * price.arriving + parts.tail_written * price.streamed +
                  parts.sweeps * parts.tail_resident * last.resident;
    double later = parts.deferred_read * late.arriving + parts.deferred_written * late.streamed +
                   parts.sweeps * parts.deferred_resident * late.resident;

    out->overlap = scenario->general.overlap;
    out->working_set = working_set(&parts);
    out->flop = parts.flop + parts.tail_flop + parts.deferred_flop;
    out->bytes = parts.read + parts.written + parts.tail_read + parts.tail_written +
                 parts.deferred_read + parts.deferred_written + parts.sweeps * out->working_set +
                 slots_with_work(plan, node) * partial_bytes(scenario, plan, node);
    out->stream_compute = fmax(parts.flop / flops, chain);
    out->stream_memory = parts.read * price.arriving + parts.written * price.streamed +
                         parts.sweeps * parts.resident * price.resident +
                         vector_time(scenario, plan, node, share, wider);
    out->partial = partial_bytes(scenario, plan, node) * price.streamed;
    if (parts.deferred_in_tail) {
        tail_flop += parts.deferred_flop;
        tail += later;
    } else {
        out->deferred = roof(parts.deferred_flop / flops, later, out->overlap);
    }
    out->tail = roof(tail_flop / flops, tail, out->overlap);
    out->compute = out->stream_compute + tail_flop / flops;
    out->memory = out->stream_memory + slots_with_work(plan, node) * out->partial + tail;
    if (c->type == COMPONENT_PROGRAM)
        out->tail += program_time(scenario, plan, node, share, wider, out);
}

bool reference_slot_works(const struct reference_node *node, const struct reference_work *work,
                          int slot)
{
    double each = work->stream_compute + work->stream_memory + work->overhead + work->stream_fixed +
                  work->launch + work->handover;

    return (node->weight[slot] > 0 && each > 0) ||
           (slot == node->slots - 1 &&
            (work->tail > 0 || work->tail_fixed > 0 || work->last_fixed > 0));
}

double reference_slot_work(const struct reference_node *node, const struct reference_work *work,
                           int slot)
{
    double w = node->weight[slot];
    double time = 0;

    if (w > 0)
        time =
            roof(w * work->stream_compute, w * work->stream_memory + work->partial, work->overlap);
    return slot == node->slots - 1 ? time + work->tail : time;
}

double reference_slot_fixed(const struct reference_node *node, const struct reference_work *work,
                            int slot)
{
    double time = 0;

    if (!reference_slot_works(node, work, slot))
        return 0;
    if (node->weight[slot] > 0)
        time += work->overhead + work->stream_fixed;
    if (slot == node->slots - 1)
        time += work->tail_fixed + work->last_fixed;
    return time;
}

/* Shares --------------------------------------------------------------------------------------- */

enum sharing reference_sharing(const struct scenario *scenario, int device)
{
    if (scenario->general.sharing >= 0)
        return (enum sharing)scenario->general.sharing;
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario_runs_on(scenario, c, device) &&
            (scenario->component[c].workers > 0 || scenario->component[c].share > 0 ||
             scenario->component[c].thread[0] != '\0'))
            return SHARING_PARTITION;
    return SHARING_EXCLUSIVE;
}

static int first_slot(const struct reference_node *node)
{
    int slot = 0;

    while (slot < node->slots - 1 && node->weight[slot] == 0)
        slot++;
    return slot;
}

static int last_slot(const struct scenario *scenario, const struct reference_plan *plan, int n)
{
    const struct reference_node *node = node_of(plan, n);
    struct reference_work at_one = {0};
    int slot = node->slots - 1;

    add_work(scenario, plan, n, 1, 1, &at_one);
    if (at_one.tail > 0 || reference_parts(scenario, plan, n).tail_kernels > 0)
        return slot;
    while (slot > 0 && node->weight[slot] == 0)
        slot--;
    return slot;
}

/* Not before: one is behind the other and does not begin before the last packet of that. */
static bool never_overlap(const struct scenario *scenario, const struct reference_plan *plan, int a,
                          int b)
{
    return (reference_behind(plan, b, a) &&
            first_slot(node_of(plan, b)) >= last_slot(scenario, plan, a)) ||
           (reference_behind(plan, a, b) &&
            first_slot(node_of(plan, a)) >= last_slot(scenario, plan, b));
}

/* Shared memory -------------------------------------------------------------------------------- */

/* The other of a board that shares the memory of its host, the first one of that, and the host. */
static int other_user(const struct scenario *scenario, int device)
{
    int host = reference_host(scenario, device);

    for (int d = 0; d < scenario->device_count; d++)
        if (d != host && scenario->device[d].kind != DEVICE_CPU &&
            reference_host(scenario, d) == host &&
            scenario->device[d].host_link == HOST_LINK_UNIFIED)
            return device == host ? d : device == d ? host : -1;
    return -1;
}

/* B/s of the memory of a device; what it reaches. */
static double reached(const struct device *d)
{
    struct reference_level levels[4];
    double cores = d->kind == DEVICE_CPU ? all_cores(d) : 0;
    struct device whole = *d;
    int count;

    whole.numa = 1;
    count = reference_levels(&whole, cores, false, levels);
    return levels[count - 1].bandwidth * d->sustained_memory;
}

/* Seconds before the command that an infinitely wide memory would save; rows as many as ever. */
static double memory_seconds(const struct scenario *scenario, const struct reference_plan *plan,
                             int node)
{
    struct reference_parts parts = reference_parts(scenario, plan, node);
    double seconds[2] = {0, 0};

    for (int i = 0; i < 2; i++) {
        double wider = i == 0 ? 1 : INFINITY;
        struct price price = price_of(scenario, plan, node, 1, wider, 0);
        double set = parts.resident + parts.tail_resident +
                     (parts.deferred_in_tail ? parts.deferred_resident : 0);
        double read =
            parts.read + parts.tail_read + (parts.deferred_in_tail ? parts.deferred_read : 0);
        double written = parts.written + parts.tail_written +
                         (parts.deferred_in_tail ? parts.deferred_written : 0) +
                         slots_with_work(plan, node) * partial_bytes(scenario, plan, node);
        struct reference_work program = {0};

        if (node_of(plan, node)->type == COMPONENT_PROGRAM)
            program_time(scenario, plan, node, 1, wider, &program);
        seconds[i] = parts.sweeps * set * price.resident + read * price.arriving +
                     written * price.streamed + vector_time(scenario, plan, node, 1, wider) +
                     program.memory;
    }
    return seconds[0] - seconds[1];
}

/* B of these. */
static double memory_bytes(const struct scenario *scenario, const struct reference_plan *plan,
                           int node)
{
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    struct reference_level levels[4];
    int count = reference_levels(d, cores_of(scenario, plan, node),
                                 is_limited(scenario, plan, node), levels);
    double rate = levels[count - 1].bandwidth;
    struct reference_work program = {0};

    if (node_of(plan, node)->type == COMPONENT_PROGRAM)
        program_time(scenario, plan, node, 1, 1, &program);
    return (memory_seconds(scenario, plan, node) - program.memory) * rate *
               memory_rate(scenario, plan, node) +
           program.bytes;
}

static bool has_transfers(const struct scenario *scenario, const struct reference_plan *plan,
                          int node)
{
    return node_of(plan, node)->at.device >= 0 && memory_seconds(scenario, plan, node) > 0;
}

static bool beside_other(const struct scenario *scenario, const struct reference_plan *plan,
                         int node)
{
    int other = other_user(scenario, node_of(plan, node)->at.device);

    for (int n = 0; n < plan->count; n++)
        if (node_of(plan, n)->at.device == other && has_transfers(scenario, plan, n) &&
            !never_overlap(scenario, plan, n, node))
            return has_transfers(scenario, plan, node);
    return false;
}

/* How much narrower memory is for a node because the other user of it works, too: alone it has all
 * that its device reaches; it waits for no more than all that the other one moves, and has at least
 * half. */
static double narrower(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    int device = node_of(plan, node)->at.device;
    int other = other_user(scenario, device);
    int host = reference_host(scenario, device);
    double shared, own, mine = 0, most = 0;

    if (other < 0 || !has_transfers(scenario, plan, node))
        return 1;
    shared = reached(&scenario->device[device == host ? other : device]);
    own = fmax(1, reached(&scenario->device[device]) / shared);
    if (!beside_other(scenario, plan, node))
        return own;
    for (int n = 0; n < plan->count; n++)
        if (together(plan, n, node) && beside_other(scenario, plan, n))
            mine += memory_seconds(scenario, plan, n);
    for (int m = 0; m < plan->count; m++) {
        double moved = 0;

        if (node_of(plan, m)->at.device != other)
            continue;
        for (int n = 0; n < plan->count; n++)
            if (together(plan, n, m) && beside_other(scenario, plan, n))
                moved += memory_bytes(scenario, plan, n);
        most = fmax(most, moved);
    }
    return fmin(fmax(1, 2 * reached(&scenario->device[device]) / shared),
                own + most / shared / mine);
}

/* Whether none of a thread, or of one component, ever works at the same time as another. */
static bool is_alone(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    for (int m = 0; m < plan->count; m++)
        for (int n = 0; n < plan->count && reference_thread(scenario, plan, m, node); n++)
            if (together(plan, n, m) && !reference_thread(scenario, plan, n, m) &&
                !never_overlap(scenario, plan, n, m))
                return false;
    return true;
}

/* Seconds of all of its work before the command, with the whole device. */
static double claim_of(const struct scenario *scenario, const struct reference_plan *plan, int n)
{
    struct reference_work at_one = {0};
    double sum = 0;

    add_work(scenario, plan, n, 1, 1 / narrower(scenario, plan, n), &at_one);
    for (int i = 0; i < plan->packets; i++)
        sum += reference_slot_work(node_of(plan, n), &at_one, i);
    return sum;
}

/* The same of all of a thread, and the largest share that one states. */
static double thread_claim(const struct scenario *scenario, const struct reference_plan *plan,
                           int node)
{
    double sum = 0;

    for (int n = 0; n < plan->count; n++)
        if (reference_thread(scenario, plan, n, node))
            sum += claim_of(scenario, plan, n);
    return sum;
}

static double thread_share(const struct scenario *scenario, const struct reference_plan *plan,
                           int node)
{
    double most = 0;

    for (int n = 0; n < plan->count; n++)
        if (reference_thread(scenario, plan, n, node))
            most = fmax(most, component_of(scenario, plan, n)->share);
    return most;
}

static double share_of(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    const struct component *c = component_of(scenario, plan, node);
    int device = node_of(plan, node)->at.device;
    double rest = 1;
    double work = 0;
    int others = 0;

    if (scenario->device[device].kind == DEVICE_FPGA ||
        reference_sharing(scenario, device) == SHARING_EXCLUSIVE)
        return 1;
    if (c->share > 0)
        return c->share;
    if (reference_sharing(scenario, device) == SHARING_FLUID)
        return 1;
    if (thread_share(scenario, plan, node) > 0)
        return thread_share(scenario, plan, node);
    for (int n = 0; n < plan->count; n++) {
        if (!together(plan, n, node) || !is_first(scenario, plan, n))
            continue;
        rest -= thread_share(scenario, plan, n);
        if (thread_share(scenario, plan, n) > 0 || is_alone(scenario, plan, n))
            continue;
        work += thread_claim(scenario, plan, n);
        others++;
    }
    if (is_alone(scenario, plan, node))
        return rest;
    return work > 0 ? rest * thread_claim(scenario, plan, node) / work : rest / others;
}

/* Fixed times ---------------------------------------------------------------------------------- */

static double or_else(double stated, double automatic)
{
    return stated >= 0 ? stated : automatic;
}

/* More threads than cores, which poll: each slot waits for a core. */
static bool is_crowded(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];

    return d->kind == DEVICE_CPU && d->dispatch != DISPATCH_WAKE &&
           workers_of(scenario, plan, node) > all_cores(d) && d->launch < 0;
}

static double launch_of(const struct scenario *scenario, const struct reference_plan *plan,
                        int node)
{
    static const double automatic[] = {
        [DISPATCH_STREAM] = 6.5e-6, [DISPATCH_GRAPH] = 7e-6, [DISPATCH_PERSISTENT] = 1.6e-6,
        [DISPATCH_SPIN] = 0.6e-6,   [DISPATCH_WAKE] = 5e-6,  [DISPATCH_PROCESS] = 0.6e-6};

    const struct device *d = &scenario->device[node_of(plan, node)->at.device];

    if (d->kind == DEVICE_FPGA)
        return d->stage_latency;
    if (d->kind == DEVICE_GPU && d->framework == FRAMEWORK_INTERPRETER)
        return or_else(d->launch, 0);
    if (is_crowded(scenario, plan, node))
        return 15e-6;
    if (d->framework == FRAMEWORK_INTERPRETER && d->dispatch == DISPATCH_WAKE)
        return or_else(d->launch, FIGURE_INTERPRETED_WAKE_US * 1e-6);
    return or_else(d->launch, automatic[d->dispatch]);
}

static double boundary_of(const struct scenario *scenario, const struct reference_plan *plan,
                          int node)
{
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];

    if (d->kind == DEVICE_FPGA)
        return 0;
    if (d->kind == DEVICE_GPU)
        return d->framework == FRAMEWORK_INTERPRETER
                   ? or_else(d->boundary, 0)
                   : or_else(d->boundary, d->dispatch == DISPATCH_PERSISTENT ? 1e-6 : 1.2e-6);
    /* the program of the tests has one thread */
    if (cores_of(scenario, plan, node) == 1 || node_of(plan, node)->type == COMPONENT_PROGRAM)
        return 0;
    return or_else(d->boundary, 2e-6);
}

/* Seconds of the operators of an interpreter in a slot. */
static double operators_time(const struct scenario *scenario, const struct reference_plan *plan,
                             int node)
{
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    double operators = 1;

    if (d->framework != FRAMEWORK_INTERPRETER || d->kind == DEVICE_FPGA)
        return 0;
    if (c->type == COMPONENT_CENTROID || c->type == COMPONENT_PYRAMID)
        operators = 6;
    if (c->type == COMPONENT_CONTROL)
        operators = is_stage(algorithm_row(scenario, node_of(plan, node)->component)->name) ? 1 : 4;
    if (c->type == COMPONENT_RECONSTRUCTION &&
        reference_parts(scenario, plan, node).tail_kernels > 0)
        operators = 2;
    return (c->operators > 0 ? c->operators : operators) * d->operator_time;
}

struct reference_work reference_work(const struct scenario *scenario,
                                     const struct reference_plan *plan, int node)
{
    const struct component *c = component_of(scenario, plan, node);
    const struct device *d = &scenario->device[node_of(plan, node)->at.device];
    struct reference_parts parts = reference_parts(scenario, plan, node);
    double boundary = boundary_of(scenario, plan, node);
    struct reference_work out = {0};

    out.share = share_of(scenario, plan, node);
    add_work(scenario, plan, node,
             d->kind == DEVICE_FPGA ||
                     reference_sharing(scenario, node_of(plan, node)->at.device) ==
                         SHARING_PARTITION
                 ? (out.share > 0 ? out.share : 1) /* nothing has no work */
                 : 1,
             1 / narrower(scenario, plan, node), &out);
    out.overhead = c->overhead + operators_time(scenario, plan, node);
    out.kernels = parts.kernels;
    out.tail_kernels = parts.tail_kernels;
    out.stream_fixed = boundary * parts.kernels;
    out.tail_fixed = boundary * parts.tail_kernels;
    out.deferred_fixed = boundary * parts.deferred_kernels;
    if (d->kind == DEVICE_CPU)
        out.last_fixed =
            or_else(d->software, d->dispatch == DISPATCH_PROCESS ? FIGURE_SOFTWARE_US * 1e-6 : 0);
    out.launch = launch_of(scenario, plan, node);
    out.always_launched = d->kind == DEVICE_FPGA || is_crowded(scenario, plan, node);
    return out;
}
