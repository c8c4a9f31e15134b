#include "kernels_probe.h"

#include <stdio.h>

#include "blas.h"
#include "kernel_sizes.h"
#include "kernel_work.h"

const struct probe_part kernels_part = {MEASUREMENT_KERNELS,
                                        "kernels of an adaptive optics loop, one core and all", 240,
                                        25, probe_kernels};

static double seconds(struct kernel_run *run, uint64_t frames)
{
    double start = probe_now();

    kernel_frames(run, frames);
    return probe_now() - start;
}

/* Frames one after the other, as an RTC has them: what a call costs is part of a frame, so nothing
 * is taken off, and what disturbs a sample only makes it longer. */
static enum status time_frames(struct probe *probe, struct kernel_run *run,
                               struct measurement_point *point, struct error *error)
{
    uint64_t frames = 1;

    while (seconds(run, frames) < probe->shortest && !probe_stopped(probe))
        frames *= 2;
    while (point->count < probe->samples) {
        if (probe_stopped(probe))
            return STATUS_OK;
        point->sample[point->count++] = seconds(run, frames) / (double)frames;
    }
    return measurement_add(probe->measurement, point, error);
}

/* A library that is not there leaves a point that says so. */
static enum status time_kernel(struct probe *probe, const struct kernel *kernel,
                               struct measurement_point *point, struct team *team,
                               struct error *error)
{
    const struct kernel_loops *loops[4];
    struct kernel_run run;
    enum status status;

    kernel_loops_here(loops);
    point->parameter[PARAMETER_CORES] = team == NULL ? 1 : team_size(team);
    if (kernel->library && blas_name() == NULL) {
        snprintf(point->remark, sizeof point->remark,
                 "n/a: the system has no BLAS with cblas_sgemv");
        return measurement_add(probe->measurement, point, error);
    }
    if (kernel->library)
        snprintf(point->remark, sizeof point->remark, "%s%s", blas_name(),
                 blas_tuned() ? "" : KERNEL_REFERENCE);
    else
        snprintf(point->remark, sizeof point->remark, "%s", loops[0]->name);
    status = kernel_open(&run, kernel, loops[0], point, team, probe->seed, error);
    if (status != STATUS_OK)
        return status;
    status = time_frames(probe, &run, point, error);
    kernel_close(&run);
    return status;
}

static enum status time_all(struct probe *probe, const struct kernel_sizes *sizes,
                            struct team *team, double done, double part, struct error *error)
{
    enum status status = STATUS_OK;

    for (int i = 0; i < sizes->count && status == STATUS_OK && !probe_stopped(probe); i++) {
        struct measurement_point point = sizes->point[i];

        status = time_kernel(probe, kernel_find(point.name), &point, team, error);
        probe_report(probe, MEASUREMENT_KERNELS, done + part * (i + 1) / sizes->count);
    }
    return status;
}

enum status probe_kernels(struct probe *probe, struct error *error)
{
    struct kernel_sizes sizes;
    struct team *team = NULL;
    enum status status = kernel_sizes_find(&sizes, (double)probe->largest, probe->quick, error);

    if (status != STATUS_OK)
        return status;
    probe_pin(probe->core);
    status = time_all(probe, &sizes, NULL, 0, 0.5, error);
    if (status == STATUS_OK && !probe_stopped(probe))
        status = team_open(&team, 1 << 16, error);
    if (team != NULL && team_size(team) > 1)
        status = time_all(probe, &sizes, team, 0.5, 0.5, error);
    team_close(team);
    kernel_sizes_free(&sizes);
    return status;
}
