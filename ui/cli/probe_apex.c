#include <string.h>

#include "cli/fit_text.h"
#include "cli/probe_tables.h"
#include "cli/text.h"
#include "draw/plot.h"

#define NS 1e9
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

/* "l1 3.294, g1 0.8520": in ns. */
static void values_text(const struct fit *fit, char *text, size_t size)
{
    const struct fit_form *form = &fit_forms[fit->model];

    text[0] = '\0';
    for (int v = 0; v < FIT_VALUES; v++) {
        size_t used = strlen(text);

        if (form->name[v] != NULL)
            snprintf(text + used, size - used, "%s%s %#.4g", used > 0 ? ", " : "", form->name[v],
                     fit->value[v] * NS);
    }
}

static void print_models(FILE *out, const struct fit_report *report)
{
    struct table table = table_new(4, 0xC, 1);

    table_add(&table, "Model");
    table_add(&table, "Values, ns");
    table_add(&table, "c");
    table_add(&table, "PC");
    for (int m = 0; m < FIT_MODELS; m++) {
        const struct fit *fit = &report->fit[m];
        char cell[160];

        table_add(&table, fit_forms[m].title);
        values_text(fit, cell, sizeof cell);
        table_add(&table, cell);
        cell_capacity(&table, fit_forms[m].cached ? fit->c * report->surface.word : 0);
        snprintf(cell, sizeof cell, "%.3f", fit->pc);
        table_add(&table, cell);
    }
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
    fputs("PC = exp(rms ln(measured / predicted)): 1 is perfect, 1.5 is off by a factor of\n"
          "1.5, typically. Of the points as CSV aolag fit tells more.\n\n",
          out);
}

/* The models of all surfaces together; what keeps them from being fitted is said. */
static void print_fits(FILE *out, const struct measurement *measurement)
{
    struct fit_report report = {.name = "apex"};
    struct error error;

    section_heading(out, "Memory models fitted to it");
    if (surface_of(measurement, &report.surface, &error) == STATUS_OK &&
        fit_report_make(&report, &error) == STATUS_OK) {
        print_models(out, &report);
        fit_print_doubts(out, &report, PROBE_COLUMNS);
        fputc('\n', out);
        fit_print_map(out, &report);
    } else {
        text_fill(out, error.message, fprintf(out, "Not fitted: "), 0, PROBE_COLUMNS);
    }
    fit_report_free(&report);
}

void probe_report_apex(FILE *out, const struct measurement *measurement)
{
    const struct pivot all = {
        .part = MEASUREMENT_APEX, .name = "apex", .row = PARAMETER_SIZE, .fixed = PARAMETERS};
    double size[SIZES_MAX];
    int sizes = pivot_values(measurement, &all, PARAMETER_SIZE, size, SIZES_MAX);

    for (int i = 0; i < sizes; i++)
        print_surface(out, measurement, size[i]);
    if (sizes > 0)
        print_fits(out, measurement);
}
