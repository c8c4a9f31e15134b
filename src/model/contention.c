#include "model/contention.h"

#include <string.h>

#include "base/number.h"

/* Events that release a resource precede simultaneous requests. */
enum { RANK_JOB_ENDS = -2, RANK_FIXED_TIME_ENDS = -1 };

/* Processor sharing ---------------------------------------------------------------------------- */

/* Adds to the sum and tracks its rounding error (Knuth, TAOCP 2, 4.2.2). */
static void add_share(struct shared_device *device, double share)
{
    double old = device->shares + device->lost;
    double carried = device->lost - (old - device->shares);
    double sum = old + share;
    double part = sum - old;

    device->lost = carried + ((old - (sum - part)) + (share - part));
    device->shares = sum;
}

/* Starts a job at `now`, not before earlier events on this device: `work` s of the whole device,
 * above 0; `share` above 0. */
static void begin_job(struct shared_device *device, double now, int node, double share, double work)
{
    if (device->jobs.count == 0)
        device->virtual = device->shares = device->lost = 0; /* drop rounding errors */
    else
        device->virtual += larger(0, now - device->now) / device->shares;
    device->now = now;
    add_share(device, share);
    heap_set(&device->jobs, (struct heap_item){device->virtual + work / share, node, node});
}

/* Returns the end of the first job, s, if no other job starts. There must be one. */
static double next_job_end(const struct shared_device *device)
{
    return device->now + larger(0, device->jobs.item[0].key - device->virtual) * device->shares;
}

/* Ends the first job at the time given by next_job_end; returns its node. */
static int end_job(struct shared_device *device, double now, const struct track *tracks)
{
    struct heap_item first = heap_remove_first(&device->jobs);

    device->virtual = larger(device->virtual, first.key);
    device->now = now;
    add_share(device, -tracks[first.owner].share);
    return first.owner;
}

/* Frames and slots ----------------------------------------------------------------------------- */

int contention_frames(int tracks, int packets)
{
    size_t each = (size_t)(tracks > 0 ? tracks : 1) * ((size_t)packets + 1);
    size_t fit = SIMULATION_SLOTS / each;

    return fit > FRAMES_MAX ? FRAMES_MAX : fit < 1 ? 1 : (int)fit;
}

/* Returns the start of readout of a frame. */
static double frame_start(const struct simulation *s, int frame)
{
    return (s->run->ago[0] - s->run->ago[frame]) * s->run->period;
}

/* Returns true if a track delivers in a frame; all do in the last. */
static bool delivers_in(const struct simulation *s, int node, int frame)
{
    int divisor = s->run->tracks[node].divisor;

    return divisor == 1 || s->run->ago[frame] % divisor == 0;
}

bool contention_works(const struct simulation *s, int node, int frame, int slot)
{
    const struct track *track = &s->run->tracks[node];

    if (!delivers_in(s, node, frame))
        return false;
    if (slot == s->run->packets)
        return track->deferred + track->deferred_fixed > 0;
    return track_works(track, slot, s->run->packets);
}

static double slot_scale(const struct simulation *s, int node)
{
    return track_scale(&s->run->tracks[node], s->frame[node], s->slot[node], s->run->packets);
}

static double slot_duration(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double duration = s->slot[node] == s->run->packets
                          ? track->deferred + track->deferred_fixed
                          : track_duration(track, s->slot[node], s->run->packets);

    return duration * slot_scale(s, node);
}

static double slot_fixed_time(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double fixed = s->slot[node] == s->run->packets
                       ? track->deferred_fixed
                       : track_fixed(track, s->slot[node], s->run->packets);

    return fixed * slot_scale(s, node);
}

/* Setting up ----------------------------------------------------------------------------------- */

static bool runs_on_device(const struct track *track)
{
    return track->kind == TRACK_COMPUTE && track->device >= 0;
}

/* Finds the resources that each track shares with others first come, first served. */
static void find_resources(struct simulation *s)
{
    const struct timeline *run = s->run;
    int users[RESOURCE_MAX] = {0};

    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];
        int *held = s->held[n];

        held[0] = held[1] = NO_QUEUE;
        if (track->kind == TRACK_LINK) {
            held[0] = track->queue[0];
            held[1] = track->queue[1];
        } else if (runs_on_device(track) && run->sharing == SHARING_EXCLUSIVE) {
            held[0] = LINK_MAX + track->device;
        }
        for (int i = 0; i < 2; i++)
            if (held[i] != NO_QUEUE)
                users[held[i]]++;
    }
    for (int n = 0; n < run->count; n++)
        for (int i = 0; i < 2; i++)
            if (s->held[n][i] != NO_QUEUE && users[s->held[n][i]] == 1)
                s->held[n][i] = NO_QUEUE;
}

/* Finds the device on which each track shares the processor with others. */
static void find_shared_devices(struct simulation *s)
{
    const struct timeline *run = s->run;
    bool shares = run->sharing == SHARING_FLUID;
    int users[DEVICE_MAX] = {0};
    int used = 0;

    for (int n = 0; n < run->count && shares; n++) {
        s->job_place[n] = -1;
        if (runs_on_device(&run->tracks[n]))
            users[run->tracks[n].device]++;
    }
    for (int d = 0; d < DEVICE_MAX && shares; d++) {
        s->device[d] = (struct shared_device){.jobs = {0, &s->job[used], s->job_place}};
        used += users[d];
    }
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        s->shared[n] = runs_on_device(track) && users[track->device] > 1 ? track->device : -1;
    }
}

static void find_contending(struct simulation *s)
{
    const struct timeline *run = s->run;

    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        s->contends[n] = s->held[n][0] != NO_QUEUE || s->held[n][1] != NO_QUEUE ||
                         s->shared[n] >= 0 || run->frames > 1;
        for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++)
            s->contends[n] = s->contends[n] || s->contends[track->before[p]];
    }
}

/* Runs a camera through several frames. */
static void run_camera(struct simulation *s, int node)
{
    double step = s->run->tracks[node].readout / s->run->packets;
    double end = 0;

    for (int f = 0, g = 0; f < s->run->frames; f++) {
        double start = frame_start(s, f);
        bool reads = delivers_in(s, node, f);

        for (int i = 0; i < s->per_frame; i++, g++) {
            double to = i < s->run->packets ? i + 1 : i;

            s->begin[node][g] = start;
            end = larger(end, reads ? start + to * step : start);
            s->end[node][g] = end;
        }
    }
}

static void add_edges(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];

    for (int p = 0; p < track->before_count; p++) {
        s->edge[s->edge_count] = (struct simulation_edge){node, s->first_edge[track->before[p]]};
        s->first_edge[track->before[p]] = s->edge_count++;
    }
}

/* Skips the slots before a track's first work, which pass readiness on. Inputs from tracks without
 * contention, or that are skipped too, are known in advance; so a track with all its work in the
 * last slot is simulated only there. */
static void pass_first_slots(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double *end = s->end[node];
    int first = track->weights.first;

    for (int p = 0; p < track->before_count; p++)
        if (s->next[track->before[p]] < first)
            first = s->next[track->before[p]];
    for (int i = 0; i < first; i++)
        end[i] = 0;
    for (int p = 0; p < track->before_count; p++) {
        const double *ends = s->run->tracks[track->before[p]].ends;

        for (int i = 0; i < first; i++)
            end[i] = larger(end[i], ends[i]);
    }
    memcpy(s->begin[node], end, sizeof(double) * (size_t)first);
    s->next[node] = s->slot[node] = first;
    s->free[node] = s->passed[node] = first > 0 ? end[first - 1] : 0;
}

static void set_up_track(struct simulation *s, int node)
{
    const struct timeline *run = s->run;
    struct track *track = &run->tracks[node];
    bool several = run->frames > 1;

    s->first_edge[node] = -1;
    s->next[node] = s->slot[node] = s->frame[node] = 0;
    s->free[node] = s->passed[node] = 0;
    s->end[node] = s->begin[node] = NULL;
    if (!s->contends[node]) {
        timeline_run_alone(run->tracks, node, run->packets, run->scratch);
        s->next[node] = s->total;
        return;
    }
    s->begin[node] = &s->begins[(size_t)node * (size_t)s->total];
    s->end[node] = several ? &s->ends[(size_t)node * (size_t)s->total] : track->end;
    track->begin = &s->begin[node][(run->frames - 1) * s->per_frame];
    track->origin = frame_start(s, run->frames - 1);
    track->ends = track->end;
    track->held = 0;
    if (track->kind == TRACK_CAMERA) {
        run_camera(s, node);
        s->next[node] = s->total;
        return;
    }
    add_edges(s, node);
    if (!several)
        pass_first_slots(s, node);
}

/* If a camera feeds a mirror, its last pixel is a command. */
static void count_frame_commands(struct simulation *s, int frame)
{
    int last = frame * s->per_frame + s->run->packets - 1;

    s->commands_left[frame] = 0;
    s->commanded[frame] = 0;
    for (int n = 0; n < s->run->count && s->run->frames > 1; n++) {
        if (!s->run->tracks[n].command)
            continue;
        if (s->run->tracks[n].kind == TRACK_CAMERA)
            s->commanded[frame] = larger(s->commanded[frame], s->end[n][last]);
        else
            s->commands_left[frame]++;
    }
}

/* Counts the predecessors that completed a track's slot; after the last it can be examined. */
static void count_arrived(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    int needed = track->before_count;

    if (s->next[node] >= s->total)
        return;
    s->arrived[node] = 0;
    if (s->slot[node] == s->run->packets)
        needed = s->commands_left[s->frame[node]]; /* deferred work waits for the commands only */
    else
        for (int p = 0; p < track->before_count; p++)
            s->arrived[node] += s->next[track->before[p]] > s->next[node];
    if (s->arrived[node] == needed)
        s->ready[s->ready_count++] = node;
}

/* Runs the tracks without contention and lists tracks whose first slot can be examined. */
static void set_up_simulation(struct simulation *s, struct timeline *run)
{
    s->run = run;
    find_resources(s);
    find_shared_devices(s);
    find_contending(s);
    s->per_frame = run->packets + (run->frames > 1);
    s->total = s->per_frame * run->frames;
    s->edge_count = s->ready_count = s->step_count = 0;
    for (int r = 0; r < RESOURCE_MAX; r++)
        s->busy_until[r] = 0;
    s->events = (struct heap){.item = s->event, .position = s->event_position};
    heap_clear(&s->events, run->count + DEVICE_MAX);
    for (int n = 0; n < run->count; n++)
        set_up_track(s, n);
    for (int f = 0; f < run->frames; f++)
        count_frame_commands(s, f);
    for (int n = 0; n < run->count; n++)
        count_arrived(s, n);
}

/* Slot by slot --------------------------------------------------------------------------------- */

/* Returns the time at which a track's predecessors or, for deferred work, all commands are done. */
static double ready_time(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    int slot = s->slot[node];
    double ready = frame_start(s, s->frame[node]);

    if (slot == s->run->packets)
        return s->commanded[s->frame[node]];
    for (int p = 0; p < track->before_count; p++) {
        int before = track->before[p];

        ready = larger(ready, s->end[before] != NULL
                                  ? s->end[before][s->next[node]]
                                  : track_end(&s->run->tracks[before], slot, s->run->packets));
    }
    return ready;
}

/* Counts a command; the last one of a frame releases deferred work. */
static void count_command(struct simulation *s, int frame, double end)
{
    s->commanded[frame] = larger(s->commanded[frame], end);
    if (--s->commands_left[frame] > 0)
        return;
    for (int n = 0; n < s->run->count; n++)
        if (s->next[n] < s->total && s->frame[n] == frame && s->slot[n] == s->run->packets)
            s->ready[s->ready_count++] = n;
}

/* Advances to the next slot that may have work. */
static void advance_track(struct simulation *s, int node)
{
    s->next[node]++;
    s->slot[node]++;
    if (s->slot[node] == s->run->packets && s->per_frame > s->run->packets &&
        !contention_works(s, node, s->frame[node], s->run->packets)) {
        s->next[node]++;
        s->slot[node]++;
    }
    if (s->slot[node] < s->per_frame)
        return;
    s->slot[node] = 0;
    s->frame[node]++;
    if (s->frame[node] == s->run->frames - 1)
        s->run->tracks[node].held = larger(0, s->free[node] - s->run->tracks[node].origin);
}

/* Completes a slot and notifies successors that wait for it. */
static void finish_slot(struct simulation *s, int node, double begin, double end)
{
    struct track *track = &s->run->tracks[node];
    int slot = s->slot[node];
    int number = s->next[node];

    s->begin[node][number] = begin;
    s->end[node][number] = end;
    s->passed[node] = end;
    s->step[s->step_count++] = (struct simulation_step){(uint16_t)node, (uint16_t)number};
    if (slot < s->run->packets) {
        for (int e = s->first_edge[node]; e >= 0; e = s->edge[e].next) {
            int to = s->edge[e].to;

            if (s->next[to] == number && ++s->arrived[to] == s->run->tracks[to].before_count)
                s->ready[s->ready_count++] = to;
        }
        if (slot == s->run->packets - 1 && track->command && s->run->frames > 1)
            count_command(s, s->frame[node], end);
    }
    advance_track(s, node);
    count_arrived(s, node);
}

/* Executes a slot from `start` on, as soon as all its resources are free. */
static void execute_slot(struct simulation *s, int node, double start)
{
    const struct track *track = &s->run->tracks[node];
    double duration = slot_duration(s, node);

    for (int i = 0; i < 2; i++)
        if (s->held[node][i] != NO_QUEUE)
            start = larger(start, s->busy_until[s->held[node][i]]);
    for (int i = 0; i < 2; i++)
        if (s->held[node][i] != NO_QUEUE)
            s->busy_until[s->held[node][i]] = start + duration;
    s->free[node] = start + duration;
    finish_slot(s, node, start,
                start + duration + (track->kind == TRACK_LINK ? track->latency : 0));
}

/* Executes a slot that needs no shared resource; queues other slots. */
static void examine_slot(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double ready = ready_time(s, node);
    double start = larger(ready, s->free[node]);

    if (!contention_works(s, node, s->frame[node], s->slot[node])) {
        start = larger(ready, s->passed[node]);
        if (track->kind != TRACK_LINK)
            s->free[node] = start;
        finish_slot(s, node, start, start);
    } else if (s->held[node][0] != NO_QUEUE || s->held[node][1] != NO_QUEUE) {
        heap_set(&s->events, (struct heap_item){start, track->turn, node});
    } else if (s->shared[node] >= 0) {
        s->begun[node] = start;
        heap_set(&s->events,
                 (struct heap_item){start + slot_fixed_time(s, node), RANK_FIXED_TIME_ENDS, node});
    } else {
        execute_slot(s, node, start);
    }
}

static void expect_job_end(struct simulation *s, int device)
{
    if (s->device[device].jobs.count > 0)
        heap_set(&s->events, (struct heap_item){next_job_end(&s->device[device]), RANK_JOB_ENDS,
                                                s->run->count + device});
}

static void finish_shared_slot(struct simulation *s, int node, double now)
{
    s->free[node] = now;
    finish_slot(s, node, s->begun[node], now);
}

static void start_shared_work(struct simulation *s, int node, double now)
{
    double work = slot_duration(s, node) - slot_fixed_time(s, node);
    int device = s->shared[node];

    if (work <= 0) {
        finish_shared_slot(s, node, now);
        return;
    }
    begin_job(&s->device[device], now, node, s->run->tracks[node].share, work);
    expect_job_end(s, device);
}

static void end_shared_work(struct simulation *s, int device, double now)
{
    int node = end_job(&s->device[device], now, s->run->tracks);

    expect_job_end(s, device);
    finish_shared_slot(s, node, now);
}

/* The reported frame --------------------------------------------------------------------------- */

/* Converts ends of the last frame to its own clock; rounding never puts one before its cause. */
static void set_frame_clock(struct simulation *s, int node)
{
    struct track *track = &s->run->tracks[node];
    const double *end = &s->end[node][s->total - s->per_frame];

    for (int i = 0; i < s->run->packets; i++)
        track->end[i] = track->kind == TRACK_CAMERA
                            ? (i + 1) * (track->readout / s->run->packets)
                            : larger(track_ready(s->run->tracks, node, i, s->run->packets),
                                     end[i] - track->origin);
}

static void report_track(struct simulation *s, int node)
{
    struct track *track = &s->run->tracks[node];
    int packets = s->run->packets;
    int frame = s->run->frames - 1;

    if (s->run->frames > 1)
        set_frame_clock(s, node);
    track->last = track->end[packets - 1];
    track->last_duration = track_works(track, packets - 1, packets)
                               ? track_duration(track, packets - 1, packets) *
                                     track_scale(track, frame, packets - 1, packets)
                               : 0;
    track->last_start =
        larger(0, s->begin[node][s->total - s->per_frame + packets - 1] - track->origin);
    if (s->per_frame > packets && contention_works(s, node, frame, packets))
        track->deferred_end = s->end[node][s->total - 1] - track->origin;
    if (track->kind == TRACK_CAMERA)
        track->last_start = track->last - track->last_duration;
}

static void simulate_slots(struct simulation *s)
{
    for (;;) {
        struct heap_item event;

        while (s->ready_count > 0)
            examine_slot(s, s->ready[--s->ready_count]);
        /* slots not queued yet depend on queued ones, so none can start sooner */
        if (s->events.count == 0)
            break;
        event = heap_remove_first(&s->events);
        if (event.owner >= s->run->count)
            end_shared_work(s, event.owner - s->run->count, event.key);
        else if (s->shared[event.owner] >= 0)
            start_shared_work(s, event.owner, event.key);
        else
            execute_slot(s, event.owner, event.key);
    }
}

void contention_run(struct timeline *timeline)
{
    struct simulation *s = timeline->simulation;

    timeline->simulated =
        timeline->queued || timeline->frames > 1 || timeline->sharing != SHARING_PARTITION;
    if (!timeline->simulated) {
        for (int n = 0; n < timeline->count; n++)
            timeline_run_alone(timeline->tracks, n, timeline->packets, timeline->scratch);
        return;
    }
    set_up_simulation(s, timeline);
    simulate_slots(s);
    for (int n = 0; n < timeline->count; n++)
        if (s->end[n] != NULL)
            report_track(s, n);
}
