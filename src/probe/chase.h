/* Nodes in memory that form one cycle in random order, and the timed walks over them. */
#ifndef AOLAG_PROBE_CHASE_H
#define AOLAG_PROBE_CHASE_H

#include "probe/probe.h"

#define CHASE_LINE 64 /* B */
#define CHASE_CHAINS_MAX 16

/* A node fills a cache line. */
struct chase_node {
    struct chase_node *next;
    uint32_t after;  /* number of the next node */
    uint32_t number; /* position in memory, from 0 */
    uint32_t step;   /* 1, unknown to the compiler: makes the next visit depend on this node */
    char rest[CHASE_LINE - sizeof(struct chase_node *) - 3 * sizeof(uint32_t)];
};

/* Writes a random permutation of 0 to count - 1 (count from 1 to 2^32) that begins with 0
 * (Durstenfeld, Algorithm 235, CACM 7, 1964). */
void chase_shuffle(uint32_t *order, size_t count, uint64_t seed);

/* Links `count` nodes (1 to 2^32) into one cycle in random order: `order` becomes a random
 * permutation of their numbers (chase_shuffle), and each node points to the next in it. */
void chase_link(struct chase_node *nodes, uint32_t *order, size_t count, uint64_t seed);

/* Returns the start of chain `chain` of `chains` in that order: evenly spaced, rounded down. The
 * distances between the chains then remain constant, and each line has the same reuse distance as
 * with a single chain. */
size_t chase_start(size_t count, int chain, int chains);

/* A linked list of nodes allocated one by one, in the order of a chase. */
struct heap_list {
    struct chase_node **node; /* indexed by number */
    size_t count;
};

/* Copies the nodes to the heap, one malloc each, and links them in the same order. */
void heap_list_make(struct heap_list *list, const struct chase_node *nodes, size_t count);
void heap_list_free(struct heap_list *list);

/* Walks ---------------------------------------------------------------------------------------- */

/* The timed loops. Each continues where it stopped, so that the caches stay in steady state. */

/* A repeat advances each chain by one step. */
struct walk_chains {
    const struct chase_node *at[CHASE_CHAINS_MAX];
};

/* Returns the loop, on a struct walk_chains, for 1, 2, 4, 8 or 16 chains; otherwise NULL. */
probe_loop *walk_chains(int chains);

/* Brings the caches to the state after `steps` steps, at most count / chains, of chains at their
 * starts (chase_start). The loads are independent and take a fraction of the time of a chase.
 * Returns the sum of the nodes' numbers. */
uint64_t walk_warm_caches(const struct chase_node *nodes, const uint32_t *order, size_t count,
                          int chains, size_t steps);

/* A repeat is one step by index. */
struct walk_array {
    const struct chase_node *nodes;
    uint32_t at;
};

probe_loop walk_array;

/* A repeat adds the number of one node, in memory order; visits are independent. */
struct walk_sequential {
    const struct chase_node *nodes;
    size_t count, at;
    uint64_t sum;
};

probe_loop walk_sequential;

#define WALK_AHEAD_MAX 32 /* nodes */

/* A repeat visits one node through an array of pointers: it loads the pointer, prefetches the node
 * `ahead` pointers later (0: none), adds the node's number, and advances by the node's step, which
 * makes the next visit depend on this one. */
struct walk_prefetch {
    const struct chase_node *const *order; /* count + WALK_AHEAD_MAX; begins again after count */
    size_t count, at;
    size_t ahead;
    uint64_t sum;
};

probe_loop walk_prefetch;

#endif
