#include "critical.h"

#include "larger.h"

/* When a track's previous slot set it free. */
static double freed(const struct track *track, int slot, int packets)
{
    if (slot == 0)
        return 0;
    return track_end(track, slot - 1, packets) -
           (track->kind == TRACK_LINK && track_duration(track, slot - 1, packets) > 0
                ? track->latency
                : 0);
}

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

void critical_path(const struct track *tracks, int node, int packets, double after, double *part)
{
    int slot = packets - 1;
    double end = tracks[node].last;

    while (node >= 0 && end > after) {
        const struct track *track = &tracks[node];
        double ready = track_ready(tracks, node, slot, packets);
        double free = freed(track, slot, packets);
        double start = larger(ready, free);

        if (track->kind == TRACK_CAMERA)
            start = end - track->readout;
        part[node] += end - larger(start, after);
        if (start <= after || track->kind == TRACK_CAMERA)
            return;
        if (free > ready)
            slot--;
        else
            node = latest_before(tracks, node, slot, packets);
        end = start;
    }
}
