/* The formulas of formulas.def as functions and as text.
 *
 * formula_NAME(...) computes a quantity; formula_text_NAME is the same expression as it is written,
 * for explain. workload_texts are those of an algorithm's counts (workload_demand computes them).
 * Below stand the functions that expressions call besides those of <math.h>. */
#ifndef AOLAG_MODEL_FORMULAS_H
#define AOLAG_MODEL_FORMULAS_H

#include <math.h>

#include "base/number.h"
#include "design/algorithm.h"
#include "model/memory.h"

static const double pi = 3.14159265358979323846;

static inline double max(double a, double b)
{
    return larger(a, b);
}

static inline double min(double a, double b)
{
    return smaller(a, b);
}

static inline double square(double a)
{
    return a * a;
}

/* The smallest power of two that is at least `size`. */
static inline double next_power_of_two(double size)
{
    double power = 1;

    while (power < size)
        power *= 2;
    return power;
}

/* What the expressions call "wfs", "ao" and "knob" of the sizes that an algorithm sees. */
struct workload_wfs {
    double bit_depth;        /* of a raw pixel */
    double pixels_per_subap; /* along one side of a subaperture */
};

struct workload_ao {
    double actuators;
};

struct workload_knob { /* of a component that has a result of the same name */
    double working_set;
};

#define FORMULA(name, parameters, expression)                                                      \
    extern const char formula_text_##name[];                                                       \
    static inline double formula_##name parameters                                                 \
    {                                                                                              \
        return expression;                                                                         \
    }
#include "model/formulas.def"

/* Of struct demand, field by field; NULL: as in demand_none. */
struct work_text {
    const char *flop, *read, *written, *resident;
};

struct demand_text {
    struct work_text stream, tail, deferred;
    const char *again, *accumulator, *output, *sweeps, *block;
    const char *kernels, *tail_kernels, *deferred_kernels;
};

extern const struct demand_text workload_texts[ALGORITHM_COUNT];
extern const struct demand_text workload_reference_slopes_text; /* what they add */

#endif
