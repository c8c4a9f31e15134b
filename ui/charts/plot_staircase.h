/* The latency staircase as a picture: time of an access against the working set. */
#ifndef AOLAG_CHARTS_PLOT_STAIRCASE_H
#define AOLAG_CHARTS_PLOT_STAIRCASE_H

#include "draw/plot.h"
#include "probe/knees.h"
#include "probe/machine.h"

/* Draws the walks of one chain and of the most chains there are, a rule at each knee, on the axis
 * the caches that the system tells of, and what is what in the last row of the box. false, and
 * nothing drawn, where there is no room or nothing to draw. `knees` and `machine` are those of the
 * measurement. */
bool plot_staircase(struct canvas *canvas, struct rect box, const struct measurement *measurement,
                    const struct knees *knees, const struct machine *machine);

#endif
