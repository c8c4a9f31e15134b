/* Plateaus and knees of a latency staircase: the latency of each level and the capacities between.
 *
 * Pure functions. A plateau is a run of points whose latency rises by less than 8 % per octave of
 * size, a straight line in log-log; or by less than 25 % if it spans an octave between slopes at
 * least 1.5 times as steep, because the latency of a shared level, or of one beyond the TLB, rises
 * throughout. Plateaus that differ by less than a factor of 1.5 are merged. A capacity is the size
 * at which the latency, smoothed by isotonic regression, crosses the geometric mean of the adjacent
 * plateaus. The first and last points always belong to a plateau even if the latency still rises:
 * with replacement policies other than LRU, it approaches that of the next level slowly. */
#ifndef AOLAG_PROBE_KNEES_H
#define AOLAG_PROBE_KNEES_H

#include <stdbool.h>

#include "probe/measurement.h"

#define PLATEAUS_MAX 6
#define KNEES_POINTS_MAX 256

/* The points of a latency staircase with one number of chains, in ascending size. */
struct staircase {
    double size[KNEES_POINTS_MAX], latency[KNEES_POINTS_MAX]; /* B, s */
    int count;
};

/* Collects the minimum times of the walks with `chains` chains, at most KNEES_POINTS_MAX points. */
void staircase_from_measurement(const struct measurement *measurement, double chains,
                                struct staircase *staircase);

/* Returns the largest number of concurrent chains; 1 if there are no points. */
double staircase_chains_most(const struct measurement *measurement);

struct plateau {
    double latency;  /* s, median of its points; the highest if it rises */
    double from, to; /* B, sizes of its first and last point */
    bool rises;      /* by at least 8 % per octave; possible only for the last */
};

struct knees {
    int plateaus; /* 0 without points */
    struct plateau plateau[PLATEAUS_MAX];
    double capacity[PLATEAUS_MAX - 1]; /* B, between successive plateaus */
};

/* Finds the knees of `count` points (at most KNEES_POINTS_MAX are used) with ascending sizes in B
 * and latencies in s, all > 0. */
void knees_find(const double *size, const double *latency, int count, struct knees *knees);

/* Finds the knees of the staircase with one chain. */
void knees_from_measurement(const struct measurement *measurement, struct knees *knees);

/* Returns the capacity closest, as a ratio, to a reported cache size (B); 0 if none is within a
 * factor of 3. */
double knees_nearest_capacity(const struct knees *knees, double system);

#endif
