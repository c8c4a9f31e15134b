#include "workload.h"

#include <math.h>
#include <stddef.h>

#include "device.h"
#include "workload_demands.h"

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

/* FLOP a cycle, fp32, of the core whose measurements are the efficiencies of chains of sums: two
 * 256-bit FMA pipes. */
#define MEASURED 32

/* Default efficiencies: plain C on one core reaches 0.046-0.058 of FMA peak in a centre of
 * gravity, 0.069 thresholded, 0.13 in calibration, 0.004 sorting; dense MVM half of peak. The two
 * products of a tile low-rank matrix are such MVMs, of small matrices; the chains of CuReD are
 * running sums, each of which waits for the one before it as those of a centroid do. TLR on GPUs
 * reaches 0.65 of the bandwidth a dense matrix does: its factors are short blocks. */
/* clang-format off */
const struct algorithm algorithms[] = {
    {COMPONENT_CALIBRATION, "dark-flat", "dark subtraction and flat field of every pixel",
     demand_dark_flat, 0.12, 0.3, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_NONE, 0, 1,
     DIVISION_NONE},
    {COMPONENT_DESCRAMBLE, "", "pixels into the order of the subapertures",
     demand_descramble, 0.12, 0.3, ACCESS_RANDOM, BARRIER_PACKET, 0, CHAIN_NONE, 0, 1,
     DIVISION_NONE},
    {COMPONENT_CENTROID, "cog", "centre of gravity",
     demand_cog, 0.05, 0.25, ACCESS_SEQUENTIAL, BARRIER_PACKET, MEASURED, CHAIN_PIXELS, 2, 1,
     DIVISION_NONE},
    {COMPONENT_CENTROID, "simple", "centre of gravity by the textbook count",
     demand_simple, 0.05, 0.25, ACCESS_SEQUENTIAL, BARRIER_PACKET, MEASURED, CHAIN_PIXELS, 2,
     1, DIVISION_NONE},
    {COMPONENT_CENTROID, "threshold", "thresholded centre of gravity",
     demand_threshold, 0.05, 0.25, ACCESS_SEQUENTIAL, BARRIER_PACKET, MEASURED, CHAIN_PIXELS,
     2, 1, DIVISION_NONE},
    {COMPONENT_CENTROID, "weighted", "centre of gravity weighted by a reference pattern",
     demand_weighted, 0.05, 0.25, ACCESS_SEQUENTIAL, BARRIER_PACKET, MEASURED, CHAIN_PIXELS, 2,
     1, DIVISION_NONE},
    {COMPONENT_CENTROID, "brightest", "centre of gravity of the brightest pixels (a sort)",
     demand_brightest, 0.005, 0.1, ACCESS_SEQUENTIAL, BARRIER_PACKET, MEASURED, CHAIN_NONE, 2,
     1, DIVISION_NONE},
    {COMPONENT_CENTROID, "matched", "matched filter",
     demand_matched, 0.05, 0.25, ACCESS_SEQUENTIAL, BARRIER_PACKET, MEASURED, CHAIN_NONE, 2, 1,
     DIVISION_NONE},
    {COMPONENT_CENTROID, "correlation", "correlation with a reference image, shift by shift",
     demand_correlation, 0.1, 0.4, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_NONE, 2, 1,
     DIVISION_NONE},
    {COMPONENT_CENTROID, "correlation-fft", "correlation with a reference image by Fourier transforms",
     demand_correlation_fft, 0.1, 0.2, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_NONE, 2, 1,
     DIVISION_NONE},
    {COMPONENT_PYRAMID, "slopes", "two slopes per pupil pixel",
     demand_pyramid_slopes, 0.12, 0.3, ACCESS_SEQUENTIAL, BARRIER_FRAME, 0, CHAIN_NONE, 2, 1,
     DIVISION_NONE},
    {COMPONENT_PYRAMID, "intensity", "the four normalised intensities per pupil pixel",
     demand_pyramid_intensity, 0.12, 0.3, ACCESS_SEQUENTIAL, BARRIER_FRAME, 0, CHAIN_NONE, 4,
     1, DIVISION_NONE},
    {COMPONENT_RECONSTRUCTION, "mvm", "dense matrix-vector multiplication",
     demand_mvm, 0.5, 0.5, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_ROWS, 0, 1, DIVISION_MATRIX},
    {COMPONENT_RECONSTRUCTION, "modal", "slopes to modes, then modes to actuators",
     demand_modal, 0.5, 0.5, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_NONE, 0, 1,
     DIVISION_MODES},
    {COMPONENT_RECONSTRUCTION, "tlr", "tile low-rank matrix-vector multiplication",
     demand_tlr, 0.5, 0.5, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_NONE, 0, 0.65,
     DIVISION_MATRIX},
    {COMPONENT_RECONSTRUCTION, "sparse", "sparse matrix-vector multiplication",
     demand_sparse, 0.1, 0.1, ACCESS_STRIDED, BARRIER_PACKET, 0, CHAIN_NONE, 0, 1, DIVISION_MATRIX},
    {COMPONENT_RECONSTRUCTION, "fourier", "Fourier transform reconstructor",
     demand_fourier, 0.1, 0.2, ACCESS_STRIDED, BARRIER_PACKET, 0, CHAIN_NONE, 0, 1, DIVISION_NONE},
    {COMPONENT_RECONSTRUCTION, "cured", "cumulative reconstructor with domain decomposition (CuReD)",
     demand_cured, 0.05, 0.2, ACCESS_SEQUENTIAL, BARRIER_PACKET, MEASURED, CHAIN_NONE, 0, 1,
     DIVISION_NONE},
    {COMPONENT_RECONSTRUCTION, "cg", "conjugate gradient on the normal equations of the tomography",
     demand_cg, 0.1, 0.1, ACCESS_STRIDED, BARRIER_FRAME, 0, CHAIN_NONE, 0, 1, DIVISION_NONE},
    {COMPONENT_CONTROL, "integrator", "leaky integrator with offsets, clipping and power limit",
     demand_integrator, 0.2, 0.2, ACCESS_SEQUENTIAL, BARRIER_FRAME, 0, CHAIN_NONE, 0, 1,
     DIVISION_NONE},
    {COMPONENT_CONTROL, "pid", "proportional, integral and derivative control",
     demand_pid, 0.2, 0.2, ACCESS_SEQUENTIAL, BARRIER_FRAME, 0, CHAIN_NONE, 0, 1, DIVISION_NONE},
    {COMPONENT_CONTROL, "polc", "pseudo open loop control, one matrix over the actuators",
     demand_polc, 0.2, 0.2, ACCESS_SEQUENTIAL, BARRIER_FRAME, 0, CHAIN_NONE, 0, 1, DIVISION_NONE},
    {COMPONENT_CONTROL, "polc-explicit", "pseudo open loop control by the interaction matrix",
     demand_polc_explicit, 0.2, 0.2, ACCESS_SEQUENTIAL, BARRIER_FRAME, 0, CHAIN_NONE, 0, 1,
     DIVISION_NONE},
    {COMPONENT_CONTROL, "lqg", "linear quadratic Gaussian control (Kalman filter)",
     demand_lqg, 0.2, 0.2, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_NONE, 0, 1, DIVISION_NONE},
    {COMPONENT_PROGRAM, "", "work stated by the trace of a parallel program",
     demand_program, 1, 1, ACCESS_SEQUENTIAL, BARRIER_FRAME, 0, CHAIN_NONE, 0, 1, DIVISION_NONE},
    {COMPONENT_CUSTOM, "", "work stated by its FLOP and bytes",
     demand_custom, 0.5, 0.5, ACCESS_SEQUENTIAL, BARRIER_PACKET, 0, CHAIN_NONE, 0, 1,
     DIVISION_NONE},
};
/* clang-format on */

const int algorithm_count = (int)(sizeof algorithms / sizeof algorithms[0]);

int algorithm_first(enum component_type type)
{
    int i = 0;

    while (i < algorithm_count && algorithms[i].type < type)
        i++;
    return i < algorithm_count && algorithms[i].type == type ? i : -1;
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

bool algorithm_elementwise(const struct algorithm *row)
{
    return row->type == COMPONENT_CALIBRATION || row->type == COMPONENT_PYRAMID ||
           row->type == COMPONENT_CONTROL;
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

enum barrier algorithm_barrier(const struct component *c)
{
    int row = c->algorithm == REFERENCE_AUTO ? algorithm_first((enum component_type)c->type)
                                             : c->algorithm;

    if (row < 0 || (c->type == COMPONENT_PYRAMID && c->normalisation == NORMALISATION_LOCAL))
        return BARRIER_PACKET;
    return algorithms[row].barrier;
}
