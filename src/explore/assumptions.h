/* The values of a design that neither it nor a preset states, and what each moves.
 *
 * A number is halved and doubled within its range, a choice takes every other value that could be
 * built (part_values.h); the effect is the relative change of the latency. */
#ifndef AOLAG_EXPLORE_ASSUMPTIONS_H
#define AOLAG_EXPLORE_ASSUMPTIONS_H

#include "explore/part_values.h"
#include "explore/trial.h"

#define ASSUMPTION_MATTERS 0.01 /* least effect on the latency, relative, of one that matters */

struct assumption {
    struct knob_ref ref;
    enum origin origin; /* assumed, measured or fitted */
    double least, most; /* change of the latency over the latency, at most 0 and at least 0 */
    bool overloads;     /* the design does not keep up with another value, but does with its own */
};

struct assumptions {
    int count, capacity;
    struct assumption *at; /* those that matter first, by effect, then the others in knob order */
};

/* Finds all assumptions that apply and are not idle. `result`: that of the scenario.
 * Zero-initialise the struct and free it. */
void assumptions_find(const struct scenario *scenario, const struct result *result,
                      const struct part_values *values, struct assumptions *assumptions);
void assumptions_free(struct assumptions *assumptions);

/* Returns true if another value moves the latency by ASSUMPTION_MATTERS or overloads the design. */
bool assumption_matters(const struct assumption *assumption);

#endif
