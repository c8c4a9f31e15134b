/* The budget of a design like SAXO, whose terms were computed by others. */
#include "model/budget.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "model/evaluate.h"
#include "sample.h"
#include "systems.h"

#define PI 3.14159265358979323846

static struct budget budget;
static struct scenario scenario;
static struct result result;

static void set(const char *path, const char *value)
{
    sample_set(&scenario, path, value);
}

static void set_saxo(void)
{
    memset(&scenario, 0, sizeof scenario);
    memset(&result, 0, sizeof result);
    set("ao.modes", "1377");
    set("ao.phase_margin", "45");
    set("ao.gain_margin", "2");
    set("ao.diameter", "8 m");
    set("ao.vibrations", "48 Hz:0.01:20 nm");
    set("atmosphere.r0", "15 cm");
    set("atmosphere.wind", "12 m/s");
    set("atmosphere.zenith", "0");
    result.loop.sample_period = result.loop.exposure = 1.0 / 1200;
    result.loop.delay = 1e-3;
    result.loop.servo_lag = 50e-9;
}

/* With a star: the check budget of which all terms are known. */
static void set_star(void)
{
    set_saxo();
    sample_add(&scenario, SECTION_WFS, "ngs");
    set("wfs.ngs.subaps_across", "40");
    set("wfs.ngs.pixels_per_subap", "6");
    set("wfs.ngs.band", "R");
    set("wfs.ngs.magnitude", "8");
    set("wfs.ngs.wavelength", "700 nm");
    set("wfs.ngs.throughput", "0.2");
    set("wfs.ngs.read_noise", "0.1");
    set("wfs.ngs.excess", "2");
    sample_component(&scenario, "dm", "dm");
    set("atmosphere.wavelength", "1650 nm");
    result.wfs[0].subaps = 1240;
}

static bool fill(void)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(budget_fill(&budget, &scenario, &result, BUDGET_ALL, &error) == STATUS_OK,
                      "%s", error.message);
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

/* Terms, gains and what another delay changes, with the tolerances of the reference. */
TEST(star)
{
    static const int orders[] = {1, 2, 5, 20};
    static const double gains[] = {0.363, 0.310, 0.295, 0.317};

    set_star();
    if (!fill())
        return;
    CHECK_INT(budget.gain_source, GAIN_OPTIMUM);
    CHECK_NEAR(budget.servo.gain, 0.322, 0.03);
    CHECK_NEAR(budget.fitting.after * 1e9, 53.516, 1e-4);
    CHECK_NEAR(budget.aliasing.after * 1e9, 28.606, 1e-4);
    CHECK_NEAR(budget.lag.after * 1e9, 33.53, 5e-3);
    CHECK_NEAR(budget.noise.after * 1e9, 39.27, 5e-3);
    CHECK_NEAR(budget.vibrations.after * 1e9, 15.96, 5e-3);
    CHECK_NEAR(budget.total.after * 1e9, 81.26, 5e-3);
    CHECK_NEAR(budget.optimum.total, budget.total.after, 1e-9);
    CHECK_NEAR(budget_total(&budget, budget.servo.gain), budget.total.after, 1e-9);
    CHECK_NEAR(budget.strehl, 0.9087, 1e-3);
    CHECK_NEAR(budget.longer.adapted * 1e9, 0.49, 0.03);
    CHECK_TRUE(budget.longer.fixed >= budget.longer.adapted, "a fixed gain costs less");
    CHECK_TRUE(budget.shorter.adapted < 0 && budget.shorter.fixed >= budget.shorter.adapted,
               "a fixed gain gains more");
    CHECK_NEAR(budget.one_percent * 1e3, 1.162, 5e-3);
    CHECK_NEAR(budget.order_optimum.total * 1e9, 81.08, 5e-3);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        CHECK_NEAR(budget.order_optimum.gains.order[orders[i]], gains[i], 0.03);
    set("ao.gains", "per-order");
    if (!fill())
        return;
    CHECK_NEAR(budget.lag.after * 1e9, 33.74, 5e-3);
    CHECK_NEAR(budget.noise.after * 1e9, 39.24, 5e-3);
    CHECK_NEAR(budget.vibrations.after * 1e9, 14.63, 5e-3);
    CHECK_NEAR(budget.total.after * 1e9, 81.08, 5e-3);
    CHECK_NEAR(budget.longer.adapted * 1e9, 0.48, 0.03);
    CHECK_NEAR(budget.servo.gain, 0.363, 0.03);
}

/* Orders that a stated pitch could correct and the modes do not count as fitting, so that the
 * turbulence without correction does not depend on the number of modes. */
TEST(few_modes)
{
    double before, fitting;

    set_star();
    set("component.dm.pitch", "20");
    if (!fill())
        return;
    before = budget.total.before;
    CHECK_NEAR(budget.fitting.after * 1e9, 53.516, 1e-4);
    set("ao.modes", "10");
    if (!fill())
        return;
    CHECK_INT(budget.orders, 3);
    CHECK_NEAR(budget.total.before, before, 1e-3);
    fitting = budget.fitting.after;
    CHECK_TRUE(fitting > 200e-9, "%g m", fitting);
    set("atmosphere.outer_scale", "25");
    if (fill())
        CHECK_TRUE(budget.fitting.after < 0.99 * fitting, "an outer scale lowers it");
}

/* At the lower end of the range of gains another delay changes the total of one gain, not the
 * range; at the upper one it changes what the margins allow. */
TEST(ends_of_the_range)
{
    double now, change;

    set_star();
    set("wfs.ngs.magnitude", "20");
    if (!fill())
        return;
    CHECK_TRUE(budget.optimum.is_least, "gain %g", budget.optimum.gains.common);
    CHECK_NEAR(budget.longer.adapted, budget.longer.fixed, 1e-6);
    set("wfs.ngs.magnitude", "-20");
    set("ao.vibrations", "");
    if (!fill())
        return;
    CHECK_TRUE(budget.optimum.is_end && !budget.optimum.is_least, "gain %g",
               budget.optimum.gains.common);
    now = budget.total.after;
    change = budget.longer.adapted;
    CHECK_TRUE(change > budget.longer.fixed, "%g m", change);
    result.loop.delay += BUDGET_SHIFT;
    if (fill())
        CHECK_NEAR(change, budget.total.after - now, 1e-6);
}

/* What is left out of a budget is not computed otherwise. */
TEST(depths_agree)
{
    static struct budget terms;
    struct error error;

    set_star();
    if (!fill() ||
        !CHECK(budget_fill(&terms, &scenario, &result, BUDGET_TERMS, &error) == STATUS_OK))
        return;
    CHECK_NEAR(terms.total.after, budget.total.after, 1e-12);
    CHECK_NEAR(terms.longer.adapted, RESULT_NONE, 0);
    if (CHECK(budget_fill(&terms, &scenario, &result, BUDGET_CHANGES, &error) == STATUS_OK))
        CHECK_NEAR(terms.longer.adapted, budget.longer.adapted, 1e-12);
}

/* Knobs of the loop change the budget. */
TEST(knobs_act)
{
    static const struct {
        const char *path, *value;
    } rows[] = {{"ao.diameter", "10 m"},
                {"ao.modes", "100"},
                {"ao.controller", "leaky"},
                {"ao.gain", "0.2"},
                {"ao.vibrations", ""},
                {"atmosphere.wind", "20"},
                {"atmosphere.r0", "10"},
                {"atmosphere.zenith", "40"},
                {"atmosphere.outer_scale", "25 m"},
                {"ao.gains", "per-order"},
                {"wfs.ngs.band", "V"},
                {"wfs.ngs.magnitude", "9"},
                {"wfs.ngs.wavelength", "600"},
                {"wfs.ngs.throughput", "0.3"},
                {"wfs.ngs.read_noise", "4"},
                {"wfs.ngs.excess", "1"},
                {"wfs.ngs.pixel_scale", "1.5"},
                {"wfs.ngs.aliasing", "0.1"},
                {"wfs.ngs.spatial_filter", "0.1"},
                {"ao.phase_margin", "80"},
                {"ao.gain_margin", "10"},
                {"ao.other_errors", "50 nm"},
                {"component.dm.surface", "segments"},
                {"component.dm.pitch", "25"}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double before;

        set_star();
        set("wfs.ngs.read_noise", "3");
        set("ao.leak", "0.95");
        if (!fill())
            return;
        before = budget.total.after;
        set(rows[r].path, rows[r].value);
        CHECK_TRUE(fill() && fabs(budget.total.after / before - 1) > 1e-4, "%s does not act",
                   rows[r].path);
    }
}

/* Sets a knob to another value: a number to a larger one, else to the next choice. */
static bool set_another(struct scenario *design, struct knob_ref ref)
{
    struct error error;
    double number;

    if (knob_is_number(ref.knob)) {
        number = knob_number(design, ref);
        return knob_set_number(design, ref, number > 0 ? 2 * number : 1, &error) == STATUS_OK;
    }
    return strcmp(ref.knob->key, "type") != 0 && knob_choice_count(design, ref) > 1 &&
           knob_set_text(
               design, ref,
               knob_choice_name(design, ref,
                                (knob_choice(design, ref) + 1) % knob_choice_count(design, ref)),
               &error) == STATUS_OK;
}

/* At the same delay only these change it: others change it by the delay alone. */
TEST(what_it_depends_on)
{
    static const char *const systems[] = {"saxo", "micado-scao", "morfeo"};
    static struct scenario changed;
    static struct budget fresh;
    struct result *out = sample_result();
    struct error error;
    int tried = 0, acting = 0;

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++) {
        struct knob_ref ref = {.knob = NULL};
        double delay, before;

        if (!systems_load(&scenario, systems[s]) || !sample_evaluate(&scenario, out))
            return;
        delay = out->loop.delay;
        memset(&fresh, 0, sizeof fresh);
        if (!CHECK_INT(budget_fill(&fresh, &scenario, out, BUDGET_TERMS, &error), STATUS_OK))
            return;
        before = fresh.total.after;
        while (knob_next(&scenario, &ref)) {
            char path[96];

            scenario_copy(&changed, &scenario);
            if (!set_another(&changed, ref) || evaluate(&changed, out, &error) != STATUS_OK)
                continue;
            out->loop.delay = delay;
            if (budget_fill(&fresh, &changed, out, BUDGET_TERMS, &error) != STATUS_OK)
                continue;
            tried++;
            acting += fresh.total.after != before;
            knob_path(&scenario, ref, path, sizeof path);
            CHECK_TRUE(fresh.total.after == before || budget_depends(&scenario, ref),
                       "%s: %s changes the total from %.12g to %.12g", systems[s], path, before,
                       fresh.total.after);
        }
    }
    CHECK_TRUE(tried > 300 && acting > 20, "%d knobs, %d of which act", tried, acting);
}

/* Those of controllers and mirrors. */
TEST(knobs_of_controllers_act)
{
    static const struct {
        const char *controller, *path, *value;
    } rows[] = {{"pid", "ao.proportional", "1"},
                {"pid", "ao.derivative", "0.5"},
                {"lqg", "ao.vibrations", ""},
                {"lqg", "atmosphere.wind", "20"},
                {"lqg", "component.dm.bandwidth", "300 Hz"},
                {"integrator", "component.dm.bandwidth", "300 Hz"},
                {"leaky", "component.dm.damping", "1.5"}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct error error;
        double before;

        set_saxo();
        CHECK_INT(scenario_insert(&scenario, SECTION_COMPONENT, 0, "dm", &error), STATUS_OK);
        scenario.component[0].type = COMPONENT_DM;
        scenario.component[0].damping = 0.7;
        scenario.component[0].bandwidth = strcmp(rows[r].controller, "leaky") == 0 ? 500 : 0;
        result.dm_count = 1;
        set("ao.leak", "0.95");
        set("ao.controller", rows[r].controller);
        if (!fill())
            return;
        before = hypot(budget.lag.after, budget.vibrations.after);
        set(rows[r].path, rows[r].value);
        CHECK_TRUE(fill() &&
                       fabs(hypot(budget.lag.after, budget.vibrations.after) / before - 1) > 1e-3,
                   "%s: %s does not act", rows[r].controller, rows[r].path);
    }
}

static double least_total(bool per_order)
{
    struct optimum optimum;

    budget_find_least(&budget, per_order, &optimum);
    return optimum.total;
}

/* Filters leave less than an integrator with its optimum gain, of each disturbance that they know.
 */
TEST(filters)
{
    set_saxo();
    if (!fill())
        return;
    CHECK_NEAR(least_total(false), budget.optimum.total, 0);
    CHECK_NEAR(least_total(true), budget.order_optimum.total, 0);
    set("ao.controller", "lqg");
    {
        double integrator = budget.optimum.total;

        if (!fill())
            return;
        CHECK_TRUE(budget.total.after < integrator, "filters leave %g of %g m", budget.total.after,
                   integrator);
    }
    CHECK_NEAR(least_total(true), budget.total.after, 1e-12);
    CHECK_INT(budget.gain_source, GAIN_FILTER);
    CHECK_INT(budget.lqg.count, 2); /* of tip and tilt, left behind by the other orders */
    CHECK_NEAR(budget.total.after, hypot(budget.lag.after, budget.vibration_error[0].after), 1e-9);
    set("ao.diameter", "0");
    if (fill())
        CHECK_INT(budget.lqg.count, 1);
}

/* What an earlier budget left changes nothing, whatever changed since. */
TEST(budgets_one_after_the_other)
{
    static const char *const changes[][2] = {{"ao.gain", "0.2"},
                                             {"atmosphere.wind", "20 m/s"},
                                             {"ao.diameter", "10 m"},
                                             {"atmosphere.outer_scale", "25 m"},
                                             {"ao.controller", "lqg"},
                                             {"ao.controller", "lqg-tip-tilt"},
                                             {"ao.modes", "500"},
                                             {"ao.controller", "leaky"},
                                             {"atmosphere.r0", "12 cm"},
                                             {"ao.gains", "per-order"},
                                             {"ao.gain", "0"},
                                             {"atmosphere.wind", "0"},
                                             {"atmosphere.wind", "8 m/s"}};
    /* delay and period; the first and last are equal, so that only a knob differs from one to the
     * other */
    static const double loops[][2] = {{0, 1e-3}, {0, 2e-3}, {3e-3, 2e-3}, {0, 1e-3}};
    static struct budget fresh;
    struct error error = {STATUS_OK, ""};

    set_star();
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        set(changes[c][0], changes[c][1]);
        for (size_t l = 0; l < sizeof loops / sizeof loops[0]; l++) {
            result.loop.delay = loops[l][0];
            result.loop.sample_period = result.loop.exposure = loops[l][1];
            memset(&fresh, 0, sizeof fresh);
            if (!fill() || !CHECK_TRUE(budget_fill(&fresh, &scenario, &result, BUDGET_ALL,
                                                   &error) == STATUS_OK,
                                       "%s", error.message))
                return;
            CHECK_NEAR(budget.total.after, fresh.total.after, 0);
            CHECK_NEAR(budget.lag.after, fresh.lag.after, 0);
            CHECK_NEAR(budget.lag.before, fresh.lag.before, 0);
            CHECK_NEAR(budget.longer.adapted, fresh.longer.adapted, 0);
        }
    }
}

static bool fill_controller(const char *controller, const char *modes)
{
    set("ao.controller", controller);
    set("ao.modes", modes);
    return fill();
}

/* Filters of tip and tilt leave of them what LQG leaves, and of the other orders what the
 * integrator does, whose gain is the stated one or the optimum of these orders. */
TEST(filters_of_tip_and_tilt)
{
    enum { INTEGRATOR, LQG, MIXED, LAWS };
    static const char *const laws[LAWS] = {"integrator", "lqg", "lqg-tip-tilt"};
    double lag[LAWS][2], noise[LAWS][2], vibration[LAWS];

    set_star();
    set("ao.gain", "0.3");
    for (int l = 0; l < LAWS; l++)
        for (int first = 0; first < 2; first++) {
            if (!fill_controller(laws[l], first ? "2" : "1377"))
                return;
            lag[l][first] = budget.lag.after * budget.lag.after;
            noise[l][first] = budget.noise.after * budget.noise.after;
            vibration[l] = budget.vibrations.after;
        }
    CHECK_NEAR((lag[MIXED][0] - lag[INTEGRATOR][0]) / (lag[LQG][1] - lag[INTEGRATOR][1]), 1, 1e-9);
    CHECK_NEAR((noise[MIXED][0] - noise[INTEGRATOR][0]) / (noise[LQG][1] - noise[INTEGRATOR][1]), 1,
               1e-9);
    CHECK_NEAR(lag[MIXED][1] / lag[LQG][1], 1, 1e-12); /* there is no other order */
    CHECK_NEAR(vibration[MIXED] / vibration[LQG], 1, 1e-12);
    if (!fill_controller("lqg-tip-tilt", "1377"))
        return;
    CHECK_NEAR(budget.servo.gain, 0.3, 0);
    CHECK_NEAR(budget.gains.common, 0.3, 0);
    CHECK_NEAR(budget.max_gain, 0.962912, 1e-6);
    CHECK_NEAR(budget.longer.fixed, RESULT_NONE, 0); /* of a filter for another delay */
    CHECK_NEAR(budget.order_optimum.gains.order[1], RESULT_NONE, 0);
    CHECK(budget.order_optimum.total < budget.optimum.total);
    CHECK(budget.optimum.total < budget.total.after);
    set("ao.gain", "auto");
    set("ao.gains", "per-order");
    if (fill())
        CHECK_NEAR(budget.total.after / budget.order_optimum.total, 1, 1e-12);
    set("ao.gain", "1");
    if (fill())
        CHECK(!budget.stable);
}

/* Photons count where no magnitude is stated. */
TEST(photons_act)
{
    double before;

    set_star();
    set("wfs.ngs.magnitude", "auto");
    set("wfs.ngs.photons", "45.7215");
    if (!fill())
        return;
    before = budget.total.after;
    CHECK_NEAR(before * 1e9, 81.26, 5e-3);
    set("wfs.ngs.photons", "20");
    CHECK_TRUE(fill() && budget.total.after > before * 1.05, "photons do not act");
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
        scenario.ao.gain = budget.optimum.gains.common;
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
    CHECK_INT(budget.gain_source, GAIN_PHASE_MARGIN);
    CHECK_NEAR(budget.margins.phase, PI / 4, 1e-9);
    CHECK_NEAR(budget.optimum.gains.common, RESULT_NONE, 0);
    CHECK_INT(budget.turbulence_state, TURBULENCE_NO_DIAMETER);
    CHECK_NEAR(budget.total.after, RESULT_NONE, 0);
    set("ao.diameter", "8");
    set("atmosphere.wind", "0");
    if (fill())
        CHECK_INT(budget.turbulence_state, TURBULENCE_NO_WIND);
}

/* The open loop of an integrator with a delay of one period lags by pi/2 + 3/2 of the angle of z,
 * and the gain is 2 sin(angle/2) where its magnitude is 1: 1 is the maximum, 2 sin(pi/12) has a
 * phase margin of 45 degrees, 2 sin(pi/18) one of 60, and 0.5 a gain margin of 2. */
TEST(margins_limit_the_optimum)
{
    static const struct {
        const char *phase, *gain;
        double limit;
        enum gain_source source;
    } rows[] = {{"45", "2", 0.5, GAIN_GAIN_MARGIN},
                {"45", "1", 0.517638090205, GAIN_PHASE_MARGIN},
                {"60", "2", 0.347296355334, GAIN_PHASE_MARGIN},
                {"0", "4", 0.25, GAIN_GAIN_MARGIN},
                {"0", "1", 0.9, GAIN_MOST}};
    double optimum, total;

    set_star();
    set("wfs.ngs.magnitude", "4");
    result.loop.delay = result.loop.sample_period;
    set("ao.phase_margin", "0");
    set("ao.gain_margin", "1");
    if (!fill())
        return;
    CHECK_INT(budget.gain_source, GAIN_OPTIMUM);
    CHECK_NEAR(budget.margin_cost, 0, 0);
    optimum = budget.servo.gain;
    total = budget.total.after;
    CHECK_TRUE(optimum > 0.52 && optimum < 0.9, "optimum %g", optimum);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        bool limits = rows[r].limit < optimum;

        set("ao.phase_margin", rows[r].phase);
        set("ao.gain_margin", rows[r].gain);
        set("ao.gains", "common");
        if (!fill())
            return;
        CHECK_NEAR(budget.limit_gain, rows[r].limit, 1e-9);
        CHECK_INT(budget.limit_source, rows[r].source);
        CHECK_NEAR(budget.servo.gain, limits ? rows[r].limit : optimum, 1e-9);
        CHECK_INT(budget.gain_source, limits ? rows[r].source : GAIN_OPTIMUM);
        CHECK_INT(budget.adapted_source, budget.gain_source);
        CHECK_NEAR(budget.optimum.gains.common, optimum, 0);
        CHECK_NEAR(budget.optimum.total, total, 0);
        CHECK_NEAR(budget.total.after, budget_total(&budget, budget.servo.gain), 1e-12);
        CHECK_NEAR(budget.margin_cost, budget.total.after - total, 1e-12);
        CHECK_TRUE(limits == (budget.margin_cost > 1e-12), "costs %g m", budget.margin_cost);
        set("ao.gains", "per-order");
        if (!fill())
            return;
        CHECK_TRUE(budget.servo.gain <= rows[r].limit * (1 + 1e-9), "an order has %g",
                   budget.servo.gain);
        CHECK_NEAR(budget.margin_cost, budget.total.after - budget.order_optimum.total, 1e-12);
    }
    set("ao.gain", "0.8");
    if (fill()) /* stated ones are not limited */
        CHECK_NEAR(budget.margin_cost, RESULT_NONE, 0);
}

/* An automatic gain has the margins with any controller that has a gain; filters have none that
 * could be limited. */
TEST(margins_of_all_controllers)
{
    static const char *const laws[][3] = {
        {"integrator", "ao.leak", "0.99"}, {"integrator", "component.dm.bandwidth", "300 Hz"},
        {"leaky", "ao.leak", "0.95"},      {"pid", "ao.proportional", "1"},
        {"pid", "ao.derivative", "0.5"},   {"lqg-tip-tilt", "ao.leak", "0.99"}};
    static const char *const margins[][2] = {{"45", "2"}, {"60", "3"}, {"30", "1"}};

    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++)
        for (int star = 0; star < 2; star++)
            for (size_t m = 0; m < sizeof margins / sizeof margins[0]; m++) {
                set_star();
                result.dm_count = 1;
                set("wfs.ngs.magnitude", star ? "-5" : "auto");
                set("ao.controller", laws[l][0]);
                set(laws[l][1], laws[l][2]);
                set("ao.phase_margin", margins[m][0]);
                set("ao.gain_margin", margins[m][1]);
                if (!fill())
                    return;
                CHECK_TRUE(budget.gain_source == GAIN_PHASE_MARGIN ||
                               budget.gain_source == GAIN_GAIN_MARGIN,
                           "%s: %d", laws[l][0], (int)budget.gain_source);
                CHECK_TRUE(budget.margins.phase > scenario.ao.phase_margin * (1 - 1e-6) &&
                               budget.margins.gain > scenario.ao.gain_margin * (1 - 1e-6),
                           "%s: phase %g rad, gain %g", laws[l][0], budget.margins.phase,
                           budget.margins.gain);
                CHECK_TRUE(budget.margins.phase < scenario.ao.phase_margin * (1 + 1e-3) ||
                               budget.margins.gain < scenario.ao.gain_margin * (1 + 1e-3),
                           "%s: phase %g rad, gain %g, more than asked for", laws[l][0],
                           budget.margins.phase, budget.margins.gain);
            }
    set_star();
    set("ao.controller", "lqg");
    if (fill())
        CHECK_NEAR(budget.limit_gain, RESULT_NONE, 0);
}

/* Other errors and a spatial filter: squares add up, and the part of a variance is its square. */
TEST(other_errors_and_spatial_filter)
{
    double total, aliasing;

    set_star();
    if (!fill())
        return;
    CHECK_NEAR(budget.other.after, RESULT_NONE, 0);
    total = budget.total.after;
    aliasing = budget.aliasing.after;
    set("ao.other_errors", "60 nm");
    if (!fill())
        return;
    CHECK_NEAR(budget.other.before * 1e9, 60, 1e-9);
    CHECK_NEAR(budget.total.after, sqrt(total * total + 60e-9 * 60e-9), 1e-12);
    CHECK_NEAR(budget.strehl, exp(-pow(2 * PI * budget.total.after / 1650e-9, 2)), 1e-12);
    set("wfs.ngs.spatial_filter", "0.01");
    if (!fill())
        return;
    CHECK_NEAR(budget.aliasing.after, aliasing / 10, 1e-12);
    set("wfs.ngs.aliasing", "0.04");
    if (fill())
        CHECK_NEAR(budget.aliasing.after, aliasing / sqrt(200), 1e-12);
}

/* Without a star another delay is compared with the automatic gain of each, also beside a stated
 * gain: an optimum without noise would be just below the maximum. */
TEST(delay_without_star)
{
    static const char *const gains[] = {"auto", "0.1"};
    double now, later, changes[2];

    set_saxo();
    set("ao.vibrations", "");
    if (!fill())
        return;
    now = budget.total.after;
    for (int i = 0; i < 2; i++) {
        set("ao.gain", gains[i]);
        if (!fill())
            return;
        CHECK_INT(budget.adapted_source, GAIN_PHASE_MARGIN);
        changes[i] = budget.longer.adapted;
    }
    CHECK_NEAR(changes[1], changes[0], 1e-9);
    set("ao.gain", "auto");
    result.loop.delay += BUDGET_SHIFT;
    if (!fill())
        return;
    later = budget.total.after;
    CHECK_NEAR(changes[0], later - now, 1e-6);
    CHECK_TRUE(changes[0] > 1e-9, "%g m", changes[0]);
    result.loop.delay = budget.one_percent;
    now = later;
    if (fill())
        CHECK_NEAR(budget.total.after, 1.01 * now, 1e-6);
}

/* A loop that corrects no order has no optimum gain: the gain changes nothing. */
TEST(nothing_corrected)
{
    set_star();
    set("ao.vibrations", "");
    set("ao.modes", "1");
    if (!fill())
        return;
    CHECK_INT(budget.orders, 0);
    CHECK_INT(budget.gain_source, GAIN_PHASE_MARGIN);
    CHECK_NEAR(budget.optimum.gains.common, RESULT_NONE, 0);
    CHECK_TRUE(budget.total.after > budget.fitting.after, "%g m", budget.total.after);
    CHECK_NEAR(budget.longer.adapted, RESULT_NONE, 0);
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
    CHECK_INT(budget_fill(&budget, &scenario, &result, BUDGET_ALL, &error), STATUS_INVALID);
    CHECK_STR(error.message,
              "the exposure of 1.00 ms is longer than the period of the loop, 833 us");
    result.loop.exposure = 0; /* a readout that takes the whole period */
    result.loop.delay = 0.08;
    fill();
    result.loop.delay = 0.1;
    CHECK_INT(budget_fill(&budget, &scenario, &result, BUDGET_ALL, &error), STATUS_INVALID);
    CHECK_STR(error.message,
              "the delay of 100 ms from the end of the exposure is 120 periods of 833 us; "
              "allowed: less than 100");
}

static bool refuse(void *looks, double done)
{
    (void)done;
    return --*(int *)looks > 0;
}

/* A budget of many filters or gains asks whether to go on, and the next one begins anew. */
TEST(stops)
{
    static const char *const slow[][2] = {{"ao.controller", "lqg"}, {"ao.gains", "per-order"}};
    static struct budget stopped;
    struct error error;

    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
        int looks = 3;
        const struct progress progress = {refuse, &looks};
        struct pace pace = {.progress = &progress};

        set_star();
        set("ao.modes", "50000");
        set(slow[i][0], slow[i][1]);
        stopped.pace = &pace;
        CHECK_INT(budget_fill(&stopped, &scenario, &result, BUDGET_ALL, &error), STATUS_STOPPED);
        CHECK_INT(looks, 0);
        CHECK_TRUE(pace.steps <= 3 * STEPS_PER_LOOK, "it went on for %ld steps", pace.steps);
        stopped.pace = NULL;
        if (!CHECK_INT(budget_fill(&stopped, &scenario, &result, BUDGET_ALL, &error), STATUS_OK) ||
            !fill())
            return;
        CHECK_NEAR(stopped.total.after, budget.total.after, 0);
        CHECK_NEAR(stopped.longer.adapted, budget.longer.adapted, 0);
    }
}
