/* What the components of a design compute, move and share, from the formulas of the model once
 * more, one by one. Structure and weights of the packets are taken from an evaluated result. */
#ifndef AOLAG_REFERENCE_WORK_H
#define AOLAG_REFERENCE_WORK_H

#include "model/result.h"
#include "design/scenario.h"

struct reference_work {
    double flop, bytes, working_set; /* per frame */
    double compute, memory;          /* s at the share in force, before the command */
    double time, deferred;
    double share;
};

/* For a node that runs on a device. */
struct reference_work reference_work(const struct scenario *scenario, const struct result *result,
                                     int node);

#endif
