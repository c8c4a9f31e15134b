#include <math.h>
#include <string.h>

#include "larger.h"
#include "outcome.h"

static const struct node_result *slowest(const struct node_result *part, int parts)
{
    const struct node_result *most = part;

    for (int p = 1; p < parts; p++)
        if (part[p].time > most->time)
            most = &part[p];
    return most;
}

/* The slack of the part that has least, where all have some. */
static double least_slack(double slack, double other)
{
    if (slack == RESULT_NONE || other == RESULT_NONE)
        return RESULT_NONE;
    return smaller(slack, other);
}

/* Times that need not be the slowest part's; the sums of the work. */
static void take_in(struct node_result *whole, const struct node_result *part)
{
    whole->flop += part->flop;
    whole->bytes += part->bytes;
    whole->deferred_flop += part->deferred_flop;
    whole->deferred_bytes += part->deferred_bytes;
    whole->working_set += part->working_set;
    whole->compute = larger(whole->compute, part->compute);
    whole->memory = larger(whole->memory, part->memory);
    whole->busy = larger(whole->busy, part->busy);
    whole->deferred = larger(whole->deferred, part->deferred);
    whole->path_wait += part->path_wait;
    whole->path_busy += part->path_busy;
    whole->first_start = smaller(whole->first_start, part->first_start);
    whole->last_end = larger(whole->last_end, part->last_end);
    whole->slack = least_slack(whole->slack, part->slack);
}

void outcome_whole(const struct scenario *scenario, const struct workspace *work,
                   struct result *result)
{
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        struct node_result *whole = &result->node[n];
        const struct node_result *part = &result->node[n + 1];

        if (!plan_node_is_whole(node))
            continue;
        *whole = *slowest(part, node->parts);
        memcpy(whole->name, node->name, sizeof whole->name);
        whole->device = -1;
        whole->part = -1;
        whole->flop = whole->bytes = whole->working_set = 0;
        whole->deferred_flop = whole->deferred_bytes = 0;
        whole->path_wait = whole->path_busy = 0;
        for (int p = 0; p < node->parts; p++)
            take_in(whole, &part[p]);
        if (scenario->component[node->component].split == SPLIT_ROWS)
            whole->rows = round(whole->rows * node->parts);
        else
            whole->columns = round(whole->columns * node->parts);
    }
}
