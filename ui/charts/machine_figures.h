/* What follows from a measurement, all at once, for the pictures to show. It takes tens of
 * milliseconds, most of it for the fits. */
#ifndef AOLAG_MACHINE_FIGURES_H
#define AOLAG_MACHINE_FIGURES_H

#include <stdbool.h>

#include "cli/fit_text.h"
#include "probe/knees.h"
#include "probe/machine.h"
#include "probe/measurement.h"
#include "probe/operation_table.h"
#include "probe/predict.h"

struct machine_figures {
    struct measurement measurement; /* a copy of it: that may grow meanwhile */
    struct machine machine;
    struct knees knees;
    struct operation_table operations;
    struct fit_report fits;       /* of the largest M */
    struct error unfitted;        /* why there are none; STATUS_OK: there are */
    struct prediction prediction; /* of the kernels, from the other parts; no rows: none */
    struct error unpredicted; /* why there is none; STATUS_OK: there is, or nothing to predict */
};

/* NULL without memory. Parts that were not measured take no time. */
struct machine_figures *machine_figures_new(const struct measurement *measurement);
void machine_figures_free(struct machine_figures *figures);

#endif
