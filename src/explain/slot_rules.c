#include <math.h>
#include <stdio.h>

#include "explain/way.h"
#include "explain/rules.h"

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

static double work_time(const struct explain *explain, struct explain_subject subject)
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
    {EXPLAIN_SLOT, "duration", "us", plain_wire, "bytes / component.wire_rate", duration,
     "on the wire", NULL, false},
    {EXPLAIN_SLOT, "duration", "us", even,
     "datagrams * (component.payload + 66) / component.wire_rate", duration, "on the wire", NULL,
     false},
    {EXPLAIN_SLOT, "duration", "us", is_link,
     "(datagrams * (component.payload + 66) + max(84, bytes - datagrams * component.payload + 66)) "
     "/ component.wire_rate", duration, "on the wire", NULL, false},
    {EXPLAIN_SLOT, "duration", "us", NULL, NULL, duration, "of a packet", duration_text, true},
    {EXPLAIN_SLOT, "bytes", "B", NULL, "weight * component.bytes", packet_bytes, "of a packet",
     NULL, false},
    {EXPLAIN_SLOT, "datagrams", "", NULL, "floor(bytes / component.payload)", datagrams,
     "full ones", NULL, false},
    {EXPLAIN_SLOT, "work_time", "us", loaded,
     "max(weight * component.stream_compute, weight * component.stream_memory + "
     "component.accumulator_time) + (1 - scenario.overlap) * min(weight * "
     "component.stream_compute, weight * component.stream_memory + component.accumulator_time)",
     work_time, "the longer of compute and memory", NULL, false},
    {EXPLAIN_SLOT, "work_time", "us", NULL, NULL, work_time, "no work", NULL, false},
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
