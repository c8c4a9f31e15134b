#include <math.h>
#include <string.h>

#include "cli/report_parts.h"

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(a);
}

/* But for the numbers they end in: "gpu0" and "gpu12". */
static bool same_stem(const char *a, const char *b)
{
    while (*a == *b && *a != '\0') {
        a++;
        b++;
    }
    return a[strspn(a, "0123456789")] == '\0' && b[strspn(b, "0123456789")] == '\0';
}

void report_plain_name(const char *name, char *plain)
{
    size_t used = 0;

    for (; *name != '\0'; name++) {
        if (*name == '@')
            name += strcspn(name, ">.");
        if (*name == '\0')
            break;
        plain[used++] = *name;
    }
    plain[used] = '\0';
}

static bool same_transfer(const struct node_result *a, const struct node_result *b)
{
    char from[NODE_NAME_MAX + 1];
    char to[NODE_NAME_MAX + 1];

    report_plain_name(a->name, from);
    report_plain_name(b->name, to);
    return strcmp(from, to) == 0 && same(a->bytes, b->bytes) && same(a->memory, b->memory) &&
           same(a->time, b->time) && same(a->first_start, b->first_start) &&
           same(a->last_end, b->last_end);
}

static bool same_part(const struct node_result *a, const struct node_result *b)
{
    return same(a->flop - a->deferred_flop, b->flop - b->deferred_flop) &&
           same(a->bytes - a->deferred_bytes, b->bytes - b->deferred_bytes) &&
           same(a->compute, b->compute) && same(a->memory, b->memory) && same(a->time, b->time) &&
           a->bound == b->bound && a->level == b->level && same(a->share, b->share);
}

/* Rows that the report does not tell apart: inserted transfers between the same components, parts
 * of the same component. */
static bool alike(const struct node_result *a, const struct node_result *b)
{
    if (a->component < 0 || b->component < 0)
        return a->component < 0 && b->component < 0 && same_transfer(a, b);
    return a->component == b->component && a->part >= 0 && b->part >= 0 && same_part(a, b);
}

int report_nodes_alike(const struct result *result, int n)
{
    int count = 1;

    for (int i = 0; i < n; i++)
        if (alike(&result->node[i], &result->node[n]))
            return 0;
    for (int i = n + 1; i < result->node_count; i++)
        count += alike(&result->node[n], &result->node[i]);
    return count;
}

static const char *model_of(const struct device *device)
{
    return device->model[0] != '\0' ? device->model : device->preset;
}

static bool devices_are_alike(const struct scenario *scenario, const struct result *result, int i,
                              int j)
{
    const struct device *a = &scenario->device[i];
    const struct device *b = &scenario->device[j];

    return same_stem(a->head.name, b->head.name) && a->kind == b->kind &&
           strcmp(model_of(a), model_of(b)) == 0 && same(a->sockets, b->sockets) &&
           same(result->device[i].peak_flops, result->device[j].peak_flops) &&
           same(result->device[i].bandwidth, result->device[j].bandwidth) &&
           same(result->device[i].busy, result->device[j].busy);
}

int report_devices_alike(const struct scenario *scenario, const struct result *result, int d)
{
    int count = 1;

    for (int i = 0; i < d; i++)
        if (devices_are_alike(scenario, result, i, d))
            return 0;
    for (int i = d + 1; i < result->device_count; i++)
        count += devices_are_alike(scenario, result, d, i);
    return count;
}
