#include "model/repeat.h"

#include <math.h>
#include <string.h>

#define USERS_MOST 16     /* of an exclusive device: each is compared with all others */
#define SIMULATE_MOST 64  /* runs without an attempt */
#define STEPS_COUNTED 256 /* at once */

/* Of what a step always does: calls would take as long as the rest. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Comparing the last run with the next --------------------------------------------------------- */

void repeat_forget(struct simulation simulation[2])
{
    simulation[0].known = simulation[1].known = false;
}

/* Notes which slots of a track have a weight; returns true if they are those of the last run. */
static bool note_weights(const struct track *track, bool *weighs)
{
    bool same = true;

    for (int i = 0; i < track->slots; i++) {
        bool works = track->weights.slot[i] > 0;

        same = same && weighs[i] == works;
        weighs[i] = works;
    }
    return same;
}

/* Notes the shape of a track; returns true if it is that of the last run. */
static bool note_track(struct simulation *s, const struct timeline *run, int n)
{
    const struct track *track = &run->tracks[n];
    const struct weights *weights = &track->weights;
    struct track_shape shape;
    bool same;

    memset(&shape, 0, sizeof shape); /* padding as well */
    shape.slots = track->slots;
    shape.divisor = track->divisor;
    shape.thread = track->thread;
    shape.visits = (int)track->visits;
    shape.sharing = (int)track->sharing;
    shape.device = track->device;
    shape.first = weights->first;
    shape.last = weights->last;
    shape.weights = weights->slot == NULL ? 0 : weights->count;
    shape.weight_works = track->weight_works;
    shape.tail_works = track->tail_works;
    shape.enqueues = track->enqueue > 0;
    shape.enqueues_inside = track->enqueue_inside > 0;
    shape.defers = track->deferred + track->deferred_fixed > 0;
    same = memcmp(&shape, &s->shape[n], sizeof shape) == 0;
    memcpy(&s->shape[n], &shape, sizeof shape);
    if (shape.weights == 0 || shape.weights == shape.last + 1 - shape.first)
        return same; /* all of them are from the first to the last */
    return note_weights(track, &s->weighs[(size_t)n * (size_t)run->packets]) && same;
}

/* Notes the shape of a run; returns true if it has the steps of the last one. */
static bool note_shape(struct simulation *s, const struct timeline *run)
{
    bool same = s->known && s->run == run && s->per_frame == run->packets + (run->frames > 1) &&
                s->total == s->per_frame * run->frames;

    for (int n = 0; n < run->count && pace_step(run->pace, 1 + run->packets / 128); n++)
        same = note_track(s, run, n) && same;
    return same;
}

/* Running -------------------------------------------------------------------------------------- */

#define FLUID_DEVICES (QUEUE_MAX + UNIT_MAX)

/* A run in the order of the one before, and what was found out about that order. */
struct repetition {
    double last_asked[FLUID_DEVICES + UNIT_MAX]; /* of queues, then threads, then fluid devices */
    const struct simulation_step *last[FLUID_DEVICES + UNIT_MAX];
    double granted[UNIT_MAX]; /* when the last slot of an exclusive device began */
    bool wrong;
    bool tied;    /* requests of the same time to a queue, thread or fluid device */
    bool instant; /* something took no time, so that such requests may not all have been known */
    bool waited;  /* a slot asked for an exclusive device before the one served last began */
};

static bool is_exclusive(const struct simulated_track *at)
{
    return at->held[0] >= QUEUE_MAX;
}

static void prepare_track(struct simulated_track *at, const struct track *track)
{
    at->entry[0] = (struct slot_entry){.in_visit = at->thread_shared && track->enqueue_inside > 0,
                                       .delay = track->delay_inside};
    at->entry[1] = (struct slot_entry){.own_thread = !at->thread_shared && track->enqueue > 0,
                                       .in_visit = at->thread_shared && track->enqueue > 0,
                                       .delay = track->delay};
    at->usual = track->visits == VISITS_VARY ? NULL : &at->entry[track->visits == VISITS_BEGIN];
    at->sleep_slot = track->sleep > 0 ? track->sleep_slot : -1;
}

static void begin_repetition(struct repetition *run, struct simulation *s)
{
    run->wrong = run->tied = run->instant = run->waited = false;
    for (int u = 0; u < s->run->units; u++) {
        run->granted[u] = run->last_asked[FLUID_DEVICES + u] = -HUGE_VAL;
        run->last_asked[QUEUE_MAX + u] = -HUGE_VAL;
        s->device[u].now = 0;
        s->device[u].jobs.count = 0; /* those that a wrong order left */
    }
    for (int n = 0; n < s->run->count; n++) {
        for (int i = 0; i < 2; i++)
            if (s->node[n].held[i] != NO_QUEUE)
                run->last_asked[s->node[n].held[i]] = -HUGE_VAL;
        s->job_place[n] = -1;
        prepare_track(&s->node[n], &s->run->tracks[n]);
    }
}

static double step_turn(const struct simulation_step *step)
{
    return contention_turn(step->node, step->slot);
}

/* Compares a request to a queue, thread or fluid device with the one served before. */
static ALWAYS_INLINE void check_turn(struct repetition *run, int resource, double asked,
                                     const struct simulation_step *step)
{
    double last = run->last_asked[resource];

    if (asked <= last) {
        run->tied |= asked == last;
        run->wrong |= asked < last || step_turn(step) < step_turn(run->last[resource]);
    }
    run->last_asked[resource] = asked;
    run->last[resource] = step;
}

/* Enqueues the kernels of a visit. */
static ALWAYS_INLINE void enqueue_again(struct repetition *run, struct simulation *s,
                                        const struct simulation_step *step, int slot, double ready)
{
    const struct track *tracks = s->run->tracks;
    const struct track *track = &tracks[step->node];
    int number = step->slot;
    double *free = &s->thread_free[track->thread];
    double enqueued = larger(ready, *free) + track_enqueue(track, slot, true);

    check_turn(run, QUEUE_MAX + track->thread, ready, step);
    if (enqueued <= ready)
        run->instant = true;
    s->node[step->node].begin[number] = enqueued;
    for (int m = contention_next_member(s, step->node, number); m >= 0;
         m = contention_next_member(s, m, number)) {
        enqueued += track_enqueue(&tracks[m], slot, false);
        s->node[m].begin[number] = enqueued;
    }
    *free = enqueued;
}

/* Returns when a slot that works and is ready asks for its device or queues. */
static ALWAYS_INLINE double ask_again(const struct simulation *s, struct simulated_track *at,
                                      int frame, int slot, int number, double ready)
{
    const struct slot_entry *entry = at->usual;
    double delay;

    if (entry == NULL)
        entry = &at->entry[track_begins(s->run->tracks, at->node, frame, slot)];
    delay = entry->delay;
    if (entry->in_visit)
        ready = larger(ready, at->begin[number]);
    else if (entry->own_thread)
        ready = at->enqueued = larger(ready, at->enqueued) + track_enqueue(at->track, slot, true);
    if (slot == at->sleep_slot)
        delay += at->track->sleep;
    return ready + delay;
}

/* Returns when a slot that asked for its queues gets them, for `duration`. */
static ALWAYS_INLINE double wait_for_queues(struct repetition *run, struct simulation *s,
                                            const struct simulated_track *at,
                                            const struct simulation_step *step, double asked,
                                            double duration)
{
    double start = asked;

    for (int i = 0; i < 2; i++)
        if (at->held[i] != NO_QUEUE)
            start = larger(start, s->busy_until[at->held[i]]);
    for (int i = 0; i < 2; i++)
        if (at->held[i] != NO_QUEUE) {
            check_turn(run, at->held[i], asked, step);
            s->busy_until[at->held[i]] = start + duration;
        }
    return start;
}

/* Returns when a slot that asked for an exclusive device gets it, for `duration`. */
static ALWAYS_INLINE double wait_for_device(struct repetition *run, struct simulation *s,
                                            const struct simulated_track *at,
                                            struct simulation_step *step, double asked,
                                            double duration)
{
    double *busy_until = &s->busy_until[at->held[0]];
    double start = larger(asked, *busy_until);

    step->idle = asked > *busy_until;
    *busy_until = start + duration;
    if (asked <= run->granted[at->shared])
        run->waited = true;
    run->granted[at->shared] = start;
    return start;
}

/* Completes a slot of a fluid device that has no work but its fixed time; returns its end. */
static double pass_fixed_time(struct repetition *run, const struct simulation *s,
                              struct simulated_track *at, int number, double begin)
{
    int frame = number / s->per_frame;
    double fixed = contention_fixed_time(s, at->track, frame, number - frame * s->per_frame);

    run->wrong |= at->end[number] > fixed;
    run->instant |= fixed <= 0;
    at->begin[number] = begin;
    return at->free = begin + fixed;
}

/* Completes a slot that works, without a job; returns its end. */
static ALWAYS_INLINE double work_again(struct repetition *run, struct simulation *s,
                                       struct simulated_track *at, struct simulation_step *step,
                                       double ready)
{
    int number = step->slot;
    double duration = at->end[number];
    double begin = larger(ready, at->free);
    double free;

    if (is_exclusive(at)) {
        at->asked[number] = begin;
        begin = wait_for_device(run, s, at, step, begin, duration);
    } else if (at->held[0] != NO_QUEUE || at->held[1] != NO_QUEUE)
        begin = wait_for_queues(run, s, at, step, begin, duration);
    else if (at->shared >= 0)
        return pass_fixed_time(run, s, at, number, begin);
    at->begin[number] = begin;
    at->free = free = begin + duration;
    if (free <= begin)
        run->instant = true;
    return larger(at->passed, free + at->latency);
}

/* Begins the job of a slot, unless another job would have begun or ended first. */
static void begin_job_again(struct repetition *run, struct simulation *s,
                            const struct simulation_step *step, struct simulated_track *at,
                            int frame, int slot, double asked)
{
    struct shared_device *device = &s->device[at->shared];
    int number = step->slot;
    double fixed = contention_fixed_time(s, at->track, frame, slot);
    double work = at->end[number] - fixed;
    double now;

    at->request[number] = asked;
    at->begun = larger(asked, at->free);
    now = at->begun + fixed;
    check_turn(run, FLUID_DEVICES + at->shared, now, step);
    run->wrong |= work <= 0 || now < device->now ||
                  (device->jobs.count > 0 && shared_device_next_end(device) <= now);
    if (!run->wrong)
        shared_device_begin(device, now, at->node, at->track->share, work);
}

/* Ends the job of a slot; returns when. It has to be the first job of its device. */
static double end_job_again(struct repetition *run, struct simulation *s,
                            struct simulated_track *at, int number)
{
    struct shared_device *device = &s->device[at->shared];
    double now;

    if (device->jobs.count == 0 || device->jobs.item[0].owner != at->node) {
        run->wrong = true;
        return 0;
    }
    now = shared_device_next_end(device);
    run->instant |= now <= device->now;
    shared_device_end(device, now, s->run->tracks);
    at->begin[number] = at->begun;
    at->free = now;
    return now;
}

static void count_command(struct simulation *s, const struct simulation_step *step, int frame,
                          double end)
{
    const struct track *track = &s->run->tracks[step->node];

    if (track_sends(track, frame) && step->slot - frame * s->per_frame == track->slots - 1)
        s->commanded[frame] = larger(s->commanded[frame],
                                     step->kind != STEP_PASSES ? track_command(track, end) : end);
}

/* Runs a step: of one frame, whose steps take less, and of several in loops of their own. */
static ALWAYS_INLINE void run_step(struct repetition *run, struct simulation *s, int k,
                                   bool several)
{
    struct simulation_step *step = &s->step[k];
    struct simulated_track *at = s->pointer[step->node];
    const int number = step->slot;
    const int frame = several ? number / s->per_frame : 0;
    const int slot = several ? number - frame * s->per_frame : number;
    const bool deferred = several && slot == s->run->packets;
    double ready;
    double end;

    if (step->kind == STEP_ENDS_JOB) {
        ready = at->request[number];
        end = end_job_again(run, s, at, number);
    } else {
        ready = several ? simulation_ready(s, at, frame, slot) : simulation_inputs(at, 0, slot, 0);
        if (step->kind == STEP_ENQUEUES) {
            enqueue_again(run, s, step, slot, ready);
            return;
        }
        if (several && slot == at->first)
            simulation_start_frame(s, at, frame);
        if (step->kind == STEP_PASSES) {
            ready = end = at->begin[number] = larger(ready, at->passed);
            if (at->track->kind != TRACK_LINK)
                at->free = end;
        } else {
            if (!deferred)
                ready = ask_again(s, at, frame, slot, number, ready);
            if (step->kind == STEP_BEGINS_JOB) {
                begin_job_again(run, s, step, at, frame, slot, ready);
                return;
            }
            end = work_again(run, s, at, step, ready);
        }
    }
    at->request[number] = ready;
    at->end[number] = at->passed = end;
    if (several)
        count_command(s, step, frame, end);
}

/* Runs all steps in the order of the last run. */
static void run_steps(struct repetition *run, struct simulation *s)
{
    const int count = s->step_count;
    const int each = 1 + s->edge_count / s->run->count; /* steps of one, on average */

    begin_repetition(run, s);
    for (int from = 0; from < count && !run->wrong; from += STEPS_COUNTED) {
        int to = count - from < STEPS_COUNTED ? count : from + STEPS_COUNTED;

        if (!pace_step(s->pace, STEPS_COUNTED * each))
            return;
        if (s->run->frames > 1)
            for (int k = from; k < to; k++)
                run_step(run, s, k, true);
        else
            for (int k = from; k < to; k++)
                run_step(run, s, k, false);
    }
}

/* The tracks of each exclusive device: the first, and the next of the same device; -1: none. */
struct device_users {
    int first[UNIT_MAX], next[NODE_MAX];
};

/* Lists them; returns false if they are too many. */
static bool list_users(const struct simulation *s, struct device_users *list)
{
    int users[UNIT_MAX];

    for (int u = 0; u < s->run->units; u++) {
        list->first[u] = -1;
        users[u] = 0;
    }
    for (int n = 0; n < s->run->count; n++) {
        int unit = s->node[n].shared;

        if (unit < 0 || !is_exclusive(&s->node[n]))
            continue;
        if (++users[unit] > USERS_MOST)
            return false;
        list->next[n] = list->first[unit];
        list->first[unit] = n;
    }
    return true;
}

/* Returns true if every exclusive device served the slot that asked first or, of those that waited
 * for it, the one of the lowest rank. */
static bool served_in_turn(const struct simulation *s, const struct device_users *users,
                           bool instant)
{
    double asked[NODE_MAX]; /* of each track's next slot */
    double rank[NODE_MAX];
    bool several = s->run->frames > 1;

    for (int n = 0; n < s->run->count; n++)
        asked[n] = HUGE_VAL;
    for (int k = s->step_count - 1; k >= 0; k--) {
        const struct simulation_step *step = &s->step[k];
        const struct simulated_track *at = &s->node[step->node];
        double granted;
        double own;

        if (step->kind != STEP_WORKS || !is_exclusive(at))
            continue;
        granted = at->begin[step->slot];
        own = contention_rank(s, step->node, several ? step->slot % s->per_frame : step->slot,
                              step->slot);
        for (int n = users->first[at->shared]; n >= 0; n = users->next[n]) {
            if (n == step->node || asked[n] > granted)
                continue;
            if (rank[n] < own || (instant && asked[n] == granted) ||
                (step->idle && asked[n] < at->asked[step->slot]))
                return false;
        }
        asked[step->node] = at->asked[step->slot];
        rank[step->node] = own;
    }
    return true;
}

/* Runs a timeline in the order of the last run; returns false if it is not the right one. */
static bool run_again(struct timeline *timeline)
{
    struct simulation *s = timeline->simulation;
    struct device_users users;
    struct repetition run;

    if (!list_users(s, &users))
        return false;
    timeline->simulated = true;
    contention_begin_again(timeline);
    run_steps(&run, s);
    if (!timeline_goes_on(timeline))
        return true;
    if (run.wrong || (run.tied && run.instant) ||
        (run.waited && !served_in_turn(s, &users, run.instant)))
        return false;
    contention_end(timeline);
    return true;
}

/* Forgets all orders. */
static void forget_orders(struct simulation *s)
{
    for (int o = 0; o < s->order_count; o++)
        s->order[o].count = 0;
    memset(s->order_of, 0, sizeof s->order_of);
    s->order_next = s->order_last = s->order_before = 0;
}

/* Makes an order that of a run. */
static void take_order(struct simulation *s, int order)
{
    s->step = s->order[order].step;
    s->step_count = s->order[order].count;
}

static bool run_in_order(struct timeline *timeline, int order)
{
    struct simulation *s = timeline->simulation;

    take_order(s, order);
    if (s->step_count == 0 || !run_again(timeline))
        return false;
    if (order != s->order_last) {
        s->order_before = s->order_last;
        s->order_last = order;
    }
    s->order_of[timeline->kind] = (uint8_t)(order + 1);
    return true;
}

/* Returns the order of the last run of a kind; where none is known, that of the last repetition. */
static int order_of_kind(const struct simulation *s, int kind)
{
    return s->order_of[kind] > 0 ? s->order_of[kind] - 1 : s->order_last;
}

/* Runs a timeline in the order of its kind, or in that of the last repetition, or the one before;
 * returns false if it is not the right one. */
static bool run_either_again(struct timeline *timeline)
{
    const struct simulation *s = timeline->simulation;
    const int first = order_of_kind(s, timeline->kind);

    return run_in_order(timeline, first) ||
           run_in_order(timeline, first == s->order_last ? s->order_before : s->order_last);
}

/* Simulates a timeline. Its order replaces that of its kind, unless others have the same. */
static void simulate_order(struct timeline *timeline)
{
    struct simulation *s = timeline->simulation;
    int order = order_of_kind(s, timeline->kind);

    if (order == s->order_last) {
        s->order_next = (s->order_next + 1) % s->order_count;
        if (s->order_next == s->order_last)
            s->order_next = (s->order_next + 1) % s->order_count;
        order = s->order_next;
    }
    take_order(s, order);
    contention_run(timeline);
    s->order[order].count = s->step_count;
    s->order_before = order;
    s->order_of[timeline->kind] = (uint8_t)(order + 1);
}

void repeat_run(struct timeline *timeline)
{
    struct simulation *s = contention_choose(timeline);
    bool same;

    s->repeated = false;
    if (!timeline->shared || s->by_threads) {
        contention_run(timeline);
        return;
    }
    simulation_fit(s, timeline);
    timeline_find_work(timeline);
    same = note_shape(s, timeline) && timeline->count * s->total <= REPEAT_MOST;
    if (!same)
        forget_orders(s);
    if (same && s->simulate > 0) {
        s->simulate--;
    } else if (same && run_either_again(timeline)) {
        s->missed = 0;
        s->repeated = true;
        s->known = timeline_goes_on(timeline);
        return;
    } else if (same)
        s->simulate = s->missed < SIMULATE_MOST ? s->missed++ : SIMULATE_MOST;
    simulate_order(timeline);
    s->known = timeline_goes_on(timeline);
}
