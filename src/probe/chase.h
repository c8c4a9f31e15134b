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
 * Sattolo's algorithm", INRIA 2004). `after` is scratch for count numbers. At most 2^32 nodes. */
void chase_link(struct chase_node *nodes, uint32_t *after, size_t count, uint64_t seed);

#define CHASE_MARKS 64

/* Where the first nodes in memory are on the walk. */
struct chase_survey {
    size_t count; /* nodes of the cycle */
    int marks;    /* as many as there are nodes, CHASE_MARKS at most */
    struct chase_mark {
        uint32_t number;
        size_t position; /* steps from node 0 */
    } mark[CHASE_MARKS]; /* in the order of the walk, from node 0 */
};

/* Walks the links from all marks at once, each to the next mark, at a fraction of the time that a
 * single walk takes. False unless the nodes are one cycle of `count`: the ways between the marks
 * must join all of them, and be `count` steps together. */
bool chase_survey(const struct chase_node *nodes, size_t count, struct chase_survey *survey);

/* The numbers of the nodes in the order of the walk from node 0. */
void chase_order(const struct chase_node *nodes, const struct chase_survey *survey,
                 uint32_t order[]);

/* Where in that order chain `chain` of `chains` starts: evenly spaced, rounded down. Chains that
 * start so follow each other at the same distance for ever, and each finds a line as long untouched
 * as a single chain would. */
size_t chase_start(size_t count, int chain, int chains);

/* Steps from `start` until it comes again; `most` at most. A cycle of n nodes has length n. */
size_t chase_length(const struct chase_node *start, size_t most);

#endif
