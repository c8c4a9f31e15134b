#include "device.h"
#include "memory.h"
#include "stage.h"
#include "workload.h"

static double all_slopes(const struct workspace *work, const struct scenario *scenario)
{
    double slopes = 0;

    for (int i = 0; i < scenario->wfs_count; i++)
        slopes += 2 * stage_subaps(work, scenario, i);
    return slopes;
}

static struct workload_input input_of(const struct workspace *work, const struct scenario *scenario,
                                      int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct stage *stage = &work->stage[n];
    struct workload_input in = {0};
    double arriving = 0;

    for (int i = 0; i < node->before_count; i++)
        arriving += stage_before(work, node, i)->slopes;
    if (node->wfs >= 0) {
        in.pixels = stage->pixels;
        in.pixel_bits = scenario->wfs[node->wfs].bit_depth;
        in.subaps = stage_subaps(work, scenario, node->wfs);
        in.side = scenario->wfs[node->wfs].pixels_per_subap;
    }
    in.actuators = scenario->ao.actuators;
    in.rows = c->rows > 0 ? c->rows : scenario->ao.modes > 0 ? scenario->ao.modes : in.actuators;
    in.columns = c->columns > 0 ? c->columns : arriving > 0 ? arriving : all_slopes(work, scenario);
    in.element = precision_bytes((enum precision)c->precision);
    in.flops_per_pixel = c->flops_per_pixel;
    in.reference_slopes = c->reference_slopes != 0;
    in.flops = c->flops;
    in.bytes_read = c->bytes_read;
    in.bytes_written = c->bytes_written;
    in.working_set = c->working_set;
    return in;
}

/* The sum of the slots' durations at share 1, without fixed times. */
static double slots_time(const struct track *track, const struct weights *weights, int packets)
{
    double slope;
    double offset;
    double sum = 0;

    if (track_linear(track, &slope, &offset))
        return slope + offset * weights->count;
    if (weights->slot == NULL)
        return track_duration(track, packets - 1, packets) - track->tail;
    for (int i = 0; i < packets; i++)
        sum += track_duration(track, i, packets);
    return sum - track->tail;
}

static void set_efficiencies(const struct component *c, const struct algorithm *algorithm, bool gpu,
                             struct stage *stage)
{
    enum access access = c->access == CHOICE_AUTO ? algorithm->access : (enum access)c->access;

    stage->compute_efficiency = c->compute_efficiency;
    if (stage->compute_efficiency == 0)
        stage->compute_efficiency = gpu ? algorithm->gpu_efficiency : algorithm->cpu_efficiency;
    stage->memory_efficiency = c->memory_efficiency;
    if (stage->memory_efficiency == 0)
        stage->memory_efficiency = memory_access_efficiency(access);
}

void stage_compute(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];
    const struct algorithm *algorithm = algorithm_row(scenario, node->component);
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    struct workload_input in = input_of(work, scenario, n);
    struct demand demand = {0};
    double passes = stage->weights.count > 1 ? 2 : 1; /* one packet only writes its result */
    double flops;
    double bandwidth;

    algorithm->demand(&in, &demand);
    set_efficiencies(c, algorithm, device->kind == DEVICE_GPU, stage);
    flops = device_peak(device, (enum precision)c->precision) * device->sustained_compute *
            stage->compute_efficiency;
    bandwidth = device_bandwidth(device) * device->sustained_memory * stage->memory_efficiency;
    track->kind = TRACK_COMPUTE;
    track->scale = 1;
    track->fixed = 0;
    track->overlap = scenario->general.overlap;
    track->compute = demand.stream.flop / flops;
    track->memory = memory_time_flat(demand.stream.streamed + demand.stream.resident, bandwidth);
    track->accumulator = memory_time_flat(passes * demand.accumulator, bandwidth);
    track->tail = roofline_time(
        demand.tail.flop / flops,
        memory_time_flat(demand.tail.streamed + demand.tail.resident, bandwidth), track->overlap);
    stage->output = demand.output;
    stage->flop = demand.stream.flop + demand.tail.flop;
    stage->bytes = demand.stream.streamed + demand.stream.resident + demand.tail.streamed +
                   demand.tail.resident + passes * demand.accumulator * stage->weights.count;
    stage->working_set = demand.stream.resident + demand.tail.resident;
    stage->rows = c->type == COMPONENT_RECONSTRUCTION ? in.rows : 0;
    stage->columns = c->type == COMPONENT_RECONSTRUCTION ? in.columns : 0;
    stage->compute = stage->flop / flops;
    stage->memory = memory_time_flat(stage->bytes, bandwidth);
    stage->work = slots_time(track, &stage->weights, (int)scenario->general.packets);
    stage->fixed = c->overhead + device->launch;
    stage->fixed_total =
        stage->fixed * stage->weights.count + device->launch * algorithm->tail_kernels;
}
