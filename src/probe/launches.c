#include "probe/launches.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "probe/gpu_points.h"

#define KERNELS_ROW 8 /* kernels between which boundaries are timed */
#define BATCH 64      /* calls timed together, fewer than a queue holds */

static struct measurement_point launch_point(const struct launches *launches, const char *name,
                                             const char *remark)
{
    struct measurement_point point = measurement_point(MEASUREMENT_GPU, name, launches->type);

    strncat(point.remark, remark, sizeof point.remark - 1);
    return point;
}

/* Enqueues the kernels many times and waits for the last; a probe_loop. */
static void repeat_in_queue(void *data, uint64_t repeats)
{
    const struct launches *launches = data;

    for (uint64_t i = 0; i < repeats; i++)
        launches->enqueue(launches->data);
    launches->finish(launches->data);
}

/* Waits for each. */
static void repeat_alone(void *data, uint64_t repeats)
{
    const struct launches *launches = data;

    for (uint64_t i = 0; i < repeats; i++) {
        launches->enqueue(launches->data);
        launches->finish(launches->data);
    }
}

/* Times the same kernels `count` times after a first time, which may take longer: what was prepared
 * is launched again and again, as in a loop. */
static void time_row(struct launches *launches, int kernels, uint32_t operations, int count,
                     double *seconds)
{
    launches->prepare(launches->data, kernels, operations);
    for (int i = -1; i < count && !probe_stopped(launches->probe); i++)
        seconds[i < 0 ? 0 : i] = probe_time_run(repeat_alone, launches, 1);
}

/* Returns the least time of the host's thread for a call. */
static double time_enqueue(const struct launches *launches)
{
    struct probe *probe = launches->probe;
    struct measurement_point point = launch_point(launches, GPU_ENQUEUE, "s per call");

    for (int i = -1; i < probe->samples && !probe_stopped(probe); i++) {
        double began = probe_now();

        for (int call = 0; call < BATCH; call++)
            launches->enqueue(launches->data);
        point.count = i < 0 ? 0 : i;
        point.sample[point.count++] = (probe_now() - began) / BATCH;
        launches->finish(launches->data);
    }
    if (probe_stopped(probe))
        return 0;
    probe_add_point(probe, &point);
    return point_least(&point);
}

/* Times k kernels against one with the work of all. A kernel takes longer than it takes to enqueue
 * it, so that the host's thread does not count. */
static void time_boundary(struct launches *launches, double enqueue)
{
    struct probe *probe = launches->probe;
    struct measurement_point point = launch_point(launches, GPU_BOUNDARY, "s per kernel");
    double row[MEASUREMENT_SAMPLES_MAX], all[MEASUREMENT_SAMPLES_MAX], one = 0;
    uint32_t operations = 256;

    for (; operations < UINT32_MAX / 32 && !probe_stopped(probe); operations *= 2) {
        time_row(launches, 1, operations, 1, &one);
        if (one >= 20e-6 + 4 * enqueue)
            break;
    }
    operations *= 2;
    time_row(launches, KERNELS_ROW, operations, probe->samples, row);
    time_row(launches, 1, KERNELS_ROW * operations, probe->samples, all);
    one = HUGE_VAL;
    for (int i = 0; i < probe->samples && !probe_stopped(probe); i++)
        one = smaller(one, all[i]);
    for (int i = 0; i < probe->samples && !probe_stopped(probe); i++)
        if (row[i] > one)
            point.sample[point.count++] = (row[i] - one) / (KERNELS_ROW - 1);
    if (point.count == 0)
        snprintf(point.remark, sizeof point.remark,
                 MEASUREMENT_MISSING "shorter than the variation of a kernel");
    if (!probe_stopped(probe))
        probe_add_point(probe, &point);
}

void launches_measure(const struct launches *launches)
{
    struct launches way = *launches;
    struct measurement_point launch = launch_point(launches, GPU_LAUNCH, "s per launch");
    struct measurement_point kernel = launch_point(launches, GPU_KERNEL, "s per kernel");

    way.prepare(way.data, 1, 0);
    probe_time_loop(way.probe, repeat_alone, &way, 1, &launch);
    probe_time_loop(way.probe, repeat_in_queue, &way, 1, &kernel);
    time_boundary(&way, time_enqueue(&way));
}
