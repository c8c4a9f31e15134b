#include <math.h>
#include <string.h>

#include "cli/probe_tables.h"
#include "cli/text.h"
#include "probe/knees.h"
#include "probe/machine.h"
#include "result.h"
#include "tui/plot_staircase.h"

#define PLOT_ROWS 18
#define SIZES_MAX 128

static void print_plot(FILE *out, const struct measurement *measurement)
{
    struct knees knees;
    struct machine machine;
    struct canvas canvas = {0};
    struct rect box = {0, 0, PLOT_ROWS, PROBE_COLUMNS};

    knees_of(measurement, &knees);
    machine_from(measurement, &machine);
    if (canvas_init(&canvas, PLOT_ROWS, PROBE_COLUMNS, locale_is_unicode()) &&
        plot_staircase(&canvas, box, measurement, &knees, &machine)) {
        canvas_print(&canvas, out);
        fputc('\n', out);
    }
    canvas_free(&canvas);
}

static void print_end(FILE *out, const struct knees *knees)
{
    if (knees->plateaus > 0 && knees->plateau[knees->plateaus - 1].rises)
        fputs("The latency still rises where the staircase ends: memory may be slower yet.\n", out);
}

static void print_walks(FILE *out, const struct measurement *measurement)
{
    static const char *const names[] = {"list", "array", "sequential"};
    const struct pivot pivot = {MEASUREMENT_MEMORY, "list", PARAMETER_SIZE, PARAMETER_CHAINS,
                                PARAMETERS,         0,      false,          ""};
    double size[SIZES_MAX];
    int sizes = pivot_values(measurement, &pivot, PARAMETER_SIZE, size, SIZES_MAX);
    struct table table = table_new(5, 0x1F, 0);

    if (sizes == 0)
        return;
    section_heading(out, "Walks from node to node, ns a node");
    table_add(&table, "Nodes");
    table_add(&table, "List");
    table_add(&table, "Array of indices");
    table_add(&table, "One after the other");
    table_add(&table, "List / in order");
    for (int i = 0; i < sizes; i++) {
        double least[3] = {0};

        cell_capacity(&table, size[i]);
        for (int k = 0; k < 3; k++) {
            struct measurement_point like = measurement_point(MEASUREMENT_MEMORY, names[k], "");
            const struct measurement_point *point;

            like.parameter[PARAMETER_SIZE] = size[i];
            point = point_like(measurement, &like);
            least[k] = point == NULL ? 0 : point_least(point);
            cell_ns(&table, point);
        }
        cell_number(&table, least[2] > 0 ? least[0] / least[2] : RESULT_NONE);
    }
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
}

void probe_report_memory_tables(FILE *out, const struct measurement *measurement)
{
    static const struct pivot chains = {
        MEASUREMENT_MEMORY, "chase", PARAMETER_SIZE, PARAMETER_CHAINS,
        PARAMETERS,         0,       false,          "Size \\ chains"};
    static const struct pivot ahead = {
        MEASUREMENT_MEMORY, "prefetch", PARAMETER_SIZE, PARAMETER_AHEAD,
        PARAMETERS,         0,          false,          "Size \\ ahead"};
    struct knees knees;
    double unused[2];

    knees_of(measurement, &knees);
    probe_report_levels(out, measurement);
    print_end(out, &knees);
    if (pivot_values(measurement, &chains, PARAMETER_CHAINS, unused, 2) > 1) {
        section_heading(out, "Independent chains at once, ns an access");
        pivot_print(out, measurement, &chains);
    }
    print_walks(out, measurement);
    if (pivot_values(measurement, &ahead, PARAMETER_AHEAD, unused, 2) > 1) {
        section_heading(out, "Nodes ahead that are prefetched, ns a node");
        pivot_print(out, measurement, &ahead);
    }
}

void probe_report_memory(FILE *out, const struct measurement *measurement)
{

    if (!measurement_has(measurement, MEASUREMENT_MEMORY))
        return;
    section_heading(out, "Memory: time of one access against the size of what is accessed");
    print_plot(out, measurement);
    probe_report_memory_tables(out, measurement);
}
