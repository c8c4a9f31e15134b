/* How many designs a sweep of the default scenario evaluates in a second. */
#ifndef AOLAG_SWEEPING_H
#define AOLAG_SWEEPING_H

#include "design/preset.h"
#include "design/scenario.h"

/* Prints them for knobs that leave the readout as it is and knobs that change it, on one core and
 * on all of them. Returns NULL, or what went wrong. */
const char *sweeping_print(const struct scenario *scenario, struct catalogue *catalogue);

#endif
