/* Line size, associativity and reach of the TLB, from walks along dependent pointers over few
 * lines. Points of the part memory, in seconds per visit:
 * - lines: one word of each of some blocks of 512 B, spread over all sets; `size_bytes` is 64 times
 *   their number. The first cache holds as many as it has lines.
 * - ways: lines 1 MiB apart (`block_words`), which share a set of the first and of the second
 *   cache; `size_bytes` is that of the lines.
 * - pages-4k: a line of each page of 4 KiB, at changing places in the page; `size_bytes` is that of
 *   the pages.
 * - pages-2m: the same lines in huge pages.
 * ways, pages-4k and pages-2m need huge pages, and are omitted if the system grants none. */
#ifndef AOLAG_PROBE_GEOMETRY_H
#define AOLAG_PROBE_GEOMETRY_H

#include "probe/knees.h"
#include "probe/probe.h"

#define GEOMETRY_SIZE ((size_t)64 << 20) /* B, the memory that is needed */
#define GEOMETRY_OFFSETS_MAX 16384
#define GEOMETRY_BLOCKS_MAX 4096
#define GEOMETRY_WAYS_MAX 32
#define GEOMETRY_PAGE 4096

/* Adds the points. `pages`: memory of the probe in huge pages; less than GEOMETRY_SIZE: no points.
 * `done`: what the part has done before, 0-1. */
void probe_geometry(struct probe *probe, const struct huge_pages *pages, double done);

/* Returns how many points those are. */
int geometry_points(bool quick);

/* The walks: write offsets in B in the order of the visits, and return how many. */

/* `blocks` from 2 to GEOMETRY_BLOCKS_MAX. */
size_t geometry_lines_walk(size_t blocks, uint64_t seed, uint32_t offset[GEOMETRY_OFFSETS_MAX]);
/* `lines` from 1 to GEOMETRY_WAYS_MAX. */
size_t geometry_ways_walk(size_t lines, uint64_t seed, uint32_t offset[GEOMETRY_OFFSETS_MAX]);
/* `count` pages, from 2 to GEOMETRY_OFFSETS_MAX. */
size_t geometry_pages_walk(size_t count, uint64_t seed, uint32_t offset[GEOMETRY_OFFSETS_MAX]);

#define GEOMETRY_TLBS 2

/* What the points say; 0: unknown. */
struct geometry {
    double line;               /* B */
    double ways[2];            /* of the first and the second cache */
    double second;             /* where the times of the first rise again before the second is full:
                                  its ways are one or the other; 0: nowhere */
    int tlbs;                  /* steps found */
    double tlb[GEOMETRY_TLBS]; /* B, beyond which pages of 4 KiB are slower */
    double
        extra[GEOMETRY_TLBS]; /* s, by how much an access takes longer there than in huge pages */
};

/* The line is the capacity of the first cache, the first knee of the staircase, over the number of
 * words that it holds, as a power of 2. Such a number is the one that best parts times below from
 * times above the geometric mean of the latencies of a cache and the next, plateaus of the
 * staircase; so are the ways of a cache. The pages of lines far apart may share a set of the TLB,
 * too; times of the first cache then rise twice, and which rise is which is not known. The TLB's
 * reach is where the difference between pages of 4 KiB and huge ones, on top of the shortest time,
 * has knees; the last may be that of the caches that hold the page tables. */
void geometry_from_measurement(const struct measurement *measurement, struct geometry *geometry);

#endif
