/* Bandwidth of each level: the loops of loops/stream_loops.h on one core and on all cores at the
 * same time. Each core works on arrays of its own, which it touched first. */
#ifndef AOLAG_PROBE_BANDWIDTH_H
#define AOLAG_PROBE_BANDWIDTH_H

#include "probe/probe.h"
#include "probe/system.h"

#define BANDWIDTH_SIZES_MAX 16

/* The sizes that `cores` touch together, B, ascending: fractions of each cache (of one that is
 * shared also of one core's share), then of main memory a multiple of the last. Where the system
 * says nothing of caches, 32 KiB and 512 KiB a core and 8 MiB for all are assumed. At most
 * `largest`, and in a quick run few. Returns how many, 1 or more. */
int bandwidth_sizes(const struct system_caches *caches, int cores, bool quick, size_t largest,
                    size_t sizes[BANDWIDTH_SIZES_MAX]);

/* Adds "read", "write", "copy", "triad" and "dot" at each size, for one core and for all, and
 * "jitter": raw times of one piece of work, dot on half of the second cache; of several cores also
 * "barrier": seconds in which all of them start and end, without work between. */
enum status probe_bandwidth(struct probe *probe, struct error *error);

#endif
