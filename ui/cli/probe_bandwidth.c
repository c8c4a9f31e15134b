#include <math.h>
#include <string.h>

#include "cli/probe_tables.h"
#include "cli/text.h"
#include "result.h"

#define VALUES_MAX 64

static const char *const kernels[] = {"read", "write", "copy", "triad", "dot"};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

static void cell_rate(struct table *table, const struct measurement_point *point)
{
    char cell[40] = "-";

    if (point != NULL) {
        strcpy(cell, point_noisy(point) ? NOISY : "");
        text_number(1e-9 / point_least(point), cell + strlen(cell), sizeof cell - strlen(cell));
    }
    table_add(table, cell);
}

static bool add_row(struct table *table, const struct measurement *measurement, double size,
                    double cores)
{
    const struct measurement_point *found[KERNELS];
    char cell[40];
    bool any = false;

    for (int i = 0; i < KERNELS; i++) {
        struct measurement_point like = measurement_point(MEASUREMENT_BANDWIDTH, kernels[i], "");

        like.parameter[PARAMETER_SIZE] = size;
        like.parameter[PARAMETER_CORES] = cores;
        found[i] = point_like(measurement, &like);
        any = any || found[i] != NULL;
    }
    if (!any)
        return false;
    snprintf(cell, sizeof cell, "%.0f", cores);
    table_add(table, cell);
    cell_capacity(table, size);
    for (int i = 0; i < KERNELS; i++)
        cell_rate(table, found[i]);
    return true;
}

/* Values of a parameter that any of the kernels was measured at. */
static int values_of(const struct measurement *measurement, enum parameter parameter,
                     double *values)
{
    int best = 0;

    for (int i = 0; i < KERNELS; i++) {
        const struct pivot pivot = {
            .part = MEASUREMENT_BANDWIDTH, .name = kernels[i], .fixed = PARAMETERS};
        double found[VALUES_MAX];
        int count = pivot_values(measurement, &pivot, parameter, found, VALUES_MAX);

        if (count > best)
            memcpy(values, found, (size_t)count * sizeof *values);
        best = count > best ? count : best;
    }
    return best;
}

static double slowest(const struct measurement_point *point)
{
    double most = 0;

    for (int i = 0; i < point->count; i++)
        most = fmax(most, point->sample[i]);
    return most;
}

static void print_jitter(FILE *out, const struct measurement *measurement)
{
    struct measurement_point like = measurement_point(MEASUREMENT_BANDWIDTH, "jitter", "");
    const struct measurement_point *point = point_like(measurement, &like);

    if (point == NULL)
        return;
    fprintf(out, "\nJitter of a fixed sweep, %d times: p99 / median %.3f, slowest / median %.3f\n",
            point->count, point_p99(point) / point_median(point),
            slowest(point) / point_median(point));
}

void probe_report_bandwidth(FILE *out, const struct measurement *measurement)
{
    double size[VALUES_MAX], cores[VALUES_MAX];
    int sizes = values_of(measurement, PARAMETER_SIZE, size);
    int teams = values_of(measurement, PARAMETER_CORES, cores);
    struct table table = table_new(KERNELS + 2, ~0U, 0);
    int rows = 0;

    if (!measurement_has(measurement, MEASUREMENT_BANDWIDTH))
        return;
    table_add(&table, "Cores");
    table_add(&table, "Size");
    for (int i = 0; i < KERNELS; i++) {
        char heading[40];

        snprintf(heading, sizeof heading, "%c%s", kernels[i][0] - 'a' + 'A', kernels[i] + 1);
        table_add(&table, heading);
    }
    for (int i = 0; i < teams; i++)
        for (int k = 0; k < sizes; k++)
            rows += add_row(&table, measurement, size[k], cores[i]);
    if (rows > 0) {
        section_heading(out, "Bandwidth by level, GB/s");
        table_print(&table, out, PROBE_COLUMNS, "", "");
        fputs("Size: of all cores together. Bytes as STREAM counts them, without what a write\n"
              "reads first. Dot: a matrix row times a vector.\n",
              out);
    }
    table_free(&table);
    print_jitter(out, measurement);
}
