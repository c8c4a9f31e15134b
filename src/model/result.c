#include "model/result.h"

#include <string.h>

#include "base/number.h"

#define DESIGN_FIELD(member) .scope = RESULT_DESIGN, .offset = offsetof(struct result, member)
#define LOOP_FIELD(member) .scope = RESULT_LOOP, .offset = offsetof(struct loop_result, member)
#define FLOW_FIELD(member) .scope = RESULT_FLOW, .offset = offsetof(struct flow_result, member)
#define COMPONENT_FIELD(member)                                                                    \
    .scope = RESULT_COMPONENT, .offset = offsetof(struct node_result, member)
#define DEVICE_FIELD(member)                                                                       \
    .scope = RESULT_DEVICE, .offset = offsetof(struct device_result, member)
#define WFS_FIELD(member) .scope = RESULT_WFS, .offset = offsetof(struct wfs_result, member)

const struct result_row result_rows[RESULT_ROW_COUNT] = {
#define RESULT(id, ...) [RESULT_##id] = {__VA_ARGS__},
#include "model/results.def"
#undef RESULT
};

void result_clear_derived(struct result *result)
{
    struct loop_result *loop = &result->loop;

    result->latency_low = result->latency_high = RESULT_NONE;
    result->whole_frames = RESULT_NONE;
    result->max_frame_rate_low = result->max_frame_rate_high = RESULT_NONE;
    loop->total = loop->lag = loop->noise = loop->vibration = loop->fitting = RESULT_NONE;
    loop->aliasing = loop->other = loop->strehl = loop->gain = RESULT_NONE;
    loop->margin_cost = loop->nm_per_100us = RESULT_NONE;
    loop->gain_margin = loop->phase_margin = RESULT_NONE;
    loop->modulus_margin = loop->delay_margin = loop->unstable_above = RESULT_NONE;
    loop->zero_db = loop->noise_gain = RESULT_NONE;
    loop->gain_crossover = loop->peak = loop->stable = RESULT_NONE;
}

const char *bound_name(enum bound bound)
{
    static const char *const names[] = {
        [BOUND_COMPUTE] = "compute", [BOUND_MEMORY] = "memory",      [BOUND_OVERHEAD] = "overhead",
        [BOUND_LINK] = "link",       [BOUND_READOUT] = "readout",    [BOUND_WAITING] = "waiting",
        [BOUND_PORT] = "port",       [BOUND_SLEEP] = "sleep states", [BOUND_ENQUEUE] = "enqueuing",
        [BOUND_COPY] = "copy"};

    return names[bound];
}

void node_plain_name(const char *name, char plain[NODE_NAME_MAX + 1])
{
    size_t used = 0;

    while (*name != '\0')
        if (*name == '@')
            name += strcspn(name, ">");
        else
            plain[used++] = *name++;
    plain[used] = '\0';
}

const char *result_level_name(const struct result *result, const struct node_result *node)
{
    int device = node_is_whole(node) ? node[1].device : node->device; /* its parts follow it */

    return node->level == LEVEL_MEMORY && device >= 0 ? result->device[device].memory
                                                      : memory_level_name(node->level);
}

double result_overhead(const struct node_result *node)
{
    double work = component_type_computes(node->type) ? larger(node->compute, node->memory)
                  : node->type == COMPONENT_CAMERA    ? node->time
                                                      : node->memory;

    return node->time - work;
}

int result_find_node(const struct result *result, const char *name)
{
    for (int i = 0; i < result->node_count; i++)
        if (strcmp(result->node[i].name, name) == 0)
            return i;
    return -1;
}
