#include "cli/probe_report.h"
#include "cli/probe_tables.h"
#include "cli/text.h"

#define INDENT 14

static void print_conditions(FILE *out, const struct measurement *measurement)
{
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
        text_fill(out, clean, fprintf(out, "%-*s", INDENT, name), INDENT, PROBE_COLUMNS);
    }
}

static void print_parts(FILE *out, const struct measure *measure)
{
    for (int i = 0; i < measure->count; i++) {
        const struct measure_part *part = &measure->part[i];

        fprintf(out, "%-*s%s in %.1f s%s\n", INDENT, measurement_part_name(part->part),
                part->whole ? "measured" : "measured in part", part->seconds,
                measure->probe.quick ? ", quick" : "");
    }
}

static int noisy_points(const struct measurement *measurement)
{
    int count = 0;

    for (int i = 0; i < measurement->count; i++)
        count += point_noisy(&measurement->point[i]);
    return count;
}

static void print_noise(FILE *out, const struct measurement *measurement)
{
    int count = noisy_points(measurement);

    if (count > 0)
        fprintf(out,
                "\n%d of %d points are noisy (?): half of their samples are spread over more than\n"
                "10 %% of the least. Costs are the least of each point's samples.\n",
                count, measurement->count);
}

void probe_report_text(FILE *out, const struct measure *measure)
{
    print_conditions(out, &measure->measurement);
    print_parts(out, measure);
    probe_report_memory(out, &measure->measurement);
    probe_report_operations(out, &measure->measurement);
    probe_report_bandwidth(out, &measure->measurement);
    probe_report_apex(out, &measure->measurement);
    probe_report_machine(out, &measure->measurement);
    print_noise(out, &measure->measurement);
}
