#include <math.h>
#include <string.h>

#include "cli/probe_tables.h"
#include "cli/text.h"
#include "probe/knees.h"
#include "probe/system_caches.h"
#include "result.h"
#include "tui/plot_staircase.h"

#define PLOT_ROWS 18
#define SIZES_MAX 128

static void print_plot(FILE *out, const struct measurement *measurement, const struct knees *knees)
{
    struct canvas canvas = {0};
    struct rect box = {0, 0, PLOT_ROWS, PROBE_COLUMNS};

    if (canvas_init(&canvas, PLOT_ROWS, PROBE_COLUMNS, locale_is_unicode()) &&
        plot_staircase(&canvas, box, measurement, knees)) {
        canvas_print(&canvas, out);
        fputc('\n', out);
    }
    canvas_free(&canvas);
}

/* What the system says of the cache that a capacity is nearest to; 0: of none within a factor of
 * 3. */
static double nearest_cache(const struct system_caches *caches, double capacity)
{
    double nearest = 0;

    for (int i = 0; i < caches->levels; i++)
        if (caches->capacity[i] > 0 && fabs(log(caches->capacity[i] / capacity)) < log(3) &&
            (nearest == 0 ||
             fabs(log(caches->capacity[i] / capacity)) < fabs(log(nearest / capacity))))
            nearest = caches->capacity[i];
    return nearest;
}

static void print_knees(FILE *out, const struct knees *knees, const struct system_caches *caches)
{
    struct table table = table_new(5, 0x1F, 0);

    table_add(&table, "Plateau");
    table_add(&table, "Latency");
    table_add(&table, "Up to");
    table_add(&table, "System says");
    table_add(&table, "Ratio");
    for (int i = 0; i < knees->plateaus; i++) {
        bool last = i == knees->plateaus - 1;
        double capacity = last ? 0 : knees->capacity[i];
        double system = last ? 0 : nearest_cache(caches, capacity);
        char cell[40];

        snprintf(cell, sizeof cell, "%d", i + 1);
        table_add(&table, cell);
        cell_time(&table, knees->plateau[i].latency);
        cell_capacity(&table, capacity);
        cell_capacity(&table, system);
        cell_number(&table, system > 0 ? capacity / system : RESULT_NONE);
    }
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
    if (knees->plateaus > 0 && knees->plateau[knees->plateaus - 1].rises)
        fputs("The last still rises where the staircase ends: memory may be slower yet.\n", out);
}

/* Of each cache the system reports that no knee stands for, though the staircase goes well beyond
 * it. */
static void print_missing(FILE *out, const struct knees *knees, const struct system_caches *caches)
{
    double largest = knees->plateaus > 0 ? knees->plateau[knees->plateaus - 1].to : 0;

    for (int i = 0; i < caches->levels; i++) {
        char size[40];

        if (caches->capacity[i] <= 0 || caches->capacity[i] > largest / 2 ||
            knees_capacity(knees, caches->capacity[i]) > 0)
            continue;
        plot_capacity(caches->capacity[i], size, sizeof size);
        fprintf(out, "The system says there is a cache of %s; the staircase has no step there.\n",
                size);
    }
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

void probe_report_memory(FILE *out, const struct measure *measure)
{
    static const struct pivot chains = {
        MEASUREMENT_MEMORY, "chase", PARAMETER_SIZE, PARAMETER_CHAINS,
        PARAMETERS,         0,       false,          "Size \\ chains"};
    static const struct pivot ahead = {
        MEASUREMENT_MEMORY, "prefetch", PARAMETER_SIZE, PARAMETER_AHEAD,
        PARAMETERS,         0,          false,          "Size \\ ahead"};
    const struct measurement *measurement = &measure->measurement;
    struct system_caches caches;
    struct knees knees;
    double unused[2];

    if (!measurement_has(measurement, MEASUREMENT_MEMORY))
        return;
    knees_of(measurement, &knees);
    system_caches(measure->probe.core, &caches);
    section_heading(out, "Memory: time of one access against the size of what is accessed");
    print_plot(out, measurement, &knees);
    print_knees(out, &knees, &caches);
    print_missing(out, &knees, &caches);
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
