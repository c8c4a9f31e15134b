#include "cli/compare_report.h"

#include <string.h>

#include "cli/compare_text.h"
#include "cli/report_parts.h"
#include "cli/text.h"
#include "draw/canvas.h"

enum { CELL = 200, COLUMNS = 80, PATH_COLUMNS = 32, VALUE_COLUMNS = 16 };

static const char *const sides[SIDES] = {"A", "B"};

/* What is set differently ---------------------------------------------------------------------- */

static const char *value_of(const struct difference *difference, int s)
{
    if (difference->value[s][0] != '\0')
        return difference->value[s];
    return difference->has[s] ? "there" : "-";
}

static void origin_of(const struct difference *difference, char *text, size_t size)
{
    const char *a = origin_name(difference->origin[0]);
    const char *b = origin_name(difference->origin[1]);

    if (difference->knob == NULL)
        snprintf(text, size, "only in %s", sides[difference->has[0] ? 0 : 1]);
    else if (difference->has[0] && difference->has[1] && strcmp(a, b) != 0)
        snprintf(text, size, "%s, %s", a, b);
    else
        snprintf(text, size, "%s", difference->has[0] ? a : b);
}

/* On one line where it fits, else the values below the path. */
static void print_difference(const struct report *report, const struct difference *difference)
{
    char origin[CELL];
    char value[SIDES][CELL];
    bool fits = strlen(difference->path) <= PATH_COLUMNS;

    origin_of(difference, origin, sizeof origin);
    for (int s = 0; s < SIDES; s++) {
        text_clean(value_of(difference, s), report->unicode, value[s], sizeof value[s]);
        fits = fits && strlen(value[s]) <= VALUE_COLUMNS;
    }
    if (fits && strlen(origin) <= COLUMNS - PATH_COLUMNS - 2 * VALUE_COLUMNS - 3) {
        fprintf(report->out, "%-*s %-*s %-*s %s\n", PATH_COLUMNS, difference->path, VALUE_COLUMNS,
                value[0], VALUE_COLUMNS, value[1], origin);
        return;
    }
    fprintf(report->out, "%s (%s)\n", difference->path, origin);
    for (int s = 0; s < SIDES; s++) {
        fprintf(report->out, "  %s  ", sides[s]);
        text_fill(report->out, value[s], 5, 5, COLUMNS);
    }
}

static void print_differences(const struct report *report, const struct comparison *comparison,
                              bool follow)
{
    int shown = 0;

    for (int d = 0; d < comparison->difference_count; d++) {
        const struct difference *difference = &comparison->difference[d];

        if ((difference->kind == DIFFERENCE_FOLLOWS) != follow)
            continue;
        if (shown++ == 0)
            fprintf(report->out, "\n%s%-*s %-*s %s%s\n", report->bold, PATH_COLUMNS,
                    follow ? "values that follow" : "what is set differently", VALUE_COLUMNS, "A",
                    "B", report->plain);
        print_difference(report, difference);
    }
    if (shown == 0 && !follow)
        fprintf(report->out, "\nNothing is set differently.\n");
}

/* What comes of it ----------------------------------------------------------------------------- */

static struct table table_of(const char *first, const char *second)
{
    struct table table = table_new(5, 0xC, 4);

    table_add(&table, first);
    table_add(&table, second);
    table_add(&table, "A");
    table_add(&table, "B");
    table_add(&table, "change");
    return table;
}

static void add_row(const struct report *report, struct table *table, const char *name,
                    const char *what, const double value[SIDES], const char *unit)
{
    char change[CELL];

    table_add(table, name);
    table_add(table, what);
    report_quantity(report, table, value[0], unit);
    report_quantity(report, table, value[1], unit);
    compare_change(value[0], value[1], unit, report->unicode, change, sizeof change);
    table_add(table, change);
}

static void print_results(const struct report *report, const struct comparison *comparison)
{
    struct table table = table_of("result", "");

    for (int r = 0; r < comparison->result_count; r++) {
        const struct compared_result *compared = &comparison->result[r];
        char path[64];

        snprintf(path, sizeof path, "%s%s", compared->row->scope == RESULT_LOOP ? "loop." : "",
                 compared->row->key);
        add_row(report, &table, path, "", compared->value, compared->row->unit);
    }
    if (comparison->result_count > 0)
        report_table(report, &table);
    else
        table_free(&table);
}

/* What binds it and where it runs: "gpu0: overhead, then memory DRAM" of two that differ. */
static void binding(const struct compared_node *node, char *text, size_t size)
{
    char bound[SIDES][64];
    int of = node->has[0] ? 0 : 1;
    bool both = node->has[0] && node->has[1];
    const char *device = node->device[of];

    for (int s = 0; s < SIDES; s++)
        compare_bound(node, s, bound[s], sizeof bound[s]);
    if (both && node->device[0][0] != node->device[1][0] &&
        (node->device[0][0] == '\0' || node->device[1][0] == '\0'))
        snprintf(text, size, "%s: %s, then %s: %s", device[0] != '\0' ? device : "parts", bound[0],
                 node->device[1][0] != '\0' ? node->device[1] : "parts", bound[1]);
    else if (both && strcmp(node->device[0], node->device[1]) != 0)
        snprintf(text, size, "%s: %s, then %s: %s", device, bound[0], node->device[1], bound[1]);
    else if (both && strcmp(bound[0], bound[1]) != 0)
        snprintf(text, size, "%s%s%s, then %s", device, device[0] != '\0' ? ": " : "", bound[0],
                 bound[1]);
    else
        snprintf(text, size, "%s%s%s", device, device[0] != '\0' ? ": " : "", bound[of]);
}

/* Its time and, of what computes, what that is made of. */
static void add_node(const struct report *report, struct table *table,
                     const struct compared_node *node, int alike)
{
    double value[3][SIDES];
    bool computes = component_type_computes(node->type);
    char name[CELL];
    char text[CELL];

    for (int s = 0; s < SIDES; s++) {
        value[0][s] = node->has[s] ? node->time[s] : RESULT_NONE;
        value[1][s] = node->has[s] ? node->compute[s] : RESULT_NONE;
        value[2][s] = node->has[s] ? node->memory[s] : RESULT_NONE;
    }
    snprintf(name, sizeof name, "%s", node->name);
    if (alike > 1)
        snprintf(name, sizeof name, "%s, %d alike", node->name, alike);
    add_row(report, table, name, "time", value[0], "s");
    if (computes)
        add_row(report, table, "", "compute", value[1], "s");
    if (computes)
        add_row(report, table, "", "memory", value[2], "s");
    binding(node, text, sizeof text);
    table_add(table, "");
    table_add(table, "bound");
    table_add(table, "");
    table_add(table, node->has[0] && node->has[1] ? "" : node->has[0] ? "only in A" : "only in B");
    table_add(table, text);
}

static void print_nodes(const struct report *report, const struct comparison *comparison)
{
    struct table table = table_of("component", "");
    char same[2000] = "";
    size_t used = 0;
    int alike;
    int shown = 0;

    for (int n = 0; n < comparison->node_count; n += alike) {
        const struct compared_node *node = &comparison->node[n];

        alike = compare_alike(comparison, n);
        if (compare_node_differs(node)) {
            add_node(report, &table, node, alike);
            shown++;
        } else if (used + NODE_NAME_MAX + 16 < sizeof same) {
            used += (size_t)snprintf(same + used, sizeof same - used, "%s%s", used > 0 ? ", " : "",
                                     node->name);
        }
    }
    if (shown > 0)
        report_table(report, &table);
    else
        table_free(&table);
    if (used > 0) {
        fputs("\nUnchanged: ", report->out);
        text_fill(report->out, same, 11, 2, COLUMNS);
    }
}

static void add_device(const struct report *report, struct table *table,
                       const struct compared_device *device)
{
    bool named = false;

    for (int i = 0; i < DEVICE_FIGURES; i++) {
        struct device_figure figure = compare_figure(device, i);

        if (!compare_differs(figure.value[0], figure.value[1]))
            continue;
        add_row(report, table, named ? "" : device->name, figure.name, figure.value, figure.unit);
        named = true;
    }
}

static void print_devices(const struct report *report, const struct comparison *comparison)
{
    struct table table = table_of("device", "");
    int heading = table.count;

    for (int d = 0; d < comparison->device_count; d++)
        add_device(report, &table, &comparison->device[d]);
    if (table.count > heading)
        report_table(report, &table);
    else
        table_free(&table);
}

void compare_report(FILE *out, const struct comparison *comparison,
                    const char *const operand[SIDES])
{
    struct report report = report_to(out);
    struct compare_fact fact[COMPARE_FACTS];
    int count = compare_facts(&comparison->verdict, sides, report.unicode, fact);

    for (int s = 0; s < SIDES; s++) {
        char title[CELL];

        text_clean(comparison->title[s][0] != '\0' ? comparison->title[s] : "Untitled",
                   report.unicode, title, sizeof title);
        fprintf(out, "%s%s  %s%s%s(%s)\n", report.bold, sides[s], title, report.plain,
                text_width(title) + text_width(operand[s]) + 6 > COLUMNS ? "\n   " : " ",
                operand[s]);
    }
    fputc('\n', out);
    for (int f = 0; f < count; f++)
        report_line(&report,
                    fact[f].tone > 0   ? report.good
                    : fact[f].tone < 0 ? report.bad
                                       : "",
                    fact[f].label, "%s", fact[f].text);
    print_differences(&report, comparison, false);
    print_results(&report, comparison);
    print_nodes(&report, comparison);
    print_devices(&report, comparison);
    print_differences(&report, comparison, true);
}
