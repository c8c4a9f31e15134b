/* Causes of latency, and how far each may be off.
 *
 * Each part of the critical path has a cause. Predictions of parts with the same cause on the same
 * model of a device err together; the range of a latency follows from the factors of its causes
 * (range.h). Wire time, propagation and waiting for pixels are certain. */
#ifndef AOLAG_MODEL_CAUSE_H
#define AOLAG_MODEL_CAUSE_H

#include <stdbool.h>

#include "design/scenario.h"
#include "model/memory.h"

enum cause {
    CAUSE_MEMORY, /* memory beyond the caches */
    CAUSE_CACHE,
    CAUSE_COMPUTE,
    CAUSE_DISPATCH, /* launches, boundaries and barriers, hand-overs */
    CAUSE_SOFTWARE,
    CAUSE_FRAMEWORK, /* operators of an interpreter */
    CAUSE_COPY,      /* between host and boards */
    CAUSE_PORT,      /* ingress and egress */
    CAUSE_SLEEP,     /* wake-ups from sleep states */
    CAUSE_UNSTATED,  /* software of a host that nobody states; has no time of its own */
    CAUSE_COUNT,
    CAUSE_NONE = CAUSE_COUNT
};

/* What a part of the latency is computed from: one figure of a device, or several that are
 * multiplied. Each belongs to a cause. */
enum time_figure {
    FIGURE_MEMORY,
    FIGURE_L1,
    FIGURE_L2,
    FIGURE_L3,
    FIGURE_COMPUTE,
    FIGURE_LAUNCH, /* of an FPGA, its stage latency */
    FIGURE_BOUNDARY,
    FIGURE_ENQUEUE,
    FIGURE_HANDOVER, /* of the host */
    FIGURE_SOFTWARE,
    FIGURE_OVERHEAD, /* stated by a component */
    FIGURE_OPERATOR,
    FIGURE_COPY_LATENCY,
    FIGURE_COPY_RATE,
    FIGURE_PEER_LATENCY,
    FIGURE_PEER_RATE,
    FIGURE_INGRESS,
    FIGURE_DATAGRAM,
    FIGURE_EGRESS,
    FIGURE_SLEEP,
    FIGURE_DISPATCH, /* that there are no processes; has no time */
    FIGURE_COUNT,
    FIGURE_NONE = FIGURE_COUNT /* certain */
};

/* Returns the cause of a figure; CAUSE_NONE for FIGURE_NONE. */
enum cause time_figure_cause(enum time_figure figure);

/* Factors by which the times of each cause on each device are multiplied. */
struct cause_factors {
    double of[DEVICE_MAX][CAUSE_COUNT];
    int kind; /* 0, or a number that other factors seldom have: runs with it are alike (repeat.h) */
};

/* Sets all factors to 1. */
void cause_factors_reset(struct cause_factors *factors);

static inline enum cause memory_cause(enum memory_level_id level)
{
    return level == LEVEL_MEMORY ? CAUSE_MEMORY : CAUSE_CACHE;
}

/* Returns "memory", "cache", "compute", ...; "certain" for CAUSE_NONE. */
const char *cause_name(enum cause cause);

/* Returns the uncertainty factor of a cause, one standard deviation; 1 for CAUSE_NONE. It is fitted
 * to measured pipelines where there are enough of them (explore/pipelines.h; `aolag validate
 * --pipelines` prints the fit), else it is the starting value. */
double cause_uncertainty(enum cause cause);
bool cause_is_fitted(enum cause cause);

/* Returns the starting value of the factor, an assumption. */
double cause_start(enum cause cause);

#endif
