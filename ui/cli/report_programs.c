#include <math.h>

#include "cli/report_parts.h"
#include "cli/text.h"
#include "draw/table.h"
#include "program.h"
#include "units.h"

static void print_phases(const struct report *report, const struct node_result *node,
                         const struct program *program, const struct program_machine *machine)
{
    static const char *const headings[] = {"Phase of", "Name", "Time", "Balance", "Stall", "Bound"};
    struct table table = table_new(6, 0x1C, 1);

    for (int i = 0; i < table.columns; i++)
        table_add(&table, headings[i]);
    for (int f = 0; f < program->phase_count; f++) {
        struct program_time phase = program_phase_time(program, f, machine);

        table_add(&table, node->name);
        table_add(&table, program->phase[f].name);
        report_quantity(report, &table, phase.time, "s");
        report_percent(&table, phase.balance);
        report_percent(&table, phase.stall_share);
        table_add(&table, program_limit_name(phase.limit));
    }
    report_heading(report, "Program");
    report_table(report, &table);
}

/* "46.3 us at 3.00 cycles" */
static const char *time_at(const struct report *report, const struct program *program,
                           const struct program_machine *machine, double latency, char text[120])
{
    struct program_machine there = *machine;
    char time[40];
    char cycles[40];

    there.latency = latency;
    text_quantity(program_total_time(program, &there).time, "s", report->unicode, time,
                  sizeof time);
    number_format(round(10 * latency) / 10, cycles, sizeof cycles);
    snprintf(text, 120, "%s at %s cycle%s", time, cycles, latency == 1 ? "" : "s");
    return text;
}

/* Time over remote latency: both ends of the curve and where the machine is. */
static void print_curve(const struct report *report, const struct node_result *node,
                        const struct program *program, const struct program_machine *machine)
{
    char text[3][120];

    report_line(report, "", "Remote latency", "%s takes %s, %s (the device's), %s", node->name,
                time_at(report, program, machine, program_latency_at(machine, 0), text[0]),
                time_at(report, program, machine, machine->latency, text[1]),
                time_at(report, program, machine,
                        program_latency_at(machine, PROGRAM_CURVE_POINTS - 1), text[2]));
}

void report_programs(const struct report *report, const struct scenario *scenario,
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
