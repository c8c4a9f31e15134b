/* What a measurement says of a machine: the figures a device preset needs, each from one part.
 *
 * Pure: the same measurement, the same machine. A figure whose part was not measured is
 * RESULT_NONE. */
#ifndef AOLAG_MACHINE_H
#define AOLAG_MACHINE_H

#include <stdbool.h>

#include "measurement.h"

#define MACHINE_LEVELS_MAX 4

/* A level of the memory hierarchy, innermost first; the last is main memory. */
struct machine_level {
    double capacity;       /* B; of what one core sees; memory: 0 */
    double latency;        /* s, of one dependent access */
    double in_flight;      /* accesses: ns(1 chain) / ns(best number of chains) */
    double core_bandwidth; /* B/s, one core reading */
    double bandwidth;      /* B/s, all cores reading */
    double system;         /* B, what the system says of the capacity; 0: nothing */
};

struct machine {
    int levels;
    struct machine_level level[MACHINE_LEVELS_MAX];
    int cores;          /* that were measured together */
    double clock;       /* Hz, while working */
    double simd_bits;   /* of the widest register that gives the highest fma rate */
    double fma_rate;    /* fma operations on vectors per cycle: the pipes */
    bool fma;           /* multiply-add is one operation */
    double add_latency; /* s, f32 */
    double fma_latency; /* s, f32, through the addend */
    double outstanding; /* accesses to memory in flight a core */
    double jitter;      /* p99 / median of a fixed piece of work */
    double pc;          /* exp(rms ln residual) of the levels above over the Apex-MAP surface */
};

void machine_from(const struct measurement *measurement, struct machine *machine);

#endif
