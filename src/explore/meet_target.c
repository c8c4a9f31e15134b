#include "explore/meet_target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

#define HELPS (1 - REACH_LEAST) /* of a strain, what counts as less */

static const struct {
    const char *name;
    unsigned roles;
} sources[REACH_COUNT] = {
    [REACH_SETTINGS] = {"settings", STEPS_SETTINGS},
    [REACH_PARTS] = {"parts", STEPS_PARTS},
    [REACH_CHOICES] = {"settings and parts", STEPS_CHOICES},
};

/* What all of this needs. */
struct seeker {
    struct verdict now;
    const struct ladder *ladder;
    const struct scenario *design;
    const struct result *result;
    struct trial *trial;
    const struct progress *progress;
    double from, to; /* part of the progress that the present work is */
    struct error *error;
};

const char *reach_from_name(enum reach_from from)
{
    return sources[from].name;
}

void reach_free(struct reach *reach)
{
    free(reach->knob);
    reach->knob = NULL;
    reach->count = reach->capacity = 0;
}

/* One knob ------------------------------------------------------------------------------------- */

static enum status keep(struct reach *reach, const struct reach_knob *knob)
{
    if (reach->count == reach->capacity) {
        int capacity = reach->capacity == 0 ? 16 : 2 * reach->capacity;
        struct reach_knob *more = realloc(reach->knob, (size_t)capacity * sizeof *more);

        if (more == NULL)
            return STATUS_MEMORY;
        reach->knob = more;
        reach->capacity = capacity;
    }
    reach->knob[reach->count++] = *knob;
    return STATUS_OK;
}

static void name_values(const struct seeker *seeker, struct reach_knob *knob, const char *to)
{
    char from[2304];

    knob_print_in_force(seeker->design, seeker->result, knob->ref, from, sizeof from);
    snprintf(knob->from, sizeof knob->from, "%.*s", STEP_FROM - 1, from);
    snprintf(knob->to, sizeof knob->to, "%s", to);
}

/* Not by a slower camera. */
static bool meets(const struct seeker *seeker, const struct verdict *after)
{
    return after->met && !verdict_is_later(after, &seeker->now);
}

static enum status climb(const struct seeker *seeker, struct knob_ref ref, int way,
                         struct reach *reach)
{
    double value = knob_number_in_force(seeker->design, seeker->result, ref);
    struct reach_knob knob = {.ref = ref, .way = way};
    char text[LADDER_VALUE];

    while (value != RESULT_NONE && knob.steps < REACH_RUNGS &&
           ladder_next(seeker->ladder, seeker->design, ref, value, way, &value)) {
        knob.steps++;
        if (!trial_number(seeker->trial, seeker->design, ref, value, &knob.after) ||
            !meets(seeker, &knob.after))
            continue;
        quantity_format(value, ref.knob->unit, text, sizeof text);
        name_values(seeker, &knob, text);
        return keep(reach, &knob);
    }
    return STATUS_OK;
}

static enum status choose(const struct seeker *seeker, struct knob_ref ref,
                          struct ladder_step *step, struct reach *reach)
{
    int count = ladder_steps(seeker->ladder, seeker->design, seeker->result, ref, step);
    enum status status = STATUS_OK;

    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct reach_knob knob = {.ref = ref, .steps = 1};

        if (!trial_text(seeker->trial, seeker->design, ref, step[i].value, &knob.after) ||
            !meets(seeker, &knob.after))
            continue;
        name_values(seeker, &knob, step[i].value);
        status = keep(reach, &knob);
    }
    return status;
}

static int by_steps(const void *x, const void *y)
{
    const struct reach_knob *a = x;
    const struct reach_knob *b = y;
    int order = knob_order(a->ref, b->ref);

    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    if (a->after.latency != b->after.latency)
        return a->after.latency < b->after.latency ? -1 : 1;
    return order != 0 ? order : strcmp(a->to, b->to);
}

static enum status seek_knobs(const struct seeker *seeker, struct reach *reach)
{
    struct ladder_step *step = malloc(LADDER_STEPS * sizeof *step);
    enum status status = step == NULL ? STATUS_MEMORY : STATUS_OK;
    struct knob_ref ref = {.knob = NULL};

    while (status == STATUS_OK && knob_next(seeker->design, &ref)) {
        if (!knob_is_choice(ref.knob) || knob_idle(seeker->design, ref))
            continue;
        if (!progress_tell(seeker->progress, seeker->from))
            status = STATUS_STOPPED;
        else if (!knob_is_number(ref.knob))
            status = choose(seeker, ref, step, reach);
        else
            for (int way = -1; way <= 1 && status == STATUS_OK; way += 2)
                status = climb(seeker, ref, way, reach);
    }
    free(step);
    if (reach->count > 0)
        qsort(reach->knob, (size_t)reach->count, sizeof *reach->knob, by_steps);
    return status;
}

/* Several -------------------------------------------------------------------------------------- */

/* The step after which least is left to be done; NULL: none helps. */
static const struct advice *best_of(const struct advice_list *list, double strain, double target)
{
    const struct advice *best = NULL;
    double least = strain * HELPS;

    for (int i = 0; i < list->count; i++) {
        double after = verdict_strain(&list->at[i].after, target);

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
static enum status go_on(struct seeker *seeker, struct trial *design, unsigned roles,
                         struct reach_way *way)
{
    const struct progress progress = {tell_same, seeker};
    struct advice_list list = {0, 0, NULL};
    const struct advice *best;
    enum status status;

    status = steps_find(seeker->ladder, &design->scenario, &design->result, seeker->trial, roles,
                        false, &progress, &list, seeker->error);
    if (status == STATUS_OK) {
        best = best_of(&list, verdict_strain(&way->after, design->result.target),
                       design->result.target);
        way->exhausted = best == NULL;
        if (best != NULL) {
            way->step[way->count++] = *best;
            knob_set_text(&design->scenario, best->ref, best->to, NULL);
            trial_evaluate(design, &way->after);
        }
    }
    steps_free(&list);
    return status;
}

static enum status seek_way(struct seeker *seeker, struct trial *design, unsigned roles,
                            struct reach_way *way)
{
    enum status status = STATUS_OK;
    double from = seeker->from;

    scenario_copy(&design->scenario, seeker->design);
    if (!trial_evaluate(design, &way->after))
        return STATUS_OK;
    while (status == STATUS_OK && !way->after.met && !way->exhausted && way->count < REACH_STEPS) {
        seeker->from = from + (seeker->to - from) * way->count / REACH_STEPS;
        status = go_on(seeker, design, roles, way);
    }
    way->gain = seeker->result->latency - way->after.latency;
    return status;
}

enum status reach_find(const struct ladder *ladder, const struct scenario *design,
                       const struct result *result, struct trial *trial,
                       const struct progress *progress, struct reach *reach, struct error *error)
{
    struct seeker seeker = {
        .ladder = ladder,
        .design = design,
        .result = result,
        .trial = trial,
        .progress = progress,
        .error = error,
    };
    struct trial *changed = NULL;
    enum status status;

    *reach = (struct reach){0};
    verdict_of(result, &seeker.now);
    reach->met = seeker.now.met;
    if (reach->met)
        return STATUS_OK;
    status = trial_new(&changed, design, error);
    if (status == STATUS_OK)
        status = seek_knobs(&seeker, reach);
    for (int from = 0; from < REACH_COUNT && status == STATUS_OK; from++) {
        seeker.from = (1.0 + from) / (1 + REACH_COUNT);
        seeker.to = (2.0 + from) / (1 + REACH_COUNT);
        status = seek_way(&seeker, changed, sources[from].roles, &reach->way[from]);
    }
    trial_free(changed);
    if (status != STATUS_OK)
        error_set(error, status, status == STATUS_STOPPED ? "stopped" : "out of memory");
    return status;
}
