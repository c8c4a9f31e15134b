#include <stdlib.h>
#include <string.h>

#include "model/result.h"
#include "report/probe.h"
#include "tui/view_machine.h"
#include "tui/widget.h"

#define NS 1e9

enum { WIDTHS_MAX = 4, ALL_COLUMNS = 72 };

/* "3.0", or a dash, or n/a where the operation has none. */
static void figure(const struct operation_row *row, double value, char *text, size_t size)
{
    if (row != NULL && value != RESULT_NONE)
        snprintf(text, size, "%.3g", value);
    else
        snprintf(text, size, "%s", row != NULL && row->remark[0] != '\0' ? "n/a" : "-");
}

static void add_latency(struct table *table, const struct operation_row *row, bool cycles)
{
    char cell[32];

    figure(row,
           row == NULL || row->latency == RESULT_NONE ? RESULT_NONE
           : cycles                                   ? row->latency_cycles
                                                      : row->latency * NS,
           cell, sizeof cell);
    table_add(table, cell);
}

static void add_rate(struct table *table, const struct operation_row *row)
{
    char cell[32];

    figure(row, row == NULL ? RESULT_NONE : row->rate_per_cycle, cell, sizeof cell);
    table_add(table, cell);
}

static void add_time(struct table *table, double seconds)
{
    char cell[32] = "-";

    if (seconds != RESULT_NONE)
        snprintf(cell, sizeof cell, "%.3g", seconds * NS);
    table_add(table, cell);
}

static int vector_widths(const struct operation_table *operations, double widths[WIDTHS_MAX])
{
    int count = 0;

    for (int i = 0; i < operations->rows && count < WIDTHS_MAX; i++) {
        bool known = operations->row[i].lanes == 1;

        for (int w = 0; w < count && !known; w++)
            known = widths[w] == operations->row[i].bits;
        if (!known)
            widths[count++] = operations->row[i].bits;
    }
    return count;
}

static bool first_of_name(const struct operation_table *operations, int row)
{
    for (int i = 0; i < row; i++)
        if (strcmp(operations->row[i].name, operations->row[row].name) == 0)
            return false;
    return true;
}

static void print_rows(FILE *out, const struct operation_table *operations, int columns)
{
    double widths[WIDTHS_MAX];
    int count = vector_widths(operations, widths);
    bool doubles = columns >= ALL_COLUMNS;
    struct table table = table_new(4 + doubles + count, ~1U, 0);

    table_add(&table, "Operation");
    table_add(&table, "ns");
    table_add(&table, "cycles");
    if (doubles)
        table_add(&table, "f64 ns");
    table_add(&table, "scalar");
    for (int w = 0; w < count; w++) {
        char cell[32];

        snprintf(cell, sizeof cell, "%.0f b", widths[w]);
        table_add(&table, cell);
    }
    for (int i = 0; i < operations->rows; i++) {
        const char *name = operations->row[i].name;

        if (!first_of_name(operations, i))
            continue;
        table_add(&table, name);
        add_latency(&table, operation_table_find(operations, name, "f32", 0), false);
        add_latency(&table, operation_table_find(operations, name, "f32", 0), true);
        if (doubles)
            add_latency(&table, operation_table_find(operations, name, "f64", 0), false);
        add_rate(&table, operation_table_find(operations, name, "f32", 0));
        for (int w = 0; w < count; w++)
            add_rate(&table, operation_table_find(operations, name, "f32", widths[w]));
    }
    table_close(&table, out, columns);
}

/* One row a curve: what the dearest share costs shows where it lies, flushed to zero beside it. */
static void print_curves(FILE *out, const struct operation_table *operations, int columns)
{
    struct table table = table_new(SUBNORMAL_SHARES + 2, ~1U, 0);
    char cell[60];

    table_add(&table, "Subnormal, ns");
    for (int s = 0; s < SUBNORMAL_SHARES; s++) {
        snprintf(cell, sizeof cell, "%.0f %%", 100 * subnormal_share(s));
        table_add(&table, cell);
    }
    table_add(&table, "flushed");
    for (int c = 0; c < operations->curves; c++) {
        const struct subnormal_curve *curve = &operations->curve[c];

        snprintf(cell, sizeof cell, "%s %s", curve->name, curve->type);
        table_add(&table, cell);
        for (int s = 0; s < SUBNORMAL_SHARES; s++)
            add_time(&table, curve->time[0][s]);
        add_time(&table, curve->time[1][SUBNORMAL_SHARES - 1]);
    }
    table_close(&table, out, columns);
}

static void brief(const struct machine_figures *figures, FILE *out, int columns)
{
    const struct operation_table *operations = &figures->operations;
    char clock[40];

    print_rows(out, operations, columns);
    quantity_show(operations->clock, "Hz", clock, sizeof clock);
    fputs("f32: latency; operations a cycle, by register\n", out);
    fprintf(out, "clock while working %s", clock);
    if (operations->fma_per_cycle != RESULT_NONE)
        fprintf(out, "; %.2f %s/cycle, %.0f bit", operations->fma_per_cycle,
                operations->fma ? "fma" : "mul", operations->best_bits);
    if (operations->subnormal_penalty[0] != RESULT_NONE)
        fprintf(out, "\nsubnormal inputs: up to %.3g times, flushed to zero %.3g",
                operations->subnormal_penalty[0], operations->subnormal_penalty[1]);
    fputc('\n', out);
    if (operations->curves > 0) {
        fputc('\n', out);
        print_curves(out, operations, columns);
    }
}

static void table(const struct machine_figures *figures, FILE *out, int columns)
{
    (void)columns;
    probe_report_operations(out, &figures->measurement);
}

const struct picture picture_operations = {
    .title = "Operations", .part = MEASUREMENT_OPERATIONS, .brief = brief, .table = table};
