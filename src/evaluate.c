#include "evaluate.h"

#include <stdlib.h>

#include "outcome.h"
#include "stage.h"

enum status result_init(struct result *result, struct error *error)
{
    const size_t agendas = 2 * WFS_MAX;
    const size_t rows = NODE_MAX + agendas + COMPONENT_MAX + 1;
    struct workspace *work;
    double *at;

    *result = (struct result){.bound_node = -1};
    result->work = work = calloc(1, sizeof *work);
    result->node = calloc(NODE_MAX, sizeof *result->node);
    /* rows a design does not use are never touched and take no memory */
    at = work == NULL ? NULL : calloc(rows * PACKETS_MAX, sizeof *at);
    if (work == NULL || result->node == NULL || at == NULL) {
        free(at);
        result_free(result);
        return error_set(error, STATUS_MEMORY, "there is not enough memory to evaluate a design");
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
    return STATUS_OK;
}

void result_free(struct result *result)
{
    if (result->work != NULL)
        free(result->work->storage);
    free(result->work);
    free(result->node);
    *result = (struct result){.bound_node = -1};
}

enum status evaluate(const struct scenario *scenario, struct result *result, struct error *error)
{
    struct workspace *work = result->work;

    if (plan_update(&work->plan, scenario, &work->rebuilt, error) != STATUS_OK ||
        stage_prepare(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    timeline_run(work->track, work->plan.count, (int)scenario->general.packets, work->plan.queued,
                 work->scratch);
    outcome_fill(scenario, work, result);
    return STATUS_OK;
}
