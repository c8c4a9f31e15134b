#include "explain_graph.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/result_read.h"

#define TABLE 131072 /* a power of two */
#define DEPTH_MOST 500
#define REPORTED 5
#define KNOBS (64 * GRAPH_WORDS)

bool graph_init(struct graph *graph)
{
    *graph = (struct graph){.node = calloc(GRAPH_NODES, sizeof *graph->node),
                            .edge = calloc(GRAPH_EDGES, sizeof *graph->edge),
                            .table = calloc(TABLE, sizeof *graph->table),
                            .knob = calloc(KNOBS, sizeof *graph->knob)};
    return graph->node != NULL && graph->edge != NULL && graph->table != NULL &&
           graph->knob != NULL;
}

void graph_free(struct graph *graph)
{
    free(graph->node);
    free(graph->edge);
    free(graph->table);
    free(graph->knob);
    *graph = (struct graph){.node_count = 0};
}

static int *table_entry(const struct graph *graph, const char *path)
{
    uint64_t hash = 14695981039346656037U;

    for (const char *at = path; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211U;
    for (uint64_t i = hash;; i++) {
        int *entry = &graph->table[i % TABLE];

        if (*entry < 0 || strcmp(graph->node[*entry].path, path) == 0)
            return entry;
    }
}

static bool near(double a, double b, double relative)
{
    return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b)) + 1e-300;
}

static bool report(struct graph *graph)
{
    return graph->wrong++ < REPORTED;
}

/* Of a difference between two of the design's times; a time is the sum of many slots, and each
 * rounds. */
static double rounding(const struct graph *graph)
{
    const struct result *result = graph->explain.result;

    return 64 * DBL_EPSILON * (result->first_pixel + result->frame_period);
}

static void check_formula(struct graph *graph, const struct explain_node *node,
                          struct graph_node *entry)
{
    double value;
    enum expression_outcome outcome = explain_recompute(&graph->explain, node, &value);

    entry->opaque = outcome == EXPRESSION_OPAQUE;
    graph->opaque_count += entry->opaque;
    if (outcome == EXPRESSION_OPAQUE ||
        (outcome == EXPRESSION_OK &&
         (near(value, node->value, 1e-9) || fabs(value - node->value) <= rounding(graph))))
        return;
    if (report(graph))
        CHECK_TRUE(false, "%s: %s = %.12g, but %s%s gives %.12g", graph->design, node->path,
                   node->value, node->formula, outcome == EXPRESSION_BAD ? " (no formula)" : "",
                   value);
}

static int knob_number_of(struct graph *graph, const struct explain_node *node)
{
    if (node->knob.knob == NULL)
        return -1;
    for (int k = 0; k < graph->knob_count; k++)
        if (strcmp(graph->knob[k], node->path) == 0)
            return k;
    if (!CHECK_TRUE(graph->knob_count < KNOBS, "%s: too many knobs", graph->design))
        return -1;
    snprintf(graph->knob[graph->knob_count], EXPLAIN_PATH_MAX, "%s", node->path);
    return graph->knob_count++;
}

static int add_node(struct graph *graph, const struct explain_node *node, int depth);

/* Children first, so that their edges do not lie among those of this node. */
static void add_children(struct graph *graph, const struct explain_node *node, int number,
                         int depth)
{
    struct explain_node *child = malloc(sizeof *child);
    int *children = NULL;
    int count = 0;

    while (child != NULL && explain_child(&graph->explain, node, count, child)) {
        int *longer = realloc(children, sizeof *children * (size_t)(count + 1));

        if (!CHECK(longer != NULL))
            break;
        children = longer;
        children[count++] = add_node(graph, child, depth + 1);
    }
    free(child);
    if (CHECK_TRUE(graph->edge_count + count <= GRAPH_EDGES, "%s: too many inputs",
                   graph->design)) {
        graph->node[number].first_edge = graph->edge_count;
        graph->node[number].edge_count = count;
        for (int i = 0; i < count; i++) {
            graph->edge[graph->edge_count++] = children[i];
            for (int w = 0; w < GRAPH_WORDS && children[i] >= 0; w++)
                graph->node[number].reach[w] |= graph->node[children[i]].reach[w];
        }
    }
    free(children);
}

/* The number of the node, which is new or known. */
static int add_node(struct graph *graph, const struct explain_node *node, int depth)
{
    int *entry = table_entry(graph, node->path);
    struct graph_node *added;
    int number = graph->node_count;

    if (*entry >= 0)
        return *entry;
    if (!CHECK_TRUE(number < GRAPH_NODES && depth < DEPTH_MOST, "%s: %s lies too deep or too far",
                    graph->design, node->path))
        return -1;
    *entry = graph->node_count++;
    added = &graph->node[number];
    *added = (struct graph_node){.value = node->value, .knob = knob_number_of(graph, node)};
    snprintf(added->path, sizeof added->path, "%s", node->path);
    if (added->knob >= 0)
        added->reach[added->knob / 64] |= UINT64_C(1) << (added->knob % 64);
    if (!isfinite(node->value) && report(graph))
        CHECK_TRUE(false, "%s: %s is not finite", graph->design, node->path);
    if (node->formula[0] != '\0')
        check_formula(graph, node, added);
    if (explain_is_made(&graph->explain, node)) {
        add_children(graph, node, number, depth);
        if (added->opaque && added->edge_count == 0 && report(graph))
            CHECK_TRUE(false, "%s: %s = %s has no inputs", graph->design, node->path,
                       node->formula);
    }
    return number;
}

void graph_build(struct graph *graph, const struct scenario *scenario, const struct result *result,
                 const char *design)
{
    graph->explain = (struct explain){scenario, result, NULL};
    graph->design = design;
    graph->node_count = graph->edge_count = graph->knob_count = graph->opaque_count = 0;
    graph->wrong = 0;
    for (int i = 0; i < TABLE; i++)
        graph->table[i] = -1;
    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        for (int i = 0; i < result_count(result, result_rows[r].scope); i++) {
            struct explain_node node;
            struct error error = {STATUS_OK, ""};
            char path[EXPLAIN_PATH_MAX];

            explain_path(&graph->explain, &result_rows[r], i, path, sizeof path);
            if (CHECK_TRUE(explain_find(&graph->explain, path, &node, &error) == STATUS_OK,
                           "%s: %s: %s", design, path, error.message))
                add_node(graph, &node, 0);
        }
    CHECK_INT(graph->wrong, 0);
}

const struct graph_node *graph_find(const struct graph *graph, const char *path)
{
    int number = *table_entry(graph, path);

    return number < 0 ? NULL : &graph->node[number];
}

bool graph_names(const struct graph *graph, const struct graph_node *node, const char *knob)
{
    for (int k = 0; k < graph->knob_count; k++)
        if (strcmp(graph->knob[k], knob) == 0)
            return (node->reach[k / 64] >> (k % 64) & 1) != 0;
    return false;
}
