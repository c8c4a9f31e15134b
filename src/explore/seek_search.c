#include "explore/seek_search.h"

#include <math.h>
#include <stdio.h>

#include "evaluate.h"

bool search_holds(const struct seek_point *point)
{
    return point->shortfall == 0;
}

/* The component that the first condition on one is about, else what the latency is mostly made of.
 */
static int binding_node(const struct conditions *conditions, const struct result *result)
{
    for (int i = 0; i < conditions->count; i++)
        if (conditions->list[i].left.row->scope == RESULT_COMPONENT)
            return result_node(result, conditions->list[i].left.name);
    return result->bound_node;
}

static void take_bound(const struct conditions *conditions, const struct scenario *scenario,
                       const struct result *result, struct seek_point *point)
{
    int number = binding_node(conditions, result);
    const struct node_result *node = &result->node[number < 0 ? 0 : number];

    if (number < 0)
        return;
    point->bound = number == result->bound_node ? result->bound : node->bound;
    snprintf(point->bound_node, sizeof point->bound_node, "%s", node->name);
    if (node->device >= 0)
        snprintf(point->device, sizeof point->device, "%s",
                 scenario->device[node->device].head.name);
}

static void take(struct search *search, const struct scenario *scenario, struct seek_point *point)
{
    const struct conditions *conditions = &search->seek->conditions;
    const struct result *result = search->result;

    for (int i = 0; i < conditions->count; i++) {
        point->left[i] = condition_left(scenario, result, &conditions->list[i]);
        point->right[i] = condition_right(scenario, result, &conditions->list[i]);
    }
    point->shortfall = conditions_shortfall(scenario, result, conditions);
    point->load = result->load;
    point->overloaded = result->overloaded;
    point->limit_busy = result->limit_busy;
    point->frame_period = result->frame_period;
    snprintf(point->limit, sizeof point->limit, "%s", result->limit);
    take_bound(conditions, scenario, result, point);
}

/* The best point and whether anything moves. */
static void compare(struct seek *seek, const struct seek_point *point)
{
    if (point->problem.status == STATUS_OK && seek->present.problem.status == STATUS_OK)
        for (int i = 0; i < seek->conditions.count; i++)
            seek->moves = seek->moves || point->left[i] != seek->present.left[i] ||
                          point->right[i] != seek->present.right[i];
    else
        seek->moves = true;
    if (point->shortfall < seek->best.shortfall)
        seek->best = *point;
}

/* Evaluates `scenario` unless setting the knob failed. */
static void evaluate_point(struct search *search, const struct scenario *scenario,
                           enum status status, struct seek_point *point)
{
    point->shortfall = INFINITY;
    for (int i = 0; i < CONDITIONS_MAX; i++)
        point->left[i] = point->right[i] = RESULT_NONE;
    point->load = RESULT_NONE;
    if (status == STATUS_OK) {
        status = evaluate(scenario, search->result, &point->problem);
        search->seek->evaluations++;
    }
    point->problem.status = status;
    if (status == STATUS_OK)
        take(search, scenario, point);
    if (status == STATUS_MEMORY)
        search->status = error_set(search->error, status, "%s", point->problem.message);
    else if (search->status == STATUS_OK && !progress_tell(search->progress, search->done))
        search->status = error_set(search->error, STATUS_STOPPED, "stopped");
}

void search_present(struct search *search, struct seek_point *point)
{
    *point = (struct seek_point){.value = -1};
    knob_get_text(search->scenario, search->seek->ref, point->text, sizeof point->text);
    if (knob_is_number(search->seek->ref.knob))
        point->value = knob_number(search->scenario, search->seek->ref);
    evaluate_point(search, search->scenario, STATUS_OK, point);
}

/* A number of the knob, SI. */
void search_number(struct search *search, double si, struct seek_point *point)
{
    struct knob_ref ref = search->seek->ref;
    enum status status;

    *point = (struct seek_point){.value = si};
    status = knob_set_number(search->work, ref, si, &point->problem);
    knob_get_text(search->work, ref, point->text, sizeof point->text);
    evaluate_point(search, search->work, status, point);
    compare(search->seek, point);
}

void search_choice(struct search *search, int place, const char *name, struct seek_point *point)
{
    struct knob_ref ref = search->seek->ref;
    enum status status;

    *point = (struct seek_point){.value = place};
    snprintf(point->text, sizeof point->text, "%s", name);
    scenario_copy(search->work, search->scenario);
    if (ref.knob->type == KNOB_PRESET)
        status =
            scenario_set_preset(search->work, ref.index, search->catalogue, name, &point->problem);
    else
        status = knob_set_text(search->work, ref, name, &point->problem);
    evaluate_point(search, search->work, status, point);
    compare(search->seek, point);
}
