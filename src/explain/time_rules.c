#include <math.h>
#include <stdio.h>

#include "explain/path.h"
#include "explain/rules.h"
#include "model/device.h"
#include "model/formulas.h"

/* How long a component takes: its packets, what follows them, when it starts and ends. What stands
 * for the parts of a split component takes its numbers from them. */

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
    {.kind = EXPLAIN_COMPONENT, .key = "share", .when = explain_is_whole,
     .formula = "slowest.share"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_efficiency", .when = explain_is_whole,
     .formula = "slowest.compute_efficiency"},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_efficiency", .when = explain_is_whole,
     .formula = "slowest.memory_efficiency"},
    {.kind = EXPLAIN_COMPONENT, .key = "workers", .when = explain_is_whole,
     .formula = "slowest.workers"},
    {.kind = EXPLAIN_COMPONENT, .key = "block", .when = explain_is_whole,
     .formula = "slowest.block"},
    {.kind = EXPLAIN_COMPONENT, .key = "kernels", .when = explain_is_whole,
     .formula = "slowest.kernels"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_time", .when = explain_is_whole,
     .formula = "max(parts.*.deferred_time)"},
    {.kind = EXPLAIN_COMPONENT, .key = "path_busy", .when = explain_is_whole,
     .formula = "sum(parts.*.path_busy)"},
    {.kind = EXPLAIN_COMPONENT, .key = "path_wait", .when = explain_is_whole,
     .formula = "sum(parts.*.path_wait)"},
    {.kind = EXPLAIN_COMPONENT, .key = "slack", .when = explain_is_whole,
     .formula = "min(parts.*.slack)"},
    {.kind = EXPLAIN_COMPONENT, .key = "flop", .when = explain_is_whole,
     .formula = "sum(parts.*.flop)"},
    {.kind = EXPLAIN_COMPONENT, .key = "bytes", .when = explain_is_whole,
     .formula = "sum(parts.*.bytes)"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_flop", .when = explain_is_whole,
     .formula = "sum(parts.*.deferred_flop)"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_bytes", .when = explain_is_whole,
     .formula = "sum(parts.*.deferred_bytes)"},
    {.kind = EXPLAIN_COMPONENT, .key = "working_set", .when = explain_is_whole,
     .formula = "sum(parts.*.working_set)"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_time", .when = explain_is_whole,
     .formula = "max(parts.*.compute_time)"},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = explain_is_whole,
     .formula = "max(parts.*.memory_time)"},
    {.kind = EXPLAIN_COMPONENT, .key = "time", .when = explain_is_whole,
     .formula = "max(parts.*.time)"},
    {.kind = EXPLAIN_COMPONENT, .key = "busy", .when = explain_is_whole,
     .formula = "max(parts.*.busy)"},
    {.kind = EXPLAIN_COMPONENT, .key = "rows", .when = split_rows,
     .formula = "round(sum(parts.*.rows))"},
    {.kind = EXPLAIN_COMPONENT, .key = "rows", .when = explain_is_whole,
     .formula = "max(parts.*.rows)"},
    {.kind = EXPLAIN_COMPONENT, .key = "columns", .when = split_columns,
     .formula = "round(sum(parts.*.columns))"},
    {.kind = EXPLAIN_COMPONENT, .key = "columns", .when = explain_is_whole,
     .formula = "max(parts.*.columns)"},
    {.kind = EXPLAIN_COMPONENT, .key = "first_start", .when = explain_is_whole,
     .formula = "min(parts.*.first_start)"},
    {.kind = EXPLAIN_COMPONENT, .key = "last_end", .when = explain_is_whole,
     .formula = "max(parts.*.last_end)"},
    {.kind = EXPLAIN_COMPONENT, .key = "time", .when = explain_computes,
     .formula = "packets_time + tail_time + fixed_total", .prune = true},
    {.kind = EXPLAIN_COMPONENT, .key = "packets_time", .unit = "us", .when = plainly_linear,
     .formula = "work_time", .help = "of all packets, without launches and overhead"},
    {.kind = EXPLAIN_COMPONENT, .key = "packets_time", .unit = "us", .when = linear,
     .formula = "work_time + loaded_packets * accumulator_time",
     .help = "of all packets, without launches and overhead"},
    {.kind = EXPLAIN_COMPONENT, .key = "packets_time", .unit = "us", .when = explain_computes,
     .formula = "sum(packets.*.work_time)",
     .help = "of all packets, without launches and overhead"},
    {.kind = EXPLAIN_COMPONENT, .key = "work_time", .unit = "us", .when = explain_computes,
     .formula = EXPLAIN_ROOF("stream_compute",
     "stream_memory"),
     .help = "what comes with the packets: the longer of compute and memory"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = explain_is_program,
     TRACK(compute), .formula = EXPLAIN_PROGRAM("phases"),
     .help = "its trace on its part of the machine"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = explain_owns_cores,
     TRACK(compute), .formula = "stream_flop / full_flops",
     .help = "FLOP that come with the packets"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = explain_owns_share,
     TRACK(compute), .formula = "stream_flop / full_flops / share",
     .help = "FLOP that come with the packets"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = explain_has_share,
     TRACK(compute), .formula = "stream_flop / full_flops",
     .help = "FLOP that come with the packets"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = explain_computes,
     TRACK(compute), .help = "no work"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_memory", .unit = "us", .when = explain_shares,
     TRACK(memory), .formula = "stream_transfer + stream_wait",
     .help = "bytes that come with the packets"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_memory", .unit = "us", .when = explain_has_share,
     TRACK(memory), .formula = "stream_transfer / share + stream_wait",
     .help = "bytes that come with the packets"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_memory", .unit = "us", .when = explain_computes,
     TRACK(memory), .help = "no work"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator_time", .unit = "us", .when = explain_shares,
     TRACK(accumulator), .formula = "accumulator_transfer + accumulator_wait",
     .help = "partial result of a packet, read and written"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator_time", .unit = "us", .when = explain_has_share,
     TRACK(accumulator), .formula = "accumulator_transfer / share + accumulator_wait",
     .help = "partial result of a packet, read and written"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator_time", .unit = "us", .when = explain_computes,
     TRACK(accumulator), .help = "no work"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_time", .unit = "us", .when = explain_computes,
     TRACK(tail), .formula = EXPLAIN_ROOF("tail_compute", "tail_memory"),
     .help = "what follows the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "full_tail_compute", .unit = "us", .when = explain_computes,
     STAGE(tail.compute), .formula = "tail_flop / full_flops", .help = "with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_compute", .unit = "us", .when = explain_owns_cores,
     .formula = "full_tail_compute", .help = "FLOP after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_compute", .unit = "us", .when = explain_shares,
     .formula = "full_tail_compute", .help = "FLOP after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_compute", .unit = "us", .when = explain_has_share,
     .formula = "full_tail_compute / share", .help = "FLOP after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_compute", .unit = "us", .when = explain_computes,
     .formula = "0",
     .help = "no work"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_memory", .unit = "us", .when = explain_shares,
     .formula = "tail_transfer + tail_wait", .help = "bytes after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_memory", .unit = "us", .when = explain_has_share,
     .formula = "tail_transfer / share + tail_wait", .help = "bytes after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_memory", .unit = "us", .when = explain_computes,
     .formula = "0",
     .help = "no work"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_time", .when = has_deferred,
     .formula = "deferred_work + fixed_deferred", .prune = true},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_work", .unit = "us", .when = explain_computes,
     TRACK(deferred), .formula = EXPLAIN_ROOF("deferred_compute",
     "deferred_memory"),
     .help = "what follows the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "full_deferred_compute", .unit = "us",
     .when = explain_computes,
     STAGE(deferred.compute), .formula = "deferred_flop / full_flops",
     .help = "with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_compute", .unit = "us", .when = explain_owns_cores,
     .formula = "full_deferred_compute", .help = "FLOP after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_compute", .unit = "us", .when = explain_shares,
     .formula = "full_deferred_compute", .help = "FLOP after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_compute", .unit = "us", .when = explain_has_share,
     .formula = "full_deferred_compute / share", .help = "FLOP after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_compute", .unit = "us", .when = explain_computes,
     .formula = "0",
     .help = "no work"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_memory", .unit = "us", .when = explain_shares,
     .formula = "deferred_transfer + deferred_wait", .help = "bytes after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_memory", .unit = "us", .when = explain_has_share,
     .formula = "deferred_transfer / share + deferred_wait", .help = "bytes after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_memory", .unit = "us", .when = explain_computes,
     .formula = "0",
     .help = "no work"},
    {.kind = EXPLAIN_COMPONENT, .key = "fixed_deferred", .unit = "us", .when = explain_computes,
     STAGE(fixed_deferred), .formula = formula_text_fixed_deferred,
     .help = "launches after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_kernels", .unit = "", .when = explain_computes,
     STAGE(demand.deferred_kernels), .help = "launches after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "fixed_total", .unit = "us", .when = explain_computes,
     STAGE(fixed_total), .formula = formula_text_fixed_total, .prune = true,
     .help = "overhead and launches of the frame"},
    {.kind = EXPLAIN_COMPONENT, .key = "fixed", .unit = "us", .when = explain_computes,
     STAGE(fixed), .formula = formula_text_fixed, .prune = true,
     .help = "overhead and launches of a packet with work"},
    {.kind = EXPLAIN_COMPONENT, .key = "fixed_tail", .unit = "us", .when = explain_computes,
     STAGE(fixed_tail), .formula = formula_text_fixed_tail,
     .help = "launches after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "launch", .unit = "us", .when = alone,
     .formula = "0 * device.launch", .help = "one thread has no others to gather"},
    {.kind = EXPLAIN_COMPONENT, .key = "launch", .unit = "us", .when = explain_computes,
     .formula = "device.launch"},
    {.kind = EXPLAIN_COMPONENT, .key = "kernels", .unit = "", .when = kernels_open,
     STAGE(demand.kernels), .write = kernels_text, .help = "launches of its algorithm"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_kernels", .unit = "", .when = explain_computes,
     STAGE(demand.tail_kernels), .help = "launches after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "busy", .when = explain_computes,
     .formula = "time + deferred_time", .prune = true},
    {.kind = EXPLAIN_COMPONENT, .key = "frame_busy", .unit = "us", .formula = "busy / divisor",
     .help = "per frame of the loop"},
    {.kind = EXPLAIN_COMPONENT, .key = "first_start", .when = stands_in_line,
     .formula = "sum(way.*.time) + first_wait"},
    {.kind = EXPLAIN_COMPONENT, .key = "first_wait", .unit = "us", .when = stands_in_line,
     .value = first_wait, .formula = "simulated(all.*.busy)",
     .help = "for others on the same link or device, or the frame before"},
    {.kind = EXPLAIN_COMPONENT, .key = "first_start", .when = waits_for_others,
     .formula = "sum(way.*.time)"},
    {.kind = EXPLAIN_COMPONENT, .key = "last_end", .when = is_camera, .formula = "time"},
    {.kind = EXPLAIN_COMPONENT, .key = "last_end", .when = ends, .formula = "sum(path.*.time)"},
    {.kind = EXPLAIN_COMPONENT, .key = "slack", .when = ends, .formula = "simulated(all.*.busy)"},
    {.kind = EXPLAIN_COMPONENT, .key = "path_busy", .when = on_path,
     .formula = "sum(steps.*.busy)"},
    {.kind = EXPLAIN_COMPONENT, .key = "path_busy", .when = has_path_busy,
     .formula = "simulated(all.*.busy, last_pixel)"},
    {.kind = EXPLAIN_COMPONENT, .key = "path_wait", .when = waits_on_path,
     .formula = "sum(steps.*.wait)"},
    {.kind = EXPLAIN_COMPONENT, .key = "path_wait", .when = has_path_wait,
     .formula = "simulated(all.*.busy)"},
    {.kind = EXPLAIN_COMPONENT, .key = "divisor", .unit = "", .when = explain_senses,
     STAGE(divisor), .formula = "wfs.rate_divisor", .help = "delivers every k-th frame"},
    {.kind = EXPLAIN_COMPONENT, .key = "divisor", .unit = "", .when = follows, STAGE(divisor),
     .formula = "min(before.*.divisor)", .help = "delivers every k-th frame"},
    {.kind = EXPLAIN_COMPONENT, .key = "divisor", .unit = "", STAGE(divisor),
     .help = "delivers every frame"},
    {.key = NULL},
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

static bool hands_on_late(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->at_end || explain_stage(explain, subject)->slopes == 0;
}

static bool late_and_last(const struct explain *explain, struct explain_subject subject)
{
    return hands_on_late(explain, subject) && is_last(explain, subject);
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
    {.kind = EXPLAIN_SLOT, .key = "weight", .unit = "", .value = weight, .write = weight_text,
     .help = "its part of the frame's work"},
    {.kind = EXPLAIN_SLOT, .key = "slopes", .unit = "", .formula = "component.slopes",
     .help = "handed on per frame"},
    {.kind = EXPLAIN_SLOT, .key = "handed_on", .unit = "", .when = late_and_last,
     .formula = "component.slopes", .help = "measurements handed on with this packet"},
    {.kind = EXPLAIN_SLOT, .key = "handed_on", .unit = "", .when = hands_on_late, .formula = "0",
     .help = "nothing is handed on before the last packet"},
    {.kind = EXPLAIN_SLOT, .key = "handed_on", .unit = "", .formula = "weight * component.slopes",
     .help = "measurements handed on with this packet"},
    {.kind = EXPLAIN_SLOT, .key = "duration", .unit = "us", .when = silent, .value = duration,
     .help = "nothing to carry"},
    {.kind = EXPLAIN_SLOT, .key = "duration", .unit = "us", .when = plain_wire, .value = duration,
     .formula = formula_text_wire_time_plain, .help = "on the wire"},
    {.kind = EXPLAIN_SLOT, .key = "duration", .unit = "us", .when = even, .value = duration,
     .formula = formula_text_wire_time_full, .help = "on the wire"},
    {.kind = EXPLAIN_SLOT, .key = "duration", .unit = "us", .when = is_link, .value = duration,
     .formula = formula_text_wire_time_rest, .help = "on the wire"},
    {.kind = EXPLAIN_SLOT, .key = "duration", .unit = "us", .value = duration,
     .write = duration_text, .prune = true, .help = "of a packet"},
    {.kind = EXPLAIN_SLOT, .key = "bytes", .unit = "B", .formula = "weight * component.bytes",
     .help = "of a packet"},
    {.kind = EXPLAIN_SLOT, .key = "datagrams", .unit = "", .formula = formula_text_datagrams,
     .help = "full ones"},
    {.kind = EXPLAIN_SLOT, .key = "work_time", .unit = "us", .when = loaded,
     .formula = EXPLAIN_ROOF("weight * component.stream_compute",
                             "weight * component.stream_memory + component.accumulator_time"),
     .help = "the longer of compute and memory"},
    {.kind = EXPLAIN_SLOT, .key = "work_time", .unit = "us", .formula = "0", .help = "no work"},
    {.kind = EXPLAIN_SLOT, .key = "full_work_time", .unit = "us", .when = loaded,
     .formula = EXPLAIN_ROOF(
         "weight * component.full_stream_compute",
         "weight * (component.stream_transfer + component.stream_wait) + "
         "(component.accumulator_transfer + component.accumulator_wait)"),
     .help = "with the whole device"},
    {.kind = EXPLAIN_SLOT, .key = "full_work_time", .unit = "us", .formula = "0",
     .help = "no work"},
    {.kind = EXPLAIN_STEP, .key = "time", .unit = "us", .when = whole_readout, .value = step_time,
     .formula = "component.time", .help = "of the readout"},
    {.kind = EXPLAIN_STEP, .key = "time", .unit = "us", .when = of_camera, .value = step_time,
     .formula = "component.time * packet / scenario.packets", .help = "of the readout"},
    {.kind = EXPLAIN_STEP, .key = "time", .unit = "us", .when = waited, .value = step_time,
     .formula = "wait + busy", .help = "on the way to the end, wait and work"},
    {.kind = EXPLAIN_STEP, .key = "time", .unit = "us", .value = step_time, .formula = "busy",
     .help = "on the way to the end"},
    {.kind = EXPLAIN_STEP, .key = "packet", .unit = "", .value = step_packet,
     .help = "the one that was waited for"},
    {.kind = EXPLAIN_STEP, .key = "busy", .unit = "us", .value = step_busy, .write = busy_text,
     .prune = true, .help = "its packets one after the other"},
    {.kind = EXPLAIN_STEP, .key = "wait", .unit = "us", .when = waited, .value = step_wait,
     .formula = "simulated(all.*.busy)",
     .help = "for others on the same link or device, or the frame before"},
    {.kind = EXPLAIN_STEP, .key = "wait", .unit = "us", .value = step_wait,
     .help = "it did not wait"},
    {.kind = EXPLAIN_STEP, .key = "weight", .unit = "", .value = step_weight,
     .write = step_weight_text, .help = "part of the frame's work in it"},
    {.kind = EXPLAIN_STEP, .key = "loaded", .unit = "", .value = step_loaded,
     .help = "packets with work in it"},
    {.kind = EXPLAIN_STEP, .key = "arrival", .unit = "us", .value = step_arrival,
     .write = arrival_text, .help = "drivers, switches and cable, after the wire"},
    {.key = NULL},
};
/* clang-format on */
