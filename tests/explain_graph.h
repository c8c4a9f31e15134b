/* All that an evaluated design's results are explained by, each quantity once, every formula
 * recomputed from its inputs on the way. */
#ifndef AOLAG_EXPLAIN_GRAPH_H
#define AOLAG_EXPLAIN_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "explain/explain.h"

#define GRAPH_NODES 60000
#define GRAPH_EDGES 400000
#define GRAPH_WORDS 12 /* of knob bits: 64 each */

struct graph_node {
    char path[EXPLAIN_PATH_MAX];
    double value;
    int knob; /* its number, -1: none */
    int first_edge, edge_count;
    uint64_t reach[GRAPH_WORDS]; /* the knobs in its tree */
    bool opaque;                 /* no arithmetic: counted or simulated */
};

struct graph {
    struct explain explain;
    const char *design; /* for reports */
    int node_count, edge_count, knob_count, opaque_count;
    int wrong; /* formulas that do not give the value, nodes that are not finite */
    struct graph_node *node;
    int *edge;
    int *table; /* node numbers by hash of the path, -1: free */
    char (*knob)[EXPLAIN_PATH_MAX];
};

/* Room for one graph at a time; false without memory. */
bool graph_init(struct graph *graph);
void graph_free(struct graph *graph);

/* Explains every result of the design. What is wrong is reported as failed checks, a few of them,
 * and counted. */
void graph_build(struct graph *graph, const struct scenario *scenario, const struct result *result,
                 const char *design);

/* The node of a path, or NULL. */
const struct graph_node *graph_find(const struct graph *graph, const char *path);

/* Whether a knob stands in a node's tree. */
bool graph_names(const struct graph *graph, const struct graph_node *node, const char *knob);

#endif
