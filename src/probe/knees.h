/* What a latency staircase shows: its plateaus, and the capacities where it steps between them.
 *
 * Pure: the same points, the same knees. A plateau is a run whose latency grows by less than 8 % an
 * octave of size, straight in log-log; one of less than 25 % too where it lasts an octave between
 * slopes 1.5 times as steep or more, because the latency of a level that is shared or outgrows a
 * TLB rises all along. Runs that differ by less than half are one: a slow slope is no level of its
 * own. A capacity is where the latency crosses the geometric mean of the plateaus on either side.
 * The first points and the last are always a plateau, the last also where they still rise: caches
 * that do not replace the oldest line first approach the latency of the next level only slowly. */
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
