#include <stdio.h>

#include "tui/app_state.h"
#include "tui/explore_nodes.h"
#include "tui/layout.h"

static void move_to(struct app *app, int node)
{
    int count = nodes_count(app);

    if (node >= count)
        node = count - 1;
    if (node < 0)
        node = 0;
    if (count > 0)
        snprintf(app->explore.node, sizeof app->explore.node, "%s",
                 app->result.node[node_head(app, node)].name);
}

/* Unfolds or folds what is alike; else to the component's knobs. What is inserted between two has
 * none of its own. */
static void show(struct app *app)
{
    int node = explore_node(app);
    enum section section;
    int index;

    if (node < 0)
        return;
    if (node_alike(app, node) > 1) {
        app->explore.unfolded = !app->explore.unfolded;
        return;
    }
    if (!explore_section(app, &section, &index)) {
        app_say(app, STYLE_NORMAL, "%s is inserted where neighbours sit on different devices",
                app->result.node[node].name);
        return;
    }
    explore_show(app, section, index, NULL);
    tree_open(&app->explore.tree, &app->scenario, section, index, true);
    app->explore.pane = PLACE_KNOBS;
}

void explore_act_components(struct app *app, enum action_id id)
{
    int node = explore_node(app);
    int page = (app->explore.layout.components.rows - 2) / 2;

    if (node < 0)
        return;
    if (id == ACTION_UP || id == ACTION_DOWN)
        move_to(app, node + (id == ACTION_UP ? -1 : node_shared(app, node)));
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        move_to(app, node + (id == ACTION_PAGE_UP ? -page : page));
    else if (id == ACTION_START || id == ACTION_END)
        move_to(app, id == ACTION_START ? 0 : NODE_MAX);
    else if (id == ACTION_ENTER)
        show(app);
}

/* Scrolls, taking the cursor along only where it would be lost. */
static void scroll(struct app *app, int by)
{
    struct explore *explore = &app->explore;
    int visible = explore->layout.components.rows - 2;
    int last = nodes_rows(app, nodes_count(app)) - visible;
    int node = explore_node(app);

    if (node < 0)
        return;
    explore->node_first += by;
    if (explore->node_first > last)
        explore->node_first = last;
    if (explore->node_first < 0)
        explore->node_first = 0;
    while (node < nodes_count(app) - 1 &&
           (nodes_rows(app, node) < explore->node_first || node_rows(app, node) == 0))
        node++;
    while (node > 0 && nodes_rows(app, node + 1) > explore->node_first + visible)
        node--;
    move_to(app, node);
}

void explore_mouse_components(struct app *app, const struct key_event *event)
{
    struct rect inside = rect_inside(app->explore.layout.components);
    int row = event->row - inside.row + app->explore.node_first;
    int at = 0;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        scroll(app, event->mouse == MOUSE_WHEEL_UP ? -2 : 2);
        return;
    }
    if (event->mouse != MOUSE_PRESS)
        return;
    app->explore.pane = PLACE_COMPONENTS;
    for (int n = 0; n < nodes_count(app) && rect_holds(inside, event->row, event->column); n++) {
        at += node_rows(app, n);
        if (row < at) {
            move_to(app, n);
            return;
        }
    }
}
