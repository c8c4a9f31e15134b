#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explore/sensitivity.h"
#include "model/load.h"
#include "tui/view_explore.h"

enum { LIMIT_KNOBS = 8 };

/* The knobs of a device that are what limits, where no component computes; of equal ones the first.
 * An essential knob is about none of these. */
static const enum knob_id limit_knobs[BOUND_COUNT][LIMIT_KNOBS] = {
    [BOUND_OVERHEAD] = {KNOB_DEVICE_LAUNCH, KNOB_DEVICE_BOUNDARY, KNOB_DEVICE_SOFTWARE,
                        KNOB_DEVICE_HANDOVER, KNOB_DEVICE_OPERATOR_TIME_GPU,
                        KNOB_DEVICE_STAGE_LATENCY},
    [BOUND_LINK] = {KNOB_DEVICE_PCIE_GEN, KNOB_DEVICE_PCIE_LANES, KNOB_DEVICE_HOST_BANDWIDTH,
                    KNOB_DEVICE_PEER_BANDWIDTH, KNOB_DEVICE_NIC},
    [BOUND_PORT] = {KNOB_DEVICE_NIC, KNOB_DEVICE_INGRESS_LATENCY, KNOB_DEVICE_DATAGRAM_TIME,
                    KNOB_DEVICE_EGRESS_LATENCY, KNOB_DEVICE_INGRESS},
    [BOUND_SLEEP] = {KNOB_DEVICE_OS},
    [BOUND_ENQUEUE] = {KNOB_DEVICE_ENQUEUE},
    [BOUND_COPY] = {KNOB_DEVICE_COPY_LATENCY, KNOB_DEVICE_PEER_LATENCY},
};

/* Returns the device of what is overloaded most, which `name` names: a device, a component,
 * "rtc.nic.out", or "camera.receive", which the device that limits does; -1: a camera or mirror. */
static int find_overloaded(const struct design *design, const char *name)
{
    const struct result *result = &design->result;
    int node = result_find_node(result, name);
    char head[NODE_NAME_MAX + 1];
    int device = -1;
    double most = 0;

    snprintf(head, sizeof head, "%.*s", (int)strcspn(name, "."), name);
    if (node < 0) {
        device = section_find(&design->scenario, SECTION_DEVICE, head);
        return device >= 0 ? device : result->bottleneck_device;
    }
    for (int n = node; n <= node + result->node[node].parts; n++)
        if (result->node[n].device >= 0 && result->node[n].busy > most) {
            device = result->node[n].device;
            most = result->node[n].busy;
        }
    return device;
}

int explore_limiting_device(const struct design *design)
{
    const struct result *result = &design->result;
    struct overload list[OVERLOAD_MAX];

    if (!design_is_valid(design))
        return -1;
    if (result->overloaded && load_list_overloads(&design->scenario, result, list) > 0)
        return find_overloaded(design, list[0].name);
    return result->bottleneck_device;
}

/* Returns true if a knob is one of those at which the cursor may begin. */
static bool is_limit(enum bound bound, const struct knob *knob)
{
    const enum knob_id *ids = limit_knobs[bound];
    bool listed = false;

    for (int i = 0; i < LIMIT_KNOBS && !listed; i++)
        listed = ids[i] != 0 && knob_is(knob, ids[i]);
    return listed || (ids[0] == 0 && knob->essential && knob_is_number(knob));
}

/* Returns the knob of a device that is the limit and moves the latency most, the first of equal
 * ones; none if there is no such knob. */
static struct knob_ref find_limit(const struct design *design, int device, struct trial *trial)
{
    struct knob_ref ref = {SECTION_DEVICE, device, NULL};
    struct knob_ref limit = ref;
    /* what is overloaded needs a faster device, whatever limits the latency */
    enum bound bound = device == design->result.bottleneck_device ? design->result.bottleneck_bound
                                                                  : BOUND_COMPUTE;
    double most = 0;
    int first = knob_section_first(SECTION_DEVICE);
    int end = first + knob_section_count(SECTION_DEVICE);

    for (int k = first; k < end; k++) {
        double change;

        ref.knob = &knobs[k];
        if (!is_limit(bound, ref.knob) ||
            !tree_shows(&design->scenario, ref.section, ref.index, ref.knob))
            continue;
        change = sensitivity_of(trial, ref);
        change = change == RESULT_NONE ? 0 : fabs(change);
        if (limit.knob == NULL || change > most + 1e-6)
            limit = ref;
        most = fmax(most, change);
    }
    return limit;
}

void explore_start_tree(struct explore *explore)
{
    const struct design *design = explore->design;
    int device = explore_limiting_device(design);
    struct step_budget budget;
    struct trial *trial;
    struct knob_ref limit;

    tree_start(&explore->tree, &design->scenario, device, document_path(design->document) != NULL);
    if (device < 0 ||
        tree_level(&explore->tree, &design->scenario, SECTION_DEVICE, device) == TREE_CLOSED)
        return;
    trial = trial_new(&design->scenario, NULL);
    trial_start(trial, &design->result);
    design_limit(&trial->result, &budget);
    limit = find_limit(design, device, trial);
    if (limit.knob != NULL)
        tree_focus(&explore->tree, &design->scenario, limit.section, limit.index, limit.knob);
    trial_free(trial);
}
