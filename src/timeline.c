#include "timeline.h"

#include <string.h>

#include "result.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double slot_weight(const struct weights *weights, int slot, int packets)
{
    if (weights->slot != NULL)
        return weights->slot[slot];
    return slot == packets - 1 ? 1 : 0;
}

static double work_duration(const struct track *track, double weight)
{
    if (weight <= 0)
        return 0;
    return track->scale * roofline_time(weight * track->compute,
                                        weight * track->memory + track->accumulator,
                                        track->overlap) +
           track->fixed;
}

double track_duration(const struct track *track, int slot, int packets)
{
    double weight = slot_weight(&track->weights, slot, packets);

    switch (track->kind) {
    case TRACK_CAMERA:
        return track->readout / packets;
    case TRACK_LINK:
        return wire_time(&track->wire, track->bytes * weight);
    case TRACK_COMPUTE:
        break;
    }
    return work_duration(track, weight) + (slot == packets - 1 ? track->tail : 0);
}

bool track_linear(const struct track *track, double *slope, double *offset)
{
    *offset = 0;
    if (track->kind == TRACK_LINK) {
        *slope = track->bytes > 0 ? track->bytes / track->wire.rate : 0;
        return track->wire.payload == 0;
    }
    *slope = track->scale * roofline_time(track->compute, track->memory, track->overlap);
    *offset = track->scale * track->accumulator;
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

/* The recurrence end = max(free, ready) + duration, written so that consecutive slots depend on one
 * another through a comparison only: with all durations so far in `worked`, end - worked is the
 * largest ready - worked before. */
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

/* Tracks without queues to share: one after the other ---------------------------------------- */

/* When each slot but the last may start; `scratch` is used where there are several predecessors. */
static const double *readiness(const struct track *tracks, const struct track *track, int packets,
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

static void finish_slot(struct track *track, double start, double duration, double latency)
{
    track->last_start = start;
    track->last_duration = duration;
    track->last = start + duration + latency;
}

static void run_camera(struct track *track, int packets)
{
    double step = track->readout / packets;

    for (int i = 0; i < packets; i++)
        track->end[i] = (i + 1) * step;
    track->ends = track->end;
    track->last = track->readout;
    track->last_duration = step;
    track->last_start = track->readout - step;
}

/* All work in the last slot: the others pass readiness on. */
static void run_last_slot(struct track *tracks, struct track *track, int packets)
{
    double ready = track_ready(tracks, (int)(track - tracks), packets - 1, packets);

    track->ends = readiness(tracks, track, packets, track->end);
    finish_slot(track, ready, track_duration(track, packets - 1, packets),
                track->kind == TRACK_LINK ? track->latency : 0);
}

/* timeline_chain where every slot has work and its duration is linear in its weight. */
static void chain_linear(const double *ready, const double *weight, double slope, double offset,
                         int count, double *end)
{
    double worked = 0;
    double begun = 0;

    for (int i = 0; i < count; i++) {
        begun = larger(begun, ready[i] - worked);
        worked += weight[i] * slope + offset;
        end[i] = begun + worked;
    }
}

/* The ends of all slots but the last, without a link's latency. */
static void run_chain(const struct track *track, const double *ready, int packets)
{
    const double *weight = track->weights.slot;
    double slope;
    double offset;

    if (track->weights.count == packets && track_linear(track, &slope, &offset)) {
        offset += track->kind == TRACK_COMPUTE ? track->fixed : 0;
        chain_linear(ready, weight, slope, offset, packets - 1, track->end);
        return;
    }
    for (int i = 0; i < packets - 1; i++)
        track->end[i] = track_duration(track, i, packets);
    timeline_chain(ready, track->end, packets - 1, track->end);
}

/* Adds the latency; a slot without work never ends before the one before it. */
static double add_latency(struct track *track, int packets)
{
    const double *weight = track->weights.slot;
    double passed = 0;

    for (int i = 0; i < packets - 1; i++) {
        passed = larger(passed, track->end[i] + (weight[i] > 0 ? track->latency : 0));
        track->end[i] = passed;
    }
    return passed;
}

static void run_slots(struct track *tracks, struct track *track, int packets, double *scratch)
{
    const double *ready = readiness(tracks, track, packets, scratch);
    bool link = track->kind == TRACK_LINK;
    double last_ready = track_ready(tracks, (int)(track - tracks), packets - 1, packets);
    double free = 0;
    double passed = 0;

    run_chain(track, ready, packets);
    if (packets > 1)
        passed = free = track->end[packets - 2];
    if (link)
        passed = add_latency(track, packets);
    track->ends = track->end;
    finish_slot(track, larger(free, last_ready), track_duration(track, packets - 1, packets),
                link && track->weights.slot[packets - 1] > 0 ? track->latency : 0);
    track->last = larger(track->last, passed);
}

static void run_alone(struct track *tracks, int node, int packets, double *scratch)
{
    struct track *track = &tracks[node];

    if (track->kind == TRACK_CAMERA)
        run_camera(track, packets);
    else if (track->weights.slot == NULL)
        run_last_slot(tracks, track, packets);
    else
        run_slots(tracks, track, packets, scratch);
}

/* Shared queues: those who share, and all behind them, slot by slot in the order of time ------- */

struct simulation {
    struct track *tracks;
    int count;
    int packets;
    bool contended[NODE_MAX];    /* holds a shared queue or waits for one that does */
    int next[NODE_MAX];          /* the slot each track has yet to do */
    double wire_free[NODE_MAX];  /* when a transfer's previous slot left the wire */
    double queue_free[LINK_MAX]; /* when a queue is free again */
};

static bool slot_known(const struct simulation *s, int node)
{
    const struct track *track = &s->tracks[node];

    if (s->next[node] >= s->packets)
        return false;
    for (int p = 0; p < track->before_count; p++)
        if (s->next[track->before[p]] <= s->next[node])
            return false;
    return true;
}

static void record(struct simulation *s, int node, double start, double duration, double end)
{
    struct track *track = &s->tracks[node];

    track->end[s->next[node]] = end;
    track->last = end;
    track->last_start = start;
    track->last_duration = duration;
    s->next[node]++;
}

static double previous_end(const struct simulation *s, int node)
{
    int slot = s->next[node];

    return slot > 0 ? s->tracks[node].end[slot - 1] : 0;
}

static double ready_at(const struct simulation *s, int node)
{
    const struct track *track = &s->tracks[node];
    double ready = 0;

    for (int p = 0; p < track->before_count; p++)
        ready = larger(ready, track_end(&s->tracks[track->before[p]], s->next[node], s->packets));
    return ready;
}

/* Does every slot that needs no queue and whose predecessors are done. Predecessors have lower
 * numbers, so one pass is enough. */
static void advance(struct simulation *s)
{
    for (int node = 0; node < s->count; node++) {
        struct track *track = &s->tracks[node];

        while (slot_known(s, node)) {
            int slot = s->next[node];
            double duration = track_duration(track, slot, s->packets);
            double start = larger(previous_end(s, node), ready_at(s, node));

            if (track->kind == TRACK_LINK) {
                if (slot_weight(&track->weights, slot, s->packets) > 0)
                    break;
                record(s, node, start, 0, start);
            } else {
                record(s, node, start, duration, start + duration);
            }
        }
    }
}

/* The waiting transfer that was ready first; everything not yet waiting depends on one that is, so
 * it cannot be ready earlier. */
static int first_waiting(const struct simulation *s)
{
    double earliest = 0;
    int first = -1;

    for (int node = 0; node < s->count; node++) {
        double ready;

        if (s->tracks[node].kind != TRACK_LINK || !slot_known(s, node))
            continue;
        ready = larger(ready_at(s, node), s->wire_free[node]);
        if (first < 0 || ready < earliest) {
            earliest = ready;
            first = node;
        }
    }
    return first;
}

static void serve(struct simulation *s, int node)
{
    struct track *track = &s->tracks[node];
    double duration = track_duration(track, s->next[node], s->packets);
    double start = larger(ready_at(s, node), s->wire_free[node]);

    for (int q = 0; q < 2; q++)
        if (track->queue[q] != NO_QUEUE)
            start = larger(start, s->queue_free[track->queue[q]]);
    for (int q = 0; q < 2; q++)
        if (track->queue[q] != NO_QUEUE)
            s->queue_free[track->queue[q]] = start + duration;
    s->wire_free[node] = start + duration;
    record(s, node, start, duration, start + duration + track->latency);
}

static void find_contended(struct simulation *s)
{
    int users[LINK_MAX] = {0};

    for (int n = 0; n < s->count; n++)
        for (int q = 0; q < 2; q++)
            if (s->tracks[n].kind == TRACK_LINK && s->tracks[n].queue[q] != NO_QUEUE)
                users[s->tracks[n].queue[q]]++;
    for (int n = 0; n < s->count; n++) {
        const struct track *track = &s->tracks[n];

        for (int q = 0; q < 2; q++)
            if (track->kind == TRACK_LINK && track->queue[q] != NO_QUEUE &&
                users[track->queue[q]] > 1)
                s->contended[n] = true;
        for (int p = 0; p < track->before_count; p++)
            if (s->contended[track->before[p]])
                s->contended[n] = true;
    }
}

static void run_queued(struct track *tracks, int count, int packets, double *scratch)
{
    struct simulation s;
    int node;

    memset(&s, 0, sizeof s);
    s.tracks = tracks;
    s.count = count;
    s.packets = packets;
    find_contended(&s);
    for (int n = 0; n < count; n++) {
        if (s.contended[n] && tracks[n].kind != TRACK_CAMERA) {
            tracks[n].ends = tracks[n].end;
            continue;
        }
        run_alone(tracks, n, packets, scratch);
        s.next[n] = packets;
    }
    for (advance(&s); (node = first_waiting(&s)) >= 0; advance(&s))
        serve(&s, node);
}

void timeline_run(struct track *tracks, int count, int packets, bool queued, double *scratch)
{
    if (queued) {
        run_queued(tracks, count, packets, scratch);
        return;
    }
    for (int node = 0; node < count; node++)
        run_alone(tracks, node, packets, scratch);
}
