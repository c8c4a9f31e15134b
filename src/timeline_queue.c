#include "timeline_queue.h"

#include "larger.h"
#include "plan.h"

struct edge {
    int to;
    int next; /* of the same predecessor; -1: none */
};

struct waiting {
    double ready;
    int node;
};

struct simulation {
    struct track *tracks;
    int count;
    int packets;
    bool contended[NODE_MAX]; /* holds a shared queue or waits for one that does */
    int next[NODE_MAX];       /* the slot each track has yet to do */
    int arrived[NODE_MAX];    /* predecessors that have done that slot */
    double wire_free[NODE_MAX];
    double queue_free[LINK_MAX];

    int first_edge[NODE_MAX]; /* to contended successors */
    struct edge edge[PLAN_POOL];
    int edge_count;

    int ready[NODE_MAX]; /* tracks whose next slot can be looked at */
    int ready_count;
    struct waiting heap[NODE_MAX]; /* transfers waiting for a queue, first come on top */
    int heap_count;
};

/* First come, first served; of simultaneous ones the lower node. */
static bool sooner(const struct waiting *a, const struct waiting *b)
{
    return a->ready < b->ready || (a->ready == b->ready && a->node < b->node);
}

static void heap_push(struct simulation *s, struct waiting item)
{
    int at = s->heap_count++;

    while (at > 0 && sooner(&item, &s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = item;
}

static int heap_pop(struct simulation *s)
{
    int node = s->heap[0].node;
    struct waiting last = s->heap[--s->heap_count];
    int at = 0;

    for (;;) {
        int child = 2 * at + 1;

        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && sooner(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!sooner(&s->heap[child], &last))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return node;
}

/* Setting up ----------------------------------------------------------------------------------- */

static void find_contended(struct simulation *s)
{
    int users[LINK_MAX] = {0};

    for (int n = 0; n < s->count; n++)
        for (int q = 0; q < 2; q++)
            if (s->tracks[n].kind == TRACK_LINK && s->tracks[n].queue[q] != NO_QUEUE)
                users[s->tracks[n].queue[q]]++;
    for (int n = 0; n < s->count; n++) {
        const struct track *track = &s->tracks[n];

        s->contended[n] = false;
        for (int q = 0; q < 2; q++)
            if (track->kind == TRACK_LINK && track->queue[q] != NO_QUEUE &&
                users[track->queue[q]] > 1)
                s->contended[n] = true;
        for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++)
            if (s->contended[track->before[p]])
                s->contended[n] = true;
    }
}

/* Predecessors that have done the slot a track is at; once all have, it can be looked at. */
static void count_arrived(struct simulation *s, int node)
{
    const struct track *track = &s->tracks[node];

    if (s->next[node] >= s->packets)
        return;
    s->arrived[node] = 0;
    for (int p = 0; p < track->before_count; p++)
        s->arrived[node] += s->next[track->before[p]] > s->next[node];
    if (s->arrived[node] == track->before_count)
        s->ready[s->ready_count++] = node;
}

static void set_up(struct simulation *s, double *scratch)
{
    s->edge_count = s->ready_count = s->heap_count = 0;
    for (int q = 0; q < LINK_MAX; q++)
        s->queue_free[q] = 0;
    for (int n = 0; n < s->count; n++) {
        struct track *track = &s->tracks[n];

        s->first_edge[n] = -1;
        s->wire_free[n] = 0;
        s->next[n] = 0;
        if (!s->contended[n]) {
            timeline_alone(s->tracks, n, s->packets, scratch);
            s->next[n] = s->packets;
            continue;
        }
        track->ends = track->end;
        for (int p = 0; p < track->before_count; p++) {
            s->edge[s->edge_count] = (struct edge){n, s->first_edge[track->before[p]]};
            s->first_edge[track->before[p]] = s->edge_count++;
        }
    }
    for (int n = 0; n < s->count; n++)
        count_arrived(s, n);
}

/* Running -------------------------------------------------------------------------------------- */

static double ready_at(const struct simulation *s, int node)
{
    return track_ready(s->tracks, node, s->next[node], s->packets);
}

/* A slot is done: its successors may have been waiting for it. */
static void record(struct simulation *s, int node, double start, double duration, double end)
{
    struct track *track = &s->tracks[node];
    int slot = s->next[node]++;

    track->end[slot] = end;
    track->last = end;
    track->last_start = start;
    track->last_duration = duration;
    for (int e = s->first_edge[node]; e >= 0; e = s->edge[e].next) {
        int to = s->edge[e].to;

        if (s->next[to] == slot && ++s->arrived[to] == s->tracks[to].before_count)
            s->ready[s->ready_count++] = to;
    }
    count_arrived(s, node);
}

/* Does a slot that needs no queue; lines the others up. */
static void look_at(struct simulation *s, int node)
{
    const struct track *track = &s->tracks[node];
    int slot = s->next[node];
    double ready = ready_at(s, node);
    double start = larger(slot > 0 ? track->end[slot - 1] : 0, ready);

    if (track->kind == TRACK_LINK && track_weight(track, slot, s->packets) > 0) {
        heap_push(s, (struct waiting){larger(ready, s->wire_free[node]), node});
    } else {
        double duration = track_duration(track, slot, s->packets);

        record(s, node, start, duration, start + duration);
    }
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

void timeline_queued(struct track *tracks, int count, int packets, double *scratch)
{
    struct simulation s;

    s.tracks = tracks;
    s.count = count;
    s.packets = packets;
    find_contended(&s);
    set_up(&s, scratch);
    for (;;) {
        while (s.ready_count > 0)
            look_at(&s, s.ready[--s.ready_count]);
        /* whatever does not wait yet depends on something that does, so none can be sooner */
        if (s.heap_count == 0)
            return;
        serve(&s, heap_pop(&s));
    }
}
