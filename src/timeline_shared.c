#include "timeline_shared.h"

#include "larger.h"
#include "shared_setup.h"

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

    return duration * track_stretch(track, s->frame[node], s->slot[node], s->run->packets);
}

static double fixed_of(const struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double fixed = s->slot[node] == s->run->packets
                       ? track->deferred_fixed
                       : track_fixed(track, s->slot[node], s->run->packets);

    return fixed * track_stretch(track, s->frame[node], s->slot[node], s->run->packets);
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
                      track_stretch(track, s->run->frames - 1, packets - 1, packets)
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
