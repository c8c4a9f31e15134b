#include <math.h>
#include <string.h>

#include "cli/probe_report.h"
#include "cli/table.h"
#include "cli/text.h"

#define COLUMNS 80
#define INDENT 14

static void print_conditions(FILE *out, const struct measurement *measurement)
{
    bool any = false;

    for (int i = 0; i < CONDITIONS; i++) {
        char clean[CONDITION_MAX];
        char name[32];

        if (measurement->condition[i][0] == '\0')
            continue;
        snprintf(name, sizeof name, "%s", condition_name((enum condition)i));
        for (char *at = name; *at != '\0'; at++)
            if (*at == '_')
                *at = ' ';
        text_clean(measurement->condition[i], locale_is_unicode(), clean, sizeof clean);
        text_fill(out, clean, fprintf(out, "%-*s", INDENT, name), INDENT, COLUMNS);
        any = true;
    }
    if (any)
        fputc('\n', out);
}

static void add_time(struct table *table, double seconds)
{
    char cell[40];

    text_quantity(seconds, "s", locale_is_unicode(), cell, sizeof cell);
    table_add(table, cell);
}

static void print_points(FILE *out, const struct measurement *measurement)
{
    struct table table = table_new(5, 0x1E, 0);

    table_add(&table, "Point");
    table_add(&table, "Least");
    table_add(&table, "Median");
    table_add(&table, "p99");
    table_add(&table, "");
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        char cell[200];

        snprintf(cell, sizeof cell, "%s %s", measurement_part_name(point->part), point->name);
        for (int k = 0; k < PARAMETERS; k++)
            if (!isnan(point->parameter[k])) {
                size_t used = strlen(cell);

                snprintf(cell + used, sizeof cell - used, " %s=%.4g",
                         parameter_name((enum parameter)k), point->parameter[k]);
            }
        table_add(&table, cell);
        add_time(&table, point_least(point));
        add_time(&table, point_median(point));
        add_time(&table, point_p99(point));
        table_add(&table, point_noisy(point) ? "noisy" : "");
    }
    table_print(&table, out, COLUMNS, "", "");
    table_free(&table);
}

void probe_report_text(FILE *out, const struct measure *measure)
{
    print_conditions(out, &measure->measurement);
    print_points(out, &measure->measurement);
}
