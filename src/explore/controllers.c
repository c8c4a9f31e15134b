#include "explore/controllers.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/number.h"
#include "design/knob_text.h"
#include "explore/candidate.h"
#include "model/budget.h"

/* Two filters of tip and tilt are little work beside an integrator. */
#define INTEGRATORS                                                                                \
    (1U << CONTROLLER_INTEGRATOR | 1U << CONTROLLER_LEAKY | 1U << CONTROLLER_LQG_TIP_TILT)

/* Algorithms of whole controllers, and what each of them computes: of several with the same the
 * first stands for it. */
static const struct {
    enum algorithm_id algorithm;
    unsigned controllers;
} laws[] = {
    {ALGORITHM_INTEGRATOR, INTEGRATORS},    {ALGORITHM_POLC, INTEGRATORS},
    {ALGORITHM_POLC_EXPLICIT, INTEGRATORS}, {ALGORITHM_CONTROL_INTEGRATE, INTEGRATORS},
    {ALGORITHM_PID, 1U << CONTROLLER_PID},  {ALGORITHM_LQG_MODAL, 1U << CONTROLLER_LQG},
    {ALGORITHM_LQG, 1U << CONTROLLER_LQG},
};
#define LAWS (sizeof laws / sizeof laws[0])

/* The rows of every comparison. Others stand for a POLC by the interaction matrix, and for a filter
 * of all states at once, which has no reconstruction before it. */
static const struct {
    enum algorithm_id algorithm;
    enum controller controller;
} compared[] = {
    {ALGORITHM_INTEGRATOR, CONTROLLER_INTEGRATOR},
    {ALGORITHM_INTEGRATOR, CONTROLLER_LEAKY},
    {ALGORITHM_PID, CONTROLLER_PID},
    {ALGORITHM_POLC, CONTROLLER_INTEGRATOR},
    {ALGORITHM_INTEGRATOR, CONTROLLER_LQG_TIP_TILT},
    {ALGORITHM_LQG_MODAL, CONTROLLER_LQG},
};
#define COMPARED (sizeof compared / sizeof compared[0])

/* Returns the controllers that a component computes; 0: it is none. */
static unsigned computed_by(const struct component *component)
{
    for (size_t l = 0; l < LAWS && component->type == COMPONENT_CONTROL; l++)
        if (algorithm_index(component) == (int)laws[l].algorithm)
            return laws[l].controllers;
    return 0;
}

bool controllers_computed(const struct scenario *scenario)
{
    unsigned computed = 0;

    for (int i = 0; i < scenario->component_count; i++)
        computed |= computed_by(&scenario->component[i]);
    return (computed >> scenario->ao.controller & 1U) != 0;
}

bool controllers_depend(const struct scenario *scenario, struct knob_ref ref)
{
    return ref.knob == &knobs[KNOB_AO_CONTROLLER] ||
           (ref.knob == &knobs[KNOB_COMPONENT_ALGORITHM] &&
            scenario->component[ref.index].type == COMPONENT_CONTROL);
}

const char *controllers_uncounted(const struct scenario *scenario)
{
    if (!controllers_computed(scenario))
        return "its time is not counted";
    return scenario->ao.controller == CONTROLLER_LQG_TIP_TILT ? "2 filters not counted" : NULL;
}

bool controllers_predict(const struct scenario *scenario)
{
    return scenario->ao.controller == CONTROLLER_LQG ||
           scenario->ao.controller == CONTROLLER_LQG_TIP_TILT;
}

const struct algorithm *controllers_algorithm(enum controller controller)
{
    size_t l = 0;

    while ((laws[l].controllers >> controller & 1U) == 0)
        l++;
    return &algorithms[laws[l].algorithm];
}

/* Replaces the algorithms of all controllers; returns false if there are none. */
static bool set_algorithm(struct scenario *scenario, enum algorithm_id algorithm)
{
    bool found = false;

    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *component = &scenario->component[i];

        if (computed_by(component) == 0 ||
            algorithm_index(component) == ALGORITHM_CONTROL_INTEGRATE)
            continue;
        found |= knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_ALGORITHM, i),
                               algorithms[algorithm].name, NULL) == STATUS_OK;
    }
    return found;
}

const struct algorithm *controllers_follow(struct scenario *scenario)
{
    const struct algorithm *algorithm =
        controllers_algorithm((enum controller)scenario->ao.controller);

    return !controllers_computed(scenario) &&
                   set_algorithm(scenario, (enum algorithm_id)(algorithm - algorithms))
               ? algorithm
               : NULL;
}

const struct algorithm *controllers_present(const struct scenario *scenario)
{
    for (int i = 0; i < scenario->component_count; i++)
        if (computed_by(&scenario->component[i]) != 0)
            return &algorithms[algorithm_index(&scenario->component[i])];
    return NULL;
}

/* Returns the latency of a design whose loop has another one that is stated, s; RESULT_NONE: the
 * loop has its own. */
static double replaced_latency(struct candidate *candidate, const struct scenario *scenario)
{
    struct performance performance;

    scenario_copy(&candidate->scenario, scenario);
    return scenario->ao.rtc_latency > 0 && candidate_evaluate(candidate, &performance)
               ? performance.latency
               : RESULT_NONE;
}

/* Fills a row with what the candidate comes to. `replaced`: see replaced_latency. The stated one is
 * that of the present controller, from which the others differ as their designs do. */
static void fill_row(struct candidate *candidate, struct budget *budget, double replaced,
                     struct controller_row *row)
{
    struct scenario *scenario = &candidate->scenario;
    struct performance performance;
    struct optimum optimum;
    struct error error;

    row->controller = (enum controller)scenario->ao.controller;
    row->counted = controllers_computed(scenario);
    row->latency = row->delay = row->total = RESULT_NONE;
    row->gain = row->proportional = row->derivative = RESULT_NONE;
    row->overloaded = false;
    scenario->ao.gain = 0;
    if (!candidate_evaluate(candidate, &performance))
        return;
    row->latency = performance.latency;
    row->overloaded = performance.overloaded;
    if (replaced != RESULT_NONE)
        candidate->result.loop.delay =
            larger(0, candidate->result.loop.delay + row->latency - replaced);
    if (budget_fill(budget, scenario, &candidate->result, BUDGET_TERMS, &error) == STATUS_OK) {
        budget_find_least(budget, scenario->ao.gains == GAINS_PER_ORDER, &optimum);
        row->total = optimum.within;
        row->gain = optimum.gains.common;
        if (row->controller == CONTROLLER_PID && row->total != RESULT_NONE) {
            row->proportional = budget->servo.proportional;
            row->derivative = budget->servo.derivative;
        }
    }
    row->delay = budget->servo.delay; /* without the lag of a mirror with dynamics */
}

/* Appends a row of the candidate. */
static struct controller_row *add_row(struct controllers *controllers,
                                      const struct algorithm *algorithm, bool present)
{
    struct controller_row *row = &controllers->row[controllers->count++];

    row->algorithm = algorithm;
    row->present = present;
    return row;
}

/* Returns true if a row of every comparison is the design's own. */
static bool is_compared(const struct algorithm *algorithm, enum controller controller)
{
    size_t c = 0;

    while (c < COMPARED && (&algorithms[compared[c].algorithm] != algorithm ||
                            compared[c].controller != controller))
        c++;
    return c < COMPARED;
}

void controllers_compare(const struct scenario *scenario, struct controllers *controllers)
{
    const enum controller law = (enum controller)scenario->ao.controller;
    const struct algorithm *own = controllers_present(scenario);
    struct budget *budget = allocate_array(1, sizeof *budget);
    struct candidate *candidate = candidate_new(scenario);
    double replaced = RESULT_NONE;

    controllers->count = 0;
    if (own != NULL) {
        replaced = replaced_latency(candidate, scenario);
        if (!is_compared(own, law)) {
            scenario_copy(&candidate->scenario, scenario);
            fill_row(candidate, budget, replaced, add_row(controllers, own, true));
        }
    }
    for (size_t c = 0; c < COMPARED; c++) {
        const struct algorithm *algorithm = &algorithms[compared[c].algorithm];
        const bool present = algorithm == own && compared[c].controller == law;

        scenario_copy(&candidate->scenario, scenario);
        if (!present && !set_algorithm(&candidate->scenario, compared[c].algorithm))
            continue;
        candidate->scenario.ao.controller = (int)compared[c].controller;
        fill_row(candidate, budget, replaced, add_row(controllers, algorithm, present));
    }
    candidate_free(candidate);
    free(budget);
}
