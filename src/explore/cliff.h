/* Cliffs: steps of at most CLIFF_STEP of a number that multiply the latency by more than
 * CLIFF_FACTOR, as where a component just keeps up with its packets. Found by evaluations; a cliff
 * and its opposite between two values that are evaluated may be missed. Overloaded designs have no
 * latency, and none of their values is an end of a cliff. */
#ifndef AOLAG_EXPLORE_CLIFF_H
#define AOLAG_EXPLORE_CLIFF_H

#include "explore/trial.h"

#define CLIFF_STEP 0.1    /* of the smaller value */
#define CLIFF_FACTOR 1.5  /* of the smaller latency */
#define CLIFF_POINTS 1000 /* most values of a curve */
#define CLIFF_TRIES 10    /* integers tried either side of the present one, all if there are few */
#define CLIFF_REAL_TRIES 2
#define CLIFF_TEXT 240

/* Two values, SI, of a knob, at most CLIFF_STEP apart, and the latencies there, s. */
struct cliff {
    double from, to;
    double before, after;
    bool upper; /* of the upper end of the range */
};

/* Finds the largest cliff between the value in force of a number and others at most CLIFF_STEP
 * away; `from` is the value in force. The trial has started. Without one of the latency, that of
 * the upper end of its range, at fewer values: `high` is the design's, RESULT_NONE: it has none.
 * Returns false if there is none, the knob is no number, its value is 0 or unknown, or it divides a
 * device (knob_divides). */
bool cliff_near(struct trial *trial, struct knob_ref ref, double high, struct cliff *cliff);

/* Finds the largest cliff of a knob between its least and its largest of `count` values, SI, in any
 * order; between values further apart others are tried where the latency changes. `to` is the value
 * with the larger latency. `of`: the latency or, instead of it, an end of its range, which takes
 * some ten times as long. Returns false if there is none, or for more than CLIFF_POINTS values. */
bool cliff_along(struct trial *trial, struct knob_ref ref, const double *value, int count,
                 const struct result_row *of, struct cliff *cliff);

/* Writes a value of the knob, of a number that is not whole three digits: "77", "4.95 us". */
#define CLIFF_VALUE 40
void cliff_print_value(double value, struct knob_ref ref, char text[CLIFF_VALUE]);

/* Writes "70 gives 14.8 us, 77 gives 35.9 us, 2.43 times as long", of the upper end of the range
 * "46 gives up to 101 us, 45 gives up to 279 us, 2.76 times as long". */
void cliff_print(const struct cliff *cliff, struct knob_ref ref, char text[CLIFF_TEXT]);

#endif
