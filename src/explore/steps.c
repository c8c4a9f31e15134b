#include "explore/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

#define LEAST_TARGET 1e-9 /* s: what stands for a target of 0 */
#define PERCENT 0.01

/* Performance ---------------------------------------------------------------------------------- */

void performance_of(const struct result *result, struct performance *performance)
{
    *performance = (struct performance){
        .latency = result->latency,
        .first_pixel = result->first_pixel,
        .max_frame_rate = result->max_frame_rate,
        .load = result->load,
        .overloaded = result->overloaded,
        .met = !result->overloaded && result->latency <= result->target,
        .by = result->bound,
    };
    if (result->bound_node >= 0)
        snprintf(performance->bound, sizeof performance->bound, "%s",
                 result->node[result->bound_node].name);
}

void performance_bound_text(const struct performance *performance,
                            char text[PERFORMANCE_BOUND_TEXT])
{
    if (performance->bound[0] == '\0')
        snprintf(text, PERFORMANCE_BOUND_TEXT, "nothing");
    else
        snprintf(text, PERFORMANCE_BOUND_TEXT, "%s %s", performance->bound,
                 bound_name(performance->by));
}

double performance_target_ratio(const struct performance *performance, double target)
{
    return fmax(performance->latency / fmax(target, LEAST_TARGET), performance->load);
}

bool performance_is_later(const struct performance *after, const struct performance *before)
{
    return after->first_pixel > before->first_pixel * (1 + 1e-9);
}

/* Candidates ----------------------------------------------------------------------------------- */

enum status candidate_new(struct candidate **candidate, const struct scenario *design,
                          struct error *error)
{
    struct candidate *made = calloc(1, sizeof *made);

    *candidate = NULL;
    if (made == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    if (result_init(&made->result, error) != STATUS_OK) {
        candidate_free(made);
        return STATUS_MEMORY;
    }
    scenario_copy(&made->scenario, design);
    *candidate = made;
    return STATUS_OK;
}

void candidate_free(struct candidate *candidate)
{
    if (candidate != NULL)
        result_free(&candidate->result);
    free(candidate);
}

bool candidate_evaluate(struct candidate *candidate, struct performance *performance)
{
    candidate->evaluations++;
    if (evaluate(&candidate->scenario, &candidate->result, NULL) != STATUS_OK)
        return false;
    performance_of(&candidate->result, performance);
    return true;
}

bool step_try_number(const struct step_search *search, struct knob_ref ref, double value,
                     struct performance *performance)
{
    scenario_copy(&search->candidate->scenario, search->design);
    return knob_set_number(&search->candidate->scenario, ref, value, NULL) == STATUS_OK &&
           candidate_evaluate(search->candidate, performance);
}

bool step_try_text(const struct step_search *search, struct knob_ref ref, const char *value,
                   struct performance *performance)
{
    scenario_copy(&search->candidate->scenario, search->design);
    return knob_set_text(&search->candidate->scenario, ref, value, NULL) == STATUS_OK &&
           candidate_evaluate(search->candidate, performance);
}

void step_print_from(const struct step_search *search, struct knob_ref ref, char from[STEP_FROM])
{
    char text[2304];

    knob_print_in_force(search->design, search->result, ref, text, sizeof text);
    snprintf(from, STEP_FROM, "%.*s", STEP_FROM - 1, text);
}

/* Elasticity ----------------------------------------------------------------------------------- */

/* The value a percent away, inside the range; the value itself where there is none. */
static double nearby_value(const struct knob *knob, double value, int direction)
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

static double knob_elasticity(const struct step_search *search, struct knob_ref ref)
{
    struct performance below, above;
    double value, low, high;

    if (!knob_is_number(ref.knob))
        return RESULT_NONE;
    value = knob_number_in_force(search->design, search->result, ref);
    if (value == RESULT_NONE || value <= 0)
        return RESULT_NONE;
    low = nearby_value(ref.knob, value, -1);
    high = nearby_value(ref.knob, value, 1);
    if (low == high || !step_try_number(search, ref, low, &below) ||
        !step_try_number(search, ref, high, &above) || below.latency <= 0 || above.latency <= 0)
        return RESULT_NONE;
    return log(above.latency / below.latency) / log(high / low);
}

/* Steps ---------------------------------------------------------------------------------------- */

void steps_free(struct advice_list *list)
{
    free(list->at);
    *list = (struct advice_list){0, 0, NULL};
}

/* Appends the steps of one knob; false without memory. */
static bool add_steps(const struct step_search *search, struct knob_ref ref, double elasticity,
                      struct value_step *step, struct advice_list *list)
{
    int count = part_values_steps(search->values, search->design, search->result, ref, step);
    struct performance now, after;

    performance_of(search->result, &now);
    for (int i = 0; i < count; i++) {
        struct advice *advice;

        if (!step_try_text(search, ref, step[i].value, &after))
            continue;
        advice = array_reserve(list->at, list->count, &list->capacity, sizeof *advice);
        if (advice == NULL)
            return false;
        list->at = advice;
        advice += list->count++;
        *advice = (struct advice){.ref = ref,
                                  .direction = step[i].direction,
                                  .gain = now.latency - after.latency,
                                  .elasticity = elasticity,
                                  .slower = after.max_frame_rate < now.max_frame_rate,
                                  .later = performance_is_later(&after, &now),
                                  .after = after};
        step_print_from(search, ref, advice->from);
        snprintf(advice->to, sizeof advice->to, "%s", step[i].value);
    }
    return true;
}

enum status steps_find(const struct step_search *search, unsigned roles, bool elastic,
                       struct advice_list *list, struct error *error)
{
    struct value_step *step = malloc(VALUE_STEPS_MAX * sizeof *step);
    struct knob_ref ref = {.knob = NULL};
    bool good = step != NULL;
    int all = 0;
    int done = 0;

    while (knob_next(search->design, &ref))
        all++;
    ref.knob = NULL;
    while (good && knob_next(search->design, &ref)) {
        if (!progress_tell(search->progress, (double)done++ / all)) {
            free(step);
            return error_set(error, STATUS_STOPPED, "stopped");
        }
        if ((roles >> ref.knob->role & 1U) != 0 && !knob_idle(search->design, ref))
            good = add_steps(search, ref, elastic ? knob_elasticity(search, ref) : RESULT_NONE,
                             step, list);
    }
    free(step);
    return good ? STATUS_OK : error_set(error, STATUS_MEMORY, "out of memory");
}

/* Ranks ---------------------------------------------------------------------------------------- */

/* Of two that do as much: the order of the knobs. */
static int compare_places(const struct advice *a, const struct advice *b)
{
    int order = knob_order(a->ref, b->ref);

    return order != 0 ? order : (a->direction > b->direction) - (a->direction < b->direction);
}

static int compare_gains(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (a->later != b->later)
        return a->later ? 1 : -1;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return compare_places(a, b);
}

static int compare_loads(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (a->later == b->later && a->after.load != b->after.load)
        return a->after.load < b->after.load ? -1 : 1;
    return compare_gains(x, y);
}

static int compare_elasticities(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;
    double of_a = a->elasticity == RESULT_NONE ? -1 : fabs(a->elasticity);
    double of_b = b->elasticity == RESULT_NONE ? -1 : fabs(b->elasticity);

    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return of_a < 0 ? compare_gains(x, y) : compare_places(a, b);
}

void steps_rank_elastic(struct advice_list *list)
{
    if (list->count > 0)
        qsort(list->at, (size_t)list->count, sizeof *list->at, compare_elasticities);
}

void steps_rank(struct advice_list *list, bool overloaded)
{
    if (list->count > 0)
        qsort(list->at, (size_t)list->count, sizeof *list->at,
              overloaded ? compare_loads : compare_gains);
}
