#include "critical.h"

#include "larger.h"

/* The predecessor whose slot ended last. */
static int latest_before(const struct track *tracks, int node, int slot, int packets)
{
    const struct track *track = &tracks[node];
    int latest = -1;

    for (int p = 0; p < track->before_count; p++) {
        int before = track->before[p];

        if (latest < 0 ||
            track_end(&tracks[before], slot, packets) > track_end(&tracks[latest], slot, packets))
            latest = before;
    }
    return latest;
}

/* What a slot waited for. */
struct cause {
    int previous; /* slot that had to be over before, -1: none of this frame's */
    double free; /* when it was: a packet waits for the one before to leave the wire, a slot without
                    work for all to arrive */
    int latest;  /* predecessor whose slot ended last, -1: there are none */
    double ready; /* when that was */
    double begin;
};

static struct cause cause_of(const struct timeline *timeline, int node, int slot)
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
    cause.latest = latest_before(timeline->tracks, node, slot, packets);
    cause.ready = cause.latest < 0 ? 0 : track_end(&timeline->tracks[cause.latest], slot, packets);
    cause.begin =
        track->begin == NULL ? larger(cause.ready, cause.free) : track->begin[slot] - track->origin;
    return cause;
}

/* What of a slot that could start at `from`, began at `begin` and led on at `to` was waiting. */
static double waited(const struct timeline *timeline, int node, int slot, double from, double begin,
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

/* From the last step to the first. */
static int walk_back(const struct timeline *timeline, int node, double after,
                     struct path_step *path)
{
    const struct track *tracks = timeline->tracks;
    int slot = timeline->packets - 1;
    double to = tracks[node].last;
    int count = 0;

    while (node >= 0 && to > after) {
        const struct track *track = &tracks[node];
        struct cause cause = cause_of(timeline, node, slot);
        bool follows = cause.previous >= 0 && cause.free > cause.ready;
        double from = smaller(to, larger(after, follows ? cause.free : cause.ready));
        double begin = larger(from, smaller(to, cause.begin));
        struct path_step *step;
        double wait;

        if (track->kind == TRACK_CAMERA)
            from = begin = after;
        wait = waited(timeline, node, slot, from, begin, to);
        if (count == 0 || path[count - 1].node != node)
            path[count++] = (struct path_step){node, slot, slot, 0, 0};
        step = &path[count - 1];
        step->first = slot;
        step->wait += wait;
        step->busy += to - from - wait;
        if (track->kind == TRACK_CAMERA)
            break;
        if (follows)
            slot = cause.previous;
        else
            node = cause.latest;
        to = from;
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
