/* Measured latencies of a machine's wake-ups: read from a file, their quantiles, and the preset
 * that states them.
 *
 * Forms of file, each recognised by what is in it:
 *
 * - histogram: what cyclictest -h prints (rt-tests), per line a latency and how many
 *   wake-ups of each thread had it, latencies in increasing order, and the comment "# Total:". A
 *   column that is the sum of the others (cyclictest -H) does not count. The comments "# Total:",
 *   "# Min Latencies:", "# Max Latencies:" and "# Histogram Overflows:" have a number per thread.
 *   Of the overflows of a thread, wake-ups later than the last line, one has the largest latency;
 *   how late the others were is unknown.
 * - cyclictest --json: the same; "cycles" less the sum of a thread's histogram are its overflows.
 *   "resolution_in_ns", or -N in "cmdline", states nanoseconds.
 * - oslat, text and --json: interruptions of a loop that polls, a column per core. The last bucket
 *   has the overflows of those cores whose "Maximum" is beyond it.
 * - rtla timerlat hist: the columns Thr-CPU, from the timer to the thread that runs; "over:" has
 *   the overflows, "count:" all. The heading states the unit.
 * - list: a latency per line, with its unit or in the unit of the caller.
 *
 * Lines that begin with # are comments; status lines of cyclictest are skipped. The output of
 * programs that aolag does not read is refused by its name. */
#ifndef AOLAG_PROBE_WAKEUPS_H
#define AOLAG_PROBE_WAKEUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/problems.h"
#include "base/status.h"
#include "design/scenario.h"

#define WAKEUPS_BYTES_MAX ((size_t)64 << 20)
#define WAKEUPS_THREADS_MAX 4096

/* A median above this, s, is likely one of nanoseconds read as microseconds: those of cyclictest
 * are 1 to 100 us, and some 100 us in a virtual machine; no machine wakes a thread within 1 us. */
#define WAKEUPS_MEDIAN_LIKELY 1e-3

/* Wake-ups with the same latency, or one of a list. */
struct wakeup {
    double latency; /* s */
    double count;
    bool bound; /* later than the histogram's last line and at most this late */
};

struct wakeups {
    struct wakeup *list; /* in increasing order of latency */
    int count, capacity;
    double samples;      /* wake-ups */
    double overflows;    /* of them later than the histogram's last line, fewer than half */
    double last;         /* s, latency of that line, of oslat the one before; -1: a list */
    int threads;         /* of a histogram; 0: a list */
    const char *program; /* that printed the histogram: cyclictest, oslat, rtla; NULL: a list */
    bool unit_assumed;   /* numbers without a unit, and none was given for them */
};

/* Reads a file. `unit` is that of numbers without one; NULL: us, which is assumed. Every problem is
 * added to `problems`: a line that cannot be read, a negative latency or one above a second,
 * another number of columns, a histogram out of order, incomplete or with most wake-ups later than
 * its last line, no samples. */
enum status wakeups_parse(const char *bytes, size_t length, const char *unit,
                          struct wakeups *wakeups, struct problems *problems);
void wakeups_free(struct wakeups *wakeups);

/* Returns true for the samples of oslat, whose quantiles are none of frames, and says so. */
bool wakeups_of_loop(const struct wakeups *wakeups);
#define WAKEUPS_OF_LOOP                                                                            \
    "oslat samples each turn of a loop that polls, some ten million a second: these quantiles "    \
    "are of turns, not of frames; a preset takes those of cyclictest or rtla"

/* Returns the smallest latency that at most 10^-nines of the wake-ups exceed, or if that is unknown
 * the least that it cannot exceed; the median for 0 nines, the largest for LATE_MAX + 1, which are
 * known. */
double wakeups_quantile(const struct wakeups *wakeups, int nines);

/* Returns false for a quantile among the overflows whose latency is unknown. */
bool wakeups_know(const struct wakeups *wakeups, int nines);

/* Returns the delay beyond the median of a quantile, to the picosecond. */
double wakeups_late(const struct wakeups *wakeups, enum late quantile);

/* Writes the text of a device preset, `text`, with the quantiles of late wake-ups (enum late) as
 * measured values in place of those it states; unknown ones are assumed as late as they may be. */
void wakeups_preset(struct buffer *buffer, const struct wakeups *wakeups, const char *text,
                    size_t length);

#endif
