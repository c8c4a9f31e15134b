/* What each controller leaves of the wavefront and what it costs: the design with another algorithm
 * in all of its control components, evaluated again, with the loop closed by a law that this
 * algorithm computes, all of whose gains have the least total. The leak is that of the design. */
#ifndef AOLAG_EXPLORE_CONTROLLERS_H
#define AOLAG_EXPLORE_CONTROLLERS_H

#include <stdbool.h>

#include "base/status.h"
#include "design/algorithm.h"
#include "design/knob.h"
#include "design/scenario.h"

#define CONTROLLERS_MAX 7 /* six, and the design's own if that is none of them */

struct controller_row {
    const struct algorithm *algorithm; /* that of the first control component */
    enum controller controller;
    bool present; /* the design's own */
    bool counted; /* the algorithm computes the controller, so that its time is in the delay */
    /* RESULT_NONE of a design that is invalid: s, from the last pixel to the last command, and from
     * the end of the exposure to the command at the mirror */
    double latency, delay;
    double total; /* m rms, the least; RESULT_NONE also if it is not known */
    double gain;  /* with it, of the first order that has one; RESULT_NONE: filters, or no total */
    double proportional, derivative; /* of a PID, over the gain; RESULT_NONE of others */
    bool overloaded;
};

struct controllers {
    int count; /* 0: no component of the design is a whole controller */
    struct controller_row row[CONTROLLERS_MAX];
};

/* Returns true if a component computes the controller of the design, so that its time is part of
 * the delay. */
bool controllers_computed(const struct scenario *scenario);

/* Returns true if a knob may change what controllers_computed returns. */
bool controllers_depend(const struct scenario *scenario, struct knob_ref ref);

/* Returns what of the controller's time is not part of the delay, at most 22 characters: all of it, or
 * that of the filters of tip and tilt, which no algorithm computes; NULL: nothing. */
const char *controllers_uncounted(const struct scenario *scenario);

/* Returns the algorithm that computes a controller. */
const struct algorithm *controllers_algorithm(enum controller controller);

/* Returns the algorithm of the controllers of a design, of several that of the first; NULL: there is
 * none. */
const struct algorithm *controllers_present(const struct scenario *scenario);

/* Returns true if the controller of a design predicts the disturbance. */
bool controllers_predict(const struct scenario *scenario);

/* Gives all controllers of a design the algorithm that computes its controller, unless a component
 * does. Returns that algorithm, NULL: none is given. */
const struct algorithm *controllers_follow(struct scenario *scenario);

/* Fills the rows. */
void controllers_compare(const struct scenario *scenario, struct controllers *controllers);

#endif
