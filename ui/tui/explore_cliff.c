#include <stdlib.h>

#include "base/allocate.h"
#include "design/scenario_edit.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "model/range.h"
#include "tui/view_explore.h"

struct cliff_job {
    long design; /* number of the design, as in struct explore_jitter */
    struct knob_ref ref;
    struct scenario scenario;
    struct result result;
    bool found;
    struct cliff cliff;
};

/* Returns the upper end of the range of the design's latency. */
static double find_high(const struct cliff_job *job, struct candidate *candidate)
{
    struct latency_range range;

    return range_find(&job->scenario, &candidate->result, NULL, NULL, &range, NULL) == STATUS_OK
               ? range.high
               : RESULT_NONE;
}

static void run_cliff_job(struct worker *worker, void *context)
{
    struct cliff_job *job = context;
    const struct progress progress = {worker_goes_on, worker};
    struct candidate *candidate = candidate_watched(&job->scenario, &progress);

    job->found = false;
    if (job->result.work == NULL)
        result_init(&job->result);
    result_watch(&job->result, &progress);
    if (evaluate(&job->scenario, &job->result, NULL) == STATUS_OK)
        job->found = cliff_near(&job->scenario, &job->result, find_high(job, candidate), job->ref,
                                candidate, &job->cliff);
    candidate_free(candidate);
}

static bool same_question(const struct cliff_job *job, const struct explore *explore,
                          struct knob_ref ref)
{
    return job->design == explore->jitter.design && knob_order(job->ref, ref) == 0;
}

const struct cliff *explore_cliff_at(struct explore *explore, struct knob_ref ref)
{
    struct explore_cliff *cliff = &explore->cliff;
    struct error error;

    if (cliff->worker.running || !design_is_valid(explore->design) ||
        knob_idle(&explore->design->scenario, ref))
        return NULL;
    if (cliff->job == NULL)
        cliff->job = allocate_array(1, sizeof *cliff->job);
    if (cliff->job->design != 0 && same_question(cliff->job, explore, ref))
        return cliff->job->found ? &cliff->job->cliff : NULL;
    if (!worker_may_start(&cliff->worker, &explore->host->bell))
        return NULL;
    cliff->job->design = explore->jitter.design;
    cliff->job->ref = ref;
    scenario_copy(&cliff->job->scenario, &explore->design->scenario);
    worker_start(&cliff->worker, &explore->host->bell, "the next cliff", run_cliff_job, cliff->job,
                 &error);
    return NULL;
}

void explore_cliff_free(struct explore *explore)
{
    struct explore_cliff *cliff = &explore->cliff;

    worker_close(&cliff->worker);
    if (cliff->job != NULL)
        result_free(&cliff->job->result);
    free(cliff->job);
    cliff->job = NULL;
}
