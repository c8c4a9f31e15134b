#include "model/repeat.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"

#define STEPS_MOST 100000 /* longer runs are simulated */
#define USERS_MOST 16     /* of an exclusive device: each is compared with all others */
#define SIMULATE_MOST 64  /* runs without an attempt */

bool repeat_init(struct repeat *repeat, const struct timeline *timeline)
{
    int steps = timeline->simulated ? timeline->simulation->step_count : 0;

    repeat->step = NULL;
    repeat->count = repeat->missed = repeat->simulate = 0;
    repeat->room = steps <= STEPS_MOST ? steps : 0;
    if (repeat->room > 0)
        repeat->step = allocate_array((size_t)repeat->room, sizeof *repeat->step);
    return repeat->room == 0 || repeat->step != NULL;
}

void repeat_free(struct repeat *repeat)
{
    free(repeat->step);
    repeat->step = NULL;
}

/* Recording ------------------------------------------------------------------------------------ */

static bool is_exclusive(const struct simulated_track *at)
{
    return at->held[0] >= QUEUE_MAX;
}

/* Lists the tracks of each exclusive device; returns false if they are too many, or if a device is
 * shared in another way. */
static bool list_users(struct repeat *repeat, const struct simulation *s)
{
    int users[UNIT_MAX] = {0};

    for (int u = 0; u < s->run->units; u++)
        repeat->first_user[u] = -1;
    for (int n = 0; n < s->run->count; n++) {
        int unit = s->node[n].shared;

        if (unit < 0)
            continue;
        if (!is_exclusive(&s->node[n]) || ++users[unit] > USERS_MOST)
            return false;
        repeat->next_user[n] = repeat->first_user[unit];
        repeat->first_user[unit] = n;
    }
    return true;
}

/* Sets how a slot that works is enqueued and delayed before it asks. */
static void set_delay(const struct simulation *s, struct repeat_step *step)
{
    const struct simulated_track *at = &s->node[step->node];
    const struct track *track = at->track;
    bool begins = track_begins(s->run->tracks, step->node, step->frame, step->slot);

    step->waits_for_visit =
        at->thread_shared && (begins ? track->enqueue : track->enqueue_inside) > 0;
    step->own_thread = !step->waits_for_visit && begins && track->enqueue > 0;
    step->enqueue = track_enqueue(track, step->slot, begins);
    step->delay = track_delay(track, step->slot, begins);
}

static void record_step(const struct simulation *s, int k, struct repeat_step *step)
{
    const struct simulation_step at = simulation_step_at(s, k);
    const struct track *track = &s->run->tracks[at.node];
    const struct simulated_track *node = &s->node[at.node];
    int packets = s->run->packets;

    *step = (struct repeat_step){.node = (uint16_t)at.node,
                                 .number = at.slot,
                                 .slot = at.slot % s->per_frame,
                                 .frame = at.slot / s->per_frame,
                                 .works = at.works,
                                 .enqueues = at.enqueues,
                                 .from = simulation_frame_start(s, at.slot / s->per_frame),
                                 .rank = contention_turn(at.node, at.slot),
                                 .scale = -1};
    if (node->input_count == 1 && step->slot < packets)
        step->awaited =
            &node->inputs
                 ->end[simulation_awaited(node->inputs, step->frame * s->per_frame, step->slot)];
    if (at.enqueues) {
        step->enqueue = track_enqueue(track, step->slot, true);
        return;
    }
    step->exclusive = at.works && is_exclusive(node);
    step->queued =
        at.works && !step->exclusive && (node->held[0] != NO_QUEUE || node->held[1] != NO_QUEUE);
    if (step->exclusive)
        step->rank = contention_rank(s, at.node, step->slot, at.slot);
    if (track->scale != NULL)
        step->scale = step->frame * (packets + 1) + step->slot;
    if (step->slot == packets)
        step->duration = track->deferred + track->deferred_fixed;
    else if (at.works) {
        step->duration = track_duration(track, step->slot);
        set_delay(s, step);
    }
}

/* Records the steps of a run that was simulated. */
static void record_run(struct repeat *repeat, const struct timeline *timeline)
{
    const struct simulation *s = timeline->simulation;

    repeat->count = 0;
    if (!timeline->simulated || s->step_count > repeat->room || !list_users(repeat, s))
        return;
    for (int k = 0; k < s->step_count && pace_step(timeline->pace, 1); k++)
        record_step(s, k, &repeat->step[k]);
    repeat->count = s->step_count;
}

/* Running -------------------------------------------------------------------------------------- */

/* What was found out about the order of a run. */
struct order {
    bool wrong;
    bool tied;    /* requests of the same time to a queue or thread */
    bool instant; /* something took no time, so that such requests may not all have been known */
};

/* Compares a request to a queue or thread with the one served before. */
static void check_turn(struct repeat *repeat, int resource, double asked, double rank,
                       struct order *order)
{
    double last = repeat->last_asked[resource];

    order->tied = order->tied || asked == last;
    order->wrong =
        order->wrong || asked < last || (asked == last && rank < repeat->last_rank[resource]);
    repeat->last_asked[resource] = asked;
    repeat->last_rank[resource] = rank;
}

/* Enqueues the kernels of a visit. */
static void enqueue_again(struct repeat *repeat, struct simulation *s,
                          const struct repeat_step *step, double ready, struct order *order)
{
    const struct track *tracks = s->run->tracks;
    int thread = tracks[step->node].thread;
    double enqueued = larger(ready, s->thread_free[thread]) + step->enqueue;

    check_turn(repeat, QUEUE_MAX + thread, ready, step->rank, order);
    order->instant = order->instant || enqueued <= ready;
    s->node[step->node].begin[step->number] = enqueued;
    for (int m = contention_next_member(s, step->node, step->number); m >= 0;
         m = contention_next_member(s, m, step->number)) {
        enqueued += track_enqueue(&tracks[m], step->slot, false);
        s->node[m].begin[step->number] = enqueued;
    }
    s->thread_free[thread] = enqueued;
}

/* Returns the end of a slot that works and is ready. */
static double work_again(struct repeat *repeat, struct simulation *s, struct simulated_track *at,
                         struct repeat_step *step, double ready, struct order *order)
{
    const struct track *track = at->track;
    double duration = step->duration * (step->scale < 0 ? 1 : track->scale[step->scale]);
    double start;

    if (step->waits_for_visit)
        ready = larger(ready, at->begin[step->number]);
    else if (step->own_thread)
        ready = at->enqueued = larger(ready, at->enqueued) + step->enqueue;
    start = step->asked = larger(ready + step->delay, at->free);
    if (step->exclusive) {
        step->idle = s->busy_until[at->held[0]];
        start = larger(start, step->idle);
        s->busy_until[at->held[0]] = start + duration;
    }
    for (int i = 0; i < 2 && step->queued; i++)
        if (at->held[i] != NO_QUEUE)
            start = larger(start, s->busy_until[at->held[i]]);
    at->free = start + duration;
    for (int i = 0; i < 2 && step->queued; i++)
        if (at->held[i] != NO_QUEUE) {
            check_turn(repeat, at->held[i], step->asked, step->rank, order);
            s->busy_until[at->held[i]] = at->free;
        }
    order->instant = order->instant || at->free <= start;
    return larger(at->passed, at->free + (track->kind == TRACK_LINK ? track->latency : 0));
}

static void count_command(struct simulation *s, const struct repeat_step *step, double end)
{
    const struct track *track = &s->run->tracks[step->node];

    if (s->run->frames > 1 && track->command && step->slot == track->slots - 1)
        s->commanded[step->frame] =
            larger(s->commanded[step->frame], step->works ? track_command(track, end) : end);
}

/* Runs all steps in the order of the recorded run. */
static struct order run_steps(struct repeat *repeat, struct simulation *s)
{
    struct order order = {false, false, false};

    for (int r = 0; r < QUEUE_MAX + s->run->units; r++)
        repeat->last_asked[r] = -HUGE_VAL;
    for (int k = 0; k < repeat->count && !order.wrong; k++) {
        struct repeat_step *step = &repeat->step[k];
        struct simulated_track *at = &s->node[step->node];
        double ready = step->awaited != NULL ? larger(step->from, *step->awaited)
                                             : simulation_ready(s, at, step->frame, step->slot);

        if (!pace_step(s->pace, 1 + at->input_count))
            break;
        if (step->enqueues) {
            enqueue_again(repeat, s, step, ready, &order);
            continue;
        }
        if (step->works) {
            ready = work_again(repeat, s, at, step, ready, &order);
        } else {
            ready = larger(ready, at->passed);
            if (at->track->kind != TRACK_LINK)
                at->free = ready;
        }
        at->end[step->number] = at->passed = ready;
        count_command(s, step, ready);
    }
    return order;
}

/* Returns true if every exclusive device served the slot that asked first or, of those that waited
 * for it, the one of the lowest rank. */
static bool served_in_turn(struct repeat *repeat, const struct simulation *s, bool instant)
{
    for (int n = 0; n < s->run->count; n++)
        repeat->asked[n] = HUGE_VAL;
    for (int k = repeat->count - 1; k >= 0; k--) {
        const struct repeat_step *step = &repeat->step[k];
        double granted = larger(step->asked, step->idle);

        if (!step->exclusive)
            continue;
        for (int n = repeat->first_user[s->node[step->node].shared]; n >= 0;
             n = repeat->next_user[n]) {
            if (n == step->node || repeat->asked[n] > granted)
                continue;
            if (repeat->rank[n] < step->rank || (instant && repeat->asked[n] == granted) ||
                (step->asked > step->idle && repeat->asked[n] < step->asked))
                return false;
        }
        repeat->asked[step->node] = step->asked;
        repeat->rank[step->node] = step->rank;
    }
    return true;
}

static bool run_again(struct repeat *repeat, struct timeline *timeline)
{
    struct order order;

    contention_begin_again(timeline);
    order = run_steps(repeat, timeline->simulation);
    if (order.wrong || (order.tied && order.instant) ||
        !served_in_turn(repeat, timeline->simulation, order.instant))
        return false;
    contention_end_again(timeline);
    return true;
}

void repeat_run(struct repeat *repeat, struct timeline *timeline)
{
    if (repeat->count > 0 && run_again(repeat, timeline)) {
        repeat->missed = 0;
        return;
    }
    if (repeat->count > 0) {
        repeat->simulate = repeat->missed < SIMULATE_MOST ? repeat->missed++ : SIMULATE_MOST;
        repeat->count = 0;
    }
    contention_run(timeline);
    if (repeat->simulate > 0)
        repeat->simulate--;
    else if (timeline_goes_on(timeline))
        record_run(repeat, timeline);
}
