#include "explore/seek.h"

#include <stdlib.h>

#include "evaluate.h"
#include "explore/seek_search.h"

/* Choices ------------------------------------------------------------------------------------- */

static enum preset_kind kind_of(const struct search *search)
{
    int device = search->seek->ref.index;

    return search->scenario->device[device].kind == DEVICE_CPU ? PRESET_CPU : PRESET_GPU;
}

/* Names the next choice from `*at` on; false: there is none. */
static bool next_choice(const struct search *search, int *at, const char **name)
{
    struct knob_ref ref = search->seek->ref;

    if (ref.knob->type != KNOB_PRESET) {
        if (*at >= knob_choice_count(search->scenario, ref))
            return false;
        *name = knob_choice_name(search->scenario, ref, (*at)++);
        return true;
    }
    while (*at < catalogue_count(search->catalogue)) {
        const struct preset *preset = catalogue_at(search->catalogue, (*at)++);

        *name = preset->name;
        if (preset->kind == kind_of(search))
            return true;
    }
    return false;
}

static void seek_choice(struct search *search)
{
    struct seek *seek = search->seek;
    const char *name;
    int count = 0;

    for (int at = 0; next_choice(search, &at, &name);)
        count++;
    seek->choice = calloc((size_t)count + 1, sizeof *seek->choice);
    if (seek->choice == NULL) {
        search->status = error_set(search->error, STATUS_MEMORY, "there is not enough memory");
        return;
    }
    for (int at = 0; search->status == STATUS_OK && next_choice(search, &at, &name);
         seek->count++) {
        struct seek_point *point = &seek->choice[seek->count];

        search->done = seek->count / (double)count;
        search_choice(search, seek->count, name, point);
        if (!seek->found && search_holds(point)) {
            seek->found = true;
            seek->answer = *point;
        }
    }
}

/* -------------------------------------------------------------------------------------------- */

enum status seek_check(const struct scenario *scenario, struct knob_ref ref, struct error *error)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        if (ref.knob->max <= ref.knob->min)
            return error_set(error, STATUS_INVALID, "%s has one value only", path);
        return STATUS_OK;
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        if (knob_choice_count(scenario, ref) < 2)
            return error_set(error, STATUS_INVALID, "%s leaves nothing to choose here", path);
        return STATUS_OK;
    case KNOB_PRESET:
        return STATUS_OK;
    case KNOB_TEXT:
    case KNOB_COMPONENTS:
    case KNOB_TRACE:
        break;
    }
    return error_set(error, STATUS_INVALID,
                     "%s is neither a number nor a choice, so there is nothing to seek", path);
}

enum status seek_knob(const struct scenario *scenario, struct catalogue *catalogue,
                      struct knob_ref ref, const struct conditions *conditions,
                      const struct progress *progress, struct result *result, struct seek *seek,
                      struct error *error)
{
    struct search search = {.scenario = scenario,
                            .work = malloc(sizeof *search.work),
                            .catalogue = catalogue,
                            .result = result,
                            .progress = progress,
                            .seek = seek,
                            .unit = {DIMENSION_NUMBER, 1, 1},
                            .error = error};

    *seek = (struct seek){.ref = ref, .conditions = *conditions};
    search.status = seek_check(scenario, ref, error);
    if (search.work == NULL)
        search.status = error_set(error, STATUS_MEMORY, "there is not enough memory");
    if (search.status == STATUS_OK) {
        seek->choices = !knob_is_number(ref.knob);
        unit_find(ref.knob->unit, &search.unit);
        scenario_copy(search.work, scenario);
        search_present(&search, &seek->present);
        seek->best = seek->present;
        if (seek->choices)
            seek_choice(&search);
        else
            search_numbers(&search);
    }
    free(search.work);
    if (search.status != STATUS_OK)
        seek_free(seek);
    return search.status;
}

/* Sets the answer of a search. */
static enum status set_answer(struct scenario *scenario, struct catalogue *catalogue,
                              const struct seek *seek, struct error *error)
{
    const struct seek_point *answer = &seek->answer;

    if (!seek->choices)
        return knob_set_number(scenario, seek->ref, answer->value, error);
    if (seek->ref.knob->type == KNOB_PRESET)
        return scenario_set_preset(scenario, seek->ref.index, catalogue, answer->text, error);
    return knob_set_text(scenario, seek->ref, answer->text, error);
}

enum status seek_sample(const struct scenario *scenario, struct catalogue *catalogue,
                        struct knob_ref ref, struct scenario *sample, struct result *result,
                        struct error *error)
{
    const struct conditions none = {.count = 0}; /* which every design with a meaning fulfils */
    struct error problem;
    struct seek seek;
    enum status status;
    char path[96];

    scenario_copy(sample, scenario);
    if (evaluate(sample, result, &problem) == STATUS_OK)
        return STATUS_OK;
    status = seek_knob(scenario, catalogue, ref, &none, NULL, result, &seek, error);
    if (status != STATUS_OK)
        return status;
    knob_path(scenario, ref, path, sizeof path);
    if (seek.found)
        status = set_answer(sample, catalogue, &seek, error);
    else
        status = error_set(error, STATUS_INVALID, "%s; no other value of %s mends that",
                           problem.message, path);
    seek_free(&seek);
    return status == STATUS_OK ? evaluate(sample, result, error) : status;
}

bool seek_feasible(const struct seek *seek)
{
    return seek->found || search_holds(&seek->present);
}

void seek_free(struct seek *seek)
{
    free(seek->choice);
    seek->choice = NULL;
    seek->count = 0;
}
