#include "probe/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Returns the output of a frame: slopes, commands or pixels. */
static const float *frame_output(const struct kernel_run *run, size_t *count)
{
    bool pairs =
        run->kernel->size == KERNEL_OF_SUBAPERTURES || run->kernel->size == KERNEL_OF_PUPIL;

    *count = run->items * (pairs ? 2 : 1);
    return run->array[run->arrays - 1];
}

/* Slow and plain: every sum in double precision. */

static void expect_pixels(const struct kernel_run *run, double *result)
{
    const uint16_t *raw = (const uint16_t *)(const void *)run->array[0];

    for (size_t i = 0; i < run->items; i++)
        result[i] = ((double)raw[i] - run->array[1][i]) * run->array[2][i];
}

static int falling(const void *a, const void *b)
{
    float left = *(const float *)a;
    float right = *(const float *)b;

    return (left < right) - (left > right);
}

/* Centre of what is above a level, which it is 0 below where `clip`. */
static void centre(const float *pixel, size_t side, double level, bool clip, double slopes[2])
{
    double sum[3] = {0};

    for (size_t i = 0; i < side * side; i++) {
        double value = pixel[i] - level;

        if (clip && value < 0)
            value = 0;
        sum[0] += value;
        sum[1] += value * (double)(i % side);
        sum[2] += value * (double)(i / side);
    }
    slopes[0] = sum[1] / sum[0];
    slopes[1] = sum[2] / sum[0];
}

static double at(const float *pixel, long side, long y, long x)
{
    return y < 0 || x < 0 || y >= side || x >= side ? 0 : pixel[y * side + x];
}

static double product(const float *pixel, const float *image, long side, long down, long along)
{
    double sum = 0;

    for (long y = 0; y < side; y++)
        for (long x = 0; x < side; x++)
            sum += image[y * side + x] *
                   at(pixel, side, y + down - KERNEL_SEARCH / 2, x + along - KERNEL_SEARCH / 2);
    return sum;
}

static double vertex(double before, double here, double after)
{
    double bend = before - 2 * here + after;

    return bend < 0 ? (before - after) / (2 * bend) : 0;
}

static void peak(const float *pixel, const float *image, size_t side, double slopes[2])
{
    long top = 1, left = 1, p = (long)side;

    for (long y = 1; y < KERNEL_SEARCH - 1; y++)
        for (long x = 1; x < KERNEL_SEARCH - 1; x++)
            if (product(pixel, image, p, y, x) > product(pixel, image, p, top, left)) {
                top = y;
                left = x;
            }
    slopes[0] = (double)left - KERNEL_SEARCH / 2 +
                vertex(product(pixel, image, p, top, left - 1), product(pixel, image, p, top, left),
                       product(pixel, image, p, top, left + 1));
    slopes[1] = (double)top - KERNEL_SEARCH / 2 +
                vertex(product(pixel, image, p, top - 1, left), product(pixel, image, p, top, left),
                       product(pixel, image, p, top + 1, left));
}

static void expect_slopes(const struct kernel_run *run, double *result)
{
    size_t side = run->other;
    size_t area = side * side;
    float *sorted = malloc(area * sizeof *sorted);

    if (sorted == NULL)
        abort();
    for (size_t i = 0; i < run->items; i++) {
        const float *pixel = run->array[0] + i * area;
        enum algorithm_id algorithm = run->kernel->algorithm;

        memcpy(sorted, pixel, area * sizeof *sorted);
        qsort(sorted, area, sizeof *sorted, falling);
        if (algorithm == ALGORITHM_CORRELATION)
            peak(pixel, run->array[2], side, result + 2 * i);
        else if (algorithm == ALGORITHM_COG)
            centre(pixel, side, 0, false, result + 2 * i);
        else
            centre(pixel, side,
                   algorithm == ALGORITHM_THRESHOLD ? 0.75 : sorted[area / KERNEL_BRIGHTEST], true,
                   result + 2 * i);
        result[2 * i] -= run->array[1][2 * i];
        result[2 * i + 1] -= run->array[1][2 * i + 1];
    }
    free(sorted);
}

static void expect_pupil(const struct kernel_run *run, double *result)
{
    float *const *image = run->array;
    size_t n = run->items;
    double sum = 0;

    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < n; i++)
            sum += image[k][i];
    for (size_t i = 0; i < n; i++) {
        double a = image[0][i], b = image[1][i], c = image[2][i], d = image[3][i];

        result[i] = (a + c - b - d) * (double)n / sum;
        result[n + i] = (a + b - c - d) * (double)n / sum;
    }
}

static void expect_product(const struct kernel_run *run, double *result)
{
    for (size_t i = 0; i < run->items; i++) {
        result[i] = 0;
        for (size_t j = 0; j < run->other; j++)
            result[i] += (double)run->array[0][i * run->other + j] * run->array[1][j];
    }
}

/* From the state before the frame. */
static void expect_commands(const struct kernel_run *run, const float *before, double *result)
{
    for (size_t i = 0; i < run->items; i++) {
        double moved = 0.99 * before[i] + 0.3 * run->array[0][i] + run->array[1][i];

        result[i] = 0.5 * fmax(-25, fmin(25, moved)) + 0.25;
    }
}

static void expect(const struct kernel_run *run, const float *before, double *result)
{
    switch (run->kernel->size) {
    case KERNEL_OF_PIXELS:
        expect_pixels(run, result);
        break;
    case KERNEL_OF_SUBAPERTURES:
        expect_slopes(run, result);
        break;
    case KERNEL_OF_PUPIL:
        expect_pupil(run, result);
        break;
    case KERNEL_OF_MATRIX:
        expect_product(run, result);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        expect_commands(run, before, result);
        break;
    }
}

static struct measurement_point sized(const struct kernel *kernel, double size, double other)
{
    struct measurement_point point = measurement_point(MEASUREMENT_KERNELS, kernel->name, "f32");

    point.parameter[PARAMETER_PIXELS] = size;
    point.parameter[PARAMETER_SUBAPERTURES] = size;
    point.parameter[PARAMETER_ROWS] = size;
    point.parameter[PARAMETER_SIDE] = fmin(other, KERNEL_SIDE_MAX);
    point.parameter[PARAMETER_COLUMNS] = other;
    return point;
}

/* A result of a frame that many sums led to may be off by their rounding. */
static void compare(const struct kernel_run *run, const float *before)
{
    size_t count;
    const float *made = frame_output(run, &count);
    double *result = malloc(count * sizeof *result);

    if (result == NULL)
        abort();
    expect(run, before, result);
    for (size_t i = 0; i < count; i++)
        if (!CHECK_TRUE(fabs(made[i] - result[i]) <= 3e-4 * (1 + fabs(result[i])),
                        "%s (%s), %zu of %zu, result %zu: expected %.9g, got %.9g",
                        run->kernel->name, run->loops->name, run->items, run->other, i, result[i],
                        (double)made[i]))
            break;
    free(result);
}

static void try_size(const struct kernel *kernel, const struct kernel_loops *loops, double size,
                     double other, struct team *team)
{
    struct measurement_point point = sized(kernel, size, other);
    struct kernel_run run;
    struct error error;
    float *before;

    if (!CHECK(kernel_open(&run, kernel, loops, &point, team, 7, &error) == STATUS_OK))
        return;
    before = malloc(run.items * sizeof *before);
    if (before == NULL)
        abort();
    if (kernel->size == KERNEL_OF_ACTUATORS)
        memcpy(before, run.array[2], run.items * sizeof *before);
    kernel_repeat_frames(&run, 1);
    compare(&run, before);
    free(before);
    kernel_close(&run);
}

TEST(each_against_a_plain_one)
{
    static const double sizes[][2] = {{1, 2}, {5, 3}, {17, 8}, {33, 13}, {64, 16}, {7, 64}};
    const struct kernel_loops *loops[4];
    int sets = 0;

    kernel_loops_here(loops);
    for (; loops[sets] != NULL; sets++)
        for (int k = 0; k < kernel_count; k++)
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                if (!kernels[k].library || blas_name() != NULL)
                    try_size(&kernels[k], loops[sets], sizes[i][0], sizes[i][1], NULL);
    CHECK(sets > 0);
}

/* What only a run has: the four images, and fewer shifts. */
TEST(intensities_are_normalised_images)
{
    enum { PUPIL = 37 };
    const struct kernel_loops *loops[4];
    float image[4 * PUPIL], result[4 * PUPIL];
    const struct kernel_pyramid pyramid = {
        .image = {image, image + PUPIL, image + 2 * PUPIL, image + 3 * PUPIL},
        .slopes = result,
        .pupil = PUPIL};

    for (int i = 0; i < 4 * PUPIL; i++)
        image[i] = (float)(1 + i % 7);
    kernel_loops_here(loops);
    for (int l = 0; loops[l] != NULL; l++) {
        const float flux =
            loops[l]->pyramid_flux(&pyramid, 0, 20) + loops[l]->pyramid_flux(&pyramid, 20, PUPIL);

        CHECK_NEAR(flux, 21 * 28 + 1, 0);
        loops[l]->pyramid_intensities(&pyramid, 2, 0, 20);
        loops[l]->pyramid_intensities(&pyramid, 2, 20, PUPIL);
        for (int i = 0; i < 4 * PUPIL; i++)
            CHECK_NEAR(result[i], 2 * image[i], 0);
    }
}

TEST(a_shift_is_found_in_fewer_shifts)
{
    enum { SIDE = 9 };
    const struct kernel_loops *loops[4];
    const float reference[2] = {0};
    float image[SIDE * SIDE] = {0}, pixels[SIDE * SIDE] = {0}, slopes[2];
    struct kernel_centroids centroids = {
        .pixels = pixels, .reference = reference, .image = image, .slopes = slopes, .side = SIDE};

    image[4 * SIDE + 4] = pixels[5 * SIDE + 3] = 1;
    kernel_loops_here(loops);
    for (int l = 0; loops[l] != NULL; l++)
        /* the outermost shifts are no maximum */
        for (centroids.search = 5; centroids.search <= KERNEL_SEARCH; centroids.search++) {
            loops[l]->centroid[KERNEL_CENTROID_CORRELATION](&centroids, 0, 1);
            CHECK_NEAR(slopes[0], -1, 0);
            CHECK_NEAR(slopes[1], 1, 0);
        }
}

TEST(shared_by_a_team)
{
    const struct kernel_loops *loops[4];
    struct team *team;
    struct error error;

    kernel_loops_here(loops);
    if (!CHECK(team_open(&team, 3, &error) == STATUS_OK))
        return;
    for (int k = 0; k < kernel_count; k++) {
        if (kernels[k].library && blas_name() == NULL)
            continue;
        try_size(&kernels[k], loops[0], 1, 9, team);
        try_size(&kernels[k], loops[0], 101, 9, team);
    }
    team_close(team);
}

/* Slopes of one frame after the other: those of a sort come again when all its inputs have been
 * there, and not before; those of the others do not change. */
TEST(fresh_inputs)
{
    const struct kernel_loops *loops[4];
    float first[2 * 9];

    kernel_loops_here(loops);
    for (int k = 0; k < kernel_count; k++) {
        struct measurement_point point = sized(&kernels[k], 9, 4);
        struct kernel_run run;
        struct error error;
        const float *made;
        size_t count, inputs = kernels[k].fresh ? (KERNEL_FRESH + 143) / 144 : 1;

        if (kernels[k].size != KERNEL_OF_SUBAPERTURES ||
            !CHECK(kernel_open(&run, &kernels[k], loops[0], &point, NULL, 7, &error) == STATUS_OK))
            continue;
        CHECK_INT(run.inputs, inputs);
        made = frame_output(&run, &count);
        kernel_repeat_frames(&run, 1);
        memcpy(first, made, sizeof first);
        for (size_t i = 1; i <= inputs; i++) {
            kernel_repeat_frames(&run, 1);
            CHECK_TRUE((memcmp(first, made, sizeof first) == 0) == (i == inputs),
                       "%s, frame %zu of %zu", kernels[k].name, i, inputs);
        }
        kernel_close(&run);
    }
}

/* Places in a page of 4 KiB, where a processor looks first for what a load may wait for. */
TEST(arrays_lie_apart)
{
    const struct kernel_loops *loops[4];

    kernel_loops_here(loops);
    for (int k = 0; k < kernel_count; k++) {
        struct measurement_point point = sized(&kernels[k], 1000, 6);
        struct kernel_run run;
        struct error error;

        if (kernels[k].library ||
            !CHECK(kernel_open(&run, &kernels[k], loops[0], &point, NULL, 7, &error) == STATUS_OK))
            continue;
        for (int i = 0; i < run.arrays; i++)
            for (int j = 0; j < i; j++) {
                size_t apart = (size_t)(run.array[i] - run.array[j]) % 1024;

                CHECK_TRUE(apart >= KERNEL_LINE && apart <= 1024 - KERNEL_LINE,
                           "%s: arrays %d and %d are %zu elements apart", kernels[k].name, j, i,
                           apart);
            }
        kernel_close(&run);
    }
}

TEST(nothing_drifts)
{
    const struct kernel_loops *loops[4];

    kernel_loops_here(loops);
    for (int k = 0; k < kernel_count; k++) {
        struct measurement_point point = sized(&kernels[k], 40, 6);
        struct kernel_run run;
        struct error error;
        const float *made;
        size_t count;

        if (kernels[k].library && blas_name() == NULL)
            continue;
        if (!CHECK(kernel_open(&run, &kernels[k], loops[0], &point, NULL, 7, &error) == STATUS_OK))
            continue;
        kernel_repeat_frames(&run, 2000);
        made = frame_output(&run, &count);
        for (size_t i = 0; i < count; i++)
            CHECK_TRUE(isfinite(made[i]) && (made[i] == 0 || fabsf(made[i]) > 1e-30F),
                       "%s: result %zu is %g", kernels[k].name, i, (double)made[i]);
        kernel_close(&run);
    }
}

TEST(sizes_of_the_systems)
{
    struct measurement all, few;
    struct error error;
    double largest = 0;

    if (!CHECK(kernel_sizes_find(&all, 1e7, false, &error) == STATUS_OK) ||
        !CHECK(kernel_sizes_find(&few, 1e7, true, &error) == STATUS_OK))
        return;
    CHECK_TRUE(all.count > 100, "%d sizes", all.count);
    CHECK_TRUE(few.count >= 3 * kernel_count && few.count <= 5 * kernel_count, "%d of %d",
               few.count, all.count);
    for (int i = 0; i < all.count; i++) {
        const struct measurement_point *point = &all.point[i];
        const struct kernel *kernel = kernel_find(point->name);

        CHECK(kernel != NULL && point->of[0] != '\0');
        CHECK_NEAR(point->parameter[PARAMETER_SIZE], kernel_bytes(kernel, point), 0);
        largest = fmax(largest, point->parameter[PARAMETER_SIZE]);
    }
    CHECK_TRUE(largest <= 1e7 && largest > 5e6, "%g B", largest);
    CHECK(kernel_find("centroid.none") == NULL);
    measurement_free(&all);
    measurement_free(&few);
}

static bool stop_after_some(void *context)
{
    int *left = context;

    return --*left < 0;
}

/* Points as a probe makes them, until it is told to stop. */
TEST(points_of_the_probe)
{
    struct measurement measurement = {0};
    struct probe probe;
    struct error error = {0};
    int left = 4000;

    probe_defaults(&probe, true);
    probe.measurement = &measurement;
    probe.largest = 40000;
    probe.shortest = 1e-6;
    probe.samples = 5;
    probe.stopped = stop_after_some;
    probe.context = &left;
    CHECK(probe_kernels(&probe, &error) == STATUS_OK);
    CHECK_TRUE(measurement.count > 20, "%d points", measurement.count);
    for (int i = 0; i < measurement.count; i++) {
        const struct measurement_point *point = &measurement.point[i];

        CHECK(point->part == MEASUREMENT_KERNELS && kernel_find(point->name) != NULL);
        CHECK(point->parameter[PARAMETER_CORES] >= 1);
        CHECK_TRUE(point->count == 5 || strncmp(point->remark, "n/a: ", 5) == 0, "%s: %d, \"%s\"",
                   point->name, point->count, point->remark);
    }
    measurement_free(&measurement);
}
