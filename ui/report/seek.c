#include "report/seek.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "report/json.h"
#include "report/report.h"

#define CELL 160
#define POINTS 8

/* Words --------------------------------------------------------------------------------------- */

/* "recon is bound by memory on gpu0". */
static void print_bound(const struct seek_point *point, char *text, size_t size)
{
    if (point->problem.status != STATUS_OK)
        snprintf(text, size, "%s", point->problem.message);
    else if (point->bound_node[0] == '\0')
        snprintf(text, size, "nothing binds");
    else
        snprintf(text, size, "%s is bound by %s%s%s", point->bound_node, bound_name(point->bound),
                 point->device[0] != '\0' ? " on " : "", point->device);
}

/* "+1024 bit, +20 %" of a number. */
static void print_change(const struct seek *seek, const struct seek_point *point, char *text,
                         size_t size)
{
    const char *name = seek->ref.knob->unit;
    double from = seek->from.value;
    double by = point->value - from;
    char part[40] = "";
    char digits[40];
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    unit_find(name, &unit);
    snprintf(digits, sizeof digits, "%.4g", fabs(by) * unit.denominator / unit.numerator);
    if (strchr(digits, 'e') != NULL)
        number_format(round(fabs(by) * unit.denominator / unit.numerator), digits, sizeof digits);
    if (from != 0 && fabs(by / from) < 10)
        snprintf(part, sizeof part, ", %+.3g %%", 100 * by / from);
    else if (from != 0)
        snprintf(part, sizeof part, ", %.3g times", point->value / from);
    snprintf(text, size, "%c%s%s%s%s", by < 0 ? '-' : '+', digits, name[0] != '\0' ? " " : "", name,
             part);
}

/* One way of a design that fulfils the conditions: "down to 12 (-84, -87.5 %)". */
static void print_way(const struct seek *seek, int number, char *text, size_t size)
{
    static const char *const words[] = {[SEEK_BELOW] = "down", [SEEK_ABOVE] = "up"};
    const struct seek_side *side = &seek->side[number];
    char change[120];

    if (!side->crossed && side->end.value == seek->from.value)
        snprintf(text, size, "no further %s", words[number]);
    else if (!side->crossed)
        snprintf(text, size, "%s to the end of its range, %s", words[number], side->end.text);
    else if (side->holds.value == seek->from.value)
        snprintf(text, size, "no further %s", words[number]);
    else {
        print_change(seek, &side->holds, change, sizeof change);
        snprintf(text, size, "%s to %s (%s)", words[number], side->holds.text, change);
    }
}

static void say_number(const struct report *report, const struct seek *seek)
{
    const struct seek_side *below = &seek->side[SEEK_BELOW];
    const struct seek_side *above = &seek->side[SEEK_ABOVE];
    char down[CELL], up[CELL], change[120];

    if (!seek->found && seek->from.shortfall != 0) {
        report_line(report, report->good, "Answer", "met as it is, by no number from %s to %s",
                    below->end.text, above->end.text);
    } else if (!seek->found) {
        report_line(report, report->good, "Answer", "met at any value from %s to %s%s",
                    below->end.text, above->end.text,
                    seek->moves ? "" : "; it does not depend on it");
    } else if (seek->from.shortfall == 0 && seek->present.shortfall == 0) {
        print_way(seek, SEEK_BELOW, down, sizeof down);
        print_way(seek, SEEK_ABOVE, up, sizeof up);
        report_line(report, report->good, "Answer", "met now; it may go %s, and %s", down, up);
    } else {
        print_change(seek, &seek->answer, change, sizeof change);
        report_line(report, report->good, "Answer", "%s (%s)", seek->answer.text, change);
        if (below->crossed && above->crossed) {
            const struct seek_point *other =
                seek->answer.value == below->holds.value ? &above->holds : &below->holds;

            print_change(seek, other, change, sizeof change);
            report_line(report, "", "Or", "%s (%s)", other->text, change);
        }
    }
}

static void say_choice(const struct report *report, const struct seek *seek)
{
    int meeting = 0;

    for (int i = 0; i < seek->count; i++)
        meeting += seek->choice[i].shortfall == 0;
    if (!seek->found)
        report_line(report, report->good, "Answer", "met as it is, by no other choice");
    else
        report_line(report, report->good, "Answer", "%s, the first of %d that meet%s it, of %d",
                    seek->answer.text, meeting, meeting == 1 ? "s" : "", seek->count);
}

/* Table --------------------------------------------------------------------------------------- */

/* A result in its row's unit, with digits enough to tell two sides of an edge apart. */
static void add_result(const struct report *report, struct table *table, double si,
                       const char *name)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    char digits[40];
    char cell[CELL];

    unit_find(name, &unit);
    snprintf(digits, sizeof digits, "%.6g", si * unit.denominator / unit.numerator);
    snprintf(cell, sizeof cell, "%s%s%s", digits, name[0] != '\0' ? " " : "",
             strcmp(name, "us") == 0 && report->unicode ? "\xC2\xB5s" : name);
    table_add(table, si == RESULT_NONE ? "-" : cell);
}

static void add_row(const struct report *report, struct table *table, const struct seek *seek,
                    const struct seek_point *point, bool present)
{
    bool answer = seek->found && strcmp(point->text, seek->answer.text) == 0;
    char cell[NODE_NAME_MAX + CELL];

    snprintf(cell, sizeof cell, "%s%s", point->text, present ? " (now)" : "");
    table_add(table, answer ? ">" : "");
    table_add(table, cell);
    table_add(table, point->shortfall == 0 ? "yes" : "no");
    for (int i = 0; i < seek->conditions.count; i++)
        add_result(report, table, point->left[i], seek->conditions.list[i].left.row->unit);
    if (point->bound_node[0] == '\0')
        snprintf(cell, sizeof cell, "-");
    else
        snprintf(cell, sizeof cell, "%s %s%s%s", point->bound_node, bound_name(point->bound),
                 point->device[0] != '\0' ? " on " : "", point->device);
    table_add(table, cell);
}

/* The points worth showing of a number, in the order of their values. */
static int gather(const struct seek *seek, const struct seek_point *points[POINTS])
{
    const struct seek_point *all[POINTS];
    int count = 0;
    int kept = 0;

    all[count++] = &seek->from;
    for (int s = 0; s < SEEK_SIDES; s++) {
        const struct seek_side *side = &seek->side[s];

        all[count++] = side->crossed ? &side->holds : &side->end;
        if (side->crossed)
            all[count++] = &side->fails;
    }
    for (int i = 0; i < count; i++) {
        int at = kept;
        bool known = false;

        for (int k = 0; k < kept; k++)
            known = known || points[k]->value == all[i]->value;
        if (known)
            continue;
        for (; at > 0 && points[at - 1]->value > all[i]->value; at--)
            points[at] = points[at - 1];
        points[at] = all[i];
        kept++;
    }
    return kept;
}

static bool is_listed(const struct seek *seek, const struct seek_point *const *points, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(points[i]->text, seek->present.text) == 0)
            return true;
    return false;
}

/* Why the design has no meaning at some points; the same reason once. */
static void say_problems(const struct report *report, const struct seek_point *const *points,
                         int count)
{
    const char *before = "";

    for (int i = 0; i < count; i++) {
        const struct error *problem = &points[i]->problem;

        if (problem->status == STATUS_OK || strcmp(problem->message, before) == 0)
            continue;
        fprintf(report->out, "%s%s: %s\n", before[0] == '\0' ? "\n" : "", points[i]->text,
                problem->message);
        before = problem->message;
    }
}

static void print_points(const struct report *report, const struct seek *seek,
                         const struct seek_point *const *points, int count)
{
    int results = seek->conditions.count;
    unsigned right = 2U | ((1U << results) - 1) << 3;
    struct table table = table_new(4 + results, seek->choices ? right & ~2U : right, 3 + results);

    table_add(&table, "");
    table_add(&table, seek->ref.knob->key);
    table_add(&table, "Meets");
    for (int i = 0; i < results; i++) {
        char path[RESULT_PATH_MAX];

        result_path(&seek->conditions.list[i].left, path, sizeof path);
        table_add(&table, path);
    }
    table_add(&table, "Bound by");
    if (!is_listed(seek, points, count))
        add_row(report, &table, seek, &seek->present, true);
    for (int i = 0; i < count; i++)
        add_row(report, &table, seek, points[i], strcmp(points[i]->text, seek->present.text) == 0);
    report_table(report, &table);
    say_problems(report, points, count);
}

/* -------------------------------------------------------------------------------------------- */

void seek_text(FILE *out, const struct scenario *scenario, const struct seek *seek)
{
    struct report report = report_to(out);
    const struct seek_point *points[POINTS];
    const struct seek_point **choices;
    char conditions[CONDITIONS_MAX * CONDITION_TEXT_MAX];
    char path[96];

    knob_path(scenario, seek->ref, path, sizeof path);
    conditions_print(&seek->conditions, conditions, sizeof conditions);
    report_line(&report, "", "Knob", "%s, now %s", path, seek->present.text);
    if (seek->present.problem.status != STATUS_OK)
        report_line(&report, report.bad, "Now", "the design has no meaning: %s",
                    seek->present.problem.message);
    report_line(&report, "", "Until", "%s", conditions);
    if (seek->choices)
        say_choice(&report, seek);
    else
        say_number(&report, seek);
    if (seek->found && seek->answer.overloaded)
        report_line(&report, report.bad, "Overloaded",
                    "there %s is busy %.3g times as long as a frame lasts; add load<=1 to what is "
                    "to hold",
                    seek->answer.limit, seek->answer.load);
    if (!seek->choices) {
        print_points(&report, seek, points, gather(seek, points));
        return;
    }
    choices = malloc(((size_t)seek->count + 1) * sizeof *choices);
    for (int i = 0; choices != NULL && i < seek->count; i++)
        choices[i] = &seek->choice[i];
    if (choices != NULL)
        print_points(&report, seek, choices, seek->count);
    free(choices);
}

/* The condition that is furthest from being met at a point. */
static int worst(const struct seek *seek, const struct seek_point *point)
{
    int most = 0;
    double largest = -1;

    for (int i = 0; i < seek->conditions.count; i++) {
        double right = point->right[i];
        double gap = point->left[i] - right;
        enum relation relation = seek->conditions.list[i].relation;

        if (relation == RELATION_AT_LEAST || relation == RELATION_ABOVE)
            gap = -gap;
        if (right != 0)
            gap /= fabs(right);
        if (gap > largest) {
            largest = gap;
            most = i;
        }
    }
    return most;
}

static void range_of(const struct seek *seek, char *text, size_t size)
{
    if (seek->choices)
        snprintf(text, size, "none of its %d choices", seek->count);
    else
        snprintf(text, size, "no value from %s to %s", seek->side[SEEK_BELOW].end.text,
                 seek->side[SEEK_ABOVE].end.text);
}

void seek_infeasible(const struct scenario *scenario, const struct seek *seek, char *text,
                     size_t size)
{
    const struct seek_point *best = &seek->best;
    int which = worst(seek, best);
    const struct condition *condition = &seek->conditions.list[which];
    char conditions[CONDITIONS_MAX * CONDITION_TEXT_MAX];
    char path[96], result[RESULT_PATH_MAX], range[600], value[40] = "", bound[ERROR_MESSAGE_MAX];
    size_t used;

    knob_path(scenario, seek->ref, path, sizeof path);
    conditions_print(&seek->conditions, conditions, sizeof conditions);
    result_path(&condition->left, result, sizeof result);
    range_of(seek, range, sizeof range);
    used = (size_t)snprintf(text, size, "%s: %s meets %s; ", path, range, conditions);
    if (used >= size)
        return;
    if (isinf(best->shortfall)) {
        snprintf(text + used, size - used, "the design has no such result or no meaning there");
        return;
    }
    quantity_print(best->left[which], condition->left.row->unit, value, sizeof value);
    print_bound(best, bound, sizeof bound);
    if (seek->moves)
        used += (size_t)snprintf(text + used, size - used, "the best %s is %s at %s", result, value,
                                 best->text);
    else
        used +=
            (size_t)snprintf(text + used, size - used, "%s is %s whatever it is", result, value);
    if (used >= size)
        return;
    if (best->overloaded)
        snprintf(text + used, size - used, ": there %s is busy %.3g times as long as a frame lasts",
                 best->limit, best->load);
    else
        snprintf(text + used, size - used, ", where %s", bound);
}

/* Seek json ------------------------------------------------------------------------------------ */

#define SEEK_SCHEMA 1

static double in_unit(double si, const char *name)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    if (si == RESULT_NONE)
        return si;
    unit_find(name, &unit);
    return si * unit.denominator / unit.numerator;
}

/* What the conditions compare, by its JSON path. */
static void put_results(struct json *json, const struct seek *seek, const struct seek_point *point)
{
    const struct conditions *conditions = &seek->conditions;
    char path[RESULT_PATH_MAX];

    json_object(json, "results");
    for (int i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->list[i];
        bool said = false;

        for (int before = 0; before < i; before++)
            said = said || (conditions->list[before].left.row == condition->left.row &&
                            conditions->list[before].left.index == condition->left.index);
        result_json_path(&condition->left, path, sizeof path);
        if (!said)
            json_number(json, path, in_unit(point->left[i], condition->left.row->unit));
    }
    json_object_end(json);
}

static void put_point(struct json *json, const char *key, const struct seek *seek,
                      const struct seek_point *point)
{
    bool valid = point->problem.status == STATUS_OK;

    json_object(json, key);
    if (seek->choices)
        json_text(json, "value", point->text);
    else if (knob_is_auto(seek->ref.knob, point->value))
        json_null(json, "value");
    else
        json_number(json, "value", in_unit(point->value, seek->ref.knob->unit));
    json_text(json, "text", point->text);
    json_bool(json, "meets", point->shortfall == 0);
    put_results(json, seek, point);
    json_number(json, "load", point->load);
    json_text(json, "limit", valid && point->limit[0] != '\0' ? point->limit : NULL);
    if (valid && point->bound_node[0] != '\0') {
        json_object(json, "bound");
        json_text(json, "component", point->bound_node);
        json_text(json, "by", bound_name(point->bound));
        json_text(json, "device", point->device[0] != '\0' ? point->device : NULL);
        json_object_end(json);
    } else {
        json_null(json, "bound");
    }
    json_text(json, "problem", valid ? NULL : point->problem.message);
    json_object_end(json);
}

static void put_side(struct json *json, const char *key, const struct seek *seek,
                     const struct seek_side *side)
{
    json_object(json, key);
    if (side->crossed) {
        put_point(json, "meets", seek, &side->holds);
        put_point(json, "fails", seek, &side->fails);
    } else {
        json_null(json, "meets");
        json_null(json, "fails");
    }
    put_point(json, "last", seek, &side->end);
    json_object_end(json);
}

static void put_change(struct json *json, const struct seek *seek)
{
    double from = seek->from.value;

    if (!seek->found || seek->choices) {
        json_null(json, "change");
        json_null(json, "change_percent");
        return;
    }
    json_number(json, "change", in_unit(seek->answer.value - from, seek->ref.knob->unit));
    json_number(json, "change_percent",
                from != 0 ? 100 * (seek->answer.value - from) / from : RESULT_NONE);
}

static void put_values(struct json *json, const struct seek *seek)
{
    if (!seek->choices) {
        put_side(json, "below", seek, &seek->side[SEEK_BELOW]);
        put_side(json, "above", seek, &seek->side[SEEK_ABOVE]);
        return;
    }
    json_array(json, "choices");
    for (int i = 0; i < seek->count; i++)
        put_point(json, NULL, seek, &seek->choice[i]);
    json_array_end(json);
}

void seek_json(FILE *out, const struct scenario *scenario, const struct seek *seek)
{
    char sentence[SEEK_SENTENCE_MAX];
    struct json json = json_to(out);
    char path[96];

    knob_path(scenario, seek->ref, path, sizeof path);
    json_object(&json, NULL);
    json_number(&json, "schema", SEEK_SCHEMA);
    json_text(&json, "knob", path);
    json_text(&json, "unit", seek->ref.knob->unit);
    json_array(&json, "until");
    for (int i = 0; i < seek->conditions.count; i++) {
        char text[CONDITION_TEXT_MAX];

        condition_print(&seek->conditions.list[i], text, sizeof text);
        json_text(&json, NULL, text);
    }
    json_array_end(&json);
    json_bool(&json, "feasible", seek_feasible(seek));
    json_bool(&json, "depends", seek->moves);
    if (seek->found)
        put_point(&json, "answer", seek, &seek->answer);
    else
        json_null(&json, "answer");
    put_change(&json, seek);
    put_point(&json, "present", seek, &seek->present);
    put_values(&json, seek);
    put_point(&json, "best", seek, &seek->best);
    seek_infeasible(scenario, seek, sentence, sizeof sentence);
    json_text(&json, "infeasible", seek_feasible(seek) ? NULL : sentence);
    json_number(&json, "evaluations", (double)seek->evaluations);
    json_object_end(&json);
}
