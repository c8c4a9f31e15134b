/* Machine parameters for a device preset, derived from a measurement.
 *
 * Pure functions. Parameters that were not measured are RESULT_NONE. The minimum sample of a point
 * is used, as for every cost; jitter uses all samples.
 *
 * Levels are the caches reported by the system, each with the capacity of the matching staircase
 * knee or, without one, the reported capacity. If the system reports none, or there are as many
 * knees as caches, the knees define the levels. The figures of a level are those of points with a
 * size between the adjacent capacities and as far from both as possible: a working set swept or
 * walked cyclically then no longer hits the inner level and does not yet reach the outer one. */
#ifndef AOLAG_PROBE_MACHINE_H
#define AOLAG_PROBE_MACHINE_H

#include <stdbool.h>

#include "model/memory.h"
#include "probe/measurement.h"

#define MACHINE_LEVELS_MAX 4

/* A level of the memory hierarchy, innermost first; the last is main memory. */
struct machine_level {
    enum memory_level_id id; /* as in device knobs: L1 and L2 are private; L3 is shared, even if it
                                is the second cache */
    double capacity;         /* B, visible to one core; memory: 0 */
    bool found;              /* capacity from the staircase, not from the system; memory: true */
    double latency;          /* s, one dependent access */
    double in_flight;        /* accesses: latency with 1 chain / with the best number, at least 1 */
    double core_bandwidth;   /* B/s, one core reading */
    double bandwidth;        /* B/s, all cores reading, at least core_bandwidth */
    double system;           /* B, capacity reported by the system; 0: none */
    int sharing;             /* sharing cores reported by the system; 0: unknown */

    /* B, capacity of the last cache derived from bandwidth sweeps, if larger than that of the
     * staircase, or if smaller than the reported one and the staircase has no knee; otherwise 0. In
     * a cache shared with other users, more of a working set survives the shorter its reuse time,
     * which is much shorter in a sweep than in a pointer chase. If a sweep over M takes t per byte,
     * t1 within the cache and t2 from memory, its hit ratio is h = (t2 - t) / (t2 - t1), which the
     * model reproduces with a capacity of h^(1/3) M / cache_usable, limited to the reported one. */
    double swept;
};

struct machine {
    int levels; /* 0: neither walks nor sweeps were measured */
    struct machine_level level[MACHINE_LEVELS_MAX];
    int cores;          /* measured together, otherwise available to the process; 0: unknown */
    double clock;       /* Hz, under load */
    double simd_bits;   /* register width with the highest fma rate (operations.h) */
    double fma_rate;    /* vector fma operations per cycle, that is, pipes; without fma,
                           multiplications */
    bool fma;           /* fused multiply-add is available */
    double add_latency; /* s, f32 */
    double fma_latency; /* s, f32, from the addend */
    double window;      /* out-of-order window: operations in flight per core (operations.h) */
    double issue;       /* instructions begun per cycle (operations.h) */
    double scalar_rate; /* scalar f32 adds per cycle and core */
    double outstanding; /* memory accesses in flight per core */
    double boundary;    /* s, spinning barrier of all cores; RESULT_NONE for one core */
    double jitter;      /* p99 / median of a fixed workload */

    /* Usable fraction of cache capacity in the hierarchy model, in which a working set M swept with
     * locality 3 has the hit ratio (usable c / M)^3. At a knee the latency is the geometric mean of
     * two levels, so the hit ratio is h = sqrt(r) / (1 + sqrt(r)), where r is the ratio of their
     * latencies, and usable = h^(1/3): 0.84 for r = 2, 0.91 for r = 10. Geometric mean over all
     * knees. */
    double cache_usable;

    /* B/s per core: L1 load bandwidth for the input vector of a dot product whose matrix row comes
     * from a private cache. Derived from the time per byte of a dot product, times the model's
     * sequential access efficiency, minus that of a plain read: the median over the private caches,
     * one core and all, since differences are sensitive to disturbances. RESULT_NONE if it is not
     * positive. */
    double operand_bandwidth;

    /* Bandwidth of dot products relative to plain reads from main memory, the larger of one core
     * and all, divided by the model's sequential access efficiency (memory_access_efficiency). At
     * most 1. */
    double sustained_memory;

    /* fma_rate / machine_pipes, so that peak times this is the measured rate. At most 1. */
    double sustained_compute;

    /* exp(rms ln residual) of these levels over the Apex-MAP surface with the single-core hierarchy
     * model of memory.h; RESULT_NONE if a level is incomplete. */
    double pc;
};

/* Returns the capacity of a cache for repeated sweeps, B, as visible to one core. */
double machine_capacity(const struct machine_level *level);

/* Returns the number of caches of a level in the machine; 1 if the system does not report it. */
double machine_caches(const struct machine *machine, const struct machine_level *level);

void machine_from_measurement(const struct measurement *measurement, struct machine *machine);

/* Returns the whole vector pipes that fma_rate requires: rounded up, with a tolerance of 5 % for
 * the clock measurement. At least 1; RESULT_NONE without a rate. */
double machine_pipes(const struct machine *machine);

/* Returns the fp32 peak of all cores at the measured fma rate and clock, FLOP/s; RESULT_NONE if
 * either is missing. */
double machine_peak(const struct machine *machine);

/* Returns the per-core bandwidth of a private level, B/s: the geometric mean of the figures of one
 * core alone and of each core with all active, or the only one measured. */
double machine_own_bandwidth(const struct machine *machine, const struct machine_level *level);

/* Fills the levels visible to one core, as device_memory does for one worker of a device with the
 * parameters in `machine`. Returns false if a level lacks capacity, latency or bandwidth. */
bool machine_memory(const struct machine *machine, struct memory *memory);

#endif
