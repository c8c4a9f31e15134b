#include "tui/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool baseline_pin(struct baseline *baseline, const struct scenario *scenario,
                  const struct result *result)
{
    baseline->pinned = false;
    if (result->node_count > baseline->capacity) {
        struct baseline_bar *bars =
            realloc(baseline->bars, (size_t)result->node_count * sizeof *bars);

        if (bars == NULL)
            return false;
        baseline->bars = bars;
        baseline->capacity = result->node_count;
    }
    if (!image_take(&baseline->image, scenario))
        return false;
    scenario_copy(&baseline->scenario, scenario);
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        struct baseline_bar *bar = &baseline->bars[n];

        snprintf(bar->name, sizeof bar->name, "%s", node->name);
        bar->compute = node->compute;
        bar->memory = node->memory;
    }
    baseline->count = result->node_count;
    baseline->latency = result->latency;
    baseline->servo_lag = result->loop.servo_lag;
    baseline->pinned = true;
    baseline->pins++;
    return true;
}

void baseline_free(struct baseline *baseline)
{
    free(baseline->bars);
    image_free(&baseline->image);
    baseline->bars = NULL;
    baseline->count = baseline->capacity = 0;
    baseline->pinned = false;
}

const struct baseline_bar *baseline_bar(const struct baseline *baseline, const char *name)
{
    for (int b = 0; b < baseline->count; b++)
        if (strcmp(baseline->bars[b].name, name) == 0)
            return &baseline->bars[b];
    return NULL;
}
