#include "explore/assumptions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "design/knob_text.h"
#include "explore/part_values.h"
#include "model/knob_effect.h"

bool assumption_matters(const struct assumption *assumption)
{
    return assumption->overloads ||
           fmax(assumption->most, -assumption->least) >= ASSUMPTION_MATTERS;
}

/* Notes the effect of the value that the candidate has now. */
static void note_effect(const struct step_search *search, struct assumption *assumption)
{
    double before = search->result->latency;
    struct performance after;

    if (!candidate_evaluate(search->candidate, &after))
        return;
    assumption->overloads |= after.overloaded && !search->result->overloaded;
    if (before > 0 && !after.overloaded) {
        assumption->least = fmin(assumption->least, after.latency / before - 1);
        assumption->most = fmax(assumption->most, after.latency / before - 1);
    }
}

static void try_number(const struct step_search *search, struct assumption *assumption)
{
    const struct knob *knob = assumption->ref.knob;
    double value = knob_number_in_force(search->design, search->result, assumption->ref);

    for (int end = 0; end < 2 && value != RESULT_NONE; end++) {
        double other = fmin(fmax(end == 0 ? value / 2 : value * 2, knob_min(knob)), knob_max(knob));

        if (knob->type == KNOB_INTEGER)
            other = end == 0 ? floor(other) : ceil(other);
        scenario_copy(&search->candidate->scenario, search->design);
        if (other != value && !knob_is_auto(knob, other) &&
            knob_set_number(&search->candidate->scenario, assumption->ref, other, NULL) ==
                STATUS_OK)
            note_effect(search, assumption);
    }
}

static void try_choices(const struct step_search *search, struct assumption *assumption)
{
    struct value_step step[VALUE_STEPS_MAX];
    int count =
        part_values_steps(search->values, search->design, search->result, assumption->ref, step);

    for (int i = 0; i < count; i++) {
        scenario_copy(&search->candidate->scenario, search->design);
        if (part_values_set(search->values, &search->candidate->scenario, assumption->ref,
                            step[i].value, NULL) == STATUS_OK)
            note_effect(search, assumption);
    }
}

/* Returns true if a value is in force that is neither set by the design nor stated by a preset.
 * Nothing is in force for a cache of a device without caches, or for the uncertainty of a device
 * that has those of the causes. */
static bool is_assumption(const struct scenario *scenario, const struct result *result,
                          struct knob_ref ref)
{
    enum origin origin = knob_origin(scenario, ref);
    char value[KNOB_TEXT_SIZE];

    if ((origin != ORIGIN_ASSUMED && origin != ORIGIN_MEASURED && origin != ORIGIN_FITTED) ||
        ref.knob->type == KNOB_TEXT || knob_idle(scenario, ref))
        return false;
    knob_print_in_force(scenario, result, ref, value, sizeof value);
    return strcmp(value, "auto") != 0;
}

static int compare_assumptions(const void *x, const void *y)
{
    const struct assumption *a = x;
    const struct assumption *b = y;
    double of_a = a->overloads ? HUGE_VAL : fmax(a->most, -a->least);
    double of_b = b->overloads ? HUGE_VAL : fmax(b->most, -b->least);

    if (assumption_matters(a) != assumption_matters(b))
        return assumption_matters(a) ? -1 : 1;
    if (assumption_matters(a) && of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return knob_order(a->ref, b->ref);
}

void assumptions_find(const struct scenario *scenario, const struct result *result,
                      const struct part_values *values, struct assumptions *assumptions)
{
    const struct step_search search = {values, scenario, result, candidate_new(scenario), NULL};
    struct knob_ref ref = {.knob = NULL};

    while (knob_next(scenario, &ref)) {
        struct assumption *at;

        if (!is_assumption(scenario, result, ref))
            continue;
        assumptions->at = array_reserve(assumptions->at, assumptions->count, &assumptions->capacity,
                                        sizeof *assumptions->at);
        at = &assumptions->at[assumptions->count++];
        *at = (struct assumption){.ref = ref, .origin = knob_origin(scenario, ref)};
        if (knob_is_number(ref.knob))
            try_number(&search, at);
        else
            try_choices(&search, at);
    }
    candidate_free(search.candidate);
    if (assumptions->count > 0)
        qsort(assumptions->at, (size_t)assumptions->count, sizeof *assumptions->at,
              compare_assumptions);
}

void assumptions_free(struct assumptions *assumptions)
{
    free(assumptions->at);
}
