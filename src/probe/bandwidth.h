/* Bandwidth of each memory level: the loops of loops/stream_loops.h on one core and on all cores
 * simultaneously. Each core works on its own arrays and touches them first. */
#ifndef AOLAG_PROBE_BANDWIDTH_H
#define AOLAG_PROBE_BANDWIDTH_H

#include "probe/probe.h"
#include "probe/system.h"

#define BANDWIDTH_SIZES_MAX 16

/* Computes the total working sets of `cores` cores, B, ascending: fractions of each cache (of a
 * shared cache also of one core's share), then a multiple of the last cache for main memory.
 * Without cache information, 32 KiB and 512 KiB per core and 8 MiB shared are assumed. No size
 * exceeds `largest`; quick runs use fewer. Returns the count, 1 or more. */
int bandwidth_sizes(const struct system_caches *caches, int cores, bool quick, size_t largest,
                    size_t sizes[BANDWIDTH_SIZES_MAX]);

/* Adds "read", "write", "copy", "triad" and "dot" at each size, for one core and for all; "jitter":
 * raw times of a fixed workload, dot on half of the second-level cache; and for several cores
 * "barrier": seconds to start and stop all of them without work. */
enum status probe_bandwidth(struct probe *probe, struct error *error);
double probe_bandwidth_seconds(const struct probe *probe); /* see parts.h */

#endif
