/* A walk over one cycle of cache lines in random order: every access needs the one before. */
#ifndef AOLAG_CHASE_H
#define AOLAG_CHASE_H

#include <stddef.h>
#include <stdint.h>

#define CHASE_LINE 64 /* B */

/* Makes `count` lines at `lines` one cycle in random order, Sattolo's algorithm (Wilson, "An
 * overview of Sattolo's algorithm", INRIA 2004): each line begins with a pointer to the next.
 * `order` is scratch for count numbers. At most 2^32 lines. */
void chase_link(void *lines, uint32_t *order, size_t count, uint64_t seed);

/* Steps from `start` until it comes again; `most` at most. A cycle of n lines has length n. */
size_t chase_length(const void *start, size_t most);

#endif
