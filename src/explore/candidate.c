#include "explore/candidate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "model/evaluate.h"

#define LEAST_TARGET 1e-9 /* s, replaces a target of 0 */

void performance_of(const struct scenario *scenario, const struct result *result, double clock,
                    struct performance *performance)
{
    *performance = (struct performance){
        .latency = result->latency,
        .counted = result->first_pixel - fmin(result->last_pixel, clock),
        .first_pixel = result->first_pixel,
        .max_frame_rate = result->max_frame_rate,
        .load = result->load,
        .overloaded = result->overloaded,
        .fits = result->fits,
        .met = !result->overloaded && result->fits && result->latency <= result->target,
        .by = result->bottleneck_bound,
    };
    if (result->bound_node >= 0)
        snprintf(performance->bound, sizeof performance->bound, "%s",
                 result->node[result->bottleneck].name);
    verdict_resource(scenario, result, performance->limit);
}

void performance_price(const struct performance *before, const struct performance *after,
                       char *text, size_t size)
{
    text[0] = '\0';
    if (before->price.unstated == after->price.unstated &&
        before->price.stated != after->price.stated)
        snprintf(text, size, "price %+.15g", after->price.stated - before->price.stated);
}

double performance_target_ratio(const struct performance *performance, double target)
{
    return fmax(performance->counted / fmax(target, LEAST_TARGET), performance->load);
}

double performance_rate_kept(const struct performance *performance)
{
    double rate = performance->max_frame_rate;
    double digit = rate > 0 ? pow(10, floor(log10(rate)) - 2) : 0;

    return digit > 0 ? floor(rate / digit) * digit : rate;
}

struct candidate *candidate_new(const struct scenario *design)
{
    struct candidate *candidate = allocate_array(1, sizeof *candidate);

    scenario_copy(&candidate->scenario, design);
    candidate->clock = HUGE_VAL;
    result_init(&candidate->result);
    return candidate;
}

struct candidate *candidate_watched(const struct scenario *design, const struct progress *progress)
{
    struct candidate *candidate = candidate_new(design);

    result_watch(&candidate->result, progress);
    return candidate;
}

void candidate_free(struct candidate *candidate)
{
    result_free(&candidate->result);
    free(candidate);
}

bool candidate_evaluate(struct candidate *candidate, struct performance *performance)
{
    if (evaluate(&candidate->scenario, &candidate->result, NULL) != STATUS_OK)
        return false;
    performance_of(&candidate->scenario, &candidate->result, candidate->clock, performance);
    performance->power = scenario_power(&candidate->scenario);
    performance->price = scenario_price(&candidate->scenario);
    return true;
}

bool candidate_try_number(struct candidate *candidate, const struct scenario *design,
                          struct knob_ref ref, double value, struct performance *performance)
{
    scenario_copy(&candidate->scenario, design);
    return knob_set_number(&candidate->scenario, ref, value, NULL) == STATUS_OK &&
           candidate_evaluate(candidate, performance);
}
