#include "report/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "model/memory.h"
#include "report/json.h"
#include "report/report.h"

enum { NUMBER = 40 };

/* What the sentences are made of. */
struct telling {
    const struct compare_verdict *verdict;
    const char *const *name;
    bool unicode;
    struct compare_fact *list;
    int count;
};

static void tell(struct telling *telling, const char *label, int tone, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void tell(struct telling *telling, const char *label, int tone, const char *format, ...)
{
    struct compare_fact *fact = &telling->list[telling->count++];
    char text[COMPARE_FACT_MAX];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fact->label = label;
    fact->tone = tone;
    text_clean(text, telling->unicode, fact->text, sizeof fact->text);
}

static const char *seconds(const struct telling *telling, double value, char text[NUMBER])
{
    text_quantity(value, "s", telling->unicode, text, NUMBER);
    return text;
}

/* "0.87", "13.1", "240": so many times. */
static const char *times(double value, char text[NUMBER])
{
    snprintf(text, NUMBER, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
    return text;
}

/* Behind a minus or a plus, as "-0 us" would be neither. */
static void signed_quantity(double value, const char *unit, bool unicode, char *text, size_t size)
{
    char number[NUMBER - 1]; /* and a sign */

    text_quantity(fabs(value), unit, unicode, number, sizeof number);
    snprintf(text, size, "%s%s", value < 0 ? "-" : value > 0 ? "+" : "", number);
}

void compare_change(double from, double to, const char *unit, bool unicode, char *text, size_t size)
{
    char number[NUMBER];
    char percent[NUMBER];

    if (from == RESULT_NONE || to == RESULT_NONE) {
        snprintf(text, size, "-");
        return;
    }
    signed_quantity(to - from, unit, unicode, number, sizeof number);
    if (!(from > 0) || !(to > 0)) {
        snprintf(text, size, "%s", number);
        return;
    }
    signed_quantity(100 * (to / from - 1), "", unicode, percent, sizeof percent);
    if (to / from >= 10)
        snprintf(percent, sizeof percent, "%s times", times(to / from, (char[NUMBER]){""}));
    snprintf(text, size, to / from >= 10 ? "%s, %s" : "%s, %s %%", number, percent);
}

void compare_bound(const struct compared_node *node, int s, char *text, size_t size)
{
    bool memory = node->bound[s] == BOUND_MEMORY && component_type_computes(node->type);

    snprintf(text, size, "%s%s%s", node->has[s] ? bound_name(node->bound[s]) : "",
             node->has[s] && memory ? " " : "",
             node->has[s] && memory ? memory_level_name(node->level[s]) : "");
}

static void tell_faster(struct telling *telling)
{
    const struct compare_verdict *verdict = telling->verdict;
    int winner = verdict->faster;
    double ratio = winner == 0 ? verdict->ratio : 1 / verdict->ratio;
    char time[SIDES][NUMBER], number[NUMBER], change[2 * NUMBER];

    for (int s = 0; s < SIDES; s++)
        seconds(telling, verdict->of[s].latency, time[s]);
    if (verdict->ratio == RESULT_NONE) {
        tell(telling, "Faster", 0,
             "RTC latency %s of %s, %s of %s: of one without, nothing is told", time[0],
             telling->name[0], time[1], telling->name[1]);
        return;
    }
    if (winner < 0) {
        tell(telling, "Faster", 0, "neither: both have an RTC latency of %s", time[0]);
        return;
    }
    compare_change(verdict->of[1 - winner].latency, verdict->of[winner].latency, "s",
                   telling->unicode, change, sizeof change);
    if (ratio < 1.05)
        tell(telling, "Faster", 0, "%s, by little: RTC latency %s (%s)", telling->name[winner],
             time[winner], change);
    else
        tell(telling, "Faster", 0, "%s is %s times as fast as %s: %s, not %s (%s)",
             telling->name[winner], times(ratio, number), telling->name[1 - winner], time[winner],
             time[1 - winner], change);
}

/* "x/: 1.17 of both". */
static void uncertainties(const struct telling *telling, char *text, size_t size)
{
    const struct compared_latency *of = telling->verdict->of;
    char factor[SIDES][NUMBER];

    for (int s = 0; s < SIDES; s++)
        times(of[s].uncertainty, factor[s]);
    if (of[0].uncertainty == of[1].uncertainty)
        snprintf(text, size, "\xC3\x97/\xC3\xB7 %s of both", factor[0]);
    else
        snprintf(text, size, "\xC3\x97/\xC3\xB7 %s of %s and \xC3\x97/\xC3\xB7 %s of %s", factor[0],
                 telling->name[0], factor[1], telling->name[1]);
}

/* Whether more than their uncertainty is between them. */
static void tell_decided(struct telling *telling)
{
    const struct compare_verdict *verdict = telling->verdict;
    bool a = verdict->faster <= 0; /* told of whom */
    double least = a ? verdict->least : 1 / verdict->most;
    double most = a ? verdict->most : 1 / verdict->least;
    char of[COMPARE_FACT_MAX / 2], end[2][NUMBER];

    if (verdict->ratio == RESULT_NONE)
        return;
    uncertainties(telling, of, sizeof of);
    if (!compare_differs(least, most)) {
        tell(telling, "Uncertainty", verdict->faster < 0 ? 0 : 1,
             "%s, but in common (the same devices, used alike): %s", of,
             verdict->faster < 0 ? "the same" : "decided");
        return;
    }
    times(least, end[0]);
    times(most, end[1]);
    if (most - least < 0.02) { /* that two decimals would hide */
        snprintf(end[0], NUMBER, "%.5f", least);
        snprintf(end[1], NUMBER, "%.5f", most);
    }
    tell(telling, "Uncertainty", verdict->decided ? 1 : 0,
         "with %s%s, %s may be %s to %s times as fast: %s", of,
         verdict->common > 0 ? ", in part common" : "", telling->name[a ? 0 : 1], end[0], end[1],
         verdict->decided ? "decided" : "not decided");
}

static void tell_target(struct telling *telling, int s)
{
    static const struct {
        const char *format;
        bool worst; /* told of the slow end of its uncertainty */
        int tone;
    } rows[] = {
        [STANDING_MEETS] = {"%s meets %s by %s, also at its worst, %s", true, 1},
        [STANDING_MEETS_BARELY] = {"%s meets %s by %s, but not at its worst, %s", true, 0},
        [STANDING_MISSES_BARELY] = {"%s misses %s by %s, but not at its best, %s", false, -1},
        [STANDING_MISSES] = {"%s misses %s by %s, also at its best, %s", false, -1},
    };
    const struct compared_latency *of = &telling->verdict->of[s];
    char target[NUMBER], by[NUMBER], end[NUMBER], text[COMPARE_FACT_MAX];

    seconds(telling, of->target, target);
    seconds(telling, fabs(of->target - of->latency), by);
    seconds(telling,
            rows[of->standing].worst ? of->latency * of->uncertainty
                                     : of->latency / of->uncertainty,
            end);
    snprintf(text, sizeof text, rows[of->standing].format, telling->name[s], target, by, end);
    tell(telling, s == 0 ? "Target" : "", rows[of->standing].tone, "%s", text);
}

static void tell_overload(struct telling *telling, int s)
{
    char load[NUMBER];

    if (telling->verdict->of[s].overloaded)
        tell(telling, "Overload", -1,
             "%s does not keep up, by %s times; its latency is that of a frame alone",
             telling->name[s], times(telling->verdict->of[s].load, load));
}

static void tell_lag(struct telling *telling)
{
    const struct compared_latency *of = telling->verdict->of;
    int less = of[0].servo_lag < of[1].servo_lag ? 0 : 1;
    char a[NUMBER], b[NUMBER], by[NUMBER];

    text_quantity(of[less].servo_lag, "m", telling->unicode, a, sizeof a);
    text_quantity(of[1 - less].servo_lag, "m", telling->unicode, b, sizeof b);
    text_quantity(of[1 - less].servo_lag - of[less].servo_lag, "m", telling->unicode, by,
                  sizeof by);
    if (compare_differs(of[0].servo_lag, of[1].servo_lag))
        tell(telling, "Servo lag", 0, "%s of %s, %s less than the %s of %s", a, telling->name[less],
             by, b, telling->name[1 - less]);
    else
        tell(telling, "Servo lag", 0, "%s of both", a);
}

int compare_facts(const struct compare_verdict *verdict, const char *const name[SIDES],
                  bool unicode, struct compare_fact list[COMPARE_FACTS])
{
    struct telling telling = {verdict, name, unicode, list, 0};

    tell_faster(&telling);
    tell_decided(&telling);
    for (int s = 0; s < SIDES; s++)
        tell_target(&telling, s);
    for (int s = 0; s < SIDES; s++)
        tell_overload(&telling, s);
    tell_lag(&telling);
    return telling.count;
}

/* Compare report ------------------------------------------------------------------------------- */

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

/* Compare json --------------------------------------------------------------------------------- */

static const char *const json_sides[SIDES] = {"a", "b"};

static double in_us(double seconds)
{
    return seconds == RESULT_NONE ? RESULT_NONE : seconds * 1e6;
}

static double less(double b, double a)
{
    return a == RESULT_NONE || b == RESULT_NONE ? RESULT_NONE : b - a;
}

static void design(struct json *json, const struct comparison *comparison, int s,
                   const char *operand)
{
    const struct compared_latency *of = &comparison->verdict.of[s];

    json_object(json, json_sides[s]);
    json_text(json, "scenario", operand);
    json_text(json, "title", comparison->title[s]);
    json_number(json, "latency_us", in_us(of->latency));
    json_number(json, "uncertainty_factor", of->uncertainty);
    json_number(json, "target_latency_us", in_us(of->target));
    json_text(json, "target", standing_name(of->standing));
    json_bool(json, "overloaded", of->overloaded);
    json_number(json, "servo_lag_nm", of->servo_lag * 1e9);
    json_object_end(json);
}

static void verdict(struct json *json, const struct compare_verdict *verdict)
{
    const struct compared_latency *of = verdict->of;

    json_object(json, "verdict");
    json_text(json, "faster", verdict->faster < 0 ? NULL : json_sides[verdict->faster]);
    json_bool(json, "decided", verdict->decided);
    json_number(json, "latency_ratio", verdict->ratio);
    json_number(json, "latency_ratio_least", verdict->least);
    json_number(json, "latency_ratio_most", verdict->most);
    json_number(json, "common_errors", verdict->common);
    json_number(json, "latency_delta_us", in_us(of[1].latency - of[0].latency));
    json_number(json, "servo_lag_delta_nm", (of[1].servo_lag - of[0].servo_lag) * 1e9);
    json_object_end(json);
}

static void side_text(struct json *json, const char *suffix, const struct difference *difference,
                      int s)
{
    char key[16];
    bool origin = suffix[0] != '\0';

    snprintf(key, sizeof key, "%s%s", json_sides[s], suffix);
    if (!difference->has[s] || (origin && difference->knob == NULL))
        json_null(json, key);
    else
        json_text(json, key, origin ? origin_name(difference->origin[s]) : difference->value[s]);
}

static void differences(struct json *json, const struct comparison *comparison)
{
    json_array(json, "knobs");
    for (int d = 0; d < comparison->difference_count; d++) {
        const struct difference *difference = &comparison->difference[d];

        json_object(json, NULL);
        json_text(json, "path", difference->path);
        json_text(json, "kind", difference_kind_name(difference->kind));
        for (int s = 0; s < SIDES; s++)
            side_text(json, "", difference, s);
        for (int s = 0; s < SIDES; s++)
            side_text(json, "_origin", difference, s);
        json_object_end(json);
    }
    json_array_end(json);
}

/* Members "a", "b" and "delta" under a key that has the unit in it. */
static void pair(struct json *json, const char *key, double a, double b)
{
    json_object(json, key);
    json_number(json, "a", a);
    json_number(json, "b", b);
    json_number(json, "delta", less(b, a));
    json_object_end(json);
}

static void results(struct json *json, const struct comparison *comparison)
{
    bool loop = false;

    json_object(json, "results");
    for (int r = 0; r < comparison->result_count; r++) {
        const struct compared_result *compared = &comparison->result[r];
        struct unit unit = {DIMENSION_NUMBER, 1, 1};
        double value[SIDES];

        if (!loop && compared->row->scope == RESULT_LOOP) {
            json_object(json, "loop");
            loop = true;
        }
        unit_find(compared->row->unit, &unit);
        for (int s = 0; s < SIDES; s++)
            value[s] = compared->value[s] == RESULT_NONE
                           ? RESULT_NONE
                           : compared->value[s] * unit.denominator / unit.numerator;
        pair(json, compared->row->json, value[0], value[1]);
    }
    if (loop)
        json_object_end(json);
    json_object_end(json);
}

static void json_times(struct json *json, const char *key, const struct compared_node *node,
                       const double value[SIDES])
{
    pair(json, key, node->has[0] ? in_us(value[0]) : RESULT_NONE,
         node->has[1] ? in_us(value[1]) : RESULT_NONE);
}

static void words(struct json *json, const char *key, const bool has[SIDES], const char *a,
                  const char *b)
{
    json_object(json, key);
    json_text(json, "a", has[0] && a[0] != '\0' ? a : NULL);
    json_text(json, "b", has[1] && b[0] != '\0' ? b : NULL);
    json_object_end(json);
}

static void in_which(struct json *json, const bool has[SIDES])
{
    json_text(json, "in", has[0] && has[1] ? "both" : has[0] ? "a" : "b");
}

static void nodes(struct json *json, const struct comparison *comparison)
{
    json_array(json, "components");
    for (int n = 0; n < comparison->node_count; n++) {
        const struct compared_node *node = &comparison->node[n];

        json_object(json, NULL);
        json_text(json, "name", node->name);
        in_which(json, node->has);
        json_bool(json, "inserted", node->transfer);
        words(json, "device", node->has, node->device[0], node->device[1]);
        json_times(json, "compute_us", node, node->compute);
        json_times(json, "memory_us", node, node->memory);
        json_times(json, "time_us", node, node->time);
        json_times(json, "path_us", node, node->path);
        words(json, "bound", node->has, bound_name(node->bound[0]), bound_name(node->bound[1]));
        words(json, "level", node->has, memory_level_name(node->level[0]),
              memory_level_name(node->level[1]));
        json_object_end(json);
    }
    json_array_end(json);
}

static void device_pair(struct json *json, const char *key, const struct compared_device *device,
                        const double value[SIDES], double unit)
{
    pair(json, key, device->has[0] ? value[0] * unit : RESULT_NONE,
         device->has[1] ? value[1] * unit : RESULT_NONE);
}

static void devices(struct json *json, const struct comparison *comparison)
{
    json_array(json, "devices");
    for (int d = 0; d < comparison->device_count; d++) {
        const struct compared_device *device = &comparison->device[d];

        json_object(json, NULL);
        json_text(json, "name", device->name);
        in_which(json, device->has);
        words(json, "model", device->has, device->model[0], device->model[1]);
        device_pair(json, "peak_flops", device, device->peak, 1);
        device_pair(json, "memory_bytes_per_s", device, device->bandwidth, 1);
        device_pair(json, "busy_us", device, device->busy, 1e6);
        device_pair(json, "utilisation", device, device->utilisation, 1);
        json_object_end(json);
    }
    json_array_end(json);
}

void compare_json(FILE *out, const struct comparison *comparison, const char *const operand[SIDES])
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", COMPARE_SCHEMA);
    for (int s = 0; s < SIDES; s++)
        design(&json, comparison, s, operand[s]);
    verdict(&json, &comparison->verdict);
    differences(&json, comparison);
    results(&json, comparison);
    nodes(&json, comparison);
    devices(&json, comparison);
    json_object_end(&json);
}
