#include "evaluations.h"

#include "model/evaluate.h"

static _Thread_local unsigned long count;

enum status __real_evaluate(const struct scenario *scenario, struct result *result,
                            struct error *error);
enum status __real_evaluate_design(const struct scenario *scenario, struct result *result,
                                   struct error *error);
enum status __real_evaluate_scaled(const struct scenario *scenario,
                                   const struct cause_factors *factors, bool again,
                                   struct result *result, struct error *error);
enum status __wrap_evaluate(const struct scenario *scenario, struct result *result,
                            struct error *error);
enum status __wrap_evaluate_design(const struct scenario *scenario, struct result *result,
                                   struct error *error);
enum status __wrap_evaluate_scaled(const struct scenario *scenario,
                                   const struct cause_factors *factors, bool again,
                                   struct result *result, struct error *error);

enum status __wrap_evaluate(const struct scenario *scenario, struct result *result,
                            struct error *error)
{
    count++;
    return __real_evaluate(scenario, result, error);
}

enum status __wrap_evaluate_design(const struct scenario *scenario, struct result *result,
                                   struct error *error)
{
    count++;
    return __real_evaluate_design(scenario, result, error);
}

enum status __wrap_evaluate_scaled(const struct scenario *scenario,
                                   const struct cause_factors *factors, bool again,
                                   struct result *result, struct error *error)
{
    count++;
    return __real_evaluate_scaled(scenario, factors, again, result, error);
}

unsigned long evaluations(void)
{
    return count;
}
