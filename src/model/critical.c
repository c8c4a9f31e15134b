#include "model/critical.h"

#include "base/number.h"
#include "model/contention.h"

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

/* Returns true if two tracks of a run use the same device or queue. */
static bool share_resource(const struct timeline *timeline, int a, int b)
{
    const struct simulation *s = timeline->simulation;

    if (!timeline->simulated || s->node[a].end == NULL || s->node[b].end == NULL ||
        timeline->tracks[b].kind == TRACK_CAMERA)
        return false;
    for (int i = 0; i < 4; i++)
        if (s->node[a].held[i / 2] != NO_QUEUE && s->node[a].held[i / 2] == s->node[b].held[i % 2])
            return true;
    return s->node[a].shared >= 0 && s->node[a].shared == s->node[b].shared;
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

/* Finds the tracks that share with a node, and their first slots that release it after `time`. */
static void find_sharers(const struct timeline *timeline, int node, double time,
                         struct sharers *sharers)
{
    sharers->node = node;
    sharers->count = 0;
    for (int n = 0; n < timeline->count; n++)
        if (n != node && share_resource(timeline, node, n)) {
            sharers->track[sharers->count] = n;
            sharers->slot[sharers->count++] = first_slot_after(&timeline->tracks[n], time);
        }
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
    double all = 0;

    if (sharers->node != waiting->node)
        find_sharers(timeline, waiting->node, from, sharers);
    for (int pass = 0; pass < 2 && (pass == 0 || all > 0); pass++)
        for (int n = 0; n < sharers->count; n++) {
            const struct track *track = &timeline->tracks[sharers->track[n]];
            int *first = &sharers->slot[n];
            int from_slot = *first;
            int i;

            while (*first > 0 && slot_release(track, *first - 1) > from)
                --*first;
            while (*first < track->slots && slot_release(track, *first) <= from)
                ++*first;
            for (i = *first; i < track->slots && (i == 0 || slot_release(track, i - 1) < to); i++) {
                double overlap = smaller(slot_release(track, i), to) -
                                 larger(track->begin[i] - track->origin, from);

                if (!track_works(track, i) || overlap <= 0)
                    continue;
                if (pass == 0)
                    all += overlap;
                else
                    add(context, sharers->track[n], i, waiting->wait * overlap / all);
            }
            pace_step(timeline->pace, 1 + i - (from_slot < *first ? from_slot : *first));
        }
    return all > 0;
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
            path[count++] = (struct path_step){.node = at.node, .last = at.slot};
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
    struct slack_step step = {.node = at->node, .number = at->slot, .works = at->works};
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

/* Computes slack slot by slot. */
static bool find_slack_by_slots(const struct simulation *s, double command, double *slack)
{
    struct followers f;
    double *late = s->ends; /* reuse the array: an end is not needed after its slot was examined */

    clear_followers(s, &f);
    for (int k = s->step_count - 1; k >= 0; k--) {
        const struct simulation_step at = simulation_step_at(s, k);
        struct slack_step step;
        double left;
        double start;

        if (!pace_step(s->run->pace, 1 + s->node[at.node].edges))
            return false;
        if (at.enqueues) {
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

/* Finds the tracks that wait for a track's last slot. */
static void find_successors(const struct timeline *timeline, int node, bool *behind)
{
    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        behind[n] = false;
        for (int p = 0; p < track->before_count && n > node; p++)
            behind[n] = behind[n] || track->before[p] == node || behind[track->before[p]];
    }
}

/* Returns true if work of a track before its last slot ends after `time`. */
static bool early_work_after(const struct track *track, double time)
{
    int last = track->slots - 1;

    return last > 0 && track->weights.first < last && track->ends[last - 1] > time;
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

/* Returns true if others than a track's successors use its device, or the device that its thread
 * feeds, after it may have delayed them. */
static bool device_used_by_others(const struct timeline *timeline, int node)
{
    const struct track *track = &timeline->tracks[node];
    int device = works_on_device(track)                           ? track->device
                 : timeline->simulation->node[node].thread_shared ? track->thread
                                                                  : -1;
    double from = last_demand(timeline, node);
    bool behind[NODE_MAX];
    bool known = false;

    for (int n = 0; n < timeline->count; n++) {
        const struct track *other = &timeline->tracks[n];

        if (n == node || !works_on_device(other) || other->device != device || other->last <= from)
            continue;
        if (!known && pace_step(timeline->pace, PLAN_POOL))
            find_successors(timeline, node, behind);
        known = true;
        if (!behind[n] || early_work_after(other, from))
            return true;
    }
    return false;
}

/* Spreads uncertainty to predecessors, in the design or on a queue; true if queues or
 * threads added some. */
static bool spread_uncertainty(const struct timeline *timeline, bool *uncertain)
{
    const struct simulation *s = timeline->simulation;
    bool held[RESOURCE_MAX] = {false};
    bool thread[UNIT_MAX] = {false};
    bool more = false;

    for (int n = timeline->count - 1; n >= 0; n--)
        for (int p = 0; p < timeline->tracks[n].before_count && uncertain[n]; p++)
            uncertain[timeline->tracks[n].before[p]] = true;
    for (int n = 0; n < timeline->count; n++)
        for (int i = 0; i < 2; i++)
            if (uncertain[n] && s->node[n].held[i] != NO_QUEUE)
                held[s->node[n].held[i]] = true;
    for (int n = 0; n < timeline->count; n++)
        for (int i = 0; i < 2; i++)
            if (!uncertain[n] && s->node[n].held[i] != NO_QUEUE && held[s->node[n].held[i]])
                more = uncertain[n] = true;
    for (int n = 0; n < timeline->count; n++)
        if (uncertain[n] && s->node[n].thread_shared)
            thread[timeline->tracks[n].thread] = true;
    for (int n = 0; n < timeline->count; n++)
        if (!uncertain[n] && s->node[n].thread_shared && thread[timeline->tracks[n].thread])
            more = uncertain[n] = true;
    return more;
}

static void drop_uncertain_slack(const struct timeline *timeline, const bool *fewer, double *slack)
{
    bool uncertain[NODE_MAX];

    for (int n = 0; n < timeline->count && pace_step(timeline->pace, timeline->count); n++)
        uncertain[n] = fewer[n] || device_used_by_others(timeline, n);
    while (timeline_goes_on(timeline) && spread_uncertainty(timeline, uncertain))
        pace_step(timeline->pace, PLAN_POOL);
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
