/* The latency staircase: time of an access against the working set, of one chain of dependent
 * accesses and of the most chains at once, with its knees and the caches that the system states. */
#ifndef AOLAG_CHARTS_STAIRCASE_H
#define AOLAG_CHARTS_STAIRCASE_H

#include "draw/chart.h"
#include "probe/knees.h"
#include "probe/machine.h"

/* `knees` and `machine` are those of the measurement. Initialises the chart. `brief`: with short
 * names and without titles of the axes, for a pane of the screen. false: fewer than two sizes were
 * measured. */
bool chart_staircase(struct chart *chart, const struct measurement *measurement,
                     const struct knees *knees, const struct machine *machine, bool brief);

#endif
