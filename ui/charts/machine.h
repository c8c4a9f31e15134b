/* Everything derived from a measurement, for the charts of a machine. It takes tens of
 * milliseconds, most of it for the fits. */
#ifndef AOLAG_CHARTS_MACHINE_H
#define AOLAG_CHARTS_MACHINE_H

#include <stdbool.h>

#include "draw/chart.h"
#include "probe/fit.h"
#include "probe/knees.h"
#include "probe/machine.h"
#include "probe/measurement.h"
#include "probe/operations.h"
#include "probe/predict.h"

struct machine_figures {
    struct measurement measurement; /* a copy of it: that may grow meanwhile */
    struct machine machine;
    struct knees knees;
    struct operation_table operations;
    struct surface_fit fits;      /* of the largest M */
    struct error unfitted;        /* why there are none; STATUS_OK: there are */
    struct prediction prediction; /* of the kernels, from the other parts; no rows: none */
    struct error
        unpredicted; /* why there is none; STATUS_OK: there is one, or nothing to predict */
};

/* NULL without memory. Parts that were not measured take no time. */
struct machine_figures *machine_figures_new(const struct measurement *measurement);
void machine_figures_free(struct machine_figures *figures);

/* The chart of a part: the staircase with its knees, the operations, what the best of the fits
 * leaves unexplained, the kernels against what is predicted of them. Initialises the chart. false:
 * nothing of that part was measured, or it has no chart. */
bool chart_machine(struct chart *chart, const struct machine_figures *figures,
                   enum measurement_part part);

#endif
