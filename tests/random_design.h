/* Designs at random: every knob over its whole range. */
#ifndef AOLAG_RANDOM_DESIGN_H
#define AOLAG_RANDOM_DESIGN_H

#include "draw.h"
#include "design/knob_table.h"

/* Returns true for a knob of the control loop or of the flow of data, which evaluate does not compute, or
 * a price: test_budget.c, data/designs/carried.txt and device.txt have all of these. */
bool is_of_loop(const struct knob *knob);

/* 1 to 4 sensors, 1 to 8 devices, 2 to 16 components that follow one another in any order. Not all
 * of them have a meaning. */
void random_design(struct draw *draw, struct scenario *scenario);

#endif
