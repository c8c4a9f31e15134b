#include "probe/kernel_work.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/random.h"
#include "probe/probe.h"

#define KERNEL_CORES 1024

/* The items of a member: those of all, in as many runs as there are members. */
static void range(const struct kernel_run *run, int rank, int size, size_t *first, size_t *last)
{
    *first = run->items * (size_t)rank / (size_t)size;
    *last = run->items * ((size_t)rank + 1) / (size_t)size;
}

/* Of elements: no line of cache is written by two cores, which would hand it to and fro. */
static void line_range(const struct kernel_run *run, int rank, int size, size_t *first,
                       size_t *last)
{
    const size_t mask = KERNEL_LINE - 1;

    range(run, rank, size, first, last);
    if (rank > 0)
        *first = (*first + mask) & ~mask;
    if (rank < size - 1)
        *last = (*last + mask) & ~mask;
    *last = *last < run->items ? *last : run->items;
    *first = *first < *last ? *first : *last;
}

static void calibrate(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    size_t first, last;

    line_range(run, rank, size, &first, &last);
    run->loops->dark_flat((const uint16_t *)(const void *)run->array[0], run->array[1],
                          run->array[2], run->array[3], first, last);
}

static struct kernel_centroids centroids(const struct kernel_run *run)
{
    return (struct kernel_centroids){.pixels = run->array[0] +
                                               run->input * run->items * run->other * run->other,
                                     .reference = run->array[1],
                                     .image = run->array[2],
                                     .slopes = run->array[3],
                                     .side = run->other,
                                     .threshold = 0.75F};
}

static void centroid(void *data, int rank, int size,
                     void (*loop)(const struct kernel_centroids *, size_t, size_t))
{
    const struct kernel_run *run = data;
    struct kernel_centroids c = centroids(run);
    size_t first, last;

    range(run, rank, size, &first, &last);
    loop(&c, first, last);
}

static void cog(void *data, int rank, int size)
{
    centroid(data, rank, size, ((const struct kernel_run *)data)->loops->cog);
}

static void threshold(void *data, int rank, int size)
{
    centroid(data, rank, size, ((const struct kernel_run *)data)->loops->threshold);
}

static void brightest(void *data, int rank, int size)
{
    centroid(data, rank, size, ((const struct kernel_run *)data)->loops->brightest);
}

static void correlation(void *data, int rank, int size)
{
    centroid(data, rank, size, ((const struct kernel_run *)data)->loops->correlation);
}

static struct kernel_pyramid pyramid(const struct kernel_run *run)
{
    float *const *a = run->array;

    return (struct kernel_pyramid){.image = {a[0], a[1], a[2], a[3]},
                                   .flux = a[4],
                                   .x = a[5],
                                   .y = a[6],
                                   .slopes = a[7],
                                   .pupil = run->items};
}

static void pyramid_sums(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    struct kernel_pyramid p = pyramid(run);
    size_t first, last;

    line_range(run, rank, size, &first, &last);
    run->sum[KERNEL_LINE * rank] = run->loops->pyramid_sums(&p, first, last);
}

static void pyramid_slopes(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    struct kernel_pyramid p = pyramid(run);
    float sum = 0;
    size_t first, last;

    for (int i = 0; i < size; i++)
        sum += run->sum[KERNEL_LINE * i];
    line_range(run, rank, size, &first, &last);
    run->loops->pyramid_slopes(&p, (float)run->items / sum, first, last);
}

static void multiply(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    size_t first, last;

    range(run, rank, size, &first, &last);
    run->loops->mvm(run->array[0], run->array[1], run->array[2], run->other, first, last);
}

static void multiply_by_library(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    size_t first, last;

    range(run, rank, size, &first, &last);
    blas_mvm(run->array[0] + first * run->other, run->array[1], run->array[2] + first, last - first,
             run->other);
}

static void integrator(void *data, int rank, int size)
{
    const struct kernel_run *run = data;
    float *const *a = run->array;
    struct kernel_integrator i = {.error = a[0],
                                  .offset = a[1],
                                  .state = a[2],
                                  .moved = a[3],
                                  .clipped = a[4],
                                  .command = a[5],
                                  .leak = 0.99F,
                                  .gain = 0.3F,
                                  .limit = 25,
                                  .scale = 0.5F,
                                  .bias = 0.25F};
    size_t first, last;

    line_range(run, rank, size, &first, &last);
    run->loops->integrator(&i, first, last);
}

const struct kernel kernels[] = {
    {"calibration.dark-flat", COMPONENT_CALIBRATION, "dark-flat", KERNEL_OF_PIXELS, false, false,
     calibrate, NULL},
    {"centroid.cog", COMPONENT_CENTROID, "cog", KERNEL_OF_SUBAPERTURES, false, false, cog, NULL},
    {"centroid.threshold", COMPONENT_CENTROID, "threshold", KERNEL_OF_SUBAPERTURES, false, false,
     threshold, NULL},
    {"centroid.brightest", COMPONENT_CENTROID, "brightest", KERNEL_OF_SUBAPERTURES, false, true,
     brightest, NULL},
    {"centroid.correlation", COMPONENT_CENTROID, "correlation", KERNEL_OF_SUBAPERTURES, false,
     false, correlation, NULL},
    {"pyramid.slopes", COMPONENT_PYRAMID, "slopes", KERNEL_OF_PUPIL, false, false, pyramid_sums,
     pyramid_slopes},
    {"reconstruction.mvm", COMPONENT_RECONSTRUCTION, "mvm", KERNEL_OF_MATRIX, false, false,
     multiply, NULL},
    {"reconstruction.mvm-blas", COMPONENT_RECONSTRUCTION, "mvm", KERNEL_OF_MATRIX, true, false,
     multiply_by_library, NULL},
    {"control.integrator", COMPONENT_CONTROL, "integrator", KERNEL_OF_ACTUATORS, false, false,
     integrator, NULL},
};

const int kernel_count = (int)(sizeof kernels / sizeof kernels[0]);

const struct kernel *kernel_find(const char *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

/* Elements of the arrays of a kernel of `items`, up to the one it makes; returns how many. */
static int sizes(enum kernel_size size, size_t items, size_t other, size_t elements[KERNEL_ARRAYS])
{
    const size_t lists[KERNEL_SIZES][KERNEL_ARRAYS + 1] = {
        [KERNEL_OF_PIXELS] = {(items + 1) / 2, items, items, items, 0},
        [KERNEL_OF_SUBAPERTURES] = {items * other * other, 2 * items, other * other, 2 * items, 0},
        [KERNEL_OF_PUPIL] = {items, items, items, items, items, items, items, 2 * items, 0},
        [KERNEL_OF_MATRIX] = {items * other, other, items, 0},
        [KERNEL_OF_ACTUATORS] = {items, items, items, items, items, items, 0},
    };
    int count = 0;

    for (; lists[size][count] > 0; count++)
        elements[count] = lists[size][count];
    return count;
}

static void counts(const struct kernel *kernel, const struct measurement_point *point,
                   size_t *items, size_t *other)
{
    static const struct {
        enum parameter items, other;
    } of[KERNEL_SIZES] = {
        [KERNEL_OF_PIXELS] = {PARAMETER_PIXELS, PARAMETER_PIXELS},
        [KERNEL_OF_SUBAPERTURES] = {PARAMETER_SUBAPERTURES, PARAMETER_SIDE},
        [KERNEL_OF_PUPIL] = {PARAMETER_SUBAPERTURES, PARAMETER_SUBAPERTURES},
        [KERNEL_OF_MATRIX] = {PARAMETER_ROWS, PARAMETER_COLUMNS},
        [KERNEL_OF_ACTUATORS] = {PARAMETER_ROWS, PARAMETER_ROWS},
    };

    *items = (size_t)point->parameter[of[kernel->size].items];
    *other = (size_t)point->parameter[of[kernel->size].other];
}

/* Elements from one array to the next: pages, and a few lines more, so that no two of them begin at
 * the same part of a page. What is stored to one would hold up what is loaded from the other. */
static size_t placed(size_t elements)
{
    const size_t page = 1024, stagger = 21 * KERNEL_LINE;

    return (elements + page - 1) / page * page + stagger;
}

double kernel_bytes(const struct kernel *kernel, const struct measurement_point *point)
{
    size_t elements[KERNEL_ARRAYS];
    size_t items, other;
    double bytes = 0;
    int count;

    counts(kernel, point, &items, &other);
    count = sizes(kernel->size, items, other, elements);
    for (int i = 0; i < count; i++)
        bytes += sizeof(float) * (double)elements[i];
    return bytes;
}

static void fill(struct kernel_run *run, const size_t elements[], uint64_t seed)
{
    for (int i = 0; i < run->arrays; i++) {
        bool raw = run->kernel->size == KERNEL_OF_PIXELS && i == 0;
        uint16_t *pixel = (uint16_t *)(void *)run->array[i];

        for (size_t k = 0; k < elements[i]; k++) {
            uint64_t bits = random_next(&seed);

            if (raw) {
                pixel[2 * k] = (uint16_t)bits;
                pixel[2 * k + 1] = (uint16_t)(bits >> 16);
            } else {
                run->array[i][k] = 0.5F + (float)(bits >> 40) * 0x1p-24F;
            }
        }
    }
}

enum status kernel_open(struct kernel_run *run, const struct kernel *kernel,
                        const struct kernel_loops *loops, const struct measurement_point *point,
                        struct team *team, uint64_t seed, struct error *error)
{
    size_t elements[KERNEL_ARRAYS];
    size_t total = (size_t)KERNEL_CORES * KERNEL_LINE;
    size_t at = 0;

    *run = (struct kernel_run){.kernel = kernel, .loops = loops, .team = team};
    if (kernel->library && blas_name() == NULL)
        return error_set(error, STATUS_INVALID, "no BLAS library is there");
    counts(kernel, point, &run->items, &run->other);
    run->arrays = sizes(kernel->size, run->items, run->other, elements);
    run->inputs = kernel->fresh ? (KERNEL_FRESH + elements[0] - 1) / elements[0] : 1;
    elements[0] *= run->inputs;
    for (int i = 0; i < run->arrays; i++)
        total += placed(elements[i]);
    if (!huge_pages_map(&run->pages, total * sizeof(float)))
        return error_set(error, STATUS_MEMORY, "no memory for %zu B", total * sizeof(float));
    run->sum = run->pages.bytes;
    at = (size_t)KERNEL_CORES * KERNEL_LINE;
    for (int i = 0; i < run->arrays; i++) {
        run->array[i] = run->sum + at;
        at += placed(elements[i]);
    }
    fill(run, elements, seed);
    return STATUS_OK;
}

void kernel_close(struct kernel_run *run)
{
    huge_pages_unmap(&run->pages);
}

void kernel_frames(void *data, uint64_t frames)
{
    struct kernel_run *run = data;
    const struct kernel *kernel = run->kernel;

    for (uint64_t i = 0; i < frames; i++) {
        if (run->team != NULL)
            team_run(run->team, kernel->work, run);
        else
            kernel->work(run, 0, 1);
        if (kernel->rest != NULL && run->team != NULL)
            team_run(run->team, kernel->rest, run);
        else if (kernel->rest != NULL)
            kernel->rest(run, 0, 1);
        /* Written only where it changes: the members read this line, and would wait for it. */
        if (run->inputs > 1)
            run->input = run->input + 1 < run->inputs ? run->input + 1 : 0;
    }
    probe_keep_pointer(run);
}

const float *kernel_result(const struct kernel_run *run, size_t *count)
{
    size_t elements[KERNEL_ARRAYS];
    int arrays = sizes(run->kernel->size, run->items, run->other, elements);

    *count = elements[arrays - 1];
    return run->array[arrays - 1];
}

/* Blas ----------------------------------------------------------------------------------------- */

/* CBLAS: rows follow one another, the matrix as it is */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };

typedef void sgemv(int order, int transpose, int rows, int columns, float alpha,
                   const float *matrix, int stride, const float *vector, int step, float beta,
                   float *result, int result_step);
typedef void set_threads(long count);

static struct {
    const char *name;
    sgemv *multiply;
    bool tuned;
} library;

/* Tuned ones first; a name without "blas.so" alone may be any of them by the system's choice. */
static const char *const names[] = {
    "libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libmkl_rt.so", "libblis.so.4",
    "libblis.so",       "libcblas.so.3",  "libblas.so.3",   "libcblas.so",  "libblas.so",
};

/* The members of a team share the work already. */
static void use_one_thread(void *handle)
{
    static const char *const setters[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads",
                                          "bli_thread_set_num_threads"};

    for (size_t i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        set_threads *set = NULL;
        void *symbol = dlsym(handle, setters[i]);

        if (symbol != NULL) {
            memcpy(&set, &symbol, sizeof set);
            set(1);
        }
    }
}

/* Also behind the reference's name. */
static bool is_tuned(void *handle)
{
    static const char *const marks[] = {"openblas_get_config", "MKL_Get_Version",
                                        "bli_info_get_version_str", "ATL_sgemv"};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (dlsym(handle, marks[i]) != NULL)
            return true;
    return false;
}

static void look(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        void *symbol = handle == NULL ? NULL : dlsym(handle, "cblas_sgemv");

        if (symbol == NULL) {
            if (handle != NULL)
                dlclose(handle);
            continue;
        }
        use_one_thread(handle);
        memcpy(&library.multiply, &symbol, sizeof library.multiply);
        library.name = names[i];
        library.tuned = is_tuned(handle);
        return;
    }
}

const char *blas_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, look);
    return library.name;
}

bool blas_tuned(void)
{
    return blas_name() != NULL && library.tuned;
}

void blas_mvm(const float *matrix, const float *vector, float *result, size_t rows, size_t columns)
{
    library.multiply(ROW_MAJOR, NO_TRANSPOSE, (int)rows, (int)columns, 1, matrix, (int)columns,
                     vector, 1, 0, result, 1);
}
