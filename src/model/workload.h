/* What a component has to compute and to move per frame (FLOP, bytes, working set), by algorithm:
 * the counts of formulas.def. */
#ifndef AOLAG_MODEL_WORKLOAD_H
#define AOLAG_MODEL_WORKLOAD_H

#include <stdbool.h>

#include "design/algorithm.h"
#include "design/scenario.h"
#include "model/formulas.h"

/* Sizes an algorithm sees. All counts are totals over the `count` identical sensors. */
struct workload_input {
    struct workload_wfs wfs;
    struct workload_ao ao;
    struct workload_knob knob;
    double pixels;                           /* of the detector(s) */
    double subaps;                           /* valid subapertures or pupil pixels */
    double rows, columns;                    /* of the reconstruction matrix */
    double element_bytes;                    /* of one number */
    double flops_per_pixel;                  /* of a centroid's sums */
    double search;                           /* shifts a correlation tries, along one side */
    double tile, rank;                       /* of a tile low-rank matrix */
    double density;                          /* of a sparse matrix */
    double iterations, unknowns;             /* conjugate gradient */
    double grid;                             /* points of a Fourier reconstructor */
    double states;                           /* of an LQG controller */
    double flops, bytes_read, bytes_written; /* custom */
    bool reference_slopes;                   /* a centroid keeps them */
};

/* FLOP and bytes of one part of the work. */
struct work {
    double flop;
    double read;     /* bytes that pass once: pixels, slopes */
    double written;  /* bytes that leave: slopes, commands */
    double resident; /* bytes of the working set, each read once per frame */
};

/* A component's work per frame. Stream work arrives with the packets, tail work runs once after
 * the last packet, deferred work once the command is out. */
struct demand {
    struct work stream, tail, deferred;
    double again;       /* bytes of the stream read where the frame has just written them */
    double accumulator; /* bytes: the partial result, read and written again by each packet */
    double output;      /* bytes its successor needs */
    double sweeps;      /* how often a frame reads the resident bytes; 1 */
    double block;       /* elements of the working set read in a row; 0: as many as there are */
    double kernels, tail_kernels, deferred_kernels; /* launches; 1, 0, 0 */
};

static inline double work_bytes(const struct work *work)
{
    return work->read + work->written + work->resident;
}

extern const struct demand demand_none; /* no work; one sweep, one kernel */

/* What a component with these sizes has to do per frame. */
void workload_demand(const struct algorithm *algorithm, const struct workload_input *input,
                     struct demand *demand);

/* The fraction of peak FLOP/s a device reaches where the component states none.
 *
 * For the sums of a centroid on a CPU it is a rate that does not change from one core to the next.
 * Compiled from plain C each subaperture's sums are a chain, every add waits for the one before it,
 * and neither wider SIMD units nor a narrower precision make the chain shorter. Measured on cores
 * of 32 FLOP a cycle (two 256-bit FMA pipes, fp32), 0.05 is 1.6 FLOP a cycle; a core of another
 * width, or at another precision, does the same 1.6 (never more than all it can):
 *
 *     efficiency = min(1, 0.05 x 32 / FLOP per cycle and core)
 *
 * 1024 subapertures of 8 x 8 pixels (326 656 FLOP) on one core take 36-47 us at 5.7-4.3 GHz, where
 * 0.05 of a 512-bit core's peak would say 18-24 us and 47-61 us are measured. The running sums of
 * CuReD are such chains, too. Loops over pixels that do not depend on one another (calibration,
 * pyramid) vectorise and keep their fraction.
 *
 * On a device that knows its operations (it states an add latency, as a measured one does) those
 * loops take all of the peak: a few FLOP an element in full registers, they wait for the loads and
 * stores, whose rate is the measured bandwidth of the level that serves them. That fraction stood
 * for just this where no bandwidth was measured. (Calibration of 57 600 pixels, all in L2, on one
 * core of 3.69 GHz: 7.5 us measured, 7.4 from bytes, 8.1 from FLOP at 0.12 of peak; in L1 twice as
 * fast as from FLOP.) */
double algorithm_efficiency(const struct algorithm *row, const struct device *device,
                            enum precision precision);

/* Items and depth of an algorithm's sums, 0 without a chain. */
double chain_items(enum chain chain, const struct workload_input *in);
double chain_depth(enum chain chain, const struct workload_input *in, const struct device *device);

/* B of the vector that every item reads again; 0: none does.
 *
 * Each row of a matrix meets the whole vector, so a core that makes row after row fetches as many
 * elements of the vector as of the matrix: from its innermost cache while the vector and the row
 * that passes fit there together, which costs no transfer but the loads, else from the next level,
 * in between the lines of the matrix. (A matrix of 200 MB in memory, one core with 34 KiB of L1: 33
 * GB/s with rows of 4 KiB, 27 of 16 KiB, 21 of 37 and 93 KiB, with one accumulator or four.)
 * `chains` rows at once share what they fetch. From the innermost cache, too, it is loaded beside
 * the row, and what comes from further out comes through the same cache and by the same loads: a
 * core that knows its operand_bandwidth takes that much longer (the part of execution that does not
 * overlap with transfers: Stengel, Treibig, Hager, Wellein, ICS 2015, "Quantifying performance
 * bottlenecks of stencil computations using the execution-cache-memory model"). Read alone from L2
 * a core of 115 GB/s got 82 of rows times a vector of 4 KiB, one of 100 from L3 81. Counted as
 * time, not as bytes moved, and only on a device that knows its operations: what vendors' devices
 * reach of their bandwidth is that of tuned code, which keeps the vector in registers over several
 * rows. */
double chain_vector(enum chain chain, const struct workload_input *in);

#endif
