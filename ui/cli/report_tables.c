#include "cli/report_parts.h"

#include <string.h>

#include "cli/markdown.h"
#include "cli/text.h"
#include "draw/table.h"
#include "memory.h"

#define COLUMNS 80
#define CELL_MAX 160

/* Cells ------------------------------------------------------------------------------------- */

static void add_text(const struct report *report, struct table *table, const char *text)
{
    char cell[CELL_MAX];

    text_clean(text, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

void report_quantity(const struct report *report, struct table *table, double si, const char *unit)
{
    char cell[CELL_MAX];

    text_quantity(si, unit, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

/* "1.32 G", the unit being in the heading. */
static void add_count(const struct report *report, struct table *table, double value)
{
    char cell[CELL_MAX];
    size_t length;

    text_quantity(value, "FLOP", report->unicode, cell, sizeof cell);
    length = strlen(cell);
    if (length > 4 && strcmp(cell + length - 4, "FLOP") == 0)
        cell[length - 4] = '\0';
    if (length > 5 && cell[length - 5] == ' ')
        cell[length - 5] = '\0';
    table_add(table, cell);
}

void report_percent(struct table *table, double fraction)
{
    char digits[40];
    char cell[CELL_MAX];

    text_number(100 * fraction, digits, sizeof digits);
    snprintf(cell, sizeof cell, "%s %%", digits);
    table_add(table, cell);
}

static const char *times_sign(const struct report *report)
{
    return report->unicode ? "\xC3\x97" : "x";
}

/* A name, " ×7" behind it where its row stands for seven. */
static void add_folded(const struct report *report, struct table *table, const char *name,
                       int count)
{
    char cell[CELL_MAX];

    if (count > 1)
        snprintf(cell, sizeof cell, "%s %s%d", name, times_sign(report), count);
    else
        snprintf(cell, sizeof cell, "%s", name);
    table_add(table, cell);
}

/* A part goes by its device, below its whole. */
static void add_name(const struct report *report, struct table *table,
                     const struct node_result *node, int count)
{
    char name[NODE_NAME_MAX + 3];

    snprintf(name, sizeof name, "%s%s", node->part < 0 ? "" : "  ",
             node->name + (node->part < 0 ? 0 : strcspn(node->name, "@")));
    add_folded(report, table, name, count);
}

static void add_transfer(const struct report *report, struct table *table,
                         const struct node_result *node, int count)
{
    char name[NODE_NAME_MAX + 1];

    report_plain_name(node->name, name);
    add_folded(report, table, count > 1 ? name : node->name, count);
}

static void add_device(const struct report *report, struct table *table,
                       const struct scenario *scenario, const struct node_result *node)
{
    char cell[CELL_MAX];

    snprintf(cell, sizeof cell, "%s%d", times_sign(report), node->parts);
    table_add(table, node_is_whole(node) ? cell
                     : node->device < 0  ? "-"
                                         : scenario->device[node->device].head.name);
}

/* What binds it, of its device's memory which. */
static void add_bound(struct table *table, const struct node_result *node)
{
    bool memory = node->device >= 0 || node_is_whole(node);

    table_add(table, memory && node->bound == BOUND_MEMORY ? memory_level_name(node->level)
                                                           : bound_name(node->bound));
}

static void add_share(struct table *table, const struct scenario *scenario,
                      const struct node_result *node)
{
    char number[40];
    char cell[CELL_MAX] = "-";

    if (node->share < 0.01 && node->share >= 0.001) /* as much as leaves room for long names */
        snprintf(number, sizeof number, "%.4f", node->share);
    else
        text_number(node->share, number, sizeof number);
    if (component_type_computes(node->type))
        snprintf(cell, sizeof cell, "%s%s",
                 scenario->component[node->component].share > 0 ? "" : "auto ", number);
    table_add(table, cell);
}

/* With another word in place of the last, where there is one. */
static void add_headings(struct table *table, const char *const *headings, const char *last)
{
    for (int i = 0; i < table->columns; i++)
        table_add(table, last != NULL && i == table->columns - 1 ? last : headings[i]);
}

void report_table(const struct report *report, struct table *table)
{
    fputc('\n', report->out);
    if (report->markdown)
        markdown_table(table, report->out);
    else
        table_print(table, report->out, COLUMNS, report->bold, report->plain);
    table_free(table);
}

/* Tables ------------------------------------------------------------------------------------ */

/* In exclusive a component has all of its device while it works: shares say nothing. */
static void print_components(const struct report *report, const struct scenario *scenario,
                             const struct result *result)
{
    static const char *const headings[] = {"Component", "On",   "FLOP",  "Bytes", "Compute",
                                           "Memory",    "Time", "Bound", "Share"};
    enum sharing sharing = (enum sharing)scenario->general.sharing;
    bool shares = sharing != SHARING_EXCLUSIVE;
    struct table table = table_new(shares ? 9 : 8, 0x7C, 1);

    add_headings(&table, headings, sharing == SHARING_FLUID ? "Weight" : NULL);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        bool computes = component_type_computes(node->type);
        bool wire = node->type == COMPONENT_TRANSFER || node->type == COMPONENT_DM;
        int count = report_nodes_alike(result, i);
        double flop = node->flop - node->deferred_flop;

        if (node->component < 0 || count == 0)
            continue;
        add_name(report, &table, node, count);
        add_device(report, &table, scenario, node);
        add_count(report, &table, computes && flop > 0 ? flop : RESULT_NONE);
        report_quantity(report, &table, node->bytes - node->deferred_bytes, "B");
        report_quantity(report, &table, computes ? node->compute : RESULT_NONE, "s");
        report_quantity(report, &table, computes || wire ? node->memory : RESULT_NONE, "s");
        report_quantity(report, &table, node->time, "s");
        add_bound(&table, node);
        if (shares)
            add_share(&table, scenario, node);
    }
    report_heading(report, "Components");
    report_table(report, &table);
}

static void print_transfers(const struct report *report, const struct result *result)
{
    static const char *const headings[] = {"Inserted transfer", "Bytes",  "Wire", "Time",
                                           "Starts at",         "Ends at"};
    struct table table = table_new(6, 0x3E, 0);
    bool any = false;

    add_headings(&table, headings, NULL);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        int count = report_nodes_alike(result, i);

        if (node->component >= 0 || count == 0)
            continue;
        any = true;
        add_transfer(report, &table, node, count);
        report_quantity(report, &table, node->bytes, "B");
        report_quantity(report, &table, node->memory, "s");
        report_quantity(report, &table, node->time, "s");
        report_quantity(report, &table, node->first_start, "s");
        report_quantity(report, &table, node->last_end, "s");
    }
    if (any)
        report_heading(report, "Transfers");
    if (any)
        report_table(report, &table);
    else
        table_free(&table);
}

static void add_model(const struct report *report, struct table *table, const struct device *device)
{
    const char *model = device->model[0] != '\0' ? device->model : device->preset;
    char cell[CELL_MAX];

    if (device->kind == DEVICE_CPU && device->sockets > 1)
        snprintf(cell, sizeof cell, "%.0f \xC3\x97 %s", device->sockets,
                 model[0] != '\0' ? model : "socket");
    else
        snprintf(cell, sizeof cell, "%s", model[0] != '\0' ? model : "-");
    add_text(report, table, cell);
}

static void print_devices(const struct report *report, const struct scenario *scenario,
                          const struct result *result)
{
    static const char *const headings[] = {"Device", "Peak (fp32)", "Memory",
                                           "Busy",   "Used",        "Model"};
    static const char *const notes[] = {
        [SHARING_PARTITION] = "Busy: the time of each component, weighted by its share",
        [SHARING_EXCLUSIVE] = "Busy: with launches and fixed overhead, which hold the device",
        [SHARING_FLUID] = "Busy: without launches and fixed overhead, which do not hold the device",
    };
    struct table table = table_new(6, 0x1E, 5);

    add_headings(&table, headings, NULL);
    for (int i = 0; i < result->device_count; i++) {
        int count = report_devices_alike(scenario, result, i);

        if (count == 0)
            continue;
        add_folded(report, &table, scenario->device[i].head.name, count);
        report_quantity(report, &table, result->device[i].peak_flops, "FLOP/s");
        report_quantity(report, &table, result->device[i].bandwidth, "B/s");
        report_quantity(report, &table, result->device[i].busy, "s");
        report_percent(&table, result->device[i].utilisation);
        add_model(report, &table, &scenario->device[i]);
    }
    report_heading(report, "Devices");
    report_table(report, &table);
    if (result->device_count > 0)
        fprintf(report->out, "%s%s\n", report->markdown ? "\n" : "",
                notes[scenario->general.sharing]);
}

void report_tables(const struct report *report, const struct scenario *scenario,
                   const struct result *result)
{
    print_components(report, scenario, result);
    print_transfers(report, result);
    print_devices(report, scenario, result);
    report_programs(report, scenario, result);
}
