/* One result as a function of one or two knobs: the data of a sweep chart. */
#ifndef AOLAG_EXPLORE_GRID_H
#define AOLAG_EXPLORE_GRID_H

#include "explore/cliff.h"
#include "explore/sweep.h"
#include "model/result_read.h"

#define GRID_AXES_MAX 2
#define GRID_PATH_MAX 96    /* path of a knob */
#define GRID_DESIGNS_MAX 1000000
#define GRID_REGIMES_MAX 64 /* distinct bounds in a chart; further ones count as the last */
#define GRID_REGIME_TEXT VERDICT_RESOURCE_MAX

struct grid {
    struct axis axis[GRID_AXES_MAX];
    char path[GRID_AXES_MAX][GRID_PATH_MAX];  /* at the time of the sweep; ref may change later */
    char words[GRID_AXES_MAX][GRID_PATH_MAX]; /* the same in words */
    int axis_count;
    struct result_ref wanted;
    int count;        /* designs; index = axis[0].count * (index in axis[1]) + (index in axis[0]) */
    double *value;    /* [count], SI; RESULT_NONE: no such result, or invalid design */
    double *low, *high; /* [count], SI: ends of the range of the result; NULL: not found */
    short *regime;    /* [count], index of the bound in `name`; -1: no bound, or invalid design */
    bool *overloaded; /* [count] */
    /* [count], maximum of the gain of an unstable loop; RESULT_NONE: the error budget was not asked for,
     * or the loop is stable */
    double *unstable_above;
    /* Of the scenario, if evaluate does not find it, else RESULT_NONE: the wanted result, and an
     * automatic gain that an axis varies. */
    double present, gain;
    int invalid;      /* number of invalid designs */
    int missing;      /* number of valid designs without the result, because of a packet that they lack */
    char reason[ERROR_MESSAGE_MAX]; /* error of the first of either */
    int regimes;
    char name[GRID_REGIMES_MAX][GRID_REGIME_TEXT]; /* "recon: HBM bandwidth of gpu0" */
    int best; /* the first design with the best value; -1: the result has no preferred direction */
    double target;  /* target of the result, SI; RESULT_NONE: none */
    bool has_cliff; /* of one axis of numbers, in the latency or the wanted end of its range */
    struct cliff cliff;
};

/* Lists what is found with ranges, and returns how many results these are: the wanted one and, for
 * one axis of at most GRID_RANGES_MAX numbers, the ends of its range, if it has one. They take some
 * twenty times as many evaluations. */
enum { GRID_RANGES_MAX = 260, GRID_WANTED_MAX = 3 };
int grid_wanted(const struct result_ref *wanted, const struct axis *axis, int axis_count,
                struct result_ref list[GRID_WANTED_MAX]);

/* Evaluates all designs, at most GRID_DESIGNS_MAX, with `ranges` also what grid_wanted lists. Takes
 * ownership of the axes, even on failure. Returns STATUS_STOPPED as sweep_designs. Call grid_free in
 * any case. */
enum status grid_run(struct grid *grid, const struct scenario *scenario,
                     struct axis axis[GRID_AXES_MAX], int axis_count,
                     const struct result_ref *wanted, bool ranges, const struct progress *progress,
                     struct error *error);

void grid_free(struct grid *grid); /* accepts a zeroed grid */

/* Finds the gain in force of a scenario, RESULT_NONE if it is invalid or has none. Returns
 * STATUS_STOPPED. */
enum status grid_find_gain(const struct scenario *scenario, const struct progress *progress,
                           double *gain, struct error *error);

/* Returns true if a knob is the gain of the loop and automatic: evaluate does not find it. */
bool grid_gain_is_automatic(const struct scenario *scenario, struct knob_ref ref);

/* Returns the index on an axis of the number (SI) nearest to `value`, on the scale of the axis, or
 * of the choice `value`; -1 if there is none. */
int grid_nearest(const struct axis *axis, double value);

/* Returns true if several designs have a value, and all of them the same. */
bool grid_is_flat(const struct grid *grid);

/* Returns true if the spacing of an axis is closer to geometric than to arithmetic. */
bool grid_is_logarithmic(const struct axis *axis);

#endif
