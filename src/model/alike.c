#include "model/alike.h"

#include <math.h>
#include <string.h>

bool values_alike(double a, double b)
{
    return fabs(a - b) <= 5e-4 * fmax(fabs(a), fabs(b));
}

bool names_alike(const char *a, const char *b)
{
    while (*a == *b && *a != '\0') {
        a++;
        b++;
    }
    return a[strspn(a, "0123456789")] == '\0' && b[strspn(b, "0123456789")] == '\0';
}

static bool transfers_alike(const struct node_result *a, const struct node_result *b)
{
    char first[NODE_NAME_MAX + 1], second[NODE_NAME_MAX + 1];

    node_plain_name(a->name, first);
    node_plain_name(b->name, second);
    return strcmp(first, second) == 0 && values_alike(a->bytes, b->bytes) &&
           values_alike(a->memory, b->memory) && values_alike(a->time, b->time);
}

static bool parts_alike(const struct node_result *a, const struct node_result *b)
{
    return values_alike(a->flop - a->deferred_flop, b->flop - b->deferred_flop) &&
           values_alike(a->bytes - a->deferred_bytes, b->bytes - b->deferred_bytes) &&
           values_alike(a->compute, b->compute) && values_alike(a->memory, b->memory) &&
           values_alike(a->time, b->time) && a->bound == b->bound && a->level == b->level &&
           values_alike(a->share, b->share);
}

bool nodes_alike(const struct node_result *a, const struct node_result *b)
{
    if (a->component < 0 || b->component < 0)
        return a->component < 0 && b->component < 0 && transfers_alike(a, b);
    return a->component == b->component && a->part >= 0 && b->part >= 0 && parts_alike(a, b);
}

int nodes_count_alike(const struct result *result, int n)
{
    int count = 1;

    for (int i = 0; i < n; i++)
        if (nodes_alike(&result->node[i], &result->node[n]))
            return 0;
    for (int i = n + 1; i < result->node_count; i++)
        count += nodes_alike(&result->node[n], &result->node[i]);
    return count;
}

bool devices_alike(const struct scenario *scenario, const struct result *result, int a, int b)
{
    const struct device *first = &scenario->device[a], *second = &scenario->device[b];
    const struct device_result *x = &result->device[a], *y = &result->device[b];

    return names_alike(first->head.name, second->head.name) && first->kind == second->kind &&
           strcmp(device_product(first), device_product(second)) == 0 &&
           first->sockets == second->sockets && first->count == second->count &&
           values_alike(x->peak_flops, y->peak_flops) && values_alike(x->bandwidth, y->bandwidth) &&
           values_alike(x->busy, y->busy);
}
