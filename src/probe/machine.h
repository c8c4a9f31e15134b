/* What a measurement says of a machine: the figures a device preset needs, each from one part.
 *
 * Pure: the same measurement, the same machine. A figure whose part was not measured is
 * RESULT_NONE. Of a point's samples the least counts, as of every cost; of jitter all do.
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

    /* B, of the last cache where sweeps find more in it than the staircase's capacity, or find less
     * than all in what the system says where the staircase shows nothing; else 0. Of a cache
     * that others use too, more of a working set stays the sooner its lines are used again: a sweep
     * of vectors uses them again many times sooner than the walk, one access at a time, that makes
     * the staircase. A sweep of M that takes t a byte, where well within the cache it
     * takes t1 and from main memory t2, finds the share h = (t2 - t) / (t2 - t1) in it, and the
     * model has that with h^(1/3) M / cache_usable; at most what the system says. */
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
    double window;      /* out-of-order window: operations a core holds that wait (operations.h) */
    double scalar_rate; /* f32 adds per cycle of a core, one number each */
    double outstanding; /* accesses to memory in flight a core */
    double launch;      /* s, that all cores take to begin and end together, waiting awake; of one
                           core alone RESULT_NONE */
    double jitter;      /* p99 / median of a fixed piece of work */

    /* Part of a cache that counts in the hierarchy model, where a working set M swept with locality
     * 3 hits (usable c / M)^3. At a knee the staircase stands at the geometric mean of two
     * latencies, so there the hit share is h = sqrt(r) / (1 + sqrt(r)), r their ratio, and the
     * model has it with usable = h^(1/3): 0.84 for r = 2, 0.91 for r = 10. The geometric mean over
     * the knees found. */
    double cache_usable;

    /* B/s of a core: the pace of the loads of a matrix row's vector from the first cache, while the
     * row comes from a cache of the core's own. A byte of a row times a vector takes so much longer
     * than one of a plain read over what the model takes off every sequential sweep: the median
     * over these caches and one core and all, since each is the difference of two that may be
     * disturbed. RESULT_NONE also where it costs nothing. */
    double operand_bandwidth;

    /* What a matrix row times a vector reaches of a plain read from main memory, one core or all,
     * whichever is more, over what the model takes off every sequential sweep
     * (memory_access_efficiency): so the two together are what was measured. 1 at most. */
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
