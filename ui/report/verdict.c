#include "report/verdict.h"

#include <stdio.h>

#include "base/buffer.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "model/breakdown.h"
#include "model/memory.h"

/* Returns "HBM" or "GDDR", which differ in transfers per pin and clock; else "memory". */
static const char *memory_word(const struct device *device)
{
    if (device->kind != DEVICE_GPU || device->host_link == HOST_LINK_UNIFIED)
        return "memory";
    return device->transfers_per_clock <= 2 ? "HBM" : "GDDR";
}

/* Returns the fixed cause on a device with the largest part of the latency. */
static const char *overhead_word(const struct scenario *scenario, const struct result *result,
                                 int device)
{
    static const struct {
        enum cause cause;
        const char *word;
    } words[] = {{CAUSE_DISPATCH, "dispatch"},
                 {CAUSE_SOFTWARE, "software"},
                 {CAUSE_FRAMEWORK, "interpreter"},
                 {CAUSE_COPY, "copies"},
                 {CAUSE_PORT, "ports"}};
    struct breakdown breakdown;
    size_t most = 0;

    breakdown_find(scenario, result, &breakdown);
    for (size_t i = 1; i < sizeof words / sizeof words[0]; i++)
        if (breakdown.of[device][words[i].cause] > breakdown.of[device][words[most].cause])
            most = i;
    return words[most].word;
}

/* Writes the resource that limits node `n`, which may run on no device. */
static void put_resource(const struct scenario *scenario, const struct result *result, int n,
                         struct buffer *text)
{
    const struct node_result *node = &result->node[n];
    const struct device *device = node->device < 0 ? NULL : &scenario->device[node->device];
    const char *name = device == NULL ? "" : device->head.name;

    switch (result->bottleneck_bound) {
    case BOUND_COMPUTE:
        buffer_print(text, "arithmetic of %s", name);
        break;
    case BOUND_MEMORY:
        buffer_print(text, "%s bandwidth of %s",
                     node->level == LEVEL_MEMORY && device != NULL ? memory_word(device)
                                                                   : memory_level_name(node->level),
                     name);
        break;
    case BOUND_OVERHEAD:
        if (device != NULL)
            buffer_print(text, "%s on %s", overhead_word(scenario, result, node->device), name);
        else
            buffer_text(text, "overhead");
        break;
    case BOUND_SLEEP:
        buffer_print(text, "sleep states of %s", name);
        break;
    case BOUND_ENQUEUE:
        buffer_print(text, "enqueuing of kernels for %s", name);
        break;
    case BOUND_WAITING:
        buffer_text(text, "waits for its earlier frame");
        break;
    case BOUND_LINK:
    case BOUND_PORT:
    case BOUND_READOUT:
        buffer_text(text, bound_name(result->bottleneck_bound));
        break;
    }
}

void verdict_limit(const struct scenario *scenario, const struct result *result,
                   char text[VERDICT_TEXT_MAX])
{
    struct buffer line = buffer_over(text, VERDICT_TEXT_MAX);
    int n = result->bottleneck;

    if (n < 0) {
        buffer_text(&line, "nothing");
        return;
    }
    buffer_print(&line, "%s: ", result->node[n].name);
    put_resource(scenario, result, n, &line);
    if (result->bound_for >= 0)
        buffer_print(&line, ", delays %s", result->node[result->bound_node].name);
}
