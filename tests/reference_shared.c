#include "reference_shared.h"

#include <math.h>
#include <stdlib.h>

#include "model/result.h"

enum state { IDLE, IN_LINE, FIXED, WORKING };

struct node {
    enum state state;
    int next;         /* slot of all frames */
    int next_thread;  /* slot of all frames that is enqueued next */
    double *enqueued; /* [slots of all frames]; infinite: not yet */
    double thread;    /* own thread: when it is free */
    double free;      /* when its next slot could start */
    double passed;    /* end of the slot before */
    double asked;     /* in line since */
    double started;   /* fluid */
    double until;     /* of the fixed time, or of the work at the rates of the moment */
    double left;      /* s of the whole device */
    double rate;
};

struct world {
    const struct timeline *run;
    int slots; /* of a frame */
    double now;
    double **begin, **end;
    struct node node[NODE_MAX];
    double queue_until[QUEUE_MAX], device_until[UNIT_MAX], thread_until[UNIT_MAX];
};

int reference_slots(const struct timeline *timeline)
{
    return timeline->packets + (timeline->frames > 1 ? 1 : 0);
}

/* What there is to do -------------------------------------------------------------------------- */

static bool is_deferred(const struct world *w, int slot)
{
    return slot % w->slots == w->run->packets;
}

/* Packets after a track's last slot are on no timeline. */
static bool is_late(const struct world *w, int n, int slot)
{
    return slot % w->slots >= w->run->tracks[n].slots && !is_deferred(w, slot);
}

static double weight_of(const struct track *track, int i)
{
    return track->weights.slot == NULL ? i == track->slots - 1 : track->weights.slot[i];
}

static double stretch_of(const struct world *w, int n, int slot)
{
    const double *stretch = w->run->tracks[n].scale;

    return stretch == NULL ? 1 : stretch[slot / w->slots * (w->run->packets + 1) + slot % w->slots];
}

static double duration_of(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];

    if (is_deferred(w, slot))
        return (track->deferred + track->deferred_fixed) * stretch_of(w, n, slot);
    /* to the last bit, or those who ask at once would not */
    return track_duration(track, slot % w->slots) * stretch_of(w, n, slot);
}

static double fixed_of(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];
    int i = slot % w->slots;
    double fixed = 0;

    if (is_deferred(w, slot))
        fixed = track->deferred_fixed;
    else if (weight_of(track, i) > 0)
        fixed = track->fixed;
    if (i == track->slots - 1)
        fixed += track->tail_fixed;
    return fixed * stretch_of(w, n, slot);
}

static bool works(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];
    int i = slot % w->slots;

    if (slot / w->slots % track->divisor != 0 || is_late(w, n, slot))
        return false;
    if (is_deferred(w, slot))
        return track->deferred + track->deferred_fixed > 0;
    if (weight_of(track, i) > 0 && track->delay > 0)
        return true;
    if (track->kind == TRACK_LINK)
        return weight_of(track, i) > 0 && track->bytes + track->latency + track->enqueue > 0;
    return weight_of(track, i) * (track->compute + track->memory) > 0 ||
           (weight_of(track, i) > 0 && track->accumulator + track->fixed > 0) ||
           (i == track->slots - 1 && track->tail + track->tail_fixed > 0);
}

/* s of the thread for a slot: of a visit that it begins, of the kernels of its packet if it has
 * work for them, and of those after the last packet. */
static double enqueuing(const struct track *track, int i, bool begins)
{
    double sum = i == track->slots - 1 ? track->enqueue_tail : 0;

    if (begins)
        sum += track->enqueue - track->enqueue_inside;
    return weight_of(track, i) > 0 ? sum + track->enqueue_inside : sum;
}

/* The slot of a predecessor that a slot waits for. */
static int awaited(const struct world *w, int before, int slot)
{
    int last = w->run->tracks[before].slots - 1;
    int i = slot % w->slots;

    return slot - i + (i < last ? i : last);
}

/* The first of those that are launched together with a slot: on one device, one behind the other,
 * in one packet. */
static int head_of(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];
    int head = -1;

    for (int p = 0; p < track->before_count && track->continues; p++) {
        int before = track->before[p];

        if (!works(w, before, slot))
            continue;
        if (head >= 0 && head_of(w, before, slot) != head)
            return n;
        head = head_of(w, before, slot);
    }
    return head >= 0 ? head : n;
}

/* Who can go on -------------------------------------------------------------------------------- */

/* Infinite while it is not known. */
static double ready(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];
    double at = slot / w->slots * w->run->period;

    if (is_deferred(w, slot)) {
        at = 0;
        for (int c = 0; c < w->run->count && works(w, n, slot); c++) {
            const struct track *other = &w->run->tracks[c];
            int last = slot - w->run->packets + other->slots - 1;

            if (!other->command || slot / w->slots % other->divisor != 0)
                continue; /* it has no data to send */
            if (w->node[c].next <= last)
                return INFINITY;
            at = fmax(at, w->end[c][last] -
                              (other->kind == TRACK_LINK && works(w, c, last) ? other->beyond : 0));
        }
        return at;
    }
    for (int p = 0; p < track->before_count; p++) {
        int before = track->before[p];

        if (w->node[before].next <= awaited(w, before, slot))
            return INFINITY;
        at = fmax(at, w->end[before][awaited(w, before, slot)]);
    }
    return at;
}

static void done(struct world *w, int n, double begin, double end)
{
    struct node *node = &w->node[n];

    w->begin[n][node->next] = begin;
    w->end[n][node->next] = end;
    node->passed = end;
    node->state = IDLE;
    node->next++;
}

/* A camera's core handles one datagram after the other. */
static void read_out(struct world *w, int n)
{
    const struct track *track = &w->run->tracks[n];
    const struct arrival *arrival = &track->arrival;
    struct node *node = &w->node[n];
    int i = node->next % w->slots;
    double start = node->next / w->slots * w->run->period;
    double from = camera_time(track, i - 1, w->run->packets);
    double to = camera_time(track, i, w->run->packets);
    double before = node->passed;
    double passed;
    double end = start;

    if (i < w->run->packets && node->next / w->slots % track->divisor == 0) {
        double bytes = arrival->bytes * weight_of(track, i);
        double count = bytes > 0 ? ceil(bytes / arrival->payload) : 0;
        double core = count > 0 ? arrival->datagram : 0;

        end = start + to + core;
        if (!arrival->at_once)
            end = fmax(end, node->free + count * core);
        if (!arrival->at_once && count > 0)
            end = fmax(end, start + from + (to - from) / count + count * core);
        node->free = end;
        end += count > 0 ? arrival->latency : 0;
        if (track->sleep > 0 && i == track->sleep_slot) /* after what came before, if it is empty */
            end = fmax(end, node->passed) + track->sleep;
    }
    passed = fmax(end, node->passed);
    done(w, n, start, passed);
    if (is_late(w, n, node->next - 1))
        node->passed = before;
}

static bool in_turn(const struct track *track)
{
    if (track->kind == TRACK_LINK)
        return track->queue[0] != NO_QUEUE || track->queue[1] != NO_QUEUE;
    return track->sharing == SHARING_EXCLUSIVE && track->device >= 0;
}

/* When a slot with work asks for what it runs on. Infinite while it is not known. */
static double request(struct world *w, int n)
{
    const struct track *track = &w->run->tracks[n];
    int slot = w->node[n].next;
    int i = slot % w->slots;
    double at = ready(w, n, slot);
    bool begins;

    if (isinf(at) || is_deferred(w, slot))
        return at;
    begins = head_of(w, n, slot) == n;
    if (track->thread >= 0 && (begins ? track->enqueue : track->enqueue_inside) > 0)
        at = fmax(at, w->node[n].enqueued[slot]);
    else if (begins && track->enqueue > 0)
        at = fmax(at, w->node[n].thread) + enqueuing(track, i, true);
    at += begins ? track->delay : track->delay_inside;
    return track->sleep > 0 && i == track->sleep_slot ? at + track->sleep : at;
}

/* Lets an idle node go on as far as it can. */
static bool go_on(struct world *w, int n)
{
    const struct track *track = &w->run->tracks[n];
    struct node *node = &w->node[n];
    double at;
    double duration;

    if (node->state != IDLE || node->next >= w->slots * w->run->frames)
        return false;
    if (track->kind == TRACK_CAMERA) {
        read_out(w, n);
        return true;
    }
    if (is_late(w, n, node->next)) {
        done(w, n, node->passed, node->passed);
        return true;
    }
    at = ready(w, n, node->next);
    if (isinf(at))
        return false;
    if (!works(w, n, node->next)) {
        at = fmax(at, node->passed);
        if (track->kind == TRACK_COMPUTE)
            node->free = at;
        done(w, n, at, at);
        return true;
    }
    at = fmax(request(w, n), node->free);
    if (at > w->now)
        return false;
    if (track->thread < 0 && track->enqueue > 0 && !is_deferred(w, node->next) &&
        head_of(w, n, node->next) == n)
        node->thread = fmax(ready(w, n, node->next), node->thread) +
                       enqueuing(track, node->next % w->slots, true);
    duration = duration_of(w, n, node->next);
    if (in_turn(track)) {
        node->state = IN_LINE;
        node->asked = at;
    } else if (track->kind == TRACK_COMPUTE && track->sharing == SHARING_FLUID) {
        node->state = FIXED;
        node->started = at;
        node->until = at + fixed_of(w, n, node->next);
        node->left = duration - fixed_of(w, n, node->next);
    } else {
        node->free = at + duration;
        done(w, n, at,
             fmax(node->passed, at + duration + (track->kind == TRACK_LINK ? track->latency : 0)));
    }
    return true;
}

/* Lines ---------------------------------------------------------------------------------------- */

static double *lines(struct world *w, int n, int i)
{
    const struct track *track = &w->run->tracks[n];

    if (track->kind == TRACK_LINK)
        return track->queue[i] == NO_QUEUE ? NULL : &w->queue_until[track->queue[i]];
    return i == 0 && in_turn(track) ? &w->device_until[track->device] : NULL;
}

static bool share_a_line(struct world *w, int a, int b)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (lines(w, a, i) != NULL && lines(w, a, i) == lines(w, b, j))
                return true;
    return false;
}

/* Whether one that asked goes before another: on a device by rank, packet and order, deferred work
 * last; on a link in the order in which they asked. */
static bool goes_before(const struct world *w, int a, int b)
{
    const struct track *x = &w->run->tracks[a];
    const struct track *y = &w->run->tracks[b];
    const struct node *p = &w->node[a];
    const struct node *q = &w->node[b];

    if (x->kind == TRACK_LINK) {
        if (p->asked != q->asked)
            return p->asked < q->asked;
        return p->next != q->next ? p->next < q->next : a < b;
    }
    if (is_deferred(w, p->next) != is_deferred(w, q->next))
        return is_deferred(w, q->next);
    if (x->rank != y->rank && !is_deferred(w, p->next))
        return x->rank < y->rank;
    if (p->next != q->next)
        return p->next < q->next;
    return x->order < y->order;
}

/* What it asked for is free, and none goes before it. */
static bool is_its_turn(struct world *w, int n)
{
    for (int i = 0; i < 2; i++)
        if (lines(w, n, i) != NULL && *lines(w, n, i) > w->now)
            return false;
    for (int o = 0; o < w->run->count; o++)
        if (o != n && w->node[o].state == IN_LINE && share_a_line(w, o, n) && goes_before(w, o, n))
            return false;
    return true;
}

static bool serve_one(struct world *w, enum track_kind kind)
{
    for (int n = 0; n < w->run->count; n++) {
        const struct track *track = &w->run->tracks[n];
        double end;

        if (track->kind != kind || w->node[n].state != IN_LINE || !is_its_turn(w, n))
            continue;
        end = w->now + duration_of(w, n, w->node[n].next);
        for (int i = 0; i < 2; i++)
            if (lines(w, n, i) != NULL)
                *lines(w, n, i) = end;
        w->node[n].free = end;
        done(w, n, w->now,
             fmax(w->node[n].passed, end + (track->kind == TRACK_LINK ? track->latency : 0)));
        return true;
    }
    return false;
}

/* Enqueuing threads ---------------------------------------------------------------------------- */

/* When a node's next slot that begins a visit asks its thread; infinite: unknown, or none. */
static double thread_request(struct world *w, int n)
{
    const struct track *track = &w->run->tracks[n];
    struct node *node = &w->node[n];
    double at;

    if (track->thread < 0 || track->enqueue == 0)
        return INFINITY;
    while (node->next_thread < w->slots * w->run->frames &&
           (is_deferred(w, node->next_thread) || !works(w, n, node->next_thread) ||
            head_of(w, n, node->next_thread) != n))
        node->next_thread++;
    if (node->next_thread >= w->slots * w->run->frames)
        return INFINITY;
    at = ready(w, n, node->next_thread);
    return at;
}

/* Enqueues all kernels of a visit. */
static void enqueue(struct world *w, int head, double asked)
{
    int slot = w->node[head].next_thread++;
    double *thread = &w->thread_until[w->run->tracks[head].thread];

    *thread = fmax(*thread, asked);
    for (int n = head; n < w->run->count; n++) {
        const struct track *track = &w->run->tracks[n];

        if (is_deferred(w, slot) || !works(w, n, slot) || head_of(w, n, slot) != head)
            continue;
        *thread += enqueuing(track, slot % w->slots, n == head);
        w->node[n].enqueued[slot] = *thread;
    }
}

/* Serves the first of those that asked; a thread does not look at later ones before their time. */
static bool enqueue_one(struct world *w)
{
    int first = -1;
    double least = INFINITY;

    for (int n = 0; n < w->run->count; n++) {
        double at = thread_request(w, n);

        if (at > w->now || at > least)
            continue;
        if (at == least && w->node[n].next_thread >= w->node[first].next_thread)
            continue;
        first = n;
        least = at;
    }
    if (first < 0)
        return false;
    enqueue(w, first, least);
    return true;
}

/* Fluid ---------------------------------------------------------------------------------------- */

static bool change_state(struct world *w, int n)
{
    struct node *node = &w->node[n];

    if (node->state == FIXED && node->until <= w->now) {
        node->state = WORKING;
        node->until = INFINITY; /* until there is a rate */
        if (node->left <= 0) {
            node->free = w->now;
            done(w, n, node->started, w->now);
        }
        return true;
    }
    if (node->state == WORKING && node->until <= w->now) {
        node->free = w->now;
        done(w, n, node->started, w->now);
        return true;
    }
    return false;
}

static void set_rates(struct world *w)
{
    for (int n = 0; n < w->run->count; n++) {
        struct node *node = &w->node[n];
        double shares = 0;

        if (node->state != WORKING)
            continue;
        for (int o = 0; o < w->run->count; o++)
            if (w->node[o].state == WORKING && w->run->tracks[o].device == w->run->tracks[n].device)
                shares += w->run->tracks[o].share;
        node->rate = w->run->tracks[n].share / shares;
        node->until = w->now + node->left / node->rate;
    }
}

static void pass_time(struct world *w, double to)
{
    for (int n = 0; n < w->run->count; n++)
        if (w->node[n].state == WORKING)
            w->node[n].left = fmax(0, w->node[n].left - (to - w->now) * w->node[n].rate);
    w->now = to;
}

/* Time ----------------------------------------------------------------------------------------- */

/* Everybody asks before anybody is served: a transfer that takes no time but for rounding is over
 * before a thread chooses among those that ask at that instant. */
static void happen(struct world *w)
{
    bool again = true;

    while (again) {
        again = false;
        for (int n = 0; n < w->run->count; n++)
            again = change_state(w, n) || again;
        for (int n = 0; n < w->run->count; n++)
            while (go_on(w, n))
                again = true;
        again = again || serve_one(w, TRACK_LINK) || enqueue_one(w) || serve_one(w, TRACK_COMPUTE);
    }
}

static void sooner(double *time, double candidate, double now)
{
    if (candidate > now && candidate < *time)
        *time = candidate;
}

static double next_moment(struct world *w)
{
    double time = INFINITY;

    for (int n = 0; n < w->run->count; n++) {
        const struct node *node = &w->node[n];

        sooner(&time, thread_request(w, n), w->now);
        if (node->state == IDLE && node->next < w->slots * w->run->frames) {
            sooner(&time, request(w, n), w->now);
            sooner(&time, node->free, w->now);
        } else if (node->state == IN_LINE) {
            for (int i = 0; i < 2; i++)
                if (lines(w, n, i) != NULL)
                    sooner(&time, *lines(w, n, i), w->now);
        } else if (node->state == FIXED || node->state == WORKING) {
            if (node->until <= w->now) /* so little was left that no time passes */
                return w->now;
            sooner(&time, node->until, w->now);
        }
    }
    return time;
}

void reference_shared(const struct timeline *timeline, const bool *given, double **begin,
                      double **end)
{
    struct world *w = calloc(1, sizeof *w);
    size_t slots;

    w->run = timeline;
    w->slots = reference_slots(timeline);
    w->begin = begin;
    w->end = end;
    slots = (size_t)w->slots * (size_t)timeline->frames;
    for (int n = 0; n < timeline->count; n++) {
        w->node[n].enqueued = calloc(slots, sizeof *w->node[n].enqueued);
        for (size_t i = 0; i < slots; i++)
            w->node[n].enqueued[i] = INFINITY;
        if (given != NULL && given[n])
            w->node[n].next = w->node[n].next_thread = (int)slots;
    }
    for (;;) {
        double next;

        happen(w);
        set_rates(w);
        next = next_moment(w);
        if (isinf(next))
            break;
        pass_time(w, next);
    }
    for (int n = 0; n < timeline->count; n++)
        free(w->node[n].enqueued);
    free(w);
}

/* Whether two tracks use something in turn or at once. */
static bool meet(const struct track *a, const struct track *b)
{
    if (a->thread >= 0 && a->thread == b->thread)
        return true;
    if (a->kind == TRACK_COMPUTE && b->kind == TRACK_COMPUTE)
        return a->sharing != SHARING_PARTITION && a->device >= 0 && a->device == b->device;
    for (int i = 0; i < 4 && a->kind == TRACK_LINK && b->kind == TRACK_LINK; i++)
        if (a->queue[i / 2] != NO_QUEUE && a->queue[i / 2] == b->queue[i % 2])
            return true;
    return false;
}

void reference_meets(const struct timeline *timeline, bool *meets)
{
    const struct track *tracks = timeline->tracks;

    for (int n = 0; n < timeline->count; n++) {
        meets[n] = false;
        for (int o = 0; o < timeline->count; o++)
            meets[n] = meets[n] || (o != n && meet(&tracks[n], &tracks[o]));
        for (int p = 0; p < tracks[n].before_count; p++)
            meets[n] = meets[n] || (meets[tracks[n].before[p]] && tracks[n].kind != TRACK_CAMERA);
    }
}
