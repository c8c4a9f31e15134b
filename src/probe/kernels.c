#include "probe/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/random.h"
#include "design/preset.h"
#include "design/scenario_file.h"
#include "model/evaluate.h"
#include "probe/system.h"

/* A member's work ------------------------------------------------------------------------------ */

struct kernel_range kernel_range_of(size_t first, size_t last, int rank, int size)
{
    const size_t count = last - first;

    return (struct kernel_range){first + count * (size_t)rank / (size_t)size,
                                 first + count * ((size_t)rank + 1) / (size_t)size};
}

struct kernel_range kernel_lines_of(size_t first, size_t last, int rank, int size)
{
    const size_t mask = KERNEL_LINE - 1;
    struct kernel_range range = kernel_range_of(first, last, rank, size);

    if (rank > 0)
        range.first = (range.first + mask) & ~mask;
    if (rank < size - 1)
        range.last = (range.last + mask) & ~mask;
    range.last = range.last < last ? range.last : last;
    range.first = range.first < range.last ? range.first : range.last;
    return range;
}

struct kernel_integrator kernel_integrator_on(float *const array[])
{
    return (struct kernel_integrator){.error = array[0],
                                      .offset = array[1],
                                      .state = array[2],
                                      .moved = array[3],
                                      .clipped = array[4],
                                      .command = array[5],
                                      .leak = 0.99F,
                                      .gain = 0.3F,
                                      .limit = 25,
                                      .scale = 0.5F,
                                      .bias = 0.25F};
}

static void run_dark_flat(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    const struct kernel_range range = kernel_lines_of(0, run->items, rank, size);

    run->loops->dark_flat((const uint16_t *)(const void *)run->array[0], run->array[1],
                          run->array[2], run->array[3], range.first, range.last);
}

static void run_centroid(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    const struct kernel_centroids centroids = {
        .pixels = run->array[0] + run->input * run->items * run->other * run->other,
        .reference = run->array[1],
        .image = run->array[2],
        .slopes = run->array[3],
        .side = run->other,
        .search = KERNEL_SEARCH,
        .threshold = KERNEL_THRESHOLD};
    const struct kernel_range range = kernel_range_of(0, run->items, rank, size);

    run->loops->centroid[run->kernel->centroid](&centroids, range.first, range.last);
}

static struct kernel_pyramid pyramid_arrays(const struct kernel_run *run)
{
    float *const *a = run->array;

    return (struct kernel_pyramid){.image = {a[0], a[1], a[2], a[3]},
                                   .flux = a[4],
                                   .x = a[5],
                                   .y = a[6],
                                   .slopes = a[7],
                                   .pupil = run->items};
}

static void run_pyramid_sums(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    struct kernel_pyramid pyramid = pyramid_arrays(run);
    const struct kernel_range range = kernel_lines_of(0, run->items, rank, size);

    run->sum[KERNEL_LINE * rank] = run->loops->pyramid_sums(&pyramid, range.first, range.last);
}

static void run_pyramid_slopes(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    struct kernel_pyramid pyramid = pyramid_arrays(run);
    float sum = 0;
    const struct kernel_range range = kernel_lines_of(0, run->items, rank, size);

    for (int i = 0; i < size; i++)
        sum += run->sum[KERNEL_LINE * i];
    run->loops->pyramid_slopes(&pyramid, (float)run->items / sum, range.first, range.last);
}

static void run_mvm(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    const struct kernel_range range = kernel_range_of(0, run->items, rank, size);

    run->loops->mvm(run->array[0], run->array[1], run->array[2], run->other, range.first,
                    range.last);
}

static void run_mvm_of_library(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    const struct kernel_range range = kernel_range_of(0, run->items, rank, size);

    blas_mvm(run->array[0] + range.first * run->other, run->array[1], run->array[2] + range.first,
             range.last - range.first, run->other);
}

static void run_integrator(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    const struct kernel_integrator integrator = kernel_integrator_on(run->array);
    const struct kernel_range range = kernel_lines_of(0, run->items, rank, size);

    run->loops->integrator(&integrator, range.first, range.last);
}

/* The kernels ---------------------------------------------------------------------------------- */

/* clang-format off */
#define CENTROID(title, id)                                                                        \
    .name = "centroid." title, .algorithm = ALGORITHM_##id,                                        \
    .size = KERNEL_OF_SUBAPERTURES, .centroid = KERNEL_CENTROID_##id, .work = run_centroid

const struct kernel kernels[] = {
    {.name = "calibration.dark-flat", .algorithm = ALGORITHM_DARK_FLAT,
     .size = KERNEL_OF_PIXELS, .work = run_dark_flat},
    {CENTROID("cog", COG)},
    {CENTROID("threshold", THRESHOLD)},
    {CENTROID("brightest", BRIGHTEST), .fresh = true},
    {CENTROID("correlation", CORRELATION)},
    {.name = "pyramid.slopes", .algorithm = ALGORITHM_PYRAMID_SLOPES,
     .size = KERNEL_OF_PUPIL, .work = run_pyramid_sums, .rest = run_pyramid_slopes},
    {.name = "reconstruction.mvm", .algorithm = ALGORITHM_MVM,
     .size = KERNEL_OF_MATRIX, .work = run_mvm},
    {.name = "reconstruction.mvm-blas", .algorithm = ALGORITHM_MVM,
     .size = KERNEL_OF_MATRIX, .library = true, .work = run_mvm_of_library},
    {.name = "control.integrator", .algorithm = ALGORITHM_INTEGRATOR,
     .size = KERNEL_OF_ACTUATORS, .work = run_integrator},
};
/* clang-format on */

const int kernel_count = (int)(sizeof kernels / sizeof kernels[0]);

const struct kernel *kernel_find(const char *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

/* A kernel with data --------------------------------------------------------------------------- */

/* Finds the parameters of a point for `items` and `other`, and the sizes of the arrays in elements,
 * the output last. Returns the number of arrays. */
static int find_arrays(const struct kernel *kernel, const struct measurement_point *point,
                       size_t *items, size_t *other, size_t elements[KERNEL_ARRAYS])
{
    static const struct {
        enum parameter items, other;
    } parameters[KERNEL_SIZES] = {
        [KERNEL_OF_PIXELS] = {.items = PARAMETER_PIXELS, .other = PARAMETER_PIXELS},
        [KERNEL_OF_SUBAPERTURES] = {.items = PARAMETER_SUBAPERTURES, .other = PARAMETER_SIDE},
        [KERNEL_OF_PUPIL] = {.items = PARAMETER_SUBAPERTURES, .other = PARAMETER_SUBAPERTURES},
        [KERNEL_OF_MATRIX] = {.items = PARAMETER_ROWS, .other = PARAMETER_COLUMNS},
        [KERNEL_OF_ACTUATORS] = {.items = PARAMETER_ROWS, .other = PARAMETER_ROWS},
    };
    const size_t n = *items = (size_t)point->parameter[parameters[kernel->size].items];
    const size_t m = *other = (size_t)point->parameter[parameters[kernel->size].other];
    const size_t lists[KERNEL_SIZES][KERNEL_ARRAYS + 1] = {
        [KERNEL_OF_PIXELS] = {(n + 1) / 2, n, n, n},
        [KERNEL_OF_SUBAPERTURES] = {n * m * m, 2 * n, m * m, 2 * n},
        [KERNEL_OF_PUPIL] = {n, n, n, n, n, n, n, 2 * n},
        [KERNEL_OF_MATRIX] = {n * m, m, n},
        [KERNEL_OF_ACTUATORS] = {n, n, n, n, n, n},
    };
    int count = 0;

    for (; lists[kernel->size][count] > 0; count++)
        elements[count] = lists[kernel->size][count];
    return count;
}

double kernel_bytes(const struct kernel *kernel, const struct measurement_point *point)
{
    size_t elements[KERNEL_ARRAYS];
    size_t items, other;
    int count = find_arrays(kernel, point, &items, &other, elements);
    double bytes = 0;

    for (int i = 0; i < count; i++)
        bytes += sizeof(float) * (double)elements[i];
    return bytes;
}

/* Returns the distance between arrays in elements: whole pages plus a few lines. Arrays with equal
 * offsets within a page would make loads wait for stores (4K aliasing). */
static size_t array_stride(size_t elements)
{
    const size_t page = 1024, stagger = 21 * KERNEL_LINE;

    return (elements + page - 1) / page * page + stagger;
}

/* Fills 16-bit pixels, two per element, or numbers from 0.5 to 1.5. */
static void fill_array(float *array, size_t elements, bool raw, uint64_t *seed)
{
    uint16_t *pixel = (uint16_t *)(void *)array;

    for (size_t k = 0; k < elements; k++) {
        uint64_t bits = random_next(seed);

        if (raw) {
            pixel[2 * k] = (uint16_t)bits;
            pixel[2 * k + 1] = (uint16_t)(bits >> 16);
        } else {
            array[k] = 0.5F + (float)(bits >> 40) * 0x1p-24F;
        }
    }
}

enum status kernel_open(struct kernel_run *run, const struct kernel *kernel,
                        const struct kernel_loops *loops, const struct measurement_point *point,
                        struct team *team, uint64_t seed, struct error *error)
{
    size_t elements[KERNEL_ARRAYS];
    size_t at = (size_t)SYSTEM_CORES_MAX * KERNEL_LINE;
    size_t total = at;

    *run = (struct kernel_run){.kernel = kernel, .loops = loops, .inputs = 1, .team = team};
    if (kernel->library && blas_name() == NULL)
        return error_set(error, STATUS_INVALID, "no BLAS library found");
    run->arrays = find_arrays(kernel, point, &run->items, &run->other, elements);
    if (kernel->fresh)
        run->inputs = (KERNEL_FRESH + elements[0] - 1) / elements[0];
    elements[0] *= run->inputs;
    for (int i = 0; i < run->arrays; i++)
        total += array_stride(elements[i]);
    if (!huge_pages_map(NULL, &run->pages, total * sizeof(float)))
        return error_set(error, STATUS_IO, "out of memory for %zu B", total * sizeof(float));
    run->sum = run->pages.bytes;
    for (int i = 0; i < run->arrays; i++) {
        run->array[i] = run->sum + at;
        at += array_stride(elements[i]);
        fill_array(run->array[i], elements[i], kernel->size == KERNEL_OF_PIXELS && i == 0, &seed);
    }
    return STATUS_OK;
}

void kernel_close(struct kernel_run *run)
{
    huge_pages_unmap(&run->pages);
}

static void run_kernel_work(struct kernel_run *run, team_work *work)
{
    if (run->team != NULL)
        team_run(run->team, work, run);
    else
        work(run, 0, 1);
}

void kernel_repeat_frames(void *data, uint64_t frames)
{
    struct kernel_run *run = data;
    const struct kernel *kernel = run->kernel;

    for (uint64_t i = 0; i < frames; i++) {
        run_kernel_work(run, kernel->work);
        if (kernel->rest != NULL)
            run_kernel_work(run, kernel->rest);
        /* Write only on change: the members read this cache line. */
        if (run->inputs > 1)
            run->input = run->input + 1 < run->inputs ? run->input + 1 : 0;
    }
    probe_keep_pointer(run);
}

/* Sizes in the AO systems ---------------------------------------------------------------------- */

#define SPREAD_SIZES 5 /* sizes per kernel */

struct size_finder {
    struct catalogue *catalogue;
    struct scenario scenario;
    struct result result;
    struct measurement *sizes;
    double largest;
};

/* Adds a size unless it is already present. */
static void add_kernel_size(struct size_finder *finder, const struct measurement_point *point)
{
    for (int i = 0; i < finder->sizes->count; i++) {
        const struct measurement_point *other = &finder->sizes->point[i];
        bool same = strcmp(other->name, point->name) == 0;

        for (int p = 0; p < PARAMETERS && same; p++)
            same = other->parameter[p] == point->parameter[p] ||
                   (isnan(other->parameter[p]) && isnan(point->parameter[p]));
        if (same)
            return;
    }
    measurement_add(finder->sizes, point);
}

static void set_size(const struct size_finder *finder, const struct kernel *kernel,
                     const struct node_result *node, struct measurement_point *point)
{
    const struct scenario *scenario = &finder->scenario;
    int wfs = node->component < 0 ? -1 : scenario_wfs(scenario, node->component);
    const struct wfs_result *sensor = &finder->result.wfs[wfs < 0 ? 0 : wfs];
    const struct wfs *stated = &scenario->wfs[wfs < 0 ? 0 : wfs];
    double *parameter = point->parameter;

    switch (kernel->size) {
    case KERNEL_OF_PIXELS:
        parameter[PARAMETER_PIXELS] = stated->count * sensor->width * sensor->height;
        break;
    case KERNEL_OF_SUBAPERTURES:
        parameter[PARAMETER_SUBAPERTURES] = stated->count * sensor->subaps;
        parameter[PARAMETER_SIDE] = stated->pixels_per_subap;
        break;
    case KERNEL_OF_PUPIL:
        parameter[PARAMETER_SUBAPERTURES] = stated->count * sensor->subaps;
        break;
    case KERNEL_OF_MATRIX:
        parameter[PARAMETER_ROWS] = floor(node->rows);
        parameter[PARAMETER_COLUMNS] = floor(node->columns);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        parameter[PARAMETER_ROWS] = scenario->ao.actuators;
        break;
    }
    parameter[PARAMETER_SIZE] = kernel_bytes(kernel, point);
}

/* Every algorithm is tried at the size of a component of its type: a centroid also on the sensor of
 * another centroid, slopes and intensities of a pyramid on that of either. */
static void add_sizes_of_system(struct size_finder *finder, const char *system)
{
    for (int n = 0; n < finder->result.node_count; n++) {
        const struct node_result *node = &finder->result.node[n];

        for (int k = 0; k < kernel_count; k++) {
            struct measurement_point point =
                measurement_point(MEASUREMENT_KERNELS, kernels[k].name, "f32");

            if (algorithms[kernels[k].algorithm].type != node->type || node->part >= 0)
                continue;
            snprintf(point.of, sizeof point.of, "%s", system);
            set_size(finder, &kernels[k], node, &point);
            if (!(point.parameter[PARAMETER_SIDE] > KERNEL_SIDE_MAX) &&
                point.parameter[PARAMETER_SIZE] <= finder->largest)
                add_kernel_size(finder, &point);
        }
    }
}

static int compare_sizes(const void *a, const void *b)
{
    const struct measurement_point *left = a;
    const struct measurement_point *right = b;
    long order = kernel_find(left->name) - kernel_find(right->name);
    double more = left->parameter[PARAMETER_SIZE] - right->parameter[PARAMETER_SIZE];

    return order != 0 ? (order > 0) - (order < 0) : (more > 0) - (more < 0);
}

/* Keeps the sizes of each kernel closest to equal steps of the ratio, in order. */
static void spread_sizes(struct measurement *sizes)
{
    struct measurement_point *point = sizes->point;
    int kept = 0;

    for (int first = 0, next; first < sizes->count; first = next) {
        double least = log(point[first].parameter[PARAMETER_SIZE]);
        double span;
        int steps = 0;

        for (next = first + 1; next < sizes->count; next++)
            if (strcmp(point[next].name, point[first].name) != 0)
                break;
        span = log(point[next - 1].parameter[PARAMETER_SIZE]) - least;
        for (int i = first; i < next; i++) {
            double at = log(point[i].parameter[PARAMETER_SIZE]) - least;

            if (i > first && i < next - 1 && at < span * steps / (SPREAD_SIZES - 1))
                continue;
            point[kept++] = point[i];
            steps++;
        }
    }
    sizes->count = kept;
}

enum status kernel_sizes_find(struct measurement *sizes, double largest, bool spread,
                              struct error *error)
{
    struct size_finder *finder = allocate_array(1, sizeof *finder);
    enum status status = STATUS_OK;

    *sizes = (struct measurement){0};
    finder->sizes = sizes;
    finder->largest = largest;
    finder->catalogue = catalogue_open_embedded();
    result_init(&finder->result);
    for (int i = 0; status == STATUS_OK && i < catalogue_count(finder->catalogue); i++) {
        const struct preset *preset = catalogue_at(finder->catalogue, i);

        if (preset->kind != PRESET_AO)
            continue;
        status = scenario_read_preset(&finder->scenario, preset, finder->catalogue, error);
        if (status == STATUS_OK)
            status = evaluate(&finder->scenario, &finder->result, error);
        if (status == STATUS_OK)
            add_sizes_of_system(finder, preset->name);
    }
    result_free(&finder->result);
    catalogue_close(finder->catalogue);
    free(finder);
    if (status != STATUS_OK) {
        measurement_free(sizes);
        return status;
    }
    qsort(sizes->point, (size_t)sizes->count, sizeof *sizes->point, compare_sizes);
    if (spread)
        spread_sizes(sizes);
    return STATUS_OK;
}

/* Measuring ------------------------------------------------------------------------------------ */

/* Times consecutive frames as in an RTC: call overhead is part of a frame, so nothing is
 * subtracted, and disturbances only lengthen a sample. `team` NULL: one core. */
static void time_kernel(struct probe *probe, const struct kernel *kernel,
                        struct measurement_point *point, struct team *team)
{
    const struct kernel_loops *loops[KERNEL_LOOPS_MAX];
    struct kernel_run run;
    uint64_t frames;

    kernel_loops_here(loops);
    point->parameter[PARAMETER_CORES] = team == NULL ? 1 : team_size(team);
    if (kernel->library && blas_name() == NULL) {
        strcpy(point->remark, MEASUREMENT_MISSING "no BLAS library with cblas_sgemv");
        probe_add_point(probe, point);
        return;
    }
    snprintf(point->remark, sizeof point->remark, "%s%s",
             kernel->library ? blas_name() : loops[0]->name,
             kernel->library && !blas_tuned() ? KERNEL_REFERENCE : "");
    if (kernel_open(&run, kernel, loops[0], point, team, probe->seed, probe->error) != STATUS_OK)
        return;
    frames = probe_calibrate(probe, kernel_repeat_frames, &run, probe->shortest);
    while (point->count < probe->samples && !probe_stopped(probe))
        point->sample[point->count++] =
            probe_time_run(kernel_repeat_frames, &run, frames) / (double)frames;
    if (point->count == probe->samples)
        probe_add_point(probe, point);
    kernel_close(&run);
}

/* Times all sizes; they are half of the part, from progress `done` on. */
static void time_kernels(struct probe *probe, const struct measurement *sizes, struct team *team,
                         double done)
{
    for (int i = 0; i < sizes->count && !probe_stopped(probe); i++) {
        struct measurement_point point = sizes->point[i];

        time_kernel(probe, kernel_find(point.name), &point, team);
        probe_report(probe, MEASUREMENT_KERNELS, done + 0.5 * (i + 1) / sizes->count);
    }
}

enum status probe_kernels(struct probe *probe, struct error *error)
{
    struct measurement sizes;
    struct team *team = NULL;

    probe_begin(probe, error);
    if (kernel_sizes_find(&sizes, (double)probe->largest, probe->quick, error) != STATUS_OK)
        return error->status;
    system_pin_thread(probe->core);
    time_kernels(probe, &sizes, NULL, 0);
    if (!probe_stopped(probe))
        team_open(&team, SYSTEM_CORES_MAX, error);
    if (team != NULL && team_size(team) > 1)
        time_kernels(probe, &sizes, team, 0.5);
    team_close(team);
    measurement_free(&sizes);
    return error->status;
}
