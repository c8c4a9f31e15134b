#include <stdio.h>
#include <string.h>

#include "model/memory.h"
#include "tui/explore_nodes.h"
#include "tui/host.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

/* Shorter waits are what rounding leaves. */
#define SHORTEST_WAIT 1e-12 /* s */

/* What its end means for the last command. */
static void print_standing(const struct explore *explore, int number, char *text, size_t size)
{
    const struct node_result *node = &explore->host->design.result.node[number];
    char wait[32];
    char busy[32];

    quantity_show(node->slack, "s", busy, sizeof busy);
    snprintf(text, size, "slack %s", busy);
    if (!node_is_critical(explore, number))
        return;
    quantity_show(node->path_wait, "s", wait, sizeof wait);
    quantity_show(node->path_busy, "s", busy, sizeof busy);
    if (node->path_wait > SHORTEST_WAIT)
        snprintf(text, size, "critical, waits %s, busy %s", wait, busy);
    else if (node->path_busy > 0)
        snprintf(text, size, "critical, busy %s", busy);
    else
        snprintf(text, size, "critical, but the last packet brings nothing");
}

/* Of those that share a row the one that counts. */
static int spokesman(const struct explore *explore, int number)
{
    for (int n = number; n < number + node_shared(explore, number); n++)
        if (n == explore->host->design.result.bound_node || node_is_critical(explore, n))
            return n;
    return number;
}

/* "4.11 us overhead, +1.14 ms deferred" */
static void print_time(const struct node_result *node, char *text, size_t size)
{
    char whole[48];
    char time[32];

    node_whole(node, whole, sizeof whole);
    quantity_show(node->deferred, "s", time, sizeof time);
    if (node->deferred > 0)
        snprintf(text, size, "%s, +%s deferred", whole, time);
    else
        snprintf(text, size, "%s", whole);
}

/* "with deferred work 506 MFLOP, 1.01 GB from DRAM" */
static void print_work(const struct node_result *node, char *text, size_t size)
{
    char flop[32];
    char bytes[32];

    quantity_show(node->flop, "FLOP", flop, sizeof flop);
    quantity_show(node->bytes, "B", bytes, sizeof bytes);
    snprintf(text, size, "%s%s, %s from %s", node->deferred > 0 ? "with deferred work " : "", flop,
             bytes, memory_level_name(node->level));
}

void explore_detail_components(struct explore *explore, struct canvas *canvas, struct rect line)
{
    int number = explore_node(explore);
    const struct node_result *node;
    char time[96], work[128], bytes[32], start[32], end[32], standing[96];
    char label[NODE_LABEL];
    char word[NODE_LABEL];
    const char *device;
    const char *each;
    int used;

    if (number < 0)
        return;
    node_label(explore, number, label);
    each = node_shared(explore, number) > 1 ? "each " : "";
    number = spokesman(explore, number);
    node = &explore->host->design.result.node[number];
    quantity_show(node->bytes, "B", bytes, sizeof bytes);
    quantity_show(node->first_start, "s", start, sizeof start);
    quantity_show(node->last_end, "s", end, sizeof end);
    print_standing(explore, number, standing, sizeof standing);
    used = canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_TITLE,
                       each[0] != '\0' ? label + strspn(label, " ") : node->name) +
           3;
    device = node_device(explore, node, word);
    print_time(node, time, sizeof time);
    print_work(node, work, sizeof work);
    if (node_has_bars(node))
        canvas_printf(canvas, line.row, used, line.columns - used - 1, STYLE_DIM,
                      "%s%s%s%s \xC2\xB7 %s \xC2\xB7 %s \xC2\xB7 %s to %s \xC2\xB7 share %.3g",
                      device, device[0] == '\0' ? "" : " \xC2\xB7 ", each, time, standing, work,
                      start, end, node->share);
    else
        canvas_printf(canvas, line.row, used, line.columns - used - 1, STYLE_DIM,
                      "%s%s \xC2\xB7 %s to %s \xC2\xB7 %s", each, bytes, start, end, standing);
}
