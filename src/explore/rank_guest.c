#include "explore/rank_guest.h"

#include <math.h>
#include <stdio.h>

#include "knob.h"

bool rank_has_kind(const struct scenario *scenario, enum device_kind kind)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == (int)kind)
            return true;
    return false;
}

/* The component that takes most of a device; -1: none computes. */
static int heaviest(const struct result *result)
{
    int found = -1;
    double most = -1;

    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        double work = node->share * fmax(node->compute, node->memory);

        if (node->component < 0 || node->part >= 0 || !component_type_computes(node->type) ||
            work <= most)
            continue;
        most = work;
        found = node->component;
    }
    return found;
}

static void forget(struct scenario *scenario, int component)
{
    static const char *const keys[] = {
        "share", "workers", "compute_efficiency", "memory_efficiency", "block", "chains"};

    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        struct knob_ref ref;

        if (knob_find_key(scenario, SECTION_COMPONENT, component, keys[k], &ref, NULL) == STATUS_OK)
            knob_reset(scenario, ref);
    }
}

static enum status set_choice(struct scenario *scenario, enum section section, int index,
                              const char *key, const char *text, struct error *error)
{
    struct knob_ref ref;
    enum status status = knob_find_key(scenario, section, index, key, &ref, error);

    return status == STATUS_OK ? knob_set_text(scenario, ref, text, error) : status;
}

enum status rank_add_guest(struct scenario *scenario, const struct result *result,
                           enum device_kind kind, int *device, int *component, struct error *error)
{
    const char *word = knob_word(SECTION_DEVICE, "kind", (int)kind);
    int moved = heaviest(result);
    char name[NAME_MAX_LENGTH + 1];
    int host, number = 0;
    enum status status;

    if (moved < 0)
        return error_set(error, STATUS_INVALID,
                         "no component of the design computes, so a %s has nothing to run", word);
    host = scenario_host(scenario, scenario_device(scenario, moved));
    do
        snprintf(name, sizeof name, "%s%d", word, number++);
    while (section_find(scenario, SECTION_DEVICE, name) >= 0);
    *component = moved;
    *device = scenario->device_count;
    status = scenario_insert(scenario, SECTION_DEVICE, *device, name, error);
    if (status != STATUS_OK)
        return status;
    forget(scenario, moved);
    status = set_choice(scenario, SECTION_DEVICE, *device, "kind", word, error);
    if (status == STATUS_OK && kind == DEVICE_GPU)
        status = set_choice(scenario, SECTION_DEVICE, *device, "host",
                            scenario->device[host].head.name, error);
    if (status == STATUS_OK)
        status = set_choice(scenario, SECTION_COMPONENT, moved, "device", name, error);
    return status;
}
