/* The figures of a machine that a device preset needs, from a measurement.
 *
 * Pure. Figures that were not measured are RESULT_NONE. The least sample of a point counts, as for
 * every cost; for jitter all do.
 *
 * Levels: the caches the system reports, each with the capacity of the staircase's knee that goes
 * with it, or where the staircase shows none the reported one; where the system says nothing, or
 * there are as many knees as caches, the knees themselves. Figures of a level are those of points
 * whose size lies between the capacities on either side, as far from both as there is one: there a
 * working set swept or walked in circles has left the inner level, and not yet met the outer. */
#ifndef AOLAG_PROBE_MACHINE_H
#define AOLAG_PROBE_MACHINE_H

#include <stdbool.h>

#include "model/memory.h"
#include "probe/measurement.h"

#define MACHINE_LEVELS_MAX 4

/* A level of the memory hierarchy, innermost first; the last is main memory. */
struct machine_level {
    enum memory_level_id id; /* as a device's knobs call it: L1, L2 are of a core, L3 is shared,
                                also where it is the second cache */
    double capacity;         /* B; of what one core sees; memory: 0 */
    bool found;              /* the capacity is the staircase's, not the system's; memory: true */
    double latency;          /* s, of one dependent access */
    double in_flight;        /* accesses: ns(1 chain) / ns(best number of chains), at least 1 */
    double core_bandwidth;   /* B/s, one core reading */
    double bandwidth;        /* B/s, all cores reading */
    double system;           /* B, what the system says of the capacity; 0: nothing */
    int sharing;             /* cores that share it, as the system says; 0: nothing */

    /* B, of the last cache as bandwidth sweeps see it, where they find more than the staircase, or
     * less than the system reports and the staircase has no knee; else 0. In a cache shared with
     * others more of a working set survives the shorter the reuse time, and that of a sweep is much
     * shorter than that of a pointer chase. If a sweep over M takes t per byte, t1 within the cache
     * and t2 from memory, its hit ratio is h = (t2 - t) / (t2 - t1), which the model reproduces
     * with a capacity of h^(1/3) M / cache_usable; at most what the system reports. */
    double swept;
};

struct machine {
    int levels; /* 0: neither walks nor sweeps were measured */
    struct machine_level level[MACHINE_LEVELS_MAX];
    int cores;        /* that were measured together, else those the process may use; 0: unknown */
    double clock;     /* Hz, while working */
    double simd_bits; /* of the registers that give the highest fma rate (operations.h) */
    double fma_rate;  /* fma operations on vectors per cycle: the pipes; without fma those of
                         multiplications */
    bool fma;         /* multiply-add is one operation */
    double add_latency; /* s, f32 */
    double fma_latency; /* s, f32, through the addend */
    double window;      /* out-of-order window: operations in flight per core (operations.h) */
    double scalar_rate; /* f32 adds per cycle of a core, one number each */
    double outstanding; /* accesses to memory in flight a core */
    double launch;      /* s, of a barrier of all cores, spinning; RESULT_NONE of one core */
    double jitter;      /* p99 / median of a fixed piece of work */

    /* Usable fraction of cache capacity in the hierarchy model, in which a working set M swept with
     * locality 3 has the hit ratio (usable c / M)^3. At a knee the latency is the geometric mean of
     * two levels, so the hit ratio is h = sqrt(r) / (1 + sqrt(r)), r the ratio of their latencies,
     * and usable = h^(1/3): 0.84 for r = 2, 0.91 for r = 10. The geometric mean over all knees. */
    double cache_usable;

    /* B/s of a core: L1 load bandwidth for the input vector of a dot product whose matrix row comes
     * from a private cache. From the time per byte of a dot product less that of a plain read over
     * the model's efficiency of sequential access: the median over the private caches, one core and
     * all, since differences are sensitive to disturbances. RESULT_NONE if it costs nothing. */
    double operand_bandwidth;

    /* Bandwidth of dot products over that of plain reads from main memory, one core or all,
     * whichever is more, divided by the model's efficiency of sequential access
     * (memory_access_efficiency). 1 at most. */
    double sustained_memory;

    /* fma_rate over the whole pipes it takes, so that peak times this is what was measured. 1 at
     * most. */
    double sustained_compute;

    /* exp(rms ln residual) of the levels above over the Apex-MAP surface, by the hierarchy model of
     * memory.h for one core; RESULT_NONE where a level lacks a figure. */
    double pc;
};

/* B of a cache that a working set swept again and again meets, of what one core sees. */
double machine_capacity(const struct machine_level *level);

/* How many caches of a level all cores have together; 1 where the system does not say it. */
double machine_caches(const struct machine *machine, const struct machine_level *level);

void machine_from_measurement(const struct measurement *measurement, struct machine *machine);

/* Whole vector pipes of fma_rate: the next number up, but for 5 % that the clock's measurement may
 * be off. At least 1; RESULT_NONE without a rate. */
double machine_pipes(const struct machine *machine);

/* FLOP/s in fp32, of all cores at the fma rate and clock measured; RESULT_NONE without one of them.
 */
double machine_peak(const struct machine *machine);

/* B/s of one core at a level that each core has of its own: one core alone and each of all give two
 * figures of it, the result is their geometric mean, or the one there is. */
double machine_own_bandwidth(const struct machine *machine, const struct machine_level *level);

/* The levels one core sees, as device_memory gives them for one worker of a device that states what
 * is in `machine`. False where a level lacks capacity, latency or bandwidth. */
bool machine_memory(const struct machine *machine, struct memory *memory);

#endif
