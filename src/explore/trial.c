#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "evaluate.h"

#define LEAST_TARGET 1e-9 /* s: what stands for a target of 0 */

void verdict_of(const struct result *result, struct verdict *verdict)
{
    *verdict = (struct verdict){
        .latency = result->latency,
        .first_pixel = result->first_pixel,
        .max_frame_rate = result->max_frame_rate,
        .load = result->load,
        .overloaded = result->overloaded,
        .met = !result->overloaded && result->latency <= result->target,
        .by = result->bound,
    };
    if (result->bound_node >= 0)
        snprintf(verdict->bound, sizeof verdict->bound, "%s",
                 result->node[result->bound_node].name);
}

void verdict_bound_text(const struct verdict *verdict, char text[VERDICT_BOUND])
{
    if (verdict->bound[0] == '\0')
        snprintf(text, VERDICT_BOUND, "nothing");
    else
        snprintf(text, VERDICT_BOUND, "%s %s", verdict->bound, bound_name(verdict->by));
}

double verdict_strain(const struct verdict *verdict, double target)
{
    return fmax(verdict->latency / fmax(target, LEAST_TARGET), verdict->load);
}

bool verdict_is_later(const struct verdict *after, const struct verdict *before)
{
    return after->first_pixel > before->first_pixel * (1 + 1e-9);
}

enum status trial_new(struct trial **trial, const struct scenario *design, struct error *error)
{
    *trial = calloc(1, sizeof **trial);
    if (*trial == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    if (result_init(&(*trial)->result, error) != STATUS_OK) {
        trial_free(*trial);
        *trial = NULL;
        return STATUS_MEMORY;
    }
    scenario_copy(&(*trial)->scenario, design);
    return STATUS_OK;
}

void trial_free(struct trial *trial)
{
    if (trial != NULL)
        result_free(&trial->result);
    free(trial);
}

bool trial_evaluate(struct trial *trial, struct verdict *verdict)
{
    trial->evaluations++;
    if (evaluate(&trial->scenario, &trial->result, NULL) != STATUS_OK)
        return false;
    verdict_of(&trial->result, verdict);
    return true;
}

bool trial_number(struct trial *trial, const struct scenario *design, struct knob_ref ref,
                  double value, struct verdict *verdict)
{
    scenario_copy(&trial->scenario, design);
    return knob_set_number(&trial->scenario, ref, value, NULL) == STATUS_OK &&
           trial_evaluate(trial, verdict);
}

bool trial_text(struct trial *trial, const struct scenario *design, struct knob_ref ref,
                const char *value, struct verdict *verdict)
{
    scenario_copy(&trial->scenario, design);
    return knob_set_text(&trial->scenario, ref, value, NULL) == STATUS_OK &&
           trial_evaluate(trial, verdict);
}
