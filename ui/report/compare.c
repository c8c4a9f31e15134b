#include "report/compare.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/buffer.h"
#include "base/units.h"
#include "draw/text.h"
#include "model/memory.h"

enum { NUMBER = 40 };

/* Writes a factor with two to three digits: "0.87", "13.1", "240". */
static const char *factor_text(double value, char text[NUMBER])
{
    snprintf(text, NUMBER, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
    return text;
}

/* Writes a quantity with its sign, except for 0: "-13.4 us", "0 us"; a small number with two digits
 * and without an exponent: "-0.000026". */
static void signed_quantity(double value, const char *unit, bool unicode, char *text, size_t size)
{
    enum { DIGITS_MOST = 6 };
    char number[NUMBER - 1]; /* leaves room for a sign */
    int digits = value != 0 ? (int)fmin(1 - floor(log10(fabs(value))), DIGITS_MOST) : 0;

    if (unit[0] == '\0' && fabs(value) < 0.1)
        snprintf(number, sizeof number, "%.*f", digits, fabs(value));
    else
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
        snprintf(percent, sizeof percent, "%s times", factor_text(to / from, (char[NUMBER]){""}));
    snprintf(text, size, to / from >= 10 ? "%s, %s" : "%s, %s %%", number, percent);
}

void compare_bound(const struct compared_node *node, int s, char *text, size_t size)
{
    bool memory = node->bound[s] == BOUND_MEMORY && component_type_computes(node->type);

    snprintf(text, size, "%s%s%s", node->has[s] ? bound_name(node->bound[s]) : "",
             node->has[s] && memory ? " " : "",
             node->has[s] && memory ? memory_level_name(node->level[s]) : "");
}

/* The verdict ---------------------------------------------------------------------------------- */

struct facts {
    const struct compare_verdict *verdict;
    const char *const *name;
    int of; /* the side whose change is told */
    bool unicode;
    struct compare_fact *list;
    int count;
};

static void add_fact(struct facts *facts, const char *label, int tone, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void add_fact(struct facts *facts, const char *label, int tone, const char *format, ...)
{
    struct compare_fact *fact = &facts->list[facts->count++];
    char text[COMPARE_FACT_MAX];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fact->label = label;
    fact->tone = tone;
    text_clean(text, facts->unicode, fact->text, sizeof fact->text);
}

static const char *seconds_text(const struct facts *facts, double value, char text[NUMBER])
{
    text_quantity(value, "s", facts->unicode, text, NUMBER);
    return text;
}

/* Adds the verdict in one sentence. */
static void add_faster(struct facts *facts)
{
    const struct compare_verdict *verdict = facts->verdict;
    int winner = verdict->faster;
    double ratio = winner == 0 ? verdict->ratio : 1 / verdict->ratio;
    char time[SIDES][NUMBER], number[NUMBER], change[2 * NUMBER];

    for (int s = 0; s < SIDES; s++)
        seconds_text(facts, verdict->of[s].latency, time[s]);
    if (verdict->ratio == RESULT_NONE) {
        add_fact(facts, "Verdict", 0, "no comparison: one design has no latency (%s %s, %s %s)",
                 facts->name[0], time[0], facts->name[1], time[1]);
        return;
    }
    if (winner < 0) {
        add_fact(facts, "Verdict", 0, "no difference: both have an RTC latency of %s", time[0]);
        return;
    }
    compare_change(verdict->of[1 - facts->of].latency, verdict->of[facts->of].latency, "s",
                   facts->unicode, change, sizeof change);
    if (!compare_matters(verdict->of[0].latency, verdict->of[1].latency) ||
        (verdict->of[0].ranged && !verdict->decided))
        add_fact(facts, "Verdict", 0, "no practical difference: %s of %s, %s of %s (%s: %s) is %s",
                 time[winner], facts->name[winner], time[1 - winner], facts->name[1 - winner],
                 facts->name[facts->of], change,
                 compare_matters(verdict->of[0].latency, verdict->of[1].latency)
                     ? "within the uncertainty"
                     : "less than 1 %");
    else
        add_fact(facts, "Verdict", 0, "%s is %s times as fast as %s: %s instead of %s (%s: %s)%s",
                 facts->name[winner], factor_text(ratio, number), facts->name[1 - winner],
                 time[winner], time[1 - winner], facts->name[facts->of], change,
                 verdict->decided ? ", more than the uncertainty" : "");
}

enum { RANGE_WORDS = 2 * NUMBER + 8 };

/* Writes "44.0 us to 90.0 us" or "44.0 us or more". */
static const char *range_words(const struct facts *facts, int s, char text[RANGE_WORDS])
{
    const struct compared_latency *of = &facts->verdict->of[s];
    char low[NUMBER], high[NUMBER];

    if (of->high == RESULT_NONE)
        snprintf(text, RANGE_WORDS, "%s or more", seconds_text(facts, of->low, low));
    else
        snprintf(text, RANGE_WORDS, "%s to %s", seconds_text(facts, of->low, low),
                 seconds_text(facts, of->high, high));
    return text;
}

/* Adds whether the latencies differ by more than their uncertainty. */
static void add_uncertainty(struct facts *facts)
{
    const struct compare_verdict *verdict = facts->verdict;
    bool a = verdict->faster <= 0; /* the sentence is about A */
    double least = a ? verdict->least : 1 / verdict->most;
    double most = a ? verdict->most : 1 / verdict->least;
    char of[COMPARE_FACT_MAX / 2], range[SIDES][RANGE_WORDS], end[2][NUMBER];

    if (verdict->least == RESULT_NONE) {
        if (verdict->ratio != RESULT_NONE)
            add_fact(facts, "Uncertainty", 0, "being computed");
        return;
    }
    snprintf(of, sizeof of, "%s of %s, %s of %s", range_words(facts, 0, range[0]), facts->name[0],
             range_words(facts, 1, range[1]), facts->name[1]);
    if (!verdict->decided && !compare_matters(least, 1) && !compare_matters(most, 1)) {
        add_fact(facts, "Uncertainty", 0, "%s; no practical difference", of);
        return;
    }
    if (isfinite(most) && !compare_differs(least, most)) {
        add_fact(facts, "Uncertainty", verdict->faster >= 0 ? 1 : 0,
                 "%s; all errors are common and cancel: %s", of,
                 verdict->faster < 0 ? "no difference" : "decided");
        return;
    }
    factor_text(least, end[0]);
    factor_text(most, end[1]);
    if (!isfinite(most))
        snprintf(end[1], NUMBER, "any number of");
    add_fact(
        facts, "Uncertainty", verdict->decided ? 1 : 0, "%s; %s%s may be %s%s%s times as fast: %s",
        of, verdict->common > 0 ? "common errors cancel, " : "", facts->name[a ? 0 : 1],
        strcmp(end[0], end[1]) == 0 ? "about " : end[0], strcmp(end[0], end[1]) == 0 ? "" : " to ",
        end[1], verdict->decided ? "decided" : "not decided");
}

static void add_target(struct facts *facts, int s)
{
    static const struct {
        const char *format, *end; /* `end` if the range is known; NULL: it does not matter */
        int tone;
    } rows[] = {
        [STANDING_MEETS] = {.format = "%s meets %s by %s",
                            .end = "also at the upper end of its range",
                            .tone = 1},
        [STANDING_MEETS_BARELY] = {.format = "%s meets %s by %s",
                                   .end = "but not at the upper end of its range",
                                   .tone = 0},
        [STANDING_MISSES_BARELY] = {.format = "%s misses %s by %s",
                                    .end = "but not at the lower end of its range",
                                    .tone = -1},
        [STANDING_MISSES] = {.format = "%s misses %s by %s",
                             .end = "also at the lower end of its range",
                             .tone = -1},
        [STANDING_OVERLOADED] = {.format = "%s does not meet %s: it does not keep up", .tone = -1},
    };
    const struct compared_latency *of = &facts->verdict->of[s];
    char target[NUMBER], by[NUMBER], end[NUMBER], text[COMPARE_FACT_MAX];
    struct buffer words = buffer_over(text, sizeof text);
    double at = of->latency <= of->target ? of->high : of->low;

    seconds_text(facts, of->target, target);
    seconds_text(facts, fabs(of->target - of->latency), by);
    buffer_print(&words, rows[of->standing].format, facts->name[s], target, by);
    if (of->ranged && rows[of->standing].end != NULL)
        buffer_print(&words, ", %s (%s)", rows[of->standing].end,
                     at == RESULT_NONE ? "it may not keep up" : seconds_text(facts, at, end));
    add_fact(facts, s == 0 ? "Target" : "", rows[of->standing].tone, "%s", text);
}

static void add_overload(struct facts *facts, int s)
{
    char load[NUMBER];

    if (facts->verdict->of[s].overloaded)
        add_fact(facts, "Overload", -1,
                 "%s is overloaded, load %s; its latency is that of a single frame", facts->name[s],
                 factor_text(facts->verdict->of[s].load, load));
}

static void add_fit(struct facts *facts, int s)
{
    if (!facts->verdict->of[s].fits)
        add_fact(facts, "Memory", -1, "%s does not fit the memory of its devices", facts->name[s]);
}

static void add_servo_lag(struct facts *facts)
{
    const struct compared_latency *of = facts->verdict->of;
    int less = of[0].servo_lag < of[1].servo_lag ? 0 : 1;
    char a[NUMBER], b[NUMBER], by[NUMBER];

    text_quantity(of[less].servo_lag, "m", facts->unicode, a, sizeof a);
    text_quantity(of[1 - less].servo_lag, "m", facts->unicode, b, sizeof b);
    text_quantity(of[1 - less].servo_lag - of[less].servo_lag, "m", facts->unicode, by, sizeof by);
    if (compare_differs(of[0].servo_lag, of[1].servo_lag) &&
        !compare_matters(of[0].servo_lag, of[1].servo_lag))
        add_fact(facts, "Servo lag", 0, "no practical difference: %s of %s, %s of %s", a,
                 facts->name[less], b, facts->name[1 - less]);
    else if (compare_differs(of[0].servo_lag, of[1].servo_lag))
        add_fact(facts, "Servo lag", 0, "%s of %s, %s less than the %s of %s", a, facts->name[less],
                 by, b, facts->name[1 - less]);
    else
        add_fact(facts, "Servo lag", 0, "%s of both", a);
}

/* Adds the power of all devices, if all state it. */
static void add_power(struct facts *facts)
{
    const struct power *a = &facts->verdict->of[0].power, *b = &facts->verdict->of[1].power;

    if (a->unstated > 0 || b->unstated > 0)
        return;
    if (a->watts == b->watts)
        add_fact(facts, "Power", 0, "%.0f W of both", a->watts);
    else
        add_fact(facts, "Power", 0, "%.0f W of %s, %.0f W of %s (%+.0f W)", a->watts,
                 facts->name[0], b->watts, facts->name[1],
                 facts->of == 0 ? a->watts - b->watts : b->watts - a->watts);
}

int compare_facts(const struct compare_verdict *verdict, const char *const name[SIDES], int of,
                  bool unicode, struct compare_fact list[COMPARE_FACTS])
{
    struct facts facts = {verdict, name, of, unicode, list, 0};

    add_faster(&facts);
    add_uncertainty(&facts);
    for (int s = 0; s < SIDES; s++)
        add_target(&facts, s);
    for (int s = 0; s < SIDES; s++)
        add_overload(&facts, s);
    for (int s = 0; s < SIDES; s++)
        add_fit(&facts, s);
    add_servo_lag(&facts);
    add_power(&facts);
    return facts.count;
}

/* The report ----------------------------------------------------------------------------------- */

enum { PATH_COLUMNS = 32, VALUE_COLUMNS = 16 };

static const char *const sides[SIDES] = {"A", "B"};
static const char *const keys[SIDES] = {"a", "b"};

static void put_design(struct record *record, const struct comparison *comparison, int s,
                       const char *operand)
{
    const struct compared_latency *of = &comparison->verdict.of[s];
    const char *title = comparison->title[s];

    record_line(record, TONE_PLAIN, sides[s], "%s (%s)", title[0] != '\0' ? title : "Untitled",
                operand);
    record_object(record, keys[s], NULL, true);
    record_text(record, "scenario", NULL, operand);
    record_text(record, "title", NULL, title);
    record_number(record, "latency_us", NULL, "us", of->latency);
    record_number(record, "latency_low_us", NULL, "us", of->low);
    record_number(record, "latency_high_us", NULL, "us", of->high);
    record_number(record, "target_latency_us", NULL, "us", of->target);
    record_text(record, "target", NULL, standing_names[of->standing]);
    record_bool(record, "overloaded", NULL, of->overloaded);
    record_bool(record, "fits", NULL, of->fits);
    record_number(record, "servo_lag_nm", NULL, "nm", of->servo_lag);
    record_number(record, "power_w", NULL, "W",
                  of->power.unstated > 0 ? RESULT_NONE : of->power.watts);
    record_object_end(record);
}

static void put_verdict(struct record *record, const struct compare_verdict *verdict)
{
    const struct compared_latency *of = verdict->of;
    struct compare_fact fact[COMPARE_FACTS];
    int count = compare_facts(verdict, sides, 1, record->unicode, fact);

    for (int f = 0; f < count; f++)
        record_line(record, (enum record_tone)fact[f].tone, fact[f].label, "%s", fact[f].text);
    record_object(record, "verdict", NULL, true);
    record_text(record, "faster", NULL,
                verdict->faster < 0 || !verdict->decided ? NULL : keys[verdict->faster]);
    record_bool(record, "decided", NULL, verdict->decided);
    record_number(record, "latency_ratio", NULL, "", verdict->ratio);
    record_number(record, "latency_ratio_least", NULL, "", verdict->least);
    record_number(record, "latency_ratio_most", NULL, "",
                  isfinite(verdict->most) ? verdict->most : RESULT_NONE);
    record_number(record, "common_errors", NULL, "", verdict->common);
    record_number(record, "latency_delta_us", NULL, "us", of[1].latency - of[0].latency);
    record_number(record, "servo_lag_delta_nm", NULL, "nm", of[1].servo_lag - of[0].servo_lag);
    record_object_end(record);
}

/* Settings that differ ------------------------------------------------------------------------- */

static const char *difference_value(const struct difference *difference, int s)
{
    if (difference->value[s][0] != '\0')
        return difference->value[s];
    return difference->has[s] ? "there" : "-";
}

/* Writes the origins of the values in A and B, "set, assumed", or "only in A". */
static void origin_text(const struct difference *difference, struct buffer *text)
{
    const char *a = origin_name(difference->origin[0]);
    const char *b = origin_name(difference->origin[1]);

    if (difference->knob == NULL)
        buffer_print(text, "only in %s", sides[difference->has[0] ? 0 : 1]);
    else if (difference->has[0] && difference->has[1] && strcmp(a, b) != 0)
        buffer_print(text, "%s, %s", a, b);
    else
        buffer_text(text, difference->has[0] ? a : b);
}

/* Puts a difference, with long values below the path. */
static void put_difference(struct record *record, const struct difference *difference,
                           const char *heading)
{
    struct buffer origin = {0};
    struct buffer below = {0};
    bool fits = text_width(difference->words) <= PATH_COLUMNS;

    origin_text(difference, &origin);
    for (int s = 0; s < SIDES; s++)
        fits = fits && text_width(difference_value(difference, s)) <= VALUE_COLUMNS;
    if (!fits)
        buffer_print(&below, "A: %s; B: %s", difference_value(difference, 0),
                     difference_value(difference, 1));
    record_row(record);
    record_text(record, "path", NULL, difference->path);
    record_text(record, "kind", NULL, difference_kind_names[difference->kind]);
    for (int s = 0; s < SIDES; s++)
        record_text(record, keys[s], NULL, difference->has[s] ? difference->value[s] : NULL);
    for (int s = 0; s < SIDES; s++)
        record_text(record, s == 0 ? "a_origin" : "b_origin", NULL,
                    difference->has[s] && difference->knob != NULL
                        ? origin_name(difference->origin[s])
                        : NULL);
    record_cell(record, record->format == RECORD_MARKDOWN ? "Knob" : heading, difference->words);
    for (int s = 0; s < SIDES; s++)
        record_cell(record, sides[s], fits ? difference_value(difference, s) : "");
    record_cell(record, "Origin", origin.bytes);
    record_cell(record, "", below.bytes == NULL ? "" : below.bytes);
    record_below(record);
    record_row_end(record);
    buffer_free(&origin);
    buffer_free(&below);
}

static void put_differences(struct record *record, const struct comparison *comparison, int first,
                            int end, const char *heading)
{
    record_table(record, "knobs", heading);
    for (int d = first; d < end; d++)
        put_difference(record, &comparison->difference[d], heading);
    record_table_end(record);
}

/* Results, components, devices ----------------------------------------------------------------- */

/* Puts members "a", "b" and "delta" of an object whose key names the unit. */
static void put_pair(struct record *record, const double value[SIDES], const char *unit)
{
    double delta = value[0] == RESULT_NONE || value[1] == RESULT_NONE
                       ? RESULT_NONE
                       : unit_from_si(value[1], unit) - unit_from_si(value[0], unit);

    record_number(record, "a", NULL, unit, value[0]);
    record_number(record, "b", NULL, unit, value[1]);
    record_number(record, "delta", NULL, "", delta);
}

static void put_pair_object(struct record *record, const char *key, const double value[SIDES],
                            const char *unit)
{
    record_object(record, key, NULL, true);
    put_pair(record, value, unit);
    record_object_end(record);
}

static void put_words(struct record *record, const char *key, const bool has[SIDES], const char *a,
                      const char *b)
{
    record_object(record, key, NULL, true);
    record_text(record, "a", NULL, has[0] && a[0] != '\0' ? a : NULL);
    record_text(record, "b", NULL, has[1] && b[0] != '\0' ? b : NULL);
    record_object_end(record);
}

/* Puts cells of both values and their difference. */
static void put_change(struct record *record, const double value[SIDES], const char *unit)
{
    char change[2 * NUMBER];

    for (int s = 0; s < SIDES; s++) {
        record_cell(record, sides[s], record_quantity(record, value[s], unit));
        record_right(record);
    }
    compare_change(value[0], value[1], unit, record->unicode, change, sizeof change);
    record_cell(record, "Change of B", change);
}

static void put_results(struct record *record, const struct comparison *comparison)
{
    bool loop = false;

    record_map(record, "results", "Results");
    for (int r = 0; r < comparison->result_count; r++) {
        const struct compared_result *compared = &comparison->result[r];

        if (!loop && compared->row->scope == RESULT_LOOP) {
            record_object(record, "loop", NULL, true);
            loop = true;
        }
        record_map_row(record, compared->row->json);
        record_cell(record, "Result", compared->row->label);
        put_pair(record, compared->value, compared->row->unit);
        put_change(record, compared->value, compared->row->unit);
        record_row_end(record);
    }
    if (loop)
        record_object_end(record);
    record_table_end(record);
}

/* Writes where a node runs and what binds it, in both designs if they differ: "gpu0: overhead, then
 * memory DRAM". */
static void binding_text(const struct compared_node *node, struct buffer *text)
{
    char bound[SIDES][64];
    const char *device[SIDES] = {node->device[0], node->device[1]};
    int of = node->has[0] ? 0 : 1;
    bool both = node->has[0] && node->has[1];

    for (int s = 0; s < SIDES; s++) {
        compare_bound(node, s, bound[s], sizeof bound[s]);
        if (both && device[s][0] == '\0' && device[1 - s][0] != '\0')
            device[s] = "parts";
    }
    buffer_print(text, "%s%s%s", device[of], device[of][0] != '\0' ? ": " : "", bound[of]);
    if (both && strcmp(device[0], device[1]) != 0)
        buffer_print(text, ", then %s: %s", device[1], bound[1]);
    else if (both && strcmp(bound[0], bound[1]) != 0)
        buffer_print(text, ", then %s", bound[1]);
}

/* Appends "; memory 2.61 us, then 157 ns (-2.45 us, -94 %)". */
static void add_time_text(struct record *record, struct buffer *text, const char *name,
                          const double value[SIDES])
{
    int of = value[0] == RESULT_NONE ? 1 : 0;
    char change[2 * NUMBER];

    buffer_print(text, "; %s %s", name, record_quantity(record, value[of], "s"));
    if (value[0] == RESULT_NONE || value[1] == RESULT_NONE || !compare_differs(value[0], value[1]))
        return;
    compare_change(value[0], value[1], "s", record->unicode, change, sizeof change);
    buffer_print(text, ", then %s (%s)", record_quantity(record, value[1], "s"), change);
}

/* Puts the times and, below them, what binds the node and its compute and memory times. */
static void put_node_cells(struct record *record, const struct compared_node *node, int alike,
                           const double time[SIDES], const double compute[SIDES],
                           const double memory[SIDES])
{
    struct buffer below = {0};

    record_cellf(record, "Component", alike > 1 ? "%s, %d alike" : "%s", node->name, alike);
    put_change(record, time, "s");
    if (!node->has[0] || !node->has[1])
        buffer_print(&below, "only in %s; ", sides[node->has[0] ? 0 : 1]);
    binding_text(node, &below);
    if (component_type_computes(node->type)) {
        add_time_text(record, &below, "compute", compute);
        add_time_text(record, &below, "memory", memory);
    }
    record_cell(record, "", below.bytes == NULL ? "" : below.bytes);
    record_below(record);
    buffer_free(&below);
}

static void put_presence(struct record *record, const bool has[SIDES])
{
    record_text(record, "in", NULL, has[0] && has[1] ? "both" : keys[has[0] ? 0 : 1]);
}

/* Puts a node; `alike`: number of nodes that the row of text represents. */
static void put_node(struct record *record, const struct compared_node *node, int alike)
{
    double time[SIDES], compute[SIDES], memory[SIDES], path[SIDES];

    for (int s = 0; s < SIDES; s++) {
        time[s] = node->has[s] ? node->time[s] : RESULT_NONE;
        compute[s] = node->has[s] ? node->compute[s] : RESULT_NONE;
        memory[s] = node->has[s] ? node->memory[s] : RESULT_NONE;
        path[s] = node->has[s] ? node->path[s] : RESULT_NONE;
    }
    record_row(record);
    record_text(record, "name", NULL, node->name);
    put_presence(record, node->has);
    record_bool(record, "inserted", NULL, node->transfer);
    put_words(record, "device", node->has, node->device[0], node->device[1]);
    put_pair_object(record, "compute_us", compute, "us");
    put_pair_object(record, "memory_us", memory, "us");
    put_pair_object(record, "time_us", time, "us");
    put_pair_object(record, "path_us", path, "us");
    put_words(record, "bound", node->has, bound_name(node->bound[0]), bound_name(node->bound[1]));
    put_words(record, "level", node->has, memory_level_name(node->level[0]),
              memory_level_name(node->level[1]));
    put_node_cells(record, node, alike, time, compute, memory);
    record_row_end(record);
}

static void put_nodes(struct record *record, const struct comparison *comparison)
{
    struct buffer same = {0};
    int alike;

    record_table(record, "components", "Components");
    for (int n = 0; n < comparison->node_count; n += alike) {
        const struct compared_node *node = &comparison->node[n];

        alike = record_is_data(record) ? 1 : compare_alike(comparison, n);
        if (record_is_data(record) || compare_node_differs(node))
            put_node(record, node, alike);
        else
            buffer_item(&same, node->name);
    }
    record_table_end(record);
    if (same.bytes != NULL)
        record_remark(record, "Unchanged", same.bytes);
    buffer_free(&same);
}

static void put_devices(struct record *record, const struct comparison *comparison)
{
    static const char *const figure_keys[DEVICE_FIGURES] = {"peak_flops", "memory_bytes_per_s",
                                                            "busy_us", "utilisation"};

    record_table(record, "devices", "Devices");
    for (int d = 0; d < comparison->device_count; d++) {
        const struct compared_device *device = &comparison->device[d];

        record_row(record);
        record_text(record, "name", NULL, device->name);
        put_presence(record, device->has);
        put_words(record, "model", device->has, device->model[0], device->model[1]);
        for (int i = 0; i < DEVICE_FIGURES; i++)
            put_pair_object(record, figure_keys[i], device->figure[i],
                            strcmp(device_figures[i].unit, "s") == 0 ? "us" : "");
        record_row_end(record);
    }
    record_table_end(record);
}

/* Puts the figures of devices that differ, one per row. */
static void put_figures(struct record *record, const struct comparison *comparison)
{
    record_table(record, NULL, "Devices");
    for (int f = 0; f < comparison->device_count * DEVICE_FIGURES; f++) {
        const struct compared_device *device = &comparison->device[f / DEVICE_FIGURES];
        const struct device_figure *figure = &device_figures[f % DEVICE_FIGURES];
        const double *value = device->figure[f % DEVICE_FIGURES];

        if (!compare_differs(value[0], value[1]))
            continue;
        record_row(record);
        record_cell(record, "Device", device->name);
        record_cell(record, "Figure", figure->name);
        put_change(record, value, figure->unit);
        record_row_end(record);
    }
    record_table_end(record);
}

void compare_report(struct record *record, const struct comparison *comparison,
                    const char *const operand[SIDES])
{
    int all = comparison->difference_count;
    int own = all - compare_count(comparison, DIFFERENCE_FOLLOWS);

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, COMPARE_SCHEMA);
    record_title(record, "Comparison of two designs, A and B");
    for (int s = 0; s < SIDES; s++)
        put_design(record, comparison, s, operand[s]);
    put_verdict(record, &comparison->verdict);
    put_differences(record, comparison, 0, record_is_data(record) ? all : own,
                    "Settings that differ");
    if (own == 0)
        record_note(record, "No settings differ.");
    put_results(record, comparison);
    put_nodes(record, comparison);
    if (record_is_data(record)) {
        put_devices(record, comparison);
    } else {
        put_figures(record, comparison);
        put_differences(record, comparison, own, all, "Derived values");
    }
    record_object_end(record);
}
