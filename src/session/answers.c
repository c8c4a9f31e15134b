#include "session/answers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/allocate.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/outcome.h"

/* Designs that take long ----------------------------------------------------------------------- */

static void find_results(struct worker *worker, void *job)
{
    struct evaluation_answer *answer = job;
    const struct progress progress = {worker_goes_on, worker};

    result_init(&answer->result);
    result_watch(&answer->result, &progress);
    if (evaluate_design(&answer->scenario, &answer->result, &answer->error) == STATUS_OK) {
        /* as long again; nobody waits for them later */
        result_slack(&answer->result, 0);
        schedule_capture(&answer->schedule, &answer->scenario, &answer->result, NULL);
    }
    result_watch(&answer->result, NULL);
}

static void release_results(void *job)
{
    struct evaluation_answer *answer = job;

    result_free(&answer->result);
    schedule_free(&answer->schedule);
    free(answer);
}

const struct answer_kind evaluation_kind = {"the design", find_results, release_results};

void evaluation_ask(struct answer *answer, unsigned long version, const struct scenario *scenario)
{
    struct evaluation_answer *job;

    if (!answer_due(answer, (struct question){version, 0}))
        return;
    job = allocate_array(1, sizeof *job);
    scenario_copy(&job->scenario, scenario);
    answer_begin(answer, job);
}

/* Range and jitter ----------------------------------------------------------------------------- */

#define JITTER_NICE 10

static void find_range(struct worker *worker, void *job)
{
    struct range_answer *answer = job;
    const struct progress progress = {worker_goes_on, worker};

    /* on Linux only this thread: keys have priority */
    setpriority(PRIO_PROCESS, 0, JITTER_NICE);
    result_init(&answer->result);
    result_watch(&answer->result, &progress);
    answer->status =
        range_find(&answer->scenario, &answer->result, NULL, &progress, &answer->range, NULL);
    if (answer->status == STATUS_OK && jitter_any(&answer->scenario))
        answer->status = jitter_run(&answer->scenario, &answer->result, JITTER_FRAMES, JITTER_SEED,
                                    JITTER_STEPS, &progress, &answer->jitter, NULL);
    result_free(&answer->result);
}

const struct answer_kind range_kind = {"range and jitter", find_range, free};

void range_ask(struct answer *answer, unsigned long version, const struct scenario *scenario)
{
    struct range_answer *job;

    if (!answer_due(answer, (struct question){version, 0}))
        return;
    job = allocate_array(1, sizeof *job);
    scenario_copy(&job->scenario, scenario);
    answer_begin(answer, job);
}

/* The error budget ----------------------------------------------------------------------------- */

static void find_budget(struct worker *worker, void *job)
{
    struct budget_answer *answer = job;
    struct pace pace = {.progress = &(struct progress){worker_goes_on, worker}};

    answer->budget.pace = &pace;
    answer->error.status = budget_fill(&answer->budget, &answer->scenario, &answer->result,
                                       BUDGET_ALL, &answer->error);
    answer->budget.pace = NULL;
    if (answer->error.status != STATUS_OK)
        return;
    loop_curves_find(&answer->budget, &answer->curves);
    derived_take_budget(&answer->budget, DERIVED_LOOP, &answer->result.loop);
}

const struct answer_kind budget_kind = {"the error budget", find_budget, free};

void budget_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
                const struct result *result)
{
    struct budget_answer *job;

    if (!answer_due(answer, (struct question){version, 0}))
        return;
    job = allocate_array(1, sizeof *job);
    scenario_copy(&job->scenario, scenario);
    job->result.loop = result->loop;
    memcpy(job->result.wfs, result->wfs, sizeof job->result.wfs);
    memcpy(job->result.dm, result->dm, sizeof job->result.dm);
    job->result.dm_count = result->dm_count;
    answer_begin(answer, job);
}

/* Two designs ---------------------------------------------------------------------------------- */

static void find_both(struct worker *worker, void *job)
{
    struct both_answer *answer = job;
    const struct progress progress = {worker_goes_on, worker};
    struct error error;

    for (int s = 0; s < 2 && answer->status == STATUS_OK; s++) {
        result_init(&answer->result[s]);
        result_watch(&answer->result[s], &progress);
        answer->status = range_find(&answer->scenario[s], &answer->result[s], NULL, &progress,
                                    &answer->range[s], NULL);
        if (answer->status == STATUS_OK)
            answer->status = derived_add_budget(&answer->scenario[s], &answer->result[s],
                                                DERIVED_BUDGET, &error);
    }
}

static void release_both(void *job)
{
    struct both_answer *answer = job;

    for (int s = 0; s < 2; s++)
        result_free(&answer->result[s]);
    free(answer);
}

const struct answer_kind both_kind = {"ranges and loops of both designs", find_both, release_both};

void both_ask(struct answer *answer, unsigned long number, const struct scenario *one,
              const struct scenario *other)
{
    struct both_answer *job;

    if (!answer_due(answer, (struct question){number, 0}))
        return;
    job = allocate_array(1, sizeof *job);
    scenario_copy(&job->scenario[0], one);
    scenario_copy(&job->scenario[1], other);
    answer_begin(answer, job);
}

/* The next cliff ------------------------------------------------------------------------------- */

static void find_cliff(struct worker *worker, void *job)
{
    struct cliff_answer *answer = job;
    const struct progress progress = {worker_goes_on, worker};
    struct trial *trial = trial_new(&answer->scenario, &progress);
    const struct latency_range *range;

    if (trial_start(trial, NULL)) {
        range = trial_present_range(trial);
        answer->found = cliff_near(trial, answer->ref, range != NULL ? range->high : RESULT_NONE,
                                   &answer->cliff);
    }
    trial_free(trial);
}

const struct answer_kind cliff_kind = {"the next cliff", find_cliff, free};

void cliff_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
               struct knob_ref ref)
{
    unsigned long detail = (unsigned long)knob_id(ref.knob) * COMPONENT_MAX;
    struct cliff_answer *job;

    if (!answer_due(answer, (struct question){version, detail + (unsigned long)ref.index}))
        return;
    job = allocate_array(1, sizeof *job);
    job->ref = ref;
    scenario_copy(&job->scenario, scenario);
    answer_begin(answer, job);
}

/* The next steps ------------------------------------------------------------------------------- */

static void find_steps(struct worker *worker, void *job)
{
    struct steps_answer *answer = job;
    const struct progress progress = {worker_goes_on, worker};

    if (answer->sensitive) {
        answer->status = sensitivity_list(&answer->loaded, ~(1U << ROLE_IDENTITY), &progress,
                                          answer->knob, STEPS_KNOBS, &answer->knob_count, NULL);
        answer->sensitive = answer->status == STATUS_OK;
    }
    if (answer->status == STATUS_OK)
        answer->status =
            advise_new(&answer->advise, &answer->scenario, answer->values, &progress, NULL);
    if (answer->status == STATUS_OK)
        answer->status = advise_find(answer->advise, ADVISE_NEXT, &progress, NULL);
}

static void release_steps(void *job)
{
    struct steps_answer *answer = job;

    advise_free(answer->advise);
    free(answer);
}

const struct answer_kind steps_kind = {"next steps", find_steps, release_steps};

void steps_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
               const struct scenario *loaded, const struct part_values *values)
{
    struct steps_answer *job;

    if (!answer_due(answer, (struct question){version, 0}))
        return;
    job = allocate_array(1, sizeof *job);
    job->values = values;
    scenario_copy(&job->scenario, scenario);
    if (loaded != NULL) {
        job->sensitive = true;
        scenario_copy(&job->loaded, loaded);
    }
    answer_begin(answer, job);
}

/* Advice --------------------------------------------------------------------------------------- */

static uint64_t users_of(const struct scenario *scenario, int device)
{
    uint64_t components = 0;

    for (int c = 0; c < scenario->component_count; c++)
        components |= (uint64_t)(scenario_devices(scenario, c) >> device & 1U) << c;
    return components;
}

/* Returns true if an earlier device has the same preset and runs the same components. */
static bool is_alike(const struct scenario *scenario, int device)
{
    for (int d = 0; d < device; d++)
        if (users_of(scenario, d) == users_of(scenario, device) &&
            strcmp(scenario->device[d].preset, scenario->device[device].preset) == 0)
            return true;
    return false;
}

static enum status rank_devices(struct advice_answer *answer, const struct progress *progress)
{
    struct advise *advise = answer->advise;
    const struct scenario *scenario = advise->design;
    enum status status = STATUS_OK;

    for (int d = 0; d < scenario->device_count && status == STATUS_OK; d++) {
        const struct rank_question question = {.device = d};

        if (users_of(scenario, d) == 0 || is_alike(scenario, d))
            continue;
        status = rank_presets(scenario, answer->catalogue, question, RANK_LATENCY, progress,
                              &answer->rank[answer->rank_count], &answer->error);
        if (status == STATUS_OK)
            answer->rank_count++;
        else
            rank_free(&answer->rank[answer->rank_count]);
    }
    return status;
}

static enum status compute_part(struct advice_answer *answer, enum advice_part part,
                                const struct progress *progress)
{
    static const enum advise_part parts[ADVICE_PARTS] = {[ADVICE_STEPS] = ADVISE_STEPS,
                                                         [ADVICE_TARGET] = ADVISE_TARGET,
                                                         [ADVICE_SHARES] = ADVISE_SHARES,
                                                         [ADVICE_PACKETS] = ADVISE_PACKETS,
                                                         [ADVICE_RANGE] = ADVISE_RANGE};

    if (part == ADVICE_RANK)
        return rank_devices(answer, progress);
    return advise_find(answer->advise, parts[part], progress, &answer->error);
}

static void find_advice(struct worker *worker, void *job)
{
    struct advice_answer *answer = job;
    const struct progress progress = {worker_report, worker};

    if (advise_new(&answer->advise, &answer->scenario, answer->values, &progress, &answer->error) !=
        STATUS_OK)
        return;
    for (int part = 0; part < ADVICE_PARTS; part++) {
        if (compute_part(answer, (enum advice_part)part, &progress) != STATUS_OK)
            return;
        atomic_store(&answer->parts, part + 1);
        worker_notify(worker);
    }
}

static void release_advice(void *job)
{
    struct advice_answer *answer = job;

    for (int r = 0; r < answer->rank_count; r++)
        rank_free(&answer->rank[r]);
    advise_free(answer->advise);
    free(answer);
}

const struct answer_kind advice_kind = {"advice", find_advice, release_advice};

void advice_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
                const struct part_values *values, struct catalogue *catalogue)
{
    struct advice_answer *job;

    if (!answer_due(answer, (struct question){version, 0}))
        return;
    job = allocate_array(1, sizeof *job);
    job->values = values;
    job->catalogue = catalogue;
    scenario_copy(&job->scenario, scenario);
    answer_begin(answer, job);
}
