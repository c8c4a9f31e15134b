/* FLOP and bytes of the components of a design, from the table of the model once more. */
#ifndef AOLAG_REFERENCE_DEMAND_H
#define AOLAG_REFERENCE_DEMAND_H

#include "reference_plan.h"

/* FLOP and bytes of the stream, the tail, what is deferred and a packet's partial result; elements
 * of the working set in a row, 0: all of them; how often resident bytes are read; launches. */
struct reference_parts {
    double flop, read, written, resident;
    double tail_flop, tail_read, tail_written, tail_resident;
    double deferred_flop, deferred_read, deferred_written, deferred_resident;
    double partial;
    double row;
    double chain;                          /* elements that sums take one after the other */
    double rows, tail_rows, deferred_rows; /* of dense products; 0: it is none */
    bool deferred_in_tail;                 /* it is done before the command, with the tail */
    double sweeps, kernels, tail_kernels, deferred_kernels;
};

/* At the precision of the component. For a node that runs on a device. */
struct reference_parts reference_parts(const struct scenario *scenario,
                                       const struct reference_plan *plan, int node);

#endif
