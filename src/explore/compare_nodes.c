#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/compare_parts.h"

static void fill_node(const struct compare_side *side, int s, int number,
                      struct compared_node *compared)
{
    const struct node_result *node = &side->result->node[number];

    if (compared->name[0] == '\0') {
        snprintf(compared->name, sizeof compared->name, "%s", node->name);
        compared->type = node->type;
        compared->transfer = node->component < 0;
        compared->part = node->part >= 0;
    }
    compared->has[s] = true;
    compared->device[s][0] = '\0';
    if (node->device >= 0)
        snprintf(compared->device[s], sizeof compared->device[s], "%s",
                 side->scenario->device[node->device].head.name);
    compared->compute[s] = node->compute;
    compared->memory[s] = node->memory;
    compared->time[s] = component_type_computes(node->type) || node->type == COMPONENT_CAMERA
                            ? node->time
                            : node->memory;
    compared->path[s] = node->path_wait + node->path_busy;
    compared->bound[s] = node->bound;
    compared->level[s] = node->level;
}

static struct compared_node *add(struct comparison *comparison)
{
    struct compared_node *node = &comparison->node[comparison->node_count++];

    *node = (struct compared_node){.name = ""};
    return node;
}

/* Both lists are in topological order: what only b has stands before the next node of both. */
bool compare_nodes(const struct compare_side side[SIDES], struct comparison *comparison)
{
    const struct result *a = side[0].result;
    const struct result *b = side[1].result;
    int next = 0; /* of b */

    comparison->node =
        malloc((size_t)(a->node_count + b->node_count + 1) * sizeof *comparison->node);
    if (comparison->node == NULL)
        return false;
    for (int n = 0; n < a->node_count; n++) {
        int there = result_node(b, a->node[n].name);
        struct compared_node *node;

        for (; next <= there; next++)
            if (result_node(a, b->node[next].name) < 0)
                fill_node(&side[1], 1, next, add(comparison));
        node = add(comparison);
        fill_node(&side[0], 0, n, node);
        if (there >= 0)
            fill_node(&side[1], 1, there, node);
    }
    for (; next < b->node_count; next++)
        if (result_node(a, b->node[next].name) < 0)
            fill_node(&side[1], 1, next, add(comparison));
    return true;
}

static void fill_device(const struct compare_side *side, int s, int number,
                        struct compared_device *compared)
{
    const struct device *device = &side->scenario->device[number];
    const struct device_result *result = &side->result->device[number];

    snprintf(compared->name, sizeof compared->name, "%s", device->head.name);
    compared->has[s] = true;
    snprintf(compared->model[s], sizeof compared->model[s], "%s",
             device->model[0] != '\0' ? device->model : device->preset);
    compared->peak[s] = result->peak_flops;
    compared->bandwidth[s] = result->bandwidth;
    compared->busy[s] = result->busy;
    compared->utilisation[s] = result->utilisation;
}

void compare_devices(const struct compare_side side[SIDES], struct comparison *comparison)
{
    const struct scenario *a = side[0].scenario;
    const struct scenario *b = side[1].scenario;
    int count = a->device_count;

    memset(comparison->device, 0, sizeof comparison->device);
    for (int d = 0; d < count; d++)
        fill_device(&side[0], 0, d, &comparison->device[d]);
    for (int d = 0; d < b->device_count; d++) {
        int there = section_find(a, SECTION_DEVICE, b->device[d].head.name);

        fill_device(&side[1], 1, d, &comparison->device[there < 0 ? count++ : there]);
    }
    comparison->device_count = count;
}

struct device_figure compare_figure(const struct compared_device *device, int number)
{
    static const char *const names[DEVICE_FIGURES][2] = {
        {"fp32 peak", "FLOP/s"}, {"memory", "B/s"}, {"busy", "s"}, {"utilisation", ""}};
    const double *of[DEVICE_FIGURES] = {device->peak, device->bandwidth, device->busy,
                                        device->utilisation};
    struct device_figure figure = {.name = names[number][0], .unit = names[number][1]};

    for (int s = 0; s < SIDES; s++)
        figure.value[s] = device->has[s] ? of[number][s] : RESULT_NONE;
    return figure;
}

bool compare_node_differs(const struct compared_node *node)
{
    return !node->has[0] || !node->has[1] || compare_differs(node->time[0], node->time[1]) ||
           compare_differs(node->compute[0], node->compute[1]) ||
           compare_differs(node->memory[0], node->memory[1]) || node->bound[0] != node->bound[1] ||
           strcmp(node->device[0], node->device[1]) != 0;
}

/* Alike ---------------------------------------------------------------------------------------- */

/* To three digits, as they are printed. */
static bool same(double a, double b)
{
    return fabs(a - b) <= 5e-4 * fmax(fabs(a), fabs(b));
}

/* The name without the devices of parts: "slopes>recon" of "slopes>recon@gpu0". */
static void strip(const char *name, char *plain)
{
    size_t used = 0;

    while (*name != '\0')
        if (*name == '@')
            name += strcspn(name, ">.");
        else
            plain[used++] = *name++;
    plain[used] = '\0';
}

static bool alike(const struct compared_node *x, const struct compared_node *y)
{
    char plain[2][NODE_NAME_MAX + 1];

    if (x->transfer != y->transfer || (!x->transfer && (!x->part || !y->part)))
        return false;
    strip(x->name, plain[0]);
    strip(y->name, plain[1]);
    if (strcmp(plain[0], plain[1]) != 0)
        return false;
    for (int s = 0; s < SIDES; s++)
        if (x->has[s] != y->has[s] ||
            (x->has[s] && (!same(x->compute[s], y->compute[s]) ||
                           !same(x->memory[s], y->memory[s]) || !same(x->time[s], y->time[s]) ||
                           x->bound[s] != y->bound[s] || x->level[s] != y->level[s])))
            return false;
    return true;
}

int compare_alike(const struct comparison *comparison, int first)
{
    int end = first + 1;

    while (end < comparison->node_count && alike(&comparison->node[first], &comparison->node[end]))
        end++;
    return end - first;
}
