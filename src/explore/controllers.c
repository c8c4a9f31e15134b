#include "explore/controllers.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/number.h"
#include "explore/candidate.h"
#include "model/budget.h"

/* Algorithms of whole controllers, and the law of each. Rows are compared but for those that
 * another one stands for, unless they are the design's own: a POLC by the interaction matrix, and a
 * filter of all states at once, which has no reconstruction before it. */
static const struct {
    enum algorithm_id algorithm;
    enum controller controller;
    bool compared;
} laws[] = {
    {ALGORITHM_INTEGRATOR, CONTROLLER_INTEGRATOR, true},
    {ALGORITHM_PID, CONTROLLER_PID, true},
    {ALGORITHM_POLC, CONTROLLER_INTEGRATOR, true},
    {ALGORITHM_POLC_EXPLICIT, CONTROLLER_INTEGRATOR, false},
    {ALGORITHM_CONTROL_INTEGRATE, CONTROLLER_INTEGRATOR, false},
    {ALGORITHM_INTEGRATOR, CONTROLLER_LQG_TIP_TILT,
     true}, /* two filters are little work beside it */
    {ALGORITHM_POLC, CONTROLLER_LQG_TIP_TILT, false},
    {ALGORITHM_POLC_EXPLICIT, CONTROLLER_LQG_TIP_TILT, false},
    {ALGORITHM_CONTROL_INTEGRATE, CONTROLLER_LQG_TIP_TILT, false},
    {ALGORITHM_LQG_MODAL, CONTROLLER_LQG, true},
    {ALGORITHM_LQG, CONTROLLER_LQG, false},
};
#define LAWS (sizeof laws / sizeof laws[0])

/* A leak is part of every integrator. */
static enum controller law_of(enum controller controller)
{
    return controller == CONTROLLER_LEAKY ? CONTROLLER_INTEGRATOR : controller;
}

static bool computes_law(const struct component *component, size_t l)
{
    return component->type == COMPONENT_CONTROL &&
           algorithm_index(component) == (int)laws[l].algorithm;
}

/* Returns true if the algorithm of a component is a whole controller. */
static bool is_controller(const struct component *component)
{
    size_t l = 0;

    while (l < LAWS && !computes_law(component, l))
        l++;
    return l < LAWS;
}

bool controllers_computed(const struct scenario *scenario)
{
    enum controller law = law_of((enum controller)scenario->ao.controller);

    for (int i = 0; i < scenario->component_count; i++)
        for (size_t l = 0; l < LAWS; l++)
            if (laws[l].controller == law && computes_law(&scenario->component[i], l))
                return true;
    return false;
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

const struct algorithm *controllers_algorithm(enum controller controller)
{
    size_t l = 0;

    while (laws[l].controller != law_of(controller))
        l++;
    return &algorithms[laws[l].algorithm];
}

/* Replaces the algorithms of all controllers; returns false if there are none. */
static bool set_algorithm(struct scenario *scenario, enum algorithm_id algorithm)
{
    bool found = false;

    for (int i = 0; i < scenario->component_count; i++) {
        struct component *component = &scenario->component[i];

        if (!is_controller(component) || algorithm_index(component) == ALGORITHM_CONTROL_INTEGRATE)
            continue;
        component->algorithm = (int)algorithm;
        found = true;
    }
    return found;
}

/* Returns true if all controllers, of which there are some, have the algorithm. */
static bool has_algorithm(const struct scenario *scenario, enum algorithm_id algorithm)
{
    bool found = false;

    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *component = &scenario->component[i];

        if (is_controller(component) && algorithm_index(component) != (int)algorithm)
            return false;
        found = found || is_controller(component);
    }
    return found;
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

/* `replaced`: see replaced_latency. The stated one is that of the present controller, from which
 * the others differ as their designs do. */
static void fill_row(struct candidate *candidate, struct budget *budget, double replaced,
                     struct controller_row *row)
{
    struct performance performance;
    struct error error;

    row->latency = row->delay = row->total = RESULT_NONE;
    row->overloaded = false;
    if (!candidate_evaluate(candidate, &performance))
        return;
    row->latency = performance.latency;
    row->overloaded = performance.overloaded;
    if (replaced != RESULT_NONE)
        candidate->result.loop.delay =
            larger(0, candidate->result.loop.delay + row->latency - replaced);
    row->delay = candidate->result.loop.delay;
    if (budget_fill(budget, &candidate->scenario, &candidate->result, BUDGET_TERMS, &error) ==
        STATUS_OK)
        row->total = budget_least_total(budget, candidate->scenario.ao.gains == GAINS_PER_ORDER);
}

enum status controllers_compare(const struct scenario *scenario, struct controllers *controllers,
                                struct error *error)
{
    struct budget *budget = allocate_array(1, sizeof *budget);
    struct candidate *candidate = NULL;
    enum status status = candidate_new(&candidate, scenario, error);
    double replaced = RESULT_NONE;

    controllers->count = 0;
    if (status == STATUS_OK && budget == NULL)
        status = error_set(error, STATUS_MEMORY, "out of memory");
    if (status == STATUS_OK)
        replaced = replaced_latency(candidate, scenario);
    for (size_t l = 0; l < LAWS && status == STATUS_OK; l++) {
        struct controller_row *row = &controllers->row[controllers->count];
        const bool present = has_algorithm(scenario, laws[l].algorithm) &&
                             law_of((enum controller)scenario->ao.controller) == laws[l].controller;

        scenario_copy(&candidate->scenario, scenario);
        if (!present &&
            (!laws[l].compared || !set_algorithm(&candidate->scenario, laws[l].algorithm)))
            continue;
        if (law_of((enum controller)scenario->ao.controller) != laws[l].controller)
            candidate->scenario.ao.controller = (int)laws[l].controller;
        candidate->scenario.ao.gain = 0;
        row->algorithm = &algorithms[laws[l].algorithm];
        row->controller = (enum controller)candidate->scenario.ao.controller;
        row->present = present;
        fill_row(candidate, budget, replaced, row);
        controllers->count++;
    }
    candidate_free(candidate);
    free(budget);
    return status;
}
