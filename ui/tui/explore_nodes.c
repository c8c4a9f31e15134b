#include "tui/explore_nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/app_state.h"
#include "tui/widget.h"

bool node_has_bars(const struct node_result *node)
{
    return component_type_computes(node->type);
}

bool node_is_critical(const struct app *app, int number)
{
    const struct node_result *node = &app->result.node[number];

    if (node->path_wait > 0 || node->path_busy > 0)
        return true;
    if (node->type == COMPONENT_CAMERA) /* the path begins at its end */
        return false;
    for (int i = 0; i < app->result.path_count; i++)
        if (app->result.path[i].node == number)
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
static bool follows(const struct app *app, int number)
{
    return number > 0 && number < app->result.node_count &&
           alike(&app->result.node[number - 1], &app->result.node[number]);
}

static int run_end(const struct app *app, int number)
{
    while (follows(app, number + 1))
        number++;
    return number;
}

static int run_start(const struct app *app, int number)
{
    while (follows(app, number))
        number--;
    return number;
}

int node_alike(const struct app *app, int number)
{
    return run_end(app, number) - run_start(app, number) + 1;
}

int node_head(const struct app *app, int number)
{
    return app->explore.unfolded ? number : run_start(app, number);
}

int node_shared(const struct app *app, int number)
{
    return app->explore.unfolded ? 1 : node_alike(app, number);
}

/* Rows ---------------------------------------------------------------------------------------- */

int node_rows(const struct app *app, int number)
{
    const struct node_result *node = &app->result.node[number];

    if (!app->explore.unfolded && follows(app, number))
        return 0;
    if (!node_has_bars(node) || node->part >= 0)
        return 1;
    return node->deferred > 0 ? 3 : 2;
}

int nodes_rows(const struct app *app, int end)
{
    int rows = 0;

    for (int n = 0; n < end; n++)
        rows += node_rows(app, n);
    return rows;
}

int nodes_count(const struct app *app)
{
    return app->evaluated ? app->result.node_count : 0;
}

int explore_node(const struct app *app)
{
    int node = app->explore.node[0] == '\0' ? 0 : result_find_node(&app->result, app->explore.node);

    if (nodes_count(app) == 0)
        return -1;
    return node < 0 ? 0 : node_head(app, node);
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

void node_label(const struct app *app, int number, char text[NODE_LABEL])
{
    const struct node_result *node = &app->result.node[node_head(app, number)];
    const char *device = strchr(node->name, '@');
    int shared = node_shared(app, number);
    const char *last;

    if (node->part < 0 || device == NULL) {
        snprintf(text, NODE_LABEL, "%s", node->name);
        if (shared == 1)
            return;
        node_strip_devices(node->name, text);
        snprintf(text + strlen(text), NODE_LABEL - strlen(text), " \xC3\x97%d", shared);
        return;
    }
    last = strchr(app->result.node[node_head(app, number) + shared - 1].name, '@');
    snprintf(text, NODE_LABEL, "  %s", device);
    if (shared > 1 && last != NULL)
        print_range(device, last, text + 2, NODE_LABEL - 2);
}

const char *node_device(const struct app *app, const struct node_result *node,
                        char text[NODE_LABEL])
{
    if (node_is_whole(node))
        snprintf(text, NODE_LABEL, "%d parts", node->parts);
    else if (node->part >= 0 || node->device < 0 || node->device >= app->scenario.device_count)
        return "";
    else
        return app->scenario.device[node->device].head.name;
    return text;
}

void node_whole(const struct node_result *node, char *text, size_t size)
{
    char time[32];

    quantity_show(node->time, "s", time, sizeof time);
    snprintf(text, size, "%s %s", time, bound_name(node->bound));
}
