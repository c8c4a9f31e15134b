#include <math.h>
#include <stdio.h>

#include "device.h"
#include "explain/way.h"
#include "explain/rules.h"
#include "workload.h"

/* How long a component takes: its packets, what follows them, when it starts and ends. What stands
 * for the parts of a split component takes its numbers from them. */

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
SPAN(tail_full_compute, stage->tail.compute)
SPAN(fixed, stage->fixed)
SPAN(fixed_tail, stage->fixed_tail)
SPAN(fixed_total, stage->fixed_total)
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

static double launch(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);

    return stage_alone(explain_component(explain, subject), device, explain_stage(explain, subject))
               ? 0
               : device->launch;
}

static bool split_rows(const struct explain *explain, struct explain_subject subject)
{
    return explain_is_whole(explain, subject) &&
           explain_component(explain, subject)->split == SPLIT_ROWS;
}

static bool split_columns(const struct explain *explain, struct explain_subject subject)
{
    return explain_is_whole(explain, subject) &&
           explain_component(explain, subject)->split == SPLIT_COLUMNS;
}

static bool follows(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->before_count > 0;
}

static bool alone(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && launch(explain, subject) == 0 &&
           explain_device(explain, subject)->launch > 0;
}

static bool linear(const struct explain *explain, struct explain_subject subject)
{
    double slope;
    double offset;

    return explain_computes(explain, subject) &&
           track_linear(explain_track(explain, subject), &slope, &offset);
}

static bool plainly_linear(const struct explain *explain, struct explain_subject subject)
{
    return linear(explain, subject) && explain_track(explain, subject)->accumulator == 0;
}

static bool kernels_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return explain_computes(explain, subject) && c->kernels == 0;
}

static void kernels_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    if (explain_stage(explain, subject)->demand.sweeps > 1 && kernels(explain, subject) > 2)
        snprintf(text, size, "6 * iterations");
}

static bool has_deferred(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && explain_stage(explain, subject)->deferred_time > 0;
}

/* Times on the timeline ---------------------------------------------------------------------- */

static bool is_camera(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->kind == TRACK_CAMERA;
}

static bool ends(const struct explain *explain, struct explain_subject subject)
{
    return !explain_is_whole(explain, subject);
}

static bool waits_for_others(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject way = {EXPLAIN_BEFORE, subject.index, 0};

    return !explain_is_whole(explain, subject) && !is_camera(explain, subject) &&
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
    return !explain_is_whole(explain, subject) && !is_camera(explain, subject) &&
           first_wait(explain, subject) > 1e-12 * explain_result(explain, subject)->first_start;
}

static bool has_path_busy(const struct explain *explain, struct explain_subject subject)
{
    return !explain_is_whole(explain, subject) && explain_result(explain, subject)->path_busy > 0;
}

static bool has_path_wait(const struct explain *explain, struct explain_subject subject)
{
    const struct node_result *node = explain_result(explain, subject);

    return !explain_is_whole(explain, subject) && node->path_wait > 1e-12 * node->last_end;
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

/* clang-format off */
const struct explain_rule explain_time_rules[] = {
    {EXPLAIN_COMPONENT, "share", NULL, explain_is_whole, "slowest.share", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "compute_efficiency", NULL, explain_is_whole, "slowest.compute_efficiency",
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_efficiency", NULL, explain_is_whole, "slowest.memory_efficiency",
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "workers", NULL, explain_is_whole, "slowest.workers", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "block", NULL, explain_is_whole, "slowest.block", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "kernels", NULL, explain_is_whole, "slowest.kernels", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "deferred_time", NULL, explain_is_whole, "max(parts.*.deferred_time)", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "path_busy", NULL, explain_is_whole, "sum(parts.*.path_busy)", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "path_wait", NULL, explain_is_whole, "sum(parts.*.path_wait)", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "slack", NULL, explain_is_whole, "min(parts.*.slack)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "flop", NULL, explain_is_whole, "sum(parts.*.flop)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "bytes", NULL, explain_is_whole, "sum(parts.*.bytes)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "deferred_flop", NULL, explain_is_whole, "sum(parts.*.deferred_flop)", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "deferred_bytes", NULL, explain_is_whole, "sum(parts.*.deferred_bytes)",
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "working_set", NULL, explain_is_whole, "sum(parts.*.working_set)", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, explain_is_whole, "max(parts.*.compute_time)", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, explain_is_whole, "max(parts.*.memory_time)", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "time", NULL, explain_is_whole, "max(parts.*.time)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "busy", NULL, explain_is_whole, "max(parts.*.busy)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "rows", NULL, split_rows, "round(sum(parts.*.rows))", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "rows", NULL, explain_is_whole, "max(parts.*.rows)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "columns", NULL, split_columns, "round(sum(parts.*.columns))", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "columns", NULL, explain_is_whole, "max(parts.*.columns)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "first_start", NULL, explain_is_whole, "min(parts.*.first_start)", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "last_end", NULL, explain_is_whole, "max(parts.*.last_end)", NULL, NULL,
     NULL, false},
    {EXPLAIN_COMPONENT, "time", NULL, explain_computes, "packets_time + tail_time + fixed_total",
     NULL, NULL, NULL, true},
    {EXPLAIN_COMPONENT, "packets_time", "us", plainly_linear, "work_time", packets_time,
     "of all packets, without launches and overhead", NULL, false},
    {EXPLAIN_COMPONENT, "packets_time", "us", linear,
     "work_time + loaded_packets * accumulator_time", packets_time,
     "of all packets, without launches and overhead", NULL, false},
    {EXPLAIN_COMPONENT, "packets_time", "us", explain_computes, "sum(packets.*.work_time)",
     packets_time, "of all packets, without launches and overhead", NULL, false},
    {EXPLAIN_COMPONENT, "work_time", "us", explain_computes, EXPLAIN_ROOF("stream_compute",
     "stream_memory"), work_time, "what comes with the packets: the longer of compute and memory",
     NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", explain_is_program,
     EXPLAIN_PROGRAM("phases"), stream_compute,
     "its trace on its part of the machine", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", explain_owns_cores, "stream_flop / full_flops",
     stream_compute, "FLOP that come with the packets", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", explain_owns_share,
     "stream_flop / full_flops / share", stream_compute, "FLOP that come with the packets", NULL,
     false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", explain_has_share, "stream_flop / full_flops",
     stream_compute, "FLOP that come with the packets", NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", explain_computes, NULL, stream_compute, "no work",
     NULL, false},
    {EXPLAIN_COMPONENT, "stream_memory", "us", explain_shares, "stream_transfer + stream_wait",
     stream_memory, "bytes that come with the packets", NULL, false},
    {EXPLAIN_COMPONENT, "stream_memory", "us", explain_has_share,
     "stream_transfer / share + stream_wait", stream_memory, "bytes that come with the packets",
     NULL, false},
    {EXPLAIN_COMPONENT, "stream_memory", "us", explain_computes, NULL, stream_memory, "no work",
     NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_time", "us", explain_shares,
     "accumulator_transfer + accumulator_wait", accumulator_time,
     "partial result of a packet, read and written", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_time", "us", explain_has_share,
     "accumulator_transfer / share + accumulator_wait", accumulator_time,
     "partial result of a packet, read and written", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_time", "us", explain_computes, NULL, accumulator_time,
     "no work", NULL, false},
    {EXPLAIN_COMPONENT, "tail_time", "us", explain_computes,
     EXPLAIN_ROOF("tail_compute", "tail_memory"),
     tail_work, "what follows the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", explain_owns_cores, "tail_flop / full_flops",
     tail_compute, "FLOP after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", explain_shares, "tail_flop / full_flops",
     tail_compute, "FLOP after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", explain_has_share, "tail_flop / full_flops / share",
     tail_compute, "FLOP after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_compute", "us", explain_computes, NULL, tail_compute, "no work", NULL,
     false},
    {EXPLAIN_COMPONENT, "tail_memory", "us", explain_shares, "tail_transfer + tail_wait",
     tail_memory, "bytes after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_memory", "us", explain_has_share, "tail_transfer / share + tail_wait",
     tail_memory, "bytes after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "tail_memory", "us", explain_computes, NULL, tail_memory, "no work", NULL,
     false},
    {EXPLAIN_COMPONENT, "deferred_time", NULL, has_deferred, "deferred_work + fixed_deferred", NULL,
     NULL, NULL, true},
    {EXPLAIN_COMPONENT, "deferred_work", "us", explain_computes, EXPLAIN_ROOF("deferred_compute",
     "deferred_memory"), deferred_work, "what follows the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", explain_owns_cores, "deferred_flop / full_flops",
     deferred_compute, "FLOP after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", explain_shares, "deferred_flop / full_flops",
     deferred_compute, "FLOP after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", explain_has_share,
     "deferred_flop / full_flops / share", deferred_compute, "FLOP after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_compute", "us", explain_computes, NULL, deferred_compute,
     "no work", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_memory", "us", explain_shares,
     "deferred_transfer + deferred_wait", deferred_memory, "bytes after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_memory", "us", explain_has_share,
     "deferred_transfer / share + deferred_wait", deferred_memory, "bytes after the command", NULL,
     false},
    {EXPLAIN_COMPONENT, "deferred_memory", "us", explain_computes, NULL, deferred_memory, "no work",
     NULL, false},
    {EXPLAIN_COMPONENT, "fixed_deferred", "us", explain_computes, "launch * deferred_kernels",
     fixed_deferred, "launches after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_kernels", "", explain_computes, NULL, deferred_kernels,
     "launches after the command", NULL, false},
    {EXPLAIN_COMPONENT, "fixed_total", "us", explain_computes,
     "loaded_packets * fixed + fixed_tail", fixed_total, "overhead and launches of the frame", NULL,
     true},
    {EXPLAIN_COMPONENT, "fixed", "us", explain_computes, "overhead + launch * kernels", fixed,
     "overhead and launches of a packet with work", NULL, true},
    {EXPLAIN_COMPONENT, "fixed_tail", "us", explain_computes, "launch * tail_kernels", fixed_tail,
     "launches after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "launch", "us", alone, "0 * device.launch", launch,
     "one thread has no others to gather", NULL, false},
    {EXPLAIN_COMPONENT, "launch", "us", explain_computes, "device.launch", launch, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "kernels", "", kernels_open, NULL, kernels, "launches of its algorithm",
     kernels_text, false},
    {EXPLAIN_COMPONENT, "tail_kernels", "", explain_computes, NULL, tail_kernels,
     "launches after the last packet", NULL, false},
    {EXPLAIN_COMPONENT, "busy", NULL, explain_computes, "time + deferred_time", NULL, NULL, NULL,
     true},
    {EXPLAIN_COMPONENT, "frame_busy", "us", NULL, "busy / divisor", frame_busy,
     "per frame of the loop", NULL, false},
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
    {EXPLAIN_COMPONENT, "path_busy", NULL, has_path_busy, "simulated(all.*.busy, last_pixel)", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "path_wait", NULL, waits_on_path, "sum(steps.*.wait)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "path_wait", NULL, has_path_wait, "simulated(all.*.busy)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "divisor", "", explain_senses, "wfs.rate_divisor", divisor,
     "delivers every k-th frame", NULL, false},
    {EXPLAIN_COMPONENT, "divisor", "", follows, "min(before.*.divisor)", divisor,
     "delivers every k-th frame", NULL, false},
    {EXPLAIN_COMPONENT, "divisor", "", NULL, NULL, divisor, "delivers every frame", NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
