#include <math.h>
#include <stdio.h>

#include "device.h"
#include "explain_path.h"
#include "explain_rules.h"
#include "workload.h"

/* Sources -------------------------------------------------------------------------------------- */

static const struct device *device_of(const struct explain *explain, struct explain_subject subject)
{
    return &explain->scenario->device[explain_plan(explain, subject)->device];
}

static double peak(const struct explain *explain, struct explain_subject subject)
{
    return device_peak(device_of(explain, subject),
                       (enum precision)explain_component(explain, subject)->precision);
}

/* FLOP/s with the whole of the device. */
static double full_flops(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = device_of(explain, subject);
    const struct stage *stage = explain_stage(explain, subject);
    double part = device->kind == DEVICE_GPU ? 1 : stage->cores / device_cores(device);

    return peak(explain, subject) * device->sustained_compute * stage->compute_efficiency * part;
}

#define SPAN(name, expression)                                                                     \
    static double name(const struct explain *explain, struct explain_subject subject)              \
    {                                                                                              \
        const struct stage *stage = explain_stage(explain, subject);                               \
        const struct track *track = explain_track(explain, subject);                               \
                                                                                                   \
        (void)stage;                                                                               \
        (void)track;                                                                               \
        return expression;                                                                         \
    }

SPAN(stream_compute, track->compute)
SPAN(stream_memory, track->memory)
SPAN(accumulator_time, track->accumulator)
SPAN(full_stream_compute, stage->stream.compute)
SPAN(tail_full_compute, stage->tail.compute)
SPAN(whole_compute, stage->whole.compute)
SPAN(fixed, stage->fixed)
SPAN(fixed_tail, stage->fixed_tail)
SPAN(fixed_total, stage->fixed_total)
SPAN(share_work, stage->work)
SPAN(kernels, stage->demand.kernels)
SPAN(tail_kernels, stage->demand.tail_kernels)
SPAN(divisor, stage->divisor)
SPAN(frame_busy, explain->result->node[subject.index].busy / stage->divisor)
SPAN(tail_work, track->tail)
SPAN(deferred_work, track->deferred)
SPAN(fixed_deferred, stage->fixed_deferred)
SPAN(deferred_kernels, stage->demand.deferred_kernels)

/* At the share it has, of a part whose seconds at share 1 are known. */
static double shared_compute(const struct explain *explain, struct explain_subject subject,
                             double full)
{
    const struct stage *stage = explain_stage(explain, subject);

    double share = explain_share(explain, subject);

    return stage->own_cores ? full : share > 0 ? full / share : 0;
}

double explain_share(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->general.sharing == SHARING_PARTITION
               ? explain_stage(explain, subject)->share
               : 1;
}

static double deferred_compute(const struct explain *explain, struct explain_subject subject)
{
    return shared_compute(explain, subject, explain_stage(explain, subject)->deferred.compute);
}

static double deferred_memory(const struct explain *explain, struct explain_subject subject)
{
    const struct span *span = &explain_stage(explain, subject)->deferred;
    double share = explain_share(explain, subject);

    return share > 0 ? span->transfer / share + span->wait : span->wait;
}

/* As load.c counts it. */
static double device_time(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);
    double all = stage->time + stage->deferred_time;
    double work = all - stage->fixed_total - stage->fixed_deferred;

    if (explain->scenario->general.sharing == SHARING_EXCLUSIVE)
        return all / stage->divisor;
    if (explain->scenario->general.sharing == SHARING_FLUID)
        return (work > 0 ? work : 0) / stage->divisor;
    return stage->share * all / stage->divisor;
}

static double tail_compute(const struct explain *explain, struct explain_subject subject)
{
    return shared_compute(explain, subject, tail_full_compute(explain, subject));
}

static double tail_memory(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    double share = explain_share(explain, subject);

    return share > 0 ? stage->tail.transfer / share + stage->tail.wait : stage->tail.wait;
}

static double work_time(const struct explain *explain, struct explain_subject subject)
{
    const struct track *track = explain_track(explain, subject);

    return roofline_time(track->compute, track->memory, track->overlap);
}

/* The sum of the packets' durations, without what is fixed. */
static double packets_time(const struct explain *explain, struct explain_subject subject)
{
    const struct track *track = explain_track(explain, subject);
    int packets = explain_packets(explain);
    double slope;
    double offset;
    double sum = 0;

    if (track_linear(track, &slope, &offset))
        return slope + offset * track->weights.count;
    for (int i = track->weights.first; i < packets; i++) {
        double weight = track_weight(track, i, packets);

        if (weight > 0)
            sum += roofline_time(weight * track->compute,
                                 weight * track->memory + track->accumulator, track->overlap);
    }
    return sum;
}

static double stated_shares(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    for (int n = 0; n < explain->result->node_count; n++)
        if (explain->result->work->plan.node[n].device == subject.index)
            sum +=
                explain->scenario->component[explain->result->work->plan.node[n].component].share;
    return sum;
}

static double launch(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = device_of(explain, subject);

    return device->kind == DEVICE_CPU && explain_stage(explain, subject)->cores == 1
               ? 0
               : device->launch;
}

static bool computes(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->device >= 0;
}

static bool is_whole(const struct explain *explain, struct explain_subject subject)
{
    return plan_node_is_whole(explain_plan(explain, subject));
}

static bool split_rows(const struct explain *explain, struct explain_subject subject)
{
    return is_whole(explain, subject) && explain_component(explain, subject)->split == SPLIT_ROWS;
}

static bool split_columns(const struct explain *explain, struct explain_subject subject)
{
    return is_whole(explain, subject) &&
           explain_component(explain, subject)->split == SPLIT_COLUMNS;
}

static bool senses(const struct explain *explain, struct explain_subject subject)
{
    enum component_type type = explain_plan(explain, subject)->type;

    return type == COMPONENT_CAMERA || type == COMPONENT_CALIBRATION ||
           type == COMPONENT_DESCRAMBLE || type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID;
}

static bool follows(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->before_count > 0;
}

static bool on_gpu(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && device_of(explain, subject)->kind == DEVICE_GPU;
}

static bool owns_cores(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && explain_stage(explain, subject)->own_cores;
}

/* Some cores, beside those that others state. */
static bool left_cores(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && !on_gpu(explain, subject) &&
           explain_stage(explain, subject)->cores < device_cores(device_of(explain, subject));
}

static bool has_share(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && explain_share(explain, subject) > 0;
}

/* Where every component owns a part of its device. */
static bool owns_share(const struct explain *explain, struct explain_subject subject)
{
    return has_share(explain, subject) && explain->scenario->general.sharing == SHARING_PARTITION;
}

static bool shares_time(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && explain->scenario->general.sharing == SHARING_EXCLUSIVE;
}

static bool shares_rate(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && explain->scenario->general.sharing == SHARING_FLUID;
}

static bool is_program(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && explain_stage(explain, subject)->program != NULL;
}

static bool defers(const struct explain *explain, struct explain_subject subject)
{
    return has_share(explain, subject) && explain_stage(explain, subject)->demand.deferred.flop > 0;
}

static bool fused(const struct explain *explain, struct explain_subject subject)
{
    return device_of(explain, subject)->fma != 0;
}

static bool alone(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && launch(explain, subject) == 0 &&
           device_of(explain, subject)->launch > 0;
}

static bool share_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return computes(explain, subject) && c->share == 0;
}

static bool frame_share(const struct explain *explain, struct explain_subject subject)
{
    return share_open(explain, subject) && stage_frame_barrier(explain_component(explain, subject));
}

static double device_share_work(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    for (int n = 0; n < explain->result->node_count; n++) {
        struct explain_subject other = {EXPLAIN_COMPONENT, n, 0};

        if (explain->result->work->plan.node[n].device == subject.index &&
            share_open(explain, other) && !frame_share(explain, other))
            sum += explain->result->work->stage[n].work;
    }
    return sum;
}

static double device_streams(const struct explain *explain, struct explain_subject subject)
{
    int count = 0;

    for (int n = 0; n < explain->result->node_count; n++) {
        struct explain_subject other = {EXPLAIN_COMPONENT, n, 0};

        count += explain->result->work->plan.node[n].device == subject.index &&
                 share_open(explain, other) && !frame_share(explain, other);
    }
    return count;
}

static bool stream_share(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject device = {EXPLAIN_DEVICE, explain_plan(explain, subject)->device, 0};

    return share_open(explain, subject) && device_share_work(explain, device) > 0;
}

static bool linear(const struct explain *explain, struct explain_subject subject)
{
    double slope;
    double offset;

    return computes(explain, subject) &&
           track_linear(explain_track(explain, subject), &slope, &offset);
}

static bool plainly_linear(const struct explain *explain, struct explain_subject subject)
{
    return linear(explain, subject) && explain_track(explain, subject)->accumulator == 0;
}

/* The same at share 1. */
static bool linear_alone(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);
    double memory = stage->stream.transfer + stage->stream.wait;

    return computes(explain, subject) &&
           (stage->demand.accumulator == 0 || stage->stream.compute <= memory);
}

static bool plainly_linear_alone(const struct explain *explain, struct explain_subject subject)
{
    return linear_alone(explain, subject) &&
           explain_stage(explain, subject)->demand.accumulator == 0;
}

/* What only adds up vectors. */
static bool only_tail(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return computes(explain, subject) && stage->stream.compute == 0 &&
           stage->stream.transfer + stage->stream.wait == 0 && stage->demand.accumulator == 0;
}

static bool efficiency_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return computes(explain, subject) && c->compute_efficiency == 0;
}

static bool chained(const struct explain *explain, struct explain_subject subject)
{
    return efficiency_open(explain, subject) && !on_gpu(explain, subject) &&
           algorithm_row(explain->scenario, explain_plan(explain, subject)->component)->chain > 0;
}

static void chained_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    const struct algorithm *row =
        algorithm_row(explain->scenario, explain_plan(explain, subject)->component);

    snprintf(text, size, "min(1, %g * %g / (peak_flops / (device.all_cores * device.clock)))",
             row->cpu_efficiency, row->chain);
}

static bool kernels_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return computes(explain, subject) && c->kernels == 0;
}

static void kernels_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    if (explain_stage(explain, subject)->demand.sweeps > 1 && kernels(explain, subject) > 2)
        snprintf(text, size, "6 * iterations");
}

/* At the precision of the component. */
static void peak_text(const struct explain *explain, struct explain_subject subject, char *text,
                      size_t size)
{
    static const char *const ratios[] = {[PRECISION_FP64] = " * device.fp64_ratio",
                                         [PRECISION_FP32] = "",
                                         [PRECISION_FP16] = " * device.fp16_ratio",
                                         [PRECISION_BF16] = " * device.fp16_ratio",
                                         [PRECISION_INT8] = " * device.int8_ratio"};

    if (on_gpu(explain, subject))
        snprintf(text, size, "device.units * device.clock * device.ops_per_clock%s",
                 ratios[explain_component(explain, subject)->precision]);
    else
        snprintf(text, size,
                 "device.all_cores * device.clock * device.simd_bits / (8 * element_bytes) * "
                 "device.fma_pipes%s",
                 fused(explain, subject) ? " * 2" : "");
}

/* FLOP/s it gets: of its own cores, or a share. */
static void flops_text(const struct explain *explain, struct explain_subject subject, char *text,
                       size_t size)
{
    bool part = owns_cores(explain, subject) || left_cores(explain, subject);

    snprintf(text, size, "peak_flops * device.sustained_compute * compute_efficiency%s%s",
             part ? " * workers / device.all_cores" : "",
             owns_cores(explain, subject) || !owns_share(explain, subject) ? "" : " * share");
}

static double effective_flops(const struct explain *explain, struct explain_subject subject)
{
    return full_flops(explain, subject) *
           (owns_cores(explain, subject) ? 1 : explain_share(explain, subject));
}

static void full_flops_text(const struct explain *explain, struct explain_subject subject,
                            char *text, size_t size)
{
    bool part = owns_cores(explain, subject) || left_cores(explain, subject);

    snprintf(text, size, "peak_flops * device.sustained_compute * compute_efficiency%s",
             part ? " * workers / device.all_cores" : "");
}

static bool has_deferred(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && explain_stage(explain, subject)->deferred_time > 0;
}

/* Has all of the device, in turn or at the same time as others. */
static bool shares(const struct explain *explain, struct explain_subject subject)
{
    return shares_time(explain, subject) || shares_rate(explain, subject);
}

static bool open_rate(const struct explain *explain, struct explain_subject subject)
{
    return shares_rate(explain, subject) && share_open(explain, subject);
}

/* Times on the timeline ---------------------------------------------------------------------- */

static bool is_camera(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->kind == TRACK_CAMERA;
}

static bool ends(const struct explain *explain, struct explain_subject subject)
{
    return !is_whole(explain, subject);
}

static bool waits_for_others(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject way = {EXPLAIN_BEFORE, subject.index, 0};

    return !is_whole(explain, subject) && !is_camera(explain, subject) &&
           explain_step_count(explain, way) > 0;
}

/* What its first start was put off once all it needs was there. */
static double first_wait(const struct explain *explain, struct explain_subject subject)
{
    int packets = explain_packets(explain);
    int slot = explain_track(explain, subject)->weights.first;

    slot = slot >= packets ? packets - 1 : slot;
    return explain_result(explain, subject)->first_start -
           explain_ready(explain, subject.index, slot);
}

static bool stands_in_line(const struct explain *explain, struct explain_subject subject)
{
    return !is_whole(explain, subject) && !is_camera(explain, subject) &&
           first_wait(explain, subject) > 1e-12 * explain_result(explain, subject)->first_start;
}

static bool has_path_busy(const struct explain *explain, struct explain_subject subject)
{
    return !is_whole(explain, subject) && explain_result(explain, subject)->path_busy > 0;
}

static bool has_path_wait(const struct explain *explain, struct explain_subject subject)
{
    const struct node_result *node = explain_result(explain, subject);

    return !is_whole(explain, subject) && node->path_wait > 1e-12 * node->last_end;
}

/* With all of its steps after the last pixel. */
static bool on_path(const struct explain *explain, struct explain_subject subject)
{
    return explain_from_last_pixel(explain) &&
           (has_path_busy(explain, subject) || has_path_wait(explain, subject));
}

static bool waits_on_path(const struct explain *explain, struct explain_subject subject)
{
    return on_path(explain, subject) && has_path_wait(explain, subject);
}

#define PROGRAM                                                                                    \
    "program(device.clock, device.cpi_int, device.cpi_fp, device.cpi_fma, device.cpi_simd, "       \
    "device.cpi_div, device.cpi_load, device.cpi_store, device.cpi_branch, device.cpi_sync, "      \
    "device.cpi_other, device.remote_latency, device.memory_bandwidth, device.sustained_memory, "  \
    "workers, share)"

#define ROOF(compute, memory)                                                                      \
    "max(" compute ", " memory ") + (1 - scenario.overlap) * min(" compute ", " memory ")"

/* clang-format off */
const struct explain_rule explain_component_rules[] = {
    {EXPLAIN_COMPONENT, "flop", NULL, is_whole, "sum(parts.*.flop)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "bytes", NULL, is_whole, "sum(parts.*.bytes)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "working_set", NULL, is_whole, "sum(parts.*.working_set)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, is_whole, "max(parts.*.compute_time)", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, is_whole, "max(parts.*.memory_time)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "time", NULL, is_whole, "max(parts.*.time)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "busy", NULL, is_whole, "max(parts.*.busy)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "rows", NULL, split_rows, "round(sum(parts.*.rows))", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "rows", NULL, is_whole, "max(parts.*.rows)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "columns", NULL, split_columns, "round(sum(parts.*.columns))", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "columns", NULL, is_whole, "max(parts.*.columns)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "first_start", NULL, is_whole, "min(parts.*.first_start)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "last_end", NULL, is_whole, "max(parts.*.last_end)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "bytes", NULL, is_program, NULL, NULL, "of its trace", NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, is_program, PROGRAM, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, defers, "(flop - deferred_flop) / effective_flops", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, has_share, "flop / effective_flops", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, NULL, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "effective_flops", "FLOP/s", computes, NULL, effective_flops,
     "what its code gets of the device", flops_text, false},
    {EXPLAIN_COMPONENT, "full_flops", "FLOP/s", computes, NULL, full_flops,
     "what its code would get of the whole device", full_flops_text, false},
    {EXPLAIN_COMPONENT, "peak_flops", "FLOP/s", computes, NULL, peak,
     "of its device, at its precision", peak_text, false},
    {EXPLAIN_COMPONENT, "compute_efficiency", NULL, chained, NULL, NULL, NULL, chained_text, false},
    {EXPLAIN_COMPONENT, "compute_efficiency", NULL, efficiency_open, NULL, NULL,
     "usual for its algorithm", NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, is_program, PROGRAM, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, owns_share, "transfer_time / share + wait_time", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, has_share, "transfer_time + wait_time", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "time", NULL, computes, "packets_time + tail_time + fixed_total", NULL,
     NULL, NULL, true},
    {EXPLAIN_COMPONENT, "packets_time", "us", plainly_linear, "work_time", packets_time,
     "of all packets, without launches and overhead", NULL, false},
    {EXPLAIN_COMPONENT, "packets_time", "us", linear,
     "work_time + loaded_packets * accumulator_time", packets_time,
     "of all packets, without launches and overhead", NULL, false},
    {EXPLAIN_COMPONENT, "packets_time", "us", computes, "sum(packets.*.work_time)", packets_time,
     "of all packets, without launches and overhead", NULL, false},
    {EXPLAIN_COMPONENT, "work_time", "us", computes, ROOF("stream_compute", "stream_memory"),
     work_time, "what comes with the packets: the longer of compute and memory", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", is_program, PROGRAM, stream_compute,
     "its trace on its part of the machine", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", owns_cores, "stream_flop / full_flops",
     stream_compute, "FLOP that come with the packets", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", owns_share, "stream_flop / full_flops / share",
     stream_compute, "FLOP that come with the packets", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", has_share, "stream_flop / full_flops",
     stream_compute, "FLOP that come with the packets", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", computes, NULL, stream_compute, "no work", NULL,
     false},
    {EXPLAIN_COMPONENT, "full_stream_compute", "us", computes, "stream_flop / full_flops",
     full_stream_compute, "with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "full_compute", "us", computes, "flop / full_flops", whole_compute,
     "with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "stream_memory", "us", shares, "stream_transfer + stream_wait",
     stream_memory, "bytes that come with the packets", NULL, false},
    {EXPLAIN_COMPONENT, "stream_memory", "us", has_share,
     "stream_transfer / share + stream_wait", stream_memory, "bytes that come with the packets",
     NULL, false},
    {EXPLAIN_COMPONENT, "stream_memory", "us", computes, NULL, stream_memory, "no work", NULL,
     false},
    {EXPLAIN_COMPONENT, "accumulator_time", "us", shares,
     "accumulator_transfer + accumulator_wait", accumulator_time,
     "partial result of a packet, read and written", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_time", "us", has_share,
     "accumulator_transfer / share + accumulator_wait", accumulator_time,
     "partial result of a packet, read and written", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_time", "us", computes, NULL, accumulator_time, "no work", NULL,
     false},
    {EXPLAIN_COMPONENT, "tail_time", "us", computes, ROOF("tail_compute", "tail_memory"),
     tail_work, "what follows the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", owns_cores, "tail_flop / full_flops", tail_compute,
     "FLOP after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", shares, "tail_flop / full_flops", tail_compute,
     "FLOP after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", has_share, "tail_flop / full_flops / share",
     tail_compute, "FLOP after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", computes, NULL, tail_compute, "no work", NULL, false},
    {EXPLAIN_COMPONENT, "tail_memory", "us", shares, "tail_transfer + tail_wait", tail_memory,
     "bytes after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_memory", "us", has_share, "tail_transfer / share + tail_wait",
     tail_memory, "bytes after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_memory", "us", computes, NULL, tail_memory, "no work", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_time", NULL, has_deferred, "deferred_work + fixed_deferred", NULL,
     NULL, NULL, true},
    {EXPLAIN_COMPONENT, "deferred_work", "us", computes, ROOF("deferred_compute", "deferred_memory"),
     deferred_work, "what follows the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", owns_cores, "deferred_flop / full_flops",
     deferred_compute, "FLOP after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", shares, "deferred_flop / full_flops",
     deferred_compute, "FLOP after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", has_share, "deferred_flop / full_flops / share",
     deferred_compute, "FLOP after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", computes, NULL, deferred_compute, "no work", NULL,
     false},
    {EXPLAIN_COMPONENT, "deferred_memory", "us", shares, "deferred_transfer + deferred_wait",
     deferred_memory, "bytes after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_memory", "us", has_share,
     "deferred_transfer / share + deferred_wait", deferred_memory, "bytes after the command", NULL,
     false},
    {EXPLAIN_COMPONENT, "deferred_memory", "us", computes, NULL, deferred_memory, "no work", NULL,
     false},
    {EXPLAIN_COMPONENT, "fixed_deferred", "us", computes, "launch * deferred_kernels",
     fixed_deferred, "launches after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_kernels", "", computes, NULL, deferred_kernels,
     "launches after the command", NULL, false},
    {EXPLAIN_COMPONENT, "fixed_total", "us", computes, "loaded_packets * fixed + fixed_tail",
     fixed_total, "overhead and launches of the frame", NULL, true},
    {EXPLAIN_COMPONENT, "fixed", "us", computes, "overhead + launch * kernels", fixed,
     "overhead and launches of a packet with work", NULL, true},
    {EXPLAIN_COMPONENT, "fixed_tail", "us", computes, "launch * tail_kernels", fixed_tail,
     "launches after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "launch", "us", alone, "0 * device.launch", launch,
     "one core has no threads to gather", NULL, false},
    {EXPLAIN_COMPONENT, "launch", "us", computes, "device.launch", launch, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "kernels", "", kernels_open, NULL, kernels, "launches of its algorithm",
     kernels_text, false},
    {EXPLAIN_COMPONENT, "tail_kernels", "", computes, NULL, tail_kernels,
     "launches after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "share", NULL, shares_time, NULL, NULL, "it has the whole device in its turn",
     NULL, false},
    {EXPLAIN_COMPONENT, "share", NULL, open_rate, NULL, NULL, "against those of others", NULL,
     false},
    {EXPLAIN_COMPONENT, "share", NULL, frame_share, "1 - device.stated_shares", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "share", NULL, stream_share,
     "(1 - device.stated_shares) * share_work / device.share_work", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "share", NULL, share_open, "(1 - device.stated_shares) / device.streams",
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", only_tail,
     ROOF("tail_flop / full_flops", "(tail_transfer + tail_wait)"), share_work,
     "what follows its packets, with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", plainly_linear_alone,
     ROOF("full_stream_compute", "(stream_transfer + stream_wait)"), share_work,
     "its packets with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", linear_alone,
     ROOF("full_stream_compute", "(stream_transfer + stream_wait)")
     " + loaded_packets * (accumulator_transfer + accumulator_wait)", share_work,
     "its packets with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", computes, "sum(packets.*.full_work_time)", share_work,
     "its packets with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "busy", NULL, computes, "time + deferred_time", NULL, NULL, NULL, true},
    {EXPLAIN_COMPONENT, "frame_busy", "us", NULL, "busy / divisor", frame_busy,
     "per frame of the loop", NULL, false},
    {EXPLAIN_COMPONENT, "device_time", "us", shares_time, "busy / divisor", device_time,
     "of the device, per frame of the loop", NULL, false},
    {EXPLAIN_COMPONENT, "device_time", "us", shares_rate,
     "max(0, busy - fixed_total - fixed_deferred) / divisor", device_time,
     "of the whole device, per frame of the loop", NULL, false},
    {EXPLAIN_COMPONENT, "device_time", "us", computes, "share * busy / divisor", device_time,
     "of the whole device, per frame of the loop", NULL, false},
    {EXPLAIN_COMPONENT, "first_start", NULL, stands_in_line, "sum(way.*.time) + first_wait", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "first_wait", "us", stands_in_line, "simulated(all.*.busy)", first_wait,
     "for others on the same link or device, or the frame before", NULL, false},
    {EXPLAIN_COMPONENT, "first_start", NULL, waits_for_others, "sum(way.*.time)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "last_end", NULL, is_camera, "time", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "last_end", NULL, ends, "sum(path.*.time)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "slack", NULL, ends, "simulated(all.*.busy)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "path_busy", NULL, on_path, "sum(steps.*.busy)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "path_busy", NULL, has_path_busy, "simulated(time, last_pixel)", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "path_wait", NULL, waits_on_path, "sum(steps.*.wait)", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "path_wait", NULL, has_path_wait, "simulated(all.*.busy)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "divisor", "", senses, "wfs.rate_divisor", divisor,
     "delivers every k-th frame", NULL, false},
    {EXPLAIN_COMPONENT, "divisor", "", follows, "min(before.*.divisor)", divisor,
     "delivers every k-th frame", NULL, false},
    {EXPLAIN_COMPONENT, "divisor", "", NULL, NULL, divisor, "delivers every frame", NULL, false},
    {EXPLAIN_DEVICE, "stated_shares", "", NULL, "sum(claimants.*.share)", stated_shares,
     "of its components, together", NULL, false},
    {EXPLAIN_DEVICE, "share_work", "us", NULL, "sum(streamers.*.share_work)", device_share_work,
     "of its components with automatic shares", NULL, false},
    {EXPLAIN_DEVICE, "streams", "", NULL, NULL, device_streams,
     "components with automatic shares", NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
