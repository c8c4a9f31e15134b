#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "result.h"
#include "view_machine.h"
#include "widget.h"

static void add_number(struct table *table, double value, const char *format)
{
    char cell[32];

    if (value == RESULT_NONE)
        snprintf(cell, sizeof cell, "-");
    else
        snprintf(cell, sizeof cell, format, value);
    table_add(table, cell);
}

static void add_quantity(struct table *table, double value, const char *unit)
{
    char cell[40];

    quantity_show(value, unit, cell, sizeof cell);
    table_add(table, cell);
}

/* "f32 x16", "f64" */
static void add_kind(struct table *table, const struct operation_row *row)
{
    char cell[32];

    if (row->lanes > 1)
        snprintf(cell, sizeof cell, "%s \xC3\x97%d", row->type, row->lanes);
    else
        snprintf(cell, sizeof cell, "%s", row->type);
    table_add(table, cell);
}

static void add_latency(struct table *table, const struct operation_row *row)
{
    if (row->latency == RESULT_NONE) {
        table_add(table, "n/a");
        table_add(table, "n/a");
        return;
    }
    add_quantity(table, row->latency, "s");
    add_number(table, row->latency_cycles, "%.1f");
}

static void print_clock(FILE *out, const struct operation_table *operations)
{
    char clock[40];

    quantity_show(operations->clock, "Hz", clock, sizeof clock);
    if (operations->clock != RESULT_NONE)
        fprintf(out, "\nclock %s", clock);
    if (operations->fma_per_cycle != RESULT_NONE)
        fprintf(out, ", %.2f %s of %.0f bit a cycle", operations->fma_per_cycle,
                operations->fma ? "multiply-adds" : "multiplications", operations->best_bits);
    fputc('\n', out);
    for (int i = 0; i < operations->curves; i++) {
        const struct subnormal_curve *curve = &operations->curve[i];

        fprintf(out, "subnormal inputs, %s %s: up to \xC3\x97%.1f, flushed to zero \xC3\x97%.1f\n",
                curve->name, curve->type, curve->penalty[0], curve->penalty[1]);
    }
}

static void print(const struct machine_view *machine, FILE *out, int columns)
{
    const struct operation_table *operations = &machine->figures->operations;
    struct table table = table_new(7, 0x7C, 0);

    table_add(&table, "Operation");
    table_add(&table, "Type");
    table_add(&table, "Latency");
    table_add(&table, "cycles");
    table_add(&table, "Rate");
    table_add(&table, "a cycle");
    table_add(&table, "ILP*");
    for (int i = 0; i < operations->rows; i++) {
        const struct operation_row *row = &operations->row[i];

        table_add(&table, row->name);
        add_kind(&table, row);
        add_latency(&table, row);
        add_quantity(&table, row->rate, "Hz");
        add_number(&table, row->rate_per_cycle, "%.2f");
        add_number(&table, row->parallelism, "%.1f");
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
    print_clock(out, operations);
}

const struct picture picture_operations = {"Operations", MEASUREMENT_OPERATIONS, NULL, print};
