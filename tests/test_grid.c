#include "explore/grid.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/evaluate.h"
#include "model/range.h"
#include "model/result_read.h"
#include "sample.h"

static void wanted_of(const struct scenario *scenario, const char *path, struct result_ref *wanted)
{
    struct error error;

    CHECK(sample_evaluate(scenario, sample_result()));
    CHECK_TRUE(result_find(scenario, sample_result(), path, wanted, &error) == STATUS_OK, "%s",
               error.message);
}

static bool run(struct grid *grid, const struct scenario *scenario, const char *first,
                const char *second, const char *path)
{
    struct axis axis[GRID_AXES_MAX] = {{.count = 0}, {.count = 0}};
    struct result_ref wanted;
    struct error error = {STATUS_OK, ""};

    wanted_of(scenario, path, &wanted);
    if (!CHECK_TRUE(axis_parse(&axis[0], scenario, NULL, first, &error) == STATUS_OK, "%s",
                    error.message) ||
        (second != NULL &&
         !CHECK_TRUE(axis_parse(&axis[1], scenario, NULL, second, &error) == STATUS_OK, "%s",
                     error.message)))
        return false;
    return CHECK_TRUE(grid_run(grid, scenario, axis, second == NULL ? 1 : 2, &wanted, true, NULL,
                               &error) == STATUS_OK,
                      "%s", error.message);
}

/* Every design of a map is that of a fresh evaluation, and so is what binds it. */
TEST(holds_every_design)
{
    static struct scenario scenario, other;
    struct grid grid;
    int best = -1;

    sample_chain(&scenario);
    if (!run(&grid, &scenario, "device.rtc.cores=1:16:5", "device.rtc.clock=1 GHz,2 GHz,3 GHz",
             "latency"))
        return;
    CHECK_INT(grid.count, 15);
    CHECK_STR(grid.path[0], "device.rtc.cores");
    CHECK_STR(grid.path[1], "device.rtc.clock");
    for (int i = 0; i < grid.count; i++) {
        static struct result result;
        char bound[GRID_REGIME_TEXT];

        scenario_copy(&other, &scenario);
        sample_number(&other, "device.rtc.cores", grid.axis[0].number[i % 5]);
        sample_number(&other, "device.rtc.clock", grid.axis[1].number[i / 5]);
        if (!CHECK(sample_evaluate_fresh(&other, &result)))
            break;
        CHECK_NEAR(grid.value[i], result.latency, 0);
        verdict_resource(&other, &result, bound);
        CHECK_STR(grid.regime[i] < 0 ? "none" : grid.name[grid.regime[i]], bound);
        if (best < 0 || result.latency < grid.value[best])
            best = i;
        result_free(&result);
    }
    CHECK_INT(grid.best, best);
    CHECK_NEAR(grid.target, scenario.general.target_latency, 0);
    grid_free(&grid);
}

/* More is better of a rate; of a design without a meaning there is nothing but the reason. */
TEST(knows_what_is_better)
{
    static struct scenario scenario;
    struct grid grid;

    sample_chain(&scenario);
    if (!run(&grid, &scenario, "component.recon.after=slopes,control,slopes", NULL,
             "max_frame_rate"))
        return;
    CHECK_INT(grid.invalid, 1);
    CHECK_TRUE(strstr(grid.reason, "cycle") != NULL || grid.reason[0] != '\0', "no reason");
    CHECK_TRUE(grid.value[1] == RESULT_NONE, "%g", grid.value[1]);
    CHECK_INT(grid.regime[1], -1);
    CHECK_INT(grid.best, 0);
    CHECK_NEAR(grid.target, scenario.general.frame_rate, 0);
    grid_free(&grid);
    if (run(&grid, &scenario, "device.rtc.clock=1 GHz,4 GHz,2 GHz", NULL, "max_frame_rate")) {
        CHECK_TRUE(grid.value[1] >= grid.value[0] && grid.value[1] >= grid.value[2],
                   "a faster clock is slower: %g %g %g", grid.value[0], grid.value[1],
                   grid.value[2]);
        CHECK_TRUE(grid.value[grid.best] == grid.value[1], "best is %g, not %g",
                   grid.value[grid.best], grid.value[1]);
        grid_free(&grid);
    }
}

/* The range of every design is its own; a map and a result without one have none. */
TEST(has_the_range_of_every_design)
{
    static struct scenario scenario, other;
    static struct latency_range range;
    struct grid grid;

    sample_chain(&scenario);
    if (!run(&grid, &scenario, "device.rtc.clock=1 GHz,2 GHz,3 GHz", NULL, "latency"))
        return;
    for (int i = 0; i < grid.count && CHECK(grid.low != NULL); i++) {
        struct result result;
        struct error error;

        scenario_copy(&other, &scenario);
        sample_number(&other, "device.rtc.clock", grid.axis[0].number[i]);
        result_init(&result);
        CHECK(range_find(&other, &result, NULL, NULL, &range, &error) == STATUS_OK);
        CHECK_NEAR(grid.value[i], range.latency, 0);
        CHECK_NEAR(grid.low[i], range.low, 0);
        CHECK_NEAR(grid.high[i], range.high, 0);
        result_free(&result);
    }
    grid_free(&grid);
    if (run(&grid, &scenario, "device.rtc.clock=1 GHz,2 GHz", "device.rtc.cores=1,2", "latency")) {
        CHECK(grid.low == NULL);
        grid_free(&grid);
    }
    if (run(&grid, &scenario, "device.rtc.clock=1 GHz,2 GHz", NULL, "load")) {
        CHECK(grid.low == NULL);
        grid_free(&grid);
    }
}

TEST(finds_the_nearest_point)
{
    double linear[] = {1, 2, 3, 4, 5};
    double logarithmic[] = {1, 10, 100, 1000};
    char *words[] = {"a", "b"};
    struct axis axis = {.count = 5, .number = linear};

    CHECK(!grid_is_logarithmic(&axis));
    CHECK_INT(grid_nearest(&axis, 2.6), 2);
    CHECK_INT(grid_nearest(&axis, -7), 0);
    CHECK_INT(grid_nearest(&axis, 1e9), 4);
    axis = (struct axis){.count = 4, .number = logarithmic};
    CHECK(grid_is_logarithmic(&axis));
    CHECK_INT(grid_nearest(&axis, 30), 1);
    CHECK_INT(grid_nearest(&axis, 33), 2);
    CHECK_INT(grid_nearest(&axis, 0), 0);
    axis = (struct axis){.count = 2, .word = words};
    CHECK(!grid_is_logarithmic(&axis));
    CHECK_INT(grid_nearest(&axis, 1), 1);
    CHECK_INT(grid_nearest(&axis, 2), -1);
}
