/* The budget of a design like SAXO, whose terms were computed by others. */
#include "model/budget.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"

#define PI 3.14159265358979323846

static struct budget budget;
static struct scenario scenario;
static struct result result;

static void set(const char *path, const char *value)
{
    struct knob_ref ref;
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK &&
                   knob_set_text(&scenario, ref, value, &error) == STATUS_OK,
               "%s: %s", path, error.message);
}

static void set_saxo(void)
{
    memset(&scenario, 0, sizeof scenario);
    memset(&result, 0, sizeof result);
    set("ao.modes", "1377");
    set("ao.diameter", "8 m");
    set("ao.vibrations", "48 Hz:0.01:20 nm");
    set("atmosphere.r0", "15 cm");
    set("atmosphere.wind", "12 m/s");
    result.loop.sample_period = result.loop.exposure = 1.0 / 1200;
    result.loop.delay = 1e-3;
    result.loop.servo_lag = 50e-9;
}

static bool fill(void)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(budget_fill(&budget, &scenario, &result, &error) == STATUS_OK, "%s",
                      error.message);
}

TEST(saxo)
{
    set_saxo();
    set("ao.gain", "0.322");
    if (!fill())
        return;
    CHECK_INT(budget.orders, 51);
    CHECK_NEAR(budget.max_gain, 0.962912, 1e-6);
    CHECK_NEAR(budget.lag.after * 1e9, 33.53, 5e-3);
    CHECK_NEAR(budget.vibration_error[0].after * 1e9, 15.96, 5e-3);
    CHECK_NEAR(budget.total.after, hypot(budget.lag.after, budget.vibration_error[0].after), 1e-9);
    CHECK_NEAR(budget.servo_lag_deviation, 50e-9 / budget.lag.after - 1, 1e-9);
    set("ao.gain", "0.363");
    if (fill())
        CHECK_NEAR(budget.vibration_error[0].after * 1e9, 14.63, 5e-3);
}

/* Knobs of the loop change the budget. */
TEST(knobs_act)
{
    static const struct {
        const char *path, *value;
    } rows[] = {
        {"ao.diameter", "10 m"}, {"ao.modes", "100"},         {"ao.controller", "leaky"},
        {"ao.gain", "0.2"},      {"ao.vibrations", ""},       {"atmosphere.wind", "20"},
        {"atmosphere.r0", "10"}, {"atmosphere.zenith", "40"}, {"atmosphere.outer_scale", "25 m"}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double before;

        set_saxo();
        set("ao.leak", "0.95");
        if (!fill())
            return;
        before = budget.total.after;
        set(rows[r].path, rows[r].value);
        CHECK_TRUE(fill() && fabs(budget.total.after / before - 1) > 1e-3, "%s does not act",
                   rows[r].path);
    }
}

/* No gain in the range of the optimum has a smaller total, whichever terms there are. */
TEST(optimum_is_least)
{
    for (int terms = 1; terms < 4; terms++) {
        set_saxo();
        if ((terms & 1) == 0)
            set("atmosphere.wind", "0");
        if ((terms & 2) == 0)
            set("ao.vibrations", "");
        if (!fill())
            return;
        scenario.ao.gain = budget.optimum_gain;
        if (fill()) {
            double least = budget.total.after;

            for (int i = 1; i <= 45; i++) {
                scenario.ao.gain = 0.02 * i * budget.max_gain;
                CHECK_TRUE(fill() && budget.total.after > least * (1 - 1e-4),
                           "gain %g: less than at the optimum", scenario.ao.gain);
            }
        }
    }
}

/* Without a stated gain the loop has a phase margin of 45 degrees. */
TEST(automatic_gain)
{
    set_saxo();
    set("ao.diameter", "0");
    set("ao.vibrations", "");
    if (!fill())
        return;
    CHECK_INT(budget.gain_source, GAIN_MARGIN);
    CHECK_NEAR(budget.margins.phase, PI / 4, 1e-9);
    CHECK_NEAR(budget.optimum_gain, RESULT_NONE, 0);
    CHECK_INT(budget.turbulence_state, TURBULENCE_NO_DIAMETER);
    CHECK_NEAR(budget.total.after, RESULT_NONE, 0);
    set("ao.diameter", "8");
    set("atmosphere.wind", "0");
    if (fill())
        CHECK_INT(budget.turbulence_state, TURBULENCE_NO_WIND);
}

TEST(unstable)
{
    set_saxo();
    set("ao.gain", "1");
    if (!fill())
        return;
    CHECK(!budget.stable);
    CHECK_NEAR(budget.lag.after, RESULT_NONE, 0);
    CHECK_NEAR(budget.total.after, RESULT_NONE, 0);
    CHECK_TRUE(budget.lag.before > 1e-6, "an open loop has %g m", budget.lag.before);
}

TEST(loops_that_are_none)
{
    struct error error = {STATUS_OK, ""};

    set_saxo();
    result.loop.exposure = 1e-3;
    CHECK_INT(budget_fill(&budget, &scenario, &result, &error), STATUS_INVALID);
    CHECK_STR(error.message,
              "the exposure of 1.00 ms is longer than the period of the loop, 833 us");
    result.loop.exposure = 0; /* a readout that takes the whole period */
    result.loop.delay = 0.08;
    fill();
    result.loop.delay = 0.1;
    CHECK_INT(budget_fill(&budget, &scenario, &result, &error), STATUS_INVALID);
    CHECK_STR(error.message,
              "the delay of 100 ms from the end of the exposure is 120 periods of 833 us; "
              "allowed: less than 100");
}
