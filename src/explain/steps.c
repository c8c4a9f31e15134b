#include "explain/steps.h"

#include "model/critical.h"
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

static struct goal goal_of(const struct explain *explain, struct explain_subject subject)
{
    int last = explain->result->work->track[subject.index].slots - 1;
    int first = explain->result->work->track[subject.index].weights.first;
    struct goal goal = {subject.index, last};

    if (subject.kind != EXPLAIN_BEFORE)
        return goal;
    goal.slot = first > last ? last : first;
    return goal_before(explain, goal);
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

bool explain_from_last_pixel(const struct explain *explain)
{
    struct explain_subject first = {EXPLAIN_STEP, outcome_command_node(explain->result->work), 0};
    struct explain_step step;

    return first.index >= 0 && explain_step(explain, first, &step) &&
           explain->result->work->track[step.node].kind == TRACK_CAMERA &&
           step.end == explain->result->last_pixel;
}
