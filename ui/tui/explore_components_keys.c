#include <stdio.h>

#include "tui/explore_nodes.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/view_explore.h"

static void move_to(struct explore *explore, int node)
{
    int count = nodes_count(explore);

    if (node >= count)
        node = count - 1;
    if (node < 0)
        node = 0;
    if (count > 0)
        snprintf(explore->node, sizeof explore->node, "%s",
                 explore->host->design.result.node[node_head(explore, node)].name);
}

/* Unfolds or folds what is alike; else to the component's knobs. What is inserted between two has
 * none of its own. */
static void show(struct explore *explore)
{
    int node = explore_node(explore);
    enum section section;
    int index;

    if (node < 0)
        return;
    if (node_alike(explore, node) > 1) {
        explore->unfolded = !explore->unfolded;
        return;
    }
    if (!explore_section(explore, &section, &index)) {
        host_say(explore->host, STYLE_NORMAL,
                 "%s is inserted where neighbours sit on different devices",
                 explore->host->design.result.node[node].name);
        return;
    }
    explore_show(explore, section, index, NULL, true);
}

void explore_act_components(struct explore *explore, enum action_id id)
{
    int node = explore_node(explore);
    int page = (explore->layout.components.rows - 2) / 2;

    if (node < 0)
        return;
    if (id == ACTION_UP || id == ACTION_DOWN)
        move_to(explore, node + (id == ACTION_UP ? -1 : node_shared(explore, node)));
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        move_to(explore, node + (id == ACTION_PAGE_UP ? -page : page));
    else if (id == ACTION_START || id == ACTION_END)
        move_to(explore, id == ACTION_START ? 0 : NODE_MAX);
    else if (id == ACTION_ENTER)
        show(explore);
}

/* Scrolls, taking the cursor along only where it would be lost. */
static void scroll(struct explore *explore, int by)
{
    int visible = explore->layout.components.rows - 2;
    int last = nodes_rows(explore, nodes_count(explore)) - visible;
    int node = explore_node(explore);

    if (node < 0)
        return;
    explore->node_first += by;
    if (explore->node_first > last)
        explore->node_first = last;
    if (explore->node_first < 0)
        explore->node_first = 0;
    while (node < nodes_count(explore) - 1 &&
           (nodes_rows(explore, node) < explore->node_first || node_rows(explore, node) == 0))
        node++;
    while (node > 0 && nodes_rows(explore, node + 1) > explore->node_first + visible)
        node--;
    move_to(explore, node);
}

void explore_mouse_components(struct explore *explore, const struct key_event *event)
{
    struct rect inside = rect_inside(explore->layout.components);
    int row = event->row - inside.row + explore->node_first;
    int at = 0;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        scroll(explore, event->mouse == MOUSE_WHEEL_UP ? -2 : 2);
        return;
    }
    if (event->mouse != MOUSE_PRESS)
        return;
    explore->pane = PLACE_COMPONENTS;
    for (int n = 0; n < nodes_count(explore) && rect_holds(inside, event->row, event->column);
         n++) {
        at += node_rows(explore, n);
        if (row < at) {
            move_to(explore, n);
            return;
        }
    }
}
