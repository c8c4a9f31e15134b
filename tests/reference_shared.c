#include "reference_shared.h"

#include <math.h>
#include <stdlib.h>

#include "model/result.h"
#include "reference_model.h"

enum state { IDLE, IN_LINE, FIXED, WORKING };

struct node {
    enum state state;
    int next;       /* slot of all frames */
    double free;    /* when its next slot could start */
    double passed;  /* end of the slot before */
    double asked;   /* in line since */
    double started; /* fluid */
    double until;   /* of the fixed time, or of the work at the rates of the moment */
    double left;    /* s of the whole device */
    double rate;
};

struct world {
    const struct timeline *run;
    int slots; /* of a frame */
    double now;
    double **begin, **end;
    struct node node[NODE_MAX];
    double queue_until[LINK_MAX], device_until[DEVICE_MAX];
};

int reference_slots(const struct timeline *timeline)
{
    return timeline->packets + (timeline->frames > 1 ? 1 : 0);
}

/* What there is to do -------------------------------------------------------------------------- */

static double weight_of(const struct track *track, int i, int packets)
{
    return track->weights.slot == NULL ? i == packets - 1 : track->weights.slot[i];
}

static bool takes_part(const struct world *w, int n, int frame)
{
    return frame % w->run->tracks[n].divisor == 0;
}

static double stretch_of(const struct world *w, int n, int slot)
{
    const double *stretch = w->run->tracks[n].scale;

    return stretch == NULL ? 1 : stretch[slot / w->slots * (w->run->packets + 1) + slot % w->slots];
}

static double duration_of(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];
    int i = slot % w->slots;
    double stretch = stretch_of(w, n, slot);

    if (!takes_part(w, n, slot / w->slots))
        return 0;
    if (i == w->run->packets)
        return (track->deferred + track->deferred_fixed) * stretch;
    /* to the last bit, or those who ask at once would not */
    return track_duration(track, i) * stretch;
}

static double fixed_of(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];
    int i = slot % w->slots;
    double fixed = 0;

    if (i == w->run->packets)
        fixed = track->deferred_fixed;
    else if (weight_of(track, i, w->run->packets) > 0)
        fixed = track->fixed;
    if (i == w->run->packets - 1)
        fixed += track->tail_fixed;
    return fixed * stretch_of(w, n, slot);
}

static bool works(const struct world *w, int n, int slot)
{
    const struct track *track = &w->run->tracks[n];

    if (track->kind == TRACK_LINK)
        return slot % w->slots < w->run->packets && takes_part(w, n, slot / w->slots) &&
               weight_of(track, slot % w->slots, w->run->packets) > 0;
    return duration_of(w, n, slot) > 0;
}

/* Who can go on -------------------------------------------------------------------------------- */

/* Infinite while it is not known. */
static double ready(const struct world *w, int n)
{
    const struct track *track = &w->run->tracks[n];
    int slot = w->node[n].next;
    int frame = slot / w->slots;
    double at = frame * w->run->period;

    if (slot % w->slots == w->run->packets) {
        at = 0;
        for (int c = 0; c < w->run->count && works(w, n, slot); c++) {
            if (!w->run->tracks[c].command)
                continue;
            if (w->node[c].next < slot)
                return INFINITY;
            at = fmax(at, w->end[c][slot - 1]);
        }
        return at;
    }
    for (int p = 0; p < track->before_count; p++) {
        if (w->node[track->before[p]].next <= slot)
            return INFINITY;
        at = fmax(at, w->end[track->before[p]][slot]);
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

static void read_out(struct world *w, int n)
{
    const struct track *track = &w->run->tracks[n];
    int slot = w->node[n].next;
    int i = slot % w->slots;
    double start = slot / w->slots * w->run->period;
    double end = start;

    if (takes_part(w, n, slot / w->slots))
        end = start + (i < w->run->packets ? i + 1 : i) * (track->readout / w->run->packets);
    done(w, n, start, fmax(end, w->node[n].passed));
}

static bool in_turn(const struct track *track)
{
    if (track->kind == TRACK_LINK)
        return track->queue[0] != NO_QUEUE || track->queue[1] != NO_QUEUE;
    return track->sharing == SHARING_EXCLUSIVE;
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
    at = ready(w, n);
    if (isinf(at))
        return false;
    if (!works(w, n, node->next)) {
        at = fmax(at, node->passed);
        if (track->kind == TRACK_COMPUTE)
            node->free = at;
        done(w, n, at, at);
        return true;
    }
    at = fmax(at, node->free);
    if (at > w->now)
        return false;
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
        done(w, n, at, at + duration + (track->kind == TRACK_LINK ? track->latency : 0));
    }
    return true;
}

/* Lines ---------------------------------------------------------------------------------------- */

static double *lines(struct world *w, int n, int i)
{
    const struct track *track = &w->run->tracks[n];

    if (track->kind == TRACK_LINK)
        return track->queue[i] == NO_QUEUE ? NULL : &w->queue_until[track->queue[i]];
    return i == 0 ? &w->device_until[track->device] : NULL;
}

static bool share_a_line(struct world *w, int a, int b)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (lines(w, a, i) != NULL && lines(w, a, i) == lines(w, b, j))
                return true;
    return false;
}

/* It is first in all of its queues, and their servers are free. */
static bool is_its_turn(struct world *w, int n)
{
    for (int i = 0; i < 2; i++)
        if (lines(w, n, i) != NULL && *lines(w, n, i) > w->now)
            return false;
    for (int o = 0; o < w->run->count; o++) {
        double sooner = w->node[o].asked - w->node[n].asked;

        if (o != n && w->node[o].state == IN_LINE && share_a_line(w, o, n) &&
            (sooner < 0 || (sooner == 0 && w->run->tracks[o].order < w->run->tracks[n].order)))
            return false;
    }
    return true;
}

static bool serve_one(struct world *w)
{
    for (int n = 0; n < w->run->count; n++) {
        const struct track *track = &w->run->tracks[n];
        double end;

        if (w->node[n].state != IN_LINE || !is_its_turn(w, n))
            continue;
        end = w->now + duration_of(w, n, w->node[n].next);
        for (int i = 0; i < 2; i++)
            if (lines(w, n, i) != NULL)
                *lines(w, n, i) = end;
        w->node[n].free = end;
        done(w, n, w->now, end + (track->kind == TRACK_LINK ? track->latency : 0));
        return true;
    }
    return false;
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
        again = again || serve_one(w);
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

        if (node->state == IDLE && node->next < w->slots * w->run->frames) {
            sooner(&time, ready(w, n), w->now);
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

    w->run = timeline;
    w->slots = reference_slots(timeline);
    w->begin = begin;
    w->end = end;
    for (int n = 0; n < timeline->count; n++)
        if (given != NULL && given[n])
            w->node[n].next = w->slots * timeline->frames;
    for (;;) {
        double next;

        happen(w);
        set_rates(w);
        next = next_moment(w);
        if (isinf(next))
            break;
        pass_time(w, next);
    }
    free(w);
}

void reference_meets(const struct timeline *timeline, bool *meets)
{
    const struct track *tracks = timeline->tracks;

    reference_contended(tracks, timeline->count, meets);
    for (int n = 0; n < timeline->count; n++) {
        for (int o = 0; o < timeline->count && tracks[n].sharing != SHARING_PARTITION; o++)
            meets[n] = meets[n] ||
                       (o != n && tracks[n].kind == TRACK_COMPUTE &&
                        tracks[o].kind == TRACK_COMPUTE && tracks[n].device == tracks[o].device);
        for (int p = 0; p < tracks[n].before_count; p++)
            meets[n] = meets[n] || (meets[tracks[n].before[p]] && tracks[n].kind != TRACK_CAMERA);
    }
}
