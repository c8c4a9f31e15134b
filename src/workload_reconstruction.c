#include <math.h>

#include "workload_demands.h"

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
