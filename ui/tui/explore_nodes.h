/* The components and transfers of a result as rows of the component pane. */
#ifndef AOLAG_EXPLORE_NODES_H
#define AOLAG_EXPLORE_NODES_H

#include <stdbool.h>

#include "result.h"

struct app;

/* Whether it computes, and so has a bar for that and one for memory. */
bool node_has_bars(const struct node_result *node);

/* Two for a computation and its memory; one for a part, the larger of the two. */
int node_rows(const struct node_result *node);

/* Nodes there are, also of a stale result; the rows of those before number `end`. */
int nodes_count(const struct app *app);
int nodes_rows(const struct app *app, int end);

#endif
