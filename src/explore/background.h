/* The latency beside what is in the background: telemetry and updates take bandwidth of what the
 * pipeline uses. evaluate does not know them. */
#ifndef AOLAG_EXPLORE_BACKGROUND_H
#define AOLAG_EXPLORE_BACKGROUND_H

#include "base/progress.h"
#include "base/status.h"
#include "model/flow.h"

/* Finds the latency, s, of the design with the bandwidth of ports, links and memories that
 * telemetry and updates leave to it on average; while a burst of them holds a port or link, it is
 * longer. RESULT_NONE if they leave nothing, or less than the pipeline needs. */
enum status background_latency(const struct flow *flow, const struct scenario *scenario,
                               const struct progress *progress, double *latency,
                               struct error *error);

#endif
