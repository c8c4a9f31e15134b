/* Controllers of a design beside each other. */
#include "explore/controllers.h"

#include "check.h"
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
    struct error error = {STATUS_OK, ""};

    if (!systems_load(&scenario, "saxo"))
        return;
    sample_set(&scenario, "ao.diameter", "8");
    sample_set(&scenario, "ao.vibrations", "48 Hz:0.01:20 nm");
    if (!CHECK_TRUE(controllers_compare(&scenario, &controllers, &error) == STATUS_OK, "%s",
                    error.message))
        return;
    CHECK_INT(controllers.count, 5);
    for (int i = 0; i < controllers.count; i++) {
        const struct controller_row *row = &controllers.row[i];

        CHECK_TRUE(row->present == (i == 0), "%s", row->algorithm->name);
        CHECK_TRUE(row->total > 1e-9 && row->total < 100e-9, "%s leaves %g m", row->algorithm->name,
                   row->total);
        CHECK_TRUE(row->latency > 90e-6 && row->latency < 100e-6, "%s takes %g s",
                   row->algorithm->name, row->latency);
    }
    CHECK(controllers.row[3].total < controllers.row[0].total);
    CHECK_INT(controllers.row[3].controller, CONTROLLER_LQG_TIP_TILT);
    CHECK(controllers.row[4].total < 0.99 * controllers.row[3].total);
    CHECK(controllers.row[4].latency > controllers.row[0].latency);
    sample_set(&scenario, "component.control.type", "custom");
    CHECK_INT(controllers_compare(&scenario, &controllers, &error), STATUS_OK);
    CHECK_INT(controllers.count, 0);
}
