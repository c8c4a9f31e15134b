#include "cli/probe_tables.h"
#include "plot_staircase.h"
#include "view_machine.h"

static void draw(const struct machine_figures *figures, struct canvas *canvas, struct rect inside)
{
    plot_staircase(canvas, inside, &figures->measurement, &figures->knees, &figures->machine);
}

static void table(const struct machine_figures *figures, FILE *out, int columns)
{
    (void)columns;
    probe_report_memory_tables(out, &figures->measurement);
}

const struct picture picture_staircase = {
    .title = "Latency staircase", .part = MEASUREMENT_MEMORY, .draw = draw, .table = table};
