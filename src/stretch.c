#include "stretch.h"

#include "outcome.h"
#include "stage.h"

/* Factors of a node. */
static size_t per_node(const struct timeline *timeline)
{
    return (size_t)timeline->frames * ((size_t)timeline->packets + 1);
}

size_t stretch_count(const struct result *result)
{
    return per_node(&result->work->timeline) * (size_t)result->work->timeline.count;
}

int stretch_device(const struct result *result, size_t number)
{
    const struct timeline *timeline = &result->work->timeline;
    const struct track *track = &timeline->tracks[number / per_node(timeline)];
    int slot = (int)(number % ((size_t)timeline->packets + 1));
    bool works;

    if (track->kind != TRACK_COMPUTE || track->device < 0)
        return -1;
    works = slot == timeline->packets
                ? timeline->frames > 1 && track->deferred + track->deferred_fixed > 0
                : track_works(track, slot, timeline->packets);
    return works ? track->device : -1;
}

double stretch_run(struct result *result, const double *factor)
{
    struct timeline *timeline = &result->work->timeline;
    size_t each = per_node(timeline);

    for (int n = 0; n < timeline->count; n++)
        timeline->tracks[n].stretch =
            timeline->tracks[n].kind == TRACK_COMPUTE ? &factor[each * (size_t)n] : NULL;
    timeline_run(timeline);
    return outcome_latency(result->work);
}

void stretch_end(struct result *result)
{
    struct timeline *timeline = &result->work->timeline;

    for (int n = 0; n < timeline->count; n++)
        timeline->tracks[n].stretch = NULL;
    timeline_run(timeline);
}
