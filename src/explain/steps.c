#include "explain/steps.h"

#include <string.h>

#include "base/number.h"

/* The predecessor whose slot ended last, or -1. */
static int latest_before(const struct track *tracks, int node, int slot, int packets)
{
    const struct track *track = &tracks[node];
    int latest = -1;

    for (int p = 0; p < track->before_count; p++)
        if (latest < 0 || track_end(&tracks[track->before[p]], slot, packets) >
                              track_end(&tracks[latest], slot, packets))
            latest = track->before[p];
    return latest;
}

/* Where a way ends: the end of a slot; node -1: at the start of readout. */
struct goal {
    int node, slot;
};

/* The slot of the same track that had to be over before, or -1: a packet waits for the one before
 * to leave the wire, a slot of a link without work for all to arrive. */
static int previous_slot(const struct track *track, int slot, int packets)
{
    int previous = slot - 1;

    if (track->kind == TRACK_LINK && track_works(track, slot, packets))
        while (previous >= 0 && !track_works(track, previous, packets))
            previous--;
    return previous;
}

/* When that was over; 0 without one. */
static double freed(const struct track *track, int slot, int packets)
{
    int previous = previous_slot(track, slot, packets);
    bool wire = track->kind == TRACK_LINK && track_works(track, slot, packets);

    return previous < 0 ? 0 : track_end(track, previous, packets) - (wire ? track->latency : 0);
}

double explain_ready(const struct explain *explain, int node, int slot)
{
    const struct track *tracks = explain->result->work->track;
    int packets = explain_packets(explain);

    return larger(track_ready(tracks, node, slot, packets), freed(&tracks[node], slot, packets));
}

/* What a slot waited for: the slot of its own track before it, or a predecessor's. */
static struct goal goal_before(const struct explain *explain, struct goal goal)
{
    const struct track *tracks = explain->result->work->track;
    const struct track *track = &tracks[goal.node];
    int packets = explain_packets(explain);
    int previous = previous_slot(track, goal.slot, packets);

    if (previous >= 0 &&
        freed(track, goal.slot, packets) > track_ready(tracks, goal.node, goal.slot, packets))
        return (struct goal){goal.node, previous};
    return (struct goal){latest_before(tracks, goal.node, goal.slot, packets), goal.slot};
}

static struct goal goal_of(const struct explain *explain, struct explain_subject subject)
{
    int last = explain_packets(explain) - 1;
    int first = explain->result->work->track[subject.index].weights.first;
    struct goal goal = {subject.index, last};

    if (subject.kind != EXPLAIN_BEFORE)
        return goal;
    goal.slot = first > last ? last : first;
    return goal_before(explain, goal);
}

/* The step that ends with a slot; the goal becomes what it waited for. */
static struct explain_step step_back(const struct explain *explain, struct goal *goal)
{
    const struct track *tracks = explain->result->work->track;
    int packets = explain_packets(explain);
    struct explain_step step = {goal->node, goal->slot, goal->slot, 0,
                                track_end(&tracks[goal->node], goal->slot, packets)};

    if (tracks[step.node].kind == TRACK_CAMERA) {
        step.first = 0;
        goal->node = -1;
        return step;
    }
    while (goal->node == step.node) {
        step.first = goal->slot;
        *goal = goal_before(explain, *goal);
    }
    step.start = track_ready(tracks, step.node, step.first, packets);
    return step;
}

int explain_step_count(const struct explain *explain, struct explain_subject subject)
{
    struct goal goal = goal_of(explain, subject);
    int count = 0;

    for (; goal.node >= 0; count++)
        step_back(explain, &goal);
    return count;
}

bool explain_step(const struct explain *explain, struct explain_subject subject,
                  struct explain_step *step)
{
    struct goal goal = goal_of(explain, subject);
    int back = explain_step_count(explain, subject) - 1 - subject.part;

    if (back < 0 || subject.part < 0)
        return false;
    for (int i = 0; i <= back; i++)
        *step = step_back(explain, &goal);
    return true;
}

int explain_command(const struct explain *explain)
{
    const struct workspace *work = explain->result->work;
    int latest = -1;

    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].command &&
            (latest < 0 || work->track[n].last > work->track[latest].last))
            latest = n;
    return latest;
}

bool explain_from_last_pixel(const struct explain *explain)
{
    struct explain_subject first = {EXPLAIN_STEP, explain_command(explain), 0};
    struct explain_step step;

    return first.index >= 0 && explain_step(explain, first, &step) &&
           explain->result->work->track[step.node].kind == TRACK_CAMERA &&
           step.end == explain->result->last_pixel;
}
