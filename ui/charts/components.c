#include "charts/components.h"

#include <math.h>
#include <stdio.h>

#include "draw/table.h"
#include "draw/text.h"
#include "model/result_read.h"

#define ROOM 1.75 /* axis length over longest bar, with room for its label */

static bool has_bars(const struct node_result *node)
{
    return node->component >= 0 && node->part < 0 && component_type_computes(node->type);
}

/* Writes a time and, for memory, its level: "122 µs HBM binds". */
static void print_bar_label(const struct result *result, const struct node_result *node,
                            enum bound bound, char *text, size_t size)
{
    double value = bound == BOUND_COMPUTE ? node->compute : node->memory;
    char time[32] = "0 s";

    if (value != 0)
        text_quantity(value, "s", true, time, sizeof time);
    snprintf(text, size, "%s%s%s%s", time, bound == BOUND_MEMORY ? " " : "",
             bound == BOUND_MEMORY ? result_level_name(result, node) : "",
             node->bound == bound ? " limits" : "");
}

/* Adds the overhead: from the end of the longer bar to the total time. */
static bool add_rest(struct chart *chart, int item, int row, const struct node_result *node,
                     const char *bar)
{
    double longer = fmax(node->compute, node->memory);
    char time[32], text[160];

    if (!(node->time > longer))
        return false;
    text_quantity(node->time, "s", true, time, sizeof time);
    snprintf(text, sizeof text, "%s, %s in all%s", bar, time,
             node->bound == BOUND_OVERHEAD ? ", overhead limits" : "");
    chart_span(chart, item, row, longer, node->time, LOOK_OVERHEAD, text);
    return true;
}

static void add_bar(struct chart *chart, int item, const struct result *result,
                    const struct node_result *node, enum bound bound, bool longer)
{
    char name[NODE_NAME_MAX + 32], text[96];
    bool compute = bound == BOUND_COMPUTE;
    bool labelled;
    int row;

    snprintf(name, sizeof name, "%s %s", node->name, bound_name(bound));
    row = chart_row(chart, name);
    print_bar_label(result, node, bound, text, sizeof text);
    labelled = longer && add_rest(chart, item, row, node, text);
    chart_span(chart, item, row, 0, compute ? node->compute : node->memory,
               compute ? LOOK_COMPUTE : LOOK_MEMORY, labelled ? NULL : text);
}

void chart_components(struct chart *chart, const struct result *result)
{
    double longest = 0;
    char latency[32];
    int compute, memory;

    chart_init(chart, "Compute and memory time of every component");
    text_quantity(result->latency, "s", true, latency, sizeof latency);
    chart_note(chart, "RTC latency %s", latency);
    compute = chart_add(chart, CHART_SPANS, LOOK_COMPUTE, "compute");
    memory = chart_add(chart, CHART_SPANS, LOOK_MEMORY, "memory");
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];

        if (!has_bars(node))
            continue;
        add_bar(chart, compute, result, node, BOUND_COMPUTE, node->compute > node->memory);
        add_bar(chart, memory, result, node, BOUND_MEMORY, node->compute <= node->memory);
        longest = fmax(longest, fmax(node->time, fmax(node->compute, node->memory)));
    }
    chart_x(chart, plot_axis_around(PLOT_LINEAR, 0, ROOM * longest, "s"), "time per frame");
}

/* Table ---------------------------------------------------------------------------------------- */

void components_table(const struct result *result, FILE *out, int columns)
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
        table_add(&table, node->device < 0 ? "-" : result->device[node->device].name);
        table_quantity(&table, computes ? node->compute : RESULT_NONE, "s");
        table_quantity(&table, computes ? node->memory : RESULT_NONE, "s");
        table_quantity(&table, overhead > 0 ? overhead : RESULT_NONE, "s");
        table_quantity(&table, node->time, "s");
        table_add(&table, result_bound_name(result, node));
    }
    table_close(&table, out, columns);
}
