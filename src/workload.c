#include "workload.h"

#include <math.h>
#include <stddef.h>

#define SINGLE 4.0 /* byte counts below are written for fp32 and scaled by element / SINGLE */

double precision_bytes(enum precision precision)
{
    switch (precision) {
    case PRECISION_FP64:
        return 8;
    case PRECISION_FP16:
    case PRECISION_BF16:
        return 2;
    case PRECISION_INT8:
        return 1;
    case PRECISION_FP32:
        break;
    }
    return 4;
}

const struct operation operations[OPERATION_COUNT] = {
    [OPERATION_REFERENCE] = {"reference", 2, 8}, [OPERATION_ERROR] = {"error", 8, 8},
    [OPERATION_OFFSET] = {"offset", 1, 8},       [OPERATION_INTEGRATE] = {"integrate", 2, 8},
    [OPERATION_SATURATE] = {"saturate", 2, 8},   [OPERATION_POWER] = {"power", 2, 8},
};

const struct demand demand_none = {.sweeps = 1, .kernels = 1};

double work_bytes(const struct work *work)
{
    return work->read + work->written + work->resident;
}

/* Dark subtraction and flat division of every pixel: two operations, the raw pixel read at its bit
 * depth, the calibrated one written, two maps resident. */
static void dark_flat(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 2 * in->pixels;
    demand->stream.read = in->pixels * in->pixel_bits / 8;
    demand->stream.written = in->element * in->pixels;
    demand->stream.resident = 2 * in->element * in->pixels;
    demand->output = in->element * in->pixels;
}

/* Pixels put into the order of the subapertures: each read and written at its bit depth, by an
 * index of four bytes. */
static void descramble(const struct workload_input *in, struct demand *demand)
{
    demand->stream.read = in->pixels * in->pixel_bits / 8;
    demand->stream.written = in->pixels * in->pixel_bits / 8;
    demand->stream.resident = 4 * in->pixels;
    demand->output = in->pixels * in->pixel_bits / 8;
}

/* Two slopes per subaperture; with reference slopes, the subtraction and the error follow. A
 * reference pair is 8 bytes per subaperture in fp32. */
static void finish_centroid(const struct workload_input *in, double side_bytes,
                            struct demand *demand)
{
    const struct operation *reference = &operations[OPERATION_REFERENCE];
    const struct operation *error = &operations[OPERATION_ERROR];
    double scale = in->element / SINGLE;

    if (in->reference_slopes) {
        demand->stream.flop += in->subaps * (reference->flop + error->flop);
        demand->stream.written += in->subaps * error->bytes * scale;
        demand->stream.resident += in->subaps * reference->bytes * scale;
    }
    demand->stream.resident += side_bytes;
    demand->output = 2 * in->element * in->subaps;
}

static double centroid_pixels(const struct workload_input *in)
{
    return in->subaps * in->side * in->side;
}

/* Centre of gravity: per pixel two products and three sums, less the first of the sums. */
static double cog_flop(const struct workload_input *in)
{
    return fmax(0, in->flops_per_pixel * centroid_pixels(in) - in->subaps);
}

static void cog(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = cog_flop(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, 0, demand);
}

/* The textbook count: a fixed number of FLOP per pixel, and the two slopes written. */
static void simple(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = in->flops_per_pixel * centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    demand->stream.written = 2 * in->element * in->subaps;
    finish_centroid(in, 0, demand);
}

/* Subtract and clamp every pixel first: two operations. */
static void threshold(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = cog_flop(in) + 2 * centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, 0, demand);
}

/* One product with a resident weight per pixel. */
static void weighted(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = cog_flop(in) + centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, in->element * centroid_pixels(in), demand);
}

/* The brightest pixels of each subaperture: a comparison sort of its p^2 pixels, 2 p^2 log2 p^2,
 * and each pixel moved three times. */
static void brightest(const struct workload_input *in, struct demand *demand)
{
    double area = in->side * in->side;

    demand->stream.flop = cog_flop(in) + 2 * centroid_pixels(in) * log2(area);
    demand->stream.read = 3 * in->element * centroid_pixels(in);
    finish_centroid(in, 0, demand);
}

/* Two dot products with resident filters. */
static void matched(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 4 * centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, 2 * in->element * centroid_pixels(in), demand);
}

/* Pyramid slopes: sums and differences of the four images, normalised by the mean flux. */
static void pyramid_slopes(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 17 * in->subaps + 4;
    demand->stream.read = 4 * in->element * in->subaps;
    demand->stream.written = 5 * in->element * in->subaps;
    demand->output = 2 * in->element * in->subaps;
}

/* The four images themselves, normalised: 3 operations on each of 4n pixels. */
static void pyramid_intensity(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 12 * in->subaps + 4;
    demand->stream.read = 4 * in->element * in->subaps;
    demand->stream.written = 4 * in->element * in->subaps;
    demand->output = 4 * in->element * in->subaps;
}

/* Dense matrix times vector, columns arriving: one multiply and one add per element; the matrix is
 * read once, each packet reads and writes the partial result again. */
static void columns_times(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 2 * in->rows * in->columns;
    demand->stream.read = in->element * in->columns;
    demand->block = in->columns;
    demand->stream.resident = in->element * in->rows * in->columns;
    demand->accumulator = in->element * in->rows;
}

static void mvm(const struct workload_input *in, struct demand *demand)
{
    columns_times(in, demand);
    demand->output = in->element * in->rows;
}

/* Slopes to modes as they arrive, modes to actuators at the end. */
static void modal(const struct workload_input *in, struct demand *demand)
{
    columns_times(in, demand);
    demand->tail.flop = 2 * in->rows * in->actuators;
    demand->tail.read = in->element * in->rows;
    demand->tail.written = in->element * in->actuators;
    demand->tail.resident = in->element * in->rows * in->actuators;
    demand->tail_kernels = 1;
    demand->output = in->element * in->actuators;
}

/* Leaky integrator with offsets, clipping and a power (inter-actuator stroke) limit. */
static void integrator(const struct workload_input *in, struct demand *demand)
{
    double scale = in->element / SINGLE;

    for (int id = OPERATION_OFFSET; id <= OPERATION_POWER; id++) {
        demand->stream.flop += operations[id].flop * in->actuators;
        demand->stream.read += operations[id].bytes / 2 * scale * in->actuators;
        demand->stream.written += operations[id].bytes / 2 * scale * in->actuators;
    }
    demand->output = in->element * in->actuators;
}

static void custom(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = in->flops;
    demand->stream.read = in->bytes_read;
    demand->stream.written = in->bytes_written;
    demand->stream.resident = in->working_set;
    demand->output = in->bytes_written;
}

/* Default efficiencies: plain C on one core reaches 0.046-0.058 of FMA peak in a centre of
 * gravity, 0.069 thresholded, 0.13 in calibration, 0.004 sorting; dense MVM half of peak. */
/* clang-format off */
const struct algorithm algorithms[] = {
    {COMPONENT_CALIBRATION, "dark-flat", "dark subtraction and flat field of every pixel",
     dark_flat, 0.12, 0.3, ACCESS_SEQUENTIAL, 0},
    {COMPONENT_DESCRAMBLE, "", "pixels into the order of the subapertures",
     descramble, 0.12, 0.3, ACCESS_RANDOM, 0},
    {COMPONENT_CENTROID, "cog", "centre of gravity",
     cog, 0.05, 0.25, ACCESS_SEQUENTIAL, 2},
    {COMPONENT_CENTROID, "simple", "centre of gravity by the textbook count",
     simple, 0.05, 0.25, ACCESS_SEQUENTIAL, 2},
    {COMPONENT_CENTROID, "threshold", "thresholded centre of gravity",
     threshold, 0.05, 0.25, ACCESS_SEQUENTIAL, 2},
    {COMPONENT_CENTROID, "weighted", "centre of gravity weighted by a reference pattern",
     weighted, 0.05, 0.25, ACCESS_SEQUENTIAL, 2},
    {COMPONENT_CENTROID, "brightest", "centre of gravity of the brightest pixels (a sort)",
     brightest, 0.005, 0.1, ACCESS_SEQUENTIAL, 2},
    {COMPONENT_CENTROID, "matched", "matched filter",
     matched, 0.05, 0.25, ACCESS_SEQUENTIAL, 2},
    {COMPONENT_PYRAMID, "slopes", "two slopes per pupil pixel",
     pyramid_slopes, 0.12, 0.3, ACCESS_SEQUENTIAL, 2},
    {COMPONENT_PYRAMID, "intensity", "the four normalised intensities per pupil pixel",
     pyramid_intensity, 0.12, 0.3, ACCESS_SEQUENTIAL, 4},
    {COMPONENT_RECONSTRUCTION, "mvm", "dense matrix-vector multiplication",
     mvm, 0.5, 0.5, ACCESS_SEQUENTIAL, 0},
    {COMPONENT_RECONSTRUCTION, "modal", "slopes to modes, then modes to actuators",
     modal, 0.5, 0.5, ACCESS_SEQUENTIAL, 0},
    {COMPONENT_CONTROL, "integrator", "leaky integrator with offsets, clipping and power limit",
     integrator, 0.2, 0.2, ACCESS_SEQUENTIAL, 0},
    {COMPONENT_CUSTOM, "", "work stated by its FLOP and bytes",
     custom, 0.5, 0.5, ACCESS_SEQUENTIAL, 0},
};
/* clang-format on */

const int algorithm_count = (int)(sizeof algorithms / sizeof algorithms[0]);

int algorithm_first(enum component_type type)
{
    for (int i = 0; i < algorithm_count; i++)
        if (algorithms[i].type == type)
            return i;
    return -1;
}

int algorithm_type_count(enum component_type type)
{
    int count = 0;

    for (int i = 0; i < algorithm_count; i++)
        count += algorithms[i].type == type;
    return count;
}

const struct algorithm *algorithm_row(const struct scenario *scenario, int component)
{
    int row = scenario_algorithm(scenario, component);

    return row < 0 ? NULL : &algorithms[row];
}
