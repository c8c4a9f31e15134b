#include "explore/caveat.h"

#include <string.h>

#include "design/algorithm.h"

enum { ANY = -1 };

/* clang-format off */
static const struct {
    enum knob_id id;
    int value; /* ANY: of a knob without words */
    const char *caveat;
} caveats[] = {
    {KNOB_AO_CONTROLLER, CONTROLLER_INTEGRATOR, "no prediction"},
    {KNOB_AO_CONTROLLER, CONTROLLER_LEAKY, "no prediction"},
    {KNOB_AO_CONTROLLER, CONTROLLER_PID, "no prediction"},
    {KNOB_SCENARIO_SHARING, SHARING_FLUID, "stages run at once"},
    {KNOB_DEVICE_DISPATCH_CPU, DISPATCH_SPIN, "cores never sleep"},
    {KNOB_DEVICE_DISPATCH_CPU, DISPATCH_WAKE, "scheduler adds jitter"},
    {KNOB_DEVICE_DISPATCH_GPU, DISPATCH_GRAPH, "fixed sizes"},
    {KNOB_DEVICE_DISPATCH_GPU, DISPATCH_PERSISTENT, "holds the GPU"},
    {KNOB_DEVICE_COPY, COPY_MAPPED, "each access by link"},
    {KNOB_DEVICE_COPY, COPY_RDMA, "needs RDMA to the GPU"},
    {KNOB_DEVICE_INGRESS, INGRESS_BUSY_POLL, "a core per port"},
    {KNOB_DEVICE_INGRESS, INGRESS_BYPASS, "special driver"},
    {KNOB_DEVICE_EGRESS, EGRESS_BUSY_POLL, "a core per port"},
    {KNOB_DEVICE_EGRESS, EGRESS_BYPASS, "special driver"},
    {KNOB_COMPONENT_DEVICE, ANY, "code for that device"},
    {KNOB_COMPONENT_WORKERS, ANY, "cores for it alone"},
    {KNOB_COMPONENT_PRECISION, PRECISION_FP16, "3 digits only"},
    {KNOB_COMPONENT_PRECISION, PRECISION_BF16, "2 digits only"},
    {KNOB_COMPONENT_PRECISION, PRECISION_INT8, "2 digits, scaled"},
    {KNOB_COMPONENT_NORMALISATION, NORMALISATION_LOCAL, "more noise"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_COG, "biased by background"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_THRESHOLD, "loses faint light"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_WEIGHTED, "not linear"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_BRIGHTEST, "loses faint light"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_MATCHED, "small linear range"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_PYRAMID_SLOPES, "less data"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_PYRAMID_EXTENDED, "less data"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_MODAL, "only its modes"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_TLR, "approximate matrix"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_SPARSE, "approximate matrix"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_FOURIER, "edge errors"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CURED, "no noise weights"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CG, "approximate solution"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_INTEGRATOR, "no prediction"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_PID, "no prediction"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CONTROL_OFFSET, "only a stage"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CONTROL_INTEGRATE, "only a stage"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CONTROL_SATURATE, "only a stage"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CONTROL_POWER, "only a stage"},
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CONTROL_COMBINE, "only a stage"},
};
/* clang-format on */

bool caveat_of_quality(const struct knob *knob)
{
    return knob_is(knob, KNOB_COMPONENT_ALGORITHM) || knob_is(knob, KNOB_COMPONENT_PRECISION) ||
           knob_is(knob, KNOB_COMPONENT_NORMALISATION);
}

const char *caveat_of(const struct knob *knob, const char *value)
{
    for (size_t c = 0; c < sizeof caveats / sizeof caveats[0]; c++) {
        int word = caveats[c].value;

        if (knob != &knobs[caveats[c].id])
            continue;
        if (word == ANY ||
            strcmp(knob->type == KNOB_ALGORITHM ? algorithms[word].name : knob->choices[word],
                   value) == 0)
            return caveats[c].caveat;
    }
    return NULL;
}
