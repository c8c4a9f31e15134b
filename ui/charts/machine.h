/* The charts of a machine that was measured, and what they show: everything derived from the
 * measurement, which takes tens of milliseconds, most of them for the fits. */
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
    struct error unpredicted;     /* why there is none; STATUS_OK: no error */
};

/* NULL without memory. Parts that were not measured take no time. */
struct machine_figures *machine_figures_new(const struct measurement *measurement);
void machine_figures_free(struct machine_figures *figures);

/* The chart of a part: the latency staircase, the operations, the residuals of the best fit, the
 * kernels against their predictions. Initialises the chart. false:
 * nothing of that part was measured, or it has no chart. */
bool chart_machine(struct chart *chart, const struct machine_figures *figures,
                   enum measurement_part part);

/* The latency staircase: time of an access against the working set, of one chain of dependent
 * accesses and of the most chains at once, with its knees and the caches that the system states.
 * `knees` and `machine` are those of the measurement. Initialises the chart. `brief`: with short
 * names and without titles of the axes, for a pane of the screen. false: fewer than two sizes were
 * measured. */
bool chart_staircase(struct chart *chart, const struct measurement *measurement,
                     const struct knees *knees, const struct machine *machine, bool brief);

#endif
