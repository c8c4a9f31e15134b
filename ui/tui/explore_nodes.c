#include "tui/explore_nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/host.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

bool node_has_bars(const struct node_result *node)
{
    return component_type_computes(node->type);
}

bool node_is_critical(const struct explore *explore, int number)
{
    const struct node_result *node = &explore->host->design.result.node[number];

    if (node->path_wait > 0 || node->path_busy > 0)
        return true;
    if (node->type == COMPONENT_CAMERA) /* the path begins at its end */
        return false;
    for (int i = 0; i < explore->host->design.result.path_count; i++)
        if (explore->host->design.result.path[i].node == number)
            return true;
    return false;
}

/* Rows that are alike. ------------------------------------------------------------------------ */

static bool same(double a, double b)
{
    return fabs(a - b) <= 5e-4 * fmax(fabs(a), fabs(b));
}

void node_strip_devices(const char *name, char text[NODE_LABEL])
{
    size_t used = 0;

    while (*name != '\0') {
        if (*name == '@')
            name += strcspn(name, ">.");
        else
            text[used++] = *name++;
    }
    text[used] = '\0';
}

static bool alike(const struct node_result *a, const struct node_result *b)
{
    char first[NODE_LABEL];
    char second[NODE_LABEL];

    if (a->component != b->component || a->type != b->type || !same(a->time, b->time) ||
        !same(a->compute, b->compute) || !same(a->memory, b->memory))
        return false;
    if (a->component >= 0)
        return a->part >= 0 && b->part >= 0 && a->level == b->level;
    node_strip_devices(a->name, first);
    node_strip_devices(b->name, second);
    return strcmp(first, second) == 0;
}

/* Whether it is like the one before it. */
static bool follows(const struct explore *explore, int number)
{
    return number > 0 && number < explore->host->design.result.node_count &&
           alike(&explore->host->design.result.node[number - 1],
                 &explore->host->design.result.node[number]);
}

static int run_end(const struct explore *explore, int number)
{
    while (follows(explore, number + 1))
        number++;
    return number;
}

static int run_start(const struct explore *explore, int number)
{
    while (follows(explore, number))
        number--;
    return number;
}

int node_alike(const struct explore *explore, int number)
{
    return run_end(explore, number) - run_start(explore, number) + 1;
}

int node_head(const struct explore *explore, int number)
{
    return explore->unfolded ? number : run_start(explore, number);
}

int node_shared(const struct explore *explore, int number)
{
    return explore->unfolded ? 1 : node_alike(explore, number);
}

/* Rows ---------------------------------------------------------------------------------------- */

int node_rows(const struct explore *explore, int number)
{
    const struct node_result *node = &explore->host->design.result.node[number];

    if (!explore->unfolded && follows(explore, number))
        return 0;
    if (!node_has_bars(node) || node->part >= 0)
        return 1;
    return node->deferred > 0 ? 3 : 2;
}

int nodes_rows(const struct explore *explore, int end)
{
    int rows = 0;

    for (int n = 0; n < end; n++)
        rows += node_rows(explore, n);
    return rows;
}

int nodes_count(const struct explore *explore)
{
    return explore->host->design.evaluated ? explore->host->design.result.node_count : 0;
}

int explore_node(const struct explore *explore)
{
    int node = explore->node[0] == '\0'
                   ? 0
                   : result_find_node(&explore->host->design.result, explore->node);

    if (nodes_count(explore) == 0)
        return -1;
    return node < 0 ? 0 : node_head(explore, node);
}

/* Words --------------------------------------------------------------------------------------- */

void print_range(const char *first, const char *last, char *text, size_t size)
{
    size_t common = 0;

    while (first[common] != '\0' && first[common] == last[common])
        common++;
    while (common > 0 && strchr("0123456789", last[common - 1]) != NULL)
        common--;
    if (strspn(last + common, "0123456789") != strlen(last + common))
        common = 0;
    snprintf(text, size, "%s\xE2\x80\x93%s", first, last + common);
}

void node_label(const struct explore *explore, int number, char text[NODE_LABEL])
{
    const struct node_result *node = &explore->host->design.result.node[node_head(explore, number)];
    const char *device = strchr(node->name, '@');
    int shared = node_shared(explore, number);
    const char *last;

    if (node->part < 0 || device == NULL) {
        snprintf(text, NODE_LABEL, "%s", node->name);
        if (shared == 1)
            return;
        node_strip_devices(node->name, text);
        snprintf(text + strlen(text), NODE_LABEL - strlen(text), " \xC3\x97%d", shared);
        return;
    }
    last = strchr(explore->host->design.result.node[node_head(explore, number) + shared - 1].name,
                  '@');
    snprintf(text, NODE_LABEL, "  %s", device);
    if (shared > 1 && last != NULL)
        print_range(device, last, text + 2, NODE_LABEL - 2);
}

const char *node_device(const struct explore *explore, const struct node_result *node,
                        char text[NODE_LABEL])
{
    if (node_is_whole(node))
        snprintf(text, NODE_LABEL, "%d parts", node->parts);
    else if (node->part >= 0 || node->device < 0 ||
             node->device >= explore->host->design.scenario.device_count)
        return "";
    else
        return explore->host->design.scenario.device[node->device].head.name;
    return text;
}

void node_whole(const struct node_result *node, char *text, size_t size)
{
    char time[32];

    quantity_show(node->time, "s", time, sizeof time);
    snprintf(text, size, "%s %s", time, bound_name(node->bound));
}
