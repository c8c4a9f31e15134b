#include "probe/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design/preset.h"
#include "design/scenario_file.h"
#include "model/evaluate.h"
#include "probe/kernel_work.h"
#include "probe/system.h"

/* Frames one after the other, as an RTC has them: what a call costs is part of a frame, so nothing
 * is taken off, and what disturbs a sample only makes it longer. */
static enum status time_frames(struct probe *probe, struct kernel_run *run,
                               struct measurement_point *point, struct error *error)
{
    uint64_t frames = probe_calibrate(probe, kernel_frames, run, probe->shortest);

    while (point->count < probe->samples) {
        if (probe_stopped(probe))
            return STATUS_OK;
        point->sample[point->count++] = probe_time_run(kernel_frames, run, frames) / (double)frames;
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
    system_pin_thread(probe->core);
    status = time_all(probe, &sizes, NULL, 0, 0.5, error);
    if (status == STATUS_OK && !probe_stopped(probe))
        status = team_open(&team, 1 << 16, error);
    if (team != NULL && team_size(team) > 1)
        status = time_all(probe, &sizes, team, 0.5, 0.5, error);
    team_close(team);
    kernel_sizes_free(&sizes);
    return status;
}

/* Kernel sizes --------------------------------------------------------------------------------- */

#define SPREAD 5 /* sizes of a kernel */

struct finder {
    struct catalogue *catalogue;
    struct scenario scenario;
    struct result result;
    struct kernel_sizes *sizes;
    int capacity;
    double largest;
};

static bool same(const struct measurement_point *a, const struct measurement_point *b)
{
    static const enum parameter sizes[] = {PARAMETER_SUBAPERTURES, PARAMETER_SIDE, PARAMETER_PIXELS,
                                           PARAMETER_ROWS, PARAMETER_COLUMNS};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double left = a->parameter[sizes[i]];
        double right = b->parameter[sizes[i]];

        if (left != right && !(isnan(left) && isnan(right)))
            return false;
    }
    return strcmp(a->name, b->name) == 0;
}

static enum status offer(struct finder *finder, const struct measurement_point *point,
                         struct error *error)
{
    struct kernel_sizes *sizes = finder->sizes;

    if (point->parameter[PARAMETER_SIZE] > finder->largest)
        return STATUS_OK;
    for (int i = 0; i < sizes->count; i++)
        if (same(&sizes->point[i], point))
            return STATUS_OK;
    if (sizes->count == finder->capacity) {
        int capacity = finder->capacity > 0 ? 2 * finder->capacity : 64;
        struct measurement_point *more =
            realloc(sizes->point, (size_t)capacity * sizeof *sizes->point);

        if (more == NULL)
            return error_set(error, STATUS_MEMORY, "out of memory");
        sizes->point = more;
        finder->capacity = capacity;
    }
    sizes->point[sizes->count++] = *point;
    return STATUS_OK;
}

/* Whether a kernel of a system is one of ours: any centroid is tried on the sensor of another, a
 * pyramid's slopes and intensities on those of either. */
static bool is_like(const struct kernel *kernel, const struct node_result *node)
{
    return kernel->type == node->type;
}

/* False: it is too large for the kernels' own arrays. */
static bool set_size(const struct finder *finder, const struct kernel *kernel,
                     const struct node_result *node, struct measurement_point *point)
{
    const struct scenario *scenario = &finder->scenario;
    int wfs = node->component < 0 ? -1 : scenario_wfs(scenario, node->component);
    const struct wfs_result *sensor = &finder->result.wfs[wfs < 0 ? 0 : wfs];
    const struct wfs *stated = &scenario->wfs[wfs < 0 ? 0 : wfs];

    switch (kernel->size) {
    case KERNEL_OF_PIXELS:
        point->parameter[PARAMETER_PIXELS] = stated->count * sensor->width * sensor->height;
        break;
    case KERNEL_OF_SUBAPERTURES:
        point->parameter[PARAMETER_SUBAPERTURES] = stated->count * sensor->subaps;
        point->parameter[PARAMETER_SIDE] = stated->pixels_per_subap;
        break;
    case KERNEL_OF_PUPIL:
        point->parameter[PARAMETER_SUBAPERTURES] = stated->count * sensor->subaps;
        break;
    case KERNEL_OF_MATRIX:
        point->parameter[PARAMETER_ROWS] = floor(node->rows);
        point->parameter[PARAMETER_COLUMNS] = floor(node->columns);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        point->parameter[PARAMETER_ROWS] = scenario->ao.actuators;
        break;
    }
    point->parameter[PARAMETER_SIZE] = kernel_bytes(kernel, point);
    return !(point->parameter[PARAMETER_SIDE] > KERNEL_SIDE_MAX);
}

static enum status take(struct finder *finder, const char *system, struct error *error)
{
    enum status status = STATUS_OK;

    for (int n = 0; n < finder->result.node_count; n++) {
        const struct node_result *node = &finder->result.node[n];

        for (int k = 0; k < kernel_count && status == STATUS_OK; k++) {
            struct measurement_point point =
                measurement_point(MEASUREMENT_KERNELS, kernels[k].name, "f32");

            if (!is_like(&kernels[k], node) || node->part >= 0)
                continue;
            snprintf(point.of, sizeof point.of, "%s", system);
            if (set_size(finder, &kernels[k], node, &point))
                status = offer(finder, &point, error);
        }
    }
    return status;
}

static enum status take_preset(struct finder *finder, const struct preset *preset,
                               struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    enum status status = scenario_parse(&finder->scenario, &document, preset->text, preset->length,
                                        finder->catalogue, &problems);

    if (status != STATUS_OK && problems.count > 0)
        problems_summary(&problems, preset->name, error);
    problems_free(&problems);
    document_free(document);
    if (status == STATUS_OK)
        status = evaluate(&finder->scenario, &finder->result, error);
    if (status == STATUS_OK)
        status = take(finder, preset->name, error);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const struct measurement_point *left = a;
    const struct measurement_point *right = b;
    long order = kernel_find(left->name) - kernel_find(right->name);
    double more = left->parameter[PARAMETER_SIZE] - right->parameter[PARAMETER_SIZE];

    return order != 0 ? (order > 0) - (order < 0) : (more > 0) - (more < 0);
}

/* Keeps of `count` sizes of one kernel, in order, those next to equal steps. */
static int spread_out(struct measurement_point *point, int count)
{
    double least = log(point[0].parameter[PARAMETER_SIZE]);
    double span = log(point[count - 1].parameter[PARAMETER_SIZE]) - least;
    int kept = 0;

    for (int i = 0; i < count; i++) {
        double at = log(point[i].parameter[PARAMETER_SIZE]) - least;

        if (i == 0 || i == count - 1 || at >= span * kept / (SPREAD - 1))
            point[kept++] = point[i];
    }
    return kept;
}

static void spread_all(struct kernel_sizes *sizes)
{
    int kept = 0;

    for (int first = 0, next; first < sizes->count; first = next) {
        int few;

        for (next = first + 1; next < sizes->count; next++)
            if (strcmp(sizes->point[next].name, sizes->point[first].name) != 0)
                break;
        few = spread_out(sizes->point + first, next - first);
        memmove(sizes->point + kept, sizes->point + first, (size_t)few * sizeof *sizes->point);
        kept += few;
    }
    sizes->count = kept;
}

enum status kernel_sizes_find(struct kernel_sizes *sizes, double largest, bool spread,
                              struct error *error)
{
    struct finder *finder = calloc(1, sizeof *finder);
    enum status status;

    *sizes = (struct kernel_sizes){NULL, 0};
    if (finder == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    finder->sizes = sizes;
    finder->largest = largest;
    status = catalogue_open_embedded(&finder->catalogue, error);
    if (status == STATUS_OK)
        status = result_init(&finder->result, error);
    for (int i = 0; status == STATUS_OK && i < catalogue_count(finder->catalogue); i++)
        if (catalogue_at(finder->catalogue, i)->kind == PRESET_AO)
            status = take_preset(finder, catalogue_at(finder->catalogue, i), error);
    result_free(&finder->result);
    catalogue_close(finder->catalogue);
    free(finder);
    if (status != STATUS_OK) {
        kernel_sizes_free(sizes);
        return status;
    }
    qsort(sizes->point, (size_t)sizes->count, sizeof *sizes->point, by_size);
    if (spread)
        spread_all(sizes);
    return STATUS_OK;
}

void kernel_sizes_free(struct kernel_sizes *sizes)
{
    free(sizes->point);
    *sizes = (struct kernel_sizes){NULL, 0};
}
