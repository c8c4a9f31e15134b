#include "explain/steps.h"

#include "base/number.h"
#include "model/critical.h"
#include "model/formulas.h"
#include "model/outcome.h"

/* End of a path: the end of a slot; node -1: the start of readout. */
struct goal {
    int node, slot;
};

static struct slot_cause find_cause(const struct explain *explain, int node, int slot)
{
    return critical_cause(&explain->result->work->timeline, node, slot);
}

double explain_ready(const struct explain *explain, int node, int slot)
{
    struct slot_cause cause = find_cause(explain, node, slot);

    return critical_cause_from(&cause);
}

/* Returns the slot that was waited for: the previous one of the same track, or a predecessor's. */
static struct goal goal_before(const struct explain *explain, struct goal goal)
{
    struct slot_cause cause = find_cause(explain, goal.node, goal.slot);

    if (critical_cause_is_previous(&cause))
        return (struct goal){goal.node, cause.previous};
    return (struct goal){cause.latest, goal.slot};
}

/* Returns the step that ends with a slot; moves the goal to the slot that the step waited for. */
static struct explain_step step_back(const struct explain *explain, struct goal *goal)
{
    const struct track *tracks = explain->result->work->track;
    struct explain_step step = {goal->node, goal->slot, goal->slot, 0,
                                track_end(&tracks[goal->node], goal->slot)};

    if (tracks[step.node].kind == TRACK_CAMERA) {
        step.first = 0;
        goal->node = -1;
        return step;
    }
    while (goal->node == step.node) {
        step.first = goal->slot;
        *goal = goal_before(explain, *goal);
    }
    step.start = track_ready(tracks, step.node, step.first);
    return step;
}

static struct explain_subject subject_of(const struct explain *explain, struct goal goal)
{
    int last;

    if (goal.node < 0)
        return (struct explain_subject){EXPLAIN_DESIGN, 0, 0};
    last = explain->result->work->track[goal.node].slots - 1;
    return (struct explain_subject){EXPLAIN_STEP, goal.node, goal.slot > last ? last : goal.slot};
}

struct explain_step explain_step(const struct explain *explain, struct explain_subject subject)
{
    struct goal goal = {subject.index, subject.part};

    return step_back(explain, &goal);
}

struct explain_subject explain_path_end(const struct explain *explain, int node)
{
    return subject_of(explain, (struct goal){node, explain->result->work->track[node].slots - 1});
}

struct explain_subject explain_path_start(const struct explain *explain, int node)
{
    const struct track *track = &explain->result->work->track[node];
    int first = track_first_slot(track);

    if (track->kind == TRACK_CAMERA)
        return subject_of(explain, (struct goal){-1, 0});
    return subject_of(explain, goal_before(explain, (struct goal){node, first}));
}

struct explain_subject explain_step_before(const struct explain *explain,
                                           struct explain_subject step)
{
    struct goal goal = {step.index, step.part};

    step_back(explain, &goal);
    return subject_of(explain, goal);
}

bool explain_path_step(const struct explain *explain, struct explain_subject last, int node,
                       int number, struct explain_subject *step)
{
    struct explain_subject at;
    int count = 0;

    for (at = last; at.kind == EXPLAIN_STEP; at = explain_step_before(explain, at))
        count += node < 0 || at.index == node;
    for (at = last; number < count; at = explain_step_before(explain, at))
        if ((node < 0 || at.index == node) && --count == number) {
            *step = at;
            return true;
        }
    return false;
}

double explain_beyond_rounding(const struct explain *explain, double seconds, double end)
{
    double clock = explain->result->frames * explain->result->frame_period;

    return seconds > 1e-12 * (end + clock) ? seconds : 0;
}

/* Returns the delay of a slot, with the time to enqueue its work. */
static double known_delay(const struct timeline *timeline, int node, int slot)
{
    const struct track *track = &timeline->tracks[node];
    bool begins;

    if (track->kind == TRACK_CAMERA || slot >= track->slots || !track_works(track, slot))
        return 0;
    begins = track_begins(timeline->tracks, node, timeline->report, slot);
    return track_delay(track, slot, begins) + (begins ? track_enqueue(track, slot, true) : 0);
}

struct explain_pause explain_pause(const struct explain *explain, int node, int slot, double all)
{
    const struct timeline *timeline = &explain->result->work->timeline;
    struct slot_cause cause = find_cause(explain, node, slot);
    double known = known_delay(timeline, node, slot);
    double asked = smaller(all, cause.request - cause.ready);
    double end = track_end(&timeline->tracks[node], slot);
    struct explain_pause pause = {known, 0};

    if (explain_beyond_rounding(explain, known - smaller(all, asked), end) > 0)
        pause.delay = 0;
    else
        pause.thread = explain_beyond_rounding(explain, asked - known, end);
    return pause;
}

bool explain_from_last_pixel(const struct explain *explain)
{
    const struct track *tracks = explain->result->work->track;
    int last = outcome_command_node(explain->result->work);
    struct explain_subject first;
    double clock;

    if (last < 0 || !explain_path_step(explain, explain_path_end(explain, last), -1, 0, &first))
        return false;
    clock =
        camera_time(&tracks[first.index], tracks[first.index].slots - 1, explain_packets(explain));
    return tracks[first.index].kind == TRACK_CAMERA &&
           first.part == tracks[first.index].slots - 1 && clock == explain->result->last_pixel;
}
