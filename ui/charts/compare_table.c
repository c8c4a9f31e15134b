#include <stdio.h>

#include "charts/compare.h"
#include "cli/text.h"
#include "draw/table.h"
#include "knob.h"

static void add_time(struct table *table, bool has, double time)
{
    char text[40] = "-";

    if (has)
        text_quantity(time, "s", true, text, sizeof text);
    table_add(table, text);
}

static void add_row(struct table *table, const struct compared_node *node, int alike)
{
    bool both = node->has[0] && node->has[1];
    double less = node->time[0] - node->time[1];

    if (alike > 1)
        table_addf(table, "%s (%d alike)", node->name, alike);
    else
        table_add(table, node->name);
    for (int s = 0; s < SIDES; s++)
        add_time(table, node->has[s], node->time[s]);
    if (both && !compare_differs(node->time[0], node->time[1]))
        table_add(table, "same");
    else
        add_time(table, both, less);
    if (both && node->time[1] > 0)
        table_addf(table, "%.1f %%", 100 * (less == 0 ? 0 : less / node->time[1]));
    else
        table_add(table, "-");
}

void compare_table(const struct comparison *comparison, const char *const name[SIDES], FILE *out,
                   int columns)
{
    struct table table = table_new(3 + SIDES, ~1U, 0);
    int alike;

    table_add(&table, "time of a frame");
    for (int s = 0; s < SIDES; s++)
        table_add(&table, name[s]);
    table_add(&table, "difference");
    table_add(&table, "");
    for (int n = 0; n < comparison->node_count; n += alike) {
        const struct compared_node *node = &comparison->node[n];

        alike = compare_alike(comparison, n);
        if (node->type != COMPONENT_CAMERA || node->transfer)
            add_row(&table, node, alike);
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}
