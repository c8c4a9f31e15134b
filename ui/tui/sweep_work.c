#include <stdlib.h>
#include <string.h>

#include "design/knob_text.h"
#include "tui/host.h"
#include "tui/view_sweep.h"

/* Points along each axis, coarse first; a typed axis has its own. */
enum { PASSES = 3 };
static const int points_of_one[PASSES] = {17, 65, 257};
static const int points_of_two[GRID_AXES_MAX][PASSES] = {{13, 33, 97}, {9, 25, 65}};

/* What a worker computes. Its axes are made before it starts: the catalogue is the screen's. */
struct sweep_work {
    struct scenario scenario;
    struct result_ref wanted;
    int axis_count;
    int passes;
    struct axis axis[PASSES][GRID_AXES_MAX];
    struct grid ready; /* shared: the last pass that is whole and was not taken; count 0: none */
    struct error error;
};

static void work_free(struct sweep_work *work)
{
    for (int p = 0; p < PASSES; p++)
        for (int a = 0; a < GRID_AXES_MAX; a++)
            axis_free(&work->axis[p][a]);
    grid_free(&work->ready);
    free(work);
}

static void run(struct worker *worker, void *context)
{
    struct sweep_work *work = context;
    const struct progress progress = {worker_tell, worker};

    for (int p = 0; p < work->passes; p++) {
        struct grid grid;
        enum status status = grid_run(&grid, &work->scenario, work->axis[p], work->axis_count,
                                      &work->wanted, &progress, &work->error);

        memset(work->axis[p], 0, sizeof work->axis[p]); /* the grid took them over */
        if (status != STATUS_OK) {
            grid_free(&grid);
            return;
        }
        pthread_mutex_lock(&worker->shared);
        grid_free(&work->ready);
        work->ready = grid;
        pthread_mutex_unlock(&worker->shared);
        worker_ring(worker);
    }
}

/* Axis `a` of pass `p`; what was typed counts in every pass, of which there is then one. */
static enum status make_axis(struct sweep_view *sweep, struct sweep_work *work, int p, int a,
                             struct error *error)
{
    int points = work->axis_count == 1 ? points_of_one[p] : points_of_two[a][p];
    struct knob_ref ref;

    if (sweep->spec[a][0] != '\0')
        return axis_parse(&work->axis[p][a], &sweep->host->design.scenario,
                          sweep->host->design.catalogue, sweep->spec[a], error);
    if (knob_find(&sweep->host->design.scenario, sweep->path[a], &ref, error) != STATUS_OK)
        return STATUS_INVALID;
    return axis_default(&work->axis[p][a], &sweep->host->design.scenario,
                        sweep->host->design.catalogue, ref, points, error);
}

/* Numbers go along: pictures have words up only. */
static void numbers_first(struct axis axis[GRID_AXES_MAX])
{
    struct axis first = axis[0];

    if (axis[0].number != NULL || axis[1].number == NULL)
        return;
    axis[0] = axis[1];
    axis[1] = first;
}

static enum status make_work(struct sweep_view *sweep, struct sweep_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    bool typed;

    scenario_copy(&work->scenario, &sweep->host->design.scenario);
    work->axis_count = sweep->path[1][0] == '\0' ? 1 : 2;
    typed = sweep->spec[0][0] != '\0' && (work->axis_count == 1 || sweep->spec[1][0] != '\0');
    if (sweep->wanted.row == NULL)
        status = result_find(&sweep->host->design.scenario, &sweep->host->design.result, "latency",
                             &sweep->wanted, error);
    work->wanted = sweep->wanted;
    work->passes = typed ? 1 : PASSES;
    for (int p = 0; p < work->passes && status == STATUS_OK; p++) {
        for (int a = 0; a < work->axis_count && status == STATUS_OK; a++)
            status = make_axis(sweep, work, p, a, error);
        if (status == STATUS_OK && work->axis_count > 1)
            numbers_first(work->axis[p]);
    }
    return status;
}

void sweep_begin(struct sweep_view *sweep)
{
    struct error error = {STATUS_OK, ""};
    enum status status;

    if (!sweep->wants || sweep->worker.running || !sweep->host->design.evaluated)
        return;
    sweep->wants = false;
    sweep->problem[0] = '\0';
    sweep->work = calloc(1, sizeof *sweep->work);
    if (sweep->work == NULL) {
        error_set(&error, STATUS_MEMORY, "out of memory");
        status = error.status;
    } else {
        status = make_work(sweep, sweep->work, &error);
    }
    if (status == STATUS_OK)
        status = worker_start(&sweep->worker, &sweep->host->bell, run, sweep->work, &error);
    if (status == STATUS_OK)
        return;
    memcpy(sweep->problem, error.message, sizeof sweep->problem);
    if (sweep->work != NULL)
        work_free(sweep->work);
    sweep->work = NULL;
    grid_free(&sweep->grid);
}

void sweep_again(void *state)
{
    struct sweep_view *sweep = state;

    sweep->wants = true;
    if (sweep->worker.running)
        worker_halt(&sweep->worker);
}

bool sweep_busy(const void *state)
{
    const struct sweep_view *sweep = state;

    return sweep->worker.running;
}

/* A pass that was computed of what is no longer asked for is not shown. */
void sweep_take(void *state)
{
    struct sweep_view *sweep = state;

    if (!sweep->worker.running)
        return;
    pthread_mutex_lock(&sweep->worker.shared);
    if (sweep->work->ready.count > 0 && !sweep->wants) {
        grid_free(&sweep->grid);
        sweep->grid = sweep->work->ready;
        sweep->work->ready = (struct grid){.count = 0};
    }
    pthread_mutex_unlock(&sweep->worker.shared);
    if (!worker_take(&sweep->worker))
        return;
    if (sweep->work->error.status != STATUS_OK && sweep->work->error.status != STATUS_STOPPED)
        memcpy(sweep->problem, sweep->work->error.message, sizeof sweep->problem);
    if (sweep->work->ready.count > 0 && !sweep->wants) {
        grid_free(&sweep->grid);
        sweep->grid = sweep->work->ready;
        sweep->work->ready = (struct grid){.count = 0};
    }
    work_free(sweep->work);
    sweep->work = NULL;
}

void sweep_close(void *state)
{
    struct sweep_view *sweep = state;

    worker_close(&sweep->worker);
    if (sweep->work != NULL)
        work_free(sweep->work);
    sweep->work = NULL;
    grid_free(&sweep->grid);
}
