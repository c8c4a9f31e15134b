#include "explore/sensitivity.h"

#include <math.h>

#include "design/knob_text.h"
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
static double near_latency(struct trial *trial, struct knob_ref ref, double value, double *near)
{
    const struct performance *after = &trial->after;

    if (*near != value && trial_set_number(trial, ref, *near) && trial_evaluate(trial) &&
        after->overloaded == trial->present->overloaded && after->latency > 0)
        return after->latency;
    *near = value;
    return trial->present->latency;
}

double sensitivity_of(struct trial *trial, struct knob_ref ref)
{
    double value, low, high, below, above;

    if (!knob_is_number(ref.knob) || knob_divides(trial->design, ref) ||
        trial->present->latency <= 0)
        return RESULT_NONE;
    value = knob_number_in_force(trial->design, trial->present, ref);
    if (value == RESULT_NONE || value <= 0)
        return RESULT_NONE;
    low = nearby_value(ref.knob, value, -1);
    high = nearby_value(ref.knob, value, 1);
    below = near_latency(trial, ref, value, &low);
    above = near_latency(trial, ref, value, &high);
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
    struct trial *trial = trial_new(design, progress);
    enum status status = STATUS_OK;

    *count = 0;
    if (!trial_start(trial, NULL))
        status = trial_problem(trial, error);
    while (status == STATUS_OK && trial_next_knob(trial, roles, &ref)) {
        double elasticity = sensitivity_of(trial, ref);

        if (elasticity != RESULT_NONE && fabs(elasticity) > LEAST)
            insert_sorted(list, most, count,
                          (struct sensitivity){
                              ref, knob_number_in_force(design, trial->present, ref), elasticity});
    }
    if (status == STATUS_OK)
        status = trial_status(trial, error);
    if (status != STATUS_OK)
        *count = 0;
    trial_free(trial);
    return status;
}
