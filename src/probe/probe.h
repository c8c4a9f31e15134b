/* Probes of the machine this runs on. Each part is one row of the table and one function that times
 * loops and adds points to a measurement; none prints, and each ends soon after it was told to
 * stop, with what it has measured so far. */
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
    double shortest; /* s, which a timed run takes at least where its work can be repeated */
    int samples;     /* kept of a point, 5 to MEASUREMENT_SAMPLES_MAX */
    int core;        /* the system's number of the core that single-core points are pinned to */
    struct measurement *measurement;

    /* Both may be NULL. `report` is called after every point and between long preparations. */
    bool (*stopped)(void *context);
    void (*report)(void *context, const struct probe *probe, enum measurement_part part,
                   double done); /* 0-1 of the part */
    void *context;
};

/* Quick or full settings, of this machine: the core is the last that the process may use (the first
 * serves interrupts), largest what measure.md asks for, at most half of the free memory. */
void probe_defaults(struct probe *probe, bool quick);

/* Fills the conditions that do not depend on a part. */
void probe_conditions(struct probe *probe);

struct probe_part {
    enum measurement_part part;
    const char *help;              /* one line */
    double seconds, quick_seconds; /* about what it takes here, for the time left */
    enum status (*run)(struct probe *probe, struct error *error);
};

/* In the order they run. */
extern const struct probe_part probe_parts[];
extern const int probe_part_count;

bool probe_stopped(const struct probe *probe);
void probe_report(const struct probe *probe, enum measurement_part part, double done);

/* Does its work `repeats` times. What it computes must be kept from the optimiser (probe_keep). */
typedef void probe_loop(void *data, uint64_t repeats);

/* Times a loop: repeats are chosen so that a run takes `shortest`; runs of n and of 2n repeats take
 * turns, and probe_differences makes samples of them, over n times `units` (units of work a
 * repeat). Adds the point with its samples to the measurement. STATUS_OK also when it was stopped
 * (then the point is left out). */
enum status probe_time(struct probe *probe, probe_loop *loop, void *data, double units,
                       struct measurement_point *point, struct error *error);

/* What is paid once a run drops out of the time of 2n repeats less that of n, which over `scale` is
 * a sample. Of the latter the least is taken, and no more than 1.05 times half the least of the
 * former: a disturbed run of n would make a sample less than the cost, and the least sample would
 * be that. All times are above 0. */
void probe_differences(const double *once_s, const double *twice_s, int count, double scale,
                       double *samples);

/* Seconds of a clock that only goes forward. */
double probe_now(void);

/* The value counts as used; the compiler knows nothing about it afterwards. */
void probe_keep(double value);
void probe_keep_pointer(const void *value);

/* Puts the calling thread on one core; false where the system refuses. */
bool probe_pin(int core);

/* Memory to measure: huge pages are asked for, and every page is touched by the thread that asks,
 * so that it lies near it. */

#define PAGES_HUGE ((size_t)2 << 20) /* B, of x86-64 and of the usual 4 KiB granule elsewhere */

struct pages {
    void *bytes; /* zeroed, aligned to a huge page where there are such */
    size_t size;
    size_t mapped;
};

/* NULL bytes and false where there is no memory. Small sizes (under a huge page) come in ordinary
 * pages. */
bool pages_get(struct pages *pages, size_t size);
void pages_free(struct pages *pages);

/* How many of its bytes the system reports in huge pages (/proc/self/smaps); 0 where it does not
 * say. */
size_t pages_huge(const struct pages *pages);

#endif
