#include <stdio.h>

#include "charts/components.h"
#include "draw/canvas.h"
#include "draw/table.h"
#include "memory.h"
#include "units.h"

static void add_time(struct table *table, double value)
{
    char text[40];

    quantity_print(value, "s", text, sizeof text);
    text_micro(text, sizeof text);
    table_add(table, text);
}

void components_table(const struct result *result, FILE *out, int columns)
{
    struct table table = table_new(6, 2U | 4U | 16U, 0);

    fprintf(out, "Times of a frame; the whole holds overheads, too.\n\n");
    table_add(&table, "component");
    table_add(&table, "compute");
    table_add(&table, "memory");
    table_add(&table, "of");
    table_add(&table, "whole");
    table_add(&table, "binds");
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];

        if (!components_has_bars(node))
            continue;
        table_add(&table, node->name);
        add_time(&table, node->compute);
        add_time(&table, node->memory);
        table_add(&table, memory_level_name(node->level));
        add_time(&table, node->time);
        table_add(&table, bound_name(node->bound));
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}
