#include "base/allocate.h"
#include "report/reports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "explore/compare.h"
#include "explore/seek.h"
#include "model/result_read.h"
#include "report/range.h"

#define SEEK_SCHEMA 1
#define SENTENCE_MAX 260
#define POINTS 8

/* The answer ----------------------------------------------------------------------------------- */

/* Writes the change of a number: " (+1024 bit, +20 %)", nothing if there is no present one. */
static void write_change(const struct seek *seek, const struct seek_point *point, char *text,
                         size_t size)
{
    const char *name = seek->ref.knob->unit;
    double from = seek->from.value;
    double by = point->value - from;
    char part[40] = "";
    char digits[40];

    text[0] = '\0';
    if (seek->assumed)
        return;
    snprintf(digits, sizeof digits, "%.4g", unit_from_si(fabs(by), name));
    if (strchr(digits, 'e') != NULL)
        number_format(round(unit_from_si(fabs(by), name)), digits, sizeof digits);
    if (from != 0 && fabs(by / from) < 10)
        snprintf(part, sizeof part, ", %+.3g %%", 100 * by / from);
    else if (from != 0)
        snprintf(part, sizeof part, ", %.3g times", point->value / from);
    snprintf(text, size, " (%c%s%s%s%s)", by < 0 ? '-' : '+', digits, name[0] != '\0' ? " " : "",
             name, part);
    text_minus(text, size);
}

/* Writes a limit of the range in which the conditions stay met: "12 (-84, -87.5 %)". */
static void write_limit(const struct seek *seek, int number, char *text, size_t size)
{
    static const char *const ends[] = {[SEEK_BELOW] = "minimum", [SEEK_ABOVE] = "maximum"};
    const struct seek_side *side = &seek->side[number];
    char change[120];

    if (!side->crossed) {
        snprintf(text, size, "%.120s (range %s)", side->end.text, ends[number]);
    } else if (side->holds.value == seek->from.value) {
        snprintf(text, size, "%.120s (now)", seek->from.text);
    } else {
        write_change(seek, &side->holds, change, sizeof change);
        snprintf(text, size, "%.120s%s", side->holds.text, change);
    }
}

static void put_number_answer(struct record *record, const struct seek *seek)
{
    const struct seek_side *below = &seek->side[SEEK_BELOW];
    const struct seek_side *above = &seek->side[SEEK_ABOVE];
    char from[SENTENCE_MAX], to[SENTENCE_MAX], change[120];

    if (!seek->found && seek->from.shortfall != 0) {
        record_line(record, TONE_GOOD, "Answer",
                    "met by the present value only; no number from %s to %s meets it",
                    below->end.text, above->end.text);
    } else if (!seek->found) {
        record_line(record, TONE_GOOD, "Answer", "met by every value from %s to %s%s",
                    below->end.text, above->end.text,
                    seek->moves ? "" : "; the conditions do not depend on the knob");
    } else if (seek->apart) {
        write_limit(seek, SEEK_ABOVE, to, sizeof to);
        record_line(record, TONE_GOOD, "Answer", "met now and again from %s", to);
    } else if (seek->from.shortfall == 0 && seek->present.shortfall == 0) {
        write_limit(seek, SEEK_BELOW, from, sizeof from);
        write_limit(seek, SEEK_ABOVE, to, sizeof to);
        record_line(record, TONE_GOOD, "Answer", "met now and from %s to %s", from, to);
    } else {
        write_change(seek, &seek->answer, change, sizeof change);
        record_line(record, TONE_GOOD, "Answer", "%s%s", seek->answer.text, change);
        if (below->crossed && above->crossed) {
            const struct seek_point *other =
                seek->answer.value == below->holds.value ? &above->holds : &below->holds;

            write_change(seek, other, change, sizeof change);
            record_line(record, TONE_PLAIN, "Or", "%s%s", other->text, change);
        }
    }
}

static void put_choice_answer(struct record *record, const struct seek *seek)
{
    int meeting = 0;

    for (int i = 0; i < seek->count; i++)
        meeting += seek->choice[i].shortfall == 0;
    if (!seek->found)
        record_line(record, TONE_GOOD, "Answer", "met by the present choice only");
    else
        record_line(record, TONE_GOOD, "Answer", "%s, the first of %d suitable choices out of %d",
                    seek->answer.text, meeting, seek->count);
}

/* Points --------------------------------------------------------------------------------------- */

/* Returns true if an earlier condition compares the same result. */
static bool is_compared_before(const struct conditions *conditions, int i)
{
    const struct result_ref *left = &conditions->list[i].left;

    for (int before = 0; before < i; before++) {
        const struct result_ref *other = &conditions->list[before].left;

        if (other->row == left->row && other->index == left->index)
            return true;
    }
    return false;
}

/* Returns the digits, at least `digits`, that tell two different numbers apart. */
static int distinct_digits(double a, double b, int digits)
{
    char first[40], second[40];

    for (; digits < 15 && a != b; digits++) {
        snprintf(first, sizeof first, "%.*g", digits, a);
        snprintf(second, sizeof second, "%.*g", digits, b);
        if (strcmp(first, second) != 0)
            break;
    }
    return digits;
}

/* Writes a compared result of a point with three significant digits; next to an edge with as many
 * more as tell it from the other side, and from what it is compared with. */
static void write_compared(struct record *record, const struct seek *seek,
                           const struct seek_point *point, int i, char *text, size_t size)
{
    enum { DIGITS = 3 };
    const char *unit = seek->conditions.list[i].left.row->unit;
    const double value = point->left[i];
    const char *space;
    int digits = DIGITS;

    snprintf(text, size, "%s", record_quantity(record, value, unit));
    space = unit[0] == '\0' ? NULL : strchr(text, ' ');
    unit = space == NULL ? "" : space + 1;
    for (int s = 0; s < SEEK_SIDES && !seek->choices && value != RESULT_NONE; s++) {
        const struct seek_side *side = &seek->side[s];
        const bool holds = point->value == side->holds.value;
        const struct seek_point *beyond = holds ? &side->fails : &side->holds;
        const double other = beyond->left[i];

        /* the others do not decide on this side */
        if (!side->crossed || (!holds && point->value != side->fails.value) ||
            ((value < point->right[i]) == (other < beyond->right[i]) &&
             (value > point->right[i]) == (other > beyond->right[i])))
            continue;
        digits = distinct_digits(unit_from_si(value, unit), unit_from_si(other, unit), digits);
        digits =
            distinct_digits(unit_from_si(value, unit), unit_from_si(point->right[i], unit), digits);
    }
    if (digits > DIGITS) {
        char number[40];

        snprintf(number, sizeof number, "%.*g", digits, unit_from_si(value, unit));
        if (space != NULL)
            strcat(number, space);
        snprintf(text, size, "%s", number);
    }
}

/* Puts the compared results. */
static void put_compared_results(struct record *record, const struct seek *seek,
                                 const struct seek_point *point)
{
    char key[RESULT_PATH_MAX], path[RESULT_PATH_MAX];

    record_object(record, "results", NULL, true);
    for (int i = 0; i < seek->conditions.count; i++) {
        const struct result_ref *left = &seek->conditions.list[i].left;
        const char *unit = left->row->unit;
        char text[60];

        if (is_compared_before(&seek->conditions, i))
            continue;
        result_json_path(left, key, sizeof key);
        result_path(left, path, sizeof path);
        if (left->row == &result_rows[RESULT_LATENCY_HIGH] && point->left[i] == RESULT_NONE &&
            point->problem.status == STATUS_OK) {
            record_number(record, key, NULL, unit, RESULT_NONE);
            record_cell(record, path, point->partial ? "-" : "may not keep up");
            record_right(record);
            continue;
        }
        if (point->left[i] == RESULT_NONE && point->unstable_above != RESULT_NONE &&
            (left->row->derived & DERIVED_LOOP) != 0) {
            record_number(record, key, NULL, unit, RESULT_NONE);
            record_cellf(record, path, "unstable, maximum %.3g", point->unstable_above);
            record_right(record);
            continue;
        }
        record_number(record, key, NULL, unit, point->left[i]);
        write_compared(record, seek, point, i, text, sizeof text);
        record_cell(record, path, text);
        record_right(record);
    }
    record_object_end(record);
}

/* Puts the members of a point's object or the cells of its row. */
static void put_point_values(struct record *record, const struct seek *seek,
                             const struct seek_point *point)
{
    const struct knob *knob = seek->ref.knob;
    bool valid = point->problem.status == STATUS_OK;
    bool answer = seek->found && strcmp(point->text, seek->answer.text) == 0;
    bool now = strcmp(point->text, seek->present.text) == 0;
    char shown[sizeof point->text], brief[VERDICT_RESOURCE_MAX];

    snprintf(shown, sizeof shown, "%s", point->text);
    if (point == &seek->from && !now) /* the value in force of an automatic knob */
        quantity_shorten(shown);
    record_cell(record, "", answer ? ">" : "");
    record_cellf(record, knob->key, "%s%s", shown, now ? " (now)" : "");
    if (!seek->choices)
        record_right(record);
    if (seek->choices)
        record_text(record, "value", NULL, point->text);
    else
        record_number(record, "value", NULL, knob->unit,
                      knob_is_auto(knob, point->value) ? RESULT_NONE : point->value);
    record_text(record, "text", NULL, point->text);
    record_bool(record, "meets", "Meets", point->shortfall == 0);
    put_compared_results(record, seek, point);
    record_number(record, "load", NULL, "", point->load);
    record_text(record, "limit", NULL, valid && point->limit[0] != '\0' ? point->limit : NULL);
    verdict_brief(point->limited_by, brief);
    record_cell(record, "Limited by", brief);
    record_object(record, "bound", NULL, valid && point->bound_node[0] != '\0');
    record_text(record, "component", NULL, point->bound_node);
    record_text(record, "by", NULL, bound_name(point->bound));
    record_text(record, "device", NULL, point->device[0] != '\0' ? point->device : NULL);
    record_object_end(record);
    record_soft(record);
    record_text(record, "problem", NULL, valid ? NULL : point->problem.message);
}

static void put_point(struct record *record, const char *key, const struct seek *seek,
                      const struct seek_point *point, bool exists)
{
    record_object(record, key, NULL, exists);
    put_point_values(record, seek, point);
    record_object_end(record);
}

static void put_side(struct record *record, const char *key, const struct seek *seek,
                     const struct seek_side *side)
{
    record_object(record, key, NULL, true);
    put_point(record, "meets", seek, &side->holds, side->crossed);
    put_point(record, "fails", seek, &side->fails, side->crossed);
    put_point(record, "last", seek, &side->end, true);
    record_object_end(record);
}

/* Selects the points to show of a number, ordered by value. */
static int gather_points(const struct seek *seek, const struct seek_point *points[POINTS])
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

static void put_row(struct record *record, const struct seek *seek, const struct seek_point *point)
{
    record_row(record);
    put_point_values(record, seek, point);
    record_row_end(record);
}

/* Puts the table of points in text and why the design is invalid at some, each reason once. */
static void put_points(struct record *record, const struct seek *seek,
                       const struct seek_point *const *points, int count)
{
    const char *before = "";

    record_table(record, NULL, "Values");
    if (!is_listed(seek, points, count))
        put_row(record, seek, &seek->present);
    for (int i = 0; i < count; i++)
        put_row(record, seek, points[i]);
    record_table_end(record);
    for (int i = 0; i < count; i++) {
        const struct error *problem = &points[i]->problem;

        if (problem->status == STATUS_OK && points[i]->overloaded) {
            char text[NODE_NAME_MAX + 80];

            snprintf(text, sizeof text, "does not keep up: the load of %s is %s%.*g",
                     points[i]->limit, points[i]->load < 1.0001 ? "above " : "",
                     points[i]->load < 1.005 ? 5 : 3,
                     points[i]->load < 1.0001 ? 1 : points[i]->load);
            record_remark(record, points[i]->text, text);
        }
        if (problem->status == STATUS_OK || strcmp(problem->message, before) == 0)
            continue;
        record_remark(record, points[i]->text, problem->message);
        before = problem->message;
    }
}

/* No value ------------------------------------------------------------------------------------- */

/* Returns the condition that is furthest from being met at a point. */
static int worst_condition(const struct seek *seek, const struct seek_point *point)
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

static void write_range(const struct seek *seek, char *text, size_t size)
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
    int which = worst_condition(seek, best);
    const struct condition *condition = &seek->conditions.list[which];
    char conditions[CONDITIONS_MAX * CONDITION_TEXT_MAX];
    char path[96], result[RESULT_PATH_MAX], range[600], value[40];
    struct buffer buffer = buffer_over(text, size);

    knob_path(scenario, seek->ref, path, sizeof path);
    conditions_print(&seek->conditions, conditions, sizeof conditions);
    result_path(&condition->left, result, sizeof result);
    write_range(seek, range, sizeof range);
    buffer_print(&buffer, "%s: %s meets %s; ", path, range, conditions);
    if (isinf(best->shortfall)) {
        buffer_print(&buffer, "the design is then invalid%s or has no such result",
                     (conditions_derived(&seek->conditions) & DERIVED_RANGE) != 0
                         ? ", may not keep up"
                         : "");
        return;
    }
    if (best->left[which] == RESULT_NONE) { /* a margin */
        buffer_print(&buffer, "the design does not keep up: the load of %s is %.3g at %s",
                     best->limit, best->load, best->text);
        return;
    }
    quantity_print(best->left[which], condition->left.row->unit, value, sizeof value);
    if (seek->moves)
        buffer_print(&buffer, "the best %s is %s at %s%s", result, value, best->text,
                     strcmp(best->text, seek->present.text) == 0 ||
                             (compare_matters(best->left[which], seek->present.left[which]) &&
                              (condition->left.row != &result_rows[RESULT_LATENCY] || seek->faster))
                         ? ""
                         : ", no practical difference from now");
    else
        buffer_print(&buffer, "%s is %s for every value", result, value);
    if (best->overloaded)
        buffer_print(&buffer, ": the load of %s is then %.3g", best->limit, best->load);
    else
        buffer_print(&buffer, ", limited by %s",
                     best->limited_by[0] != '\0' ? best->limited_by : "nothing");
}

/* Says what the answer does to the range of the latency, whose upper end may rise by far more than
 * the latency falls. */
static void put_ranges(struct record *record, const struct seek *seek)
{
    char text[2][RANGE_LATENCY_MAX];

    if (!seek->ranged)
        return;
    for (int s = 0; s < 2; s++)
        range_latency_text(seek->range[s].latency, seek->range[s].low, seek->range[s].high,
                           record->unicode, text[s]);
    record_line(record, TONE_PLAIN, "RTC latency", "then %s, now %s", text[1], text[0]);
}

static void put_range_data(struct record *record, const char *key, const struct seek_range *range,
                           bool exists)
{
    record_object(record, key, NULL, exists);
    record_number(record, "latency_us", NULL, "us", range->latency);
    record_number(record, "latency_low_us", NULL, "us", range->low);
    record_number(record, "latency_high_us", NULL, "us", range->high);
    record_object_end(record);
}

/* The report ----------------------------------------------------------------------------------- */

static void put_data(struct record *record, const struct scenario *scenario,
                     const struct seek *seek)
{
    const char *unit = seek->ref.knob->unit;
    double from = seek->from.value;
    double change =
        seek->found && !seek->choices && !seek->assumed ? seek->answer.value - from : RESULT_NONE;
    char sentence[SEEK_SENTENCE_MAX];
    char path[96];

    knob_path(scenario, seek->ref, path, sizeof path);
    seek_infeasible(scenario, seek, sentence, sizeof sentence);
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, SEEK_SCHEMA);
    record_text(record, "knob", NULL, path);
    record_text(record, "unit", NULL, unit);
    record_array(record, "until", true);
    for (int i = 0; i < seek->conditions.count; i++) {
        char text[CONDITION_TEXT_MAX];

        condition_print(&seek->conditions.list[i], text, sizeof text);
        record_text(record, NULL, NULL, text);
    }
    record_array_end(record);
    record_bool(record, "feasible", NULL, seek_feasible(seek));
    record_bool(record, "depends", NULL, seek->moves);
    put_point(record, "answer", seek, &seek->answer, seek->found);
    record_number(record, "change", NULL, unit, change);
    record_number(record, "change_percent", NULL, "",
                  change != RESULT_NONE && from != 0 ? 100 * change / from : RESULT_NONE);
    put_point(record, "present", seek, &seek->present, true);
    put_range_data(record, "answer_range", &seek->range[1], seek->ranged);
    put_range_data(record, "present_range", &seek->range[0], seek->ranged);
    if (seek->choices) {
        record_array(record, "choices", true);
        for (int i = 0; i < seek->count; i++)
            put_point(record, NULL, seek, &seek->choice[i], true);
        record_array_end(record);
    } else {
        put_side(record, "below", seek, &seek->side[SEEK_BELOW]);
        put_side(record, "above", seek, &seek->side[SEEK_ABOVE]);
    }
    put_point(record, "best", seek, &seek->best, true);
    record_text(record, "infeasible", NULL, seek_feasible(seek) ? NULL : sentence);
    record_integer(record, "evaluations", NULL, (double)seek->evaluations);
    record_object_end(record);
}

static void put_lines(struct record *record, const struct scenario *scenario,
                      const struct seek *seek)
{
    char conditions[CONDITIONS_MAX * CONDITION_TEXT_MAX];
    char path[96];

    knob_path(scenario, seek->ref, path, sizeof path);
    conditions_print(&seek->conditions, conditions, sizeof conditions);
    record_line(record, TONE_PLAIN, "Knob", "%s, now %s", path, seek->present.text);
    if (seek->present.problem.status != STATUS_OK)
        record_line(record, TONE_BAD, "Now", "the design is invalid: %s",
                    seek->present.problem.message);
    record_line(record, TONE_PLAIN, "Until", "%s", conditions);
    if (seek->choices)
        put_choice_answer(record, seek);
    else
        put_number_answer(record, seek);
    put_ranges(record, seek);
    if (seek->found && seek->answer.overloaded)
        record_line(record, TONE_BAD, "Overloaded",
                    "the load of %s is then %.3g; add load<=1 to the conditions",
                    seek->answer.limit, seek->answer.load);
}

void seek_report(struct record *record, const struct scenario *scenario, const struct seek *seek)
{
    const struct seek_point *points[POINTS];
    const struct seek_point **choices;

    if (record_is_data(record)) {
        put_data(record, scenario, seek);
        return;
    }
    put_lines(record, scenario, seek);
    if (!seek->choices) {
        put_points(record, seek, points, gather_points(seek, points));
        return;
    }
    choices = allocate(((size_t)seek->count + 1) * sizeof *choices);
    for (int i = 0; i < seek->count; i++)
        choices[i] = &seek->choice[i];
    put_points(record, seek, choices, seek->count);
    free(choices);
}
