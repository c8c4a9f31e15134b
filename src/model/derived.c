#include "model/derived.h"

#include "base/allocate.h"
#include "model/budget.h"
#include "model/evaluate.h"

void derived_take_budget(const struct budget *budget, unsigned wanted, struct loop_result *loop)
{
    loop->total = budget->total.after;
    loop->lag = budget->lag.after;
    loop->noise = budget->noise.after;
    loop->vibration = budget->vibrations.after;
    loop->fitting = budget->fitting.after;
    loop->aliasing = budget->aliasing.after;
    loop->other = budget->other.after;
    loop->margin_cost = budget->margin_cost;
    loop->strehl = budget->strehl;
    loop->gain = budget->gain_source == GAIN_FILTER ? RESULT_NONE : budget->servo.gain;
    loop->stable = budget->stable;
    loop->nm_per_100us = budget->longer.adapted;
    loop->unstable_above = budget->stable ? RESULT_NONE : budget->max_gain;
    if (budget->stable && (wanted & DERIVED_MARGINS) != 0) {
        const struct margins margins = servo_margins(&budget->servo);

        loop->gain_margin = margins.gain;
        loop->phase_margin = margins.phase;
        loop->modulus_margin = margins.modulus;
        loop->delay_margin = margins.delay;
        loop->zero_db = margins.zero_db;
        loop->gain_crossover = margins.crossover;
        loop->peak = margins.peak;
        loop->noise_gain = servo_noise_gain(&budget->servo);
    }
}

enum status derived_add_budget(const struct scenario *scenario, struct result *result,
                               unsigned wanted, struct error *error)
{
    const enum budget_depth depth = (wanted & DERIVED_CHANGES) != 0 ? BUDGET_CHANGES : BUDGET_TERMS;
    struct budget *budget = result->budget;
    enum status status;

    if (budget == NULL) { /* and what is kept, in one piece */
        result->budget = budget = allocate_array(1, sizeof *budget + band_kept_size());
        budget->kept = (struct band_kept *)(budget + 1);
    }
    budget->pace = &result->pace;
    budget->problem.status = STATUS_OK;
    status = budget_fill(budget, scenario, result, depth, &budget->problem);
    if (status == STATUS_STOPPED)
        return error_set(error, STATUS_STOPPED, "stopped");
    if (status == STATUS_OK)
        derived_take_budget(budget, wanted, &result->loop);
    return STATUS_OK;
}

double derived_star_total(const struct scenario *scenario, struct result *result)
{
    if (result->overloaded ||
        derived_add_budget(scenario, result, DERIVED_BUDGET, NULL) != STATUS_OK)
        return RESULT_NONE;
    return result->loop.noise != RESULT_NONE ? result->loop.total : RESULT_NONE;
}

enum status derived_find(const struct scenario *scenario, struct result *result, unsigned wanted,
                         struct latency_range *range, struct error *error)
{
    struct latency_range own;
    enum status status;

    range = range != NULL ? range : &own;
    if ((wanted & DERIVED_FRAMES) != 0)
        status = range_find(scenario, result, NULL, NULL, range, error);
    else if ((wanted & DERIVED_RANGE) != 0)
        status = range_find_ends(scenario, result, (wanted & DERIVED_LOWER) != 0, range, error);
    else
        status = evaluate(scenario, result, error);
    if (status == STATUS_OK && (wanted & DERIVED_LOOP) != 0)
        status = derived_add_budget(scenario, result, wanted, error);
    return status;
}
