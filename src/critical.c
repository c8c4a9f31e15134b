#include "critical.h"

#include "larger.h"

/* The predecessor whose slot ended last, and when. */
static inline void find_latest(const struct track *tracks, const struct track *track, int slot,
                               int packets, struct cause *cause)
{
    cause->latest = -1;
    cause->ready = 0;
    for (int p = 0; p < track->before_count; p++) {
        double end = track_end(&tracks[track->before[p]], slot, packets);

        if (p == 0 || end > cause->ready) {
            cause->latest = track->before[p];
            cause->ready = end;
        }
    }
}

static inline struct cause find_cause(const struct timeline *timeline, int node, int slot)
{
    const struct track *track = &timeline->tracks[node];
    int packets = timeline->packets;
    struct cause cause = {.previous = slot - 1, .free = track->held};
    bool wire = track->kind == TRACK_LINK && track_works(track, slot, packets);

    if (wire && slot <= track->weights.first)
        cause.previous = -1;
    while (wire && cause.previous >= 0 && !track_works(track, cause.previous, packets))
        cause.previous--;
    if (cause.previous >= 0)
        cause.free = track_end(track, cause.previous, packets) - (wire ? track->latency : 0);
    find_latest(timeline->tracks, track, slot, packets, &cause);
    cause.begin =
        track->begin == NULL ? larger(cause.ready, cause.free) : track->begin[slot] - track->origin;
    return cause;
}

struct cause cause_of(const struct timeline *timeline, int node, int slot)
{
    return find_cause(timeline, node, slot);
}

double cause_waited(const struct timeline *timeline, int node, int slot, double from, double begin,
                    double to)
{
    const struct track *track = &timeline->tracks[node];
    double stretched;

    if (track->begin == NULL || track->kind != TRACK_COMPUTE || timeline->sharing != SHARING_FLUID)
        return begin - from;
    stretched = to - begin - track_duration(track, slot, timeline->packets);
    /* but for rounding */
    return begin - from + (stretched > 1e-12 * to ? stretched : 0);
}

struct path_walk path_walk_from(const struct timeline *timeline, int node, double after)
{
    return (struct path_walk){timeline, after, node, timeline->packets - 1,
                              timeline->tracks[node].last};
}

static inline bool step_back(struct path_walk *walk, struct path_slot *at)
{
    bool camera = walk->node >= 0 && walk->timeline->tracks[walk->node].kind == TRACK_CAMERA;
    struct cause cause;
    double begin;

    if (walk->node < 0 || walk->to <= walk->after)
        return false;
    cause = find_cause(walk->timeline, walk->node, walk->slot);
    at->node = walk->node;
    at->slot = walk->slot;
    at->to = walk->to;
    at->from = smaller(walk->to, larger(walk->after, cause_from(&cause)));
    begin = larger(at->from, smaller(walk->to, cause.begin));
    if (camera)
        at->from = begin = walk->after;
    at->wait = cause_waited(walk->timeline, walk->node, walk->slot, at->from, begin, walk->to);
    if (camera)
        walk->node = -1;
    else if (cause.previous >= 0 && cause.free > cause.ready)
        walk->slot = cause.previous;
    else
        walk->node = cause.latest;
    walk->to = at->from;
    return true;
}

bool path_walk_back(struct path_walk *walk, struct path_slot *at)
{
    return step_back(walk, at);
}

/* From the last step to the first. */
static int walk_back(const struct timeline *timeline, int node, double after,
                     struct path_step *path)
{
    struct path_walk walk = path_walk_from(timeline, node, after);
    struct path_slot at;
    int count = 0;

    while (step_back(&walk, &at)) {
        struct path_step *step;

        if (count == 0 || path[count - 1].node != at.node)
            path[count++] = (struct path_step){at.node, at.slot, at.slot, 0, 0};
        step = &path[count - 1];
        step->first = at.slot;
        step->wait += at.wait;
        step->busy += at.to - at.from - at.wait;
    }
    return count;
}

int critical_path(const struct timeline *timeline, int node, double after, struct path_step *path)
{
    int count = walk_back(timeline, node, after, path);

    for (int i = 0; i < count / 2; i++) {
        struct path_step step = path[i];

        path[i] = path[count - 1 - i];
        path[count - 1 - i] = step;
    }
    return count;
}
