/* The latency staircase: walks over working sets from a first-level cache to main memory.
 *
 * The nodes of a walk fill a line each and are one cycle in random order. Sizes count the nodes'
 * lines: from 4 KiB, six an octave, to 256 MiB or four times the last cache, whichever is more,
 * within what the probe may touch. Points, in seconds per node visited: chase       a pointer in
 * the node leads to the next; 1, 2, 4, 8 or 16 such chains at a time array       the number in the
 * node leads to the next, in the same order list        as chase with one chain, in the same order,
 * over nodes from malloc sequential  the nodes as they lie in memory, adding a number from each
 *   prefetch    by an array of pointers, each visit needing the one before; the line of the node
 *               `ahead` visits on is asked for meanwhile */
#ifndef AOLAG_PROBE_MEMORY_H
#define AOLAG_PROBE_MEMORY_H

#include "probe/probe.h"

/* Adds these points, and to the conditions how much of the memory came in huge pages. */
enum status probe_memory(struct probe *probe, struct error *error);

/* The cycle --------------------------------------------------------------------------------------
 * A walk over one cycle of cache lines in random order: every access needs the one before. */

#define CHASE_LINE 64 /* B */
#define CHASE_CHAINS_MAX 16

/* A node fills a line and knows the next one of the walk in two ways, and itself. */
struct chase_node {
    struct chase_node *next;
    uint32_t after;  /* number of the next */
    uint32_t number; /* from 0 as they lie in memory */
    uint32_t step;   /* 1, which no compiler knows: makes what comes next need this node */
    char rest[CHASE_LINE - sizeof(struct chase_node *) - 3 * sizeof(uint32_t)];
};

/* Makes `count` nodes one cycle in random order: `order` becomes a random permutation of their
 * numbers that begins with 0 (Durstenfeld, Algorithm 235, CACM 7, 1964), and each node leads to the
 * next in it. At least one node, at most 2^32. */
void chase_link(struct chase_node *nodes, uint32_t *order, size_t count, uint64_t seed);

/* Where in that order chain `chain` of `chains` starts: evenly spaced, rounded down. Chains that
 * start so follow each other at the same distance for ever, and each finds a line as long untouched
 * as a single chain would. */
size_t chase_start(size_t count, int chain, int chains);

/* A linked list whose nodes come from the heap one by one, in the order of a chase. */
struct heap_list {
    struct chase_node **node; /* by number */
    size_t count;
};

/* One cycle of `count` nodes from malloc; each node's number and the number of its next are those
 * of `nodes`, so the walk has the same order. False without memory; then there is nothing to free.
 */
bool heap_list_make(struct heap_list *list, const struct chase_node *nodes, size_t count);
void heap_list_free(struct heap_list *list);

/* Walks ------------------------------------------------------------------------------------------
 * The loops that are timed. Each goes on where it stopped, so that a run after another finds the
 * caches as an endless walk leaves them. */

/* A repeat is one step of each chain: it follows the pointer in its node, nothing else. */
struct walk_chains {
    const struct chase_node *at[CHASE_CHAINS_MAX];
};

/* The loop for 1, 2, 4, 8 or 16 chains, whose data is a struct walk_chains; NULL for others. */
probe_loop *walk_chains(int chains);

/* Loads what chains at their starts (chase_start) would have visited in the `steps` steps before,
 * at most count / chains, in the same order, so that the caches are as such a walk leaves them. It
 * knows the order and waits for no node, so it takes a fraction of the time. Returns the sum of the
 * nodes' numbers. */
uint64_t walk_warm_caches(const struct chase_node *nodes, const uint32_t *order, size_t count,
                          int chains, size_t steps);

/* A repeat is one step by number: the next node's place is the array's start and the number read
 * from the node before. */
struct walk_array {
    const struct chase_node *nodes;
    uint32_t at;
};

probe_loop walk_array;

/* A repeat adds the number of one node; they are visited as they lie in memory, and no visit needs
 * the one before. */
struct walk_sequential {
    const struct chase_node *nodes;
    size_t count, at;
    uint64_t sum;
};

probe_loop walk_sequential;

#define WALK_AHEAD_MAX 32 /* nodes */

/* A repeat visits one node by way of an array of pointers in the order of the walk: it loads the
 * pointer, asks for the line of the node `ahead` further on (0: does not), and loads from the node
 * its number, which is added, and the step that leads to the next pointer, so that the next visit
 * needs this one. */
struct walk_prefetch {
    const struct chase_node *const *order; /* count + WALK_AHEAD_MAX: the first come again */
    size_t count, at;
    size_t ahead;
    uint64_t sum;
};

probe_loop walk_prefetch;

#endif
