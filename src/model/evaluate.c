#include "model/evaluate.h"

#include <stdlib.h>

#include "model/frames.h"
#include "model/load.h"
#include "model/outcome.h"
#include "model/stage.h"

enum status result_init(struct result *result, struct error *error)
{
    const size_t agendas = 2 * WFS_MAX;
    const size_t rows = NODE_MAX + agendas + COMPONENT_MAX + 1;
    const size_t steps = SIMULATION_SLOTS * sizeof(struct simulation_step) / sizeof(double);
    struct workspace *work;
    double *at;

    *result = (struct result){.bound_node = -1};
    result->work = work = calloc(1, sizeof *work);
    result->node = calloc(NODE_MAX, sizeof *result->node);
    result->path = calloc(NODE_MAX, sizeof *result->path);
    /* rows that a design does not use are never touched and take no memory */
    at = calloc(rows * PACKETS_MAX + 2 * SIMULATION_SLOTS + steps, sizeof *at);
    if (work == NULL || result->node == NULL || result->path == NULL || at == NULL) {
        free(at);
        result_free(result);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    work->storage = at;
    for (int n = 0; n < NODE_MAX; n++, at += PACKETS_MAX)
        work->track[n].end = at;
    for (int i = 0; i < WFS_MAX; i++) {
        work->agenda[i].pixel = at;
        work->agenda[i].element = at + PACKETS_MAX;
        at += 2 * PACKETS_MAX;
    }
    for (int i = 0; i < COMPONENT_MAX; i++, at += PACKETS_MAX)
        work->join[i] = at;
    work->scratch = at;
    work->simulation.ends = at + PACKETS_MAX;
    work->simulation.begins = work->simulation.ends + SIMULATION_SLOTS;
    work->simulation.step = (void *)(work->simulation.begins + SIMULATION_SLOTS);
    return STATUS_OK;
}

void result_free(struct result *result)
{
    if (result->work != NULL)
        free(result->work->storage);
    free(result->work);
    free(result->node);
    free(result->path);
    *result = (struct result){.bound_node = -1};
}

static bool any_deferred_work(const struct workspace *work)
{
    for (int n = 0; n < work->plan.count; n++)
        if (work->stage[n].deferred_time > 0)
            return true;
    return false;
}

/* Runs one frame in an idle system, or several if frames overlap. */
static void run_timeline(const struct scenario *scenario, struct workspace *work,
                         const struct result *result)
{
    struct timeline *timeline = &work->timeline;
    bool shared = scenario->general.sharing != SHARING_PARTITION;
    int limit = contention_frames(work->plan.count, (int)scenario->general.packets);

    *timeline = (struct timeline){.tracks = work->track,
                                  .count = work->plan.count,
                                  .packets = (int)scenario->general.packets,
                                  .sharing = (enum sharing)scenario->general.sharing,
                                  .queued = work->plan.queued,
                                  .frames = 1,
                                  .period = result->frame_period,
                                  .scratch = work->scratch,
                                  .simulation = &work->simulation};
    if (!result->overloaded && any_deferred_work(work))
        frames_choose(timeline, limit);
    contention_run(timeline);
    if (timeline->frames == 1 && shared && !result->overloaded &&
        outcome_latency(work) > frames_step(timeline) * result->frame_period) {
        frames_choose(timeline, limit);
        contention_run(timeline);
    }
}

enum status evaluate(const struct scenario *scenario, struct result *result, struct error *error)
{
    struct workspace *work = result->work;

    if (plan_update(&work->plan, scenario, &work->rebuilt, error) != STATUS_OK ||
        stage_prepare(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    load_fill(scenario, work, result);
    run_timeline(scenario, work, result);
    outcome_fill(scenario, work, result);
    return STATUS_OK;
}
