/* A device whose jobs run side by side, each at the rate its share is of the shares of all.
 *
 * Kept in virtual time, which passes at 1 / (sum of the active shares): a job that needs w seconds
 * of the whole device and has share s is done w / s after it began, whoever comes and goes
 * meanwhile (generalised processor sharing; Parekh and Gallager, IEEE/ACM Trans. Networking 1(3),
 * 1993). So jobs stay in the order in which they end, and one that comes or goes costs O(log n). */
#ifndef AOLAG_FLUID_H
#define AOLAG_FLUID_H

#include <stdbool.h>

struct fluid_job {
    double done; /* virtual time */
    double share;
    int node;
};

struct fluid {
    struct fluid_job *job; /* heap, the first to end on top; room for all that may run here */
    int count;
    double shares; /* sum of the active ones */
    double lost;   /* what rounding took from it: a large share that goes leaves small ones exact */
    double virtual;
    double now; /* s, when that was */
};

/* An idle device. */
void fluid_clear(struct fluid *fluid, struct fluid_job *room);

/* Begins a job at `now`, not before anything else that happened here: `work` s of the whole device,
 * above 0; `share` above 0. */
void fluid_begin(struct fluid *fluid, double now, int node, double share, double work);

/* When the first job ends if no other comes, in s. There must be one. */
double fluid_next(const struct fluid *fluid);

/* Ends the first job, at the time fluid_next told; its node. */
int fluid_end(struct fluid *fluid, double now);

#endif
