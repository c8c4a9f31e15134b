/* Charts of a measured machine, and the figures derived from its measurement. Deriving them takes
 * tens of milliseconds, mostly for the fits. */
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

#define STAIRCASE_TITLE "Latency staircase"
#define KERNELS_TITLE "Kernels: predicted vs measured time"
#define DISPATCH_TITLE "Start of work and datagrams"
#define NOISY "?" /* marks a noisy point */

struct machine_figures {
    struct measurement measurement; /* a copy, since the original may grow meanwhile */
    struct machine machine;
    struct knees knees;
    struct operation_table operations;
    struct surface_fit fits;      /* for the largest M */
    struct error unfitted;        /* why there are no fits; STATUS_OK: there are fits */
    struct prediction prediction; /* of the kernels, from the other parts; no rows: none */
    struct error unpredicted;     /* why there is no prediction; STATUS_OK: no error */
};

/* Parts that were not measured cost no time. */
struct machine_figures *machine_figures_new(const struct measurement *measurement);
void machine_figures_free(struct machine_figures *figures);

/* Initialises the chart of a part: the latency staircase, the operations, the residuals of the best
 * fit, the delays of the start of work, or the kernels against their predictions. Returns false if
 * nothing of that part was measured or it has no chart. */
bool chart_machine(struct chart *chart, const struct machine_figures *figures,
                   enum measurement_part part);

/* Initialises the latency staircase: access time against working set, for one chain of dependent
 * accesses and for the largest number of concurrent chains, with knees and the caches that the
 * system reports. `knees` and `machine` belong to the measurement. `brief`: short names and no axis
 * titles, for a pane of the screen. Returns false if fewer than two sizes were measured. */
bool chart_staircase(struct chart *chart, const struct measurement *measurement,
                     const struct knees *knees, const struct machine *machine, bool brief);

/* Initialises the delays of the start of work and of datagrams without real-time priority: the
 * median and the 99th percentile. `brief`: no axis title, and fewer of them. Returns false if none
 * was measured. */
bool chart_dispatch(struct chart *chart, const struct measurement *measurement, bool brief);

/* Initialises the bandwidth of the GPU by size, with its launch, the time between kernels and the
 * smallest copy as the note. `brief` as above. Returns false if it was not measured. */
bool chart_gpu(struct chart *chart, const struct measurement *measurement, bool brief);

#endif
