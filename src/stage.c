#include "stage.h"

#include <string.h>

/* A node that was of another kind leaves nothing behind. */
static void clear(struct stage *stage, struct track *track)
{
    double *end = track->end;

    memset(stage, 0, sizeof *stage);
    memset(track, 0, sizeof *track);
    track->end = end;
}

/* What only stands for its parts has nothing to do. */
static void stage_whole(struct stage *stage, struct track *track, int packets)
{
    track->kind = TRACK_COMPUTE;
    stage->weights = (struct weights){NULL, packets - 1, 1};
    track->weights = stage->weights;
    stage->divisor = 1;
    track->divisor = 1;
    track->device = -1;
}

/* What decides who goes first and what it meets. A component's part of a fluid device is its stated
 * share, against 1 of those who state none. */
static void place(const struct scenario *scenario, const struct plan_node *node,
                  const struct stage *stage, struct track *track, int n)
{
    const struct component *c = node->component < 0 ? NULL : &scenario->component[node->component];

    track->command = node->command;
    track->divisor = (int)stage->divisor;
    track->device = node->device;
    track->turn = n;
    if (node->device >= 0) {
        track->turn += ((int)c->priority * COMPONENT_MAX + node->component) * NODE_MAX;
        track->share = c->share > 0 ? c->share : 1;
    }
}

enum status stage_prepare(struct workspace *work, const struct scenario *scenario,
                          struct error *error)
{
    const struct plan *plan = &work->plan;

    if (stage_agendas(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < plan->count; n++) {
        const struct plan_node *node = &plan->node[n];
        struct track *track = &work->track[n];
        struct stage *stage = &work->stage[n];

        if (work->rebuilt)
            clear(stage, track);
        track->before = &plan->pool[node->before_first];
        track->before_count = node->before_count;
        track->queue[0] = track->queue[1] = NO_QUEUE;
        stage->program = NULL; /* that of the last design may be gone */
        if (plan_node_is_whole(node)) {
            stage_whole(stage, track, (int)scenario->general.packets);
            continue;
        }
        stage_flow(work, scenario, n);
        track->weights = stage->weights;
        place(scenario, node, stage, track, n);
        if (node->type == COMPONENT_CAMERA)
            stage_camera(work, scenario, n);
        else if (node->device >= 0)
            stage_demand(work, scenario, n);
        else
            stage_link(work, scenario, n);
    }
    /* caches hold the working sets of all, so no time is known before all of those are */
    if (stage_memory(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < plan->count; n++) {
        if (plan->node[n].device >= 0)
            stage_work(work, scenario, n);
        if (plan->node[n].type == COMPONENT_PROGRAM &&
            stage_program(work, scenario, n, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return stage_shares(work, scenario, error);
}
