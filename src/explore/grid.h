/* One result over one knob or two: what the chart of a sweep shows. */
#ifndef AOLAG_EXPLORE_GRID_H
#define AOLAG_EXPLORE_GRID_H

#include "explore/sweep.h"

#define GRID_AXES_MAX 2
#define GRID_PATH_MAX 96    /* of a knob */
#define GRID_REGIMES_MAX 64 /* bounds that a chart tells apart; more count as the last */
#define GRID_REGIME_TEXT (NODE_NAME_MAX + 16)

struct grid {
    struct axis axis[GRID_AXES_MAX];
    char path[GRID_AXES_MAX][GRID_PATH_MAX]; /* of their knobs: the numbers of instances change */
    int axis_count;
    struct result_ref wanted;
    int count;        /* designs; number = value of axis[1] * axis[0].count + value of axis[0] */
    double *value;    /* [count], SI; RESULT_NONE: there is none, or the design is invalid */
    short *regime;    /* [count], which of the names binds; -1: nothing, or the design is invalid */
    bool *overloaded; /* [count] */
    int invalid;      /* designs */
    char reason[ERROR_MESSAGE_MAX]; /* of the first of them */
    int regimes;
    char name[GRID_REGIMES_MAX][GRID_REGIME_TEXT]; /* "recon memory" */
    int best; /* the design with the best value; the first of several; -1: the result has no sense
               */
    double target; /* of that result, SI; RESULT_NONE: it has none */
};

/* Takes the axes over, also on failure. STATUS_STOPPED as sweep_designs. grid_free in any case. */
enum status grid_run(struct grid *grid, const struct scenario *scenario,
                     struct axis axis[GRID_AXES_MAX], int axis_count,
                     const struct result_ref *wanted, const struct progress *progress,
                     struct error *error);

void grid_free(struct grid *grid); /* accepts a zeroed one */

/* The point of an axis that is nearest to a number (SI) or is that choice; -1: none is. On an axis
 * of numbers nearest is meant as its scale is. */
int grid_nearest(const struct axis *axis, double value);

/* Whether an axis' numbers grow by a factor more than by a sum. */
bool grid_is_logarithmic(const struct axis *axis);

#endif
