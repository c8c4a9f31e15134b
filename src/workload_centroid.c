#include <math.h>

#include "workload_demands.h"

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

void demand_cog(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = cog_flop(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, 0, demand);
}

/* The textbook count: a fixed number of FLOP per pixel, and the two slopes written. */
void demand_simple(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = in->flops_per_pixel * centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    demand->stream.written = 2 * in->element * in->subaps;
    finish_centroid(in, 0, demand);
}

/* Subtract and clamp every pixel first: two operations. */
void demand_threshold(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = cog_flop(in) + 2 * centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, 0, demand);
}

/* One product with a resident weight per pixel. */
void demand_weighted(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = cog_flop(in) + centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, in->element * centroid_pixels(in), demand);
}

/* The brightest pixels of each subaperture: a comparison sort of its p^2 pixels, 2 p^2 log2 p^2,
 * and each pixel moved three times. */
void demand_brightest(const struct workload_input *in, struct demand *demand)
{
    double area = in->side * in->side;

    demand->stream.flop = cog_flop(in) + 2 * centroid_pixels(in) * log2(area);
    demand->stream.read = 3 * in->element * centroid_pixels(in);
    finish_centroid(in, 0, demand);
}

/* Two dot products with resident filters. */
void demand_matched(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 4 * centroid_pixels(in);
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, 2 * in->element * centroid_pixels(in), demand);
}

/* Cross-correlation with a resident reference image at s x s shifts, each a dot product over the
 * p x p pixels, and 20 operations for the parabola through its peak (Thomas et al., MNRAS 371,
 * 323, 2006, compare it with the other centroids). */
void demand_correlation(const struct workload_input *in, struct demand *demand)
{
    double shifts = in->search * in->search;

    demand->stream.flop = 2 * shifts * centroid_pixels(in) + 20 * in->subaps;
    demand->stream.read = in->element * centroid_pixels(in);
    finish_centroid(in, in->element * centroid_pixels(in), demand);
}

/* The same by fast Fourier transforms of side F, the next power of two that holds image and shifts
 * without wrapping: one transform there and one back of 5 F^2 log2 F^2 each, and a complex product
 * (6) per point. Per point 24 bytes: the complex spectrum written and read, the correlation
 * written. The reference image is resident, and its spectrum once for all subapertures. */
void demand_correlation_fft(const struct workload_input *in, struct demand *demand)
{
    double side = next_power_of_two(in->side + in->search - 1);
    double area = side * side;
    double points = in->subaps * area;

    demand->stream.flop = 10 * points * log2(area) + 6 * points;
    demand->stream.read = in->element * (centroid_pixels(in) + 2 * points);
    demand->stream.written = in->element * 4 * points;
    finish_centroid(in, in->element * (centroid_pixels(in) + area), demand);
}
