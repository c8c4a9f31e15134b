#include "model/slack.h"

#include "base/number.h"
#include "model/contention.h"

/* Later than any time, and no time added to it or taken from it changes it. */
#define NEVER SLACK_NONE

/* Slot by slot, backwards -------------------------------------------------------------------- */

/* The latest starts of what follows. */
struct followers {
    double next[NODE_MAX];       /* the track's next slot, where it can start only when this ends */
    double wire[NODE_MAX];       /* a link's next packet */
    double held[RESOURCE_MAX];   /* what is served next */
    double deferred[FRAMES_MAX]; /* the first of what waits for all commands of a frame */
};

static void clear(const struct simulation *s, struct followers *f)
{
    for (int n = 0; n < s->run->count; n++)
        f->next[n] = f->wire[n] = NEVER;
    for (int r = 0; r < RESOURCE_MAX; r++)
        f->held[r] = NEVER;
    for (int i = 0; i < FRAMES_MAX; i++)
        f->deferred[i] = NEVER;
}

struct step {
    int node, number, frame, slot;
    bool works;
    double begin, end;
    double released; /* what it held */
};

static struct step step_of(const struct simulation *s, int k)
{
    struct step step = {.node = s->step[k].node, .number = s->step[k].slot};
    const struct track *track = &s->run->tracks[step.node];

    step.frame = step.number / s->per_frame;
    step.slot = step.number % s->per_frame;
    step.works = contention_works(s, step.node, step.frame, step.slot);
    step.begin = s->begin[step.node][step.number];
    step.end = step.released = s->end[step.node][step.number];
    if (track->kind == TRACK_LINK && step.works)
        step.released = step.begin + track_duration(track, step.slot, s->run->packets);
    return step;
}

/* What follows in the design. `start` of successors that were looked at is in `late`. */
static double room_before_successors(const struct simulation *s, const struct step *step,
                                     double *const *late, double command)
{
    bool last = step->slot == s->run->packets - 1;
    double slack = NEVER;

    if (step->slot == s->run->packets)
        return NEVER;
    for (int e = s->first_edge[step->node]; e >= 0; e = s->edge[e].next)
        slack = smaller(slack, late[s->edge[e].to][step->number] - step->end);
    if (last && step->frame == s->run->frames - 1 && s->run->tracks[step->node].command)
        slack = smaller(slack, command - step->end);
    return slack;
}

static double room_of(const struct simulation *s, const struct step *step, double *const *late,
                      const struct followers *f, double command)
{
    double slack = room_before_successors(s, step, late, command);

    slack = smaller(slack, f->next[step->node] - step->end);
    if (step->slot == s->run->packets - 1 && s->run->tracks[step->node].command)
        slack = smaller(slack, f->deferred[step->frame] - step->end);
    if (!step->works)
        return slack;
    slack = smaller(slack, f->wire[step->node] - step->released);
    for (int i = 0; i < 2; i++)
        if (s->held[step->node][i] != NO_QUEUE)
            slack = smaller(slack, f->held[s->held[step->node][i]] - step->released);
    return slack;
}

static void follow(const struct simulation *s, const struct step *step, double start,
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
        if (s->held[step->node][i] != NO_QUEUE)
            f->held[s->held[step->node][i]] = start;
}

/* `starts`: the latest start of the last slot of each simulated track. */
static void walk_back(const struct simulation *s, double command, double *slack, double *starts)
{
    struct followers f;
    double *late[NODE_MAX];
    int last = s->total - s->per_frame + s->run->packets - 1;

    clear(s, &f);
    /* an end is not looked at again once its own slot was */
    for (int n = 0; n < s->run->count; n++)
        late[n] = &s->ends[(size_t)n * (size_t)s->total];
    for (int k = s->step_count - 1; k >= 0; k--) {
        struct step step = step_of(s, k);
        double left = room_of(s, &step, late, &f, command);
        double start = step.begin + left;

        follow(s, &step, start, &f);
        late[step.node][step.number] = start;
        if (step.number == last) {
            slack[step.node] = left;
            starts[step.node] = start;
        }
    }
}

/* Track by track ------------------------------------------------------------------------------- */

static bool stepwise(const struct timeline *timeline, int n)
{
    return timeline->simulated && timeline->simulation->end[n] != NULL &&
           timeline->tracks[n].kind != TRACK_CAMERA;
}

/* The latest start of the last slot; one without work starts and ends at once. */
static double latest_start(const struct timeline *timeline, int n, double slack)
{
    const struct track *track = &timeline->tracks[n];
    bool works =
        track->last_duration > 0 || track_works(track, timeline->packets - 1, timeline->packets);

    return (works ? track->last_start : track->last) + slack;
}

/* The end of the last slot, by the clock of the simulation where there was one. */
static double last_end(const struct timeline *timeline, int n)
{
    const struct simulation *s = timeline->simulation;

    if (timeline->frames > 1)
        return s->end[n][s->total - s->per_frame + timeline->packets - 1];
    return timeline->tracks[n].last;
}

/* What a latest start leaves the predecessors that are not looked at slot by slot. */
static void hand_on(const struct timeline *timeline, int n, double start, double *slack)
{
    const struct track *track = &timeline->tracks[n];

    for (int p = 0; p < track->before_count && start != NEVER; p++) {
        int before = track->before[p];

        if (!stepwise(timeline, before))
            slack[before] = smaller(slack[before], start - timeline->tracks[before].last);
    }
}

/* Fluid devices ------------------------------------------------------------------------------- */

static bool works_on_device(const struct track *track)
{
    return track->kind == TRACK_COMPUTE && track->device >= 0 &&
           track->compute + track->memory + track->accumulator + track->tail + track->deferred > 0;
}

/* Which tracks wait for a track's last slot. */
static void find_behind(const struct timeline *timeline, int node, bool *behind)
{
    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        behind[n] = false;
        for (int p = 0; p < track->before_count && n > node; p++)
            behind[n] = behind[n] || track->before[p] == node || behind[track->before[p]];
    }
}

/* Whether some work of a track before its last slot ends after `time`. */
static bool early_work_after(const struct timeline *timeline, const struct track *track,
                             double time)
{
    int packets = timeline->packets;

    return packets > 1 && track->weights.first < packets - 1 && track->ends[packets - 2] > time;
}

/* Whether what works on a track's device once its last slot begins is not all behind it. */
static bool meets_others(const struct timeline *timeline, int node)
{
    const struct track *track = &timeline->tracks[node];
    bool behind[NODE_MAX];
    bool known = false;

    for (int n = 0; n < timeline->count; n++) {
        const struct track *other = &timeline->tracks[n];

        if (n == node || !works_on_device(other) || other->device != track->device ||
            other->last <= track->last_start)
            continue;
        if (!known)
            find_behind(timeline, node, behind);
        known = true;
        if (!behind[n] || early_work_after(timeline, other, track->last_start))
            return true;
    }
    return false;
}

/* One step from those that are uncertain to who comes before them in the design or on a queue;
 * whether there was any. */
static bool spread(const struct timeline *timeline, bool *uncertain)
{
    const struct simulation *s = timeline->simulation;
    bool held[RESOURCE_MAX] = {false};
    bool more = false;

    for (int n = timeline->count - 1; n >= 0; n--)
        for (int p = 0; p < timeline->tracks[n].before_count && uncertain[n]; p++)
            uncertain[timeline->tracks[n].before[p]] = true;
    for (int n = 0; n < timeline->count; n++)
        for (int i = 0; i < 2; i++)
            if (uncertain[n] && s->held[n][i] != NO_QUEUE)
                held[s->held[n][i]] = true;
    for (int n = 0; n < timeline->count; n++)
        for (int i = 0; i < 2; i++)
            if (!uncertain[n] && s->held[n][i] != NO_QUEUE && held[s->held[n][i]])
                more = uncertain[n] = true;
    return more;
}

static void leave_uncertain(const struct timeline *timeline, double *slack)
{
    bool uncertain[NODE_MAX];

    for (int n = 0; n < timeline->count; n++)
        uncertain[n] = works_on_device(&timeline->tracks[n]) && meets_others(timeline, n);
    while (spread(timeline, uncertain))
        ;
    for (int n = 0; n < timeline->count; n++)
        if (uncertain[n])
            slack[n] = SLACK_NONE;
}

/* All tracks ---------------------------------------------------------------------------------- */

void slack_find(const struct timeline *timeline, double *slack)
{
    const struct track *tracks = timeline->tracks;
    double starts[NODE_MAX];
    double origin = timeline->frames > 1 ? timeline->ago[0] * timeline->period : 0;
    double command = 0;

    for (int n = 0; n < timeline->count; n++)
        if (tracks[n].command)
            command = larger(command, last_end(timeline, n));
    for (int n = 0; n < timeline->count; n++)
        slack[n] = tracks[n].command ? command - last_end(timeline, n) : NEVER;
    if (timeline->simulated)
        walk_back(timeline->simulation, command, slack, starts);
    for (int n = timeline->count - 1; n >= 0; n--) {
        bool by_slots = stepwise(timeline, n);
        double start = by_slots ? starts[n] : latest_start(timeline, n, slack[n]);

        slack[n] = larger(0, slack[n]);
        hand_on(timeline, n, by_slots && start != NEVER ? start - origin : start, slack);
    }
    if (timeline->sharing == SHARING_FLUID)
        leave_uncertain(timeline, slack);
}
