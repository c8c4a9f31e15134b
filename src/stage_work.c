#include "device.h"
#include "memory.h"
#include "stage.h"
#include "workload.h"

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

static void set_efficiencies(const struct component *c, const struct algorithm *algorithm,
                             const struct device *device, struct stage *stage)
{
    enum access access = c->access == CHOICE_AUTO ? algorithm->access : (enum access)c->access;

    stage->compute_efficiency = c->compute_efficiency;
    if (stage->compute_efficiency == 0)
        stage->compute_efficiency =
            algorithm_efficiency(algorithm, device, (enum precision)c->precision);
    stage->memory_efficiency = c->memory_efficiency;
    if (stage->memory_efficiency == 0)
        stage->memory_efficiency = memory_access_efficiency(access) *
                                   (device->kind == DEVICE_GPU ? algorithm->gpu_memory : 1);
}

/* Seconds at share 1 to move what a part of the work moves. */
static double move(const struct work *part, double sweeps, double bandwidth)
{
    return memory_time_flat(part->read + part->written + sweeps * part->resident, bandwidth);
}

void stage_work(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];
    const struct algorithm *algorithm = algorithm_row(scenario, node->component);
    struct stage *stage = &work->stage[n];
    const struct demand *demand = &stage->demand;
    struct track *track = &work->track[n];
    double flops;
    double bandwidth;

    set_efficiencies(c, algorithm, device, stage);
    flops = device_peak(device, (enum precision)c->precision) * device->sustained_compute *
            stage->compute_efficiency;
    bandwidth = device_bandwidth(device) * device->sustained_memory * stage->memory_efficiency;
    track->kind = TRACK_COMPUTE;
    track->scale = 1;
    track->fixed = 0;
    track->overlap = scenario->general.overlap;
    track->compute = demand->stream.flop / flops;
    track->memory = move(&demand->stream, demand->sweeps, bandwidth);
    track->accumulator = memory_time_flat(demand->accumulator, bandwidth);
    track->tail = roofline_time(demand->tail.flop / flops,
                                move(&demand->tail, demand->sweeps, bandwidth), track->overlap);
    stage->compute = stage->flop / flops;
    stage->memory = memory_time_flat(stage->bytes, bandwidth);
    stage->work = slots_time(track, &stage->weights, (int)scenario->general.packets);
    stage->fixed = c->overhead + device->launch * demand->kernels;
    stage->fixed_total =
        stage->fixed * stage->weights.count + device->launch * demand->tail_kernels;
}
