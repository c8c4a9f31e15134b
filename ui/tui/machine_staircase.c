#include "cli/probe_tables.h"
#include "plot_staircase.h"
#include "view_machine.h"

static void draw(const struct machine_view *machine, struct canvas *canvas, struct rect inside)
{
    plot_staircase(canvas, inside, &machine->measurement, &machine->figures->knees);
}

static void table(const struct machine_view *machine, FILE *out)
{
    const struct measure measure = {.measurement = machine->measurement};

    probe_report_memory(out, &measure);
}

const struct picture picture_staircase = {
    .title = "Latency staircase", .part = MEASUREMENT_MEMORY, .draw = draw, .table = table};
