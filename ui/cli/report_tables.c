#include "cli/report_parts.h"

#include <string.h>

#include "cli/table.h"
#include "cli/text.h"
#include "memory.h"
#include "program.h"

#define COLUMNS 80
#define CELL_MAX 160

/* Cells ------------------------------------------------------------------------------------- */

static void add_text(const struct report *report, struct table *table, const char *text)
{
    char cell[CELL_MAX];

    text_clean(text, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

static void add_quantity(const struct report *report, struct table *table, double si,
                         const char *unit)
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

static void add_percent(struct table *table, double fraction)
{
    char digits[40];
    char cell[CELL_MAX];

    text_number(100 * fraction, digits, sizeof digits);
    snprintf(cell, sizeof cell, "%s %%", digits);
    table_add(table, cell);
}

/* A part goes by its device, below its whole. */
static void add_name(struct table *table, const struct node_result *node)
{
    char cell[CELL_MAX];

    snprintf(cell, sizeof cell, "%s%s", node->part < 0 ? "" : "  ",
             node->name + (node->part < 0 ? 0 : strcspn(node->name, "@")));
    table_add(table, cell);
}

static void add_device(struct table *table, const struct scenario *scenario,
                       const struct node_result *node)
{
    char cell[CELL_MAX];

    snprintf(cell, sizeof cell, "%d parts", node->parts);
    table_add(table, node_is_whole(node) ? cell
                     : node->device < 0  ? "-"
                                         : scenario->device[node->device].head.name);
}

static void add_share(struct table *table, const struct scenario *scenario,
                      const struct node_result *node)
{
    char cell[CELL_MAX] = "-";

    if (component_type_computes(node->type))
        snprintf(cell, sizeof cell, "%s%.2f",
                 scenario->component[node->component].share > 0 ? "" : "auto ", node->share);
    table_add(table, cell);
}

static void add_headings(struct table *table, const char *const *headings)
{
    for (int i = 0; i < table->columns; i++)
        table_add(table, headings[i]);
}

static void print_table(const struct report *report, struct table *table)
{
    fputc('\n', report->out);
    table_print(table, report->out, COLUMNS, report->bold, report->plain);
    table_free(table);
}

/* Tables ------------------------------------------------------------------------------------ */

static void print_components(const struct report *report, const struct scenario *scenario,
                             const struct result *result)
{
    static const char *const headings[] = {"Component", "On",   "FLOP", "Bytes", "Compute",
                                           "Memory",    "From", "Time", "Bound", "Share"};
    struct table table = table_new(10, 0xBC, 1);

    add_headings(&table, headings);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        bool computes = component_type_computes(node->type);
        bool wire = node->type == COMPONENT_TRANSFER || node->type == COMPONENT_DM;

        if (node->component < 0)
            continue;
        add_name(&table, node);
        add_device(&table, scenario, node);
        add_count(report, &table, computes ? node->flop : RESULT_NONE);
        add_quantity(report, &table, node->bytes, "B");
        add_quantity(report, &table, computes ? node->compute : RESULT_NONE, "s");
        add_quantity(report, &table, computes || wire ? node->memory : RESULT_NONE, "s");
        table_add(&table, computes ? memory_level_name(node->level) : "-");
        add_quantity(report, &table, node->time, "s");
        table_add(&table, bound_name(node->bound));
        add_share(&table, scenario, node);
    }
    print_table(report, &table);
}

static void print_transfers(const struct report *report, const struct result *result)
{
    static const char *const headings[] = {"Inserted transfer", "Bytes",  "Wire", "Time",
                                           "Starts at",         "Ends at"};
    struct table table = table_new(6, 0x3E, 0);
    bool any = false;

    add_headings(&table, headings);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];

        if (node->component >= 0)
            continue;
        any = true;
        table_add(&table, node->name);
        add_quantity(report, &table, node->bytes, "B");
        add_quantity(report, &table, node->memory, "s");
        add_quantity(report, &table, node->time, "s");
        add_quantity(report, &table, node->first_start, "s");
        add_quantity(report, &table, node->last_end, "s");
    }
    if (any)
        print_table(report, &table);
    else
        table_free(&table);
}

static void print_devices(const struct report *report, const struct scenario *scenario,
                          const struct result *result)
{
    static const char *const headings[] = {"Device", "Peak (fp32)", "Memory",
                                           "Busy",   "Used",        "Model"};
    struct table table = table_new(6, 0x1E, 5);

    add_headings(&table, headings);
    for (int i = 0; i < result->device_count; i++) {
        const struct device *device = &scenario->device[i];
        const char *model = device->model[0] != '\0' ? device->model : device->preset;
        char cell[CELL_MAX];

        table_add(&table, device->head.name);
        add_quantity(report, &table, result->device[i].peak_flops, "FLOP/s");
        add_quantity(report, &table, result->device[i].bandwidth, "B/s");
        add_quantity(report, &table, result->device[i].busy, "s");
        add_percent(&table, result->device[i].utilisation);
        if (device->kind == DEVICE_CPU && device->sockets > 1)
            snprintf(cell, sizeof cell, "%.0f \xC3\x97 %s", device->sockets,
                     model[0] != '\0' ? model : "socket");
        else
            snprintf(cell, sizeof cell, "%s", model[0] != '\0' ? model : "-");
        add_text(report, &table, cell);
    }
    print_table(report, &table);
}

/* Programs ---------------------------------------------------------------------------------- */

static void print_phases(const struct report *report, const struct node_result *node,
                         const struct program *program, const struct program_machine *machine)
{
    static const char *const headings[] = {"Phase of", "Name", "Time", "Balance", "Stall", "Bound"};
    struct table table = table_new(6, 0x1C, 1);

    add_headings(&table, headings);
    for (int f = 0; f < program->phase_count; f++) {
        struct program_time phase = program_phase_time(program, f, machine);

        table_add(&table, node->name);
        table_add(&table, program->phase[f].name);
        add_quantity(report, &table, phase.time, "s");
        add_percent(&table, phase.balance);
        add_percent(&table, phase.stall_share);
        table_add(&table, program_limit_name(phase.limit));
    }
    print_table(report, &table);
}

/* Time over remote latency. */
static void print_curve(const struct report *report, const struct node_result *node,
                        const struct program *program, const struct program_machine *machine)
{
    static const char *const headings[] = {"Latency of", "Cycles", "Time"};
    struct table table = table_new(3, 0x6, 0);

    add_headings(&table, headings);
    for (int i = 0; i < PROGRAM_CURVE_POINTS; i++) {
        struct program_machine there = *machine;
        char cycles[40];

        there.latency = program_latency_at(machine, i);
        snprintf(cycles, sizeof cycles, "%.*f", there.latency < 100 ? 1 : 0, there.latency);
        table_add(&table, node->name);
        table_add(&table, cycles);
        add_quantity(report, &table, program_total_time(program, &there).time, "s");
    }
    print_table(report, &table);
}

static void print_programs(const struct report *report, const struct scenario *scenario,
                           const struct result *result)
{
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        const struct component *c = &scenario->component[node->component < 0 ? 0 : node->component];
        struct program_machine machine;

        if (node->type != COMPONENT_PROGRAM)
            continue;
        machine = program_machine(scenario, node->component, node->workers);
        program_machine_share(&machine,
                              scenario->general.sharing == SHARING_PARTITION ? node->share : 1,
                              c->workers > 0);
        print_phases(report, node, c->trace.program, &machine);
        print_curve(report, node, c->trace.program, &machine);
    }
}

void report_tables(const struct report *report, const struct scenario *scenario,
                   const struct result *result)
{
    print_components(report, scenario, result);
    print_transfers(report, result);
    print_devices(report, scenario, result);
    print_programs(report, scenario, result);
}
