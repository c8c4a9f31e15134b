/* For which values of one knob a design fulfils conditions.
 *
 * Numbers. From the present value the knob is moved in both directions to the ends of its range: by
 * one where it holds at most SEEK_EXACT whole numbers, by doubling where its slider doubles, else
 * by the steps of its slider. In each direction the first value at which the design begins or
 * ceases to fulfil the conditions is an edge. Few whole numbers between two steps are all tried,
 * many and real ones searched by bisection, and real ones rounded to as few digits (at least
 * SEEK_DIGITS) as leave them on the side that fulfils. So an answer is right wherever the present
 * value lies and however often the conditions are fulfilled and not; what happens wholly between
 * two steps is not seen. Where the value is automatic, the search begins at what it comes to.
 *
 * The answer is the edge nearest to the present value on the knob's slider, the value that fulfils.
 * A design that fulfils them at present has answers, too: how far the knob may move.
 *
 * Choices and presets have no direction: all are tried, and the first in their order is the answer.
 *
 * Every point is evaluated; none is interpolated. An invalid design fulfils nothing. */
#ifndef AOLAG_EXPLORE_SEEK_H
#define AOLAG_EXPLORE_SEEK_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "explore/condition.h"
#include "model/result.h"

#define SEEK_EXACT 1024
#define SEEK_DIGITS 4

/* The design with the knob at one value. */
struct seek_point {
    double value; /* SI; of a choice or preset its place in their order, -1 for the present one */
    char text[TRACE_MAX_LENGTH + 1]; /* the value as a file would hold it: "3.2 GHz", "fp16" */
    struct error problem;            /* why the design is invalid; STATUS_OK: it is valid */
    double shortfall;                /* of the conditions; 0: it fulfils them */
    double left[CONDITIONS_MAX], right[CONDITIONS_MAX]; /* what they compare, SI or RESULT_NONE */
    double load;
    bool overloaded;
    char limit[NODE_NAME_MAX + 1];   /* what sets the load: component, device or link */
    double limit_busy, frame_period; /* s */
    /* The component of the first condition on one, else the one with the largest part of the
     * latency; empty: there is none. */
    char bound_node[NODE_NAME_MAX + 1];
    enum bound bound;                 /* what binds it */
    char device[NAME_MAX_LENGTH + 1]; /* it runs on; empty: on none */
};

enum { SEEK_BELOW, SEEK_ABOVE, SEEK_SIDES };

/* One direction from the present value. */
struct seek_side {
    bool crossed;                   /* there is an edge: */
    struct seek_point holds, fails; /* next to it */
    struct seek_point end;          /* the last value that was looked at: without an edge that of
                                       the range */
};

struct seek {
    struct knob_ref ref;
    struct conditions conditions;
    bool choices;              /* a knob of choices or presets, else of numbers */
    struct seek_point present; /* the design as it is */
    struct seek_point from;    /* numbers: where the search began: the present value if stated */
    struct seek_side side[SEEK_SIDES]; /* numbers */
    int count;                         /* of choices */
    struct seek_point *choice;
    bool moves; /* what the conditions compare depends on the knob */
    bool found; /* there is an answer */
    struct seek_point answer;
    struct seek_point best; /* with the least shortfall, the present one if none has less */
    long evaluations;
};

/* Whether seek_knob works for a knob: it has numbers, choices or presets, and more than one.
 * STATUS_INVALID says why not. */
enum status seek_check(const struct scenario *scenario, struct knob_ref ref, struct error *error);

/* `result` (result_init) is for its own use. The catalogue is needed for presets only.
 * STATUS_INVALID where seek_check says so; STATUS_MEMORY, STATUS_STOPPED. On failure there is
 * nothing to free. */
enum status seek_knob(const struct scenario *scenario, struct catalogue *catalogue,
                      struct knob_ref ref, const struct conditions *conditions,
                      const struct progress *progress, struct result *result, struct seek *seek,
                      struct error *error);

/* An evaluated design in which the paths of conditions can be looked up: `sample` is a copy of the
 * design as it is or, where that is invalid, with a value of the knob that makes it valid, as
 * seek_knob finds it. STATUS_INVALID where no value does; else as seek_knob. */
enum status seek_sample(const struct scenario *scenario, struct catalogue *catalogue,
                        struct knob_ref ref, struct scenario *sample, struct result *result,
                        struct error *error);

/* Whether any value was found to fulfil them, the present one included. */
bool seek_feasible(const struct seek *seek);

void seek_free(struct seek *seek);

#endif
