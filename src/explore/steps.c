#include "explore/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

#define LEAST_TARGET 1e-9 /* s: what stands for a target of 0 */

void performance_of(const struct result *result, struct performance *verdict)
{
    *verdict = (struct performance){
        .latency = result->latency,
        .first_pixel = result->first_pixel,
        .max_frame_rate = result->max_frame_rate,
        .load = result->load,
        .overloaded = result->overloaded,
        .met = !result->overloaded && result->latency <= result->target,
        .by = result->bound,
    };
    if (result->bound_node >= 0)
        snprintf(verdict->bound, sizeof verdict->bound, "%s",
                 result->node[result->bound_node].name);
}

void performance_bound_text(const struct performance *verdict, char text[PERFORMANCE_BOUND_TEXT])
{
    if (verdict->bound[0] == '\0')
        snprintf(text, PERFORMANCE_BOUND_TEXT, "nothing");
    else
        snprintf(text, PERFORMANCE_BOUND_TEXT, "%s %s", verdict->bound, bound_name(verdict->by));
}

double performance_target_ratio(const struct performance *verdict, double target)
{
    return fmax(verdict->latency / fmax(target, LEAST_TARGET), verdict->load);
}

bool performance_is_later(const struct performance *after, const struct performance *before)
{
    return after->first_pixel > before->first_pixel * (1 + 1e-9);
}

enum status candidate_new(struct candidate **trial, const struct scenario *design,
                          struct error *error)
{
    *trial = calloc(1, sizeof **trial);
    if (*trial == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    if (result_init(&(*trial)->result, error) != STATUS_OK) {
        candidate_free(*trial);
        *trial = NULL;
        return STATUS_MEMORY;
    }
    scenario_copy(&(*trial)->scenario, design);
    return STATUS_OK;
}

void candidate_free(struct candidate *trial)
{
    if (trial != NULL)
        result_free(&trial->result);
    free(trial);
}

bool candidate_evaluate(struct candidate *trial, struct performance *verdict)
{
    trial->evaluations++;
    if (evaluate(&trial->scenario, &trial->result, NULL) != STATUS_OK)
        return false;
    performance_of(&trial->result, verdict);
    return true;
}

bool candidate_try_number(struct candidate *trial, const struct scenario *design,
                          struct knob_ref ref, double value, struct performance *verdict)
{
    scenario_copy(&trial->scenario, design);
    return knob_set_number(&trial->scenario, ref, value, NULL) == STATUS_OK &&
           candidate_evaluate(trial, verdict);
}

bool candidate_try_text(struct candidate *trial, const struct scenario *design, struct knob_ref ref,
                        const char *value, struct performance *verdict)
{
    scenario_copy(&trial->scenario, design);
    return knob_set_text(&trial->scenario, ref, value, NULL) == STATUS_OK &&
           candidate_evaluate(trial, verdict);
}

/* Steps ---------------------------------------------------------------------------------------- */

#define PERCENT 0.01

void steps_free(struct advice_list *list)
{
    free(list->at);
    *list = (struct advice_list){0, 0, NULL};
}

static struct advice *append(struct advice_list *list)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        struct advice *at = realloc(list->at, (size_t)capacity * sizeof *at);

        if (at == NULL)
            return NULL;
        list->at = at;
        list->capacity = capacity;
    }
    return &list->at[list->count++];
}

/* Elasticity ----------------------------------------------------------------------------------- */

/* The value a percent away, inside the range; the value itself where that is not to be had. */
static double nearby(const struct knob *knob, double value, int direction)
{
    double near = value * (1 + direction * PERCENT);

    if (knob->type == KNOB_INTEGER) {
        near = round(near);
        near = near == value ? value + direction : near;
    }
    if (near <= 0 || near < knob_min(knob) || near > knob_max(knob) || knob_is_auto(knob, near))
        return value;
    return near;
}

double step_elasticity(struct candidate *trial, const struct scenario *design,
                       const struct result *result, struct knob_ref ref)
{
    struct performance below, above;
    double value, low, high;

    if (!knob_is_number(ref.knob))
        return RESULT_NONE;
    value = knob_number_in_force(design, result, ref);
    if (value == RESULT_NONE || value <= 0)
        return RESULT_NONE;
    low = nearby(ref.knob, value, -1);
    high = nearby(ref.knob, value, 1);
    if (low == high || !candidate_try_number(trial, design, ref, low, &below) ||
        !candidate_try_number(trial, design, ref, high, &above) || below.latency <= 0 ||
        above.latency <= 0)
        return RESULT_NONE;
    return log(above.latency / below.latency) / log(high / low);
}

/* Steps ---------------------------------------------------------------------------------------- */

static enum status steps_of_knob(const struct part_values *part_values,
                                 const struct scenario *design, const struct result *result,
                                 struct candidate *trial, struct knob_ref ref, double elasticity,
                                 struct value_step *rung, struct advice_list *list)
{
    int count = part_values_steps(part_values, design, result, ref, rung);
    struct performance now;
    char from[2304];

    performance_of(result, &now);
    knob_print_in_force(design, result, ref, from, sizeof from);
    for (int i = 0; i < count; i++) {
        struct performance after;
        struct advice *step;

        if (!candidate_try_text(trial, design, ref, rung[i].value, &after))
            continue;
        step = append(list);
        if (step == NULL)
            return STATUS_MEMORY;
        *step = (struct advice){.ref = ref,
                                .direction = rung[i].direction,
                                .gain = result->latency - after.latency,
                                .elasticity = elasticity,
                                .slower = after.max_frame_rate < result->max_frame_rate,
                                .later = performance_is_later(&after, &now),
                                .after = after};
        snprintf(step->from, sizeof step->from, "%.*s", STEP_FROM - 1, from);
        snprintf(step->to, sizeof step->to, "%s", rung[i].value);
    }
    return STATUS_OK;
}

enum status steps_find(const struct part_values *part_values, const struct scenario *design,
                       const struct result *result, struct candidate *trial, unsigned roles,
                       bool elastic, const struct progress *progress, struct advice_list *list,
                       struct error *error)
{
    struct value_step *rung = malloc(VALUE_STEPS_MAX * sizeof *rung);
    struct knob_ref ref = {.knob = NULL};
    enum status status = rung == NULL ? STATUS_MEMORY : STATUS_OK;
    int all = 0;
    int done = 0;

    while (knob_next(design, &ref))
        all++;
    ref.knob = NULL;
    while (status == STATUS_OK && knob_next(design, &ref)) {
        double elasticity = RESULT_NONE;

        if (!progress_tell(progress, (double)done++ / all))
            status = STATUS_STOPPED;
        else if ((roles >> ref.knob->role & 1U) != 0 && !knob_idle(design, ref)) {
            if (elastic)
                elasticity = step_elasticity(trial, design, result, ref);
            status = steps_of_knob(part_values, design, result, trial, ref, elasticity, rung, list);
        }
    }
    free(rung);
    if (status == STATUS_MEMORY)
        return error_set(error, status, "out of memory");
    return status == STATUS_OK ? STATUS_OK : error_set(error, status, "stopped");
}

/* Ranks ---------------------------------------------------------------------------------------- */

/* What of two comes first where they do as much: the order of the knobs. */
static int by_place(const struct advice *a, const struct advice *b)
{
    int order = knob_order(a->ref, b->ref);

    if (order != 0)
        return order;
    return (a->direction > b->direction) - (a->direction < b->direction);
}

static int by_gain(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (a->later != b->later)
        return a->later ? 1 : -1;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return by_place(a, b);
}

static int by_load(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (a->later == b->later && a->after.load != b->after.load)
        return a->after.load < b->after.load ? -1 : 1;
    return by_gain(x, y);
}

static int by_elasticity(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;
    double of_a = a->elasticity == RESULT_NONE ? -1 : fabs(a->elasticity);
    double of_b = b->elasticity == RESULT_NONE ? -1 : fabs(b->elasticity);

    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return of_a < 0 ? by_gain(x, y) : by_place(a, b);
}

void steps_rank_elastic(struct advice_list *list)
{
    if (list->count > 0)
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_elasticity);
}

void steps_rank(struct advice_list *list, bool overloaded)
{
    if (list->count > 0)
        qsort(list->at, (size_t)list->count, sizeof *list->at, overloaded ? by_load : by_gain);
}
