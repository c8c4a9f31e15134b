#include "charts/compare.h"

#include <stdio.h>

#include "design/knob_table.h"
#include "draw/table.h"
#include "draw/text.h"

#define ROOM 1.15 /* axis length over longest bar, with room for its label */

static const enum chart_look looks[SIDES] = {LOOK_ONE, LOOK_TWO};

/* Writes "recon" or "slopes (7 alike)". */
static void print_node_name(const struct compared_node *node, int alike, char *text, size_t size)
{
    if (alike > 1)
        snprintf(text, size, "%s (%d alike)", node->name, alike);
    else
        snprintf(text, size, "%s", node->name);
}

bool compare_has_bar(const struct compared_node *node)
{
    return node->type != COMPONENT_CAMERA || node->transfer;
}

/* Adds the bars of a node, one below the other, and a blank row after them. */
static void add_pair(const struct comparison *comparison, int number, int alike,
                     const char *const name[SIDES], const int item[SIDES], struct chart *chart)
{
    const struct compared_node *node = &comparison->node[number];

    for (int s = 0; s < SIDES; s++) {
        char label[NODE_NAME_MAX + 32], row[NODE_NAME_MAX + 160], time[40];

        if (!node->has[s])
            continue;
        print_node_name(node, alike, label, sizeof label);
        if (s == 0 || !node->has[0])
            snprintf(row, sizeof row, "%s, %s", label, name[s]);
        else
            snprintf(row, sizeof row, "%s", name[s]);
        text_quantity(node->time[s], "s", true, time, sizeof time);
        chart_span(chart, item[s], chart_row(chart, row), 0, node->time[s], looks[s], time);
    }
    chart_row(chart, "");
}

void chart_compare(const struct comparison *comparison, const char *const name[SIDES],
                   const char *const latency[SIDES], struct chart *chart)
{
    double most = 0;
    int item[SIDES];
    int alike;

    chart_init(chart, "Times of %s and %s, a frame", name[0], name[1]);
    chart_heading(chart, "%.60s %s, %.60s %s", name[0], latency[0], name[1], latency[1]);
    chart_note(chart, "%s: %s; %s: %s", name[0], comparison->title[0], name[1],
               comparison->title[1]);
    for (int s = 0; s < SIDES; s++)
        item[s] = chart_add(chart, CHART_SPANS, looks[s], name[s]);
    for (int n = 0; n < comparison->node_count; n += alike) {
        const struct compared_node *node = &comparison->node[n];

        alike = compare_alike(comparison, n);
        if (!compare_has_bar(node))
            continue;
        for (int s = 0; s < SIDES; s++)
            if (node->has[s] && node->time[s] > most)
                most = node->time[s];
        add_pair(comparison, n, alike, name, item, chart);
    }
    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, most > 0 ? most * ROOM : 1, "s"},
            "time of a frame");
}

/* Table ---------------------------------------------------------------------------------------- */

static void add_node_row(struct table *table, const struct compared_node *node, int alike)
{
    bool both = node->has[0] && node->has[1];
    double less = node->time[0] - node->time[1];
    char name[NODE_NAME_MAX + 32];

    print_node_name(node, alike, name, sizeof name);
    table_add(table, name);
    for (int s = 0; s < SIDES; s++)
        table_quantity(table, node->has[s] ? node->time[s] : RESULT_NONE, "s");
    if (both && !compare_differs(node->time[0], node->time[1]))
        table_add(table, "same");
    else
        table_quantity(table, both ? less : RESULT_NONE, "s");
    if (both && node->time[1] > 0)
        table_addf(table, "%.1f %%", 100 * (less == 0 ? 0 : less / node->time[1]));
    else
        table_add(table, "-");
}

void compare_table(const struct comparison *comparison, const char *const name[SIDES], FILE *out,
                   int columns)
{
    struct table table = table_headed(
        (const char *const[]){"time of a frame", name[0], name[1], "difference", "", NULL}, ~1U, 0);
    int alike;

    for (int n = 0; n < comparison->node_count; n += alike) {
        const struct compared_node *node = &comparison->node[n];

        alike = compare_alike(comparison, n);
        if (compare_has_bar(node))
            add_node_row(&table, node, alike);
    }
    table_close(&table, out, columns);
}
