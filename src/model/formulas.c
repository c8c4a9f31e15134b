#include "model/formulas.h"

double open_loop_angle(double whole, double fraction, double lag)
{
    double stop = 1e-15;
    double angle = lag / (whole + 0.5 + fraction);
    double step = 1;

    if (whole == 0 && lag == pi / 2) /* where arg is steep, or has no solution below pi */
        return fraction > 0 ? acos(max(-1, 1 - 1 / (2 * fraction))) : pi;
    for (int i = 0; i < 30 && fabs(step) > stop * angle; i++) {
        double c = (1 - fraction) * cos(angle) + fraction;
        double s = (1 - fraction) * sin(angle);
        double slope =
            whole + 1.5 - (1 - fraction) * (1 - fraction + fraction * cos(angle)) / (c * c + s * s);

        step = ((whole + 1.5) * angle - atan2(s, c) - lag) / slope;
        angle -= step;
    }
    return angle;
}

#define FORMULA(name, parameters, expression) const char formula_text_##name[] = #expression;
#include "model/formulas.def"

#define CASES(name, parameters, cases) static const struct formula_case cases_of_##name[] = {cases};
#define DEVICE_CASES CASES
#define COMPONENT_CASES CASES
#define CASE(condition, expression) {.text = #expression},
#define TOLD(condition, expression, words) {.text = #expression, .help = words},
#define LEAF(condition, expression, words) {.help = words},
#define NONE(condition, expression) {.none = true},
#include "model/formulas.def"

#define CASE_OF(name, what, cases)                                                                 \
    static int case_of_##name(const struct what *what)                                             \
    {                                                                                              \
        int number = 0;                                                                            \
        cases return 0;                                                                            \
    }
#define DEVICE_CASES(name, parameters, cases) CASE_OF(name, device, cases)
#define COMPONENT_CASES(name, parameters, cases) CASE_OF(name, component, cases)
#define CASE(condition, expression)                                                                \
    number++;                                                                                      \
    if (condition)                                                                                 \
        return number;
#include "model/formulas.def"

#define CASES_OF(name, ...)                                                                        \
    [CASES_##name] = {cases_of_##name, sizeof cases_of_##name / sizeof cases_of_##name[0],         \
                      __VA_ARGS__},
#define CASES(name, parameters, cases) CASES_OF(name, NULL, NULL)
#define DEVICE_CASES(name, parameters, cases) CASES_OF(name, case_of_##name, NULL)
#define COMPONENT_CASES(name, parameters, cases) CASES_OF(name, NULL, case_of_##name)

const struct formula_cases formula_cases[CASES_COUNT] = {
#include "model/formulas.def"
};

#define COUNT(field, expression) .field = #expression,
#define LET(name, value)

const struct demand_text workload_texts[ALGORITHM_COUNT] = {
#define WORKLOAD(algorithm, counts) [ALGORITHM_##algorithm] = {counts},
#include "model/formulas.def"
};

#define COUNT(field, expression) .field = #expression,
#define LET(name, value)

const struct demand_text workload_reference_slopes_text = {
#define REFERENCE_SLOPES(counts) counts
#include "model/formulas.def"
};

const char *const workload_counts[ALGORITHM_COUNT] = {
#define WORKLOAD(algorithm, counts) [ALGORITHM_##algorithm] = #counts,
#include "model/formulas.def"
};

const struct demand demand_none = {.sweeps = 1, .kernels = 1};

void workload_demand(const struct algorithm *algorithm, const struct workload_input *in,
                     struct demand *demand)
{
    const struct workload_wfs wfs = in->wfs;
    const struct workload_ao ao = in->ao;
    const struct workload_knob knob = in->knob;
    const double pixels = in->pixels;
    const double subaps = in->subaps;
    const double centroid_pixels = formula_centroid_pixels(subaps, wfs);
    const double element_bytes = in->element_bytes;
    const double flops_per_pixel = in->flops_per_pixel;
    const double search = in->search;
    const double rows = in->rows;
    const double columns = in->columns;
    const double tile = in->tile;
    const double rank = in->rank;
    const double density = in->density;
    const double iterations = in->iterations;
    const double unknowns = in->unknowns;
    const double grid = in->grid;
    const double states = in->states;
    const double inputs = in->inputs;
    const double flops = in->flops;
    const double bytes_read = in->bytes_read;
    const double bytes_written = in->bytes_written;

    *demand = demand_none;
    /* An algorithm without counts does not compile. */
#pragma GCC diagnostic error "-Wswitch"
    switch ((enum algorithm_id)(algorithm - algorithms)) {
#define LET(name, value) const double name = value;
#define COUNT(field, expression) demand->field = expression;
#define WORKLOAD(id, counts)                                                                       \
    case ALGORITHM_##id: {                                                                         \
        counts break;                                                                              \
    }
#include "model/formulas.def"
    case ALGORITHM_COUNT:
        break;
    }
    if (in->reference_slopes && algorithm->type == COMPONENT_CENTROID) {
#define COUNT(field, expression) demand->field += expression;
#define REFERENCE_SLOPES(counts) counts
#include "model/formulas.def"
    }
}
