#include "cli/probe_tables.h"
#include "cli/text.h"
#include "tui/plot_staircase.h"

#define SIZES_MAX 8

static void print_surface(FILE *out, const struct measurement *measurement, double size)
{
    const struct pivot pivot = {.part = MEASUREMENT_APEX,
                                .name = "apex",
                                .row = PARAMETER_LOCALITY,
                                .column = PARAMETER_BLOCK,
                                .fixed = PARAMETER_SIZE,
                                .fixed_value = size,
                                .descending = true,
                                .corner = "alpha \\ L"};
    char text[40], heading[120];

    plot_capacity(size, text, sizeof text);
    snprintf(heading, sizeof heading,
             "Apex-MAP over %s: ns an access, locality alpha, blocks of L words of 8 B", text);
    section_heading(out, heading);
    pivot_print(out, measurement, &pivot);
}

void probe_report_apex(FILE *out, const struct measure *measure)
{
    const struct measurement *measurement = &measure->measurement;
    const struct pivot all = {
        .part = MEASUREMENT_APEX, .name = "apex", .row = PARAMETER_SIZE, .fixed = PARAMETERS};
    double size[SIZES_MAX];
    int sizes = pivot_values(measurement, &all, PARAMETER_SIZE, size, SIZES_MAX);

    for (int i = 0; i < sizes; i++)
        print_surface(out, measurement, size[i]);
}
