#include "explore/assumptions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "design/knob_text.h"
#include "model/knob_effect.h"

bool assumption_matters(const struct assumption *assumption)
{
    return assumption->overloads ||
           fmax(assumption->most, -assumption->least) >= ASSUMPTION_MATTERS;
}

/* Notes the effect of the value that the trial has now, if it is valid. */
static void note_effect(struct trial *trial, bool valid, struct assumption *assumption)
{
    const struct performance *now = &trial->now, *after = &trial->after;

    if (!valid || !trial_evaluate(trial))
        return;
    assumption->overloads |= after->overloaded && !now->overloaded;
    if (now->latency > 0 && !after->overloaded) {
        assumption->least = fmin(assumption->least, after->latency / now->latency - 1);
        assumption->most = fmax(assumption->most, after->latency / now->latency - 1);
    }
}

static void try_number(struct trial *trial, struct assumption *assumption)
{
    const struct knob *knob = assumption->ref.knob;
    double value = knob_number_in_force(trial->design, trial->present, assumption->ref);

    for (int end = 0; end < 2 && value != RESULT_NONE; end++) {
        double other = fmin(fmax(end == 0 ? value / 2 : value * 2, knob_min(knob)), knob_max(knob));

        if (knob->type == KNOB_INTEGER)
            other = end == 0 ? floor(other) : ceil(other);
        if (other != value && !knob_is_auto(knob, other))
            note_effect(trial, trial_set_number(trial, assumption->ref, other), assumption);
    }
}

static void try_choices(struct trial *trial, struct assumption *assumption)
{
    struct value_step step[VALUE_STEPS_MAX];
    int count =
        part_values_steps(trial->values, trial->design, trial->present, assumption->ref, step);

    for (int i = 0; i < count; i++)
        note_effect(trial, part_values_try(trial, assumption->ref, step[i].value), assumption);
}

/* Returns true if a value is in force that is neither set by the design nor stated by a preset.
 * Nothing is in force for a cache of a device without caches, or for the uncertainty of a device
 * that has those of the causes. */
static bool is_assumption(const struct trial *trial, struct knob_ref ref)
{
    enum origin origin = knob_origin(trial->design, ref);
    char value[KNOB_TEXT_SIZE];

    if ((origin != ORIGIN_ASSUMED && origin != ORIGIN_MEASURED && origin != ORIGIN_FITTED) ||
        ref.knob->type == KNOB_TEXT)
        return false;
    knob_print_in_force(trial->design, trial->present, ref, value, sizeof value);
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
    struct trial *trial = trial_new(scenario, NULL);
    struct knob_ref ref = {.knob = NULL};

    trial_start(trial, result);
    trial->values = values;
    while (trial_next_knob(trial, TRIAL_ROLES, &ref)) {
        struct assumption *at;

        if (!is_assumption(trial, ref))
            continue;
        assumptions->at = array_reserve(assumptions->at, assumptions->count, &assumptions->capacity,
                                        sizeof *assumptions->at);
        at = &assumptions->at[assumptions->count++];
        *at = (struct assumption){.ref = ref, .origin = knob_origin(scenario, ref)};
        if (knob_is_number(ref.knob))
            try_number(trial, at);
        else
            try_choices(trial, at);
    }
    trial_free(trial);
    array_sort(assumptions->at, assumptions->count, sizeof *assumptions->at, compare_assumptions);
}

void assumptions_free(struct assumptions *assumptions)
{
    free(assumptions->at);
}
