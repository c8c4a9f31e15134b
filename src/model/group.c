#include "model/group.h"

#include <string.h>

#include "design/knob.h"

/* Assumed figures ------------------------------------------------------------------------------ */

enum { KNOBS_MAX = 4 };

/* Knobs that determine the figures. */
static const struct {
    bool fitted; /* a fitted figure is assumed, too: it was made to give a published latency */
    bool host;   /* that of the device's host */
    enum knob_id knobs[KNOBS_MAX]; /* 0: none */
} figures[FIGURE_COUNT] = {
    [FIGURE_MEMORY] = {.fitted = true,
                       .knobs = {KNOB_DEVICE_MEMORY_RATE, KNOB_DEVICE_BUS_BITS,
                                 KNOB_DEVICE_MEMORY_CLOCK}},
    [FIGURE_L1] = {.knobs = {KNOB_DEVICE_L1_BANDWIDTH}},
    [FIGURE_L2] = {.knobs = {KNOB_DEVICE_L2_BANDWIDTH}},
    [FIGURE_L3] = {.knobs = {KNOB_DEVICE_L3_BANDWIDTH}},
    [FIGURE_COMPUTE] = {.fitted = true,
                        .knobs = {KNOB_DEVICE_CORES, KNOB_DEVICE_UNITS, KNOB_DEVICE_CLOCK_CPU,
                                  KNOB_DEVICE_CLOCK_GPU}},
    [FIGURE_LAUNCH] = {.knobs = {KNOB_DEVICE_LAUNCH, KNOB_DEVICE_STAGE_LATENCY}},
    [FIGURE_BOUNDARY] = {.knobs = {KNOB_DEVICE_BOUNDARY}},
    [FIGURE_ENQUEUE] = {.knobs = {KNOB_DEVICE_ENQUEUE}},
    [FIGURE_HANDOVER] = {.host = true, .knobs = {KNOB_DEVICE_HANDOVER}},
    [FIGURE_SOFTWARE] = {.knobs = {KNOB_DEVICE_SOFTWARE}},
    [FIGURE_OPERATOR] = {.knobs = {KNOB_DEVICE_OPERATOR_TIME_CPU, KNOB_DEVICE_OPERATOR_TIME_GPU}},
    [FIGURE_COPY_LATENCY] = {.knobs = {KNOB_DEVICE_COPY_LATENCY}},
    [FIGURE_COPY_RATE] = {.knobs = {KNOB_DEVICE_PCIE_GEN, KNOB_DEVICE_PCIE_LANES}},
    [FIGURE_PEER_LATENCY] = {.knobs = {KNOB_DEVICE_PEER_LATENCY}},
    [FIGURE_PEER_RATE] = {.knobs = {KNOB_DEVICE_PEER_BANDWIDTH}},
    [FIGURE_INGRESS] = {.knobs = {KNOB_DEVICE_INGRESS_LATENCY}},
    [FIGURE_DATAGRAM] = {.knobs = {KNOB_DEVICE_DATAGRAM_TIME}},
    [FIGURE_EGRESS] = {.knobs = {KNOB_DEVICE_EGRESS_LATENCY}},
    [FIGURE_SLEEP] = {.knobs = {KNOB_DEVICE_SLEEP_LATENCY}},
    [FIGURE_DISPATCH] = {.knobs = {KNOB_DEVICE_DISPATCH_CPU}},
};

/* Gets knob number i of a figure on a device; returns false if the device has none. */
static bool get_knob(const struct scenario *scenario, int device, enum time_figure figure, int i,
                     struct knob_ref *ref)
{
    const int of = figures[figure].host ? scenario_host(scenario, device) : device;
    const enum knob_id id = figures[figure].knobs[i];

    *ref = (struct knob_ref){SECTION_DEVICE, of, &knobs[id]};
    return id != 0 && knob_has_kind(ref->knob, scenario->device[of].kind);
}

/* Returns true if a knob of a figure on a device has an origin. */
static bool has_origin(const struct scenario *scenario, int device, enum time_figure figure,
                       enum origin origin)
{
    struct knob_ref ref;

    for (int i = 0; i < KNOBS_MAX; i++)
        if (get_knob(scenario, device, figure, i, &ref) && knob_origin(scenario, ref) == origin)
            return true;
    return false;
}

bool group_is_default(const struct scenario *scenario, int device, enum time_figure figure)
{
    struct knob_ref ref;

    for (int i = 0; i < KNOBS_MAX; i++)
        if (get_knob(scenario, device, figure, i, &ref) &&
            (knob_is_own(scenario, ref) || knob_stated_by(scenario, ref) != NULL))
            return false;
    return true;
}

bool group_is_fitted(const struct scenario *scenario, int device, enum time_figure figure)
{
    return figures[figure].fitted && has_origin(scenario, device, figure, ORIGIN_FITTED);
}

bool group_is_assumed(const struct scenario *scenario, int device, enum time_figure figure)
{
    return has_origin(scenario, device, figure, ORIGIN_ASSUMED) ||
           group_is_fitted(scenario, device, figure);
}

/* Groups --------------------------------------------------------------------------------------- */

/* Returns true if all figures are equal, whatever the devices are called. */
static bool same_figures(const struct device *a, const struct device *b)
{
    int first = knob_section_first(SECTION_DEVICE);

    for (int k = first; k < first + knob_section_count(SECTION_DEVICE); k++) {
        const struct knob *knob = &knobs[k];

        if (k != KNOB_DEVICE_PRESET && k != KNOB_DEVICE_MODEL && k != KNOB_DEVICE_SOLD_IN &&
            k != KNOB_DEVICE_SOURCE && k != KNOB_DEVICE_HOST &&
            memcmp((const char *)a + knob->offset, (const char *)b + knob->offset, knob->size) != 0)
            return false;
    }
    return true;
}

bool group_same_model(const struct device *a, const struct device *b)
{
    bool preset = a->preset[0] != '\0' || b->preset[0] != '\0';
    bool model = a->model[0] != '\0' || b->model[0] != '\0';

    if (a->pc != b->pc)
        return false;
    if (preset || model)
        return strcmp(a->preset, b->preset) == 0 && (preset || strcmp(a->model, b->model) == 0);
    return a->kind == b->kind && (strcmp(a->head.name, b->head.name) == 0 || same_figures(a, b));
}

int group_first_device(const struct scenario *scenario, int device)
{
    int first = 0;

    while (!group_same_model(&scenario->device[first], &scenario->device[device]))
        first++;
    return first;
}

bool group_has_device(const struct scenario *scenario, enum cause cause, int first, int device)
{
    const int of = cause == CAUSE_UNSTATED ? scenario_host(scenario, device) : device;

    return group_first_device(scenario, of) == first &&
           (cause != CAUSE_UNSTATED || group_is_assumed(scenario, of, FIGURE_DISPATCH));
}
