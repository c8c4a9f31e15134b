#include "report/compare.h"

#include <math.h>
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
    char number[NUMBER - 3]; /* leaves room for a sign */
    int digits = value != 0 ? (int)fmin(1 - floor(log10(fabs(value))), DIGITS_MOST) : 0;

    if (unit[0] == '\0' && fabs(value) < 0.1)
        snprintf(number, sizeof number, "%.*f", digits, fabs(value));
    else
        text_quantity(fabs(value), unit, unicode, number, sizeof number);
    snprintf(text, size, "%s%s",
             value < 0   ? (unicode ? "\xE2\x88\x92" : "-")
             : value > 0 ? "+"
                         : "",
             number);
}

/* A larger ratio says nothing: one of the values is next to zero. */
#define RATIO_MOST 1e6
#define LEAST_CHANGE 1e-4 /* a smaller change has no digit in percent */

void compare_change(double from, double to, const char *unit, bool unicode, char *text, size_t size)
{
    char number[NUMBER];
    char percent[NUMBER];

    if (from == RESULT_NONE || to == RESULT_NONE) {
        snprintf(text, size, "-");
        return;
    }
    if (to != from && fabs(to - from) < LEAST_CHANGE * fabs(from)) {
        snprintf(text, size, "same within 0.01 %%");
        return;
    }
    signed_quantity(to - from, unit, unicode, number, sizeof number);
    if (!(from > 0) || !(to > 0) || to / from >= RATIO_MOST) {
        snprintf(text, size, "%s", number);
        return;
    }
    signed_quantity(100 * (to / from - 1), "", unicode, percent, sizeof percent);
    if (to / from >= 10)
        snprintf(percent, sizeof percent, "%s times", factor_text(to / from, (char[NUMBER]){""}));
    snprintf(text, size, to / from >= 10 ? "%s, %s" : "%s, %s %%", number, percent);
}

/* The verdict ---------------------------------------------------------------------------------- */

static const char *seconds_text(double value, bool unicode, char text[NUMBER])
{
    text_quantity(value, "s", unicode, text, NUMBER);
    return text;
}

/* Returns true if the latencies are alike over the whole range of their ratio. */
static bool surely_alike(const struct compare_verdict *verdict)
{
    return !compare_matters(verdict->least, 1) && !compare_matters(verdict->most, 1);
}

/* Writes how many times as fast a side may be, or as long if it is slower over the whole range. */
static void ratio_text(const struct compare_verdict *verdict, int of, char *text, size_t size)
{
    double least = of == 0 ? verdict->least : 1 / verdict->most;
    double most = of == 0 ? verdict->most : 1 / verdict->least;
    bool slower = most < 1;
    double low = slower ? 1 / most : least;
    double high = slower ? 1 / least : most;
    const char *as = slower ? "long" : "fast";
    char end[2][NUMBER];

    factor_text(low, end[0]);
    factor_text(high, end[1]);
    if (surely_alike(verdict))
        snprintf(text, size, "same within 1 %%");
    else if (!isfinite(high))
        snprintf(text, size, "%s times as %s or more", end[0], as);
    else if (!(low > 0))
        snprintf(text, size, "%s times as %s or less", end[1], as);
    else if (strcmp(end[0], end[1]) == 0)
        snprintf(text, size, "%s times as %s", end[0], as);
    else
        snprintf(text, size, "%s to %s times as %s", end[0], end[1], as);
}

void compare_sentence(const struct compare_verdict *verdict, const char *const name[SIDES],
                      bool unicode, char text[COMPARE_SENTENCE_MAX])
{
    int winner = verdict->faster < 0 ? 0 : verdict->faster;
    double first = verdict->of[winner].latency, second = verdict->of[1 - winner].latency;
    char long_text[COMPARE_SENTENCE_MAX], time[SIDES][NUMBER], number[COMPARE_CELL_MAX];
    struct buffer words = buffer_over(long_text, sizeof long_text);

    seconds_text(first, unicode, time[0]);
    seconds_text(second, unicode, time[1]);
    if (verdict->ratio == RESULT_NONE)
        buffer_print(&words, "no comparison: %s has no latency",
                     first == RESULT_NONE || first <= 0 ? name[winner] : name[1 - winner]);
    else if (verdict->faster < 0)
        buffer_print(&words, "no difference in latency: both have %s", time[0]);
    else if (verdict->of[0].ranged && !verdict->decided && !surely_alike(verdict)) {
        ratio_text(verdict, winner, number, sizeof number);
        buffer_print(&words, "cannot be told apart: %s of %s and %s of %s, and %s may be %s%s",
                     time[0], name[winner], time[1], name[1 - winner], name[winner], number,
                     verdict->least > 0 && isfinite(verdict->most) ? "" : ": one may not keep up");
    } else if (!compare_matters(first, second))
        buffer_print(&words, "no practical difference: %s of %s and %s of %s differ by less than 1 %%",
                     time[0], name[winner], time[1], name[1 - winner]);
    else
        buffer_print(&words, "%s is %s times as fast as %s: %s instead of %s", name[winner],
                     factor_text(second / first, number), name[1 - winner], time[0], time[1]);
    if (verdict->of[0].overloaded && verdict->of[1].overloaded)
        buffer_text(&words, "; both are overloaded: these are latencies of a single frame");
    for (int s = 0; s < SIDES; s++)
        if (verdict->of[s].overloaded && !verdict->of[1 - s].overloaded)
            buffer_print(&words, "; %s is overloaded: its latency is that of a single frame",
                         name[s]);
    if (verdict->other_clock)
        buffer_print(&words, "; the %s of %s does not compare with the %s of %s", verdict->clock[1],
                     name[1], verdict->clock[0], name[0]);
    text_clean(long_text, unicode, text, COMPARE_SENTENCE_MAX);
}

struct compared_facts {
    const struct compare_verdict *verdict;
    int of; /* the side whose change is told */
    bool unicode;
    struct compare_fact *list;
    int count;
};

static struct compare_fact *add_fact(struct compared_facts *facts, const char *label)
{
    struct compare_fact *fact = &facts->list[facts->count++];

    *fact = (struct compare_fact){.tone = {0, 0}};
    snprintf(fact->label, sizeof fact->label, "%s", label);
    return fact;
}

/* Adds a quantity of both designs; `change`: worth a change. */
static void add_quantity(struct compared_facts *facts, const char *label, const double value[SIDES],
                         const char *unit, bool change)
{
    struct compare_fact *fact = add_fact(facts, label);

    for (int s = 0; s < SIDES; s++)
        text_quantity(value[s], unit, facts->unicode, fact->value[s], sizeof fact->value[s]);
    if (change)
        compare_change(value[1 - facts->of], value[facts->of], unit, facts->unicode, fact->change,
                       sizeof fact->change);
    else
        snprintf(fact->change, sizeof fact->change, "same");
}

static void add_latency(struct compared_facts *facts)
{
    const double latency[SIDES] = {facts->verdict->of[0].latency, facts->verdict->of[1].latency};

    add_quantity(facts, "RTC latency", latency, "s",
                 facts->verdict->ratio == RESULT_NONE || facts->verdict->faster >= 0);
}

/* Writes "44.0 to 90.0 us" or "44.0 us or more". */
static void print_range(const struct compared_latency *of, bool unicode, char *text, size_t size)
{
    char low[NUMBER], high[NUMBER];
    const char *unit;

    seconds_text(of->low, unicode, low);
    if (of->high == RESULT_NONE) {
        snprintf(text, size, "%s or more", low);
        return;
    }
    seconds_text(of->high, unicode, high);
    unit = strchr(low, ' ');
    if (unit != NULL && strchr(high, ' ') != NULL && strcmp(unit, strchr(high, ' ')) == 0)
        low[unit - low] = '\0';
    snprintf(text, size, "%s to %s", low, high);
}

/* Adds the ranges of the latencies, and how they relate for the design whose change is told. */
static void add_uncertainty(struct compared_facts *facts)
{
    const struct compare_verdict *verdict = facts->verdict;
    struct compare_fact *fact;

    if (verdict->ratio == RESULT_NONE)
        return;
    fact = add_fact(facts, "likely range");
    if (verdict->least == RESULT_NONE) {
        for (int s = 0; s < SIDES; s++)
            snprintf(fact->value[s], sizeof fact->value[s], "-");
        snprintf(fact->change, sizeof fact->change, "being computed");
        return;
    }
    for (int s = 0; s < SIDES; s++)
        print_range(&verdict->of[s], facts->unicode, fact->value[s], sizeof fact->value[s]);
    ratio_text(verdict, facts->of, fact->change, sizeof fact->change);
}

/* Adds whether and by how much the designs meet their targets. */
static void add_target(struct compared_facts *facts)
{
    static const struct {
        const char *format;
        int tone;
    } rows[] = {
        [STANDING_MEETS] = {"met by %s", 1},
        [STANDING_MEETS_BARELY] = {"likely met, %s", 0},
        [STANDING_MISSES_BARELY] = {"likely missed, %s", -1},
        [STANDING_MISSES] = {"missed by %s", -1},
        [STANDING_OVERLOADED] = {"not met", -1},
    };
    const struct compared_latency *of = facts->verdict->of;
    struct compare_fact *fact = add_fact(facts, "target");
    char target[NUMBER], by[NUMBER];

    if (!compare_differs(of[0].target, of[1].target)) /* else the results state them */
        snprintf(fact->label, sizeof fact->label, "target %s",
                 seconds_text(of[0].target, facts->unicode, target));
    for (int s = 0; s < SIDES; s++) {
        snprintf(fact->value[s], sizeof fact->value[s], rows[of[s].standing].format,
                 seconds_text(fabs(of[s].target - of[s].latency), facts->unicode, by));
        if (of[s].standing == STANDING_MEETS_BARELY && of[s].high == RESULT_NONE)
            snprintf(fact->value[s], sizeof fact->value[s], "met if it keeps up");
        fact->tone[s] = rows[of[s].standing].tone;
    }
}

static void add_load(struct compared_facts *facts)
{
    const struct compared_latency *of = facts->verdict->of;
    struct compare_fact *fact;

    if (!of[0].overloaded && !of[1].overloaded)
        return;
    fact = add_fact(facts, "load");
    for (int s = 0; s < SIDES; s++) {
        char load[NUMBER];

        snprintf(fact->value[s], sizeof fact->value[s], "%s%s", factor_text(of[s].load, load),
                 of[s].overloaded ? ", overloaded" : "");
        fact->tone[s] = of[s].overloaded ? -1 : 0;
    }
}

static void add_fit(struct compared_facts *facts)
{
    const struct compared_latency *of = facts->verdict->of;
    struct compare_fact *fact;

    if (of[0].fits && of[1].fits)
        return;
    fact = add_fact(facts, "device memory");
    for (int s = 0; s < SIDES; s++) {
        snprintf(fact->value[s], sizeof fact->value[s], "%s", of[s].fits ? "fits" : "too small");
        fact->tone[s] = of[s].fits ? 0 : -1;
    }
}

/* Adds the power of all devices, if all state it. */
static void add_power(struct compared_facts *facts)
{
    const struct power *a = &facts->verdict->of[0].power, *b = &facts->verdict->of[1].power;
    double change = facts->of == 0 ? a->watts - b->watts : b->watts - a->watts;
    struct compare_fact *fact;

    if (a->unstated > 0 || b->unstated > 0)
        return;
    fact = add_fact(facts, "power");
    snprintf(fact->value[0], sizeof fact->value[0], "%.0f W", a->watts);
    snprintf(fact->value[1], sizeof fact->value[1], "%.0f W", b->watts);
    if (change == 0)
        snprintf(fact->change, sizeof fact->change, "same");
    else
        snprintf(fact->change, sizeof fact->change, "%s%.0f W",
                 change > 0       ? "+"
                 : facts->unicode ? "\xE2\x88\x92"
                                  : "-",
                 fabs(change));
}

/* Adds the errors of the loops where both are known, and their lags; the quick estimates only where
 * neither has a lag. */
static void add_loop(struct compared_facts *facts)
{
    const struct compared_latency *of = facts->verdict->of;
    const double lag[SIDES] = {of[0].lag, of[1].lag}, total[SIDES] = {of[0].total, of[1].total};
    const double quick[SIDES] = {of[0].servo_lag, of[1].servo_lag};

    if (!of[0].ranged) /* nor are the loops known yet */
        return;
    if (total[0] != RESULT_NONE && total[1] != RESULT_NONE)
        add_quantity(facts, "wavefront error", total, "m", compare_differs(total[0], total[1]));
    if (lag[0] != RESULT_NONE || lag[1] != RESULT_NONE)
        add_quantity(facts, "servo lag", lag, "m", compare_differs(lag[0], lag[1]));
    else
        add_quantity(facts, "quick lag", quick, "m", compare_differs(quick[0], quick[1]));
}

int compare_facts(const struct compare_verdict *verdict, int of, bool unicode,
                  struct compare_fact list[COMPARE_FACTS])
{
    struct compared_facts facts = {verdict, of, unicode, list, 0};

    add_latency(&facts);
    add_uncertainty(&facts);
    add_target(&facts);
    add_load(&facts);
    add_fit(&facts);
    add_power(&facts);
    add_loop(&facts);
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
    char sentence[COMPARE_SENTENCE_MAX];

    compare_sentence(verdict, sides, record->unicode, sentence);
    record_line(record, TONE_PLAIN, "Verdict", "%s", sentence);
    record_object(record, "verdict", NULL, true);
    record_text(record, "faster", NULL, compare_tied(verdict) ? NULL : keys[verdict->faster]);
    record_bool(record, "decided", NULL, verdict->decided);
    record_bool(record, "other_clock", NULL, verdict->other_clock);
    record_number(record, "latency_ratio", NULL, "", verdict->ratio);
    record_number(record, "latency_ratio_least", NULL, "", verdict->least);
    record_number(record, "latency_ratio_most", NULL, "",
                  isfinite(verdict->most) ? verdict->most : RESULT_NONE);
    record_number(record, "common_errors", NULL, "", verdict->common);
    record_number(record, "latency_delta_us", NULL, "us", of[1].latency - of[0].latency);
    record_number(record, "servo_lag_delta_nm", NULL, "nm", of[1].servo_lag - of[0].servo_lag);
    record_object_end(record);
}

/* Knobs that differ ------------------------------------------------------------------------- */

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

/* Puts the facts of the verdict, which have no counterpart in data. */
static void put_facts(struct record *record, const struct compare_verdict *verdict)
{
    struct compare_fact fact[COMPARE_FACTS];
    int count = compare_facts(verdict, 1, record->unicode, fact);

    for (int f = 0; f < count; f++) {
        record_row(record);
        record_cell(record, "Result", fact[f].label);
        for (int s = 0; s < SIDES; s++) {
            record_cell(record, sides[s], fact[f].value[s]);
            record_right(record);
        }
        record_cell(record, "Change of B", fact[f].change);
        record_row_end(record);
    }
}

bool compare_is_fact(const struct result_row *row)
{
    switch (result_id(row)) {
    case RESULT_LATENCY:
    case RESULT_LATENCY_LOW:
    case RESULT_LATENCY_HIGH:
    case RESULT_MARGIN:
    case RESULT_WATTS:
    case RESULT_LOOP_SERVO_LAG:
    case RESULT_LOOP_STREHL_LAG: /* of that estimate */
    case RESULT_LOOP_LAG:
    case RESULT_LOOP_TOTAL:
        return true;
    default:
        return false;
    }
}

static void put_results(struct record *record, const struct comparison *comparison)
{
    bool loop = false;

    record_map(record, "results", "Results");
    if (!record_is_data(record))
        put_facts(record, &comparison->verdict);
    for (int r = 0; r < comparison->result_count; r++) {
        const struct compared_result *compared = &comparison->result[r];

        if (!record_is_data(record) && compare_is_fact(compared->row))
            continue;
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
    const char *device[SIDES] = {node->device[0], node->device[1]};
    int of = node->has[0] ? 0 : 1;
    bool both = node->has[0] && node->has[1];

    for (int s = 0; s < SIDES; s++)
        if (both && device[s][0] == '\0' && device[1 - s][0] != '\0')
            device[s] = "parts";
    buffer_print(text, "%s%s%s", device[of], device[of][0] != '\0' ? ": " : "", node->limit[of]);
    if (both && strcmp(device[0], device[1]) != 0)
        buffer_print(text, ", then %s: %s", device[1], node->limit[1]);
    else if (both && strcmp(node->limit[0], node->limit[1]) != 0)
        buffer_print(text, ", then %s", node->limit[1]);
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
    record_cell(record, "", below.bytes);
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
    put_results(record, comparison);
    put_differences(record, comparison, 0, record_is_data(record) ? all : own, DIFFERENCES_TITLE);
    if (own == 0)
        record_note(record, "No knobs differ.");
    put_nodes(record, comparison);
    if (record_is_data(record)) {
        put_devices(record, comparison);
    } else {
        put_figures(record, comparison);
        put_differences(record, comparison, own, all, "Derived values");
    }
    record_object_end(record);
}
