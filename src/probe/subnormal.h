/* Operations on subnormal numbers, and whether the CPU takes them for zero.
 *
 * Sums and products of an array, element by element: none waits for another, as in the sweeps over
 * pixels and commands where subnormals arise. */
#ifndef AOLAG_SUBNORMAL_H
#define AOLAG_SUBNORMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "probe.h"

#define SUBNORMAL_COUNT 64 /* elements, and operations a repeat */

struct subnormal_data {
    bool flush; /* while the loop runs, subnormal inputs and results are zero */
    double factor;
    union {
        float f32[SUBNORMAL_COUNT];
        double f64[SUBNORMAL_COUNT];
    } in, out;
};

struct subnormal_loop {
    const char *name, *type;
    probe_loop *loop; /* of a struct subnormal_data: add: out = in + in, mul: out = in factor */
};

extern const struct subnormal_loop subnormal_loops[];
extern const int subnormal_loop_count;

/* A share of the inputs is half of the least normal number or less, scattered among numbers of
 * about one. The factor is 1.3, so products of subnormal inputs are subnormal too. */
void subnormal_fill(struct subnormal_data *data, const struct subnormal_loop *loop, double share);

/* NULL where the loops can flush, else why not: "… cannot be told to". */
const char *subnormal_no_flush(void);

#endif
