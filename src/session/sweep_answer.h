/* A sweep of one knob or two, coarse first, then finer: what view 4 shows. */
#ifndef AOLAG_SESSION_SWEEP_ANSWER_H
#define AOLAG_SESSION_SWEEP_ANSWER_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"
#include "explore/axis.h"
#include "explore/grid.h"
#include "explore/part_values.h"
#include "model/result_read.h"
#include "session/answer.h"

#define SWEEP_SPEC 1024 /* "P=FROM:TO:N" */

struct sweep_question {
    char path[GRID_AXES_MAX][GRID_PATH_MAX]; /* knobs along x and y; empty: none */
    char spec[GRID_AXES_MAX][SWEEP_SPEC];    /* values to sweep; empty: not typed */
    bool choosing;                           /* x is the most sensitive knob besides y */
    bool whole;                              /* the whole range of a knob, not what is around it */
    double centre[GRID_AXES_MAX];            /* SI, of the values around; 0: the one in force */
    struct result_ref wanted; /* row NULL: the latency, or the total of the error budget if the
                                 latency does not change */
};

/* The last one has the range of the result at every value, of one knob. */
enum { SWEEP_PASSES = 4 };

/* The axes are made before the thread starts, since only the main thread may read the catalogue. */
struct sweep_answer {
    struct scenario scenario;
    struct result_ref wanted;
    bool automatic; /* the error budget instead, if the knobs do not change the latency */
    const struct part_values *values;
    int axis_count;
    bool chooses; /* the most sensitive knob is looked for, and the x axes are made then */
    bool whole;   /* over the range of that knob */
    bool gain;    /* an axis is that of an automatic gain, which evaluate does not find */
    struct axis axis[SWEEP_PASSES][GRID_AXES_MAX];
    struct grid ready; /* shared (worker.h): last complete pass not yet taken; count 0: none */
    struct error error;
};
extern const struct answer_kind sweep_kind;

/* Asks, of a design whose result is the last valid one. A centre far from the value in force moves
 * to it. Returns STATUS_INVALID for a knob or values that do not exist. */
enum status sweep_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
                      const struct result *result, const struct part_values *values,
                      struct sweep_question *question, struct error *error);

#endif
