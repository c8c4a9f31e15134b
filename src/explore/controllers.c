#include "explore/controllers.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/number.h"
#include "design/knob_text.h"
#include "explore/trial.h"
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

/* Appends a row with what the trial comes to. A latency that the loop states instead of its own is
 * that of the present controller, from which the others differ as their designs do. */
static void add_row(struct trial *trial, struct budget *budget, const struct algorithm *algorithm,
                    bool present, struct controllers *controllers)
{
    struct controller_row *row = &controllers->row[controllers->count++];
    struct scenario *scenario = &trial->scenario;
    struct optimum optimum;
    struct error error;

    *row = (struct controller_row){.algorithm = algorithm,
                                   .controller = (enum controller)scenario->ao.controller,
                                   .present = present,
                                   .counted = controllers_computed(scenario),
                                   .latency = RESULT_NONE,
                                   .delay = RESULT_NONE,
                                   .total = RESULT_NONE,
                                   .gain = RESULT_NONE,
                                   .proportional = RESULT_NONE,
                                   .derivative = RESULT_NONE};
    scenario->ao.gain = 0;
    if (!trial_evaluate(trial))
        return;
    row->latency = trial->after.latency;
    row->overloaded = trial->after.overloaded;
    if (scenario->ao.rtc_latency > 0 && trial->present != NULL)
        trial->result.loop.delay =
            larger(0, trial->result.loop.delay + row->latency - trial->now.latency);
    if (budget_fill(budget, scenario, &trial->result, BUDGET_TERMS, &error) == STATUS_OK) {
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
    struct trial *trial = trial_new(scenario, NULL);

    controllers->count = 0;
    trial_start(trial, NULL);
    if (own != NULL && !is_compared(own, law))
        add_row(trial, budget, own, true, controllers);
    for (size_t c = 0; c < COMPARED; c++) {
        const struct algorithm *algorithm = &algorithms[compared[c].algorithm];
        const bool present = algorithm == own && compared[c].controller == law;

        trial_reset(trial);
        if (!present && !set_algorithm(&trial->scenario, compared[c].algorithm))
            continue;
        trial->scenario.ao.controller = (int)compared[c].controller;
        add_row(trial, budget, algorithm, present, controllers);
    }
    trial_free(trial);
    free(budget);
}
