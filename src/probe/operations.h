/* Latency and throughput of operations on scalars and vectors, the clock beside them, and what
 * subnormal inputs cost. */
#ifndef AOLAG_OPERATIONS_H
#define AOLAG_OPERATIONS_H

#include "probe.h"

enum status probe_operations(struct probe *probe, struct error *error);

#endif
