/* The latency staircase: time of an access against the working set, of one chain of accesses and of
 * the most there are at once, with its knees and the caches that the system tells of. */
#ifndef AOLAG_CHARTS_STAIRCASE_H
#define AOLAG_CHARTS_STAIRCASE_H

#include "draw/chart.h"
#include "probe/knees.h"
#include "probe/machine.h"

/* `knees` and `machine` are those of the measurement. */

/* For a file. Initialises the chart; false: fewer than two sizes were walked. */
bool chart_staircase(struct chart *chart, const struct measurement *measurement,
                     const struct knees *knees, const struct machine *machine);

/* For a terminal, where names are short: a rule with its size at each knee, caches as marks on the
 * axis, a legend in the last row of the box. false, and nothing drawn, where there are fewer than
 * two sizes or no room. */
bool staircase_draw(struct canvas *canvas, struct rect box, const struct measurement *measurement,
                    const struct knees *knees, const struct machine *machine);

#endif
