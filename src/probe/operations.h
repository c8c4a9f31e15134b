/* Latency and throughput of operations on scalars and vectors, the clock beside them, and what
 * subnormal inputs cost. */
#ifndef AOLAG_PROBE_OPERATIONS_H
#define AOLAG_PROBE_OPERATIONS_H

#include "probe/probe.h"

enum status probe_operations(struct probe *probe, struct error *error);

/* How many operations a core holds that wait for others.
 *
 * Chains of WINDOW_DEPTH adds, each independent of the one before: a core that works out of order
 * has 1 + window / depth of them under way, so that an add takes latency / (1 + window / depth).
 * (A fit: with a window of 100, 3.8, 2.7, 1.8 and 1.3 chains of 32, 64, 128 and 256 were seen
 * under way, where it says 4.1, 2.6, 1.8 and 1.4.) */

#define WINDOW_NAME "overlap" /* of its point */
#define WINDOW_DEPTH 64

/* A probe_loop: chains of adds, of a float; then what one of them came to is in it. */
void window_loop(void *data, uint64_t chains);

enum status probe_window(struct probe *probe, struct error *error);

/* The window from seconds an add in such chains and in one that never ends; RESULT_NONE where
 * either is. At least 0. */
double window_of(double seconds, double latency);

#endif
