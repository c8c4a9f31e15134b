/* For which values of one knob a design meets conditions.
 *
 * Numbers. From the present value the knob is moved in both directions to the ends of its range: by
 * one if the range has at most SEEK_EXACT integers, by doubling on a slider in powers of two, else
 * by the slider's steps. In each direction the first change between meeting and missing the
 * conditions is an edge. Between the two steps around it, few integers are all tried, many integers
 * and real numbers are bisected, and real numbers are rounded to the fewest digits (at least
 * SEEK_DIGITS) on the same side. This holds for any start and any number of edges, but an interval
 * narrower than a step is not found. An automatic value starts from the value in force.
 *
 * The answer is the edge nearest to the present value on the knob's slider, on the side that meets
 * the conditions. A design that meets them already has answers, too: how far the knob may move.
 *
 * Choices and presets are all tried; the answer is the first in their order.
 *
 * Every point is evaluated; none is interpolated. An invalid design meets no conditions. */
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
    bool moves; /* the compared results depend on the knob */
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

/* An evaluated design for looking up the paths of conditions: a copy of the design or, if that is
 * invalid, with a value of the knob that makes it valid, found by seek_knob. STATUS_INVALID if no
 * value does; else as seek_knob. */
enum status seek_sample(const struct scenario *scenario, struct catalogue *catalogue,
                        struct knob_ref ref, struct scenario *sample, struct result *result,
                        struct error *error);

/* Whether any value meets them, the present one included. */
bool seek_feasible(const struct seek *seek);

void seek_free(struct seek *seek);

#endif
