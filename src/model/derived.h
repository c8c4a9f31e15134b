/* Results that evaluate does not find because they take many times as long: the ends of the range of the
 * latency (range.h), the error budget (budget.h) and the margins of its loop. */
#ifndef AOLAG_MODEL_DERIVED_H
#define AOLAG_MODEL_DERIVED_H

#include "model/budget.h"
#include "model/range.h"
#include "model/result.h"

/* Evaluates a design and finds the results of `wanted`, a set of enum derived; `range` is filled if
 * DERIVED_RANGE is wanted and it is not NULL. The budget of a loop that cannot be described, such as
 * one with an exposure longer than its period, stays RESULT_NONE. Errors as range_find. */
enum status derived_find(const struct scenario *scenario, struct result *result, unsigned wanted,
                         struct latency_range *range, struct error *error);

/* Sets the results that follow from a budget, margins if they are wanted. Of one without BUDGET_CHANGES
 * `nm_per_100us` is RESULT_NONE. */
void derived_take_budget(const struct budget *budget, unsigned wanted, struct loop_result *loop);

/* Adds the results of the budget to an evaluated design. Returns STATUS_STOPPED by what watches the
 * result. */
enum status derived_add_budget(const struct scenario *scenario, struct result *result,
                               unsigned wanted, struct error *error);

/* Returns the total of the budget of an evaluated design that states a star, m: what designs are
 * compared by. RESULT_NONE without a star, if it is overloaded or unstable, and if it was stopped. */
double derived_star_total(const struct scenario *scenario, struct result *result);

#endif
