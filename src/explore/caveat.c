#include "explore/caveat.h"

#include <string.h>

#include "design/algorithm.h"

/* clang-format off */
static const struct {
    enum knob_id id;
    int value;
    const char *caveat;
} caveats[] = {
    {KNOB_SCENARIO_SHARING, SHARING_FLUID, "stages run at once"},
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
    {KNOB_COMPONENT_ALGORITHM, ALGORITHM_CURED, "no noise weighting"},
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

const char *caveat_of(const struct knob *knob, const char *value)
{
    for (size_t c = 0; c < sizeof caveats / sizeof caveats[0]; c++) {
        int word = caveats[c].value;

        if (knob == &knobs[caveats[c].id] &&
            strcmp(knob->type == KNOB_ALGORITHM ? algorithms[word].name : knob->choices[word],
                   value) == 0)
            return caveats[c].caveat;
    }
    return NULL;
}
