#include "explore_nodes.h"

#include "app_state.h"

bool node_has_bars(const struct node_result *node)
{
    return component_type_computes(node->type);
}

int node_rows(const struct node_result *node)
{
    return node_has_bars(node) && node->part < 0 ? 2 : 1;
}

/* Rows of the nodes before number `end`. */
int nodes_rows(const struct app *app, int end)
{
    int rows = 0;

    for (int n = 0; n < end; n++)
        rows += node_rows(&app->result.node[n]);
    return rows;
}

int nodes_count(const struct app *app)
{
    return app->evaluated ? app->result.node_count : 0;
}

int explore_node(const struct app *app)
{
    int node = app->explore.node[0] == '\0' ? 0 : result_node(&app->result, app->explore.node);

    if (nodes_count(app) == 0)
        return -1;
    return node < 0 ? 0 : node;
}
