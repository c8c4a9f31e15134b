/* What a component has to compute and to move per frame (FLOP, bytes, working set), by algorithm.
 *
 * One row and one pure function per algorithm; adding an algorithm is adding both. Operation
 * counts follow the operations' own arithmetic, one FLOP for each add, multiply, compare or
 * divide; the functions in workload_*.c name the source of each. Byte counts are compulsory
 * traffic: every input read once, every output written once, resident data (matrices, maps,
 * reference patterns) read once per frame. */
#ifndef AOLAG_WORKLOAD_H
#define AOLAG_WORKLOAD_H

#include <stdbool.h>

#include "scenario.h"

/* Sizes an algorithm sees. All counts are totals over the `count` identical sensors. */
struct workload_input {
    double pixels;               /* N, of the detector(s) */
    double pixel_bits;           /* b, of a raw pixel */
    double subaps;               /* n, valid subapertures or pupil pixels */
    double side;                 /* p, pixels along one side of a subaperture */
    double actuators;            /* M */
    double rows, columns;        /* R x S, of the reconstruction matrix */
    double element;              /* e, bytes of one element */
    double flops_per_pixel;      /* of a centroid's sums */
    double search;               /* shifts a correlation tries, along one side */
    double tile, rank;           /* of a tile low-rank matrix */
    double density;              /* of a sparse matrix */
    double iterations, unknowns; /* conjugate gradient */
    double grid;                 /* points of a Fourier reconstructor */
    double states;               /* of an LQG controller */
    bool reference_slopes;
    double flops, bytes_read, bytes_written, working_set; /* custom */
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

/* How several devices share a matrix. By columns each makes a part of the sum that every output
 * is; by rows each makes some of the outputs, or, where rows are modes, parts of all again. */
enum division {
    DIVISION_NONE, /* it runs on one device */
    DIVISION_MATRIX,
    DIVISION_MODES
};

/* Sums whose every operation waits for the one before it. Where a device knows how long one
 * operation takes (a measured one does), items x depth of them are a bound of their own, beside
 * FLOP over FLOP/s at full efficiency:
 *
 *     t >= items depth latency / (cores chains)
 *
 * with `chains` independent items interleaved by a core, 1 in plain C. Items that are one operation
 * a step (rows) overlap besides where the core works out of order: behind a row's operations, which
 * wait, it holds the next one's, `window` of them (those that its schedulers and reorder buffer
 * take in: Hennessy and Patterson, Computer Architecture, 3.4-3.6), so 1 + window / depth rows are
 * under way and the bound falls by that factor. Steps of a centroid are several operations each,
 * three of them chains of their own, with loops over rows between: none of two subapertures were
 * seen to overlap, from 16 pixels (3.0 cycles a pixel, the add's latency) on. 1024 subapertures of
 * 8 x 8 at 0.82 ns an add: 53.7 us on one core, 47.5-60 measured.
 *
 * Nor may such sums be taken in another order, so plain C makes them one number at a time, and of
 * scalar instructions a core starts only so many per cycle, whatever the width of its registers:
 *
 *     t >= FLOP / (cores chains clock scalar_rate)
 *
 * of a centroid, where the device knows its rate, that of adds (a superscalar core issues to each
 * of its units once a cycle: Hennessy and Patterson, 3.7-3.8). Items that are interleaved are taken
 * to lie in one register, where an instruction serves them all. With 2 adds a cycle that wait 3
 * cycles, thresholded subapertures of 2 x 2, 4 x 4 and 6 x 6 pixels (7 p^2 + 9 FLOP) take 18.5, 60
 * and 130 cycles, measured 20, 58 and 130, where their chains are 12, 48 and 108; of a centre of
 * gravity only those of 2 x 2 do, from 4 x 4 pixels on its chain is longer. (A core that multiplies
 * in other units than it adds in need not wait for the products: of 16 x 16 pixels, 3.5 cycles each
 * by the formula, 3.2 were measured.) */
enum chain {
    CHAIN_NONE,
    CHAIN_PIXELS, /* adds: a subaperture is an item, its p^2 pixels the depth */
    CHAIN_ROWS    /* multiply-adds: a row of the matrix is an item, its columns over the elements in
                     a SIMD register the depth */
};

struct algorithm {
    enum component_type type;
    const char *name;
    const char *help;
    /* fills in what differs from demand_none */
    void (*demand)(const struct workload_input *input, struct demand *demand);
    double cpu_efficiency, gpu_efficiency; /* default fraction of peak; see algorithm_efficiency */
    enum access access;                    /* default pattern */
    enum barrier barrier;                  /* default; see algorithm_barrier */
    double measured; /* FLOP a cycle of the core cpu_efficiency is a part of; 0: of any core */
    enum chain chain;
    double slopes_per_subap; /* measurements a sensor algorithm makes of one */
    double gpu_memory;       /* factor on the default memory efficiency of a GPU */
    enum division division;  /* of a reconstruction */
};

extern const struct algorithm algorithms[];
extern const int algorithm_count;

/* Rows are in the order of the types: the first of a type, or -1, and how many. */
int algorithm_first(enum component_type type);
int algorithm_type_count(enum component_type type);

/* Types without a choice of algorithm (custom) have one nameless row as well; algorithm_row gives
 * the row of a scenario's component, NULL for cameras, transfers and mirrors. */
const struct algorithm *algorithm_row(const struct scenario *scenario, int component);

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

/* Whether it is loops over elements that do not depend on one another. */
bool algorithm_elementwise(const struct algorithm *row);

/* Items and depth of an algorithm's sums, 0 without a chain; `lanes` elements are in a SIMD
 * register. */
double chain_items(enum chain chain, const struct workload_input *in);
double chain_depth(enum chain chain, const struct workload_input *in, double lanes);

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
double chain_operand(enum chain chain, const struct workload_input *in);

/* Whether its operations are on single numbers, each an instruction. */
bool chain_scalar(enum chain chain);

/* Items that a core has under way for each that it is told to interleave. */
double chain_overlap(enum chain chain, double depth, double window);

/* Whether a component that states no `barrier` waits for the whole frame: control does, but for
 * LQG, whose filter takes slopes as they arrive; a pyramid normalised by the whole frame; and the
 * conjugate gradient, whose every iteration needs the complete right-hand side. */
enum barrier algorithm_barrier(const struct component *c);

/* Operations that algorithms are sums of: FLOP and bytes (fp32) per subaperture for those of a
 * centroid, per actuator for those of the integrator. */
enum operation_id {
    OPERATION_REFERENCE, /* subtract reference slopes */
    OPERATION_ERROR,     /* form the slope error */
    OPERATION_OFFSET,
    OPERATION_INTEGRATE,
    OPERATION_SATURATE,
    OPERATION_POWER,
    OPERATION_COUNT
};

struct operation {
    const char *name;
    double flop;
    double bytes;
};

extern const struct operation operations[OPERATION_COUNT];

/* Bytes of one element: fp64 8, fp32 4, fp16 and bf16 2, int8 1. */
static inline double precision_bytes(enum precision precision)
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

#endif
