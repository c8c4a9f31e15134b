/* Work of a node: computation, data movement, and the time these take with the whole device. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/device.h"
#include "model/formulas.h"
#include "model/overhead.h"
#include "model/program.h"
#include "model/stage.h"

/* Demand --------------------------------------------------------------------------------------- */

static double all_slopes(const struct workspace *work, const struct scenario *scenario)
{
    double slopes = 0;

    for (int i = 0; i < scenario->wfs_count; i++)
        slopes += formula_all_slopes(scenario->wfs[i].count, stage_valid_subaps(work, scenario, i));
    return slopes;
}

/* Returns the Fourier grid that covers the pupil of the largest sensor that feeds a node, or of all
 * sensors if none does. */
static double automatic_grid(const struct scenario *scenario, const struct stage *stage)
{
    double across = stage->across;

    for (int i = 0; i < scenario->wfs_count && stage->across == 0; i++)
        across = larger(across, scenario->wfs[i].subaps_across);
    return formula_grid(across);
}

static int set_size(uint64_t set)
{
    int size = 0;

    for (; set != 0; set &= set - 1)
        size++;
    return size;
}

static struct workload_input workload_input_of(const struct workspace *work,
                                               const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct stage *stage = &work->stage[n];
    bool senses = node->wfs >= 0;
    struct workload_input in; /* every field is set: clearing it first would cost more */
    double arriving = 0;

    for (int i = 0; i < node->before_count; i++)
        arriving += stage_before(work, node, i)->slopes;
    in.pixels = senses ? stage->pixels : 0;
    in.wfs.bit_depth = senses ? scenario->wfs[node->wfs].bit_depth : 0;
    in.subaps = senses ? stage_subaps(work, scenario, node->wfs) : 0;
    in.wfs.pixels_per_subap = senses ? scenario->wfs[node->wfs].pixels_per_subap : 0;
    in.ao.actuators = scenario->ao.actuators;
    in.rows = c->rows > 0 ? c->rows : scenario->ao.modes > 0 ? scenario->ao.modes : in.ao.actuators;
    in.columns = c->columns > 0 ? c->columns : arriving > 0 ? arriving : all_slopes(work, scenario);
    if (node->parts > 0 && c->split == SPLIT_ROWS)
        in.rows = formula_part_rows(in.rows, node->parts);
    else if (node->parts > 0)
        in.columns = formula_part_columns(in.columns, node->parts);
    in.element_bytes = precision_bytes((enum precision)c->precision);
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
    in.states = c->states > 0 ? c->states : formula_states(in.ao);
    in.inputs = larger(1, set_size(scenario_predecessors(scenario, node->component)));
    in.flops = stage->stated[STATED_FLOPS];
    in.bytes_read = stage->stated[STATED_READ];
    in.bytes_written = stage->stated[STATED_WRITTEN];
    in.knob.working_set = stage->stated[STATED_SET];
    return in;
}

/* Moves deferred work before the command for components that may not defer it. */
static void undefer_work(struct demand *demand)
{
    demand->tail.flop += demand->deferred.flop;
    demand->tail.read += demand->deferred.read;
    demand->tail.written += demand->deferred.written;
    demand->tail.resident += demand->deferred.resident;
    demand->undeferred = demand->deferred.resident;
    demand->tail_kernels += demand->deferred_kernels;
    demand->deferred = (struct work){0, 0, 0, 0};
    demand->deferred_kernels = 0;
}

/* Returns the node that produces the input from the i-th predecessor. */
static int producing_node(const struct workspace *work, const struct plan_node *node, int i)
{
    int from = work->plan.pool[node->before_first + i];

    return work->plan.node[from].component < 0 ? work->plan.node[from].producer : from;
}

/* Adds the work of summing partial results of split predecessors once all have arrived. */
static void add_partial_sums(const struct workspace *work, const struct scenario *scenario, int n,
                             struct demand *demand)
{
    const struct plan_node *node = &work->plan.node[n];

    for (int i = 0; i < node->before_count; i++) {
        int from = producing_node(work, node, i);
        const struct plan_node *part;
        double bytes;
        double element;

        if (!work->stage[from].partial_sums)
            continue;
        part = &work->plan.node[from];
        bytes = work->stage[from].output / node->pieces;
        element = precision_bytes((enum precision)scenario->component[part->component].precision);
        demand->tail.read += bytes;
        if (part->part > 0) /* added to the first */
            demand->tail.flop += bytes / element;
    }
}

/* Returns the output of a program: as many bytes as its input. Partial sums count once. */
static double incoming_bytes(const struct workspace *work, const struct plan_node *node)
{
    double bytes = 0;

    for (int i = 0; i < node->before_count; i++) {
        int from = producing_node(work, node, i);

        if (!work->stage[from].partial_sums || work->plan.node[from].part == 0)
            bytes += stage_before(work, node, i)->output;
    }
    return bytes;
}

/* Sets items and depth of the algorithm's serially dependent sums, and the vector that rows read
 * again.
 *
 * Each row of a matrix is multiplied by the whole vector, so a core that processes row after row
 * loads as many elements of the vector as of the matrix: from its innermost cache while the vector
 * and the current row fit there together, which costs no transfer except the loads, otherwise from
 * the next level, interleaved with the lines of the matrix. (A matrix of 200 MB in memory, one core
 * with 34 KiB of L1: 33 GB/s with rows of 4 KiB, 27 of 16 KiB, 21 of 37 and 93 KiB, with one
 * accumulator or four.) `chains` simultaneous rows share these loads. Loads from the innermost
 * cache also compete with those of the row, and data from further levels passes through the same
 * cache and loads: a core with known operand_bandwidth takes that much longer (the part of
 * execution that does not overlap with transfers: Stengel, Treibig, Hager, Wellein, ICS 2015,
 * "Quantifying performance bottlenecks of stencil computations using the execution-cache-memory
 * model"). A core that reads 115 GB/s from L2 reached 82 for rows times a vector of 4 KiB, one with
 * 100 from L3 reached 81. Counted as time, not as bytes moved, and only on a device with known
 * operation latencies: the bandwidth fraction of vendors' devices is that of tuned code, which
 * keeps the vector in registers for several rows. */
static void set_chain(const struct workload_input *in, const struct device *device,
                      struct stage *stage)
{
    const enum chain chain = stage->algorithm->chain;

    stage->chain = device_chain_latency(device, chain) > 0 ? chain : CHAIN_NONE;
    stage->chain_items = formula_chain_items(stage->taken, stage->chain, in->subaps, in->rows);
    stage->chain_depth = formula_chain_depth(stage->taken, stage->chain, in->wfs, in->columns,
                                             device, in->element_bytes);
    stage->vector =
        stage->chain == CHAIN_ROWS ? formula_vector_bytes(in->columns, in->element_bytes) : 0;
}

double stage_deferred_bytes(const struct demand *demand)
{
    return formula_deferred_bytes(demand->deferred.read, demand->deferred.written, demand->sweeps,
                                  demand->deferred.resident);
}

enum status stage_demand(struct workspace *work, const struct scenario *scenario, int n,
                         struct error *error)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    struct workload_input in;
    struct stage *stage = &work->stage[n];
    const struct algorithm *algorithm = stage->algorithm;
    struct demand *demand = &stage->demand;
    double passes = stage->weights.count > 1 ? 2 : 1; /* a single packet only writes its result */

    memset(stage->stated, 0, sizeof stage->stated);
    if (c->type == COMPONENT_CUSTOM &&
        stage_stated(work, scenario, node->component, stage->stated, error) != STATUS_OK)
        return STATUS_INVALID;
    in = workload_input_of(work, scenario, n);
    workload_demand(algorithm, &in, demand);
    set_chain(&in, &scenario->device[node->device], stage);
    if (c->kernels > 0)
        demand->kernels = c->kernels;
    if (c->deferred == 0)
        undefer_work(demand);
    add_partial_sums(work, scenario, n, demand);
    demand->accumulator *= passes;
    stage->output = demand->output;
    if (c->type == COMPONENT_PROGRAM)
        stage->output = incoming_bytes(work, node);
    stage->partial_sums =
        node->parts > 0 && (c->split == SPLIT_COLUMNS || algorithm->division == DIVISION_MODES);
    stage->working_set = formula_working_set(demand->stream.resident, demand->tail.resident,
                                             demand->deferred.resident);
    stage->flop = formula_flop(demand->stream.flop, demand->tail.flop, demand->deferred.flop);
    stage->bytes =
        formula_all_bytes(formula_stream_bytes(demand->stream.read, demand->stream.written,
                                               demand->sweeps, demand->stream.resident),
                          formula_tail_bytes(demand->tail.read, demand->tail.written,
                                             demand->sweeps, demand->tail.resident),
                          stage_deferred_bytes(demand),
                          formula_accumulator_bytes(demand->accumulator, stage->weights.count));
    stage->rows = c->type == COMPONENT_RECONSTRUCTION ? in.rows : 0;
    stage->columns = c->type == COMPONENT_RECONSTRUCTION ? in.columns : 0;
    stage->grid = c->type == COMPONENT_RECONSTRUCTION ? in.grid : 0;
    stage->states = c->type == COMPONENT_CONTROL ? in.states : 0;
    stage->arriving = in.columns;
    return STATUS_OK;
}

/* Cores and memory levels ---------------------------------------------------------------------- */

/* Cores of a device that components state. */
struct stated_cores {
    double cores;
};

static enum status count_workers(const struct scenario *scenario, const struct plan_node *node,
                                 struct stated_cores *stated, struct error *error)
{
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];

    if (c->workers == 0 && c->thread[0] == '\0')
        return STATUS_OK;
    if (device->kind != DEVICE_CPU)
        return error_set(error, STATUS_INVALID,
                         "component.%s.%s: only components on a CPU have %s; device.%s is "
                         "%s",
                         c->head.name, c->workers > 0 ? "workers" : "thread",
                         c->workers > 0 ? "workers" : "threads", device->head.name,
                         device->kind == DEVICE_GPU ? "a GPU" : "an FPGA");
    stated->cores += smaller(scenario_taken_cores(scenario, node->component, node->device),
                             device_cores(device));
    return STATUS_OK;
}

static enum status reject_workers(const struct device *device, double workers, struct error *error)
{
    char sum[32];
    char cores[32];

    number_format(workers, sum, sizeof sum);
    number_format(device_cores(device), cores, sizeof cores);
    return error_set(error, STATUS_INVALID,
                     "device.%s: the workers of its components add up to %s, above its %s cores; "
                     "components that state the same thread take turns on its cores",
                     device->head.name, sum, cores);
}

/* Sets the cores of a node: its stated workers, else those of its thread, else the cores that the
 * others leave. */
static enum status set_cores(struct workspace *work, const struct scenario *scenario, int n,
                             const struct stated_cores *stated, struct error *error)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];
    struct stage *stage = &work->stage[n];

    stage->own_cores = stage->workers > 0;
    stage->cores = device_cores(device);
    stage->levels = &work->memory[node->device];
    if (stage->own_cores)
        stage->cores = smaller(stage->workers, device_cores(device));
    else if (work->sharing[node->device] != SHARING_EXCLUSIVE)
        stage->cores -= stated->cores;
    if (stage->cores == device_cores(device)) /* stating all of them changes nothing */
        return STATUS_OK;
    if (stage->cores <= 0)
        return error_set(
            error, STATUS_INVALID,
            "device.%s: stated workers use all its cores; none is left for component.%s",
            device->head.name, c->head.name);
    device_memory(device, stage->cores, &stage->own_levels);
    stage->levels = &stage->own_levels;
    return STATUS_OK;
}

void stage_update_device(struct workspace *work, const struct scenario *scenario, int d)
{
    const struct device *device = &scenario->device[d];

    if (memcmp(&work->memory_source[d], device, sizeof *device) == 0)
        return;
    device_memory(device, 0, &work->memory[d]);
    work->overhead[d] = overhead_of(device);
    work->memory_source[d] = *device;
    work->device_filled[d] = false;
}

enum status stage_memory(struct workspace *work, const struct scenario *scenario,
                         struct error *error)
{
    struct stated_cores stated[DEVICE_MAX];
    const struct plan *plan = &work->plan;

    for (int d = 0; d < scenario->device_count; d++)
        stated[d] = (struct stated_cores){0};
    for (int u = 0; u < plan->units; u++)
        work->held[u] = 0;
    for (int n = 0; n < plan->count; n++) {
        int device = plan->node[n].device;

        if (device < 0)
            continue;
        work->held[plan->node[n].unit] += work->stage[n].working_set;
        if (count_workers(scenario, &plan->node[n], &stated[device], error) != STATUS_OK)
            return STATUS_INVALID;
    }
    for (int d = 0; d < scenario->device_count; d++)
        if (work->sharing[d] != SHARING_EXCLUSIVE &&
            stated[d].cores > device_cores(&scenario->device[d]))
            return reject_workers(&scenario->device[d], stated[d].cores, error);
    for (int n = 0; n < plan->count; n++)
        if (plan->node[n].device >= 0 &&
            set_cores(work, scenario, n, &stated[plan->node[n].device], error) != STATUS_OK)
            return STATUS_INVALID;
    return STATUS_OK;
}

/* Programs ------------------------------------------------------------------------------------- */

static enum status check_program(const struct scenario *scenario, int component,
                                 const struct stage *stage, struct error *error)
{
    const struct component *c = &scenario->component[component];
    const struct device *device = &scenario->device[scenario_device(scenario, component)];
    const struct program *program = c->trace.program;

    if (program == NULL)
        return error_set(
            error, STATUS_INVALID,
            "component.%s.trace: the trace file is missing; set the path of a CSV file, relative "
            "to the design's directory",
            c->head.name);
    if (device->kind != DEVICE_CPU)
        return error_set(error, STATUS_INVALID,
                         "component.%s.device: a program runs on a cpu; %s is %s", c->head.name,
                         device->head.name, device->kind == DEVICE_GPU ? "a gpu" : "an fpga");
    if (program->threads <= stage->cores)
        return STATUS_OK;
    if (stage->own_cores)
        return error_set(error, STATUS_INVALID,
                         "component.%s.trace: %d threads, more than its %.0f workers", c->head.name,
                         program->threads, stage->cores);
    return error_set(error, STATUS_INVALID,
                     "component.%s.trace: %d threads, more than the %.0f cores of %s%s",
                     c->head.name, program->threads, stage->cores, device->head.name,
                     stage->cores < device_cores(device) ? " that other components leave" : "");
}

/* Sets the times of a program on its machine; returns them. */
static struct program_time set_program_times(struct stage *stage, struct track *track)
{
    const struct program_time time = program_total_time(stage->program, &stage->machine);

    stage->whole.compute += time.threads;
    stage->whole.transfer += time.bandwidth;
    stage->slots = stage_at_share(stage, 1, track);
    stage->work = formula_share_work(stage->slots, track->tail);
    return time;
}

enum status stage_program(struct workspace *work, const struct scenario *scenario, int n,
                          struct error *error)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];

    if (check_program(scenario, node->component, stage, error) != STATUS_OK)
        return STATUS_INVALID;
    stage->program = scenario->component[node->component].trace.program;
    stage->machine = program_machine(&scenario->device[node->device],
                                     (enum distance)scenario->component[node->component].distance,
                                     stage->program->threads);
    /* in addition to summing the parts of a split predecessor */
    stage->bytes += set_program_times(stage, &work->track[n]).bytes;
    return STATUS_OK;
}

/* Times ---------------------------------------------------------------------------------------- */

/* Fraction of the peak bandwidth in total of dense products of numpy and numba. */
#define INTERPRETED_PRODUCT_RATE 0.52

static bool is_dense_product(const struct algorithm *algorithm)
{
    switch ((enum algorithm_id)(algorithm - algorithms)) {
    case ALGORITHM_MVM:
    case ALGORITHM_MODAL:
    case ALGORITHM_LQG:
    case ALGORITHM_POLC:
    case ALGORITHM_POLC_EXPLICIT:
        return true;
    default:
        return false;
    }
}

/* Returns the fraction of the peak bandwidth of code that reaches a known one in total, else 0. */
static double total_rate(const struct device *device, const struct algorithm *algorithm)
{
    if (device->kind == DEVICE_GPU)
        return device->legacy ? LEGACY_MEMORY_RATE : 0;
    return device->kind == DEVICE_CPU && device->framework == FRAMEWORK_INTERPRETER &&
                   is_dense_product(algorithm)
               ? INTERPRETED_PRODUCT_RATE
               : 0;
}

static void set_efficiencies(const struct component *c, const struct algorithm *algorithm,
                             const struct device *device, enum access access, struct stage *stage)
{
    bool waits = memory_model_waits((enum memory_model)device->memory_model);

    stage->compute_efficiency = device_efficiency(
        stage->taken, device, algorithm, (enum precision)c->precision, c->compute_efficiency);
    stage->total_rate = c->memory_efficiency > 0 ? 0 : total_rate(device, algorithm);
    stage->memory_efficiency =
        formula_memory_efficiency(stage->taken, stage->total_rate, device, c->memory_efficiency,
                                  memory_access_efficiency(waits ? ACCESS_SEQUENTIAL : access) *
                                      (device->kind == DEVICE_GPU ? algorithm->gpu_memory : 1));
    stage->memory_rate = formula_memory_rate(device, stage->memory_efficiency);
}

static bool has_arriving_input(const struct plan *plan, const struct plan_node *node)
{
    for (int i = 0; i < node->before_count; i++) {
        enum component_type type = plan->node[plan->pool[node->before_first + i]].type;

        if (type == COMPONENT_CAMERA || type == COMPONENT_TRANSFER)
            return true;
    }
    return false;
}

/* Returns consecutive elements by access pattern; `in_order` if they are all consecutive. */
static double row_length(enum access access, double element, double in_order)
{
    switch (access) {
    case ACCESS_STRIDED:
        return formula_strided_block(element);
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

/* Returns the bytes of a packet outside the working set. */
static double packet_traffic(const struct stage *stage)
{
    const struct demand *demand = &stage->demand;
    double frame = streamed_bytes(&demand->stream) + streamed_bytes(&demand->tail) +
                   streamed_bytes(&demand->deferred);

    return frame / larger(1, stage->weights.count) + demand->accumulator;
}

/* Sets the costs per byte. Data is found in a cache again if everything accessed in between fits.
 * For a measured device, whose capacities are what the caches really hold, that is the working sets
 * and the streams: once if data is read just after it was written, or a packet's part of the
 * working set if streams are read again. (Calibration with 67 kB in total and an L1 of 32 KiB:
 * counting only the 38 kB of maps would find most of them there.) The usable fraction of other
 * devices allows for this. */
static void set_costs(struct workspace *work, const struct component *c,
                      const struct device *device, enum access access, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    enum memory_model model = (enum memory_model)device->memory_model;
    double element = precision_bytes((enum precision)c->precision);
    double packet = packet_traffic(stage);
    double rows = stage->demand.block > 0 ? stage->demand.block : stage->working_set / element;
    bool both = device_has_operation_latencies(device);
    double touched = formula_touched_bytes(packet, stage->demand.reread, stage->weights.count);
    double swept = stage->working_set / larger(1, stage->weights.count);
    struct traffic resident = {.held = work->held[node->unit] + (both ? touched : 0),
                               .block = c->block > 0 ? c->block : row_length(access, element, rows),
                               .element = element,
                               .locality = c->locality};
    struct traffic streamed = {.held = both ? touched + swept : packet,
                               .block =
                                   formula_streamed_block(stage->taken, access, packet, element),
                               .element = element,
                               .locality = c->locality};

    stage->block = larger(1, resident.block);
    memory_cost(model, stage->levels, &resident, &stage->costs.resident);
    memory_cost(model, stage->levels, &streamed, &stage->costs.streamed);
    streamed.beyond = true;
    stage->input_arrives = has_arriving_input(&work->plan, node);
    if (stage->input_arrives)
        memory_cost(model, stage->levels, &streamed, &stage->costs.arriving);
    else
        stage->costs.arriving = stage->costs.streamed;
}

/* Sets the cost of the vector that rows read again; it shares each core's caches with one row. */
static void set_operand(const struct component *c, const struct device *device, struct stage *stage)
{
    struct memory_cost *cost = &stage->costs.operand;
    const struct traffic traffic = {
        .held = formula_operand_held(stage->vector, stage->cores, stage->weights.count),
        .block = (double)INFINITY,
        .element = precision_bytes((enum precision)c->precision),
        .locality = c->locality};

    stage->operand = formula_operand_bytes(stage->chain_items, stage->vector, c->chains);
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

/* Returns the seconds of a part of the work at share 1. */
static struct span span_of(const struct stage *stage, const struct work *part, double per_flop,
                           double stretch)
{
    const struct stage_costs *costs = &stage->costs;
    double resident = stage->demand.sweeps * part->resident;

    if (part->flop + part->read + part->written + resident == 0) /* often no such work */
        return (struct span){0};
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

/* Sets the time of the bytes of a matrix, which a span includes. */
static void set_matrix(const struct stage *stage, enum matrix matrix, double bytes, double stretch,
                       struct span *span)
{
    bytes *= stage->demand.sweeps;
    span->matrix[matrix] =
        (struct matrix_time){.gap = bytes * stage->costs.resident.transfer * stretch,
                             .rows = bytes * stage->row_cost[matrix]};
}

static void add_span(struct span *sum, const struct span *span, double times)
{
    sum->compute += times * span->compute;
    sum->transfer += times * span->transfer;
    sum->wait += times * span->wait;
    for (int i = 0; i < MATRIX_COUNT; i++) {
        sum->matrix[i].gap += times * span->matrix[i].gap;
        sum->matrix[i].rows += times * span->matrix[i].rows;
    }
}

double stage_few_rows_time(const struct span *span, double slower)
{
    double sum = 0;

    for (int i = 0; i < MATRIX_COUNT; i++)
        sum += larger(0, span->matrix[i].rows - span->matrix[i].gap * slower);
    return sum;
}

double stage_span_memory(const struct span *span, double slower)
{
    return span->transfer * slower + span->wait + stage_few_rows_time(span, slower);
}

/* Returns the time of one level, which both costs include. */
static double level_time(const struct memory_part *resident, double resident_bytes,
                         const struct memory_part *streamed, double streamed_bytes, double stretch)
{
    return (resident_bytes * resident->transfer + streamed_bytes * streamed->transfer) * stretch +
           resident_bytes * resident->wait + streamed_bytes * streamed->wait;
}

enum memory_level_id stage_slowest_level(const struct stage *stage, double slower)
{
    double stretch = slower / stage->memory_rate;
    const struct demand *demand = &stage->demand;
    const struct stage_costs *costs = &stage->costs;
    int last = costs->resident.count - 1;
    double held = demand->sweeps * stage->working_set;
    double read = demand->stream.read + demand->tail.read + demand->deferred.read;
    double passed = demand->stream.written + demand->tail.written + demand->deferred.written +
                    formula_accumulator_bytes(demand->accumulator, stage->weights.count) +
                    (stage->input_arrives ? 0 : read);
    double most =
        level_time(&costs->resident.part[last], held, &costs->streamed.part[last], passed, stretch);
    enum memory_level_id slowest = LEVEL_MEMORY;

    if (stage->input_arrives)
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

static void set_spans(struct stage *stage, double flops, double factor)
{
    const struct demand *demand = &stage->demand;
    double per_flop = factor / flops;
    double stretch = 1 / stage->memory_rate;

    stage->stream = span_of(stage, &demand->stream, per_flop, stretch);
    stage->stream.compute = larger(stage->stream.compute, larger(stage->chain_time, stage->scalar));
    stage->stream.transfer += stage->operand * stage->costs.operand.transfer * stretch;
    stage->tail = span_of(stage, &demand->tail, per_flop, stretch);
    stage->deferred = span_of(stage, &demand->deferred, per_flop, stretch);
    if (stage->row_cost[MATRIX_STREAM] > 0) {
        set_matrix(stage, MATRIX_STREAM, demand->stream.resident, stretch, &stage->stream);
        set_matrix(stage, MATRIX_TAIL, demand->tail.resident - demand->undeferred, stretch,
                   &stage->tail);
        set_matrix(stage, MATRIX_DEFERRED, demand->undeferred, stretch, &stage->tail);
        set_matrix(stage, MATRIX_DEFERRED, demand->deferred.resident, stretch, &stage->deferred);
    }
    stage->accumulator =
        (struct span){.transfer = demand->accumulator * stage->costs.streamed.transfer * stretch,
                      .wait = demand->accumulator * stage->costs.streamed.wait};
    stage->whole = stage->stream;
    add_span(&stage->whole, &stage->tail, 1);
    add_span(&stage->whole, &stage->accumulator, stage->weights.count);
}

/* Returns the FLOP/s of the cores in use at share 1. */
static double flops_of(const struct component *c, const struct device *device,
                       const struct stage *stage)
{
    return formula_full_flops(device, device_peak(device, (enum precision)c->precision),
                              stage->compute_efficiency, stage->cores);
}

bool stage_alone(const struct component *c, const struct device *device, const struct stage *stage)
{
    const struct program *program = c->type == COMPONENT_PROGRAM ? c->trace.program : NULL;

    return device->kind == DEVICE_CPU &&
           (stage->cores == 1 || (program != NULL && program->threads == 1));
}

/* Returns the operators that an interpreter calls per packet for a component: six for slopes, one
 * per product, four for control and one for a stage of it; together 12 with two products. */
static double count_operators(const struct component *c, const struct demand *demand)
{
    if (c->operators > 0)
        return c->operators;
    switch ((enum component_type)c->type) {
    case COMPONENT_CENTROID:
    case COMPONENT_PYRAMID:
        return 6;
    case COMPONENT_RECONSTRUCTION:
        return demand->tail_kernels > 0 ? 2 : 1;
    case COMPONENT_CONTROL: /* stages of their own are the last rows */
        return algorithm_index(c) >= ALGORITHM_CONTROL_OFFSET ? 1 : 4;
    default:
        return 1;
    }
}

static void set_fixed(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct overhead *overhead = &work->overhead[node->device];
    struct stage *stage = &work->stage[n];
    double dispatch = stage_factor(work, node->device, CAUSE_DISPATCH);
    double software = stage_factor(work, node->device, CAUSE_SOFTWARE);
    double boundary =
        stage_alone(c, &scenario->device[node->device], stage) ? 0 : overhead->boundary * dispatch;
    double interpreted = overhead->operator* stage_factor(work, node->device, CAUSE_FRAMEWORK);

    stage->operators = overhead->operator> 0 ? count_operators(c, &stage->demand) : 0;
    stage->fixed = formula_fixed(c->overhead * software, boundary, stage->demand.kernels,
                                 stage->operators, interpreted);
    stage->fixed_tail =
        formula_fixed_tail(boundary, stage->demand.tail_kernels, overhead->software * software);
    stage->fixed_deferred = formula_fixed_deferred(boundary, stage->demand.deferred_kernels);
    stage->fixed_total = formula_fixed_total(stage->fixed, stage->weights.count, stage->fixed_tail);
}

/* Multiplies the costs of memory and of caches by the factors of their causes, and the transfers of
 * a memory that is shared by its stretch. */
static void scale_costs(const struct workspace *work, int device, struct stage *stage)
{
    struct stage_costs *costs = &stage->costs;
    struct memory_cost *all[] = {&costs->resident, &costs->streamed, &costs->arriving,
                                 &costs->operand};

    if (work->factors == NULL && stage->memory_stretch == 1)
        return;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct memory_cost *cost = all[i];

        cost->transfer = cost->wait = 0;
        for (int k = 0; k < cost->count; k++) {
            struct memory_part *part = &cost->part[k];
            double factor = stage_factor(work, device, memory_cause(part->level));

            part->transfer *= factor * (part->level == LEVEL_MEMORY ? stage->memory_stretch : 1);
            part->wait *= factor;
            cost->transfer += part->transfer;
            cost->wait += part->wait;
        }
    }
}

/* Returns the mean latency of an access to the working set on a GPU, s. */
static double row_latency(const struct workspace *work, int index, const struct device *device,
                          const struct stage *stage)
{
    const struct memory_cost *cost = &stage->costs.resident;
    const int first = stage->levels->count - cost->count;
    double sum = 0;

    for (int k = 0; k < cost->count; k++)
        sum += cost->part[k].fraction * stage->levels->level[first + k].latency *
               stage_factor(work, index, memory_cause(cost->part[k].level));
    return sum * formula_in_flight(device, 0);
}

/* Sets the least costs of a byte of the matrices of a dense product on a GPU: a warp per row has
 * 512 B in flight. */
static void set_row_costs(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct device *device = &scenario->device[node->device];
    struct stage *stage = &work->stage[n];
    const struct algorithm *algorithm = stage->algorithm;
    double each;

    memset(stage->row_cost, 0, sizeof stage->row_cost);
    if (device->kind != DEVICE_GPU || !is_dense_product(algorithm))
        return;
    each = formula_row_cost(row_latency(work, node->device, device, stage));
    stage->row_cost[MATRIX_STREAM] =
        each / (algorithm == &algorithms[ALGORITHM_LQG] ? stage->states : larger(stage->rows, 1));
    stage->row_cost[MATRIX_TAIL] = each / scenario->ao.actuators;
    stage->row_cost[MATRIX_DEFERRED] =
        each / (algorithm == &algorithms[ALGORITHM_LQG]             ? stage->states
                : algorithm == &algorithms[ALGORITHM_POLC_EXPLICIT] ? larger(stage->arriving, 1)
                                                                    : scenario->ao.actuators);
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
    double compute;

    set_efficiencies(c, algorithm, device, access, stage);
    set_costs(work, c, device, access, n);
    set_operand(c, device, stage);
    scale_costs(work, node->device, stage);
    compute = stage_factor(work, node->device, CAUSE_COMPUTE);
    stage->chain_time =
        compute * formula_chain_time(stage->taken, stage->chain, stage->chain_items,
                                     stage->chain_depth, device, stage->cores, c->chains);
    stage->scalar =
        compute * formula_scalar_time(stage->taken, stage->chain, stage->demand.stream.flop, device,
                                      stage->cores, c->chains);
    set_row_costs(work, scenario, n);
    set_spans(stage, flops_of(c, device, stage), compute);
    set_fixed(work, scenario, n);
    track->kind = TRACK_COMPUTE;
    track->overlap = scenario->general.overlap;
    stage->slots = stage_at_share(stage, 1, track);
    /* nodes that only sum partial results need a share, too */
    stage->work = formula_share_work(stage->slots, track->tail);
}

/* Returns the transfer time of a byte that is due to memory. */
static double memory_part(const struct memory_cost *cost)
{
    return cost->count > 0 ? cost->part[cost->count - 1].transfer : 0;
}

double stage_memory_transfer(const struct stage *stage, double *bytes)
{
    const struct demand *demand = &stage->demand;
    const struct stage_costs *costs = &stage->costs;
    double time = demand->sweeps * (demand->stream.resident + demand->tail.resident) *
                      memory_part(&costs->resident) +
                  (demand->stream.read + demand->tail.read) * memory_part(&costs->arriving) +
                  (demand->stream.written + demand->tail.written +
                   formula_accumulator_bytes(demand->accumulator, stage->weights.count)) *
                      memory_part(&costs->streamed) +
                  stage->operand * memory_part(&costs->operand);

    *bytes = time * stage->levels->level[stage->levels->count - 1].bandwidth;
    time /= stage->memory_rate;
    if (stage->program != NULL) {
        double moved = program_total_time(stage->program, &stage->machine).bytes;

        *bytes += moved;
        time += moved / stage->machine.bandwidth;
    }
    return time;
}

void stage_stretch_memory(struct workspace *work, const struct scenario *scenario, int n)
{
    struct stage *stage = &work->stage[n];

    stage_work(work, scenario, n);
    if (stage->program == NULL)
        return;
    stage->machine.bandwidth /= stage->memory_stretch;
    set_program_times(stage, &work->track[n]);
}
