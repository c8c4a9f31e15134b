#include "model/critical.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/number.h"

/* Times that differ by this part of the time since the start of the run are the same. */
#define ROUNDING 1e-12

/* Critical path -------------------------------------------------------------------------------- */

/* Finds the predecessor whose slot ended last, and that end. */
static void find_latest(const struct track *tracks, const struct track *track, int slot,
                        struct slot_cause *cause)
{
    cause->latest = -1;
    cause->ready = 0;
    for (int p = 0; p < track->before_count; p++) {
        double end = track_end(&tracks[track->before[p]], slot);

        if (p == 0 || end > cause->ready) {
            cause->latest = track->before[p];
            cause->ready = end;
        }
    }
}

/* Finds when a slot that was not simulated began. Without contention its delays or its preceding
 * slot determined that; only for the frame before it waits. */
static void find_unshared_begin(const struct timeline *timeline, int node, int slot,
                                struct slot_cause *cause)
{
    const struct track *track = &timeline->tracks[node];
    double end = track_end(track, slot);
    int last = track->slots - 1;

    cause->begin = cause->request = larger(cause->ready, cause->free);
    if (!track_works(track, slot))
        return;
    cause->begin = slot >= last
                       ? track->last_start
                       : end - (track->kind == TRACK_LINK ? track->latency : 0) -
                             track_duration(track, slot) *
                                 track_scale(track, timeline->report, slot, timeline->packets);
    cause->request = cause->begin;
    if (cause->previous >= 0 && cause->begin <= cause->free + ROUNDING * end) {
        cause->begin = cause->free;
        cause->request = smaller(cause->ready, cause->free);
    } else if (cause->previous < 0 && cause->begin <= track->held + ROUNDING * end) {
        bool begins = track_begins(timeline->tracks, node, timeline->report, slot);

        cause->request =
            smaller(cause->begin,
                    cause->ready + track_delay(track, slot, begins) +
                        (begins && track->enqueue > 0 ? track_enqueue(track, slot, begins) : 0));
    }
}

struct slot_cause critical_cause(const struct timeline *timeline, int node, int slot)
{
    const struct track *track = &timeline->tracks[node];
    struct slot_cause cause = {.previous = slot - 1, .free = track->held};
    bool wire = track->kind == TRACK_LINK && track_works(track, slot);

    if (wire && slot <= track->weights.first)
        cause.previous = -1;
    while (wire && cause.previous >= 0 && !track_works(track, cause.previous))
        cause.previous--;
    if (cause.previous >= 0)
        cause.free = track_end(track, cause.previous) - (wire ? track->latency : 0);
    find_latest(timeline->tracks, track, slot, &cause);
    if (track->begin == NULL) {
        find_unshared_begin(timeline, node, slot, &cause);
    } else {
        cause.begin = track->begin[slot] - track->origin;
        cause.request = track->request[slot] - track->origin;
    }
    if (!track_works(track,
                     slot)) /* it asks for nothing: it passes on what is ready or done last */
        cause.request = cause.ready;
    return cause;
}

double critical_wait(const struct timeline *timeline, int node, int slot,
                     const struct slot_cause *cause, double to)
{
    const struct track *track = &timeline->tracks[node];
    double from = larger(cause->request, critical_cause_from(cause));
    double begin = larger(cause->begin, from);
    double excess;

    if (track->begin == NULL || track->kind != TRACK_COMPUTE || track->sharing != SHARING_FLUID)
        return begin - from;
    excess = to - begin - track_duration(track, slot);
    /* ignore rounding errors */
    return begin - from + (excess > ROUNDING * to ? excess : 0);
}

/* Lists the devices and queues that a track of a run shares; returns their number. */
static int list_resources(const struct timeline *timeline, int n, int resource[2])
{
    const struct simulated_track *at = &timeline->simulation->node[n];
    int count = 0;

    if (!timeline->simulated || at->end == NULL || timeline->tracks[n].kind == TRACK_CAMERA)
        return 0;
    for (int i = 0; i < 2; i++)
        if (at->held[i] != NO_QUEUE)
            resource[count++] = at->held[i];
    if (count == 2 && resource[1] == resource[0])
        count = 1;
    if (at->shared >= 0 && at->held[0] == NO_QUEUE) /* exclusive: it holds the device */
        resource[count++] = QUEUE_MAX + at->shared;
    return count;
}

/* Returns the time at which a slot of a simulated track releases its device or queue. */
static double slot_release(const struct track *track, int slot)
{
    return track->end[slot] - (track->kind == TRACK_LINK ? track->latency : 0);
}

/* Returns the first slot of a simulated track that releases its device or queue after `time`. */
static int first_slot_after(const struct track *track, double time)
{
    int low = 0;
    int high = track->slots;

    while (low < high) {
        int middle = (low + high) / 2;

        if (slot_release(track, middle) > time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Orders by the last release. */
static int compare_sharers(const void *left, const void *right)
{
    const struct sharer *a = left;
    const struct sharer *b = right;

    if (a->released != b->released)
        return a->released < b->released ? -1 : 1;
    return (a->track > b->track) - (a->track < b->track);
}

static void find_sharers(const struct timeline *timeline, struct sharers *sharers)
{
    const int count = QUEUE_MAX + timeline->units;
    int resource[2];

    sharers->known = true;
    for (int r = 0; r <= count; r++)
        sharers->first[r] = 0;
    for (int n = 0; n < timeline->count; n++) {
        sharers->slot[n] = -1;
        for (int i = list_resources(timeline, n, resource); i-- > 0;)
            sharers->first[resource[i]]++;
    }
    for (int r = 1; r <= count; r++)
        sharers->first[r] += sharers->first[r - 1];
    for (int n = timeline->count - 1; n >= 0; n--)
        for (int i = list_resources(timeline, n, resource); i-- > 0;) {
            const struct track *track = &timeline->tracks[n];

            sharers->of[--sharers->first[resource[i]]] =
                (struct sharer){n, slot_release(track, track->slots - 1),
                                track->begin[track_first_slot(track)] - track->origin};
        }
    for (int r = 0; r < count; r++) {
        struct sharer *of = &sharers->of[sharers->first[r]];
        int users = sharers->first[r + 1] - sharers->first[r];

        qsort(of, (size_t)users, sizeof *of, compare_sharers);
        for (int i = users - 2; i >= 0; i--)
            of[i].from = smaller(of[i].from, of[i + 1].from);
    }
    pace_step(timeline->pace, 2 * timeline->count);
}

/* Returns the number of the first from `low` to `high` that ends after `time`. */
static int first_after(const struct sharer *of, int low, int high, double time)
{
    while (low < high) {
        int middle = (low + high) / 2;

        if (of[middle].released > time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A wait that is divided: its time, how much of that others worked, and who gets the parts. */
struct divided {
    double from, to, all, wait;
    wait_part_fn *add; /* NULL: only sum up */
    void *context;
};

/* Adds the overlap of a track's slots with a wait; `slot`: where to look first, and next time. */
static void divide_by_track(const struct timeline *timeline, int n, int *slot,
                            struct divided *divided)
{
    const struct track *track = &timeline->tracks[n];
    const double from = divided->from;
    const double to = divided->to;
    int first = *slot < 0 ? first_slot_after(track, from) : *slot;
    int from_slot = first;
    int i;

    while (first > 0 && slot_release(track, first - 1) > from)
        first--;
    while (first < track->slots && slot_release(track, first) <= from)
        first++;
    for (i = first; i < track->slots && (i == 0 || slot_release(track, i - 1) < to); i++) {
        double overlap =
            smaller(slot_release(track, i), to) - larger(track->begin[i] - track->origin, from);

        if (!track_works(track, i) || overlap <= 0)
            continue;
        if (divided->add == NULL)
            divided->all += overlap;
        else
            divided->add(divided->context, n, i, divided->wait * overlap / divided->all);
    }
    pace_step(timeline->pace, 1 + i - (from_slot < first ? from_slot : first));
    *slot = first;
}

bool critical_divide_wait(const struct timeline *timeline, const struct path_slot *waiting,
                          struct sharers *sharers, wait_part_fn *add, void *context)
{
    const struct track *waiter = &timeline->tracks[waiting->node];
    const double from = waiting->from + waiting->delay;
    /* with fluid sharing it waits while it works */
    const double to = waiter->kind == TRACK_COMPUTE && waiter->sharing == SHARING_FLUID
                          ? waiting->to
                          : from + waiting->wait;
    struct divided divided = {from, to, 0, waiting->wait, NULL, context};
    int resource[2];
    int count = list_resources(timeline, waiting->node, resource);

    if (!sharers->known)
        find_sharers(timeline, sharers);
    for (int pass = 0; pass < 2 && (pass == 0 || divided.all > 0); pass++) {
        divided.add = pass == 0 ? NULL : add;
        for (int i = 0; i < count; i++) {
            const int end = sharers->first[resource[i] + 1];
            int k = first_after(sharers->of, sharers->first[resource[i]], end, from);

            for (; k < end && sharers->of[k].from < to; k++) {
                int n = sharers->of[k].track;
                int other[2];

                /* one that shares both is counted once */
                if (n == waiting->node || (i == 1 && list_resources(timeline, n, other) == 2 &&
                                           (other[0] == resource[0] || other[1] == resource[0])))
                    continue;
                divide_by_track(timeline, n, &sharers->slot[n], &divided);
            }
        }
    }
    return divided.all > 0;
}

struct path_cursor critical_path_end(const struct timeline *timeline, int node, double after)
{
    const struct track *track = &timeline->tracks[node];

    return (struct path_cursor){timeline, after, node, track->slots - 1,
                                track_command(track, track->last)};
}

struct path_slot critical_slot(const struct timeline *timeline, int node, int slot, double to,
                               double after, struct slot_cause *cause)
{
    struct path_slot at = {node, slot, after, to, 0, 0};

    *cause = critical_cause(timeline, node, slot);
    at.from = smaller(to, larger(after, critical_cause_from(cause)));
    at.wait = smaller(to - at.from, critical_wait(timeline, node, slot, cause, to));
    at.delay = smaller(to - at.from - at.wait, larger(0, cause->request - at.from));
    return at;
}

bool critical_path_back(struct path_cursor *cursor, struct path_slot *at)
{
    const struct track *track;
    struct slot_cause cause;
    int slot;

    if (cursor->node < 0 || cursor->to <= cursor->after)
        return false;
    track = &cursor->timeline->tracks[cursor->node];
    if (!pace_step(cursor->timeline->pace, 1 + track->before_count))
        return false;
    slot = cursor->slot < track->slots ? cursor->slot : track->slots - 1;
    if (track->kind == TRACK_CAMERA) {
        *at = (struct path_slot){cursor->node, slot, cursor->after, cursor->to, 0, 0};
        cursor->node = -1;
        return true;
    }
    *at = critical_slot(cursor->timeline, cursor->node, slot, cursor->to, cursor->after, &cause);
    if (critical_cause_is_previous(&cause))
        cursor->slot = cause.previous;
    else {
        cursor->node = cause.latest;
        cursor->slot = slot;
    }
    cursor->to = at->from;
    return true;
}

/* Adds the parts of a slot's delay. */
static void add_delay(const struct timeline *timeline, const struct path_slot *at,
                      struct path_step *step)
{
    const struct track *track = &timeline->tracks[at->node];

    step->delay += at->delay;
    if (track->sleep > 0 && at->slot == track->sleep_slot)
        step->sleep = smaller(track->sleep, at->to - at->from - at->wait);
    if (track->enqueue > 0 && at->delay > 0)
        step->enqueuing +=
            larger(0, at->delay - track_delay(track, at->slot,
                                              track_begins(timeline->tracks, at->node,
                                                           timeline->report, at->slot)));
}

int critical_path_find(const struct timeline *timeline, int node, double after,
                       struct path_step *path)
{
    struct path_cursor cursor = critical_path_end(timeline, node, after);
    struct path_slot at;
    int count = 0;

    while (critical_path_back(&cursor, &at)) {
        struct path_step *step;

        if (count == 0 || path[count - 1].node != at.node)
            path[count++] = (struct path_step){.node = at.node, .last = at.slot, .to = at.to};
        step = &path[count - 1];
        step->first = at.slot;
        step->wait += at.wait;
        step->busy += at.to - at.from - at.wait;
        add_delay(timeline, &at, step);
    }
    for (int i = 0; i < count / 2; i++) {
        struct path_step step = path[i];

        path[i] = path[count - 1 - i];
        path[count - 1 - i] = step;
    }
    return count;
}

/* Later than any time; unchanged by adding or subtracting times. */
#define NEVER SLACK_NONE

/* Slack, slot by slot -------------------------------------------------------------------------- */

/* Latest starts of the steps that follow. */
struct followers {
    double next[NODE_MAX];       /* the track's next slot, if it can start only after this one */
    double wire[NODE_MAX];       /* next packet of a link */
    double enqueue[NODE_MAX];    /* next enqueuing by the track's own thread */
    double thread[UNIT_MAX];     /* next visit enqueued by each shared thread */
    double held[RESOURCE_MAX];   /* next slot served by each resource */
    double deferred[FRAMES_MAX]; /* first step that waits for all commands of a frame */
};

static void clear_followers(const struct simulation *s, struct followers *f)
{
    for (int n = 0; n < s->run->count; n++)
        f->next[n] = f->wire[n] = f->enqueue[n] = NEVER;
    for (int r = 0; r < QUEUE_MAX + s->run->units; r++)
        f->held[r] = NEVER;
    for (int u = 0; u < s->run->units; u++)
        f->thread[u] = NEVER;
    for (int i = 0; i < s->run->frames; i++)
        f->deferred[i] = NEVER;
}

struct slack_step {
    int node, number, frame, slot;
    bool works;
    double begin, end;
    double released; /* release of its resources */
};

static struct slack_step read_step(const struct simulation *s, const struct simulation_step *at)
{
    struct slack_step step = {
        .node = at->node, .number = at->slot, .works = at->kind != STEP_PASSES};
    const struct track *track = &s->run->tracks[step.node];

    step.frame = step.number / s->per_frame;
    step.slot = step.number % s->per_frame;
    step.begin = s->node[step.node].begin[step.number];
    step.end = step.released = s->node[step.node].end[step.number];
    if (track->kind == TRACK_LINK && step.works)
        step.released = step.begin + track_duration(track, step.slot);
    return step;
}

/* Returns how much later a step may end. `late` contains the times at which the slots examined so
 * far have to be ready at the latest, indexed like the simulation's ends. */
static double slack_of_step(const struct simulation *s, const struct slack_step *step,
                            const double *late, const struct followers *f, double command)
{
    const struct track *track = &s->run->tracks[step->node];
    bool last = step->slot == track->slots - 1;
    double out = step->works ? track_command(track, step->end) : step->end;
    double slack = f->next[step->node] - step->end;

    for (const struct simulation_edge *e = s->node[step->node].first_edge;
         e != NULL && step->slot < s->run->packets; e = e->next) {
        const double *ready = &late[e->to->node * s->total + step->number];
        /* all further slots of one with more slots wait for the last one */
        int more = last ? e->to->track->slots - track->slots : 0;

        pace_step(s->run->pace, more);
        for (int i = 0; i <= more; i++)
            slack = smaller(slack, ready[i] - step->end);
    }
    if (last && track->command)
        slack = smaller(slack, f->deferred[step->frame] - out);
    if (last && track->command && step->frame == s->run->report)
        slack = smaller(slack, command - out);
    if (!step->works)
        return slack;
    slack = smaller(slack, f->wire[step->node] - step->released);
    for (int i = 0; i < 2; i++)
        if (s->node[step->node].held[i] != NO_QUEUE)
            slack = smaller(slack, f->held[s->node[step->node].held[i]] - step->released);
    return slack;
}

static void add_follower(const struct simulation *s, const struct slack_step *step, double start,
                         struct followers *f)
{
    if (s->run->tracks[step->node].kind == TRACK_LINK && step->works) {
        f->wire[step->node] = start;
        f->next[step->node] = NEVER;
    } else {
        f->next[step->node] = start;
    }
    if (step->slot == s->run->packets)
        f->deferred[step->frame] = smaller(f->deferred[step->frame], start);
    for (int i = 0; i < 2 && step->works; i++)
        if (s->node[step->node].held[i] != NO_QUEUE)
            f->held[s->node[step->node].held[i]] = start;
}

/* Returns when a slot has to be ready at the latest to start at `start`. `enqueue`: latest start of
 * the next enqueuing by the track's own thread, which this one's replaces. */
static double latest_ready(const struct track *tracks, int node, int frame, int slot, double start,
                           double *enqueue)
{
    const struct track *track = &tracks[node];
    bool begins;

    if (slot >= track->slots || !track_works(track, slot) || track->kind == TRACK_CAMERA)
        return start;
    begins = track_begins(tracks, node, frame, slot);
    start -= track_delay(track, slot, begins);
    if (enqueue == NULL || !begins || track->enqueue == 0)
        return start;
    *enqueue = smaller(start, *enqueue) - track_enqueue(track, slot, true);
    return *enqueue;
}

/* Limits the ready time of the slot that begins a visit: its thread enqueues all kernels of the
 * visit, then the next visit. */
static void limit_visit(const struct simulation *s, const struct simulation_step *step,
                        double *late, struct followers *f)
{
    const struct track *tracks = s->run->tracks;
    int node = step->node;
    int number = step->slot;
    int slot = number % s->per_frame;
    double *next = &f->thread[tracks[node].thread];
    double *ready = &late[node * s->total + number];
    double enqueue = track_enqueue(&tracks[node], slot, true);

    *ready -= enqueue;
    for (int m = contention_next_member(s, node, number); m >= 0;
         m = contention_next_member(s, m, number)) {
        enqueue += track_enqueue(&tracks[m], slot, false);
        *ready = smaller(*ready, late[m * s->total + number] - enqueue);
    }
    *ready = *next = smaller(*ready, *next - enqueue);
}

/* Limits the slots of a track that were not simulated in a frame, from its first one `base` on:
 * they may end when the first one that was has to start, and those of its successors that were not
 * either. */
static void limit_first_slots(const struct simulation *s, int node, int base, double start,
                              double *late)
{
    const struct simulated_track *at = &s->node[node];
    double *own = &late[node * s->total + base];

    for (const struct simulation_edge *e = at->first_edge; e != NULL; e = e->next)
        start = smaller(start, late[e->to->node * s->total + base]);
    for (int i = 0; i < at->first; i++)
        own[i] = start;
    pace_step(s->run->pace, at->first);
}

/* Computes slack slot by slot. */
static bool find_slack_by_slots(const struct simulation *s, double command, double *slack)
{
    struct followers f;
    double *late = s->ends; /* reuse the array: an end is not needed after its slot was examined */

    clear_followers(s, &f);
    for (int k = s->step_count - 1; k >= 0; k--) {
        const struct simulation_step at = s->step[k];
        struct slack_step step;
        double left;
        double start;

        if (!pace_step(s->run->pace, 1 + s->node[at.node].edges))
            return false;
        if (at.kind == STEP_BEGINS_JOB)
            continue;
        if (at.kind == STEP_ENQUEUES) {
            limit_visit(s, &at, late, &f);
            continue;
        }
        step = read_step(s, &at);
        left = slack_of_step(s, &step, late, &f, command);
        start = step.begin + left;
        add_follower(s, &step, start, &f);
        late[step.node * s->total + step.number] =
            step.works
                ? latest_ready(s->run->tracks, step.node, step.frame, step.slot, start,
                               s->node[step.node].thread_shared ? NULL : &f.enqueue[step.node])
                : start;
        if (step.slot > 0 && step.slot == s->node[step.node].first)
            limit_first_slots(s, step.node, step.number - step.slot, start, late);
        if (step.number == s->run->report * s->per_frame + s->run->tracks[step.node].slots - 1)
            slack[step.node] = left;
    }
    return true;
}

/* Slack, track by track ------------------------------------------------------------------------ */

/* Returns the number of the first slot that was simulated, of all if none was. */
static int first_simulated(const struct timeline *timeline, int n)
{
    const struct simulation *s = timeline->simulation;

    if (!timeline->simulated || s->node[n].end == NULL || timeline->tracks[n].kind == TRACK_CAMERA)
        return timeline->tracks[n].slots;
    return s->node[n].first;
}

/* Returns the end of the last slot, by the clock of the simulation if it was used. */
static double last_end(const struct timeline *timeline, int n)
{
    const struct simulation *s = timeline->simulation;

    if (timeline->simulated && timeline->frames > 1)
        return s->node[n].end[timeline->report * s->per_frame + timeline->tracks[n].slots - 1];
    return timeline->tracks[n].last;
}

/* Returns the latest times of a track's slots in the reported frame. */
static double *latest_times(const struct timeline *timeline, int n)
{
    const struct simulation *s = timeline->simulation;

    if (timeline->simulated)
        return &s->ends[(size_t)n * (size_t)s->total +
                        (size_t)timeline->report * (size_t)s->per_frame];
    return &s->ends[(size_t)n * (size_t)timeline->packets];
}

/* Turns the latest ends of the slots of a track, from number `from` on, that were not simulated
 * into the times at which they have to be ready. */
static void limit_slots(const struct timeline *timeline, int n, int from, double *late)
{
    const struct track *track = &timeline->tracks[n];
    bool link = track->kind == TRACK_LINK;
    int simulated = first_simulated(timeline, n);
    double next = simulated < track->slots ? late[simulated] : NEVER; /* end of this slot */
    double wire = NEVER;
    double enqueue = NEVER;

    for (int i = simulated - 1; i >= from; i--) {
        double start;

        next = late[i] = smaller(late[i], next);
        if (!track_works(track, i))
            continue;
        start =
            smaller(next - (link ? track->latency : 0), wire) -
            track_duration(track, i) * track_scale(track, timeline->report, i, timeline->packets);
        if (link)
            wire = start;
        else
            next = start;
        late[i] = latest_ready(timeline->tracks, n, timeline->report, i, start, &enqueue);
    }
}

/* Limits the latest ends of predecessors' slots that were not simulated. */
static void limit_predecessors(const struct timeline *timeline, int n, int from)
{
    const struct track *track = &timeline->tracks[n];
    const double *late = latest_times(timeline, n);

    for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++) {
        double *before = latest_times(timeline, track->before[p]);
        int last = timeline->tracks[track->before[p]].slots - 1;
        bool goes_on = pace_step(timeline->pace, track->slots - from);
        int simulated = first_simulated(timeline, track->before[p]);

        for (int i = from; i < track->slots && goes_on; i++) {
            int awaited = i < last ? i : last;

            if (awaited < simulated)
                before[awaited] = smaller(before[awaited], late[i]);
        }
    }
}

/* Finds the tracks with fewer slots than a successor, of which several wait for their last slot;
 * returns true if there is one. */
static bool find_fewer_slots(const struct timeline *timeline, bool *fewer)
{
    bool any = false;

    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        fewer[n] = false;
        for (int p = 0; p < track->before_count; p++)
            if (timeline->tracks[track->before[p]].slots < track->slots)
                any = fewer[track->before[p]] = true;
    }
    return any;
}

/* Computes the slack of tracks that were not simulated; `command`: time of the last command. Only
 * last slots matter unless the numbers of slots are `uneven`. */
static void find_slack_by_tracks(const struct timeline *timeline, double command, const double *end,
                                 bool uneven, double *slack)
{
    const struct track *tracks = timeline->tracks;

    for (int n = 0; n < timeline->count; n++) {
        double *late = latest_times(timeline, n);
        int simulated = first_simulated(timeline, n);

        for (int i = 0; i < simulated; i++)
            late[i] = NEVER;
        if (simulated == tracks[n].slots && tracks[n].command)
            late[simulated - 1] = command + tracks[n].beyond;
    }
    for (int n = timeline->count - 1; n >= 0 && pace_step(timeline->pace, timeline->packets); n--) {
        double *late = latest_times(timeline, n);
        int last = tracks[n].slots - 1;
        int from = uneven ? 0 : last;

        if (first_simulated(timeline, n) > last)
            slack[n] = late[last] - end[n];
        if (tracks[n].kind != TRACK_CAMERA)
            limit_slots(timeline, n, from, late);
        limit_predecessors(timeline, n, from);
    }
}

/* Slack with processor sharing ----------------------------------------------------------------- */

static bool works_on_device(const struct track *track)
{
    return track->kind == TRACK_COMPUTE && track->device >= 0 &&
           track->compute + track->memory + track->accumulator + track->tail + track->deferred > 0;
}

/* What each track waits for: bit b % 64 of its word b / 64 is set if it is track b or waits for it,
 * directly or not. */
enum { WORD = 64, WORDS = NODE_MAX / WORD };

struct waiting {
    int words;
    uint64_t for_[NODE_MAX][WORDS];
};

static void find_waiting(const struct timeline *timeline, struct waiting *waiting)
{
    const int words = waiting->words = (timeline->count + WORD - 1) / WORD;

    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];
        uint64_t *for_ = waiting->for_[n];

        pace_step(timeline->pace, 1 + track->before_count); /* a few words take no longer */
        for (int w = 0; w < words; w++)
            for_[w] = 0;
        for_[n / WORD] = UINT64_C(1) << n % WORD;
        for (int p = 0; p < track->before_count; p++)
            for (int w = 0; w < words; w++)
                for_[w] |= waiting->for_[track->before[p]][w];
    }
}

static bool waits_for(const struct waiting *waiting, int n, int before)
{
    return (waiting->for_[n][before / WORD] >> before % WORD & 1) != 0;
}

/* Returns the time from which a track may delay others on its device: it begins its last slot or
 * asks the thread that it shares with them. */
static double last_demand(const struct timeline *timeline, int node)
{
    const struct track *track = &timeline->tracks[node];
    int last = track->slots - 1;

    if (!timeline->simulation->node[node].thread_shared || !track_works(track, last))
        return track->last_start;
    return smaller(track->last_start, track_ready(timeline->tracks, node, last));
}

/* The tracks that work on each unit, in the order of their ends; of each unit the latest two ends
 * of work before a last slot. */
struct workers {
    int first[UNIT_MAX + 1];
    struct sharer of[NODE_MAX]; /* of unit u: from first[u] to first[u + 1] */
    int early_track[UNIT_MAX];
    double early[UNIT_MAX][2];
};

static void note_early_work(const struct track *track, int n, struct workers *workers)
{
    int last = track->slots - 1;
    double *early = workers->early[track->device];

    if (last == 0 || track->weights.first >= last)
        return;
    if (track->ends[last - 1] > early[0]) {
        early[1] = early[0];
        early[0] = track->ends[last - 1];
        workers->early_track[track->device] = n;
    } else {
        early[1] = larger(early[1], track->ends[last - 1]);
    }
}

static void list_workers(const struct timeline *timeline, struct workers *workers)
{
    for (int u = 0; u <= timeline->units; u++)
        workers->first[u] = 0;
    for (int u = 0; u < timeline->units; u++) {
        workers->early_track[u] = -1;
        workers->early[u][0] = workers->early[u][1] = 0;
    }
    for (int n = 0; n < timeline->count; n++)
        if (works_on_device(&timeline->tracks[n])) {
            workers->first[timeline->tracks[n].device]++;
            note_early_work(&timeline->tracks[n], n, workers);
        }
    for (int u = 1; u <= timeline->units; u++)
        workers->first[u] += workers->first[u - 1];
    for (int n = 0; n < timeline->count; n++)
        if (works_on_device(&timeline->tracks[n]))
            workers->of[--workers->first[timeline->tracks[n].device]] =
                (struct sharer){n, timeline->tracks[n].last, 0};
    for (int u = 0; u < timeline->units; u++)
        qsort(&workers->of[workers->first[u]], (size_t)(workers->first[u + 1] - workers->first[u]),
              sizeof *workers->of, compare_sharers);
    pace_step(timeline->pace, 2 * timeline->count);
}

/* Leaves of each track on a unit only what it and all tracks there that end later wait for. */
static void join_waiting(const struct timeline *timeline, const struct workers *workers,
                         struct waiting *waiting)
{
    for (int u = 0; u < timeline->units; u++)
        for (int i = workers->first[u + 1] - 2; i >= workers->first[u]; i--) {
            uint64_t *for_ = waiting->for_[workers->of[i].track];
            const uint64_t *later = waiting->for_[workers->of[i + 1].track];

            for (int w = 0; w < waiting->words; w++)
                for_[w] &= later[w];
        }
    pace_step(timeline->pace, timeline->count);
}

/* Returns true if others than a track's successors use its device, or the device that its thread
 * feeds, after it may have delayed them. */
static bool device_used_by_others(const struct timeline *timeline, int node,
                                  const struct workers *workers, const struct waiting *waiting)
{
    const struct track *track = &timeline->tracks[node];
    int device = works_on_device(track)                           ? track->device
                 : timeline->simulation->node[node].thread_shared ? track->thread
                                                                  : -1;
    double from = last_demand(timeline, node);
    int first;

    if (device < 0)
        return false;
    if (workers->early[device][workers->early_track[device] == node] > from)
        return true;
    first = first_after(workers->of, workers->first[device], workers->first[device + 1], from);
    return first < workers->first[device + 1] &&
           !waits_for(waiting, workers->of[first].track, node);
}

/* The entries that use each resource: the first, and the next of an entry; -1: none. */
struct users {
    int first[RESOURCE_MAX + UNIT_MAX];
    int next[3 * NODE_MAX];
};

/* Returns what a track uses in turn with others, number i of 3: a queue or an exclusive device, or
 * a thread; -1: nothing. */
static int used_in_turn(const struct timeline *timeline, int n, int i)
{
    const struct simulated_track *at = &timeline->simulation->node[n];

    if (i < 2)
        return at->held[i];
    return at->thread_shared ? RESOURCE_MAX + timeline->tracks[n].thread : -1;
}

/* Lists the tracks that use each resource in turn: entry 3 n + i is of track n. */
static void list_users(const struct timeline *timeline, struct users *users)
{
    for (int r = 0; r < RESOURCE_MAX + UNIT_MAX; r++)
        users->first[r] = -1;
    for (int e = 3 * timeline->count - 1; e >= 0; e--) {
        int used = used_in_turn(timeline, e / 3, e % 3);

        if (used < 0)
            continue;
        users->next[e] = users->first[used];
        users->first[used] = e;
    }
}

/* Tracks that were found to be uncertain, and whose neighbours are to be examined. */
struct spreading {
    bool *uncertain;
    int pending[NODE_MAX];
    int count;
};

static void add_uncertain(struct spreading *spreading, int n)
{
    if (!spreading->uncertain[n])
        spreading->pending[spreading->count++] = n;
    spreading->uncertain[n] = true;
}

/* Spreads uncertainty to predecessors, in the design, on a queue or in a thread. */
static void spread_uncertainty(const struct timeline *timeline, struct spreading *spreading)
{
    struct users users;

    list_users(timeline, &users);
    while (spreading->count > 0) {
        int n = spreading->pending[--spreading->count];
        const struct track *track = &timeline->tracks[n];

        if (!pace_step(timeline->pace, 1 + track->before_count))
            return;
        for (int p = 0; p < track->before_count; p++)
            add_uncertain(spreading, track->before[p]);
        for (int i = 0; i < 3; i++) {
            int used = used_in_turn(timeline, n, i);

            for (int e = used < 0 ? -1 : users.first[used]; e >= 0; e = users.next[e])
                add_uncertain(spreading, e / 3);
            if (used >= 0)
                users.first[used] = -1; /* all of them are */
        }
    }
}

static void drop_uncertain_slack(const struct timeline *timeline, const bool *fewer, double *slack)
{
    bool uncertain[NODE_MAX] = {false};
    struct spreading spreading = {.uncertain = uncertain};
    struct workers workers;
    struct waiting waiting;

    list_workers(timeline, &workers);
    find_waiting(timeline, &waiting);
    join_waiting(timeline, &workers, &waiting);
    for (int n = 0; n < timeline->count && timeline_goes_on(timeline); n++)
        if (fewer[n] || device_used_by_others(timeline, n, &workers, &waiting))
            add_uncertain(&spreading, n);
    spread_uncertainty(timeline, &spreading);
    for (int n = 0; n < timeline->count; n++)
        if (uncertain[n])
            slack[n] = SLACK_NONE;
}

bool critical_slack(const struct timeline *timeline, double *slack)
{
    const struct track *tracks = timeline->tracks;
    double end[NODE_MAX];
    bool fewer[NODE_MAX];
    double command = 0;
    bool fluid = false;

    for (int n = 0; n < timeline->count; n++) {
        end[n] = last_end(timeline, n);
        fluid = fluid || (timeline->simulated && timeline->simulation->node[n].shared >= 0 &&
                          tracks[n].sharing == SHARING_FLUID);
        if (tracks[n].command)
            command = larger(command, track_command(&tracks[n], end[n]));
    }
    if (timeline->simulated && !find_slack_by_slots(timeline->simulation, command, slack))
        return false;
    find_slack_by_tracks(timeline, command, end, find_fewer_slots(timeline, fewer), slack);
    for (int n = 0; n < timeline->count; n++)
        if (slack[n] < ROUNDING * command)
            slack[n] = 0;
    if (fluid && timeline_goes_on(timeline))
        drop_uncertain_slack(timeline, fewer, slack);
    return timeline_goes_on(timeline);
}
