/* Plateaus and knees of a latency staircase: the latency of each level and the capacities between.
 *
 * Pure. A plateau is a run of points whose latency rises by less than 8 % per octave of size, a
 * straight line in log-log; or by less than 25 %, if it spans an octave between slopes at least 1.5
 * times as steep, because the latency of a shared level or of one beyond the TLB rises throughout.
 * Plateaus that differ by less than a factor 1.5 are merged. A capacity is where the latency,
 * smoothed by isotonic regression, crosses the geometric mean of the plateaus on either side. The
 * first and last points always are plateaus, the last even if they still rise: with replacement
 * other than LRU, caches approach the latency of the next level slowly. */
#ifndef AOLAG_PROBE_KNEES_H
#define AOLAG_PROBE_KNEES_H

#include <stdbool.h>

#include "probe/measurement.h"

#define PLATEAUS_MAX 6
#define KNEES_POINTS_MAX 256

/* The points of a latency staircase that have one number of chains, by rising size. */
struct staircase {
    double size[KNEES_POINTS_MAX], latency[KNEES_POINTS_MAX]; /* B, s */
    int count;
};

/* The least times of the walks with so many chains. Points after KNEES_POINTS_MAX are left out. */
void staircase_from_measurement(const struct measurement *measurement, double chains,
                                struct staircase *staircase);

/* The most chains that were walked at once; 1 where none were. */
double staircase_chains_most(const struct measurement *measurement);

struct plateau {
    double latency;  /* s, median of its points; where it rises the highest */
    double from, to; /* B, of its first and last point */
    bool rises;      /* by 8 % an octave or more: only the last may */
};

struct knees {
    int plateaus; /* 0: without points */
    struct plateau plateau[PLATEAUS_MAX];
    double capacity[PLATEAUS_MAX - 1]; /* B, between a plateau and the next */
};

/* Of `count` points, sizes in B rising, latencies in s, both above 0; those after
 * KNEES_POINTS_MAX are left out. */
void knees_find(const double *size, const double *latency, int count, struct knees *knees);

/* Of the staircase with one chain. */
void knees_from_measurement(const struct measurement *measurement, struct knees *knees);

/* The capacity that is nearest, as a ratio, to what the system says of a cache (B); 0: none within
 * a factor of 3. */
double knees_nearest_capacity(const struct knees *knees, double system);

#endif
