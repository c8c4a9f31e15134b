#include "model/cause.h"

#include <string.h>

/* `fitted`: printed by `aolag validate --pipelines`; 0: too few measured computers. */
static const struct {
    const char *name;
    double start, fitted;
} causes[CAUSE_COUNT + 1] = {
    [CAUSE_MEMORY] = {.name = "memory", .start = 1.17, .fitted = 1.13},
    [CAUSE_CACHE] = {.name = "cache", .start = 1.4},
    [CAUSE_COMPUTE] = {.name = "compute", .start = 1.4},
    [CAUSE_DISPATCH] = {.name = "dispatch", .start = 1.6, .fitted = 1.82},
    [CAUSE_SOFTWARE] = {.name = "software", .start = 1.7},
    [CAUSE_FRAMEWORK] = {.name = "framework", .start = 1.5},
    [CAUSE_COPY] = {.name = "copies", .start = 1.5},
    [CAUSE_PORT] = {.name = "ports", .start = 1.7},
    [CAUSE_SLEEP] = {.name = "sleep states", .start = 2.0},
    [CAUSE_UNSTATED] = {.name = "software unknown", .start = 2.0, .fitted = 2.31},
    [CAUSE_NONE] = {.name = "certain", .start = 1},
};

static const enum cause figure_causes[FIGURE_COUNT + 1] = {
    [FIGURE_MEMORY] = CAUSE_MEMORY,     [FIGURE_L1] = CAUSE_CACHE,
    [FIGURE_L2] = CAUSE_CACHE,          [FIGURE_L3] = CAUSE_CACHE,
    [FIGURE_COMPUTE] = CAUSE_COMPUTE,   [FIGURE_LAUNCH] = CAUSE_DISPATCH,
    [FIGURE_BOUNDARY] = CAUSE_DISPATCH, [FIGURE_ENQUEUE] = CAUSE_DISPATCH,
    [FIGURE_HANDOVER] = CAUSE_DISPATCH, [FIGURE_SOFTWARE] = CAUSE_SOFTWARE,
    [FIGURE_OVERHEAD] = CAUSE_SOFTWARE, [FIGURE_OPERATOR] = CAUSE_FRAMEWORK,
    [FIGURE_COPY_LATENCY] = CAUSE_COPY, [FIGURE_COPY_RATE] = CAUSE_COPY,
    [FIGURE_PEER_LATENCY] = CAUSE_COPY, [FIGURE_PEER_RATE] = CAUSE_COPY,
    [FIGURE_INGRESS] = CAUSE_PORT,      [FIGURE_DATAGRAM] = CAUSE_PORT,
    [FIGURE_EGRESS] = CAUSE_PORT,       [FIGURE_SLEEP] = CAUSE_SLEEP,
    [FIGURE_DISPATCH] = CAUSE_UNSTATED, [FIGURE_NONE] = CAUSE_NONE,
};

enum cause time_figure_cause(enum time_figure figure)
{
    return figure_causes[figure];
}

const char *cause_name(enum cause cause)
{
    return causes[cause].name;
}

double cause_start(enum cause cause)
{
    return causes[cause].start;
}

bool cause_is_fitted(enum cause cause)
{
    return causes[cause].fitted > 0;
}

double cause_uncertainty(enum cause cause)
{
    return cause_is_fitted(cause) ? causes[cause].fitted : causes[cause].start;
}

void cause_factors_reset(struct cause_factors *factors)
{
    factors->kind = 0;
    for (int c = 0; c < CAUSE_COUNT; c++)
        factors->of[0][c] = 1;
    for (int d = 1; d < DEVICE_MAX; d++)
        memcpy(factors->of[d], factors->of[0], sizeof factors->of[0]);
}
