#include "model/timeline.h"

#include <string.h>

#include "base/number.h"

static double work_duration(const struct track *track, double weight)
{
    if (weight <= 0)
        return 0;
    return roofline_time(weight * track->compute, weight * track->memory + track->accumulator,
                         track->overlap) +
           track->fixed;
}

double track_duration(const struct track *track, int slot, int packets)
{
    double weight = track_weight(track, slot, packets);

    switch (track->kind) {
    case TRACK_CAMERA:
        return track->readout / packets;
    case TRACK_LINK:
        return wire_time(&track->wire, track->bytes * weight);
    case TRACK_COMPUTE:
        break;
    }
    return work_duration(track, weight) +
           (slot == packets - 1 ? track->tail + track->tail_fixed : 0);
}

double track_fixed(const struct track *track, int slot, int packets)
{
    double fixed = track_weight(track, slot, packets) > 0 ? track->fixed : 0;

    return fixed + (slot == packets - 1 ? track->tail_fixed : 0);
}

bool track_linear(const struct track *track, double *slope, double *offset)
{
    *offset = 0;
    if (track->kind == TRACK_LINK) {
        *slope = track->bytes > 0 ? track->bytes / track->wire.rate : 0;
        return track->wire.payload == 0;
    }
    *slope = roofline_time(track->compute, track->memory, track->overlap);
    *offset = track->accumulator;
    return track->accumulator == 0 || track->compute <= track->memory;
}

double track_ready(const struct track *tracks, int node, int slot, int packets)
{
    const struct track *track = &tracks[node];
    double ready = 0;

    for (int p = 0; p < track->before_count; p++)
        ready = larger(ready, track_end(&tracks[track->before[p]], slot, packets));
    return ready;
}

/* Computes end = max(free, ready) + duration such that consecutive slots depend on each other only
 * through a comparison: with the sum of durations so far in `worked`, end - worked is the largest
 * ready - worked before. */
void timeline_chain(const double *ready, const double *duration, int count, double *end)
{
    double worked = 0;
    double begun = 0;

    for (int i = 0; i < count; i++) {
        begun = larger(begun, ready[i] - worked);
        worked += duration[i];
        end[i] = begun + worked;
    }
}

/* Returns the earliest starts of all slots but the last; `scratch`: for several predecessors. */
static const double *ready_times(const struct track *tracks, const struct track *track, int packets,
                                 double *scratch)
{
    if (track->before_count == 1)
        return tracks[track->before[0]].ends;
    memset(scratch, 0, sizeof(double) * (size_t)packets);
    for (int p = 0; p < track->before_count; p++) {
        const double *ends = tracks[track->before[p]].ends;

        for (int i = 0; i < packets - 1; i++)
            scratch[i] = larger(scratch[i], ends[i]);
    }
    return scratch;
}

static void set_last_slot(struct track *track, double start, double duration, double latency)
{
    track->last_start = start;
    track->last_duration = duration;
    track->last = start + duration + latency;
}

static void fill_camera(struct track *track, int packets)
{
    double step = track->readout / packets;

    for (int i = 0; i < packets; i++)
        track->end[i] = (i + 1) * step;
    track->ends = track->end;
    track->last = track->readout;
    track->last_duration = step;
    track->last_start = track->readout - step;
}

static double scaled_last_duration(const struct track *track, int packets)
{
    return track_duration(track, packets - 1, packets) *
           track_scale(track, 0, packets - 1, packets);
}

/* Runs a track with all work in its last slot: the others pass readiness on. */
static void run_last_slot(struct track *tracks, struct track *track, int packets)
{
    double ready = track_ready(tracks, (int)(track - tracks), packets - 1, packets);

    track->ends = ready_times(tracks, track, packets, track->end);
    set_last_slot(track, ready, scaled_last_duration(track, packets),
                  track->kind == TRACK_LINK ? track->latency : 0);
}

/* Like timeline_chain for slots that all have work, durations linear in the weights and ends
 * delayed by a latency. Returns the end of the last one without latency. */
static double chain_linear(const double *ready, const struct track *track, double slope,
                           double offset, double latency, int count)
{
    const double *weight = track->weights.slot;
    double *end = track->end;
    double worked = 0;
    double begun = 0;

    for (int i = 0; i < count; i++) {
        begun = larger(begun, ready[i] - worked);
        worked += weight[i] * slope + offset;
        end[i] = begun + worked + latency;
    }
    return begun + worked;
}

static void fill_work(const struct track *track, int count, double *duration)
{
    const double *weight = track->weights.slot;
    const double compute = track->compute;
    const double memory = track->memory;
    const double accumulator = track->accumulator;
    const double overlap = track->overlap;
    const double fixed = track->fixed;

    for (int i = 0; i < count; i++) {
        double time =
            roofline_time(weight[i] * compute, weight[i] * memory + accumulator, overlap) + fixed;

        duration[i] = weight[i] > 0 ? time : 0;
    }
}

/* Computes track_duration of the first slots in plain loops over numbers if possible. */
static void fill_durations(const struct track *track, int count, double *duration)
{
    const double *weight = track->weights.slot;
    const double bytes = track->bytes;
    const double rate = track->wire.rate;

    if (track->kind == TRACK_COMPUTE)
        fill_work(track, count, duration);
    else if (track->wire.payload > 0)
        for (int i = 0; i < count; i++)
            duration[i] = wire_time(&track->wire, bytes * weight[i]);
    else
        for (int i = 0; i < count; i++)
            duration[i] = bytes * weight[i] > 0 ? bytes * weight[i] / rate : 0;
}

/* Computes durations with each slot's jitter scale, rounded as without. */
static void fill_scaled(const struct track *track, bool linear, double slope, double offset,
                        int count, double *duration)
{
    if (linear)
        for (int i = 0; i < count; i++)
            duration[i] = track->weights.slot[i] * slope + offset;
    else
        fill_durations(track, count, duration);
    for (int i = 0; i < count; i++)
        duration[i] *= track->scale[i];
}

/* Adds the latency; a slot without work never ends before the preceding one. */
static void add_link_latency(struct track *track, double latency, int packets)
{
    const double *weight = track->weights.slot;
    double passed = 0;

    for (int i = 0; i < packets - 1; i++) {
        passed = larger(passed, track->end[i] + (weight[i] > 0 ? latency : 0));
        track->end[i] = passed;
    }
}

/* Computes the ends of all slots except the last; returns the end of the last of these without its
 * latency. */
static double run_chain(struct track *track, const double *ready, double latency, int packets)
{
    double slope;
    double offset;
    double over;
    bool linear;

    if (packets == 1)
        return 0;
    linear = track_linear(track, &slope, &offset) && track->weights.count == packets;
    offset += track->kind == TRACK_COMPUTE ? track->fixed : 0;
    if (linear && track->scale == NULL)
        return chain_linear(ready, track, slope, offset, latency, packets - 1);
    if (track->scale != NULL)
        fill_scaled(track, linear, slope, offset, packets - 1, track->end);
    else
        fill_durations(track, packets - 1, track->end);
    timeline_chain(ready, track->end, packets - 1, track->end);
    over = track->end[packets - 2];
    if (latency > 0)
        add_link_latency(track, latency, packets);
    return over;
}

static void run_slots(struct track *tracks, struct track *track, int packets, double *scratch)
{
    const double *ready = ready_times(tracks, track, packets, scratch);
    double last_ready = track_ready(tracks, (int)(track - tracks), packets - 1, packets);
    double latency = track->kind == TRACK_LINK ? track->latency : 0;
    double free = run_chain(track, ready, latency, packets);

    track->ends = track->end;
    set_last_slot(track, larger(free, last_ready), scaled_last_duration(track, packets),
                  track->weights.slot[packets - 1] > 0 ? latency : 0);
    if (packets > 1)
        track->last = larger(track->last, track->end[packets - 2]);
}

void timeline_run_alone(struct track *tracks, int node, int packets, double *scratch)
{
    struct track *track = &tracks[node];

    track->begin = NULL;
    track->origin = track->held = 0;
    if (track->kind == TRACK_CAMERA)
        fill_camera(track, packets);
    else if (track->weights.slot == NULL)
        run_last_slot(tracks, track, packets);
    else
        run_slots(tracks, track, packets, scratch);
}
