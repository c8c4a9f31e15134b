#include "explore/sensitivity.h"

#include <math.h>

#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

#define STEP 0.01  /* relative change of a knob */
#define LEAST 1e-6 /* smaller elasticities, and differences of them, are rounding errors */

/* Returns the value one percent away within the range, or `value` itself if there is none. */
static double nearby_value(const struct knob *knob, double value, int direction)
{
    double near = value * (1 + direction * STEP);

    if (knob->type == KNOB_INTEGER) {
        near = round(near);
        near = near == value ? value + direction : near;
    }
    if (near <= 0 || near < knob_min(knob) || near > knob_max(knob) || knob_is_auto(knob, near))
        return value;
    return near;
}

/* Evaluates the design with a value next to that in force. Where it has no latency, or only one of
 * both designs is overloaded, `near` becomes the value in force. */
static double near_latency(struct candidate *candidate, const struct scenario *design,
                           const struct result *result, struct knob_ref ref, double value,
                           double *near)
{
    struct performance at;

    if (*near != value && candidate_try_number(candidate, design, ref, *near, &at) &&
        at.overloaded == result->overloaded && at.latency > 0)
        return at.latency;
    *near = value;
    return result->latency;
}

double sensitivity_of(struct candidate *candidate, const struct scenario *design,
                      const struct result *result, struct knob_ref ref)
{
    double value, low, high, below, above;

    if (!knob_is_number(ref.knob) || knob_divides(design, ref) || result->latency <= 0)
        return RESULT_NONE;
    value = knob_number_in_force(design, result, ref);
    if (value == RESULT_NONE || value <= 0)
        return RESULT_NONE;
    low = nearby_value(ref.knob, value, -1);
    high = nearby_value(ref.knob, value, 1);
    below = near_latency(candidate, design, result, ref, value, &low);
    above = near_latency(candidate, design, result, ref, value, &high);
    return low == high ? RESULT_NONE : log(above / below) / log(high / low);
}

/* Inserts an entry behind those that are as large; the last of a full list is dropped. */
static void insert_sorted(struct sensitivity *list, int most, int *count, struct sensitivity entry)
{
    int at = *count < most ? (*count)++ : most;

    for (; at > 0 && fabs(list[at - 1].elasticity) < fabs(entry.elasticity) - LEAST; at--)
        if (at < most)
            list[at] = list[at - 1];
    if (at < most)
        list[at] = entry;
}

enum status sensitivity_list(const struct scenario *design, unsigned roles,
                             const struct progress *progress, struct sensitivity *list, int most,
                             int *count, struct error *error)
{
    struct knob_ref ref = {.knob = NULL};
    struct candidate *candidate = candidate_watched(design, progress);
    struct result result;
    enum status status;

    *count = 0;
    result_init(&result);
    result_watch(&result, progress);
    status = evaluate(design, &result, error);
    while (status == STATUS_OK && knob_next(design, &ref)) {
        struct sensitivity entry = {.ref = ref};

        status = progress_check(progress, 0, error);
        if (status != STATUS_OK || (roles >> ref.knob->role & 1U) == 0 || knob_idle(design, ref))
            continue;
        entry.value = knob_is_number(ref.knob) ? knob_number_in_force(design, &result, ref) : 0;
        entry.elasticity = sensitivity_of(candidate, design, &result, ref);
        if (entry.elasticity != RESULT_NONE && fabs(entry.elasticity) > LEAST)
            insert_sorted(list, most, count, entry);
    }
    if (status != STATUS_OK)
        *count = 0;
    candidate_free(candidate);
    result_free(&result);
    return status;
}
