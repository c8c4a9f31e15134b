/* What was measured of a machine, as charts: one of each part. */
#ifndef AOLAG_CHARTS_MACHINE_H
#define AOLAG_CHARTS_MACHINE_H

#include "charts/machine_figures.h"
#include "draw/chart.h"

/* The staircase with its knees, the operations, what the best of the fits leaves unexplained, the
 * kernels against what is predicted of them. Initialises the chart. false: nothing of that part was
 * measured, or it has no chart. */
bool chart_machine(struct chart *chart, const struct machine_figures *figures,
                   enum measurement_part part);

#endif
