/* Operations on subnormal numbers, and whether the CPU takes them for zero.
 *
 * One chain of additions or multiplications goes from a normal number down to a subnormal one,
 * stays there for a share of its steps and comes back; every step is exact. */
#ifndef AOLAG_PROBE_LOOPS_SUBNORMAL_H
#define AOLAG_PROBE_LOOPS_SUBNORMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/probe.h"

#define SUBNORMAL_STEPS 4 /* of the chain in a repeat */

struct subnormal_data {
    bool flush; /* while the loop runs, subnormal inputs and results are zero */
    double start, operand[SUBNORMAL_STEPS], result;
};

struct subnormal_loop {
    const char *name, *type;
    probe_loop *loop; /* of a struct subnormal_data: add: r + operand, mul: r operand */
};

extern const struct subnormal_loop subnormal_loops[];
extern const int subnormal_loop_count;

/* A share of 0, 25, 50, 75 or 100 % of the steps starts from a subnormal number. */
void subnormal_fill(struct subnormal_data *data, const struct subnormal_loop *loop, double share);

/* NULL where the loops can flush, else why not. */
const char *subnormal_no_flush(void);

#endif
