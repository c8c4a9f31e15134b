#include <string.h>

#include "device.h"
#include "stage.h"
#include "units.h"

/* Cores that components of a device state for themselves. */
struct taken {
    double cores;
    bool any;
};

static enum status take(const struct scenario *scenario, const struct plan_node *node,
                        struct taken *taken, struct error *error)
{
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];

    if (c->workers == 0)
        return STATUS_OK;
    if (device->kind == DEVICE_GPU)
        return error_set(error, STATUS_INVALID,
                         "component.%s.workers: they are cores of a processor, and device.%s is a "
                         "GPU",
                         c->head.name, device->head.name);
    taken->any = true;
    taken->cores += c->workers;
    return STATUS_OK;
}

static enum status refuse_crowd(const struct device *device, double workers, struct error *error)
{
    char sum[32];
    char cores[32];

    number_format(workers, sum, sizeof sum);
    number_format(device_cores(device), cores, sizeof cores);
    return error_set(error, STATUS_INVALID,
                     "device.%s: the workers of its components add up to %s, above its %s cores",
                     device->head.name, sum, cores);
}

/* Stated workers; beside those the cores they leave; else all. */
static enum status place(struct workspace *work, const struct scenario *scenario, int n,
                         const struct taken *taken, struct error *error)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];
    struct stage *stage = &work->stage[n];

    stage->own_cores = c->workers > 0;
    stage->cores = stage->own_cores ? c->workers : device_cores(device) - taken->cores;
    stage->levels = &work->memory[node->device];
    if (!taken->any)
        return STATUS_OK;
    if (stage->cores <= 0)
        return error_set(error, STATUS_INVALID,
                         "device.%s: stated workers take all its cores, component.%s is left with "
                         "none",
                         device->head.name, c->head.name);
    device_memory(device, stage->cores, &stage->own_levels);
    stage->levels = &stage->own_levels;
    return STATUS_OK;
}

/* The levels of a device change seldom, and finding them takes longer than comparing it. */
static void update_levels(struct workspace *work, const struct scenario *scenario, int d)
{
    const struct device *device = &scenario->device[d];

    if (memcmp(&work->seen[d], device, sizeof *device) == 0)
        return;
    device_memory(device, 0, &work->memory[d]);
    work->seen[d] = *device;
    work->shown[d] = false;
}

enum status stage_memory(struct workspace *work, const struct scenario *scenario,
                         struct error *error)
{
    struct taken taken[DEVICE_MAX];
    const struct plan *plan = &work->plan;

    for (int d = 0; d < scenario->device_count; d++) {
        work->held[d] = 0;
        taken[d] = (struct taken){0, false};
        update_levels(work, scenario, d);
    }
    for (int n = 0; n < plan->count; n++) {
        int device = plan->node[n].device;

        if (device < 0)
            continue;
        work->held[device] += work->stage[n].working_set;
        if (take(scenario, &plan->node[n], &taken[device], error) != STATUS_OK)
            return STATUS_INVALID;
    }
    for (int d = 0; d < scenario->device_count; d++)
        if (taken[d].any && taken[d].cores > device_cores(&scenario->device[d]))
            return refuse_crowd(&scenario->device[d], taken[d].cores, error);
    for (int n = 0; n < plan->count; n++)
        if (plan->node[n].device >= 0 &&
            place(work, scenario, n, &taken[plan->node[n].device], error) != STATUS_OK)
            return STATUS_INVALID;
    return STATUS_OK;
}
