/* How much the RTC latency depends on each knob. */
#ifndef AOLAG_EXPLORE_SENSITIVITY_H
#define AOLAG_EXPLORE_SENSITIVITY_H

#include "explore/trial.h"

struct sensitivity {
    struct knob_ref ref;
    double value;      /* in force, SI */
    double elasticity; /* d ln latency / d ln knob */
};

/* Returns d ln latency / d ln knob by central difference over +-1 % (of an integer at least +-1),
 * one-sided at an end of the range and where the design on the other side is invalid, has no
 * latency or begins or ceases to be overloaded; RESULT_NONE if that is so on both sides, for
 * choices, and for a value that is 0, unknown or divides a device (knob_divides). The trial has
 * started. */
double sensitivity_of(struct trial *trial, struct knob_ref ref);

/* Lists the knobs with one of the roles (bits by enum knob_role) of which the latency depends most,
 * at most `most`, by falling elasticity without its sign; equal ones in the order of the table.
 * Idle knobs and those without an effect are not listed. Returns the error of an invalid design
 * or STATUS_STOPPED, with an empty list. */
enum status sensitivity_list(const struct scenario *design, unsigned roles,
                             const struct progress *progress, struct sensitivity *list, int most,
                             int *count, struct error *error);

#endif
