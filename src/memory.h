/* Time to move bytes between a device and its memory.
 *
 * Flat model: every byte costs the same gap 1 / bandwidth, whatever the size of the working set.
 * It is the memory side of the plain roofline (Williams, Waterman, Patterson, CACM 52(4), 2009). */
#ifndef AOLAG_MEMORY_H
#define AOLAG_MEMORY_H

#include "scenario.h"

/* Fraction of bandwidth an access pattern reaches: the middle of what is usual (sequential
 * 0.80-0.95, strided 0.40-0.60, random 0.10-0.30). */
double memory_access_efficiency(enum access access);

/* Seconds for `bytes` at `bandwidth` B/s (peak x sustained x efficiency x share, above 0). */
static inline double memory_time_flat(double bytes, double bandwidth)
{
    return bytes / bandwidth;
}

#endif
