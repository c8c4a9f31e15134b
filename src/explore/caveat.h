/* What a change of software costs in quality of correction, or what it supposes of the software. The
 * model computes times only: a faster algorithm or a lower precision may correct less, which a
 * simulation of the loop has to show. */
#ifndef AOLAG_EXPLORE_CAVEAT_H
#define AOLAG_EXPLORE_CAVEAT_H

#include "design/knob_table.h"

/* Returns the caveat of a knob's value as text, at most 22 characters; NULL: none. */
const char *caveat_of(const struct knob *knob, const char *value);

/* Returns true for a knob whose values may correct more or less at the same latency. */
bool caveat_of_quality(const struct knob *knob);

#endif
