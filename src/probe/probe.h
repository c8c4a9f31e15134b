/* Common functions of the parts of a measurement (parts.h): settings, timed loops, memory.
 *
 * A part times loops and adds points to a measurement. It prints nothing. When stopped it returns
 * soon, and the points measured so far remain. */
#ifndef AOLAG_PROBE_PROBE_H
#define AOLAG_PROBE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/measurement.h"

struct datagram_address;

struct probe {
    bool quick; /* all parts within a minute; otherwise more sizes, longer runs and more samples */
    uint64_t seed;   /* of all random choices; equal seeds give equal permutations and inputs */
    size_t largest;  /* B, maximum memory of a part */
    double shortest; /* s, minimum duration of a timed run */
    int samples;     /* per point at most, 5 to MEASUREMENT_SAMPLES_MAX */
    int core;        /* hardware thread for single-core points */
    const struct datagram_address *peer; /* the other end of datagrams (echo.h); NULL: a thread */
    struct measurement *measurement;
    struct error *error; /* of the current part; a status other than STATUS_OK ends it */

    /* Both may be NULL. `report` is called after every point and during long preparations. */
    bool (*stopped)(void *context);
    void (*report)(void *context, const struct probe *probe, enum measurement_part part,
                   double done); /* fraction of the part, 0-1 */
    void *context;
};

/* Sets quick or full settings for this machine: the last core available to the process (the first
 * serves interrupts), and as the largest size 512 MiB or 2 GiB, at most half of the free memory. */
void probe_defaults(struct probe *probe, bool quick);

/* Fills the conditions that apply to all parts and pins the calling thread. */
void probe_conditions(struct probe *probe);

/* Begins a part; its errors are stored in `error`, which becomes STATUS_OK. */
void probe_begin(struct probe *probe, struct error *error);

/* Returns true if the part was stopped or failed. */
bool probe_stopped(const struct probe *probe);

/* Adds a point to the measurement. */
void probe_add_point(struct probe *probe, const struct measurement_point *point);
void probe_report(const struct probe *probe, enum measurement_part part, double done);

/* Timed loops ---------------------------------------------------------------------------------- */

/* Runs the work `repeats` times; its results must be kept from the optimiser (probe_keep_value). */
typedef void probe_loop(void *data, uint64_t repeats);

/* Returns the duration of one run, s. */
double probe_time_run(probe_loop *loop, void *data, uint64_t repeats);

/* Returns the number of repeats, a power of two, for a run of at least `shortest` s. */
uint64_t probe_calibrate(const struct probe *probe, probe_loop *loop, void *data, double shortest);

/* Times a loop with runs of at least probe->shortest: runs of n and 2n repeats alternate, and
 * probe_subtract_overhead converts them to samples, with n times `units` (units of work per repeat)
 * as the scale. A repeat of 20 ms is a sample alone. Of what takes long there are fewer samples, at
 * least five. Adds the point with its samples to the measurement unless stopped. */
void probe_time_loop(struct probe *probe, probe_loop *loop, void *data, double units,
                     struct measurement_point *point);

/* Returns about how long probe_time_loop takes, s, if a repeat of the loop takes `repeat` s. */
double probe_loop_seconds(const struct probe *probe, double repeat);

/* Computes samples from runs of n and 2n repeats, which take overhead + n t and overhead + 2n t: a
 * sample is the time of a run of 2n minus that of n, over `scale`. For n the minimum is used,
 * limited to 1.05 times half the minimum of 2n, because a disturbed run of n would make the minimum
 * sample smaller than the cost. All times are > 0. */
void probe_subtract_overhead(const double *once_s, const double *twice_s, int count, double scale,
                             double *samples);

/* Returns the monotonic time, s. */
double probe_now(void);

/* Prevents the compiler from removing the computation of a value. */
void probe_keep_value(double value);
void probe_keep_pointer(const void *value);

/* Memory to measure ---------------------------------------------------------------------------- */

/* Huge pages are requested to avoid TLB misses, and the calling thread touches every page, so that
 * it is allocated on its NUMA node. */

#define HUGE_PAGE ((size_t)2 << 20) /* B, on x86-64 and other systems with 4 KiB pages */

struct huge_pages {
    void *bytes; /* zeroed; aligned to a huge page if at least that large */
    size_t size;
    size_t mapped;
};

/* What a core reads, and clears of the memory that it is given, B/s: about, where caches are too
 * small. */
#define PROBE_READ_RATE 10e9
#define PROBE_FILL_RATE 2e9

/* B written between two looks at whether a part was stopped. */
#define PROBE_STEP ((size_t)8 << 20)

/* Maps memory and writes zeros to all of it, or to a part if the probe is stopped; less than a huge
 * page uses ordinary pages. Without a probe (NULL) nothing stops it. Returns false, with `bytes`
 * NULL, if out of memory. */
bool huge_pages_map(const struct probe *probe, struct huge_pages *pages, size_t size);
void huge_pages_unmap(struct huge_pages *pages);

/* The same with ordinary pages whatever the size; release it with huge_pages_unmap. */
bool small_pages_map(const struct probe *probe, struct huge_pages *pages, size_t size);

/* Returns the bytes in huge pages reported by the system (/proc/self/smaps); 0 if unknown. */
size_t huge_pages_granted(const struct huge_pages *pages);

#endif
