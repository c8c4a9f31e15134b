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
    int packets = timeline->packets;
    int slot = packets - 1;
    double to = tracks[node].last;
    int count = 0;

    while (node >= 0 && to > after) {
        const struct track *track = &tracks[node];
        int previous = track_previous(track, slot, packets);
        double ready = track_ready(tracks, node, slot, packets);
        double free = track_free(track, slot, packets);
        bool follows = previous >= 0 && free > ready; /* else what is before is of other frames */
        double from = smaller(to, larger(after, follows ? free : ready));
        double begin = larger(from, smaller(to, track_begin(tracks, node, slot, packets)));
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
            slot = previous;
        else
            node = latest_before(tracks, node, slot, packets);
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
