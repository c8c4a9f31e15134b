/* What the parts of a probe of this machine (parts.h) share: settings, timed loops, memory.
 *
 * A part times loops and adds points to a measurement. It prints nothing, and ends soon after it
 * is asked to stop, with what it has measured so far. */
#ifndef AOLAG_PROBE_PROBE_H
#define AOLAG_PROBE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/measurement.h"

struct probe {
    bool quick;      /* all parts within a minute; else more sizes, longer runs, more samples */
    uint64_t seed;   /* of every random choice; the same seed, the same permutations and inputs */
    size_t largest;  /* B a part may touch at most */
    double shortest; /* s, least duration of a timed run */
    int samples;     /* kept of a point, 5 to MEASUREMENT_SAMPLES_MAX */
    int core;        /* the hardware thread that single-core points are pinned to */
    struct measurement *measurement;
    struct error *error; /* of the part that runs: other than STATUS_OK, it ends the part */

    /* Both may be NULL. `report` is called after every point and between long preparations. */
    bool (*stopped)(void *context);
    void (*report)(void *context, const struct probe *probe, enum measurement_part part,
                   double done); /* 0-1 of the part */
    void *context;
};

/* Quick or full settings for this machine: the core is the last that the process may use (the first
 * serves interrupts), the largest size 512 MiB or 2 GiB, at most half of the free memory. */
void probe_defaults(struct probe *probe, bool quick);

/* Fills the conditions that do not depend on a part, and pins the calling thread. */
void probe_conditions(struct probe *probe);

/* Begins a part, whose error becomes `error`, STATUS_OK so far. */
void probe_begin(struct probe *probe, struct error *error);

/* Whether the part is to end: it was asked to, or failed. */
bool probe_stopped(const struct probe *probe);

/* Adds a point to the measurement; without memory the part fails. */
void probe_add_point(struct probe *probe, const struct measurement_point *point);
void probe_report(const struct probe *probe, enum measurement_part part, double done);

/* Timed loops ---------------------------------------------------------------------------------- */

/* Repeats its work. Results must be protected from the optimiser (probe_keep_value). */
typedef void probe_loop(void *data, uint64_t repeats);

/* Seconds that one run takes. */
double probe_time_run(probe_loop *loop, void *data, uint64_t repeats);

/* How many repeats, a power of two, a run needs that takes at least `shortest`, s. */
uint64_t probe_calibrate(const struct probe *probe, probe_loop *loop, void *data, double shortest);

/* Times a loop: repeats are chosen so that a run takes `shortest`; runs of n and of 2n repeats
 * alternate, and probe_subtract_overhead makes samples of them, over n times `units` (units of work
 * in a repeat). Adds the point with its samples to the measurement, unless it was stopped. */
void probe_time_loop(struct probe *probe, probe_loop *loop, void *data, double units,
                     struct measurement_point *point);

/* A run of n repeats costs overhead + n t, one of 2n overhead + 2n t: a sample is the time of a run
 * of 2n less that of n, over `scale`. Of the runs of n the least counts, and no more than 1.05
 * times half the least of 2n: a disturbed run of n would make a sample less than the cost, and the
 * least sample would be that. All times are above 0. */
void probe_subtract_overhead(const double *once_s, const double *twice_s, int count, double scale,
                             double *samples);

/* Monotonic time, s. */
double probe_now(void);

/* Prevents the compiler from removing the computation of a value. */
void probe_keep_value(double value);
void probe_keep_pointer(const void *value);

/* Memory to measure ------------------------------------------------------------------------------
 * Huge pages are requested, to avoid TLB misses, and the calling thread touches every page, so that
 * it is allocated on its NUMA node. */

#define HUGE_PAGE ((size_t)2 << 20) /* B, of x86-64 and of the usual 4 KiB granule elsewhere */

struct huge_pages {
    void *bytes; /* zeroed, aligned to a huge page where the size is one or more */
    size_t size;
    size_t mapped;
};

/* False, and NULL bytes, without memory. Less than a huge page comes in ordinary pages. */
bool huge_pages_map(struct huge_pages *pages, size_t size);
void huge_pages_unmap(struct huge_pages *pages);

/* How many of its bytes the system reports in huge pages (/proc/self/smaps); 0 where it does not
 * say. */
size_t huge_pages_granted(const struct huge_pages *pages);

#endif
