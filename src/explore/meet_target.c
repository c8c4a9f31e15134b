#include "explore/meet_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "model/knob_effect.h"

static const struct {
    const char *name;
    unsigned roles;
} sources[TARGET_SOURCES] = {
    [TARGET_SETTINGS] = {"settings", STEPS_SETTINGS},
    [TARGET_PARTS] = {"parts", STEPS_PARTS},
    [TARGET_CHOICES] = {"settings and parts", STEPS_CHOICES},
};

const char *target_source_name(enum target_source from)
{
    return sources[from].name;
}

void meet_target_free(struct meet_target *target)
{
    free(target->knob);
    target->knob = NULL;
    target->count = target->capacity = 0;
}

/* One knob ------------------------------------------------------------------------------------- */

/* Adds a knob that was just tried with the value `to` if that meets the target, not by a slower
 * camera. `met`: whether it does. False without memory. */
static bool add_if_met(const struct step_search *search, const struct target_knob *tried,
                       const char *to, bool *met, struct meet_target *target)
{
    struct performance now;
    struct target_knob *knob;

    performance_of(search->result, &now);
    *met = tried->after.met && !performance_is_later(&tried->after, &now);
    if (!*met)
        return true;
    knob = array_reserve(target->knob, target->count, &target->capacity, sizeof *knob);
    if (knob == NULL)
        return false;
    target->knob = knob;
    knob += target->count++;
    *knob = *tried;
    step_print_from(search, knob->ref, knob->from);
    snprintf(knob->to, sizeof knob->to, "%s", to);
    return true;
}

/* Moves a number in one direction until the target is met; false without memory. */
static bool move_number(const struct step_search *search, struct knob_ref ref, int direction,
                        struct meet_target *target)
{
    double value = knob_number_in_force(search->design, search->result, ref);
    struct target_knob knob = {.ref = ref, .direction = direction};
    char text[VALUE_STEP_TEXT];
    bool met = false;

    while (value != RESULT_NONE && !met && knob.steps < TARGET_VALUES_MAX &&
           part_values_next(search->values, search->design, ref, value, direction, &value)) {
        knob.steps++;
        if (!step_try_number(search, ref, value, &knob.after))
            continue;
        quantity_format(value, ref.knob->unit, text, sizeof text);
        if (!add_if_met(search, &knob, text, &met, target))
            return false;
    }
    return true;
}

static bool try_choices(const struct step_search *search, struct knob_ref ref,
                        struct value_step *step, struct meet_target *target)
{
    int count = part_values_steps(search->values, search->design, search->result, ref, step);

    for (int i = 0; i < count; i++) {
        struct target_knob knob = {.ref = ref, .steps = 1};
        bool met;

        if (step_try_text(search, ref, step[i].value, &knob.after) &&
            !add_if_met(search, &knob, step[i].value, &met, target))
            return false;
    }
    return true;
}

static int compare_target_knobs(const void *x, const void *y)
{
    const struct target_knob *a = x;
    const struct target_knob *b = y;
    int order = knob_order(a->ref, b->ref);

    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    if (a->after.latency != b->after.latency)
        return a->after.latency < b->after.latency ? -1 : 1;
    return order != 0 ? order : strcmp(a->to, b->to);
}

static enum status find_knobs(const struct step_search *search, struct meet_target *target)
{
    struct value_step *step = malloc(VALUE_STEPS_MAX * sizeof *step);
    struct knob_ref ref = {.knob = NULL};
    enum status status = step == NULL ? STATUS_MEMORY : STATUS_OK;

    while (status == STATUS_OK && knob_next(search->design, &ref)) {
        bool good;

        if (!knob_is_selectable(ref.knob) || knob_idle(search->design, ref))
            continue;
        if (!progress_tell(search->progress, 0)) {
            status = STATUS_STOPPED;
            break;
        }
        if (knob_is_number(ref.knob))
            good = move_number(search, ref, -1, target) && move_number(search, ref, 1, target);
        else
            good = try_choices(search, ref, step, target);
        status = good ? STATUS_OK : STATUS_MEMORY;
    }
    free(step);
    if (target->count > 0)
        qsort(target->knob, (size_t)target->count, sizeof *target->knob, compare_target_knobs);
    return status;
}

/* Sequences ------------------------------------------------------------------------------------ */

/* The progress of the whole, at which that of one step stands still. */
struct still_progress {
    const struct progress *whole;
    double done;
};

static bool tell_still(void *context, double done)
{
    const struct still_progress *still = context;

    (void)done;
    return progress_tell(still->whole, still->done);
}

/* The step with the least target ratio; NULL: none helps. */
static const struct advice *best_step(const struct advice_list *list, double ratio, double target)
{
    const struct advice *best = NULL;
    double least = ratio * (1 - TARGET_LEAST_GAIN);

    for (int i = 0; i < list->count; i++) {
        double after = performance_target_ratio(&list->at[i].after, target);

        if (!list->at[i].later && after < least) {
            best = &list->at[i];
            least = after;
        }
    }
    return best;
}

/* Adds one more step; `changed`, the design with the steps so far, takes it. */
static enum status add_step(const struct step_search *search, struct candidate *changed,
                            unsigned roles, struct target_sequence *sequence, struct error *error)
{
    double target = changed->result.target;
    struct advice_list list = {0, 0, NULL};
    enum status status = steps_find(search, roles, false, &list, error);

    if (status == STATUS_OK) {
        const struct advice *best =
            best_step(&list, performance_target_ratio(&sequence->after, target), target);

        sequence->exhausted = best == NULL;
        if (best != NULL) {
            sequence->step[sequence->count++] = *best;
            knob_set_text(&changed->scenario, best->ref, best->to, NULL);
            candidate_evaluate(changed, &sequence->after);
        }
    }
    steps_free(&list);
    return status;
}

/* `from`: the part of the progress that is done before. */
static enum status find_sequence(const struct step_search *search, struct candidate *changed,
                                 unsigned roles, double from, struct target_sequence *sequence,
                                 struct error *error)
{
    struct still_progress still = {search->progress, from};
    const struct progress progress = {tell_still, &still};
    struct step_search next = *search;
    enum status status = STATUS_OK;

    next.design = &changed->scenario;
    next.result = &changed->result;
    next.progress = &progress;
    scenario_copy(&changed->scenario, search->design);
    if (!candidate_evaluate(changed, &sequence->after))
        return STATUS_OK;
    while (status == STATUS_OK && !sequence->after.met && !sequence->exhausted &&
           sequence->count < TARGET_STEPS_MAX) {
        still.done = from + (double)sequence->count / TARGET_STEPS_MAX / (1 + TARGET_SOURCES);
        status = add_step(&next, changed, roles, sequence, error);
    }
    sequence->gain = search->result->latency - sequence->after.latency;
    return status;
}

enum status meet_target_find(const struct step_search *search, struct meet_target *target,
                             struct error *error)
{
    struct candidate *changed = NULL;
    struct performance now;
    enum status status;

    *target = (struct meet_target){0};
    performance_of(search->result, &now);
    target->met = now.met;
    if (target->met)
        return STATUS_OK;
    status = candidate_new(&changed, search->design, error);
    if (status == STATUS_OK)
        status = find_knobs(search, target);
    for (int from = 0; from < TARGET_SOURCES && status == STATUS_OK; from++)
        status = find_sequence(search, changed, sources[from].roles,
                               (1.0 + from) / (1 + TARGET_SOURCES), &target->sequence[from], error);
    candidate_free(changed);
    if (status != STATUS_OK)
        error_set(error, status, status == STATUS_STOPPED ? "stopped" : "out of memory");
    return status;
}
