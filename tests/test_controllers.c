/* Controllers of a design beside each other. */
#include "explore/controllers.h"

#include "check.h"
#include "model/budget.h"
#include "model/evaluate.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario;

/* Which algorithm computes which controller. */
TEST(computed)
{
    static const struct {
        const char *algorithm, *controller;
        bool computed;
    } rows[] = {
        {"integrator", "integrator", true},
        {"integrator", "leaky", true},
        {"integrator", "pid", false},
        {"integrator", "lqg", false},
        {"pid", "pid", true},
        {"pid", "integrator", false},
        {"polc", "integrator", true},
        {"polc-explicit", "leaky", true},
        {"lqg", "lqg", true},
        {"integrator", "lqg-tip-tilt", true},
        {"polc", "lqg-tip-tilt", true},
        {"lqg", "lqg-tip-tilt", false},
        {"lqg-modal", "lqg", true},
        {"integrate", "leaky", true},
        {"integrate", "pid", false},
        {"saturate", "integrator", false},
    };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (!systems_load(&scenario, "saxo"))
            return;
        sample_set(&scenario, "component.control.algorithm", rows[r].algorithm);
        sample_set(&scenario, "ao.controller", rows[r].controller);
        CHECK_TRUE(controllers_computed(&scenario) == rows[r].computed, "%s, %s", rows[r].algorithm,
                   rows[r].controller);
    }
}

TEST(compared)
{
    struct controllers controllers;

    if (!systems_load(&scenario, "saxo"))
        return;
    sample_set(&scenario, "ao.diameter", "8");
    sample_set(&scenario, "ao.vibrations", "48 Hz:0.01:20 nm");
    controllers_compare(&scenario, &controllers);
    CHECK_INT(controllers.count, 6);
    for (int i = 0; i < controllers.count; i++) {
        const struct controller_row *row = &controllers.row[i];

        CHECK_TRUE(row->present == (i == 0), "%s", row->algorithm->name);
        CHECK_TRUE(row->total > 1e-9 && row->total < 120e-9, "%s leaves %g m", row->algorithm->name,
                   row->total);
        CHECK_TRUE(row->latency > 90e-6 && row->latency < 100e-6, "%s takes %g s",
                   row->algorithm->name, row->latency);
    }
    CHECK(controllers.row[4].total < controllers.row[0].total);
    CHECK_INT(controllers.row[4].controller, CONTROLLER_LQG_TIP_TILT);
    CHECK(controllers.row[5].total < 0.99 * controllers.row[4].total);
    CHECK(controllers.row[5].latency > controllers.row[0].latency);
    sample_set(&scenario, "component.control.type", "custom");
    controllers_compare(&scenario, &controllers);
    CHECK_INT(controllers.count, 0);
}

/* No PID of a grid of gains leaves less than the one found. */
TEST(least_pid)
{
    static struct budget budget;
    struct result result;
    struct optimum found, other;
    struct error error = {STATUS_OK, ""};

    if (!systems_load(&scenario, "saxo"))
        return;
    sample_set(&scenario, "ao.vibrations", "48 Hz:0.01:20 nm");
    sample_set(&scenario, "ao.controller", "pid");
    result_init(&result);
    if (!CHECK_INT(evaluate(&scenario, &result, &error), STATUS_OK) ||
        !CHECK_INT(budget_fill(&budget, &scenario, &result, BUDGET_TERMS, &error), STATUS_OK)) {
        result_free(&result);
        return;
    }
    budget_find_least(&budget, false, &found);
    for (int p = 0; p <= 8; p++)
        for (int d = 0; d <= 8; d++) {
            scenario.ao.proportional = 0.1 * p;
            scenario.ao.derivative = 0.1 * d;
            if (!CHECK_INT(budget_fill(&budget, &scenario, &result, BUDGET_CHANGES, &error),
                           STATUS_OK))
                break;
            other = budget.optimum;
            CHECK_TRUE(other.total > (1 - 1e-5) * found.total, "P %.1f, D %.1f leave %g m, not %g",
                       0.1 * p, 0.1 * d, other.total, found.total);
        }
    result_free(&result);
}
