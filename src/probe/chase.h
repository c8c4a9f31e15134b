/* A walk over one cycle of cache lines in random order: every access needs the one before. */
#ifndef AOLAG_CHASE_H
#define AOLAG_CHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Makes `count` nodes one cycle in random order, Sattolo's algorithm (Wilson, "An overview of
 * Sattolo's algorithm", INRIA 2004). `after` is scratch for count numbers and holds each node's
 * next afterwards. At most 2^32 nodes. */
void chase_link(struct chase_node *nodes, uint32_t *after, size_t count, uint64_t seed);

/* The numbers of `parts` nodes evenly spaced over the walk from node 0: number k comes after
 * k·count/parts steps, rounded down. Chains that start there follow each other at the same
 * distance for ever, so each finds a line as long untouched as a single chain would. */
void chase_spaced(const uint32_t *after, size_t count, int parts, uint32_t start[]);

/* Whether the nodes are one cycle of `count`: walks the links from all spaced nodes at once. Each
 * must reach the next one's start after its share of the steps, and none come to node 0 but the
 * last with its last step. At most CHASE_CHAINS_MAX parts, at most one a node. */
bool chase_whole(const struct chase_node *nodes, size_t count, const uint32_t start[], int parts);

/* Steps from `start` until it comes again; `most` at most. A cycle of n nodes has length n. */
size_t chase_length(const struct chase_node *start, size_t most);

#endif
