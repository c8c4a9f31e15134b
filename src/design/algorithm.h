/* The algorithms of components: names and defaults. model/formulas.def defines their operations and
 * data movement. */
#ifndef AOLAG_DESIGN_ALGORITHM_H
#define AOLAG_DESIGN_ALGORITHM_H

#include <stdbool.h>

#include "design/scenario.h"

/* How devices share a matrix. Divided by columns, each computes a partial sum of every output; by
 * rows, some of the outputs or, if rows are modes, partial sums of all outputs. */
enum division {
    DIVISION_NONE, /* runs on one device */
    DIVISION_MATRIX,
    DIVISION_MODES
};

/* Serially dependent sums. If the latency of one operation is known (for a measured device), the
 * dependency chains are a separate lower bound, besides FLOP over FLOP/s at full efficiency:
 *
 *     t >= items depth latency / (cores chains)
 *
 * with `chains` dependency chains interleaved by a core, 1 in plain C. Items with one operation per
 * step (rows) also overlap if the core executes out of order: besides the dependent operations of a
 * row it holds `window` operations of the next rows (the capacity of schedulers and reorder buffer:
 * Hennessy and Patterson, Computer Architecture, 3.4-3.6), so 1 + window / depth rows are in flight
 * and the bound falls by that factor. Centroids need several operations per step, three of them
 * chains of their own, with loops over rows in between: no overlap of two subapertures was measured
 * from 16 pixels on (3.0 cycles per pixel, the latency of an add). 1024 subapertures of 8 x 8 at
 * 0.82 ns per add: 53.7 us on one core, 47.5-60 measured.
 *
 * Such sums may not be reordered, so plain C computes them with scalar instructions, of which a
 * core issues a limited number per cycle, whatever the width of its registers. For a centroid, if
 * the scalar add rate of the device is known:
 *
 *     t >= FLOP / (cores chains clock scalar_rate)
 *
 * (a superscalar core issues to each of its units once per cycle: Hennessy and Patterson, 3.7-3.8).
 * Interleaved items are assumed to share one register, so that one instruction processes them all.
 * With 2 adds per cycle and a latency of 3 cycles, thresholded subapertures of 2 x 2, 4 x 4 and 6 x
 * 6 pixels (7 p^2 + 9 FLOP) take 18.5, 60 and 130 cycles (measured: 20, 58 and 130), while their
 * chains take 12, 48 and 108; for a centre of gravity this bound applies to 2 x 2 pixels only, from
 * 4 x 4 on its chain is longer. (A core with separate units for multiplications need not wait for
 * the products: for 16 x 16 pixels, 3.5 cycles each by the formula, 3.2 were measured.) */
enum chain {
    CHAIN_NONE,
    CHAIN_PIXELS, /* adds: items are subapertures, the depth is their p^2 pixels */
    CHAIN_ROWS    /* multiply-adds: items are matrix rows, the depth is columns / elements per SIMD
                     register */
};

enum algorithm_id {
#define ALGORITHM(id, ...) ALGORITHM_##id,
#include "design/algorithms.def"
#undef ALGORITHM
    ALGORITHM_COUNT
};

struct algorithm {
    enum component_type type;
    const char *name;
    const char *help;
    double cpu_efficiency, gpu_efficiency; /* default fraction of peak; see device_efficiency */
    enum access access;                    /* default pattern */
    enum barrier barrier;                  /* default, see algorithm_barrier */
    double measured; /* FLOP per cycle of the core that cpu_efficiency refers to; 0: any core */
    enum chain chain;
    double slopes_per_subap; /* measurements per subaperture of a sensor algorithm */
    double gpu_memory;       /* factor on the default memory efficiency of a GPU */
    enum division division;  /* of reconstructions */
};

extern const struct algorithm algorithms[ALGORITHM_COUNT];

/* Rows are in the order of the types. Return the first row of a type, or -1, and their number. */
int algorithm_first(enum component_type type);
int algorithm_type_count(enum component_type type);

/* Return the row of a scenario's component, stated or the first of its type, and its number. Types
 * without a choice of algorithm (custom) have one nameless row; cameras, transfers and mirrors have
 * none: NULL, -1. */
const struct algorithm *algorithm_row(const struct scenario *scenario, int component);
int algorithm_index(const struct component *c);

/* Returns true if the algorithm consists of loops over independent elements. */
bool algorithm_elementwise(const struct algorithm *row);

/* Returns the default of `barrier`. Components that wait for the whole frame: control except LQG,
 * whose filter processes slopes as they arrive; a pyramid normalised by the whole frame; the
 * conjugate gradient, whose iterations need the complete right-hand side. */
enum barrier algorithm_barrier(const struct component *c);

/* Returns the bytes of one element: fp64 8, fp32 4, fp16 and bf16 2, int8 1. */
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
