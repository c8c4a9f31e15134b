#include "charts/staircase.h"
#include "report/probe.h"
#include "tui/view_machine.h"
#include "tui/widget.h"

static void draw(const struct machine_figures *figures, struct canvas *canvas, struct rect inside)
{
    if (!staircase_draw(canvas, inside, &figures->measurement, &figures->knees, &figures->machine))
        widget_wrap(canvas, inside, 0, STYLE_DIM,
                    "Of less than two sizes, or in so small a box, there is no staircase to draw.");
}

static void table(const struct machine_figures *figures, FILE *out, int columns)
{
    (void)columns;
    probe_report_memory_tables(out, &figures->measurement);
}

const struct picture picture_staircase = {
    .title = "Latency staircase", .part = MEASUREMENT_MEMORY, .draw = draw, .table = table};
