#include "overload.h"

#include <math.h>
#include <stdint.h>

static void offer(struct overload list[OVERLOAD_MAX], int *count, const char *name, double busy,
                  double period)
{
    int at = *count < OVERLOAD_MAX ? *count : OVERLOAD_MAX;

    if (busy <= period * (1 + 1e-12))
        return;
    for (int i = 0; i < at; i++)
        if (fabs(list[i].busy - busy) <= 1e-9 * busy)
            return;
    ++*count;
    for (; at > 0 && list[at - 1].busy < busy; at--)
        if (at < OVERLOAD_MAX)
            list[at] = list[at - 1];
    if (at < OVERLOAD_MAX)
        list[at] = (struct overload){name, busy};
}

/* Every how many frames a component works: as often as the most frequent of what feeds it. */
static double divisor_of(const struct scenario *scenario, const double *divisors, int component)
{
    uint64_t before = scenario_predecessors(scenario, component);
    int wfs = scenario_wfs(scenario, component);
    double divisor = 0;

    if (scenario->component[component].type == COMPONENT_CAMERA)
        return wfs < 0 ? 1 : scenario->wfs[wfs].rate_divisor;
    for (int c = 0; c < scenario->component_count; c++)
        if ((before >> c & 1) != 0 && divisors[c] > 0 && (divisor <= 0 || divisors[c] < divisor))
            divisor = divisors[c];
    return divisor > 0 ? divisor : 1;
}

int overloads(const struct scenario *scenario, const struct result *result,
              struct overload list[OVERLOAD_MAX])
{
    double divisors[COMPONENT_MAX] = {0};
    double period = result->frame_period;
    int count = 0;

    /* nodes come in the order of the pipeline; transfers keep a link busy, which comes below */
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];

        if (node->component < 0 || node->part >= 0)
            continue;
        divisors[node->component] = divisor_of(scenario, divisors, node->component);
        offer(list, &count, node->name, node->busy / divisors[node->component], period);
    }
    for (int d = 0; d < result->device_count; d++)
        offer(list, &count, scenario->device[d].head.name, result->device[d].busy, period);
    for (int l = 0; l < result->link_count; l++)
        offer(list, &count, result->link[l].name, result->link[l].busy, period);
    return count;
}
