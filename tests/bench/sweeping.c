#include "sweeping.h"

#include <stdio.h>

#include "design/knob_text.h"
#include "explore/sweep.h"
#include "model/evaluate.h"
#include "model/result_read.h"
#include "stopwatch.h"

#define RUNS 15
#define RESULTS 4

static const char *const knobs_swept[] = {
    "component.recon.compute_efficiency=0.1:1:64",
    "device.rtc.clock=2:4:64",
    "scenario.frame_rate=400:900:64",
    "scenario.packets=20:83:64",
    "wfs.ngs.subaps_across=30:93:64",
};

static struct error error;

/* The other knob makes enough designs of it. */
static bool run(const struct sweep *sweep, const char *of)
{
    double seconds[RUNS];
    uint64_t designs = 0;
    struct spread spread;
    char name[96];

    sweep_count(sweep, &designs, &error);
    for (int i = 0; i < RUNS; i++) {
        const struct sweep_rows rows = {.context = NULL};
        double start = stopwatch_now();

        if (sweep_designs(sweep, 0, designs, &rows, NULL, &error) != STATUS_OK)
            return false;
        seconds[i] = (stopwatch_now() - start) / (double)designs;
    }
    spread = stopwatch_spread(seconds, RUNS);
    snprintf(name, sizeof name, "sweep %s, %s", of, sweep->jobs == 1 ? "one core" : "all cores");
    printf("%-56s %10.0f %10.0f  designs/s\n", name, 1 / spread.least, 1 / spread.median);
    return true;
}

static bool run_knob(struct sweep *sweep, struct axis axis[2], struct catalogue *catalogue,
                     const char *knob)
{
    char path[96];
    bool good = axis_parse(&axis[1], sweep->base, catalogue, knob, &error) == STATUS_OK;

    if (good) {
        knob_path(sweep->base, axis[1].ref, path, sizeof path);
        sweep->jobs = 1;
        good = run(sweep, path);
        sweep->jobs = 0;
        good = good && run(sweep, path);
    }
    axis_free(&axis[1]);
    return good;
}

const char *sweeping_print(const struct scenario *scenario, struct catalogue *catalogue)
{
    static const char *const results[RESULTS] = {"latency", "max_frame_rate", "load",
                                                 "component.recon.time"};
    struct result_ref wanted[RESULTS];
    struct result result;
    struct axis axis[2];
    struct sweep sweep = {
        .base = scenario, .axis = axis, .axis_count = 2, .wanted = wanted, .wanted_count = RESULTS};
    bool good = axis_parse(&axis[0], scenario, catalogue, "scenario.target_latency=100:2000:400",
                           &error) == STATUS_OK;

    result_init(&result);
    good = good && evaluate(scenario, &result, &error) == STATUS_OK;
    for (int i = 0; i < RESULTS && good; i++)
        good = result_find(scenario, &result, results[i], &wanted[i], &error) == STATUS_OK;
    for (size_t i = 0; i < sizeof knobs_swept / sizeof knobs_swept[0] && good; i++)
        good = run_knob(&sweep, axis, catalogue, knobs_swept[i]);
    axis_free(&axis[0]);
    result_free(&result);
    return good ? NULL : error.message;
}
