#include <string.h>

#include "cli/probe_tables.h"
#include "cli/text.h"
#include "probe/machine.h"
#include "result.h"

#define INDENT 26

static void cell_rate(struct table *table, double rate)
{
    char cell[40];

    text_quantity(rate, "B/s", locale_is_unicode(), cell, sizeof cell);
    table_add(table, cell);
}

static void add_level(struct table *table, const struct machine_level *level, bool memory)
{
    bool compared = level->found && level->system > 0;

    table_add(table, memory ? "memory" : memory_level_name(level->id));
    cell_capacity(table, memory || !level->found ? 0 : level->capacity);
    cell_capacity(table, level->system);
    cell_number(table, compared ? level->capacity / level->system : RESULT_NONE);
    cell_time(table, level->latency);
    cell_number(table, level->in_flight);
    cell_rate(table, level->core_bandwidth);
    cell_rate(table, level->bandwidth);
}

static void print_levels(FILE *out, const struct machine *machine)
{
    static const char *const headings[] = {"Level",   "Capacity",  "System",   "Ratio",
                                           "Latency", "In flight", "One core", "All cores"};
    struct table table = table_new(8, 0xFE, 0);

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        table_add(&table, headings[i]);
    for (int i = 0; i < machine->levels; i++)
        add_level(&table, &machine->level[i], i == machine->levels - 1);
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
}

void probe_report_levels(FILE *out, const struct measurement *measurement)
{
    struct machine machine;

    machine_from(measurement, &machine);
    if (machine.levels == 0)
        return;
    print_levels(out, &machine);
    fputs("Capacity: as the staircase shows it; System: what the system says of it. In\n"
          "flight: one chain over the best of several. One core, all cores: reading.\n",
          out);
}

static void print_figure(FILE *out, const char *label, double value, const char *unit)
{
    char text[40];

    if (value == RESULT_NONE)
        return;
    text_quantity(value, unit, locale_is_unicode(), text, sizeof text);
    fprintf(out, "%-*s%s\n", INDENT, label, text);
}

static void print_vectors(FILE *out, const struct machine *machine)
{
    char rate[40];

    if (machine->fma_rate == RESULT_NONE)
        return;
    text_number(machine->fma_rate, rate, sizeof rate);
    fprintf(out, "%-*s%s %s a cycle, registers of %.0f bit\n", INDENT, "Vector units", rate,
            machine->fma ? "multiply-adds" : "multiplications", machine->simd_bits);
}

void probe_report_machine(FILE *out, const struct measurement *measurement)
{
    struct machine machine;

    machine_from(measurement, &machine);
    if (machine.levels == 0 && machine.clock == RESULT_NONE)
        return;
    section_heading(out, "The machine, as --save keeps it");
    if (!measurement_has(measurement, MEASUREMENT_MEMORY) && machine.levels > 0) {
        print_levels(out, &machine);
        fputc('\n', out);
    }
    if (machine.cores > 0)
        fprintf(out, "%-*s%d\n", INDENT, "Cores", machine.cores);
    print_figure(out, "Clock", machine.clock, "Hz");
    print_vectors(out, &machine);
    print_figure(out, "Peak (fp32)", machine_peak(&machine), "FLOP/s");
    print_figure(out, "Latency of an add", machine.add_latency, "s");
    print_figure(out, "Latency of a multiply-add", machine.fma_latency, "s");
    print_figure(out, "Accesses in flight", machine.outstanding, "");
    print_figure(out, "Sustained of memory", machine.sustained_memory, "");
    print_figure(out, "Jitter, p99 / median", machine.jitter, "");
    print_figure(out, "PC of the levels", machine.pc, "");
}
