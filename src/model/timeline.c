#include "model/timeline.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/formulas.h"

static double work_duration(const struct track *track, double weight)
{
    if (weight <= 0)
        return 0;
    return roofline_time(weight * track->compute, weight * track->memory + track->accumulator,
                         track->overlap) +
           track->fixed;
}

double track_link_time(const struct track *track, double bytes)
{
    double time = wire_time(&track->wire, bytes);

    if (track->datagram > 0 && bytes > 0)
        time = formula_received_time(time, track->datagram,
                                     formula_received_datagrams(bytes, track->wire.payload));
    return time;
}

double track_duration(const struct track *track, int slot)
{
    double weight = track_weight(track, slot);

    switch (track->kind) {
    case TRACK_CAMERA:
        return weight > 0 ? track->readout * weight : 0;
    case TRACK_LINK:
        return track_link_time(track, track->bytes * weight);
    case TRACK_COMPUTE:
        break;
    }
    return work_duration(track, weight) +
           (slot == track->slots - 1 ? track->tail + track->tail_fixed : 0);
}

double track_fixed(const struct track *track, int slot)
{
    double fixed = track_weight(track, slot) > 0 ? track->fixed : 0;

    return fixed + (slot == track->slots - 1 ? track->tail_fixed : 0);
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

double track_ready(const struct track *tracks, int node, int slot)
{
    const struct track *track = &tracks[node];
    double ready = 0;

    for (int p = 0; p < track->before_count; p++)
        ready = larger(ready, track_end(&tracks[track->before[p]], slot));
    return ready;
}

int track_visit(const struct track *tracks, int node, int frame, int slot)
{
    const struct track *track = &tracks[node];
    uint16_t *known;
    int first = -1;

    if (!track->continues)
        return node;
    known = &track->visit[(size_t)frame * (size_t)track->visit_frame + (size_t)slot];
    if (*known > 0)
        return *known - 1;
    for (int p = 0; p < track->before_count; p++) {
        int before = track->before[p];
        int visit;

        if (slot >= tracks[before].slots || !track_delivers(&tracks[before], frame) ||
            !track_works(&tracks[before], slot))
            continue;
        visit = track_visit(tracks, before, frame, slot);
        if (first >= 0 && visit != first) {
            first = node;
            break;
        }
        first = visit;
    }
    first = first < 0 ? node : first;
    *known = (uint16_t)(first + 1);
    return first;
}

/* Returns true if a track works in every slot in which another one with as many slots does. */
static bool works_wherever(const struct track *track, const struct track *other)
{
    bool at_end = track_weight(track, track->slots - 1) > 0;

    if (!track->weight_works)
        return false;
    if (other->tail + other->tail_fixed > 0 && !at_end)
        return false;
    return track->weights.slot == other->weights.slot ||
           weights_dense(&track->weights, track->slots) || (other->weights.slot == NULL && at_end);
}

static enum visits find_visits(const struct track *tracks, const struct track *track)
{
    const struct track *before;

    if (!track->continues)
        return VISITS_BEGIN;
    before = &tracks[track->before[0]];
    return track->before_count == 1 && before->slots == track->slots &&
                   before->divisor == track->divisor && works_wherever(before, track)
               ? VISITS_CONTINUE
               : VISITS_VARY;
}

void timeline_find_work(const struct timeline *timeline)
{
    for (int n = 0; n < timeline->count; n++) {
        struct track *track = &timeline->tracks[n];
        double time =
            track->kind == TRACK_LINK
                ? track->bytes + track->latency + track->delay + track->enqueue
                : track->compute + track->memory + track->accumulator + track->fixed + track->delay;

        track->weight_works = track->kind == TRACK_CAMERA || time > 0;
        track->tail_works = track->kind == TRACK_COMPUTE && track->tail + track->tail_fixed > 0;
        track->visits = find_visits(timeline->tracks, track);
    }
}

void timeline_find_first_slots(const struct timeline *timeline, int first[])
{
    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        first[n] = track->weight_works ? track_first_slot(track) : track->slots - 1;
    }
    for (int n = timeline->count - 1; n >= 0; n--)
        for (int p = 0; p < timeline->tracks[n].before_count; p++) {
            int *before = &first[timeline->tracks[n].before[p]];

            if (first[n] < *before)
                *before = first[n];
        }
}

/* Cameras -------------------------------------------------------------------------------------- */

/* Fills the times of a camera whose core handles all datagrams of a packet before the next one:
 * each packet is available a constant time after its last datagram. */
static double fill_steady_arrival(const struct track *camera, int packets, double delay,
                                  double *end)
{
    double step = camera->readout / packets;

    for (int i = 0; i < packets; i++)
        end[i] = camera->start + (i + 1) * step + delay;
    return camera->start + packets * step + camera->arrival.datagram;
}

double camera_time(const struct track *camera, int slot, int packets)
{
    if (camera->when == NULL)
        return formula_clock(camera->start, slot + 1, camera->readout, packets);
    return formula_clock_uneven(camera->start, slot < 0 ? 0 : camera->when[slot], camera->readout);
}

double arrival_fill(const struct track *camera, int packets, double passed, double *end)
{
    const struct arrival *arrival = &camera->arrival;
    const double *weight = camera->weights.slot;
    double core = arrival->datagram;
    double available = 0;
    double from = camera->start;

    if (camera->weights.count == packets && passed <= 0 && camera->when == NULL &&
        (core == 0 || arrival->at_once || arrival->most * core <= camera->readout / packets))
        return fill_steady_arrival(camera, packets, formula_reception(core, arrival->latency), end);
    for (int i = 0; i < packets; i++) {
        double datagrams = formula_received_datagrams(arrival->bytes * weight[i], arrival->payload);
        double to = camera_time(camera, i, packets);
        double first = datagrams > 0 ? (to - from) / datagrams : to - from;

        passed = larger(passed, from + first) + datagrams * core;
        if (arrival->at_once)
            passed = 0;
        passed = larger(passed, to + (datagrams > 0 ? core : 0));
        available = larger(available, passed + (datagrams > 0 ? arrival->latency : 0));
        end[i] = available;
        from = to;
    }
    return passed;
}

/* Delays ends that are before the end of an earlier frame. */
static void never_before(double passed, int count, double *end)
{
    for (int i = 0; i < count && end[i] < passed; i++)
        end[i] = passed;
}

static void run_camera(struct track *track, int packets, double *scratch)
{
    double *end = track->slots == packets ? track->end : scratch;
    double asleep = track->sleep;
    int last = track->slots - 1;

    track->released = arrival_fill(track, packets, track->held, end);
    if (end != track->end)
        memcpy(track->end, end, sizeof *end * (size_t)track->slots);
    if (asleep > 0)
        track->end[track->sleep_slot] += asleep;
    for (int i = track->sleep_slot + 1; i < track->slots && asleep > 0; i++)
        track->end[i] = larger(track->end[i], track->end[i - 1]);
    never_before(track->passed, track->slots, track->end);
    track->ends = track->end;
    track->last = track->end[last];
    track->last_duration = track_duration(track, last);
    track->last_start = camera_time(track, last, packets) - track->last_duration;
}

/* Chains --------------------------------------------------------------------------------------- */

/* Computes end = max(free, ready) + duration such that consecutive slots depend on each other only
 * through a comparison: with the sum of durations so far in `worked`, end - worked is the largest
 * ready - worked before. */
void timeline_chain(const double *ready, const double *duration, double held, int count,
                    double *end)
{
    double worked = 0;
    double begun = held;

    for (int i = 0; i < count; i++) {
        begun = larger(begun, ready[i] - worked);
        worked += duration[i];
        end[i] = begun + worked;
    }
}

/* The chain of a track: its state after the slots so far. */
struct chain_state {
    double free;     /* end of the last slot's duration */
    double enqueued; /* when the enqueuing thread is free */
};

/* Returns the times at which the first `count` slots are ready; `scratch`: for several predecessors
 * or ones with fewer slots. */
static const double *ready_times(const struct timeline *timeline, const struct track *track,
                                 int count)
{
    const struct track *tracks = timeline->tracks;
    double *scratch = timeline->scratch;

    if (track->before_count == 1 && tracks[track->before[0]].slots > count)
        return tracks[track->before[0]].ends;
    memset(scratch, 0, sizeof(double) * (size_t)count);
    for (int p = 0; p < track->before_count && pace_step(timeline->pace, count); p++) {
        const struct track *before = &tracks[track->before[p]];
        int own = before->slots - 1 < count ? before->slots - 1 : count;

        for (int i = 0; i < own; i++)
            scratch[i] = larger(scratch[i], before->ends[i]);
        for (int i = own; i < count; i++)
            scratch[i] = larger(scratch[i], before->last);
    }
    return scratch;
}

static void set_last_slot(struct track *track, double start, double duration, double latency)
{
    track->last_start = start;
    track->last_duration = duration;
    track->last = start + duration + latency;
}

/* Runs the last slot after the chain of the others, of which `passed` is the last end. */
static void run_last_slot(struct track *tracks, int node, int frame, double scale,
                          struct chain_state *chain, double passed)
{
    struct track *track = &tracks[node];
    int slot = track->slots - 1;
    double ready = track_ready(tracks, node, slot);
    double duration = track_duration(track, slot) * scale;
    bool begins;

    if (!track_works(track, slot)) {
        set_last_slot(track, larger(ready, passed), 0, 0);
        track->released = track->kind == TRACK_LINK ? chain->free : track->last;
        return;
    }
    begins = track_begins(tracks, node, frame, slot);
    if (begins && track->enqueue > 0)
        ready = chain->enqueued =
            larger(ready, chain->enqueued) + track_enqueue(track, slot, begins);
    set_last_slot(track, larger(ready + track_delay(track, slot, begins), chain->free), duration,
                  track->kind == TRACK_LINK ? track->latency : 0);
    track->released = track->last_start + duration;
    track->last = larger(track->last, passed);
}

/* Like timeline_chain for slots that all have work and begin (or all continue) a visit, with
 * durations linear in the weights. */
static void chain_linear(const double *ready, struct track *track, const double line[2],
                         const double wait[2], int count, struct chain_state *chain)
{
    const double *weight = track->weights.slot;
    const double slope = line[0];
    const double offset = line[1];
    const double enqueue = wait[0];
    const double delay = wait[1];
    const double latency = track->kind == TRACK_LINK ? track->latency : 0;
    double *end = track->end;
    double enqueued = chain->enqueued;
    double begun = chain->free;
    double worked = 0;

    for (int i = 0; i < count; i++) {
        enqueued = larger(enqueued, ready[i]) + enqueue;
        begun = larger(begun, enqueued + delay - worked);
        worked += weight[i] * slope + offset;
        end[i] = begun + worked + latency;
    }
    chain->free = begun + worked;
    chain->enqueued = enqueued;
}

/* Fills the times at which slots ask for their device or link: with a delay if they work. */
static void fill_requests(const struct timeline *timeline, int node, int frame, const double *ready,
                          struct chain_state *chain, double *request)
{
    const struct track *tracks = timeline->tracks;
    const struct track *track = &tracks[node];
    int edges = track->visits == VISITS_VARY ? track->before_count : 0;
    int count = track->slots - 1;

    for (int i = 0; i < count && pace_step(timeline->pace, edges); i++) {
        bool begins;

        request[i] = ready[i];
        if (!track_works(track, i))
            continue;
        begins = track_begins(tracks, node, frame, i);
        if (begins && track->enqueue > 0)
            request[i] = chain->enqueued =
                larger(ready[i], chain->enqueued) + track_enqueue(track, i, begins);
        request[i] += track_delay(track, i, begins);
    }
}

static void fill_work(const struct track *track, int first, int end, double *duration)
{
    const double *weight = track->weights.slot;
    const double compute = track->compute;
    const double memory = track->memory;
    const double accumulator = track->accumulator;
    const double overlap = track->overlap;
    const double fixed = track->fixed;

    for (int i = first; i < end; i++) {
        double time =
            roofline_time(weight[i] * compute, weight[i] * memory + accumulator, overlap) + fixed;

        duration[i] = weight[i] > 0 ? time : 0;
    }
}

/* Fills in the durations of slots from `first` to before `end`, none of them the last. */
static void fill_durations(const struct track *track, const double *scale, int first, int end,
                           double *duration)
{
    if (track->kind == TRACK_COMPUTE)
        fill_work(track, first, end, duration);
    else
        for (int i = first; i < end; i++)
            duration[i] = track_link_time(track, track->bytes * track->weights.slot[i]);
    for (int i = first; i < end && scale != NULL; i++)
        duration[i] *= scale[i];
}

void track_fill_durations(const struct track *track, const double *scale, int first,
                          double *duration)
{
    int last = track->slots - 1;

    if (track->weights.slot != NULL)
        fill_durations(track, scale, first, last, duration);
    duration[last] = track_duration(track, last) * (scale == NULL ? 1 : scale[last]);
}

/* Adds the latency; a slot without work never ends before the preceding one. */
static void add_link_latency(struct track *track, int count)
{
    double passed = 0;

    for (int i = 0; i < count; i++) {
        passed = larger(passed, track->end[i] + (track_works(track, i) ? track->latency : 0));
        track->end[i] = passed;
    }
}

/* Runs all slots but the last. */
static void run_first_slots(const struct timeline *timeline, int node, int frame,
                            const double *ready, const double *scale, struct chain_state *chain)
{
    struct track *track = &timeline->tracks[node];
    double *requests = timeline->scratch + timeline->packets;
    int count = track->slots - 1;
    double line[2];

    if (track_linear(track, &line[0], &line[1]) && weights_dense(&track->weights, count) &&
        scale == NULL && track->sleep == 0 && track->datagram == 0 &&
        track->visits != VISITS_VARY) {
        bool begins = track->visits == VISITS_BEGIN;
        bool works = track_works(track, 0);
        const double wait[2] = {works && begins ? track->enqueue : 0,
                                works ? track_delay(track, 0, begins) : 0};

        line[1] += track->kind == TRACK_COMPUTE ? track->fixed : 0;
        chain_linear(ready, track, line, wait, count, chain);
        return;
    }
    fill_requests(timeline, node, frame, ready, chain, requests);
    fill_durations(track, scale, 0, count, track->end);
    timeline_chain(requests, track->end, chain->free, count, track->end);
    chain->free = larger(chain->free, track->end[count - 1]);
    if (track->kind == TRACK_LINK && track->latency > 0)
        add_link_latency(track, count);
}

/* Passes readiness on: a frame in which a track has no data. */
static void pass_frame(const struct timeline *timeline, int node)
{
    struct track *tracks = timeline->tracks;
    struct track *track = &tracks[node];
    int count = track->slots - 1;
    const double *ready = ready_times(timeline, track, count);
    bool camera = track->kind == TRACK_CAMERA;
    double passed = camera ? track->passed : larger(track->held, track->passed);

    for (int i = 0; i < count; i++)
        track->end[i] = passed = larger(passed, ready[i]);
    track->ends = track->end;
    set_last_slot(track, larger(passed, track_ready(tracks, node, count)), 0, 0);
    track->released = track->kind == TRACK_COMPUTE ? track->last : track->held;
}

void timeline_run_alone(const struct timeline *timeline, int node, int frame)
{
    struct track *tracks = timeline->tracks;
    struct track *track = &tracks[node];
    double *scratch = timeline->scratch;
    int packets = timeline->packets;
    const double *scale =
        track->scale == NULL ? NULL : &track->scale[(size_t)frame * ((size_t)packets + 1)];
    struct chain_state chain = {track->held, track->enqueued};
    int count = track->slots - 1;
    double passed = track->kind == TRACK_COMPUTE ? track->held : track->passed;
    const double *ready;

    track->begin = track->request = NULL;
    track->origin = 0;
    if (track->continues)
        memset(track->visit, 0, sizeof *track->visit * (size_t)packets);
    /* the recurrence takes a few loops over the slots */
    if (!pace_step(timeline->pace, 4 * track->slots + track->before_count))
        return;
    if (!track_delivers(track, frame)) {
        pass_frame(timeline, node);
        return;
    }
    if (track->kind == TRACK_CAMERA) {
        run_camera(track, packets, scratch);
        return;
    }
    ready = ready_times(timeline, track, count);
    track->ends = track->end;
    if (track->weights.slot == NULL && track->held == 0 && track->passed == 0) {
        track->ends = ready; /* the first slots pass readiness on */
        if (ready == scratch)
            track->ends = memcpy(track->end, ready, sizeof *ready * (size_t)count);
    } else if (track->weights.slot == NULL) {
        for (int i = 0; i < count; i++)
            track->end[i] = larger(track->held, ready[i]);
    } else if (count > 0) {
        run_first_slots(timeline, node, frame, ready, scale, &chain);
    }
    if (track->ends == track->end)
        never_before(track->passed, count, track->end);
    if (count > 0)
        passed = track->ends[count - 1];
    run_last_slot(tracks, node, frame, scale == NULL ? 1 : scale[count], &chain, passed);
    track->enqueued = chain.enqueued;
}

double track_first_start(const struct track *track)
{
    int first = track_first_slot(track);

    if (track->kind == TRACK_CAMERA)
        return track->start;
    if (first >= track->slots - 1)
        return track->last_start;
    if (track->begin != NULL)
        return larger(0, track->begin[first] - track->origin);
    return larger(0, track->ends[first] - track_duration(track, first) -
                         (track->kind == TRACK_LINK ? track->latency : 0));
}

/* Frames --------------------------------------------------------------------------------------- */

void timeline_start(struct timeline *timeline)
{
    for (int n = 0; n < timeline->count; n++) {
        struct track *track = &timeline->tracks[n];

        track->held = track->passed = track->enqueued = track->released = 0;
        track->deferred_end = 0;
    }
}

/* Takes over what earlier frames have not finished. */
static void advance_frame(const struct timeline *timeline, struct track *track)
{
    track->held = larger(0, larger(track->released, track->deferred_end) - timeline->period);
    track->passed = larger(0, track->last - timeline->period);
    track->enqueued = larger(0, track->enqueued - timeline->period);
    track->deferred_end = 0;
}

/* Returns when a command is out; a slot without work passes readiness on. */
static double last_command_time(const struct track *track)
{
    return track_works(track, track->slots - 1) ? track_command(track, track->last) : track->last;
}

void timeline_run_frame(struct timeline *timeline, int frame)
{
    struct track *tracks = timeline->tracks;
    double command = 0;

    for (int n = 0; n < timeline->count && timeline_goes_on(timeline); n++) {
        if (frame > 0)
            advance_frame(timeline, &tracks[n]);
        timeline_run_alone(timeline, n, frame);
        if (track_sends(&tracks[n], frame))
            command = larger(command, last_command_time(&tracks[n]));
    }
    for (int n = 0; n < timeline->count; n++) {
        struct track *track = &tracks[n];
        double work = track->deferred + track->deferred_fixed;

        if (work > 0 && track_delivers(track, frame))
            track->deferred_end =
                larger(track->released, command) +
                work * track_scale(track, frame, timeline->packets, timeline->packets);
    }
}
