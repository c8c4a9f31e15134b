#include "explore/background.h"

#include "base/number.h"
#include "explore/trial.h"
#include "model/link.h"

static void lower(double *rate, double stated, double left)
{
    *rate = smaller(*rate, stated * left);
}

/* Leaves the devices of `less` what the background does not use of a resource of `all`; returns
 * false if that is nothing. */
static bool take_background(struct scenario *less, const struct scenario *all,
                            const struct flow_resource *resource)
{
    double left = 1 - resource->background_load;
    int at = resource->device;

    if (resource->part == FLOW_SIZE || resource->part == FLOW_DISK)
        return true; /* they delay nothing */
    if (left <= 0)
        return false;
    switch (resource->part) {
    case FLOW_MEMORY:
        lower(&less->device[at].sustained_memory, all->device[at].sustained_memory, left);
        if (resource->shared_with >= 0)
            lower(&less->device[resource->shared_with].sustained_memory,
                  all->device[resource->shared_with].sustained_memory, left);
        break;
    case FLOW_PORT:
        if (!resource->outward) /* one rate states both directions: see outward_delay */
            lower(&less->device[at].nic, all->device[at].nic, left);
        break;
    case FLOW_LINK:
        for (int d = 0; d < all->device_count; d++)
            if (scenario_host(all, d) == at && d != at) {
                lower(&less->device[d].pcie_lanes, link_lanes(&all->device[d], &all->device[at]),
                      left);
                lower(&less->device[d].host_bandwidth, all->device[d].host_bandwidth, left);
            }
        break;
    case FLOW_CAMERA_LINK:
    case FLOW_SIZE:
    case FLOW_DISK:
        break;
    }
    return true;
}

/* Returns the time by which what the pipeline sends through a port takes longer on the wire. */
static double outward_delay(const struct flow_resource *resource, const struct result *result)
{
    if (resource->part != FLOW_PORT || !resource->outward)
        return 0;
    return flow_wire_time(result, resource->device) * resource->background_load /
           (1 - resource->background_load);
}

enum status background_latency(const struct flow *flow, const struct scenario *scenario,
                               const struct progress *progress, double *latency,
                               struct error *error)
{
    struct trial *trial = trial_new(scenario, progress);
    enum status status = STATUS_OK;
    bool left = true;

    *latency = RESULT_NONE;
    for (int i = 0; i < flow->resource_count && left; i++)
        left = flow->resource[i].background == 0 ||
               take_background(&trial->scenario, scenario, &flow->resource[i]);
    if (left && !trial_evaluate(trial))
        status = trial_problem(trial, error);
    else if (left && !trial->after.overloaded) {
        *latency = trial->after.latency;
        for (int i = 0; i < flow->resource_count; i++)
            *latency += outward_delay(&flow->resource[i], &trial->result);
    }
    trial_free(trial);
    return status;
}
