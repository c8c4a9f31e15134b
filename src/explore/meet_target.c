#include "explore/meet_target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

#define HELPS (1 - TARGET_LEAST_GAIN) /* of a strain, what counts as less */

static const struct {
    const char *name;
    unsigned roles;
} sources[TARGET_SOURCES] = {
    [TARGET_SETTINGS] = {"settings", STEPS_SETTINGS},
    [TARGET_PARTS] = {"parts", STEPS_PARTS},
    [TARGET_CHOICES] = {"settings and parts", STEPS_CHOICES},
};

/* What all of this needs. */
struct seeker {
    struct performance now;
    const struct part_values *part_values;
    const struct scenario *design;
    const struct result *result;
    struct candidate *trial;
    const struct progress *progress;
    double from, to; /* part of the progress that the present work is */
    struct error *error;
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

static enum status keep(struct meet_target *target, const struct target_knob *knob)
{
    if (target->count == target->capacity) {
        int capacity = target->capacity == 0 ? 16 : 2 * target->capacity;
        struct target_knob *more = realloc(target->knob, (size_t)capacity * sizeof *more);

        if (more == NULL)
            return STATUS_MEMORY;
        target->knob = more;
        target->capacity = capacity;
    }
    target->knob[target->count++] = *knob;
    return STATUS_OK;
}

static void name_values(const struct seeker *seeker, struct target_knob *knob, const char *to)
{
    char from[2304];

    knob_print_in_force(seeker->design, seeker->result, knob->ref, from, sizeof from);
    snprintf(knob->from, sizeof knob->from, "%.*s", STEP_FROM - 1, from);
    snprintf(knob->to, sizeof knob->to, "%s", to);
}

/* Not by a slower camera. */
static bool meets(const struct seeker *seeker, const struct performance *after)
{
    return after->met && !performance_is_later(after, &seeker->now);
}

static enum status climb(const struct seeker *seeker, struct knob_ref ref, int direction,
                         struct meet_target *target)
{
    double value = knob_number_in_force(seeker->design, seeker->result, ref);
    struct target_knob knob = {.ref = ref, .direction = direction};
    char text[VALUE_STEP_TEXT];

    while (value != RESULT_NONE && knob.steps < TARGET_VALUES_MAX &&
           part_values_next(seeker->part_values, seeker->design, ref, value, direction, &value)) {
        knob.steps++;
        if (!candidate_try_number(seeker->trial, seeker->design, ref, value, &knob.after) ||
            !meets(seeker, &knob.after))
            continue;
        quantity_format(value, ref.knob->unit, text, sizeof text);
        name_values(seeker, &knob, text);
        return keep(target, &knob);
    }
    return STATUS_OK;
}

static enum status choose(const struct seeker *seeker, struct knob_ref ref, struct value_step *step,
                          struct meet_target *target)
{
    int count = part_values_steps(seeker->part_values, seeker->design, seeker->result, ref, step);
    enum status status = STATUS_OK;

    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct target_knob knob = {.ref = ref, .steps = 1};

        if (!candidate_try_text(seeker->trial, seeker->design, ref, step[i].value, &knob.after) ||
            !meets(seeker, &knob.after))
            continue;
        name_values(seeker, &knob, step[i].value);
        status = keep(target, &knob);
    }
    return status;
}

static int by_steps(const void *x, const void *y)
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

static enum status seek_knobs(const struct seeker *seeker, struct meet_target *target)
{
    struct value_step *step = malloc(VALUE_STEPS_MAX * sizeof *step);
    enum status status = step == NULL ? STATUS_MEMORY : STATUS_OK;
    struct knob_ref ref = {.knob = NULL};

    while (status == STATUS_OK && knob_next(seeker->design, &ref)) {
        if (!knob_is_selectable(ref.knob) || knob_idle(seeker->design, ref))
            continue;
        if (!progress_tell(seeker->progress, seeker->from))
            status = STATUS_STOPPED;
        else if (!knob_is_number(ref.knob))
            status = choose(seeker, ref, step, target);
        else
            for (int direction = -1; direction <= 1 && status == STATUS_OK; direction += 2)
                status = climb(seeker, ref, direction, target);
    }
    free(step);
    if (target->count > 0)
        qsort(target->knob, (size_t)target->count, sizeof *target->knob, by_steps);
    return status;
}

/* Several -------------------------------------------------------------------------------------- */

/* The step after which least is left to be done; NULL: none helps. */
static const struct advice *best_of(const struct advice_list *list, double strain, double target)
{
    const struct advice *best = NULL;
    double least = strain * HELPS;

    for (int i = 0; i < list->count; i++) {
        double after = performance_target_ratio(&list->at[i].after, target);

        if (!list->at[i].later && after < least) {
            best = &list->at[i];
            least = after;
        }
    }
    return best;
}

/* Within one step the progress stands still, but may be stopped. */
static bool tell_same(void *context, double done)
{
    const struct seeker *seeker = context;

    (void)done;
    return progress_tell(seeker->progress, seeker->from);
}

/* One more step of a sequence; `design` takes it. */
static enum status go_on(struct seeker *seeker, struct candidate *design, unsigned roles,
                         struct target_sequence *sequence)
{
    const struct progress progress = {tell_same, seeker};
    struct advice_list list = {0, 0, NULL};
    const struct advice *best;
    enum status status;

    status = steps_find(seeker->part_values, &design->scenario, &design->result, seeker->trial,
                        roles, false, &progress, &list, seeker->error);
    if (status == STATUS_OK) {
        best = best_of(&list, performance_target_ratio(&sequence->after, design->result.target),
                       design->result.target);
        sequence->exhausted = best == NULL;
        if (best != NULL) {
            sequence->step[sequence->count++] = *best;
            knob_set_text(&design->scenario, best->ref, best->to, NULL);
            candidate_evaluate(design, &sequence->after);
        }
    }
    steps_free(&list);
    return status;
}

static enum status seek_way(struct seeker *seeker, struct candidate *design, unsigned roles,
                            struct target_sequence *sequence)
{
    enum status status = STATUS_OK;
    double from = seeker->from;

    scenario_copy(&design->scenario, seeker->design);
    if (!candidate_evaluate(design, &sequence->after))
        return STATUS_OK;
    while (status == STATUS_OK && !sequence->after.met && !sequence->exhausted &&
           sequence->count < TARGET_STEPS_MAX) {
        seeker->from = from + (seeker->to - from) * sequence->count / TARGET_STEPS_MAX;
        status = go_on(seeker, design, roles, sequence);
    }
    sequence->gain = seeker->result->latency - sequence->after.latency;
    return status;
}

enum status meet_target_find(const struct part_values *part_values, const struct scenario *design,
                             const struct result *result, struct candidate *trial,
                             const struct progress *progress, struct meet_target *target,
                             struct error *error)
{
    struct seeker seeker = {
        .part_values = part_values,
        .design = design,
        .result = result,
        .trial = trial,
        .progress = progress,
        .error = error,
    };
    struct candidate *changed = NULL;
    enum status status;

    *target = (struct meet_target){0};
    performance_of(result, &seeker.now);
    target->met = seeker.now.met;
    if (target->met)
        return STATUS_OK;
    status = candidate_new(&changed, design, error);
    if (status == STATUS_OK)
        status = seek_knobs(&seeker, target);
    for (int from = 0; from < TARGET_SOURCES && status == STATUS_OK; from++) {
        seeker.from = (1.0 + from) / (1 + TARGET_SOURCES);
        seeker.to = (2.0 + from) / (1 + TARGET_SOURCES);
        status = seek_way(&seeker, changed, sources[from].roles, &target->sequence[from]);
    }
    candidate_free(changed);
    if (status != STATUS_OK)
        error_set(error, status, status == STATUS_STOPPED ? "stopped" : "out of memory");
    return status;
}
