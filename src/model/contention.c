#include "model/contention.h"

#include <string.h>

#include "base/number.h"

/* Of those that end at once the lower node does so first. */
static bool sooner(const struct fluid_job *a, const struct fluid_job *b)
{
    return a->done < b->done || (a->done == b->done && a->node < b->node);
}

/* Sum and error of the sum (Knuth, TAOCP 2, 4.2.2). */
static void add_share(struct fluid *fluid, double share)
{
    double old = fluid->shares + fluid->lost;
    double carried = fluid->lost - (old - fluid->shares);
    double sum = old + share;
    double part = sum - old;

    fluid->lost = carried + ((old - (sum - part)) + (share - part));
    fluid->shares = sum;
}

void fluid_clear(struct fluid *fluid, struct fluid_job *room)
{
    *fluid = (struct fluid){.job = room};
}

void fluid_begin(struct fluid *fluid, double now, int node, double share, double work)
{
    struct fluid_job job;
    int at = fluid->count++;

    if (at == 0)
        fluid->virtual = fluid->shares = fluid->lost = 0; /* nothing lost by rounding is carried on
                                                           */
    else
        fluid->virtual += larger(0, now - fluid->now) / fluid->shares;
    fluid->now = now;
    add_share(fluid, share);
    job = (struct fluid_job){fluid->virtual + work / share, share, node};
    while (at > 0 && sooner(&job, &fluid->job[(at - 1) / 2])) {
        fluid->job[at] = fluid->job[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    fluid->job[at] = job;
}

double fluid_next(const struct fluid *fluid)
{
    return fluid->now + larger(0, fluid->job[0].done - fluid->virtual) * fluid->shares;
}

int fluid_end(struct fluid *fluid, double now)
{
    struct fluid_job first = fluid->job[0];
    struct fluid_job last = fluid->job[--fluid->count];
    int at = 0;

    fluid->virtual = larger(fluid->virtual, first.done);
    fluid->now = now;
    add_share(fluid, -first.share);
    for (;;) {
        int child = 2 * at + 1;

        if (child >= fluid->count)
            break;
        if (child + 1 < fluid->count && sooner(&fluid->job[child + 1], &fluid->job[child]))
            child++;
        if (!sooner(&fluid->job[child], &last))
            break;
        fluid->job[at] = fluid->job[child];
        at = child;
    }
    fluid->job[at] = last;
    return first.node;
}

/* Timeline shared ------------------------------------------------------------------------------ */

/* Running -------------------------------------------------------------------------------------- */

static double ready_at(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    int slot = s->slot[node];
    double ready = shared_frame_start(s, s->frame[node]);

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

/* A command is out: after the last one of its frame comes what was deferred. */
static void count_command(struct simulation *s, int frame, double end)
{
    s->commanded[frame] = larger(s->commanded[frame], end);
    if (--s->commands_left[frame] > 0)
        return;
    for (int n = 0; n < s->run->count; n++)
        if (s->next[n] < s->total && s->frame[n] == frame && s->slot[n] == s->run->packets)
            s->ready[s->ready_count++] = n;
}

/* On to the next slot that may have work. */
static void advance(struct simulation *s, int node)
{
    s->next[node]++;
    s->slot[node]++;
    if (s->slot[node] == s->run->packets && s->per_frame > s->run->packets &&
        !shared_works(s, node, s->frame[node], s->run->packets)) {
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

/* A slot is done: its successors may have been waiting for it. */
static void record(struct simulation *s, int node, double begin, double end)
{
    struct track *track = &s->run->tracks[node];
    int slot = s->slot[node];
    int number = s->next[node];

    s->begin[node][number] = begin;
    s->end[node][number] = end;
    s->passed[node] = end;
    s->step[s->step_count++] = (struct shared_step){(uint16_t)node, (uint16_t)number};
    if (slot < s->run->packets) {
        for (int e = s->first_edge[node]; e >= 0; e = s->edge[e].next) {
            int to = s->edge[e].to;

            if (s->next[to] == number && ++s->arrived[to] == s->run->tracks[to].before_count)
                s->ready[s->ready_count++] = to;
        }
        if (slot == s->run->packets - 1 && track->command && s->run->frames > 1)
            count_command(s, s->frame[node], end);
    }
    advance(s, node);
    shared_count_arrived(s, node);
}

static double duration_of(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double duration = s->slot[node] == s->run->packets
                          ? track->deferred + track->deferred_fixed
                          : track_duration(track, s->slot[node], s->run->packets);

    return duration * track_scale(track, s->frame[node], s->slot[node], s->run->packets);
}

static double fixed_of(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double fixed = s->slot[node] == s->run->packets
                       ? track->deferred_fixed
                       : track_fixed(track, s->slot[node], s->run->packets);

    return fixed * track_scale(track, s->frame[node], s->slot[node], s->run->packets);
}

/* Does a slot from `start` on, once all it holds is free. */
static void serve(struct simulation *s, int node, double start)
{
    const struct track *track = &s->run->tracks[node];
    double duration = duration_of(s, node);

    for (int i = 0; i < 2; i++)
        if (s->held[node][i] != NO_QUEUE)
            start = larger(start, s->until[s->held[node][i]]);
    for (int i = 0; i < 2; i++)
        if (s->held[node][i] != NO_QUEUE)
            s->until[s->held[node][i]] = start + duration;
    s->free[node] = start + duration;
    record(s, node, start, start + duration + (track->kind == TRACK_LINK ? track->latency : 0));
}

/* Does a slot that asks nobody; lines the others up. */
static void look_at(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double ready = ready_at(s, node);
    double start = larger(ready, s->free[node]);

    if (!shared_works(s, node, s->frame[node], s->slot[node])) {
        start = larger(ready, s->passed[node]);
        if (track->kind != TRACK_LINK)
            s->free[node] = start;
        record(s, node, start, start);
    } else if (s->held[node][0] != NO_QUEUE || s->held[node][1] != NO_QUEUE) {
        event_set(&s->events, (struct event){start, track->turn, node});
    } else if (s->fluid_of[node] >= 0) {
        s->begun[node] = start;
        event_set(&s->events, (struct event){start + fixed_of(s, node), -1, node});
    } else {
        serve(s, node, start);
    }
}

/* Fluid devices -------------------------------------------------------------------------------- */

static void expect_end(struct simulation *s, int device)
{
    /* ends come before whatever asks for something at the same time */
    if (s->fluid[device].count > 0)
        event_set(&s->events, (struct event){fluid_next(&s->fluid[device]), -2, NODE_MAX + device});
}

static void finish(struct simulation *s, int node, double now)
{
    s->free[node] = now;
    record(s, node, s->begun[node], now);
}

static void start_work(struct simulation *s, int node, double now)
{
    double work = duration_of(s, node) - fixed_of(s, node);
    int device = s->fluid_of[node];

    if (work <= 0) {
        finish(s, node, now);
        return;
    }
    fluid_begin(&s->fluid[device], now, node, s->run->tracks[node].share, work);
    expect_end(s, device);
}

static void end_work(struct simulation *s, int device, double now)
{
    int node = fluid_end(&s->fluid[device], now);

    expect_end(s, device);
    finish(s, node, now);
}

/* The reported frame --------------------------------------------------------------------------- */

/* Ends of the last frame by its own clock; none is rounded to before what it waited for. */
static void set_clock(struct simulation *s, int node)
{
    struct track *track = &s->run->tracks[node];
    const double *end = &s->end[node][s->total - s->per_frame];

    for (int i = 0; i < s->run->packets; i++)
        track->end[i] = track->kind == TRACK_CAMERA
                            ? (i + 1) * (track->readout / s->run->packets)
                            : larger(track_ready(s->run->tracks, node, i, s->run->packets),
                                     end[i] - track->origin);
}

static void report(struct simulation *s)
{
    int packets = s->run->packets;
    int last = s->total - s->per_frame + packets - 1;

    for (int n = 0; n < s->run->count; n++) {
        struct track *track = &s->run->tracks[n];

        if (s->end[n] == NULL)
            continue;
        if (s->run->frames > 1)
            set_clock(s, n);
        track->last = track->end[packets - 1];
        track->last_duration =
            track_works(track, packets - 1, packets)
                ? track_duration(track, packets - 1, packets) *
                      track_scale(track, s->run->frames - 1, packets - 1, packets)
                : 0;
        track->last_start = larger(0, s->begin[n][last] - track->origin);
        if (s->per_frame > packets && shared_works(s, n, s->run->frames - 1, packets))
            track->deferred_end = s->end[n][s->total - 1] - track->origin;
        if (track->kind == TRACK_CAMERA)
            track->last_start = track->last - track->last_duration;
    }
}

void timeline_shared(struct timeline *timeline)
{
    struct simulation *s = timeline->simulation;

    shared_set_up(s, timeline);
    for (;;) {
        struct event event;

        while (s->ready_count > 0)
            look_at(s, s->ready[--s->ready_count]);
        /* whatever does not wait yet depends on something that does, so none can be sooner */
        if (s->events.count == 0)
            break;
        event = event_take(&s->events);
        if (event.actor >= NODE_MAX)
            end_work(s, event.actor - NODE_MAX, event.time);
        else if (s->fluid_of[event.actor] >= 0)
            start_work(s, event.actor, event.time);
        else
            serve(s, event.actor, event.time);
    }
    report(s);
}

/* Shared setup --------------------------------------------------------------------------------- */

/* Frames --------------------------------------------------------------------------------------- */

int timeline_frames(int tracks, int packets)
{
    size_t each = (size_t)(tracks > 0 ? tracks : 1) * ((size_t)packets + 1);
    size_t fit = SIMULATION_SLOTS / each;

    return fit > FRAMES_MAX ? FRAMES_MAX : fit < 1 ? 1 : (int)fit;
}

/* The last frame has everything in it. */
static bool delivers(const struct simulation *s, int node, int frame)
{
    int divisor = s->run->tracks[node].divisor;

    return divisor == 1 || s->run->ago[frame] % divisor == 0;
}

static bool defers(const struct simulation *s, int node, int frame)
{
    const struct track *track = &s->run->tracks[node];

    return track->deferred + track->deferred_fixed > 0 && delivers(s, node, frame);
}

bool shared_works(const struct simulation *s, int node, int frame, int slot)
{
    if (slot == s->run->packets)
        return defers(s, node, frame);
    return delivers(s, node, frame) && track_works(&s->run->tracks[node], slot, s->run->packets);
}

/* Who meets whom ------------------------------------------------------------------------------- */

static bool runs_on_device(const struct track *track)
{
    return track->kind == TRACK_COMPUTE && track->device >= 0;
}

/* The resources a track is served by one at a time. */
static void resources_of(const struct timeline *run, const struct track *track, int *resource)
{
    resource[0] = resource[1] = NO_QUEUE;
    if (track->kind == TRACK_LINK) {
        resource[0] = track->queue[0];
        resource[1] = track->queue[1];
    } else if (runs_on_device(track) && run->sharing == SHARING_EXCLUSIVE) {
        resource[0] = LINK_MAX + track->device;
    }
}

static void find_shared(struct simulation *s)
{
    const struct timeline *run = s->run;
    int users[RESOURCE_MAX] = {0};
    int flowing[DEVICE_MAX] = {0};
    int room = 0;

    for (int n = 0; n < run->count; n++) {
        resources_of(run, &run->tracks[n], s->held[n]);
        for (int i = 0; i < 2; i++)
            if (s->held[n][i] != NO_QUEUE)
                users[s->held[n][i]]++;
        if (runs_on_device(&run->tracks[n]) && run->sharing == SHARING_FLUID)
            flowing[run->tracks[n].device]++;
    }
    for (int d = 0; d < DEVICE_MAX && run->sharing == SHARING_FLUID; d++) {
        fluid_clear(&s->fluid[d], &s->room[room]);
        room += flowing[d];
    }
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        for (int i = 0; i < 2; i++)
            if (s->held[n][i] != NO_QUEUE && users[s->held[n][i]] == 1)
                s->held[n][i] = NO_QUEUE;
        s->fluid_of[n] = runs_on_device(track) && flowing[track->device] > 1 ? track->device : -1;
        s->met[n] = s->held[n][0] != NO_QUEUE || s->held[n][1] != NO_QUEUE || s->fluid_of[n] >= 0 ||
                    run->frames > 1;
        for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++)
            s->met[n] = s->met[n] || s->met[track->before[p]];
    }
}

/* Setting up ----------------------------------------------------------------------------------- */

void shared_count_arrived(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    int needed = track->before_count;

    if (s->next[node] >= s->total)
        return;
    s->arrived[node] = 0;
    if (s->slot[node] == s->run->packets)
        needed = s->commands_left[s->frame[node]]; /* deferred work waits for those alone */
    else
        for (int p = 0; p < track->before_count; p++)
            s->arrived[node] += s->next[track->before[p]] > s->next[node];
    if (s->arrived[node] == needed)
        s->ready[s->ready_count++] = node;
}

/* A camera of several frames. */
static void run_camera(struct simulation *s, int node)
{
    double step = s->run->tracks[node].readout / s->run->packets;
    double end = 0;

    for (int f = 0, g = 0; f < s->run->frames; f++) {
        double start = shared_frame_start(s, f);
        bool reads = delivers(s, node, f);

        for (int i = 0; i < s->per_frame; i++, g++) {
            double to = i < s->run->packets ? i + 1 : i;

            s->begin[node][g] = start;
            end = larger(end, reads ? start + to * step : start);
            s->end[node][g] = end;
        }
    }
}

static void join_edges(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];

    for (int p = 0; p < track->before_count; p++) {
        s->edge[s->edge_count] = (struct shared_edge){node, s->first_edge[track->before[p]]};
        s->first_edge[track->before[p]] = s->edge_count++;
    }
}

/* Before its first work a track passes readiness on. What comes from tracks that meet nobody, or do
 * the same, is known beforehand; so one whose work is all in the last slot is simulated there only.
 */
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
    if (!s->met[node]) {
        timeline_alone(run->tracks, node, run->packets, run->scratch);
        s->next[node] = s->total;
        return;
    }
    s->begin[node] = &s->begins[(size_t)node * (size_t)s->total];
    s->end[node] = several ? &s->ends[(size_t)node * (size_t)s->total] : track->end;
    track->begin = &s->begin[node][(run->frames - 1) * s->per_frame];
    track->origin = shared_frame_start(s, run->frames - 1);
    track->ends = track->end;
    track->held = 0;
    if (track->kind == TRACK_CAMERA) {
        run_camera(s, node);
        s->next[node] = s->total;
        return;
    }
    join_edges(s, node);
    if (!several)
        pass_first_slots(s, node);
}

/* Where a camera feeds a mirror its last pixel is a command. */
static void expect_commands(struct simulation *s, int frame)
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

void shared_set_up(struct simulation *s, struct timeline *timeline)
{
    const struct timeline *run = timeline;

    s->run = timeline;
    find_shared(s);
    s->per_frame = run->packets + (run->frames > 1);
    s->total = s->per_frame * run->frames;
    s->edge_count = s->ready_count = s->step_count = 0;
    for (int r = 0; r < RESOURCE_MAX; r++)
        s->until[r] = 0;
    event_clear(&s->events, run->count);
    for (int n = 0; n < run->count; n++)
        set_up_track(s, n);
    for (int f = 0; f < run->frames; f++)
        expect_commands(s, f);
    for (int n = 0; n < run->count; n++)
        shared_count_arrived(s, n);
}
