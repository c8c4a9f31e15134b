/* The points of a latency staircase, curve by curve. */
#ifndef AOLAG_STAIRCASE_H
#define AOLAG_STAIRCASE_H

#include "probe/knees.h"
#include "probe/measurement.h"

/* Points of one curve, by rising size. */
struct staircase {
    double size[KNEES_POINTS_MAX], latency[KNEES_POINTS_MAX]; /* B, s */
    int count;
};

/* The most chains that walked at once; 1 where none did. */
double staircase_chains(const struct measurement *measurement);

/* The least times of the walks of so many chains. */
void staircase_of(const struct measurement *measurement, double chains,
                  struct staircase *staircase);

#endif
