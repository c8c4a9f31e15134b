/* The algorithms of components: names and default behaviour. What each computes and moves is in
 * model/formulas.def. */
#ifndef AOLAG_DESIGN_ALGORITHM_H
#define AOLAG_DESIGN_ALGORITHM_H

#include <stdbool.h>

#include "design/scenario.h"

/* How several devices share a matrix. By columns each makes a part of the sum that every output
 * is; by rows each makes some of the outputs, or, where rows are modes, parts of all again. */
enum division {
    DIVISION_NONE, /* it runs on one device */
    DIVISION_MATRIX,
    DIVISION_MODES
};

/* Serially dependent sums. Where the latency of one operation is known (of a measured device),
 * items x depth of them are a bound of their own, beside FLOP over FLOP/s at full efficiency:
 *
 *     t >= items depth latency / (cores chains)
 *
 * with `chains` dependency chains interleaved by a core, 1 in plain C. Items of one operation a
 * step (rows) overlap besides where the core executes out of order: beside a row's dependent
 * operations it holds `window` of the next rows' (what schedulers and reorder buffer take in:
 * Hennessy and Patterson, Computer Architecture, 3.4-3.6), so 1 + window / depth rows are in flight
 * and the bound falls by that factor. Steps of a centroid are several operations each, three of
 * them chains of their own, with loops over rows between: two subapertures were not seen to
 * overlap, from 16 pixels (3.0 cycles a pixel, the add's latency) on. 1024 subapertures of 8 x 8 at
 * 0.82 ns an add: 53.7 us on one core, 47.5-60 measured.
 *
 * Such sums may not be reordered, so plain C does them with scalar instructions, of which a core
 * issues only so many per cycle, whatever the width of its registers:
 *
 *     t >= FLOP / (cores chains clock scalar_rate)
 *
 * of a centroid, where the scalar add rate of the device is known (a superscalar core issues to
 * each of its units once a cycle: Hennessy and Patterson, 3.7-3.8). Interleaved items are taken to
 * lie in one register, where an instruction serves them all. With 2 adds a cycle of 3 cycles
 * latency, thresholded subapertures of 2 x 2, 4 x 4 and 6 x 6 pixels (7 p^2 + 9 FLOP) take 18.5, 60
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
    enum barrier barrier;                  /* default; see algorithm_barrier */
    double measured; /* FLOP a cycle of the core cpu_efficiency is a part of; 0: of any core */
    enum chain chain;
    double slopes_per_subap; /* measurements a sensor algorithm makes of one */
    double gpu_memory;       /* factor on the default memory efficiency of a GPU */
    enum division division;  /* of a reconstruction */
};

extern const struct algorithm algorithms[ALGORITHM_COUNT];

/* Rows are in the order of the types: the first of a type, or -1, and how many. */
int algorithm_first(enum component_type type);
int algorithm_type_count(enum component_type type);

/* The row of a scenario's component, what it states or the first of its type, and its number. Types
 * without a choice of algorithm (custom) have one nameless row as well; cameras, transfers and
 * mirrors have none: NULL, -1. */
const struct algorithm *algorithm_row(const struct scenario *scenario, int component);
int algorithm_index(const struct component *c);

/* Whether it is loops over elements that do not depend on one another. */
bool algorithm_elementwise(const struct algorithm *row);

/* Whether a component that states no `barrier` waits for the whole frame: control does, but for
 * LQG, whose filter takes slopes as they arrive; a pyramid normalised by the whole frame; and the
 * conjugate gradient, whose every iteration needs the complete right-hand side. */
enum barrier algorithm_barrier(const struct component *c);

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
