/* The loops that the latency staircase times. Each goes on where it stopped, so that a run after
 * another finds the caches as an endless walk leaves them. */
#ifndef AOLAG_WALKS_H
#define AOLAG_WALKS_H

#include <stddef.h>
#include <stdint.h>

#include "chase.h"
#include "probe.h"

/* A repeat is one step of each chain: it follows the pointer in its node, nothing else. */
struct walk_chains {
    const struct chase_node *at[CHASE_CHAINS_MAX];
};

/* The loop for 1, 2, 4, 8 or 16 chains, whose data is a struct walk_chains; NULL for others. */
probe_loop *walk_chains(int chains);

/* Loads what chains at their starts (chase_start) would have come over in the `steps` steps before,
 * at most count / chains, in the same order, so that the caches are as such a walk leaves them. It
 * knows the order and waits for no node, so it takes a fraction of the time. Returns the sum of the
 * nodes' numbers. */
uint64_t walk_approach(const struct chase_node *nodes, const uint32_t *order, size_t count,
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
