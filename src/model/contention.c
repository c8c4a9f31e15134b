#include "model/contention.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

/* Events that release a shared device precede simultaneous requests; an exclusive one is granted
 * after all requests of that time. */
#define RANK_JOB_ENDS (-2)
#define RANK_FIXED_TIME_ENDS (-1)
#define RANK_UNIT_IS_FREE HUGE_VAL

/* Rank of deferred work, above that of any priority (see track_rank). */
#define RANK_DEFERRED 32767

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
    return frame * s->run->period;
}

bool contention_works(const struct simulation *s, int node, int frame, int slot)
{
    const struct track *track = &s->run->tracks[node];

    if (!track_delivers(track, frame))
        return false;
    if (slot == s->run->packets)
        return track->deferred + track->deferred_fixed > 0;
    return slot < track->slots && track_works(track, slot);
}

static double slot_scale(const struct simulation *s, int node)
{
    return track_scale(&s->run->tracks[node], s->frame[node], s->slot[node], s->run->packets);
}

static double slot_duration(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double duration = s->slot[node] == s->run->packets ? track->deferred + track->deferred_fixed
                                                       : track_duration(track, s->slot[node]);

    return duration * slot_scale(s, node);
}

static double slot_fixed_time(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double fixed = s->slot[node] == s->run->packets ? track->deferred_fixed
                                                    : track_fixed(track, s->slot[node]);

    return fixed * slot_scale(s, node);
}

/* Returns the rank of a track's current slot among those that wait for an exclusive device: exact,
 * as the three parts have 15, 22 and 16 bits. */
static double slot_rank(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double rank = s->slot[node] == s->run->packets ? RANK_DEFERRED : track->rank;

    return (rank * 4194304 + s->next[node]) * 65536 + track->order;
}

/* Setting up ----------------------------------------------------------------------------------- */

static bool runs_on_device(const struct track *track)
{
    return track->kind == TRACK_COMPUTE && track->device >= 0;
}

/* Finds the links and enqueuing threads that tracks share. */
static void find_queues(struct simulation *s)
{
    const struct timeline *run = s->run;

    s->threads = false;
    for (int r = 0; r < LINK_MAX; r++)
        s->users[r] = 0;
    for (int u = 0; u < run->units; u++)
        s->thread_users[u] = 0;
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        for (int i = 0; i < 2; i++) {
            s->held[n][i] = track->kind == TRACK_LINK ? track->queue[i] : NO_QUEUE;
            if (s->held[n][i] != NO_QUEUE)
                s->users[s->held[n][i]]++;
        }
        if (track->thread >= 0)
            s->thread_users[track->thread]++;
    }
    for (int n = 0; n < run->count; n++) {
        int thread = run->tracks[n].thread;

        s->thread_shared[n] = thread >= 0 && s->thread_users[thread] > 1;
        s->threads = s->threads || s->thread_shared[n];
        for (int i = 0; i < 2; i++)
            if (s->held[n][i] != NO_QUEUE && s->users[s->held[n][i]] == 1)
                s->held[n][i] = NO_QUEUE;
    }
}

/* Chains the tracks of each thread that may continue a visit, in the order of nodes. */
static void find_visits(struct simulation *s)
{
    const struct timeline *run = s->run;

    for (int u = 0; u < run->units; u++)
        s->last_in_thread[u] = -1;
    for (int n = run->count - 1; n >= 0; n--) {
        const struct track *track = &run->tracks[n];

        s->next_in_visit[n] = -1;
        if (!s->thread_shared[n])
            continue;
        s->next_in_visit[n] = s->last_in_thread[track->thread];
        if (track->continues && track->enqueue_inside > 0)
            s->last_in_thread[track->thread] = n;
    }
}

/* Finds the unit that each track shares with others. */
static void find_shared_devices(struct simulation *s)
{
    const struct timeline *run = s->run;
    int *users = &s->users[LINK_MAX];
    int used = 0;

    for (int u = 0; u < run->units; u++)
        users[u] = 0;
    for (int n = 0; n < run->count; n++) {
        s->job_place[n] = -1;
        if (runs_on_device(&run->tracks[n]) && run->tracks[n].sharing != SHARING_PARTITION)
            users[run->tracks[n].device]++;
    }
    for (int u = 0; u < run->units; u++) {
        s->device[u] = (struct shared_device){.jobs = {0, &s->job[used], s->job_place}};
        used += users[u];
    }
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        s->shared[n] = -1;
        if (!runs_on_device(track) || track->sharing == SHARING_PARTITION ||
            users[track->device] < 2)
            continue;
        s->shared[n] = track->device;
        if (track->sharing == SHARING_EXCLUSIVE)
            s->held[n][0] = LINK_MAX + track->device;
    }
}

static void find_contending(struct simulation *s)
{
    const struct timeline *run = s->run;

    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        s->contends[n] = s->held[n][0] != NO_QUEUE || s->held[n][1] != NO_QUEUE ||
                         s->shared[n] >= 0 || s->thread_shared[n] || run->frames > 1;
        for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++)
            s->contends[n] = s->contends[n] || s->contends[track->before[p]];
    }
}

/* Runs a camera through several frames. */
static void run_camera(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double core = 0; /* its receiving core is free, from the start of the frame */
    double passed = 0;

    for (int f = 0; f < s->run->frames; f++) {
        double start = frame_start(s, f);
        double *end = &s->end[node][f * s->per_frame];
        double *begin = &s->begin[node][f * s->per_frame];

        if (track_delivers(track, f))
            core = arrival_fill(track, s->run->packets, core, end);
        for (int i = 0; i < s->per_frame; i++) {
            bool late = i >= s->run->packets || !track_delivers(track, f);
            double to = start + (late ? 0 : end[i]);

            if (!late && track->sleep > 0 && i == track->sleep_slot)
                to += track->sleep;
            begin[i] = start;
            end[i] = larger(passed, to);
            if (i < track->slots)
                passed = end[i];
        }
        core -= s->run->period;
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
    int first = track->weights.first < track->slots ? track->weights.first : track->slots - 1;

    for (int p = 0; p < track->before_count; p++) {
        int before = track->before[p];

        /* a slot index below the other's number of slots reads the slot of that index */
        if (s->next[before] < first)
            first = s->next[before];
        if (s->run->tracks[before].slots - 1 < first)
            first = s->run->tracks[before].slots - 1;
    }
    for (int i = 0; i < first; i++)
        end[i] = 0;
    for (int p = 0; p < track->before_count; p++) {
        const double *ends = s->run->tracks[track->before[p]].ends;

        for (int i = 0; i < first; i++)
            end[i] = larger(end[i], ends[i]);
    }
    memcpy(s->begin[node], end, sizeof(double) * (size_t)first);
    memcpy(s->request[node], end, sizeof(double) * (size_t)first);
    s->first[node] = s->next[node] = s->slot[node] = first;
    s->free[node] = s->passed[node] = first > 0 ? end[first - 1] : 0;
}

static void set_up_track(struct simulation *s, int node)
{
    const struct timeline *run = s->run;
    struct track *track = &run->tracks[node];
    bool several = run->frames > 1;
    size_t at = (size_t)node * (size_t)s->total;

    s->first_edge[node] = -1;
    s->first[node] = s->next[node] = s->slot[node] = s->frame[node] = 0;
    s->free[node] = s->passed[node] = s->enqueued[node] = 0;
    s->enqueues[node] = false;
    s->next_visit[node] = 0;
    s->end[node] = s->begin[node] = s->request[node] = NULL;
    track->held = track->passed = track->enqueued = 0;
    if (!s->contends[node]) {
        timeline_run_alone(run->tracks, node, run->packets, 0, run->scratch);
        s->next[node] = s->total;
        return;
    }
    s->begin[node] = &s->begins[at];
    s->request[node] = &s->requests[at];
    s->end[node] = several ? &s->ends[at] : track->end;
    track->begin = &s->begin[node][run->report * s->per_frame];
    track->request = &s->request[node][run->report * s->per_frame];
    track->origin = frame_start(s, run->report);
    track->ends = track->end;
    if (track->kind == TRACK_CAMERA) {
        run_camera(s, node);
        s->next[node] = s->total;
        return;
    }
    add_edges(s, node);
    if (!several)
        pass_first_slots(s, node);
}

/* If a camera feeds nothing, its last pixel is a command. */
static void count_frame_commands(struct simulation *s, int frame)
{
    s->commands_left[frame] = 0;
    s->commanded[frame] = 0;
    for (int n = 0; n < s->run->count && s->run->frames > 1; n++) {
        const struct track *track = &s->run->tracks[n];

        if (!track->command)
            continue;
        if (track->kind == TRACK_CAMERA)
            s->commanded[frame] =
                larger(s->commanded[frame], s->end[n][frame * s->per_frame + track->slots - 1]);
        else
            s->commands_left[frame]++;
    }
}

/* Returns the number of the predecessor's slot that a slot waits for: of the same packet, or the
 * last one of a predecessor with fewer slots. */
static inline int awaited_slot(const struct simulation *s, int frame, int slot, int before)
{
    int last = s->run->tracks[before].slots - 1;

    return frame * s->per_frame + (s->uniform || slot < last ? slot : last);
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
            s->arrived[node] += s->next[track->before[p]] >
                                awaited_slot(s, s->frame[node], s->slot[node], track->before[p]);
    if (s->arrived[node] == needed)
        s->ready[s->ready_count++] = node;
}

/* Returns the time at which a track's predecessors or, for deferred work, all commands are done. */
static double ready_time(const struct simulation *s, int node, int frame, int slot)
{
    const struct track *track = &s->run->tracks[node];
    double ready = frame_start(s, frame);

    if (slot == s->run->packets)
        return s->commanded[frame];
    for (int p = 0; p < track->before_count; p++) {
        int before = track->before[p];

        ready = larger(ready, s->end[before] != NULL
                                  ? s->end[before][awaited_slot(s, frame, slot, before)]
                                  : track_end(&s->run->tracks[before], slot));
    }
    return ready;
}

/* Returns true if a track begins a visit in a slot. */
static bool begins_visit(const struct simulation *s, int node, int frame, int slot)
{
    return slot < s->run->packets && contention_works(s, node, frame, slot) &&
           track_begins(s->run->tracks, node, frame, slot);
}

/* Expects the next visit that a track begins at its shared thread, if the visit's start is known:
 * it may be enqueued while the track is still busy. */
static void expect_visit(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    int frame = s->next_visit[node] / s->per_frame;
    int slot = s->next_visit[node] % s->per_frame;

    while (s->next_visit[node] < s->total && !begins_visit(s, node, frame, slot)) {
        frame = ++s->next_visit[node] / s->per_frame;
        slot = s->next_visit[node] % s->per_frame;
    }
    if (s->next_visit[node] == s->total || track->enqueue == 0)
        return;
    for (int p = 0; p < track->before_count; p++)
        if (s->next[track->before[p]] <= awaited_slot(s, frame, slot, track->before[p]))
            return;
    heap_set(&s->events, (struct heap_item){ready_time(s, node, frame, slot), track->order,
                                            s->run->count + s->run->units + node});
}

/* Runs the tracks without contention and lists tracks whose first slot can be examined. */
static void set_up_simulation(struct simulation *s, struct timeline *run)
{
    s->run = run;
    s->uniform = true;
    for (int n = 1; n < run->count; n++)
        s->uniform = s->uniform && run->tracks[n].slots == run->tracks[0].slots;
    find_queues(s);
    find_shared_devices(s);
    find_visits(s);
    find_contending(s);
    s->per_frame = run->packets + (run->frames > 1);
    s->total = s->per_frame * run->frames;
    s->edge_count = s->ready_count = s->step_count = 0;
    for (int r = 0; r < LINK_MAX + run->units; r++)
        s->busy_until[r] = 0;
    for (int u = 0; u < run->units; u++)
        s->thread_free[u] = 0;
    s->events = (struct heap){.item = s->event, .position = s->event_position};
    heap_clear(&s->events, 2 * run->count + run->units);
    for (int n = 0; n < run->count; n++)
        set_up_track(s, n);
    for (int f = 0; f < run->frames; f++)
        count_frame_commands(s, f);
    for (int n = 0; n < run->count; n++) {
        count_arrived(s, n);
        if (s->thread_shared[n])
            expect_visit(s, n);
    }
}

/* Slot by slot --------------------------------------------------------------------------------- */

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
    struct track *track = &s->run->tracks[node];

    s->slot[node]++;
    if (s->slot[node] == track->slots) {
        s->slot[node] = s->run->packets;
        if (s->per_frame == s->run->packets ||
            !contention_works(s, node, s->frame[node], s->run->packets))
            s->slot[node] = s->per_frame;
    }
    s->next[node] = s->frame[node] * s->per_frame + s->slot[node];
    if (s->slot[node] < s->per_frame)
        return;
    s->slot[node] = 0;
    s->frame[node]++;
    if (s->frame[node] == s->run->report) {
        track->held = larger(0, s->free[node] - track->origin);
        track->enqueued = larger(0, s->enqueued[node] - track->origin);
    }
}

/* Returns true if a track's current slot waits for a predecessor's slot. */
static inline bool is_awaited(const struct simulation *s, int to, int before, int number)
{
    if (s->uniform)
        return s->next[to] == number;
    return s->slot[to] < s->run->packets && s->next[to] < s->total &&
           awaited_slot(s, s->frame[to], s->slot[to], before) == number;
}

static void note_step(struct simulation *s, int node, int number, bool enqueues, bool works)
{
    s->step[s->step_count++] = (struct simulation_step){(uint32_t)node & 0x7fffffffU, enqueues,
                                                        (uint32_t)number & 0x7fffffffU, works};
}

/* Completes a slot and notifies successors that wait for it. */
static void finish_slot(struct simulation *s, int node, bool works, double begin, double end)
{
    struct track *track = &s->run->tracks[node];
    int slot = s->slot[node];
    int number = s->next[node];

    s->begin[node][number] = begin;
    s->end[node][number] = end;
    s->passed[node] = end;
    note_step(s, node, number, false, works);
    if (slot < s->run->packets) {
        for (int e = s->first_edge[node]; e >= 0; e = s->edge[e].next) {
            int to = s->edge[e].to;

            if (is_awaited(s, to, node, number) &&
                ++s->arrived[to] == s->run->tracks[to].before_count)
                s->ready[s->ready_count++] = to;
        }
        if (slot == track->slots - 1 && track->command && s->run->frames > 1)
            count_command(
                s, s->frame[node],
                contention_works(s, node, s->frame[node], slot) ? track_command(track, end) : end);
    }
    advance_track(s, node);
    count_arrived(s, node);
    for (int e = s->threads ? s->first_edge[node] : -1; e >= 0; e = s->edge[e].next) {
        int to = s->edge[e].to;

        if (s->thread_shared[to] && (!s->uniform || s->next_visit[to] == number))
            expect_visit(s, to);
    }
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
    finish_slot(s, node, true, start,
                larger(s->passed[node],
                       start + duration + (track->kind == TRACK_LINK ? track->latency : 0)));
}

/* Returns true if nothing else can happen before or at `time`. */
static bool comes_next(const struct simulation *s, double time)
{
    return s->ready_count == 0 && (s->events.count == 0 || s->events.item[0].key > time);
}

/* Asks for the device or the queues of a slot, from `time` on. */
static void request_slot(struct simulation *s, int node, double time)
{
    const struct track *track = &s->run->tracks[node];
    double start = larger(time, s->free[node]);

    s->request[node][s->next[node]] = time;
    if (s->shared[node] < 0 && s->held[node][0] == NO_QUEUE && s->held[node][1] == NO_QUEUE) {
        execute_slot(s, node, start);
    } else if (s->shared[node] < 0) {
        if (comes_next(s, start))
            execute_slot(s, node, start);
        else
            heap_set(&s->events, (struct heap_item){start, track->order, node});
    } else if (track->sharing == SHARING_EXCLUSIVE && comes_next(s, start) &&
               s->device[s->shared[node]].jobs.count == 0 &&
               s->busy_until[LINK_MAX + s->shared[node]] <= start) {
        execute_slot(s, node, start);
    } else if (track->sharing == SHARING_EXCLUSIVE) {
        heap_set(&s->events, (struct heap_item){start, slot_rank(s, node), node});
    } else {
        s->begun[node] = start;
        heap_set(&s->events,
                 (struct heap_item){start + slot_fixed_time(s, node), RANK_FIXED_TIME_ENDS, node});
    }
}

/* Enqueues the next visit of a node; the time at which each of its kernels is enqueued stands at
 * the begin of the slot until that is known. */
static void enqueue_visit(struct simulation *s, int node, double now)
{
    const struct track *tracks = s->run->tracks;
    const struct track *track = &tracks[node];
    int number = s->next_visit[node]++;
    int frame = number / s->per_frame;
    int slot = number % s->per_frame;
    double enqueued = larger(now, s->thread_free[track->thread]) + track_enqueue(track, slot, true);

    note_step(s, node, number, true, true);
    s->begin[node][number] = enqueued;
    for (int m = s->next_in_visit[node]; m >= 0; m = s->next_in_visit[m]) {
        if (!contention_works(s, m, frame, slot) || track_visit(tracks, m, frame, slot) != node)
            continue;
        enqueued += track_enqueue(&tracks[m], slot, false);
        s->begin[m][frame * s->per_frame + slot] = enqueued;
    }
    s->thread_free[track->thread] = enqueued;
    expect_visit(s, node);
    if (!s->enqueues[node])
        return;
    s->enqueues[node] = false;
    request_slot(s, node, s->begin[node][number] + track_delay(track, slot, true));
}

/* Starts a slot with work that is ready. */
static void start_slot(struct simulation *s, int node, double ready)
{
    const struct track *track = &s->run->tracks[node];
    int slot = s->slot[node];
    bool begins;

    if (slot == s->run->packets) {
        request_slot(s, node, ready);
        return;
    }
    begins = track_begins(s->run->tracks, node, s->frame[node], slot);
    if (s->thread_shared[node] && (begins ? track->enqueue : track->enqueue_inside) > 0) {
        s->enqueues[node] = begins && s->next_visit[node] <= s->next[node];
        if (s->enqueues[node])
            return;
        ready = larger(ready, s->begin[node][s->next[node]]);
    } else if (begins && track->enqueue > 0)
        ready = s->enqueued[node] =
            larger(ready, s->enqueued[node]) + track_enqueue(track, slot, true);
    request_slot(s, node, ready + track_delay(track, slot, begins));
}

/* Passes readiness on in a slot without work and starts others. */
static void examine_slot(struct simulation *s, int node)
{
    double ready = ready_time(s, node, s->frame[node], s->slot[node]);

    if (contention_works(s, node, s->frame[node], s->slot[node])) {
        start_slot(s, node, ready);
        return;
    }
    ready = larger(ready, s->passed[node]);
    s->request[node][s->next[node]] = ready;
    if (s->run->tracks[node].kind != TRACK_LINK)
        s->free[node] = ready;
    finish_slot(s, node, false, ready, ready);
}

static void expect_unit(struct simulation *s, int unit, double time, double rank)
{
    heap_set(&s->events, (struct heap_item){time, rank, s->run->count + unit});
}

static void expect_job_end(struct simulation *s, int unit)
{
    if (s->device[unit].jobs.count > 0)
        expect_unit(s, unit, next_job_end(&s->device[unit]), RANK_JOB_ENDS);
}

/* Executes a slot if its unit is free, else lets it wait. */
static void request_unit(struct simulation *s, int node, double now)
{
    int unit = s->shared[node];
    struct heap *waiting = &s->device[unit].jobs;
    double busy_until = s->busy_until[LINK_MAX + unit];

    if (waiting->count == 0 && busy_until <= now) {
        execute_slot(s, node, now);
        return;
    }
    if (waiting->count == 0)
        expect_unit(s, unit, busy_until, RANK_UNIT_IS_FREE);
    heap_set(waiting, (struct heap_item){slot_rank(s, node), 0, node});
}

/* Executes the first of the slots that wait for a unit. */
static void grant_unit(struct simulation *s, int unit, double now)
{
    struct heap *waiting = &s->device[unit].jobs;

    execute_slot(s, heap_remove_first(waiting).owner, now);
    if (waiting->count > 0)
        expect_unit(s, unit, s->busy_until[LINK_MAX + unit], RANK_UNIT_IS_FREE);
}

static void finish_shared_slot(struct simulation *s, int node, double now)
{
    s->free[node] = now;
    finish_slot(s, node, true, s->begun[node], now);
}

static void start_shared_work(struct simulation *s, int node, double now)
{
    double work = slot_duration(s, node) - slot_fixed_time(s, node);
    int unit = s->shared[node];

    if (work <= 0) {
        finish_shared_slot(s, node, now);
        return;
    }
    begin_job(&s->device[unit], now, node, s->run->tracks[node].share, work);
    expect_job_end(s, unit);
}

static void end_shared_work(struct simulation *s, int unit, double now)
{
    int node = end_job(&s->device[unit], now, s->run->tracks);

    expect_job_end(s, unit);
    finish_shared_slot(s, node, now);
}

/* The reported frame --------------------------------------------------------------------------- */

double contention_command(const struct timeline *timeline, int frame)
{
    const struct simulation *s = timeline->simulation;

    return s->commanded[frame] - frame_start(s, frame);
}

double contention_ends(const struct timeline *timeline, int frame)
{
    const struct simulation *s = timeline->simulation;
    double sum = 0;

    for (int n = 0; n < timeline->count; n++) {
        const double *end = &s->end[n][frame * s->per_frame];

        sum += end[timeline->tracks[n].slots - 1] - frame_start(s, frame);
        if (timeline->tracks[n].kind != TRACK_CAMERA &&
            contention_works(s, n, frame, timeline->packets))
            sum += end[timeline->packets] - frame_start(s, frame);
    }
    return sum;
}

double contention_last_end(const struct timeline *timeline, int frame)
{
    const struct simulation *s = timeline->simulation;
    double last = 0;

    for (int n = 0; n < timeline->count; n++) {
        const double *end = &s->end[n][frame * s->per_frame];

        last = larger(last, end[timeline->tracks[n].slots - 1]);
        if (timeline->tracks[n].kind != TRACK_CAMERA &&
            contention_works(s, n, frame, timeline->packets))
            last = larger(last, end[timeline->packets]);
    }
    return last - frame_start(s, frame);
}

/* Converts ends of the reported frame to its own clock; rounding never puts one before its cause.
 */
static void set_frame_clock(struct simulation *s, int node)
{
    struct track *track = &s->run->tracks[node];
    const double *end = &s->end[node][s->run->report * s->per_frame];

    for (int i = 0; i < track->slots; i++)
        track->end[i] =
            larger(track->kind == TRACK_CAMERA ? 0 : track_ready(s->run->tracks, node, i),
                   end[i] - track->origin);
}

static void report_track(struct simulation *s, int node)
{
    struct track *track = &s->run->tracks[node];
    int last = track->slots - 1;
    int frame = s->run->report;
    int packets = s->run->packets;

    if (s->run->frames > 1)
        set_frame_clock(s, node);
    track->last = track->end[last];
    track->last_duration = track_works(track, last) ? track_duration(track, last) *
                                                          track_scale(track, frame, last, packets)
                                                    : 0;
    track->last_start = larger(0, track->begin[last] - track->origin);
    if (s->per_frame > packets && contention_works(s, node, frame, packets))
        track->deferred_end = s->end[node][frame * s->per_frame + packets] - track->origin;
    if (track->kind == TRACK_CAMERA)
        track->last_start = (last + 1) * (track->readout / packets) - track->last_duration;
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
        if (event.owner >= s->run->count + s->run->units)
            enqueue_visit(s, event.owner - s->run->count - s->run->units, event.key);
        else if (event.owner >= s->run->count && event.rank == RANK_UNIT_IS_FREE)
            grant_unit(s, event.owner - s->run->count, event.key);
        else if (event.owner >= s->run->count)
            end_shared_work(s, event.owner - s->run->count, event.key);
        else if (s->shared[event.owner] < 0)
            execute_slot(s, event.owner, event.key);
        else if (s->run->tracks[event.owner].sharing == SHARING_EXCLUSIVE)
            request_unit(s, event.owner, event.key);
        else
            start_shared_work(s, event.owner, event.key);
    }
}

void contention_run(struct timeline *timeline)
{
    struct simulation *s = timeline->simulation;

    timeline->simulated = timeline->shared;
    timeline_find_visits(timeline);
    if (!timeline->simulated) {
        timeline_start(timeline);
        for (int f = 0; f < timeline->frames; f++)
            timeline_run_frame(timeline, f);
        return;
    }
    set_up_simulation(s, timeline);
    simulate_slots(s);
    for (int n = 0; n < timeline->count; n++)
        if (s->end[n] != NULL)
            report_track(s, n);
}
