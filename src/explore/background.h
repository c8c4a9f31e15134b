/* The latency beside what else takes bandwidth of what the pipeline uses: telemetry and updates and, in
 * a memory that a host and a board share, the one of these of what the other does. evaluate does not
 * know that. */
#ifndef AOLAG_EXPLORE_BACKGROUND_H
#define AOLAG_EXPLORE_BACKGROUND_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "model/flow.h"

/* Returns true if anything does. */
bool background_competes(const struct flow *flow);

/* Finds the latency, s, of the design with the bandwidth of ports, links and memories that
 * they leave to it on average; while a burst of them holds a port or link, it is
 * longer. RESULT_NONE if they leave nothing, or less than the pipeline needs. */
enum status background_latency(const struct flow *flow, const struct scenario *scenario,
                               const struct progress *progress, double *latency,
                               struct error *error);

#endif
