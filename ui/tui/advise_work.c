#include "tui/advise_work.h"

#include <stdlib.h>
#include <string.h>

#include "tui/host.h"
#include "tui/view_advise.h"

/* The worker's thread ---------------------------------------------------------------------------
 */

static uint64_t users(const struct scenario *scenario, int device)
{
    uint64_t components = 0;

    for (int c = 0; c < scenario->component_count; c++)
        components |= (uint64_t)(scenario_devices(scenario, c) >> device & 1U) << c;
    return components;
}

/* Whether one before it is of the same preset and has the same to do: parts of one matrix. */
static bool is_alike(const struct scenario *scenario, int device)
{
    for (int d = 0; d < device; d++)
        if (users(scenario, d) == users(scenario, device) &&
            strcmp(scenario->device[d].preset, scenario->device[device].preset) == 0)
            return true;
    return false;
}

static enum status rank_devices(struct advise_work *work, const struct progress *progress)
{
    struct advise *advise = work->advise;
    const struct scenario *scenario = &advise->design->scenario;
    enum status status = STATUS_OK;

    for (int d = 0; d < scenario->device_count && status == STATUS_OK; d++) {
        const struct rank_question question = {.device = d};

        if (users(scenario, d) == 0 || is_alike(scenario, d))
            continue;
        status =
            rank_presets(scenario, work->catalogue, question, RANK_LATENCY, progress,
                         &advise->candidate->result, &work->rank[work->rank_count], &work->error);
        work->rank_count += status == STATUS_OK;
    }
    return status;
}

static enum status find_part(struct advise_work *work, enum advise_work_part part,
                             const struct progress *progress)
{
    static const enum advise_part parts[WORK_PARTS] = {[WORK_STEPS] = ADVISE_STEPS,
                                                       [WORK_REACH] = ADVISE_TARGET,
                                                       [WORK_SHARES] = ADVISE_SHARES,
                                                       [WORK_PACKETS] = ADVISE_PACKETS};

    if (part == WORK_RANK)
        return rank_devices(work, progress);
    return advise_find(work->advise, parts[part], progress, &work->error);
}

static void run(struct worker *worker, void *context)
{
    struct advise_work *work = context;
    const struct progress progress = {worker_tell, worker};

    for (int part = 0; part < WORK_PARTS; part++) {
        if (find_part(work, (enum advise_work_part)part, &progress) != STATUS_OK)
            return;
        atomic_store(&work->parts, part + 1);
        worker_ring(worker);
    }
}

/* The screen's ----------------------------------------------------------------------------------
 */

static void work_free(struct advise_work *work)
{
    if (work == NULL)
        return;
    for (int r = 0; r < work->rank_count; r++)
        rank_free(&work->rank[r]);
    advise_free(work->advise);
    free(work);
}

static struct advise_work *work_new(struct advise_view *view, struct error *error)
{
    struct advise_work *work = calloc(1, sizeof *work);

    if (work == NULL) {
        error_set(error, STATUS_MEMORY, "out of memory");
        return NULL;
    }
    work->catalogue = view->host->design.catalogue;
    if (advise_new(&work->advise, &view->host->design.scenario, view->part_values, error) ==
        STATUS_OK)
        return work;
    free(work);
    return NULL;
}

/* Reads the whole catalogue: the worker then changes nothing in it. */
static bool read_catalogue(struct advise_view *view)
{

    if (view->part_values != NULL)
        return true;
    for (int p = 0; p < catalogue_count(view->host->design.catalogue); p++)
        catalogue_title(view->host->design.catalogue, p);
    return part_values_new(&view->part_values, view->host->design.catalogue, &view->problem) ==
           STATUS_OK;
}

void advise_ask(struct advise_view *view)
{
    if (view->running != NULL || view->current || view->problem.status != STATUS_OK ||
        view->host->design.problem.status != STATUS_OK || !read_catalogue(view))
        return;
    view->running = work_new(view, &view->problem);
    view->stale = false;
    if (view->running != NULL && worker_start(&view->worker, &view->host->bell, run, view->running,
                                              &view->problem) != STATUS_OK) {
        work_free(view->running);
        view->running = NULL;
    }
}

void advise_outdate(struct advise_view *view)
{
    view->current = false;
    view->problem.status = STATUS_OK;
    if (view->running != NULL) {
        view->stale = true;
        worker_halt(&view->worker);
    }
}

void advise_close(struct advise_view *view)
{
    worker_close(&view->worker);
    if (view->running != view->shown)
        work_free(view->running);
    work_free(view->shown);
    part_values_free(view->part_values);
    view->running = view->shown = NULL;
    view->part_values = NULL;
}

bool advise_busy(const void *state)
{
    const struct advise_view *view = state;

    return view->running != NULL;
}

static void show(struct advise_view *view, struct advise_work *work)
{
    if (view->shown != work)
        work_free(view->shown);
    view->shown = work;
    view->current = true;
    advise_list_rows(view);
}

void advise_take(void *state)
{
    struct advise_view *view = state;
    struct advise_work *work = view->running;
    bool ended = worker_take(&view->worker);

    if (work == NULL)
        return;
    if (!view->stale && atomic_load(&work->parts) > 0)
        show(view, work);
    if (!ended)
        return;
    view->running = NULL;
    if (work == view->shown) {
        if (!view->stale && atomic_load(&work->parts) < WORK_PARTS)
            view->problem = work->error;
        return;
    }
    if (!view->stale)
        view->problem = work->error;
    work_free(work);
}
