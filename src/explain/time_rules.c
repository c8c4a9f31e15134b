#include <math.h>
#include <stdio.h>

#include "explain/path.h"
#include "explain/rules.h"
#include "model/device.h"
#include "model/formulas.h"

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
    const char *own = workload_texts[explain_algorithm(explain, subject) - algorithms].kernels;
    size_t length;

    if (own != NULL && expression_name(own, &length) != NULL)
        snprintf(text, size, "%s", own);
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
    {EXPLAIN_COMPONENT, "fixed_deferred", "us", explain_computes, formula_text_fixed_deferred,
     fixed_deferred, "launches after the command", NULL, false},
    {EXPLAIN_COMPONENT, "deferred_kernels", "", explain_computes, NULL, deferred_kernels,
     "launches after the command", NULL, false},
    {EXPLAIN_COMPONENT, "fixed_total", "us", explain_computes,
     formula_text_fixed_total, fixed_total, "overhead and launches of the frame", NULL,
     true},
    {EXPLAIN_COMPONENT, "fixed", "us", explain_computes, formula_text_fixed, fixed,
     "overhead and launches of a packet with work", NULL, true},
    {EXPLAIN_COMPONENT, "fixed_tail", "us", explain_computes, formula_text_fixed_tail, fixed_tail,
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

/* Slot rules ----------------------------------------------------------------------------------- */

/* Packets -------------------------------------------------------------------------------------- */

static double weight(const struct explain *explain, struct explain_subject subject)
{
    return track_weight(explain_track(explain, subject), subject.part, explain_packets(explain));
}

static double duration(const struct explain *explain, struct explain_subject subject)
{
    return track_duration(explain_track(explain, subject), subject.part, explain_packets(explain));
}

static bool is_link(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->kind == TRACK_LINK;
}

static bool is_last(const struct explain *explain, struct explain_subject subject)
{
    return subject.part == explain_packets(explain) - 1;
}

static double slot_work_time(const struct explain *explain, struct explain_subject subject)
{
    const struct track *track = explain_track(explain, subject);
    double w = weight(explain, subject);

    return w <= 0 ? 0
                  : roofline_time(w * track->compute, w * track->memory + track->accumulator,
                                  track->overlap);
}

static double full_work_time(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);
    double w = weight(explain, subject);
    double memory = stage->stream.transfer + stage->stream.wait;
    double accumulator = stage->accumulator.transfer + stage->accumulator.wait;

    return w <= 0 ? 0
                  : roofline_time(w * stage->stream.compute, w * memory + accumulator,
                                  explain->scenario->general.overlap);
}

static bool loaded(const struct explain *explain, struct explain_subject subject)
{
    return weight(explain, subject) > 0;
}

static double packet_bytes(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->bytes * weight(explain, subject);
}

static double datagrams(const struct explain *explain, struct explain_subject subject)
{
    return floor(packet_bytes(explain, subject) / explain_track(explain, subject)->wire.payload);
}

static double rest(const struct explain *explain, struct explain_subject subject)
{
    return packet_bytes(explain, subject) -
           datagrams(explain, subject) * explain_track(explain, subject)->wire.payload;
}

static bool plain_wire(const struct explain *explain, struct explain_subject subject)
{
    return is_link(explain, subject) && explain_track(explain, subject)->wire.payload == 0;
}

static bool silent(const struct explain *explain, struct explain_subject subject)
{
    return is_link(explain, subject) && packet_bytes(explain, subject) <= 0;
}

static bool even(const struct explain *explain, struct explain_subject subject)
{
    return is_link(explain, subject) && rest(explain, subject) <= 0;
}

static bool last_packet_only(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->weights.slot == NULL;
}

/* The sensor whose geometry a node's weights are, or -1. */
int explain_geometry(const struct explain *explain, struct explain_subject subject)
{
    const double *slot = explain_track(explain, subject)->weights.slot;

    for (int i = 0; i < explain->scenario->wfs_count; i++)
        if (slot == explain->result->work->agenda[i].pixel ||
            slot == explain->result->work->agenda[i].element)
            return i;
    return -1;
}

static void geometry_text(const struct explain *explain, int wfs, char *text, size_t size)
{
    snprintf(text, size,
             "geometry(geometry.subaps_across, geometry.obscuration, %sgeometry.detector_width, "
             "geometry.detector_height, scenario.packets)",
             explain->scenario->wfs[wfs].kind == WFS_PYRAMID ? "" : "geometry.pixels_per_subap, ");
}

static void weight_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    int wfs = explain_geometry(explain, subject);

    if (wfs >= 0)
        geometry_text(explain, wfs, text, size);
    else if (!last_packet_only(explain, subject))
        snprintf(text, size, "sum(before.*.handed_on) / sum(before.*.slopes)");
}

void explain_loaded_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    int wfs = explain_geometry(explain, subject);

    if (wfs >= 0)
        geometry_text(explain, wfs, text, size);
    else if (!last_packet_only(explain, subject))
        snprintf(text, size, "geometry(before.*.loaded_packets)");
}

static double handed_on(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    if (stage->at_end)
        return is_last(explain, subject) ? stage->slopes : 0;
    return stage->slopes == 0 ? 0 : stage->slopes * stage->weights.slot[subject.part];
}

static bool hands_on_late(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->at_end || explain_stage(explain, subject)->slopes == 0;
}

static bool late_and_last(const struct explain *explain, struct explain_subject subject)
{
    return hands_on_late(explain, subject) && is_last(explain, subject);
}

static double slopes(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->slopes;
}

static void duration_text(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size)
{
    bool work = loaded(explain, subject);
    bool last = is_last(explain, subject);

    snprintf(text, size, "%s%s%s", work ? "work_time + component.fixed" : "",
             work && last ? " + " : "", last ? "component.tail_time + component.fixed_tail" : "");
}

/* Steps ---------------------------------------------------------------------------------------- */

static struct explain_step step_of(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = {0, 0, 0, 0, 0};

    explain_step(explain, subject, &step);
    return step;
}

static const struct track *track_of(const struct explain *explain, struct explain_subject subject)
{
    return &explain->result->work->track[step_of(explain, subject).node];
}

static double step_loaded(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = step_of(explain, subject);
    const struct track *track = track_of(explain, subject);
    int count = 0;

    for (int i = step.first; i <= step.last; i++)
        count += track_weight(track, i, explain_packets(explain)) > 0;
    return count;
}

static double step_arrival(const struct explain *explain, struct explain_subject subject)
{
    const struct track *track = track_of(explain, subject);

    return track->kind == TRACK_LINK && step_loaded(explain, subject) > 0 ? track->latency : 0;
}

static double step_busy(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = step_of(explain, subject);
    const struct track *track = track_of(explain, subject);
    double sum = step_arrival(explain, subject);

    for (int i = step.first; i <= step.last; i++)
        sum += track_duration(track, i, explain_packets(explain));
    return sum;
}

/* What rounding leaves is no wait. */
static double step_wait(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = step_of(explain, subject);
    double left = step.end - step.start - step_busy(explain, subject);

    return left > 1e-12 * step.end ? left : 0;
}

static double step_time(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = step_of(explain, subject);

    if (track_of(explain, subject)->kind == TRACK_CAMERA)
        return step.end - step.start;
    return step_wait(explain, subject) + step_busy(explain, subject);
}

static double step_weight(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = step_of(explain, subject);
    const struct track *track = track_of(explain, subject);
    double sum = 0;

    for (int i = step.first; i <= step.last; i++)
        sum += track_weight(track, i, explain_packets(explain));
    return sum;
}

static double step_packet(const struct explain *explain, struct explain_subject subject)
{
    return step_of(explain, subject).last + 1;
}

static bool of_camera(const struct explain *explain, struct explain_subject subject)
{
    return track_of(explain, subject)->kind == TRACK_CAMERA;
}

static bool whole_readout(const struct explain *explain, struct explain_subject subject)
{
    return of_camera(explain, subject) &&
           step_of(explain, subject).last == explain_packets(explain) - 1;
}

static bool of_linear(const struct explain *explain, struct explain_subject subject)
{
    double slope;
    double offset;

    return track_of(explain, subject)->kind == TRACK_COMPUTE &&
           track_linear(track_of(explain, subject), &slope, &offset);
}

static bool of_plain_wire(const struct explain *explain, struct explain_subject subject)
{
    return track_of(explain, subject)->kind == TRACK_LINK &&
           track_of(explain, subject)->wire.payload == 0;
}

static bool waited(const struct explain *explain, struct explain_subject subject)
{
    return step_wait(explain, subject) > 0;
}

static void busy_text(const struct explain *explain, struct explain_subject subject, char *text,
                      size_t size)
{
    struct explain_step step = step_of(explain, subject);
    const struct track *track = track_of(explain, subject);
    bool last = step.last == explain_packets(explain) - 1;
    bool work = step_loaded(explain, subject) > 0;
    const char *tail = last ? "component.tail_time + component.fixed_tail" : "";

    if (track->kind == TRACK_LINK && track->bytes <= 0)
        snprintf(text, size, "arrival");
    else if (track->kind == TRACK_LINK && of_plain_wire(explain, subject))
        snprintf(text, size, "weight * component.bytes / component.wire_rate + arrival");
    else if (track->kind == TRACK_LINK)
        snprintf(text, size, "sum(packets.*.duration) + arrival");
    else if (!of_linear(explain, subject))
        snprintf(text, size, "sum(packets.*.duration)%s%s", work || !last ? "" : " + ",
                 work ? "" : tail);
    else if (work)
        snprintf(text, size, "weight * component.work_time + loaded * %s%s%s",
                 track->accumulator > 0 ? "(component.accumulator_time + component.fixed)"
                                        : "component.fixed",
                 last ? " + " : "", tail);
    else
        snprintf(text, size, "%s", tail);
}

static void arrival_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    if (step_arrival(explain, subject) > 0)
        snprintf(text, size, "component.latency_after");
}

static void step_weight_text(const struct explain *explain, struct explain_subject subject,
                             char *text, size_t size)
{
    struct explain_step step = step_of(explain, subject);

    if (step_weight(explain, subject) > 0 && step.last > step.first)
        snprintf(text, size, "sum(packets.*.weight)");
    else if (step_weight(explain, subject) > 0)
        snprintf(text, size, "max(packets.*.weight)");
}

/* clang-format off */
const struct explain_rule explain_slot_rules[] = {
    {EXPLAIN_SLOT, "weight", "", NULL, NULL, weight, "its part of the frame's work", weight_text,
     false},
    {EXPLAIN_SLOT, "slopes", "", NULL, "component.slopes", slopes, "handed on per frame", NULL,
     false},
    {EXPLAIN_SLOT, "handed_on", "", late_and_last, "component.slopes", handed_on,
     "measurements handed on with this packet", NULL, false},
    {EXPLAIN_SLOT, "handed_on", "", hands_on_late, NULL, handed_on,
     "nothing is handed on before the last packet", NULL, false},
    {EXPLAIN_SLOT, "handed_on", "", NULL, "weight * component.slopes", handed_on,
     "measurements handed on with this packet", NULL, false},
    {EXPLAIN_SLOT, "duration", "us", silent, NULL, duration, "nothing to carry", NULL, false},
    {EXPLAIN_SLOT, "duration", "us", plain_wire, formula_text_wire_time_plain, duration,
     "on the wire", NULL, false},
    {EXPLAIN_SLOT, "duration", "us", even,
     formula_text_wire_time_full, duration, "on the wire", NULL,
     false},
    {EXPLAIN_SLOT, "duration", "us", is_link,
     formula_text_wire_time_rest, duration, "on the wire", NULL, false},
    {EXPLAIN_SLOT, "duration", "us", NULL, NULL, duration, "of a packet", duration_text, true},
    {EXPLAIN_SLOT, "bytes", "B", NULL, "weight * component.bytes", packet_bytes, "of a packet",
     NULL, false},
    {EXPLAIN_SLOT, "datagrams", "", NULL, formula_text_datagrams, datagrams,
     "full ones", NULL, false},
    {EXPLAIN_SLOT, "work_time", "us", loaded,
     "max(weight * component.stream_compute, weight * component.stream_memory + "
     "component.accumulator_time) + (1 - scenario.overlap) * min(weight * "
     "component.stream_compute, weight * component.stream_memory + component.accumulator_time)",
     slot_work_time, "the longer of compute and memory", NULL, false},
    {EXPLAIN_SLOT, "work_time", "us", NULL, NULL, slot_work_time, "no work", NULL, false},
    {EXPLAIN_SLOT, "full_work_time", "us", loaded,
     "max(weight * component.full_stream_compute, weight * (component.stream_transfer + "
     "component.stream_wait) + component.accumulator_transfer + component.accumulator_wait) + (1 - "
     "scenario.overlap) * min(weight * component.full_stream_compute, weight * "
     "(component.stream_transfer + component.stream_wait) + component.accumulator_transfer + "
     "component.accumulator_wait)",
     full_work_time, "with the whole device", NULL, false},
    {EXPLAIN_SLOT, "full_work_time", "us", NULL, NULL, full_work_time, "no work", NULL, false},
    {EXPLAIN_STEP, "time", "us", whole_readout, "component.time", step_time,
     "of the readout", NULL, false},
    {EXPLAIN_STEP, "time", "us", of_camera, "component.time * packet / scenario.packets", step_time,
     "of the readout", NULL, false},
    {EXPLAIN_STEP, "time", "us", waited, "wait + busy", step_time,
     "on the way to the end, wait and work", NULL, false},
    {EXPLAIN_STEP, "time", "us", NULL, "busy", step_time, "on the way to the end", NULL, false},
    {EXPLAIN_STEP, "packet", "", NULL, NULL, step_packet, "the one that was waited for", NULL,
     false},
    {EXPLAIN_STEP, "busy", "us", NULL, NULL, step_busy, "its packets one after the other",
     busy_text, true},
    {EXPLAIN_STEP, "wait", "us", waited, "simulated(all.*.busy)", step_wait,
     "for others on the same link or device, or the frame before", NULL, false},
    {EXPLAIN_STEP, "wait", "us", NULL, NULL, step_wait, "it did not wait", NULL, false},
    {EXPLAIN_STEP, "weight", "", NULL, NULL, step_weight, "part of the frame's work in it",
     step_weight_text, false},
    {EXPLAIN_STEP, "loaded", "", NULL, NULL, step_loaded, "packets with work in it", NULL, false},
    {EXPLAIN_STEP, "arrival", "us", NULL, NULL, step_arrival,
     "drivers, switches and cable, after the wire", arrival_text, false},
    {EXPLAIN_SLOT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
