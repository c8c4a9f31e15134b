/* Search for the values of one knob for which a design meets conditions.
 *
 * Numbers: the knob is moved from its present value in both directions to the ends of its range: by
 * one if the range has at most SEEK_EXACT integers, by doubling on a power-of-two slider, otherwise
 * by the slider's steps. The first change between meeting and missing the conditions in a direction
 * is an edge. Between the two steps at an edge, few integers are all tried; many integers and real
 * numbers are bisected, and real numbers are rounded to the fewest digits (at least SEEK_DIGITS) on
 * the same side. The search works for any start and any number of edges but misses intervals
 * narrower than a step. For an automatic value it starts from the value in force.
 *
 * The answer is the edge nearest to the present value on the knob's slider, on the side that meets
 * the conditions. If the design already meets them, the edges show how far the knob may move. If the
 * present value is 0, which stands for none with some knobs, and the numbers next to it miss the
 * conditions, the edge from which larger numbers meet them again is found instead.
 *
 * Choices and presets are all tried; the answer is the first that meets the conditions.
 *
 * Every point is evaluated, none is interpolated. An invalid design meets no conditions. For
 * conditions on the range of the latency the latency is tested first: the range, which takes some
 * ten times as long, is found only if the latency may meet them, and for points that are reported.
 */
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
#include "model/verdict.h"

#define SEEK_EXACT 1024
#define SEEK_DIGITS 4

/* The design with the knob at one value. */
struct seek_point {
    double value; /* SI; for choices and presets the index, -1 for the present one */
    char text[FILE_PATH_MAX + 1]; /* as written in a file: "3.2 GHz", "fp16" */
    struct error problem;         /* why the design is invalid; STATUS_OK if valid */
    double shortfall; /* conditions_shortfall, if `partial` at least; 0: conditions met */
    bool partial;     /* the latency alone violates conditions: its range was not found */
    double left[CONDITIONS_MAX], right[CONDITIONS_MAX]; /* of the conditions, SI or RESULT_NONE */
    double unstable_above; /* as in struct loop_result, of conditions on the error budget */
    double load;
    bool overloaded;
    char limit[NODE_NAME_MAX + 1];   /* what limits the load: component, device or link */
    double limit_busy, frame_period; /* s */
    /* The component of the first condition that names one, otherwise the component with the largest
     * part of the latency; may be empty. */
    char bound_node[NODE_NAME_MAX + 1];
    enum bound bound;                 /* bound of bound_node */
    char device[NAME_MAX_LENGTH + 1]; /* its device; empty: none */
    char limited_by[VERDICT_RESOURCE_MAX]; /* bound_node and its bound in words (model/verdict.h) */
};

enum { SEEK_BELOW, SEEK_ABOVE, SEEK_SIDES };

/* Result of the search in one direction. */
struct seek_side {
    bool crossed;                   /* an edge exists */
    struct seek_point holds, fails; /* the points next to the edge */
    struct seek_point end; /* the last value tried; the end of the range if there is no edge */
};

/* A latency and its range, s; RESULT_NONE for `high` if the design may not keep up. */
struct seek_range {
    double latency, low, high;
};

struct seek {
    struct knob_ref ref;
    struct conditions conditions;
    bool choices;              /* a knob of choices or presets; otherwise of numbers */
    struct seek_point present; /* the design as it is */
    struct seek_point from;    /* numbers: start of the search, the present value if it is stated */
    struct seek_side side[SEEK_SIDES]; /* numbers */
    int count;                         /* number of choices */
    struct seek_point *choice;
    bool moves; /* the compared results depend on the knob */
    bool assumed; /* `from` is no value in force: the knob is automatic and has none */
    bool apart; /* 0, the present value, and the numbers from the edge above on meet the conditions */
    bool found; /* an answer exists */
    struct seek_point answer;
    struct seek_point best; /* least shortfall; the present design if none is better */
    bool ranged; /* a latency is among the conditions, which the design misses and `answer` meets */
    struct seek_range range[2]; /* if so: of the present design and of `answer` */
    bool faster;                /* no value meets the conditions, and the latency of `best` has a
                                   practical difference from the present one (compare.h) */
    long evaluations;
};

/* Checks that seek_knob supports a knob: numbers, choices or presets with more than one value.
 * Returns STATUS_INVALID with the reason. */
enum status seek_check(const struct scenario *scenario, struct knob_ref ref, struct error *error);

/* Searches. The catalogue is used only for presets. Returns STATUS_INVALID as seek_check or
 * STATUS_STOPPED; on failure there is nothing to free. */
enum status seek_knob(const struct scenario *scenario, struct catalogue *catalogue,
                      struct knob_ref ref, const struct conditions *conditions,
                      const struct progress *progress, struct seek *seek, struct error *error);

/* Provides an evaluated design to resolve the paths of conditions: a copy of the design or, if it
 * is invalid, of the design with a value of the knob, found by seek_knob, that makes it valid.
 * Returns STATUS_INVALID if no value does, otherwise as seek_knob. */
enum status seek_sample(const struct scenario *scenario, struct catalogue *catalogue,
                        struct knob_ref ref, struct scenario *sample, struct result *result,
                        struct error *error);

/* Returns true if any value, including the present one, meets the conditions. */
bool seek_feasible(const struct seek *seek);

void seek_free(struct seek *seek);

#endif
