#include "device.h"
#include "larger.h"
#include "stage.h"
#include "workload.h"
#include "workload_demands.h"

static double all_slopes(const struct workspace *work, const struct scenario *scenario)
{
    double slopes = 0;

    for (int i = 0; i < scenario->wfs_count; i++)
        slopes += 2 * stage_subaps(work, scenario, i);
    return slopes;
}

/* The Fourier grid that holds the pupil of the largest sensor that feeds a node, or of all where
 * none does. */
static double automatic_grid(const struct scenario *scenario, const struct stage *stage)
{
    double across = stage->across;
    double side;

    for (int i = 0; i < scenario->wfs_count && stage->across == 0; i++)
        across = larger(across, scenario->wfs[i].subaps_across);
    side = next_power_of_two(across);
    return side * side;
}

static struct workload_input input_of(const struct workspace *work, const struct scenario *scenario,
                                      int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct stage *stage = &work->stage[n];
    bool senses = node->wfs >= 0;
    struct workload_input in; /* every field is set: clearing it first costs more than that */
    double arriving = 0;

    for (int i = 0; i < node->before_count; i++)
        arriving += stage_before(work, node, i)->slopes;
    in.pixels = senses ? stage->pixels : 0;
    in.pixel_bits = senses ? scenario->wfs[node->wfs].bit_depth : 0;
    in.subaps = senses ? stage_subaps(work, scenario, node->wfs) : 0;
    in.side = senses ? scenario->wfs[node->wfs].pixels_per_subap : 0;
    in.actuators = scenario->ao.actuators;
    in.rows = c->rows > 0 ? c->rows : scenario->ao.modes > 0 ? scenario->ao.modes : in.actuators;
    in.columns = c->columns > 0 ? c->columns : arriving > 0 ? arriving : all_slopes(work, scenario);
    if (node->parts > 0 && c->split == SPLIT_ROWS)
        in.rows /= node->parts;
    else if (node->parts > 0)
        in.columns /= node->parts;
    in.element = precision_bytes((enum precision)c->precision);
    in.flops_per_pixel = c->flops_per_pixel;
    in.reference_slopes = c->reference_slopes != 0;
    in.search = c->search;
    in.tile = c->tile;
    in.rank = c->rank;
    in.density = c->density;
    in.iterations = c->iterations;
    in.unknowns = c->unknowns;
    in.grid = c->grid;
    if (c->grid == 0 && c->type == COMPONENT_RECONSTRUCTION)
        in.grid = automatic_grid(scenario, stage);
    in.states = c->states > 0 ? c->states : 2 * in.actuators;
    in.flops = c->flops;
    in.bytes_read = c->bytes_read;
    in.bytes_written = c->bytes_written;
    in.working_set = c->working_set;
    return in;
}

/* Work that could wait until the command is out, where it may not. */
static void do_before_command(struct demand *demand)
{
    demand->tail.flop += demand->deferred.flop;
    demand->tail.read += demand->deferred.read;
    demand->tail.written += demand->deferred.written;
    demand->tail.resident += demand->deferred.resident;
    demand->tail_kernels += demand->deferred_kernels;
    demand->deferred = (struct work){0, 0, 0, 0};
    demand->deferred_kernels = 0;
}

/* The node that makes what the i-th predecessor brings. */
static int source(const struct workspace *work, const struct plan_node *node, int i)
{
    int from = work->plan.pool[node->before_first + i];

    return work->plan.node[from].component < 0 ? work->plan.node[from].producer : from;
}

/* The partial results of split predecessors are read and added once all are there. */
static void add_sums(const struct workspace *work, const struct scenario *scenario, int n,
                     struct demand *demand)
{
    const struct plan_node *node = &work->plan.node[n];

    for (int i = 0; i < node->before_count; i++) {
        int from = source(work, node, i);
        const struct plan_node *part;
        double bytes;
        double element;

        if (!work->stage[from].adds)
            continue;
        part = &work->plan.node[from];
        bytes = work->stage[from].output / node->pieces;
        element = precision_bytes((enum precision)scenario->component[part->component].precision);
        demand->tail.read += bytes;
        if (part->part > 0) /* onto the first */
            demand->tail.flop += bytes / element;
    }
}

/* What a program hands on: results of the code it stands for in place of what came in. Parts that
 * have to be added are as many results as one. */
static double incoming(const struct workspace *work, const struct plan_node *node)
{
    double bytes = 0;

    for (int i = 0; i < node->before_count; i++) {
        int from = source(work, node, i);

        if (!work->stage[from].adds || work->plan.node[from].part == 0)
            bytes += stage_before(work, node, i)->output;
    }
    return bytes;
}

static void set_chain(const struct workload_input *in, const struct device *device,
                      const struct component *c, struct stage *stage)
{
    enum chain chain = stage->algorithm->chain;

    stage->chain_items = stage->chain_depth = stage->vector = 0;
    if (device_chain_latency(device, chain) == 0)
        return;
    stage->chain_items = chain_items(chain, in);
    stage->chain_depth = chain_depth(chain, in, device_lanes(device, (enum precision)c->precision));
    stage->vector = chain_operand(chain, in);
}

void stage_demand(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    struct workload_input in = input_of(work, scenario, n);
    struct stage *stage = &work->stage[n];
    const struct algorithm *algorithm = stage->algorithm;
    struct demand *demand = &stage->demand;
    double passes = stage->weights.count > 1 ? 2 : 1; /* one packet only writes its result */

    *demand = demand_none;
    algorithm->demand(&in, demand);
    set_chain(&in, &scenario->device[node->device], c, stage);
    if (c->kernels > 0)
        demand->kernels = c->kernels;
    if (c->deferred == 0)
        do_before_command(demand);
    add_sums(work, scenario, n, demand);
    demand->accumulator *= passes;
    stage->output = demand->output;
    if (c->type == COMPONENT_PROGRAM)
        stage->output = incoming(work, node);
    stage->adds =
        node->parts > 0 && (c->split == SPLIT_COLUMNS || algorithm->division == DIVISION_MODES);
    stage->working_set =
        demand->stream.resident + demand->tail.resident + demand->deferred.resident;
    stage->flop = demand->stream.flop + demand->tail.flop + demand->deferred.flop;
    stage->bytes = work_bytes(&demand->stream) + work_bytes(&demand->tail) +
                   work_bytes(&demand->deferred) + (demand->sweeps - 1) * stage->working_set +
                   demand->accumulator * stage->weights.count;
    stage->rows = c->type == COMPONENT_RECONSTRUCTION ? in.rows : 0;
    stage->columns = c->type == COMPONENT_RECONSTRUCTION ? in.columns : 0;
    stage->grid = c->type == COMPONENT_RECONSTRUCTION ? in.grid : 0;
    stage->states = c->type == COMPONENT_CONTROL ? in.states : 0;
}
