#include "report/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "design/knob_text.h"
#include "explore/caveat.h"
#include "explore/compare.h"
#include "explore/rank.h"
#include "explore/search_axes.h"
#include "model/result_read.h"
#include "model/verdict.h"
#include "report/range.h"
#include "report/reports.h"

#define SEARCH_SCHEMA 1
#define UNPRICED_NAMED 8 /* parts without a price, of more only their number */

const struct record_column search_columns[SEARCH_COLUMNS] = {
    [SEARCH_LATENCY] = {"latency_us", "Latency", "us"},
    [SEARCH_RANGE] = {NULL, "Range", ""},
    [SEARCH_TOTAL] = {"total_change_nm", "nm", "nm"},
    [SEARCH_MARGIN] = {"margin_us", "Margin", "us"},
    [SEARCH_WATTS] = {"watts", "Power", "W"},
    [SEARCH_PRICE] = {"price", "Price", ""},
    [SEARCH_COUNT] = {"count", "Parts", ""},
    [SEARCH_MEMORY] = {"memory_fraction", "Memory used", "fraction"},
    [SEARCH_LIMIT] = {NULL, "Limited by", ""},
};

/* Question ------------------------------------------------------------------------------------- */

static const char *verdict_key(int verdict)
{
    static const char *const keys[] = {[SWEEP_KEPT] = "kept",
                                       [SWEEP_REPEATED] = "repeated",
                                       [SWEEP_UNASKED] = NULL, /* of the screen only */
                                       [SWEEP_INVALID] = "invalid",
                                       [SWEEP_UNHOSTED] = "needs_other_host",
                                       [SWEEP_LANES] = "too_few_lanes",
                                       [SWEEP_UNFIT] = "memory_too_small",
                                       [SWEEP_OVERLOADED] = "overloaded",
                                       [SWEEP_UNKNOWN] = "unknown",
                                       [SWEEP_BOUNDED] = "bounded"};

    return keys[verdict];
}

/* Puts the numbers of designs by what excludes them: members of JSON. */
static void put_counts(struct record *record, const struct search *search,
                       const uint64_t count[SEARCH_VERDICTS])
{
    for (int v = SWEEP_KEPT; v < SWEEP_MISSED; v++)
        if (verdict_key(v) != NULL)
            record_integer(record, verdict_key(v), NULL, (double)count[v]);
    record_array(record, "missed", true);
    for (int i = 0; i < search->conditions.count && record->format == RECORD_JSON; i++) {
        char condition[CONDITION_TEXT_MAX];

        condition_print(&search->conditions.list[i], condition, sizeof condition);
        record_object(record, NULL, NULL, true);
        record_text(record, "condition", NULL, condition);
        record_integer(record, "designs", NULL, (double)count[SWEEP_MISSED + i]);
        record_object_end(record);
    }
    record_array_end(record);
}

/* Says that the axes are not stated, and what they leave as it is. */
static void put_chosen(struct record *record, const struct search *search)
{
    struct buffer kept = {0};

    search_axes_print_kept(search->chosen, search->sweep.base, &kept);
    record_line(record, TONE_PLAIN, "Axes", "chosen; --over states others%s%s",
                kept.length > 0 ? "; " : "", kept.length > 0 ? kept.bytes : "");
    buffer_free(&kept);
}

static void put_question(struct record *record, const struct search *search, bool stopped)
{
    const struct sweep *sweep = &search->sweep;
    struct buffer axes = {0}, objectives = {0};
    const uint64_t tried = search_tried(search);
    char path[RESULT_PATH_MAX];

    record_integer(record, "schema", NULL, SEARCH_SCHEMA);
    record_text(record, "title", NULL, sweep->base->general.title);
    record_array(record, "objectives", true);
    for (int i = 0; i < sweep->wanted_count; i++) {
        result_path(&sweep->wanted[i], path, sizeof path);
        if (record->format == RECORD_JSON)
            record_text(record, NULL, NULL, path);
        buffer_print(&objectives, "%s%s %s", i > 0 ? ", " : "",
                     sweep->wanted[i].row->sense == SENSE_LESS ? "least" : "most", path);
    }
    record_array_end(record);
    record_array(record, "axes", true);
    for (int i = 0; i < sweep->axis_count; i++) {
        const struct axis *axis = &sweep->axis[search->column[i]];

        axis_path(axis, sweep->base, path, sizeof path);
        if (record->format == RECORD_JSON)
            record_text(record, NULL, NULL, path);
        buffer_print(&axes, "%s%d of %s", i > 0 ? " x " : "", axis->count, path);
    }
    record_array_end(record);
    record_bool(record, "axes_chosen", NULL, search->chosen != NULL);
    record_integer(record, "designs", NULL, (double)search->designs);
    if (sweep->axis_count == 1)
        record_line(record, TONE_PLAIN, "Designs", "%s", axes.bytes);
    else
        record_line(record, TONE_PLAIN, "Designs", "%" PRIu64 " = %s", search->designs, axes.bytes);
    if (search->chosen != NULL)
        put_chosen(record, search);
    record_integer(record, "tried", NULL, (double)tried);
    if (tried < search->designs)
        record_line(record, TONE_BAD, "Stopped",
                    "after %" PRIu64 " of them; one of the others may exceed the front", tried);
    if (stopped)
        record_line(record, TONE_BAD, tried < search->designs ? "" : "Stopped",
                    "before all ranges of the front were found");
    record_line(record, TONE_PLAIN, "Objectives", "%s", objectives.bytes);
    buffer_free(&axes);
    buffer_free(&objectives);
}

#define EXCLUSION_MAX (CONDITION_TEXT_MAX + 32)

/* Writes what excludes one design: "misses latency <= 500 us". */
static void print_exclusion(const struct search *search, int verdict,
                            const double value[OBJECTIVES_MAX], char text[EXCLUSION_MAX])
{
    char condition[CONDITION_TEXT_MAX] = "";
    int unknown = 0;

    while (verdict == SWEEP_UNKNOWN && unknown < search->sweep.wanted_count &&
           value[unknown] != RESULT_NONE)
        unknown++;
    if (verdict == SWEEP_UNKNOWN && unknown == search->sweep.wanted_count)
        snprintf(condition, sizeof condition, "a value of a condition");
    else if (verdict == SWEEP_UNKNOWN)
        result_path(&search->sweep.wanted[unknown], condition, sizeof condition);
    if (verdict >= SWEEP_MISSED)
        condition_print(&search->conditions.list[verdict - SWEEP_MISSED], condition,
                        sizeof condition);
    snprintf(text, EXCLUSION_MAX, "%s%s%s",
             verdict >= SWEEP_MISSED       ? "misses "
             : verdict == SWEEP_UNFIT      ? "a memory is too small"
             : verdict == SWEEP_OVERLOADED ? "does not keep up"
                                           : "",
             condition, verdict == SWEEP_UNKNOWN ? " is unknown" : "");
}

/* Rows ----------------------------------------------------------------------------------------- */

/* Returns true for a result that has a column anyway; `present`: that the present design has. */
static bool has_column(const struct result_row *row, bool present)
{
    if (row->scope != RESULT_DESIGN)
        return false;
    switch (result_id(row)) {
    case RESULT_LATENCY:
    case RESULT_LATENCY_LOW:
    case RESULT_LATENCY_HIGH:
    case RESULT_WATTS:
    case RESULT_COUNT:
        return true;
    case RESULT_MARGIN:
    case RESULT_MAX_FRAME_RATE:
        return !present;
    default:
        return false;
    }
}

static bool is_objective(const struct search *search, enum result_id id)
{
    for (int i = 0; i < search->sweep.wanted_count; i++)
        if (search->sweep.wanted[i].row == &result_rows[id])
            return true;
    return false;
}

static void put_range(struct record *record, const struct search_answer *answer,
                      const struct search_design *design)
{
    char text[RANGE_TEXT_MAX];

    range_ends_text(design->latency, design->low, design->high, record->unicode, text, sizeof text);
    record_number(record, "latency_low_us", NULL, "us", design->low);
    record_number(record, "latency_high_us", NULL, "us", design->high);
    record_bool(record, "may_not_keep_up", NULL, design->may_not_keep_up);
    record_bool(record, "less_certain", NULL, search_is_less_certain(answer, design));
    if (record->format != RECORD_CSV)
        record_bool(record, "other_clock", NULL, design->other_clock);
    record_cellf(record, search_columns[SEARCH_RANGE].heading, "%s%s%s",
                 design->may_not_keep_up      ? "may not keep up"
                 : design->low == RESULT_NONE ? "-"
                                              : text,
                 search_is_less_certain(answer, design) ? " !" : "",
                 design->other_clock ? COMPARE_CLOCKS_MARK : "");
}

/* Puts the objectives that have no column of their own; `star`: the wavefront error has one. */
static void put_objectives(struct record *record, const struct search *search,
                           const struct sweep_columns *columns, const struct search_design *design,
                           bool present, bool star)
{
    const struct sweep *sweep = &search->sweep;

    for (int i = 0; i < sweep->wanted_count; i++)
        if (!has_column(sweep->wanted[i].row, present))
            record_number(record, columns->key[sweep->axis_count + i],
                          star && result_id(sweep->wanted[i].row) == RESULT_LOOP_TOTAL
                              ? NULL
                              : columns->heading[sweep->axis_count + i],
                          sweep->wanted[i].row->unit, design->point.value[i]);
}

/* The present design --------------------------------------------------------------------------- */

/* Writes the objectives of a design that have no column of their own: ", loop.total 123 nm". */
static void print_others(struct record *record, const struct search *search,
                         const struct search_design *design, struct buffer *text)
{
    for (int i = 0; i < search->sweep.wanted_count; i++) {
        const struct result_ref *of = &search->sweep.wanted[i];
        char path[RESULT_PATH_MAX];

        if (has_column(of->row, true) || design->point.value[i] == RESULT_NONE)
            continue;
        result_path(of, path, sizeof path);
        buffer_print(text, ", %s %s", path,
                     record_quantity(record, design->point.value[i], of->row->unit));
    }
}

/* Returns true if designs may differ in quality of correction, which the model does not compute. */
static bool varies_quality(const struct search *search)
{
    for (int i = 0; i < search->sweep.axis_count; i++)
        if (search->sweep.axis[i].count > 1 && caveat_of_quality(search->sweep.axis[i].ref.knob))
            return true;
    return false;
}

#define PLACE_MAX 48

/* Writes the place of a design of the front: "7", or "3 (in 7)" of one that number 7 stands for. */
static void print_place(const struct search_answer *answer, const struct search_output *output,
                        int design, char text[PLACE_MAX])
{
    if (output->all || search_is_shown(answer, design))
        snprintf(text, PLACE_MAX, "%d", design + 1);
    else
        snprintf(text, PLACE_MAX, "%d (in %d)", design + 1, answer->front[design].shown + 1);
}

static void put_present(struct record *record, const struct search *search,
                        const struct sweep_columns *columns, const struct search_answer *answer,
                        const struct search_output *output)
{
    const struct search_design *now = &answer->present;
    bool known = answer->has_present;
    int better = known ? search_find_better(search, &now->point) : -1;
    bool excluded = known && answer->present_verdict != SWEEP_KEPT;
    char latency[RANGE_LATENCY_MAX] = "";
    char place[100], number[PLACE_MAX];
    char why[EXCLUSION_MAX];
    struct buffer others = {0};

    record_object(record, "present", NULL, known);
    record_number(record, "latency_us", NULL, "us", now->latency);
    record_number(record, "latency_low_us", NULL, "us", now->low);
    record_number(record, "latency_high_us", NULL, "us", now->high);
    record_number(record, "watts", NULL, "W", now->watts);
    record_number(record, "count", NULL, "", now->parts);
    record_number(record, "total_nm", NULL, "nm", now->total);
    if (record_is_data(record))
        put_objectives(record, search, columns, now, true, false);
    print_exclusion(search, answer->present_verdict, now->point.value, why);
    record_text(record, "excluded", NULL, excluded ? why : NULL);
    record_integer(record, "dominated_by", NULL, better >= 0 ? better + 1 : RESULT_NONE);
    record_object_end(record);
    if (record_is_data(record) || !known)
        return;
    range_latency_text(now->latency, now->low, now->high, record->unicode, latency);
    if (better >= 0) {
        print_place(answer, output, better, number);
        snprintf(place, sizeof place, "; number %s is at least as good in every objective", number);
    } else
        snprintf(place, sizeof place, "; %snot dominated", excluded ? "otherwise " : "");
    print_others(record, search, now, &others);
    record_line(record, excluded ? TONE_BAD : TONE_PLAIN, "Now",
                "latency %s, %s, %.0f part%s%s%s%s%s", latency,
                now->watts == RESULT_NONE ? "unknown power"
                                          : record_quantity(record, now->watts, "W"),
                now->parts, now->parts != 1 ? "s" : "", others.length > 0 ? others.bytes : "",
                excluded ? "; " : "", excluded ? why : "",
                answer->present_verdict == SWEEP_UNKNOWN ? "" : place);
    loop_put_total_note(record, now->total, RESULT_NONE);
    if (now->total != RESULT_NONE && varies_quality(search))
        record_line(record, TONE_PLAIN, "",
                    "without what an algorithm or a precision costs in quality of correction, "
                    "which is not computed");
    buffer_free(&others);
}

/* Returns true if the price is an objective or in a condition. */
static bool asks_price(const struct search *search)
{
    bool asks = is_objective(search, RESULT_PRICE);

    for (int i = 0; i < search->conditions.count; i++)
        asks = asks || search->conditions.list[i].left.row == &result_rows[RESULT_PRICE];
    return asks;
}

/* Returns the axis of a knob of a device; NULL if it is not varied or set. */
static const struct axis *find_axis(const struct axis *axis, int count, int knob, int device)
{
    for (int a = 0; a < count; a++)
        if (axis[a].ref.knob == &knobs[knob] && axis[a].ref.index == device)
            return &axis[a];
    return NULL;
}

/* Appends what lacks a price of the parts that a device can be. */
static void print_unpriced(const struct search *search, int device, struct buffer *text)
{
    const struct sweep *sweep = &search->sweep;
    const struct device *base = &sweep->base->device[device];
    const struct axis *parts =
        find_axis(sweep->axis, sweep->axis_count, KNOB_DEVICE_PRESET, device);
    const char *gap = text->length > 0 ? ", " : "not stated for ";
    int unpriced = 0;

    if (find_axis(sweep->axis, sweep->axis_count, KNOB_DEVICE_PRICE, device) != NULL ||
        find_axis(sweep->fixed, sweep->fixed_count, KNOB_DEVICE_PRICE, device) != NULL)
        return;
    if (parts == NULL) {
        if (base->count > 0 && base->price <= 0)
            buffer_print(text, "%s%s", gap, base->head.name);
        if (base->count > 0 && base->price <= 0 && base->preset[0] != '\0')
            buffer_print(text, " (%s)", base->preset);
        return;
    }
    for (int i = 0; i < parts->count; i++)
        unpriced += parts->preset[i] != NULL && parts->preset[i]->price <= 0;
    if (unpriced > UNPRICED_NAMED)
        buffer_print(text, "%s%d of %d parts of %s", gap, unpriced, parts->count, base->head.name);
    for (int i = 0; i < parts->count && unpriced <= UNPRICED_NAMED; i++)
        if (parts->preset[i] != NULL && parts->preset[i]->price <= 0)
            buffer_print(text, "%s%s", text->length > 0 ? ", " : "not stated for ", parts->word[i]);
}

/* Says what has no price, where that excluded a design. */
static void put_unpriced(struct record *record, const struct search *search)
{
    struct buffer text = {0};

    for (int d = 0; d < search->sweep.base->device_count; d++)
        print_unpriced(search, d, &text);
    record_line(record, TONE_PLAIN, "Price",
                "%s%sa design counts only if all its parts have one, by "
                "$XDG_CONFIG_HOME/aolag/prices.csv or --set device.NAME.price",
                text.length > 0 ? text.bytes : "", text.length > 0 ? "; " : "");
    buffer_free(&text);
}

/* Returns true if one of the first axes has a part, too. */
static bool is_named_before(const struct search *search, int axes, const char *part, bool left_out)
{
    for (int a = 0; a < axes; a++) {
        const struct axis *axis = &search->sweep.axis[search->column[a]];

        for (int i = left_out ? axis->count : 0;
             axis->preset != NULL && i < axis->count + (left_out ? axis->left_out : 0); i++)
            if (strcmp(axis->word[i], part) == 0)
                return true;
    }
    return false;
}

/* Names the parts of an axis that are not tried, or only in designs that are excluded. */
static void put_parts(struct record *record, const struct search *search, const char *key,
                      const char *label, bool left_out)
{
    struct buffer names = {0};

    record_array(record, key, true);
    for (int a = 0; a < search->sweep.axis_count; a++) {
        const struct axis *axis = &search->sweep.axis[search->column[a]];
        int device = axis->ref.index;

        for (int i = 0; axis->preset != NULL && i < axis->count + axis->left_out; i++) {
            const struct device *part = axis->preset[i];
            bool present = strcmp(axis->word[i], search->sweep.base->device[device].preset) == 0;

            if (left_out ? i < axis->count
                         : i >= axis->count || search->sweep.any_host || part == NULL || present ||
                               part->kind == DEVICE_CPU ||
                               !sweep_needs_other_host(search->sweep.base, device, part))
                continue;
            if (is_named_before(search, a, axis->word[i], left_out))
                continue;
            if (record->format == RECORD_JSON)
                record_text(record, NULL, NULL, axis->word[i]);
            buffer_print(&names, "%s%s", names.length > 0 ? ", " : "", axis->word[i]);
        }
    }
    record_array_end(record);
    if (names.length > 0)
        record_line(record, TONE_PLAIN, label, "%s", names.bytes);
    buffer_free(&names);
}

static void put_missing_parts(struct record *record, const struct search *search)
{
    put_parts(record, search, "not_sold_singly", "Not sold singly", true);
    put_parts(record, search, "other_host", "Other host", false);
}

/* Explains the marks of a range. */
static void put_mark(struct record *record, const struct search *search,
                     const struct search_answer *answer, const struct search_design *design,
                     int count)
{
    const struct scenario *base = search->sweep.base;
    char clock[COMPARE_CLOCKS_MAX];
    int marked = 0, clocks = 0;

    for (int i = 0; i < count; i++) {
        marked += search_is_less_certain(answer, &design[i]);
        clocks += design[i].other_clock;
    }
    if (marked > 0)
        record_line(record, TONE_PLAIN, "!",
                    "less latency, but the upper end of the range is more than 5 %% above the "
                    "present one, or there is none");
    if (clocks > 0)
        record_line(record, TONE_PLAIN, COMPARE_CLOCKS_MARK, "%s",
                    compare_clocks_words(base->device, base->device_count, NULL, 0, clock));
}

/* Says what of the present devices the parts that are tried do not keep. */
static void put_cleared(struct record *record, const struct search *search)
{
    const struct sweep *sweep = &search->sweep;
    char text[400];
    struct buffer list = buffer_over(text, sizeof text);

    for (int a = 0; a < sweep->axis_count; a++) {
        const struct axis *axis = &sweep->axis[search->column[a]];
        int k = knob_section_first(SECTION_DEVICE);
        struct knob_ref ref;

        while (axis->preset != NULL && rank_next_own(sweep->base, axis->ref.index, &k, &ref)) {
            char words[96];

            if (find_axis(sweep->axis, sweep->axis_count, k - 1, ref.index) != NULL ||
                find_axis(sweep->fixed, sweep->fixed_count, k - 1, ref.index) != NULL)
                continue;
            knob_words(sweep->base, ref, words, sizeof words);
            buffer_item(&list, words);
        }
    }
    if (text[0] != '\0')
        record_line(record, TONE_PLAIN, "Cleared",
                    "%s: a part is tried as it is sold; --set keeps a value, --over varies it",
                    text);
}

/* Says how many rows the front has where designs are equivalent. */
static void put_groups(struct record *record, const struct search_answer *answer,
                       const struct search_output *output)
{
    char how[40] = "cannot be told apart";
    int groups = 0;

    for (int i = 0; i < answer->count; i++)
        groups += search_is_shown(answer, i);
    record_integer(record, "groups", NULL, groups);
    if (groups == answer->count || record_is_data(record))
        return;
    if (output->within > 0)
        snprintf(how, sizeof how, "differ by at most %.0f %%", 100 * output->within);
    record_line(record, TONE_PLAIN, "Equivalent", "designs that %s: %d group%s, %s", how, groups,
                groups != 1 ? "s" : "",
                output->all ? "each named by its design of least power"
                            : "of which the design of least power is printed; --all prints each");
}

static void put_answer(struct record *record, const struct search *search,
                       const struct sweep_columns *columns, const struct search_answer *answer,
                       const struct search_output *output)
{
    struct buffer excluded = {0};

    put_counts(record, search, search->count);
    search_print_excluded(search, search->count, &excluded);
    if (excluded.length > 0)
        record_line(record, TONE_PLAIN, "Excluded", "%s", excluded.bytes);
    buffer_free(&excluded);
    if (search->count[SWEEP_UNKNOWN] > 0 && asks_price(search))
        put_unpriced(record, search);
    if (search->count[SWEEP_REPEATED] > 0)
        record_line(record, TONE_PLAIN, "Repeated",
                    "%" PRIu64 " differ%s from another one only in a device that does not exist",
                    search->count[SWEEP_REPEATED], search->count[SWEEP_REPEATED] != 1 ? "" : "s");
    if (search->count[SWEEP_INVALID] > 0)
        record_line(record, TONE_PLAIN, "Invalid", "the first: %s", search->problem.message);
    record_text(record, "problem", NULL,
                search->count[SWEEP_INVALID] > 0 ? search->problem.message : NULL);
    if (record_is_data(record))
        put_missing_parts(record, search);
    put_present(record, search, columns, answer, output);
    put_cleared(record, search);
    record_integer(record, "front_count", NULL, search->front.count);
    record_line(record, search->front.count > 0 ? TONE_PLAIN : TONE_BAD, "Front",
                search->front.count == 0 ? "no design is left"
                                         : "%d of %" PRIu64 " design%s; no other dominates them",
                search->front.count, search->count[SWEEP_KEPT],
                search->count[SWEEP_KEPT] != 1 ? "s" : "");
    put_groups(record, answer, output);
}

/* What the designs of a table have in common, which is said once, above it. */
struct common {
    bool axis[SWEEP_AXES_MAX];
    bool limit;
    bool component;  /* that limits them, by different resources */
    bool star;       /* the wavefront error of one of them is known */
    bool margin;     /* a target is stated */
    bool equivalent; /* one of them is not alone in its group */
};

static struct common find_common(const struct search *search, const struct search_design *design,
                                 int count)
{
    struct common common = {.limit = count > 1 && design[0].limited_by[0] != '\0'};

    for (int i = 0; i < search->sweep.axis_count; i++) {
        common.axis[i] = count > 1;
        for (int d = 1; d < count; d++)
            if (design[d].at[i] != design[0].at[i])
                common.axis[i] = false;
    }
    for (int d = 0; d < count; d++) {
        common.star = common.star || design[d].total != RESULT_NONE;
        common.equivalent = common.equivalent || design[d].equivalent > 0;
        common.margin = common.margin || (search->sweep.base->general.target_latency > 0 &&
                                          design[d].margin != RESULT_NONE);
    }
    common.component = count > 1 && design[0].bound_node[0] != '\0';
    for (int d = 1; d < count; d++) {
        if (strcmp(design[d].limited_by, design[0].limited_by) != 0)
            common.limit = false;
        if (strcmp(design[d].bound_node, design[0].bound_node) != 0)
            common.component = false;
    }
    return common;
}

static void put_common(struct record *record, const struct search *search,
                       const struct search_design *design, int count, const struct common *common)
{
    struct buffer line = {0};
    int missed = 0;

    for (int i = 0; i < search->sweep.axis_count; i++) {
        int column = search->column[i];
        const struct axis *axis = &search->sweep.axis[column];
        char path[96], value[AXIS_TEXT_MAX];

        if (!common->axis[column] || !sweep_has_value(&search->sweep, design->at, column))
            continue;
        sweep_value_text(axis, design->at[column], value, sizeof value);
        buffer_print(&line, "%s%s %s", line.length > 0 ? ", " : "",
                     axis_title(axis, search->sweep.base, path, sizeof path), value);
    }
    if (common->limit)
        buffer_print(&line, "%slimited by %s", line.length > 0 ? "; " : "", design->limited_by);
    else if (common->component)
        buffer_print(&line, "%slimited by %s", line.length > 0 ? "; " : "", design->bound_node);
    if (line.length > 0)
        record_line(record, TONE_PLAIN, count == 2 ? "Both" : "Each", "%s", line.bytes);
    for (int d = 0; d < count; d++)
        missed += design[d].margin != RESULT_NONE && design[d].margin < 0;
    if (missed > 0 && common->margin)
        record_line(record, TONE_PLAIN, "Target",
                    "%d of these miss%s the target of %s; --where 'latency<=target_latency' leaves "
                    "such designs out",
                    missed, missed == 1 ? "es" : "",
                    record_quantity(record, search->sweep.base->general.target_latency, "s"));
    buffer_free(&line);
}

/* Puts a value of an axis: in text a part below the name of its device; nothing for a device that
 * is none. */
static void put_axis(struct record *record, const struct search *search,
                     const struct sweep_columns *columns, int axis, const int at[SWEEP_AXES_MAX])
{
    const struct sweep *sweep = columns->sweep;
    const struct axis *values = &sweep->axis[axis];
    char path[96];
    int i = at[axis];

    if (!sweep_has_value(&search->sweep, at, axis)) {
        if (record_is_data(record))
            record_null(record, columns->key[axis]);
        else
            record_cell(record, columns->heading[axis], "");
    } else if (record_is_data(record) || values->preset == NULL) {
        sweep_put_value(record, columns, axis, i);
    } else {
        record_cell(record, axis_title(values, sweep->base, path, sizeof path), values->word[i]);
    }
    record_folded(record);
}

/* Puts what is doubtful of a design: the caveats of its values, and a controller whose time is not
 * all part of the latency. */
static void put_caveat(struct record *record, const struct search *search,
                       const struct search_design *design)
{
    struct buffer text = {0};

    for (int i = 0; i < search->sweep.axis_count; i++) {
        const char *caveat = search_caveat(search, design->at, search->column[i]);

        if (caveat != NULL)
            buffer_print(&text, "%s%s", text.length > 0 ? "; " : "", caveat);
    }
    if (design->uncounted != NULL)
        buffer_print(&text, "%s%s", text.length > 0 ? "; " : "", design->uncounted);
    record_text(record, "caveat", NULL, text.length > 0 ? text.bytes : NULL);
    buffer_free(&text);
}

/* Says what each value of some designs that has a caveat costs, once. */
static void put_caveats(struct record *record, const struct search *search,
                        const struct search_design *design, int count)
{
    struct buffer note = {0};

    for (int i = 0; i < search->sweep.axis_count; i++) {
        const struct axis *axis = &search->sweep.axis[search->column[i]];
        char path[96], value[AXIS_TEXT_MAX];

        for (int v = 0; v < axis->count; v++)
            for (int d = 0; d < count; d++) {
                const char *caveat = search_caveat(search, design[d].at, search->column[i]);

                if (design[d].at[search->column[i]] != v || caveat == NULL)
                    continue;
                sweep_value_text(axis, v, value, sizeof value);
                buffer_print(&note, "%s%s %s: %s", note.length > 0 ? "; " : "",
                             axis_title(axis, search->sweep.base, path, sizeof path), value,
                             caveat);
                break;
            }
    }
    if (note.length > 0)
        record_note(record, "Caveats: %s.", note.bytes);
    buffer_free(&note);
}

/* Puts what limits a design: of text without the device, and without a component of all. */
static void put_limit(struct record *record, const struct search_design *design,
                      const struct common *common)
{
    char brief[VERDICT_RESOURCE_MAX];
    const char *colon;

    verdict_brief(design->limited_by, brief);
    colon = strstr(brief, ": ");
    record_cell(record, search_columns[SEARCH_LIMIT].heading,
                record->format != RECORD_TEXT        ? design->limited_by
                : common->component && colon != NULL ? colon + 2
                                                     : brief);
    record_optional(record);
}

const char *search_span_text(const struct search_design *design, bool unicode,
                             char text[RANGE_TEXT_MAX])
{
    range_ends_text(RESULT_NONE, design->fastest, design->slowest, unicode, text, RANGE_TEXT_MAX);
    return compare_matters(design->fastest, design->slowest) ? text : "";
}

/* Puts the group of a design of the front: in text how many others it stands for, or which stands
 * for it. */
static void put_equivalent(struct record *record, const struct search_answer *answer,
                           const struct search_design *design, const struct common *common)
{
    const struct search_design *shown = &answer->front[design->shown];

    record_integer(record, "group", NULL, design->shown + 1);
    record_integer(record, "equivalent", NULL, shown->equivalent);
    if (!common->equivalent)
        return;
    if (design->point.number != shown->point.number)
        record_cellf(record, "Equiv.", "to %d", design->shown + 1);
    else if (design->equivalent > 0)
        record_cellf(record, "Equiv.", "+%d", design->equivalent);
    else
        record_cell(record, "Equiv.", "");
    record_right(record);
}

static void put_row(struct record *record, const struct search *search,
                    const struct search_answer *answer, const struct search_output *output,
                    const struct sweep_columns *columns, const struct search_design *design,
                    const struct common *common, double place, bool front)
{
    double present = answer->has_present ? answer->present.total : RESULT_NONE;
    bool bound = design->bound_node[0] != '\0';
    char number[PLACE_MAX], span[RANGE_TEXT_MAX];

    record_row(record);
    record_integer(record, front ? "place" : "dominated_by", front ? "#" : NULL, place);
    if (!front) {
        print_place(answer, output, search_find_better(search, &design->point), number);
        record_cellf(record, "Front", "%s %s", place != RESULT_NONE ? "worse than" : "number",
                     number);
    }
    record_integer(record, "design", NULL, (double)design->point.number + 1);
    for (int i = 0; i < search->sweep.axis_count; i++)
        if (record_is_data(record) || !common->axis[search->column[i]])
            put_axis(record, search, columns, search->column[i], design->at);
    if (front)
        put_equivalent(record, answer, design, common);
    record_value(record, &search_columns[SEARCH_LATENCY], design->latency);
    put_range(record, answer, design);
    if (record_is_data(record))
        record_value(record, &search_columns[SEARCH_MARGIN], design->margin);
    record_value(record, &search_columns[SEARCH_WATTS], design->watts);
    record_integer(record, search_columns[SEARCH_COUNT].key,
                   is_objective(search, RESULT_COUNT) ? search_columns[SEARCH_COUNT].heading : NULL,
                   design->parts);
    put_objectives(record, search, columns, design, false, common->star);
    loop_put_total(record, common->star, design->total, present);
    record_number(record, "max_frame_rate_hz",
                  is_objective(search, RESULT_MAX_FRAME_RATE) ? FRAME_RATE_HEADING : NULL, "Hz",
                  design->max_frame_rate);
    if (!record_is_data(record) && !common->limit)
        put_limit(record, design, common);
    if (!record_is_data(record) && common->margin) {
        record_value(record, &search_columns[SEARCH_MARGIN], design->margin);
        record_optional(record);
    }
    record_text(record, "memory_of", NULL, design->memory_of[0] != '\0' ? design->memory_of : NULL);
    record_value(record, &search_columns[SEARCH_MEMORY], design->memory);
    record_optional(record);
    if (!record_is_data(record) && front && common->equivalent) {
        record_cell(record, "Equiv. latency",
                    design->equivalent > 0 ? search_span_text(design, record->unicode, span) : "");
        record_optional(record);
    }
    record_text(record, "limit", NULL, design->limit[0] != '\0' ? design->limit : NULL);
    if (record_is_data(record)) {
        record_object(record, "bound", NULL, bound);
        record_text(record, "component", NULL, design->bound_node);
        record_text(record, "by", NULL, bound_name(design->bound));
        record_object_end(record);
    }
    put_caveat(record, search, design);
    record_row_end(record);
}

/* Returns the place of a design of the front. */
static int find_place(const struct search *search, const struct search_design *design)
{
    int place = 0;

    while (place < search->front.count && search->front.point[place].number != design->point.number)
        place++;
    return place + 1;
}

/* Says which designs have a controller whose time is not all part of their latency. */
static void put_uncounted(struct record *record, const struct search *search,
                          const struct search_design *design, int count)
{
    for (int first = 0; first < count; first++) {
        const char *what = design[first].uncounted;
        struct buffer places = {0};
        bool said = what == NULL;

        for (int i = 0; i < first; i++)
            said = said || design[i].uncounted == what;
        for (int i = first; i < count && !said; i++)
            if (design[i].uncounted == what)
                buffer_print(&places, "%s%d", i > first ? ", " : "",
                             find_place(search, &design[i]));
        if (places.length > 0)
            record_note(record, "The controller of number %s: %s.", places.bytes, what);
        buffer_free(&places);
    }
}

/* Returns the place of the first design of the front that is as good in all objectives, RESULT_NONE
 * if that is the design itself. */
static double find_dominating(const struct search *search, const struct search_design *design)
{
    int better = search_find_better(search, &design->point);

    return better < 0 || search->front.point[better].number == design->point.number ? RESULT_NONE
                                                                                    : better + 1;
}

static void put_rows(struct record *record, const struct search *search,
                     const struct search_answer *answer, const struct search_output *output,
                     const struct sweep_columns *columns, const char *key, const char *section,
                     const struct search_design *design, int count, bool front)
{
    const struct common common = find_common(search, design, count);

    put_common(record, search, design, count, &common);
    record_table(record, key, section);
    for (int i = 0; i < count; i++)
        put_row(record, search, answer, output, columns, &design[i], &common,
                front ? find_place(search, &design[i]) : find_dominating(search, &design[i]),
                front);
    if (count == 0 && record->format == RECORD_CSV) { /* the header alone */
        const struct search_design none = {.limit = ""};

        record->records = false;
        put_row(record, search, answer, output, columns, &none, &common, 1, front);
    }
    record_table_end_noting(record);
    if (!record_is_data(record))
        put_caveats(record, search, design, count);
}

/* Why ------------------------------------------------------------------------------------------ */

static void put_why(struct record *record, const struct search *search,
                    const struct sweep_columns *columns, const struct search_answer *answer,
                    const struct search_output *output)
{
    struct buffer excluded = {0};
    uint64_t kept = search->why_count[SWEEP_KEPT];
    uint64_t all = 0;

    if (search->why == NULL)
        return;
    for (int v = 0; v < SEARCH_VERDICTS; v++)
        all += search->why_count[v];
    record_object(record, "why", NULL, true);
    record_text(record, "preset", NULL, search->why);
    put_counts(record, search, search->why_count);
    search_print_excluded(search, search->why_count, &excluded);
    record_line(record, TONE_PLAIN, "Why", "%s: %" PRIu64 " design%s; %s%s%s%" PRIu64 " left",
                search->why, all, all != 1 ? "s" : "", excluded.length > 0 ? "excluded: " : "",
                excluded.length > 0 ? excluded.bytes : "", excluded.length > 0 ? "; " : "", kept);
    buffer_free(&excluded);
    if (kept > 0)
        record_line(record, TONE_PLAIN, "",
                    "%s beside the front:", kept > 1 ? "the best of them" : "this design");
    if (record->format != RECORD_CSV)
        put_rows(record, search, answer, output, columns, "best", "Why", answer->why,
                 answer->why_count, false);
    record_object_end(record);
}

/* Report --------------------------------------------------------------------------------------- */

/* Copies the designs that are printed. Returns their number. */
static int copy_shown(const struct record *record, const struct search_answer *answer, bool all,
                      struct search_design **shown)
{
    int count = 0;

    *shown = allocate_array((size_t)answer->count + 1, sizeof **shown);
    for (int i = 0; i < answer->count; i++)
        if (all || record_is_data(record) || search_is_shown(answer, i))
            (*shown)[count++] = answer->front[i];
    return count;
}

void search_report(struct record *record, const struct search *search,
                   const struct search_answer *answer, const struct search_output *output)
{
    struct sweep_columns *columns = allocate(sizeof *columns);
    struct search_design *shown;
    int rows = copy_shown(record, answer, output->all, &shown);
    int count = output->top > 0 && output->top < rows ? output->top : rows;

    sweep_name_columns(columns, &search->sweep);
    record_object(record, NULL, NULL, true);
    put_question(record, search, answer->stopped);
    put_answer(record, search, columns, answer, output);
    record_number(record, "within_fraction", NULL, "fraction",
                  output->within > 0 ? output->within : RESULT_NONE);
    put_mark(record, search, answer, shown, count);
    put_rows(record, search, answer, output, columns, "front", "Front", shown, count, true);
    if (!record_is_data(record))
        put_uncounted(record, search, shown, count);
    if (count < rows && !record_is_data(record))
        record_note(record, "%d more %s not printed", rows - count,
                    rows - count != 1 ? "are" : "is");
    put_why(record, search, columns, answer, output);
    if (!record_is_data(record))
        put_missing_parts(record, search);
    record_object_end(record);
    free(columns);
    free(shown);
}
