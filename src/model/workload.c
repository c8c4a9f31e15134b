#include "model/workload.h"

#include <math.h>
#include <stddef.h>

#include "model/device.h"

const struct operation operations[OPERATION_COUNT] = {
    [OPERATION_REFERENCE] = {"reference", 2, 8}, [OPERATION_ERROR] = {"error", 8, 8},
    [OPERATION_OFFSET] = {"offset", 1, 8},       [OPERATION_INTEGRATE] = {"integrate", 2, 8},
    [OPERATION_SATURATE] = {"saturate", 2, 8},   [OPERATION_POWER] = {"power", 2, 8},
};

const struct demand demand_none = {.sweeps = 1, .kernels = 1};

static void demand_custom(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = in->flops;
    demand->stream.read = in->bytes_read;
    demand->stream.written = in->bytes_written;
    demand->stream.resident = in->working_set;
    demand->output = in->bytes_written;
}

/* Its time is that of its trace (program.h), which no sizes enter. */
static void demand_program(const struct workload_input *in, struct demand *demand)
{
    (void)in;
    demand->output = 0;
}

/* Of each algorithm the function that fills in what differs from demand_none. */
static void (*const demands[ALGORITHM_COUNT])(const struct workload_input *input,
                                              struct demand *demand) = {
    [ALGORITHM_DARK_FLAT] = demand_dark_flat,
    [ALGORITHM_DESCRAMBLE] = demand_descramble,
    [ALGORITHM_COG] = demand_cog,
    [ALGORITHM_SIMPLE] = demand_simple,
    [ALGORITHM_THRESHOLD] = demand_threshold,
    [ALGORITHM_WEIGHTED] = demand_weighted,
    [ALGORITHM_BRIGHTEST] = demand_brightest,
    [ALGORITHM_MATCHED] = demand_matched,
    [ALGORITHM_CORRELATION] = demand_correlation,
    [ALGORITHM_CORRELATION_FFT] = demand_correlation_fft,
    [ALGORITHM_PYRAMID_SLOPES] = demand_pyramid_slopes,
    [ALGORITHM_PYRAMID_INTENSITY] = demand_pyramid_intensity,
    [ALGORITHM_MVM] = demand_mvm,
    [ALGORITHM_MODAL] = demand_modal,
    [ALGORITHM_TLR] = demand_tlr,
    [ALGORITHM_SPARSE] = demand_sparse,
    [ALGORITHM_FOURIER] = demand_fourier,
    [ALGORITHM_CURED] = demand_cured,
    [ALGORITHM_CG] = demand_cg,
    [ALGORITHM_INTEGRATOR] = demand_integrator,
    [ALGORITHM_PID] = demand_pid,
    [ALGORITHM_POLC] = demand_polc,
    [ALGORITHM_POLC_EXPLICIT] = demand_polc_explicit,
    [ALGORITHM_LQG] = demand_lqg,
    [ALGORITHM_PROGRAM] = demand_program,
    [ALGORITHM_CUSTOM] = demand_custom,
};

void workload_demand(const struct algorithm *algorithm, const struct workload_input *input,
                     struct demand *demand)
{
    *demand = demand_none;
    demands[algorithm - algorithms](input, demand);
}

double algorithm_efficiency(const struct algorithm *row, const struct device *device,
                            enum precision precision)
{
    double per_cycle;

    if (device->kind == DEVICE_GPU)
        return row->gpu_efficiency;
    if (device_knows_operations(device) && algorithm_elementwise(row))
        return 1;
    if (row->measured == 0)
        return row->cpu_efficiency;
    per_cycle = device_peak(device, precision) / (device->sockets * device->cores * device->clock);
    return fmin(1, row->cpu_efficiency * row->measured / per_cycle);
}

double chain_items(enum chain chain, const struct workload_input *in)
{
    return chain == CHAIN_PIXELS ? in->subaps : chain == CHAIN_ROWS ? in->rows : 0;
}

double chain_depth(enum chain chain, const struct workload_input *in, double lanes)
{
    return chain == CHAIN_PIXELS ? in->side * in->side
           : chain == CHAIN_ROWS ? in->columns / lanes
                                 : 0;
}

double chain_operand(enum chain chain, const struct workload_input *in)
{
    return chain == CHAIN_ROWS ? in->columns * in->element : 0;
}

bool chain_scalar(enum chain chain)
{
    return chain == CHAIN_PIXELS;
}

double chain_overlap(enum chain chain, double depth, double window)
{
    return chain == CHAIN_ROWS ? 1 + window / depth : 1;
}

/* Workload pixels ------------------------------------------------------------------------------ */

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

/* Workload centroid ---------------------------------------------------------------------------- */

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

/* Workload reconstruction ---------------------------------------------------------------------- */

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

void demand_mvm(const struct workload_input *in, struct demand *demand)
{
    columns_times(in, demand);
    demand->output = in->element * in->rows;
}

/* Slopes to modes as they arrive, modes to actuators at the end. */
void demand_modal(const struct workload_input *in, struct demand *demand)
{
    columns_times(in, demand);
    demand->tail.flop = 2 * in->rows * in->actuators;
    demand->tail.read = in->element * in->rows;
    demand->tail.written = in->element * in->actuators;
    demand->tail.resident = in->element * in->rows * in->actuators;
    demand->tail_kernels = 1;
    demand->output = in->element * in->actuators;
}

/* Tile low-rank matrix (Ltaief et al., SC21, "Meeting the real-time challenges of ground-based
 * telescopes using low-rank matrix computations"): every t x t tile is a product of two t x k
 * factors. The right ones take the slopes as they arrive; the left ones need the complete
 * coefficients of their row of tiles, so they follow the last packet. */
void demand_tlr(const struct workload_input *in, struct demand *demand)
{
    double tiles = ceil(in->rows / in->tile) * ceil(in->columns / in->tile);
    double factor = tiles * in->tile * in->rank; /* elements of all right, or all left, factors */

    demand->stream.flop = 2 * factor;
    demand->stream.read = in->element * in->columns;
    demand->stream.resident = in->element * factor;
    demand->tail.flop = 2 * factor;
    demand->tail.written = in->element * in->rows;
    demand->tail.resident = in->element * factor;
    demand->block = in->tile;
    demand->output = in->element * in->rows;
}

/* Compressed sparse rows (Ellerbroek, JOSA A 19, 1803, 2002, for sparsity in reconstruction): a
 * multiply and an add for each element that is not zero, stored with a column index of four bytes
 * whatever the precision. */
void demand_sparse(const struct workload_input *in, struct demand *demand)
{
    double elements = in->density * in->rows * in->columns;

    demand->stream.flop = 2 * elements;
    demand->stream.read = in->element * in->columns;
    demand->stream.written = in->element * in->rows;
    demand->stream.resident = (in->element + 4) * elements;
    demand->output = in->element * in->rows;
}

/* Fourier transform reconstructor (Poyneer, Gavel, Brase, JOSA A 19, 2100, 2002) on G points: x
 * and y slopes transformed, the phase transformed back, 5 G log2 G each, and a filter of 8
 * operations a point. Complex grids: two read, one written, the filter resident. */
void demand_fourier(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 15 * in->grid * log2(in->grid) + 8 * in->grid;
    demand->stream.read = 4 * in->element * in->grid;
    demand->stream.written = 2 * in->element * in->grid;
    demand->stream.resident = 2 * in->element * in->grid;
    demand->output = in->element * in->actuators;
}

/* Cumulative reconstructor with domain decomposition (Rosensteiner, JOSA A 29, 2328, 2012): 20
 * operations a subaperture for the chains in x and y, their means and the joints of the domains;
 * ten elements a subaperture pass, six read and four written, and two stay. */
void demand_cured(const struct workload_input *in, struct demand *demand)
{
    double subaps = in->columns / 2;

    demand->stream.flop = 20 * subaps;
    demand->stream.read = 6 * in->element * subaps;
    demand->stream.written = 4 * in->element * subaps;
    demand->stream.resident = 2 * in->element * subaps;
    demand->output = in->element * in->actuators;
}

/* Conjugate gradient on the tomographic normal equations: 204 FLOP and 633 bytes (fp32) a phase
 * point and iteration, six kernels an iteration, as measured for NFIRAOS: 62 311 unknowns and 30
 * iterations make 382 MFLOP and 1184 MB (Wang and Ellerbroek, Proc. SPIE 8447, 844723, 2012). */
void demand_cg(const struct workload_input *in, struct demand *demand)
{
    demand->stream.flop = 204 * in->unknowns * in->iterations;
    demand->stream.resident = 633 * in->unknowns * in->element / SINGLE;
    demand->sweeps = in->iterations;
    demand->kernels = 6 * in->iterations;
    demand->output = in->element * in->actuators;
}

/* Workload control ----------------------------------------------------------------------------- */

/* Leaky integrator with offsets, clipping and a power (inter-actuator stroke) limit. */
void demand_integrator(const struct workload_input *in, struct demand *demand)
{
    double scale = in->element / SINGLE;

    for (int id = OPERATION_OFFSET; id <= OPERATION_POWER; id++) {
        demand->stream.flop += operations[id].flop * in->actuators;
        demand->stream.read += operations[id].bytes / 2 * scale * in->actuators;
        demand->stream.written += operations[id].bytes / 2 * scale * in->actuators;
        if (id > OPERATION_OFFSET) /* what the operation before has made */
            demand->again += operations[id].bytes / 2 * scale * in->actuators;
    }
    demand->output = in->element * in->actuators;
}

/* The integrator, and two operations each for the proportional and the derivative term; the error
 * before is read and the new one kept. */
void demand_pid(const struct workload_input *in, struct demand *demand)
{
    demand_integrator(in, demand);
    demand->stream.flop += 4 * in->actuators;
    demand->stream.read += in->element * in->actuators;
    demand->stream.written += in->element * in->actuators;
}

/* What the commands do to the next measurement is a product with a matrix of `rows` x M that only
 * the next frame needs, so it waits until the command is out. */
static void pseudo_open_loop(const struct workload_input *in, double rows, struct demand *demand)
{
    demand_integrator(in, demand);
    demand->deferred.flop = 2 * rows * in->actuators;
    demand->deferred.resident = in->element * rows * in->actuators;
    demand->block = in->actuators;
    demand->kernels = 2; /* add what the mirrors did, integrate */
    demand->deferred_kernels = 1;
}

/* Pseudo open loop control (Ellerbroek and Vogel, Proc. SPIE 5169, 206, 2003; Gilles, Appl. Opt.
 * 44, 993, 2005): the mirrors' own part is added before the integrator. With the reconstruction of
 * the mirrors' slopes folded into one matrix this is M x M. */
void demand_polc(const struct workload_input *in, struct demand *demand)
{
    pseudo_open_loop(in, in->actuators, demand);
}

/* The same in measurement space: the slopes the mirrors cause, by the S x M interaction matrix. */
void demand_polc_explicit(const struct workload_input *in, struct demand *demand)
{
    pseudo_open_loop(in, in->columns, demand);
}

/* Linear quadratic Gaussian control with a Kalman filter of n_x states (Le Roux et al., JOSA A 21,
 * 1261, 2004; Kulcsar et al., Opt. Express 14, 7464, 2006). Slopes update the state as they arrive:
 * the innovation and the gain, n_x x S each. The state is projected onto the actuators once it is
 * complete, and predicted (n_x x n_x) when the command is out. */
void demand_lqg(const struct workload_input *in, struct demand *demand)
{
    double gain = in->states * in->columns;
    double projection = in->actuators * in->states;
    double prediction = in->states * in->states;

    demand->stream.flop = 2 * 2 * gain;
    demand->stream.read = in->element * in->columns;
    demand->stream.written = in->element * in->states;
    demand->stream.resident = in->element * 2 * gain;
    demand->tail.flop = 2 * projection;
    demand->tail.read = in->element * in->states;
    demand->tail.written = in->element * in->actuators;
    demand->tail.resident = in->element * projection;
    demand->deferred.flop = 2 * prediction;
    demand->deferred.read = in->element * in->states;
    demand->deferred.written = in->element * in->states;
    demand->deferred.resident = in->element * prediction;
    demand->block = in->columns;
    demand->tail_kernels = 1;
    demand->output = in->element * in->actuators;
}
