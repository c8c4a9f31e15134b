/* The latency staircase: pointer chases over working sets from the first-level cache to main
 * memory.
 *
 * Each node fills a cache line; all nodes form one cycle in random order. Sizes are those of the
 * nodes: from 4 KiB, six per octave, to the larger of 256 MiB and four times the last-level cache,
 * limited by what the probe may allocate. Points, in seconds per node visited:
 *   chase       follows the pointer in each node; 1, 2, 4, 8 or 16 independent chains
 *   array       follows the index in each node, in the same order
 *   list        as chase with one chain, over nodes allocated one by one with malloc
 *   sequential  adds a number from each node, in memory order
 *   prefetch    follows an array of pointers, each visit dependent on the previous one, and
 *               prefetches the node `ahead` visits later
 * and, with at least 64 MiB, those of geometry.h. */
#ifndef AOLAG_PROBE_MEMORY_H
#define AOLAG_PROBE_MEMORY_H

#include "probe/probe.h"

/* Adds these points and the condition CONDITION_HUGE_PAGES. */
enum status probe_memory(struct probe *probe, struct error *error);
double probe_memory_seconds(const struct probe *probe); /* see parts.h */

#endif
