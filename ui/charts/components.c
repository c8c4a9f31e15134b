#include "charts/components.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/table.h"
#include "draw/text.h"
#include "model/alike.h"
#include "model/result_read.h"
#include "model/verdict.h"

#define ROOM 1.75 /* axis length over longest bar, with room for its label */

/* Adds the bar of a node, as the load on the screen has it: the larger one of compute and memory,
 * and behind it the overhead. The readout of a camera is no load and has no bar. */
static void add_bar(struct chart *chart, int item, const struct scenario *scenario,
                    const struct result *result, int n)
{
    const struct node_result *node = &result->node[n];
    const bool computes = component_type_computes(node->type);
    const double overhead = computes ? result_overhead(node) : 0;
    const int alike = nodes_count_alike(result, n);
    char name[NODE_NAME_MAX + 32], time[32], text[96];
    int row;

    node_plain_name(node->name, name);
    if (alike > 1)
        snprintf(name + strlen(name), sizeof name - strlen(name), " \xC3\x97%d", alike);
    row = chart_row(chart, alike > 1 ? name : node->name);
    text_quantity(node->time, "s", true, time, sizeof time);
    snprintf(text, sizeof text, "%s %s", time, verdict_word(scenario, result, n));
    if (overhead > 0)
        chart_span(chart, item, row, node->time - overhead, node->time, LOOK_OVERHEAD, text);
    chart_span(chart, item, row, 0, node->type == COMPONENT_CAMERA ? 0 : node->time - overhead,
               look_of_load(node, !computes), overhead > 0 ? NULL : text);
}

void chart_components(struct chart *chart, const struct scenario *scenario,
                      const struct result *result)
{
    double longest = 0;
    char latency[32];
    int item;

    chart_init(chart, "Load of every component and transfer");
    text_quantity(result->latency, "s", true, latency, sizeof latency);
    chart_note(chart, "RTC latency %s", latency);
    item = chart_add(chart, CHART_SPANS, LOOK_COMPUTE, "compute");
    for (int n = 0; n < result->node_count; n++) {
        if (nodes_count_alike(result, n) == 0)
            continue;
        add_bar(chart, item, scenario, result, n);
        if (result->node[n].type != COMPONENT_CAMERA)
            longest = fmax(longest, result->node[n].time);
    }
    chart_x(chart, plot_axis_around(PLOT_LINEAR, 0, ROOM * longest, "s"), "time per frame");
}

/* Table ---------------------------------------------------------------------------------------- */

void components_table(const struct scenario *scenario, const struct result *result, FILE *out,
                      int columns)
{
    struct table table =
        table_headed((const char *const[]){"component", "device", "compute", "memory", "overhead",
                                           "total", "limit", NULL},
                     4U | 8U | 16U | 32U, -1);

    table.folded = 2U | 64U; /* names are longer than what is left of a narrow screen */
    fprintf(out, "Times per frame; the total includes overheads.\n\n");
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        const bool computes = component_type_computes(node->type);
        const double overhead = result_overhead(node);

        table_add(&table, node->name);
        table_add(&table, node->device < 0 ? "" : result->device[node->device].name);
        table_quantity(&table, computes ? node->compute : RESULT_NONE, "s");
        table_quantity(&table, computes ? node->memory : RESULT_NONE, "s");
        table_quantity(&table, overhead > 0 ? overhead : RESULT_NONE, "s");
        table_quantity(&table, node->time, "s");
        table_add(&table, verdict_word(scenario, result, n));
    }
    table_close(&table, out, columns);
}
