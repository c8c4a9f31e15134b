/* The latency staircase: walks over working sets from a first-level cache to main memory.
 *
 * The nodes of a walk fill a line each and are one cycle in random order, proven before it is
 * timed. Sizes count the nodes' lines: from 4 KiB, six an octave, to 256 MiB or four times the last
 * cache, whichever is more, within what the probe may touch. Points, in seconds per node visited:
 *   chase       a pointer in the node leads to the next; 1, 2, 4, 8 or 16 such chains at a time
 *   array       the number in the node leads to the next, in the same order
 *   list        as chase with one chain, in the same order, over nodes from malloc
 *   sequential  the nodes as they lie in memory, adding a number from each
 *   prefetch    by an array of pointers, each visit needing the one before; the line of the node
 *               `ahead` visits on is asked for meanwhile (walks.h)
 * Notes in the conditions how much of the memory came in huge pages. */
#ifndef AOLAG_MEMORY_PROBE_H
#define AOLAG_MEMORY_PROBE_H

#include "probe.h"

enum status probe_memory(struct probe *probe, struct error *error);

#endif
