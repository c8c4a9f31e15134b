/* Latency and throughput of scalar and vector operations, the clock, the cost of subnormal inputs,
 * and the table derived from these points. */
#ifndef AOLAG_PROBE_OPERATIONS_H
#define AOLAG_PROBE_OPERATIONS_H

#include "probe/probe.h"

/* Adds a point for each operation, register set of the processor and number of independent chains
 * (loops/operation_loops.h), "clock" before each set, scalars by fraction of subnormal inputs,
 * "overlap", and, with a size, scalars and the widest registers with operands in that much memory.
 * Records the instruction sets in the conditions. */
enum status probe_operations(struct probe *probe, struct error *error);
double probe_operations_seconds(const struct probe *probe); /* see parts.h */

/* The out-of-order window ---------------------------------------------------------------------- */

/* Operations in flight per core. The point "overlap" times successive independent chains of
 * OVERLAP_DEPTH dependent adds: an out-of-order core has 1 + window / depth of them in flight, so
 * that an add takes latency / (1 + window / depth). (Empirical fit: for a window of 100 it gives
 * 4.1, 2.6, 1.8 and 1.4 chains of 32, 64, 128 and 256 in flight; 3.8, 2.7, 1.8 and 1.3 were
 * observed.) */

#define OVERLAP_NAME "overlap"
#define OVERLAP_DEPTH 64

/* Runs one chain of adds per repeat on a float; a probe_loop. */
void overlap_loop(void *data, uint64_t chains);

/* Returns the window, at least 0, from the time per add in such chains and in one endless chain, s;
 * RESULT_NONE if either is. */
double operation_window(double seconds, double latency);

/* The issue width ------------------------------------------------------------------------------ */

/* Instructions begun per cycle if none waits: the point "issue" times, per instruction, a mix of
 * two integer additions to a load, in chains short enough not to matter. A core has fewer units for
 * one kind of instruction than it can begin. */
#define ISSUE_NAME "issue"

/* The table of operations ---------------------------------------------------------------------- */

/* Latency, throughput and parallelism of each operation, type and register width.
 *
 * An operation is one instruction, even on a vector. One chain of dependent operations gives the
 * latency; the best number of independent chains gives the throughput, as operations per second and
 * per cycle. Cycles are those of the last clock measured before the operation. Figures that were
 * not measured are RESULT_NONE.
 *
 * The table depends only on the measurement. */

#define OPERATION_ROWS_MAX 128 /* further ones are ignored */
#define SUBNORMAL_CURVES_MAX 16
#define SUBNORMAL_SHARES 5 /* 0, 25, 50, 75, 100 % of the inputs */

struct operation_row {
    char name[MEASUREMENT_NAME_MAX]; /* "add", "fma-addend", ... */
    char type[MEASUREMENT_TYPE_MAX]; /* "f32", "f64" */
    double bits;                     /* register width; 32 or 64: scalar */
    int lanes;                       /* elements per operation; scalar: 1 */
    double latency;                  /* s, one dependent operation */
    double latency_cycles;
    double rate; /* operations per second with the best number of chains */
    double rate_per_cycle;
    double element_rate; /* elements per second: rate times lanes */
    double parallelism;  /* latency times rate (ILP*): operations in flight at full rate */
    int chains;          /* number with the best rate; 0: not measured */
    bool latency_noisy, rate_noisy;      /* of the underlying points */
    char remark[MEASUREMENT_REMARK_MAX]; /* "n/a: REASON" for a value of RESULT_NONE, or "" */
};

/* Cost of subnormal inputs: s per operation of one scalar chain (square roots: of independent
 * ones). */
struct subnormal_curve {
    char name[MEASUREMENT_NAME_MAX], type[MEASUREMENT_TYPE_MAX];
    double time[2][SUBNORMAL_SHARES]; /* [0]: subnormals computed, [1]: flushed to zero */
    double penalty[2];                /* slowest time relative to no subnormals, at least 1 */
};

struct operation_table {
    int rows, curves;
    struct operation_row row[OPERATION_ROWS_MAX]; /* in order of measurement */
    struct subnormal_curve curve[SUBNORMAL_CURVES_MAX];
    double clock;       /* Hz, from dependent integer adds; the fastest measured */
    double widest_bits; /* widest measured registers */
    /* The widest register with an f32 multiply-add rate (without fma: multiplication) per element
     * within 5 % of the highest: what a compiler uses. If operations on wide registers are split,
     * the rate is half the number of units, but a sum in them still has half as many dependent
     * additions as in narrower registers. */
    double best_bits;
    double fma_per_cycle; /* multiply-adds (without fma: multiplications) of best_bits per cycle */
    bool fma;             /* fused multiply-add is available */
    double add_latency;   /* s, f32 scalar; vector if scalars were not measured */
    double fma_latency;   /* s, f32 scalar, from the addend, as in sums of products */
    double scalar_rate;   /* adds per cycle, f32 scalar */
    double subnormal_penalty[2]; /* maximum over the curves; [1]: flushed to zero */
};

void operation_table_make(const struct measurement *measurement, struct operation_table *table);

/* Finds an operation; bits 0 means scalar. Returns NULL if there is none. */
const struct operation_row *operation_table_find(const struct operation_table *table,
                                                 const char *name, const char *type, double bits);

/* Returns the fraction of subnormal inputs, 0-1, at an index of a curve. */
double subnormal_share(int index);

#endif
