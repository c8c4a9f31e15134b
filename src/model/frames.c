#include "model/frames.h"

#include <string.h>

#include "model/result.h"

static bool track_has_work(const struct track *track)
{
    switch (track->kind) {
    case TRACK_CAMERA:
        return true;
    case TRACK_LINK:
        return track->bytes + track->latency > 0;
    case TRACK_COMPUTE:
        break;
    }
    return track->compute + track->memory + track->accumulator + track->fixed + track->tail +
               track->tail_fixed + track->deferred + track->deferred_fixed >
           0;
}

/* Collects the distinct divisors in ascending order; returns their number. */
static int find_divisors(const struct timeline *timeline, int *divisor)
{
    int count = 0;

    for (int n = 0; n < timeline->count; n++) {
        int k = timeline->tracks[n].divisor;
        int at = 0;

        if (!track_has_work(&timeline->tracks[n]))
            continue;
        while (at < count && divisor[at] < k)
            at++;
        if (at < count && divisor[at] == k)
            continue;
        memmove(&divisor[at + 1], &divisor[at], sizeof *divisor * (size_t)(count - at));
        divisor[at] = k;
        count++;
    }
    if (count == 0)
        divisor[count++] = 1;
    return count;
}

static void add_frame(struct timeline *timeline, int ago)
{
    int at = 0;

    while (timeline->ago[at] > ago)
        at++;
    if (timeline->ago[at] == ago)
        return;
    memmove(&timeline->ago[at + 1], &timeline->ago[at],
            sizeof *timeline->ago * (size_t)(timeline->frames - at));
    timeline->ago[at] = ago;
    timeline->frames++;
}

/* Returns the `ago` of the nearest frame with data before the one at `ago`. */
static int next_before(const int *divisor, int count, int ago)
{
    int next = (ago / divisor[0] + 1) * divisor[0];

    for (int i = 1; i < count; i++) {
        int other = (ago / divisor[i] + 1) * divisor[i];

        if (other < next)
            next = other;
    }
    return next;
}

void frames_choose(struct timeline *timeline, int limit)
{
    int divisor[NODE_MAX];
    int count = find_divisors(timeline, divisor);
    int furthest = (FRAMES_STEPS - 1) * divisor[count - 1];

    timeline->frames = 1;
    timeline->ago[0] = 0;
    for (int step = 1; step < FRAMES_STEPS; step++)
        for (int i = 0; i < count && timeline->frames < limit; i++)
            add_frame(timeline, step * divisor[i]);
    for (int ago = 0; ago < furthest && timeline->frames < limit;) {
        ago = next_before(divisor, count, ago);
        add_frame(timeline, ago);
    }
}

int frames_step(const struct timeline *timeline)
{
    int divisor[NODE_MAX];
    int count = find_divisors(timeline, divisor);
    int step = divisor[0];

    for (int i = 1; i < count; i++) {
        int other = divisor[i];

        while (other > 0) {
            int rest = step % other;

            step = other;
            other = rest;
        }
    }
    return step;
}
