#include "workload_demands.h"

/* Dark subtraction and flat division of every pixel: two operations, the raw pixel read at its bit
 * depth, the calibrated one written, two maps resident. */
void demand_dark_flat(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 2 * in->pixels;
    demand->stream.read = in->pixels * in->pixel_bits / 8;
    demand->stream.written = in->element * in->pixels;
    demand->stream.resident = 2 * in->element * in->pixels;
    demand->output = in->element * in->pixels;
}

/* Pixels put into the order of the subapertures: each read and written at its bit depth, by an
 * index of four bytes. */
void demand_descramble(const struct workload_input *in, struct demand *demand)
{
    demand->stream.read = in->pixels * in->pixel_bits / 8;
    demand->stream.written = in->pixels * in->pixel_bits / 8;
    demand->stream.resident = 4 * in->pixels;
    demand->output = in->pixels * in->pixel_bits / 8;
}

/* Pyramid slopes: sums and differences of the four images, normalised by the mean flux. */
void demand_pyramid_slopes(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 17 * in->subaps + 4;
    demand->stream.read = 4 * in->element * in->subaps;
    demand->stream.written = 5 * in->element * in->subaps;
    demand->output = 2 * in->element * in->subaps;
}

/* The four images themselves, normalised: 3 operations on each of 4n pixels. */
void demand_pyramid_intensity(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 12 * in->subaps + 4;
    demand->stream.read = 4 * in->element * in->subaps;
    demand->stream.written = 4 * in->element * in->subaps;
    demand->output = 4 * in->element * in->subaps;
}
