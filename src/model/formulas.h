/* The formulas of formulas.def as functions and as text.
 *
 * formula_NAME(...) computes a quantity; formula_text_NAME is the source text of the same
 * expression, for explain, and formula_cases[CASES_NAME] the texts of one with cases.
 * workload_demand computes an algorithm's counts, workload_texts are their texts. The expressions
 * call the functions below and those of <math.h>. */
#ifndef AOLAG_MODEL_FORMULAS_H
#define AOLAG_MODEL_FORMULAS_H

#include <math.h>

#include "base/number.h"
#include "design/algorithm.h"
#include "model/cases.h"
#include "model/memory.h"
#include "model/workload.h"

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

static const bool otherwise = true; /* the condition of a last case */

/* Returns the smallest power of two not less than `size`. */
static inline double next_power_of_two(double size)
{
    double power = 1;

    while (power < size)
        power *= 2;
    return power;
}

/* Returns the angle w of z = exp(iw), 0 to pi, at which the open loop of an integrator with a delay
 * of n + f frames (n whole, f from 0 to 1) lags by pi / 2 + `lag`: the least solution of
 * (n + 3/2) w - arg((1 - f) z + f) = lag, for a lag up to pi / 2. */
double open_loop_angle(double whole, double fraction, double lag);

#define FORMULA(name, parameters, expression)                                                      \
    extern const char formula_text_##name[];                                                       \
    static inline double formula_##name parameters                                                 \
    {                                                                                              \
        return expression;                                                                         \
    }
#define DEVICE_CASES(name, parameters, cases)                                                      \
    static inline double formula_##name parameters                                                 \
    {                                                                                              \
        cases return 0;                                                                            \
    }
#define COMPONENT_CASES DEVICE_CASES
#define CASE(condition, expression)                                                                \
    if (condition)                                                                                 \
        return expression;
#include "model/formulas.def"

#define NOTED(...) (unsigned char taken[CASES_COUNT], __VA_ARGS__)
#define CASES(name, parameters, cases)                                                             \
    static inline double formula_##name NOTED parameters                                           \
    {                                                                                              \
        unsigned char *const noted = &taken[CASES_##name];                                         \
        unsigned char number = 0;                                                                  \
        cases *noted = 0;                                                                          \
        return 0;                                                                                  \
    }
#define CASE(condition, expression)                                                                \
    number++;                                                                                      \
    if (condition) {                                                                               \
        *noted = number;                                                                           \
        return expression;                                                                         \
    }
#include "model/formulas.def"
#undef NOTED

struct formula_case {
    const char *text; /* NULL: only the value is shown */
    const char *help; /* NULL: that of the quantity */
    bool none;        /* not a case: the knob of the quantity, or nothing */
};

/* The cases of a quantity. The number of the one in force, from 1, 0: none, is what the model has
 * noted or, with one of the functions, follows from a device or component. */
struct formula_cases {
    const struct formula_case *cases;
    int count;
    int (*of_device)(const struct device *device);
    int (*of_component)(const struct component *component);
};

extern const struct formula_cases formula_cases[CASES_COUNT];

extern const struct demand demand_none; /* no work; one sweep, one kernel */

/* Computes the work per frame of a component with these sizes. */
void workload_demand(const struct algorithm *algorithm, const struct workload_input *input,
                     struct demand *demand);

/* Texts of the fields of struct demand; NULL: as in demand_none. */
struct work_text {
    const char *flop, *read, *written, *resident;
};

struct demand_text {
    struct work_text stream, tail, deferred;
    const char *reread, *accumulator, *output, *sweeps, *block;
    const char *kernels, *tail_kernels, *deferred_kernels;
};

extern const struct demand_text workload_texts[ALGORITHM_COUNT];
extern const char *const workload_counts[ALGORITHM_COUNT]; /* all of them, as formulas.def has them */
extern const struct demand_text workload_reference_slopes_text; /* additional work */

#endif
