#include "cli/probe_tables.h"
#include "plot_staircase.h"
#include "view_machine.h"

static void draw(const struct machine_view *machine, struct canvas *canvas, struct rect inside)
{
    plot_staircase(canvas, inside, &machine->measurement, &machine->figures->knees);
}

static void print(const struct machine_view *machine, FILE *out, int columns)
{
    const struct measure measure = {.measurement = machine->measurement};

    (void)columns;
    probe_report_memory(out, &measure);
}

const struct picture picture_staircase = {"Latency staircase", MEASUREMENT_MEMORY, draw, print};
