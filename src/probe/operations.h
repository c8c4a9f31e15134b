/* Latency and throughput of operations on scalars and vectors, the clock, the cost of subnormal
 * inputs, and the table made from these points. */
#ifndef AOLAG_PROBE_OPERATIONS_H
#define AOLAG_PROBE_OPERATIONS_H

#include "probe/probe.h"

/* Adds, of each operation and set of registers that the processor has, a point for each number of
 * independent chains (loops/operation_loops.h), "clock" before each set, "add" and "mul" against
 * the share of subnormal inputs, and "overlap". Notes the instruction sets in the conditions. */
enum status probe_operations(struct probe *probe, struct error *error);

/* The out-of-order window ------------------------------------------------------------------------
 * Operations in flight per core. The point "overlap" times independent chains of OVERLAP_DEPTH
 * dependent adds, one after the other: an out-of-order core has 1 + window / depth of them in
 * flight, so that an add takes latency / (1 + window / depth). (An empirical fit: with a window of
 * 100, 3.8, 2.7, 1.8 and 1.3 chains of 32, 64, 128 and 256 were seen in flight, where it
 * gives 4.1, 2.6, 1.8 and 1.4.) */

#define OVERLAP_NAME "overlap"
#define OVERLAP_DEPTH 64

/* A probe_loop: a chain of adds per repeat, on a float. */
void overlap_loop(void *data, uint64_t chains);

/* The window from the seconds an add takes in such chains and in one that never ends; RESULT_NONE
 * where either is. At least 0. */
double operation_window(double seconds, double latency);

/* The table of operations ------------------------------------------------------------------------
 * Latency, throughput and parallelism of each operation, type and register width.
 *
 * An operation is one instruction: on a vector it works on all elements at once and counts as one.
 * One chain of dependent operations shows the latency; the best of several independent chains the
 * throughput, which is given as operations per second and per cycle. Cycles are those of the clock
 * that was measured last before the operation. Figures that were not measured are RESULT_NONE.
 *
 * Pure: the same measurement, the same table. */

#define OPERATION_ROWS_MAX 128 /* what goes beyond is left out */
#define SUBNORMAL_CURVES_MAX 16
#define SUBNORMAL_SHARES 5 /* 0, 25, 50, 75, 100 % of the inputs */

struct operation_row {
    char name[MEASUREMENT_NAME_MAX]; /* "add", "fma-addend", ... */
    char type[MEASUREMENT_TYPE_MAX]; /* "f32", "f64" */
    double bits;                     /* of the register; 32 or 64: scalar */
    int lanes;                       /* elements an operation works on; scalar: 1 */
    double latency;                  /* s, of one operation that waits for the one before */
    double latency_cycles;
    double rate; /* operations per second, of the best number of chains */
    double rate_per_cycle;
    double element_rate; /* elements per second: rate times lanes */
    double parallelism;  /* latency times rate (ILP*): operations in flight at full rate */
    int chains;          /* at which the rate was best; 0: none was measured */
    bool latency_noisy, rate_noisy;      /* of the points they are from */
    char remark[MEASUREMENT_REMARK_MAX]; /* "n/a: REASON" of what is RESULT_NONE, or "" */
};

/* What subnormal inputs cost: s per operation of one chain, scalar. */
struct subnormal_curve {
    char name[MEASUREMENT_NAME_MAX], type[MEASUREMENT_TYPE_MAX];
    double time[2][SUBNORMAL_SHARES]; /* [0]: subnormals are computed, [1]: flushed to zero */
    double penalty[2];                /* the dearest share over none, 1 or above */
};

struct operation_table {
    int rows, curves;
    struct operation_row row[OPERATION_ROWS_MAX]; /* in the order they were measured */
    struct subnormal_curve curve[SUBNORMAL_CURVES_MAX];
    double clock;       /* Hz, of the dependent integer adds; the fastest measured */
    double widest_bits; /* of the registers that were timed */
    /* The widest register whose elements per second of f32 multiply-add (without one: of
     * multiplication) are within 5 % of the highest: what a compiler uses. Where such an operation
     * is done in halves the rate is half the number of units, while a sum in it still waits for
     * half as many additions as one in a narrower register. */
    double best_bits;
    double fma_per_cycle; /* multiply-adds (without one: multiplications) of best_bits per cycle */
    bool fma;             /* the machine multiplies and adds in one operation */
    double add_latency;   /* s, f32 scalar; of vectors where scalars were not measured */
    double fma_latency;   /* s, f32 scalar, through the addend: as sums of products wait */
    double scalar_rate;   /* adds per cycle, f32 scalar */
    double subnormal_penalty[2]; /* the greatest of the curves, [1] flushed to zero */
};

void operation_table_make(const struct measurement *measurement, struct operation_table *table);

/* NULL where there is none. Bits 0: the scalar of the type. */
const struct operation_row *operation_table_find(const struct operation_table *table,
                                                 const char *name, const char *type, double bits);

/* The share of subnormal inputs, 0-1, at an index of a curve. */
double subnormal_share(int index);

#endif
