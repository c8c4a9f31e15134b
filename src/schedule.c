#include "schedule.h"

#include "critical.h"
#include "larger.h"
#include "stage.h"

int schedule_packets(const struct result *result)
{
    return result->work->timeline.packets;
}

static void fill_camera(const struct track *track, int packets, struct schedule_slot *slot)
{
    for (int i = 0; i < packets; i++) {
        double start = i == 0 ? 0 : track_end(track, i - 1, packets);

        slot[i] = (struct schedule_slot){.works = true, .end = track_end(track, i, packets)};
        slot[i].ready = slot[i].from = slot[i].start = start;
        slot[i].busy = track->readout / packets;
    }
}

static double duration_of(const struct timeline *timeline, const struct track *track, int slot)
{
    int packets = timeline->packets;

    return track_duration(track, slot, packets) *
           track_stretch(track, timeline->frames - 1, slot, packets);
}

static void fill_slot(const struct timeline *timeline, int node, int i, struct schedule_slot *slot)
{
    const struct track *track = &timeline->tracks[node];
    struct cause cause = cause_of(timeline, node, i);
    double end = track_end(track, i, timeline->packets);

    *slot = (struct schedule_slot){.works = track_works(track, i, timeline->packets)};
    slot->end = end;
    slot->ready = smaller(end, cause.ready);
    slot->from = smaller(end, cause_from(&cause));
    slot->start = larger(slot->from, smaller(end, slot->works ? cause.begin : end));
    slot->wait = cause_waited(timeline, node, i, slot->from, slot->start, end);
    slot->busy = slot->works ? duration_of(timeline, track, i) : 0;
}

static double last_command(const struct timeline *timeline)
{
    double last = 0;

    for (int n = 0; n < timeline->count; n++)
        if (timeline->tracks[n].command)
            last = larger(last, timeline->tracks[n].last);
    return last;
}

static void fill_deferred(const struct timeline *timeline, const struct track *track,
                          struct schedule_slot *slot)
{
    bool several = timeline->frames > 1;
    int packets = timeline->packets;
    double stretch = track_stretch(track, timeline->frames - 1, packets, packets);
    double busy = (track->deferred + track->deferred_fixed) * stretch;

    *slot = (struct schedule_slot){.ready = last_command(timeline)};
    slot->from = slot->start = slot->end = larger(slot->ready, track->last);
    if (busy <= 0 || !(several || timeline->sharing == SHARING_PARTITION))
        return;
    slot->works = true;
    slot->busy = busy;
    slot->end = slot->start + busy;
    if (several) {
        slot->start = larger(slot->from, track->begin[packets] - track->origin);
        slot->end = larger(slot->start, track->deferred_end);
        slot->wait = larger(0, slot->end - slot->from - busy);
    }
}

/* The slots of a node that are on the critical path. */
static void mark_path(const struct result *result, int node, struct schedule_slot *slot)
{
    const struct timeline *timeline = &result->work->timeline;
    bool passes = false;
    struct path_walk walk;
    struct path_slot at;

    for (int i = 0; i < result->path_count; i++)
        passes = passes || result->path[i].node == node;
    if (!passes)
        return;
    walk = path_walk_from(timeline, result->path[result->path_count - 1].node, result->last_pixel);
    while (path_walk_back(&walk, &at)) {
        struct schedule_slot *on = &slot[at.slot];

        if (at.node != node)
            continue;
        on->critical = on->works || at.to > at.from;
        on->path_wait = at.wait;
        on->path_busy = at.to - at.from - at.wait;
    }
}

void schedule_node(const struct result *result, int node, struct schedule_slot *slot)
{
    const struct timeline *timeline = &result->work->timeline;
    const struct track *track = &timeline->tracks[node];

    if (track->kind == TRACK_CAMERA)
        fill_camera(track, timeline->packets, slot);
    else
        for (int i = 0; i < timeline->packets; i++)
            fill_slot(timeline, node, i, &slot[i]);
    fill_deferred(timeline, track, &slot[timeline->packets]);
    mark_path(result, node, slot);
}

int schedule_divisor(const struct result *result, int node)
{
    return result->work->track[node].divisor;
}

int schedule_links(const struct result *result, int node, int link[2])
{
    const struct plan *plan = &result->work->plan;
    int count = 0;

    for (int i = 0; i < 2; i++) {
        int queue = plan->node[node].queue[i];

        if (queue == NO_QUEUE)
            continue;
        link[count] = 0;
        for (int q = 0; q < queue; q++)
            link[count] += plan->queue_users[q] > 0;
        count++;
    }
    return count;
}
