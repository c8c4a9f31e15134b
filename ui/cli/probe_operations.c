#include <math.h>
#include <string.h>

#include "cli/probe_tables.h"
#include "cli/text.h"
#include "probe/operation_table.h"
#include "result.h"

#define NS 1e9
#define GIGA 1e9
#define PERCENT 100

/* A figure, or why there is none: "n/a" where the operation does not have it, a dash where it was
 * not measured. */
static void cell_figure(struct table *table, const struct operation_row *row, double value,
                        bool noisy)
{
    char cell[40];

    strcpy(cell, noisy && value != RESULT_NONE ? NOISY : "");
    text_number(value, cell + strlen(cell), sizeof cell - strlen(cell));
    if (value == RESULT_NONE && row->remark[0] != '\0')
        strcpy(cell, "n/a");
    table_add(table, cell);
}

static void add_row(struct table *table, const struct operation_row *row)
{
    char cell[40];
    double ns = row->latency == RESULT_NONE ? RESULT_NONE : row->latency * NS;

    table_add(table, row->name);
    table_add(table, row->type);
    snprintf(cell, sizeof cell, "%.0f%s", row->bits, row->lanes == 1 ? " (scalar)" : "");
    table_add(table, cell);
    cell_figure(table, row, ns, row->latency_noisy);
    cell_figure(table, row, row->latency_cycles, row->latency_noisy);
    cell_figure(table, row, row->rate_per_cycle, row->rate_noisy);
    cell_figure(table, row, row->rate == RESULT_NONE ? RESULT_NONE : row->rate / GIGA,
                row->rate_noisy);
    cell_figure(table, row, row->parallelism, false);
}

/* Reasons of what is not to be had, each once. */
static void print_remarks(FILE *out, const struct operation_table *operations)
{
    for (int i = 0; i < operations->rows; i++) {
        const struct operation_row *row = &operations->row[i];
        bool said = row->remark[0] == '\0';

        for (int k = 0; k < i && !said; k++)
            said = strcmp(operations->row[k].remark, row->remark) == 0 &&
                   strcmp(operations->row[k].name, row->name) == 0;
        if (!said)
            text_fill(out, row->remark, fprintf(out, "%s: ", row->name), 4, PROBE_COLUMNS);
    }
}

static void print_table(FILE *out, const struct operation_table *operations)
{
    static const char *const headings[] = {"Operation", "Type",    "Bits",       "Latency ns",
                                           "Cycles",    "A cycle", "G a second", "ILP*"};
    struct table table = table_new(8, 0xFC, 0);

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        table_add(&table, headings[i]);
    for (int i = 0; i < operations->rows; i++)
        add_row(&table, &operations->row[i]);
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
    fputs("A cycle, a second (10^9): operations of the best number of independent chains.\n"
          "ILP* = latency x rate: how many are under way at full rate.\n",
          out);
    print_remarks(out, operations);
}

static void print_summary(FILE *out, const struct operation_table *operations)
{
    char clock[40], rate[40];

    text_quantity(operations->clock, "Hz", locale_is_unicode(), clock, sizeof clock);
    text_number(operations->fma_per_cycle, rate, sizeof rate);
    fprintf(out, "Clock while working: %s, of a chain of integer adds\n", clock);
    if (operations->fma_per_cycle != RESULT_NONE)
        fprintf(out, "%s: %s a cycle in registers of %.0f bit (f32)\n",
                operations->fma ? "Multiply-adds" : "Multiplications", rate, operations->best_bits);
    fputc('\n', out);
}

static void add_curve(struct table *table, const struct subnormal_curve *curve, int flush)
{
    char cell[40];

    snprintf(cell, sizeof cell, "%s %s", curve->name, curve->type);
    table_add(table, cell);
    table_add(table, flush != 0 ? "flushed" : "computed");
    for (int i = 0; i < SUBNORMAL_SHARES; i++) {
        double time = curve->time[flush][i];

        cell_number(table, time == RESULT_NONE ? RESULT_NONE : time * NS);
    }
    cell_number(table, curve->penalty[flush]);
}

static void print_subnormals(FILE *out, const struct operation_table *operations)
{
    struct table table = table_new(SUBNORMAL_SHARES + 3, 0xFC, 0);

    section_heading(out, "Subnormal inputs, ns an operation");
    table_add(&table, "Operation");
    table_add(&table, "Subnormals");
    for (int i = 0; i < SUBNORMAL_SHARES; i++) {
        char cell[40];

        snprintf(cell, sizeof cell, "%.0f %%", PERCENT * subnormal_share(i));
        table_add(&table, cell);
    }
    table_add(&table, "Penalty");
    for (int i = 0; i < operations->curves; i++)
        for (int flush = 0; flush < 2; flush++)
            add_curve(&table, &operations->curve[i], flush);
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
}

void probe_report_operations(FILE *out, const struct measurement *measurement)
{
    struct operation_table operations;

    if (!measurement_has(measurement, MEASUREMENT_OPERATIONS))
        return;
    operation_table(measurement, &operations);
    section_heading(out, "Operations: latency and throughput");
    print_summary(out, &operations);
    if (operations.rows > 0)
        print_table(out, &operations);
    if (operations.curves > 0)
        print_subnormals(out, &operations);
}
