#include "explore/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

#define LEAST_TARGET 1e-9 /* s, replaces a target of 0 */

/* Performance ---------------------------------------------------------------------------------- */

/* `clock`: s from the first pixel, of the design that it is compared with. */
static void fill_performance(const struct scenario *scenario, const struct result *result,
                             double clock, struct performance *performance)
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
        .power = scenario_power(scenario),
        .price = scenario_price(scenario),
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

/* Trials --------------------------------------------------------------------------------------- */

struct trial *trial_new_with(const struct scenario *design, struct result *lent,
                             const struct progress *progress)
{
    struct trial *trial = allocate_array(1, sizeof *trial);

    trial->design = design;
    trial->clock = HUGE_VAL;
    trial->width = 1;
    trial->lent = lent;
    trial_reset(trial);
    if (lent != NULL)
        trial->result = *lent;
    else
        result_init(&trial->result);
    trial_watch(trial, progress);
    return trial;
}

struct trial *trial_new(const struct scenario *design, const struct progress *progress)
{
    return trial_new_with(design, NULL, progress);
}

void trial_free(struct trial *trial)
{
    if (trial == NULL)
        return;
    if (trial->lent != NULL) {
        result_watch(&trial->result, NULL);
        *trial->lent = trial->result;
    } else {
        result_free(&trial->result);
    }
    result_free(&trial->own);
    free(trial->range);
    free(trial);
}

void trial_watch(struct trial *trial, const struct progress *progress)
{
    trial->progress = progress;
    trial->stopped = false;
    result_watch(&trial->result, progress);
    result_watch(&trial->own, progress);
}

/* Notes what became of a point, or of the design; returns true if that is valid. */
static bool note_status(struct trial *trial, enum status status)
{
    trial->problem.status = status;
    trial->stopped = trial->stopped || status == STATUS_STOPPED;
    return status == STATUS_OK;
}

bool trial_start(struct trial *trial, const struct result *present)
{
    if (present == NULL) {
        if (trial->own.work == NULL)
            result_init(&trial->own);
        result_watch(&trial->own, trial->progress);
        if (!note_status(trial, trial->stopped
                                    ? STATUS_STOPPED
                                    : evaluate_design(trial->design, &trial->own, &trial->problem)))
            return false;
        present = &trial->own;
    }
    if (trial->present == NULL)
        trial->clock = present->last_pixel;
    trial->present = present;
    free(trial->range);
    trial->range = NULL;
    fill_performance(trial->design, present, trial->clock, &trial->now);
    return true;
}

bool trial_goes_on(struct trial *trial, double done)
{
    trial->stopped =
        trial->stopped || !progress_report(trial->progress, trial->from + done * trial->width);
    return !trial->stopped;
}

enum status trial_status(const struct trial *trial, struct error *error)
{
    return trial->stopped ? error_set(error, STATUS_STOPPED, "stopped") : STATUS_OK;
}

enum status trial_problem(const struct trial *trial, struct error *error)
{
    if (error != NULL && trial->problem.status != STATUS_OK)
        *error = trial->problem;
    return trial->problem.status;
}

/* Points --------------------------------------------------------------------------------------- */

bool trial_next_knob(struct trial *trial, unsigned roles, struct knob_ref *ref)
{
    if (ref->knob == NULL) {
        for (trial->knobs = trial->knob = 0; knob_next(trial->design, ref);)
            trial->knobs++;
        ref->knob = NULL;
    }
    while (knob_next(trial->design, ref)) {
        if (!trial_goes_on(trial, (double)trial->knob++ / trial->knobs))
            return false;
        if ((roles >> ref->knob->role & 1U) != 0 && !knob_idle(trial->design, *ref))
            return true;
    }
    return false;
}

void trial_reset(struct trial *trial)
{
    scenario_copy(&trial->scenario, trial->design);
}

bool trial_set_number(struct trial *trial, struct knob_ref ref, double value)
{
    trial_reset(trial);
    return note_status(trial, knob_set_number(&trial->scenario, ref, value, &trial->problem));
}

bool trial_set_preset(struct trial *trial, struct catalogue *catalogue, int device,
                      const char *preset)
{
    trial_reset(trial);
    return note_status(
        trial, scenario_set_preset(&trial->scenario, device, catalogue, preset, &trial->problem));
}

/* Judgement ------------------------------------------------------------------------------------ */

/* Notes what became of the copy and what it comes to. */
static bool note_performance(struct trial *trial, enum status status)
{
    if (!note_status(trial, status))
        return false;
    fill_performance(&trial->scenario, &trial->result, trial->clock, &trial->after);
    return true;
}

bool trial_evaluate(struct trial *trial)
{
    return note_performance(
        trial, trial->stopped ? STATUS_STOPPED
                              : evaluate_design(&trial->scenario, &trial->result, &trial->problem));
}

bool trial_find_range(struct trial *trial, unsigned wanted, struct latency_range *range)
{
    return note_performance(trial, trial->stopped ? STATUS_STOPPED
                                                  : derived_find(&trial->scenario, &trial->result,
                                                                 wanted, range, &trial->problem));
}

bool trial_find_high(struct trial *trial, struct range_group *group)
{
    return note_status(trial, trial->stopped
                                  ? STATUS_STOPPED
                                  : range_find_high(&trial->scenario, trial->after.latency, group,
                                                    &trial->result, &trial->problem));
}

const struct latency_range *trial_present_range(struct trial *trial)
{
    if (trial->range == NULL && !trial->stopped) {
        trial->range = allocate(sizeof *trial->range);
        if (!note_status(trial, range_find_ends(trial->design, &trial->result, true, trial->range,
                                                &trial->problem))) {
            free(trial->range);
            trial->range = NULL;
        }
    }
    return trial->range;
}

bool trial_compare(struct trial *trial, struct latency_range *range,
                   struct compare_verdict *verdict)
{
    const struct compare_side side[SIDES] = {
        {trial->design, trial->present, trial_present_range(trial)},
        {&trial->scenario, &trial->result, range}};

    if (side[0].range == NULL || !trial_find_range(trial, DERIVED_RANGE, range))
        return false;
    compare_latencies(side, verdict);
    return true;
}

double trial_star_total(struct trial *trial)
{
    return derived_star_total(&trial->scenario, &trial->result);
}
