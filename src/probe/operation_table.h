/* The table of operations that a measurement makes: of each operation, type and width its latency,
 * its throughput and how much of it can be under way at once.
 *
 * An operation is one instruction: on a vector it works on all elements at once and counts as one.
 * One chain of dependent operations shows the latency; the best of several independent chains the
 * throughput, which is given as operations per second and per cycle. Cycles are those of the clock
 * that was measured last before the operation. Figures that were not measured are RESULT_NONE.
 *
 * Pure: the same measurement, the same table. */
#ifndef AOLAG_PROBE_OPERATION_TABLE_H
#define AOLAG_PROBE_OPERATION_TABLE_H

#include <stdbool.h>

#include "probe/measurement.h"

#define OPERATION_ROWS_MAX 128 /* what goes beyond is left out */
#define SUBNORMAL_CURVES_MAX 16
#define SUBNORMAL_SHARES 5 /* 0, 25, 50, 75, 100 % of the inputs */

struct operation_row {
    char name[MEASUREMENT_NAME_MAX]; /* "add", "fma-addend", … */
    char type[MEASUREMENT_TYPE_MAX]; /* "f32", "f64" */
    double bits;                     /* of the register; 32 or 64: scalar */
    int lanes;                       /* elements an operation works on; scalar: 1 */
    double latency;                  /* s, of one operation that waits for the one before */
    double latency_cycles;
    double rate; /* operations per second, of the best number of chains */
    double rate_per_cycle;
    double element_rate; /* elements per second: rate times lanes */
    double parallelism;  /* latency times rate (ILP*): operations under way at full rate */
    int chains;          /* at which the rate was best; 0: none was measured */
    bool latency_noisy, rate_noisy;      /* of the points they are from */
    char remark[MEASUREMENT_REMARK_MAX]; /* "n/a: REASON" of what is RESULT_NONE, or "" */
};

/* What inputs cost that are subnormal: s per operation of one chain, scalar. */
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
     * multiplication) are within 5 % of the highest: what a compiler takes. Where it is worked off
     * in halves the rate is half the number of units, while a sum in it still waits for half as
     * many additions as one in a narrower register. */
    double best_bits;
    double fma_per_cycle; /* multiply-adds (without one: multiplications) of best_bits per cycle */
    bool fma;             /* the machine multiplies and adds in one operation */
    double add_latency;   /* s, f32 scalar; of vectors where scalars were not measured */
    double fma_latency;   /* s, f32 scalar, through the addend: as sums of products wait */
    double scalar_rate;   /* adds per cycle, f32 scalar */
    double subnormal_penalty[2]; /* the greatest of the curves, [1] flushed to zero */
};

void operation_table(const struct measurement *measurement, struct operation_table *table);

/* NULL where there is none. Bits 0: the scalar of the type. */
const struct operation_row *operation_table_find(const struct operation_table *table,
                                                 const char *name, const char *type, double bits);

/* The share of subnormal inputs, 0-1, at an index of a curve. */
double subnormal_share(int index);

#endif
