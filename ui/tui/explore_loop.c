#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/units.h"
#include "draw/text.h"
#include "model/derived.h"
#include "model/load.h"
#include "model/note.h"
#include "report/range.h"
#include "report/reports.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

#define ELLIPSIS "\xE2\x80\xA6"

enum { FACTS = 5, FACTS_LEAST = 3, LINES = 24, LINE_BYTES = 256 };

/* Columns of the list of facts; a pane with a narrower note has running text instead. */
enum { LABEL = 15, VALUE = 10, GAP = 2, NOTE = LABEL + VALUE + GAP, NOTE_LEAST = 22 };

/* Preferred rows of the latency distribution: percentiles, late frames and a histogram. */
enum { DISTRIBUTION_ROWS = 3, DISTRIBUTION_ROWS_TALL = 6, TALL = 45 };

/* Answers -------------------------------------------------------------------------------------- */

static const struct jitter *shown_jitter(const struct explore *explore)
{
    static const struct jitter none;
    const struct range_answer *answer = design_last_range(explore->design);

    return answer == NULL ? &none : &answer->jitter;
}

/* Relation of the percentiles to the present design. */
enum jitter_state {
    JITTER_NONE,    /* no times vary */
    JITTER_PENDING, /* no percentiles yet */
    JITTER_STALE,   /* percentiles of an earlier design */
    JITTER_CURRENT
};

static enum jitter_state jitter_state(const struct explore *explore)
{
    if (design_is_valid(explore->design) && !jitter_any(&explore->design->scenario))
        return JITTER_NONE;
    return design_last_range(explore->design) == NULL           ? JITTER_PENDING
           : design_range(explore->design) != NULL ? JITTER_CURRENT
                                                   : JITTER_STALE;
}

const struct latency_range *explore_range(const struct explore *explore)
{
    const struct range_answer *answer = design_range(explore->design);

    return answer == NULL ? NULL : &answer->range;
}

/* Overload ------------------------------------------------------------------------------------- */

/* What is overloaded, and how it is written: what still fits. */
struct overloads {
    const struct scenario *scenario;
    const struct result *result;
    struct overload list[OVERLOAD_MAX];
    int count;
    int named;    /* how many of them; the others are counted */
    bool devices; /* say where a component runs */
};

/* Writes "recon on gpu0". */
static void put_overloaded(const struct overloads *all, int i, struct buffer *text)
{
    const char *name = all->list[i].name;
    int n = all->devices ? result_find_node(all->result, name) : -1;
    const struct node_result *node = n < 0 ? NULL : &all->result->node[n];

    buffer_text(text, name);
    if (node != NULL && node->device >= 0 && node->parts == 0)
        buffer_print(text, " on %s", all->scenario->device[node->device].head.name);
}

static void put_ratio(const struct overloads *all, int i, struct buffer *text)
{
    char ratio[32];

    quantity_print(all->list[i].load, "", ratio, sizeof ratio);
    buffer_text(text, ratio);
}

/* Writes "OVERLOAD: recon on gpu0 39.3 times too slow, rtc 2.10 times, 3 more", in full with the
 * time of the first. */
static void print_overloads(const struct overloads *all, bool full, char *text, size_t size)
{
    struct buffer line = buffer_over(text, size);

    buffer_text(&line, "OVERLOAD: ");
    put_overloaded(all, 0, &line);
    if (full)
        buffer_print(&line, " is busy %s of a %s frame,",
                     quantity_text(all->list[0].busy, "s").text,
                     quantity_text(all->result->frame_period, "s").text);
    buffer_text(&line, " ");
    put_ratio(all, 0, &line);
    buffer_text(&line, " times too slow");
    for (int i = 1; i < all->named; i++) {
        buffer_text(&line, ", ");
        put_overloaded(all, i, &line);
        buffer_text(&line, " ");
        put_ratio(all, i, &line);
        buffer_text(&line, " times");
    }
    if (all->count > all->named)
        buffer_print(&line, ", %d more", all->count - all->named);
}

void explore_overload_words(const struct scenario *scenario, const struct result *result, int rows,
                            int columns, char *text, size_t size)
{
    struct overloads all = {.scenario = scenario, .result = result, .devices = true};
    struct canvas none = {0};
    struct rect line = {0, 0, 1, columns};

    text[0] = '\0';
    all.count = load_list_overloads(scenario, result, all.list);
    all.named = clamp_int(all.count, 0, OVERLOAD_MAX);
    if (all.count == 0)
        return;
    print_overloads(&all, true, text, size);
    for (; canvas_wrap(&none, line, 0, STYLE_ERROR, text) > rows && all.named > 0; all.named--)
        print_overloads(&all, false, text, size);
    all.named = 1;
    all.devices = false;
    if (canvas_wrap(&none, line, 0, STYLE_ERROR, text) > rows)
        print_overloads(&all, false, text, size);
}

/* Facts ---------------------------------------------------------------------------------------- */

/* In the order of the list; a pane without room for all and the histogram has the figures with
 * jitter before the delay. The Strehl ratio is the note of the lag there. */
enum {
    FACT_ASSUMED,
    FACT_RATE,
    FACT_LAG,
    FACT_DELAY,
    FACT_PIXEL,
    FACT_P50,
    FACT_LATE,
    FACT_STREHL,
    FACT_P99,
    FACT_P999,
    FACT_PUBLISHED,
    FACT_FRAMES,
    ALL_FACTS
};

/* A number of the loop: "label  value  note" in a list, `words` in running text. */
struct loop_fact {
    const char *label;
    char value[40];
    char note[216];
    char words[200];
    enum style style;
};

/* Sets the number, and its text with the prefix `word`. */
static void set_fact(struct loop_fact *fact, const char *label, const char *word, double si,
                     const char *unit)
{
    fact->label = label;
    quantity_show(si, unit, fact->value, sizeof fact->value);
    snprintf(fact->words, sizeof fact->words, "%s %s", word, fact->value);
}

/* Sets the maximum frame rate; `range` NULL: it is not known yet. */
static void set_rate(const struct result *result, const struct latency_range *range,
                     struct loop_fact *fact)
{
    set_fact(fact, "max frame rate", "max", result->max_frame_rate, "Hz");
    if (result->max_frame_rate <= RESULT_NONE)
        return;
    snprintf(fact->note, sizeof fact->note, "by %s, busy %s", result->limit,
             quantity_text(result->limit_busy, "s").text);
    if (range != NULL) {
        const struct quantity low = quantity_text(range->rate_low, "Hz");
        const struct quantity high = quantity_text(range->rate_high, "Hz");

        if (strcmp(low.text, high.text) != 0)
            snprintf(fact->note, sizeof fact->note, "%s to %s by %.100s", low.text, high.text,
                     result->limit);
    }
    snprintf(fact->words, sizeof fact->words, "max %s by %s", fact->value, result->limit);
}

/* Sets the note; `overload_note` adds that it holds for one frame alone. */
static void add_note(const struct result *result, struct loop_fact *fact, const char *note,
                     const char *overload_note)
{
    snprintf(fact->note, sizeof fact->note, "%s", result->overloaded ? overload_note : note);
    if (result->overloaded)
        fact->style = STYLE_DIM;
}

/* Sets "p99 15.2 us" and "p99.9 15.3 us", with the frames if they are fewer than usual. */
static void set_percentiles(const struct jitter *jitter, struct loop_fact *facts)
{
    char of[40] = "";

    if (jitter->frames < jitter->wanted)
        snprintf(of, sizeof of, " of %ld frame%s", jitter->frames, jitter->frames == 1 ? "" : "s");
    snprintf(facts[FACT_P99].words, sizeof facts->words, "p99 %s%s",
             quantity_text(jitter->p99, "s").text, of);
    snprintf(facts[FACT_P999].words, sizeof facts->words, "p99.9 %s",
             quantity_text(jitter->p999, "s").text);
}

/* Sets "late frames  0 in 20 s  fewer than 539 per hour": what was simulated and, since so few
 * frames say little about an hour, the confidence interval of the late frames in it. */
static void set_late(const struct jitter *jitter, struct loop_fact *fact)
{
    char least[40], most[40], missed[PERCENT_MAX];

    jitter_hourly(jitter, jitter->low, least);
    jitter_hourly(jitter, jitter->high, most);
    if (jitter->missed == 0) {
        snprintf(fact->value, sizeof fact->value, "0 in %.3g s",
                 (double)jitter->frames * 3600 / jitter->per_hour);
        snprintf(fact->note, sizeof fact->note, "fewer than %s per hour", most);
        snprintf(fact->words, sizeof fact->words, "late frames: fewer than %s/hour", most);
        return;
    }
    snprintf(fact->value, sizeof fact->value, "%s", text_percent(jitter->probability, missed));
    snprintf(fact->note, sizeof fact->note, "%s-%s per hour", least, most);
    snprintf(fact->words, sizeof fact->words, "late frames: %s, %.100s", fact->value, fact->note);
}

/* Leaves "p99 ..." of the words, as wide as they were, so that the lines after them stay. */
static void forget_figure(struct loop_fact *fact, const char *word)
{
    int columns = text_width(fact->words) - text_width(word) - 1;

    snprintf(fact->words, sizeof fact->words, "%s " ELLIPSIS "%*s", word,
             columns > 1 ? columns - 1 : 0, "");
    snprintf(fact->value, sizeof fact->value, ELLIPSIS);
    fact->note[0] = '\0';
}

/* For a loop that does not keep up: each frame waits longer than the one before. The frames that
 * were simulated are alone, and say nothing of that. */
static void set_all_late(struct loop_fact *fact)
{
    snprintf(fact->value, sizeof fact->value, "all");
    snprintf(fact->note, sizeof fact->note, "the loop does not keep up");
    snprintf(fact->words, sizeof fact->words, "late frames: all");
}

/* Sets the row of the percentiles. */
static void set_median(const struct explore *explore, enum jitter_state state, struct loop_fact *facts)
{
    struct loop_fact *fact = &facts[FACT_P50];
    const bool known = state != JITTER_NONE && state != JITTER_PENDING;
    const bool current = state == JITTER_CURRENT;

    fact->label = known ? "p50 with jitter" : "jitter";
    snprintf(fact->value, sizeof fact->value, "%s",
             state == JITTER_NONE ? "none"
             : current            ? quantity_text(shown_jitter(explore)->p50, "s").text
                                  : ELLIPSIS);
    if (current)
        snprintf(fact->note, sizeof fact->note, "%.100s, %.100s", facts[FACT_P99].words,
                 facts[FACT_P999].words);
    else if (!known)
        snprintf(fact->note, sizeof fact->note, "%s",
                 state == JITTER_NONE                     ? "no device varies or is late"
                 : explore->design->range.running != NULL ? "simulating frames"
                                                          : "unknown");
}

/* Sets the figures with jitter; they are an ellipsis until those of this design are known. */
static void set_jitter(const struct result *result, const struct jitter *jitter,
                       enum jitter_state state, struct loop_fact *facts)
{
    facts[FACT_LATE].label = "late frames";
    if (state == JITTER_NONE) {
        snprintf(facts[FACT_P99].words, sizeof facts->words, "no jitter");
        return;
    }
    if (state != JITTER_PENDING) {
        set_percentiles(jitter, facts);
        set_late(jitter, &facts[FACT_LATE]);
    }
    if (state != JITTER_CURRENT) {
        forget_figure(&facts[FACT_P99], "p99");
        forget_figure(&facts[FACT_P999], "p99.9");
        forget_figure(&facts[FACT_LATE], "late frames");
    }
    if (result->overloaded)
        set_all_late(&facts[FACT_LATE]);
}

/* Sets "assumed  72 %  dispatch, ports"; an ellipsis while the range is computed. */
static void set_assumed(const struct explore *explore, struct loop_fact *fact)
{
    const struct latency_range *range = explore_range(explore);
    char words[RANGE_TEXT_MAX] = "";
    const char *causes, *apart;

    if (range != NULL)
        range_assumed_text(range, words, sizeof words);
    causes = strpbrk(words, ":;");
    apart = strstr(words, " unknown"); /* running text is short of columns and has the mark `?` */
    fact->label = "assumed";
    if (range != NULL)
        snprintf(fact->value, sizeof fact->value, "%.0f %%", 100 * range->assumed);
    else
        snprintf(fact->value, sizeof fact->value, ELLIPSIS);
    snprintf(fact->words, sizeof fact->words, apart != NULL ? "%.*s?" : "%.*s",
             apart != NULL ? (int)(apart - words) : RANGE_TEXT_MAX, words);
    snprintf(fact->note, sizeof fact->note, "%s", causes != NULL ? causes + 2 : "");
}

/* Sets "whole frames  248 us" where nobody states how frames are processed and it matters. */
static void set_frames(const struct explore *explore, struct loop_fact *fact)
{
    const struct latency_range *range = explore_range(explore);

    if (range == NULL || !range_differs_in_frames(range) || explore->design->result.overloaded)
        return;
    set_fact(fact, "whole frames", "whole frames", range->whole_frames, "s");
    snprintf(fact->note, sizeof fact->note, "latency if software waits for all packets");
}

/* Sets the servo lag and the Strehl ratio: those of the error budget if it is known, else the
 * estimate by a formula, which is named so since it may be several times the lag. */
static void set_lag(const struct explore *explore, struct loop_fact *lag, struct loop_fact *strehl)
{
    const struct result *result = &explore->design->result;
    const struct budget_answer *budget = design_budget(explore->design);
    const struct quantity quick = quantity_text(result->loop.servo_lag, "m");
    const struct loop_result *loop = budget == NULL ? NULL : &budget->result.loop;
    const bool known = loop != NULL && loop->lag > RESULT_NONE && loop->strehl > RESULT_NONE &&
                       !result->overloaded;

    set_fact(lag, "servo lag", known ? "lag" : "quick lag",
             known ? loop->lag : result->loop.servo_lag, "m");
    set_fact(strehl, "Strehl", "Strehl", known ? loop->strehl : result->loop.strehl_lag, "");
    if (known)
        snprintf(lag->note, sizeof lag->note, "quick %s; Strehl %s of all", quick.text,
                 strehl->value);
    else
        snprintf(lag->note, sizeof lag->note, "quick estimate; Strehl of it %s%s", strehl->value,
                 result->overloaded ? ", for one frame alone" : "");
    if (!explore->design->budget.current && !result->overloaded) {
        /* as wide as they will be; the list has the estimate */
        snprintf(lag->words, sizeof lag->words, "lag " ELLIPSIS "%*s", text_width(lag->value) - 1,
                 "");
        snprintf(strehl->words, sizeof strehl->words, "Strehl " ELLIPSIS "%*s",
                 text_width(strehl->value) - 1, "");
    }
    lag->style = strehl->style = result->overloaded ? STYLE_DIM : STYLE_NORMAL;
}

static void gather_facts(const struct explore *explore, enum jitter_state state,
                         struct loop_fact facts[ALL_FACTS])
{
    const struct result *result = &explore->design->result;
    const double published = explore->design->scenario.general.published_latency;
    const struct loop_result *loop = &result->loop;

    memset(facts, 0, sizeof facts[0] * ALL_FACTS);
    if (published > 0)
        set_fact(&facts[FACT_PUBLISHED], "published", "published", published, "s");
    set_rate(result, explore_range(explore), &facts[FACT_RATE]);
    set_fact(&facts[FACT_DELAY], "delay", "delay", loop->delay_frames, "");
    snprintf(facts[FACT_DELAY].words, sizeof facts->words, "%s frames", facts[FACT_DELAY].value);
    add_note(result, &facts[FACT_DELAY], "frames", "frames, for one frame alone");
    set_lag(explore, &facts[FACT_LAG], &facts[FACT_STREHL]);
    set_fact(&facts[FACT_PIXEL], "first pixel", "first pixel", result->first_pixel, "s");
    add_note(result, &facts[FACT_PIXEL], "to the last command out", "for one frame alone");
    set_jitter(result, shown_jitter(explore), state, facts);
    set_median(explore, state, facts);
    if (result->overloaded || state == JITTER_STALE)
        facts[FACT_P50].style = facts[FACT_LATE].style = STYLE_DIM;
}

/* Lines under the latency ---------------------------------------------------------------------- */

struct lines {
    char text[LINES][LINE_BYTES + 1];
    enum style style[LINES];
    int count;
};

static void add_line(struct lines *lines, enum style style, const char *text, size_t bytes)
{
    if (lines->count == LINES)
        return;
    snprintf(lines->text[lines->count], sizeof lines->text[0], "%.*s",
             bytes < LINE_BYTES ? (int)bytes : LINE_BYTES, text);
    lines->style[lines->count++] = style;
}

/* Adds the text in lines of at most `columns`, broken at blanks. */
static void add_broken_line(struct lines *lines, enum style style, const char *text, int columns)
{
    while (*text != '\0') {
        size_t bytes = text_break(text, columns);

        add_line(lines, style, text, bytes);
        text += bytes;
        text += strspn(text, " ");
    }
}

/* Uses at most half of the rows, to leave space for the facts. */
static void add_overload_lines(const struct explore *explore, struct lines *lines,
                               struct rect inside)
{
    char words[4 * LINE_BYTES];
    int rows = inside.rows / 2 > 2 ? inside.rows / 2 : 2;

    explore_overload_words(&explore->design->scenario, &explore->design->result, rows,
                           inside.columns, words, sizeof words);
    add_broken_line(lines, STYLE_ERROR, words, inside.columns);
}

static void add_unfit_lines(const struct design *design, struct lines *lines, int columns)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int d = 0; d < design->result.device_count; d++) {
        if (design->result.device[d].fits)
            continue;
        note_unfit(&design->scenario, &design->result, d, sentence, sizeof sentence);
        add_broken_line(lines, STYLE_ERROR, sentence, columns);
    }
}

/* Adds what has no effect or does not fit together. */
static void add_note_lines(const struct design *design, struct lines *lines, int columns)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int at = 0;
         note_next(&design->scenario, &design->result, &at, sentence, sizeof sentence);)
        add_broken_line(lines, STYLE_WARNING, sentence, columns);
}

/* Adds a fact to a list; its note continues below itself. */
static void add_fact_row(const struct loop_fact *fact, int columns, struct lines *lines)
{
    const char *note = fact->note;
    size_t bytes = text_break(note, columns - NOTE);
    char text[LINE_BYTES];
    int pad = VALUE - text_width(fact->value);

    snprintf(text, sizeof text, "%-*s%*s%s  %.*s", LABEL, fact->label, pad > 0 ? pad : 0, "",
             fact->value, (int)bytes, note);
    add_line(lines, fact->style, text, sizeof text);
    while (*(note += bytes + strspn(note + bytes, " ")) != '\0') {
        bytes = text_break(note, columns - NOTE);
        snprintf(text, sizeof text, "%*s%.*s", NOTE, "", (int)bytes, note);
        add_line(lines, fact->style, text, sizeof text);
    }
}

/* Forms of the facts: the list with the distribution below it, a list that scrolls, or running
 * text. */
enum facts_form { FACTS_DISTRIBUTION, FACTS_LIST, FACTS_TEXT };

/* Adds the facts as a list, with the figures of the distribution if there is no room for it below.
 * Adds nothing to a pane that is too small. */
static enum facts_form list_facts(const struct loop_fact *facts, int rows, int columns,
                                  struct lines *lines)
{
    enum { SEEN = 5 }; /* facts of the list that are seen without scrolling */
    static const int brief[] = {FACT_ASSUMED, FACT_RATE,  FACT_LAG,   FACT_P50,
                                FACT_LATE,    FACT_DELAY, FACT_PIXEL, FACT_FRAMES};
    const int before = lines->count;

    if (columns < NOTE + NOTE_LEAST || before + FACTS_LEAST + DISTRIBUTION_ROWS - 1 > rows)
        return FACTS_TEXT;
    for (int f = 0; f < FACTS; f++)
        add_fact_row(&facts[f], columns, lines);
    if (lines->count + DISTRIBUTION_ROWS - 1 <= rows)
        return FACTS_DISTRIBUTION;
    lines->count = before;
    for (int f = 0; f < (int)(sizeof brief / sizeof brief[0]); f++) {
        if (facts[brief[f]].label != NULL && facts[brief[f]].value[0] != '\0')
            add_fact_row(&facts[brief[f]], columns, lines);
        if (f + 1 == SEEN && lines->count > rows) {
            lines->count = before;
            return FACTS_TEXT;
        }
    }
    return FACTS_LIST;
}

/* Adds the first line of a text that is wider than `columns` and removes it from the text. */
static void split_line(char *text, int columns, enum style style, struct lines *lines)
{
    size_t bytes = text_break(text, columns);
    const char *rest = text + bytes + strspn(text + bytes, " ");

    add_line(lines, style, text, bytes);
    memmove(text, rest, strlen(rest) + 1);
}

/* Adds facts one after the other, as many per line as fit, the first line after `begin`; a fact
 * that is wider than a line continues on the next. Skips facts without words. A line has the style
 * of the last fact, or the error style. */
static void add_running_text(const struct loop_fact *facts, const int *order, int count,
                             struct lines *lines, int columns, const char *begin)
{
    const enum style last = facts[order[count - 1]].style;
    char text[2 * LINE_BYTES];
    const char *joint = "";
    enum style style = last;

    snprintf(text, sizeof text, "%s", begin);
    for (int f = 0; f < count; f++) {
        const struct loop_fact *fact = &facts[order[f]];
        size_t used = strlen(text);

        if (fact->words[0] == '\0')
            continue;
        if (text_width(text) + text_width(joint) + text_width(fact->words) > columns && used > 0) {
            add_line(lines, style, text, used);
            used = 0;
            joint = "";
            style = last;
        }
        snprintf(text + used, sizeof text - used, "%s%s", joint, fact->words);
        joint = " \xC2\xB7 ";
        if (fact->style == STYLE_ERROR)
            style = STYLE_ERROR;
        while (text_width(text) > columns)
            split_line(text, columns, style, lines);
    }
    add_line(lines, style, text, sizeof text);
}

/* Adds all facts, in a pane of two rows the short ones first; of an overloaded loop those first
 * that hold without a condition. */
static void add_fact_text(const struct loop_fact *facts, struct lines *lines, struct rect pane,
                          bool overloaded)
{
    static const int brief[] = {FACT_RATE,   FACT_P99,       FACT_LAG,    FACT_P999,
                                FACT_LATE,   FACT_DELAY,     FACT_STREHL, FACT_ASSUMED,
                                FACT_FRAMES, FACT_PUBLISHED, FACT_PIXEL};
    static const int all[] = {FACT_ASSUMED,   FACT_FRAMES, FACT_RATE, FACT_LAG,
                              FACT_PUBLISHED, FACT_P99,    FACT_P999, FACT_LATE,
                              FACT_DELAY,     FACT_STREHL, FACT_PIXEL};
    static const int unconditional[] = {FACT_RATE};
    static const int conditional[] = {FACT_DELAY, FACT_LAG,  FACT_STREHL, FACT_PUBLISHED, FACT_P99,
                                      FACT_P999,  FACT_LATE, FACT_PIXEL,  FACT_ASSUMED};

    if (!overloaded) {
        add_running_text(facts, pane.rows > 2 ? all : brief, sizeof all / sizeof all[0], lines,
                         pane.columns, "");
        return;
    }
    add_running_text(facts, unconditional, 1, lines, pane.columns, "");
    add_running_text(facts, conditional, sizeof conditional / sizeof conditional[0], lines,
                     pane.columns, "one frame alone: ");
}

/* The baseline --------------------------------------------------------------------------------- */

/* Prints " (-33 %)" with `digits` digits, " (x2601)" for large changes, " (<0.01 %)" for small
 * ones. */
static void print_percent_change(double value, double base, int digits, char *text, size_t size)
{
    double percent = fabs(value - base) / base * 100;

    if (percent >= 1000)
        snprintf(text, size, " (\xC3\x97%.0f)", value / base);
    else if (percent < 0.005)
        snprintf(text, size, " (<0.01 %%)");
    else
        snprintf(text, size, " (%s%.*f %%)", value < base ? "\xE2\x88\x92" : "+",
                 percent >= 99.95   ? 0
                 : percent >= 9.995 ? digits - 2
                                    : digits - 1,
                 percent);
}

/* Prints "+3.20 nm". */
static void print_signed_difference(double value, double base, const char *unit, char *text,
                                    size_t size)
{
    snprintf(text, size, "%s%s", value < base ? "\xE2\x88\x92" : "+",
             quantity_text(fabs(value - base), unit).text);
}

static bool values_differ(double value, double base)
{
    return fabs(value - base) > 1e-9 * fabs(base);
}

/* Prints a comparison with the baseline of at most `columns` cells. */
static void print_baseline_comparison(const struct design *design, int columns, char *text,
                                      size_t size)
{
    const struct baseline *base = &design->baseline;
    double latency = design->result.latency;
    double lag = design->result.loop.servo_lag;
    const struct quantity from = quantity_text(base->latency, "s");
    char change[48];
    char percent[48];

    if (image_equals(&base->image, &design->scenario)) {
        snprintf(text, size, " same as the baseline ");
        return;
    }
    if (!values_differ(latency, base->latency)) {
        print_signed_difference(lag, base->servo_lag, "m", change, sizeof change);
        snprintf(text, size, " same latency as baseline, lag %s ", change);
        if (!values_differ(lag, base->servo_lag) || text_width(text) > columns)
            snprintf(text, size, " same latency as baseline ");
        if (text_width(text) > columns)
            snprintf(text, size, " same latency ");
        return;
    }
    print_signed_difference(latency, base->latency, "s", change, sizeof change);
    for (int digits = 3; digits >= 2 && base->latency > 0; digits--) {
        print_percent_change(latency, base->latency, digits, percent, sizeof percent);
        snprintf(text, size, " baseline %s %s%s ", from.text, change, percent);
        if (text_width(text) <= columns)
            return;
    }
    snprintf(text, size, " baseline %s %s ", from.text, change);
    if (text_width(text) > columns)
        snprintf(text, size, " %s vs baseline ", change);
}

/* Draws the comparison into the lower border, unless the design is invalid. */
static void draw_comparison(const struct design *design, struct canvas *canvas, struct rect box)
{
    double latency = design->result.latency;
    double base = design->baseline.latency;
    char text[160];

    if (!design->baseline.pinned || !design_is_valid(design))
        return;
    print_baseline_comparison(design, box.columns - 4, text, sizeof text);
    canvas_text(canvas, box.row + box.rows - 1, box.column + 2, box.columns - 4,
                latency > base && values_differ(latency, base) ? STYLE_WARNING : STYLE_NORMAL,
                text);
}

/* Latency distribution ------------------------------------------------------------------------- */

/* Draws a histogram column of `eighths` of a cell from the bottom of `rect`. In ASCII a point is up
 * to half a cell and a colon more. */
static void draw_bin(struct canvas *canvas, struct rect rect, int column, int eighths,
                     enum style style)
{
    for (int r = rect.rows - 1; r >= 0 && eighths > 0; r--, eighths -= 8) {
        int part = eighths > 8 ? 8 : eighths;
        uint32_t ascii = part > 7 ? '#' : part > 4 ? ':' : '.';

        canvas_put(canvas, rect.row + r, column, style,
                   canvas->unicode ? 0x2580U + (uint32_t)part : ascii);
    }
}

/* Returns the frames in a column of `each` bins. */
static long frames_in_column(const struct jitter *jitter, int column, int each)
{
    long frames = 0;

    for (int b = column * each; b < (column + 1) * each; b++)
        frames += jitter->bin[b].frames;
    return frames;
}

/* Draws as many columns as fit and divide the bins evenly, those beyond the target in error style.
 * A column with any frame has at least an eighth. Returns the number of columns. */
static int draw_bins(struct canvas *canvas, struct rect rect, const struct jitter *jitter,
                     enum style style)
{
    int each = 1;
    int columns;
    long most = 1;

    while (jitter->bins / each > rect.columns || jitter->bins % each != 0)
        each++;
    columns = jitter->bins / each;
    for (int c = 0; c < columns; c++)
        if (frames_in_column(jitter, c, each) > most)
            most = frames_in_column(jitter, c, each);
    for (int c = 0; c < columns; c++) {
        double part = (double)frames_in_column(jitter, c, each) / (double)most;
        bool late = jitter->bin[c * each].from >= jitter->target && style != STYLE_DIM;

        draw_bin(canvas, rect, rect.column + c, (int)ceil(part * 8 * rect.rows),
                 late ? STYLE_ERROR : style);
    }
    return columns;
}

/* Draws a row in the columns of the list of facts. */
static void draw_fact_row(struct canvas *canvas, int row, int column, int columns, enum style style,
                          const char *label, const char *value, const char *note)
{
    /* a long value also takes the blanks behind its label */
    const int before = text_width(label) < LABEL ? text_width(label) + 1 : LABEL;

    canvas_text(canvas, row, column, LABEL, style, label);
    canvas_right(canvas, row, column + before, LABEL + VALUE - before, style, value);
    canvas_text(canvas, row, column + NOTE, columns - NOTE, style, note);
}

static void draw_latency_histogram(struct canvas *canvas, struct rect rect,
                                   const struct jitter *jitter, enum style style)
{
    /* columns for the text after the histogram, with the title of its axis and without; bins */
    enum { TITLED = 17, MOST = 9, BINS = 12 };
    bool titled = rect.columns - NOTE - TITLED >= BINS;
    int last = rect.row + rect.rows - 1;
    int most = titled ? TITLED : MOST;
    struct rect bins = {rect.row, rect.column + NOTE, rect.rows, rect.columns - NOTE - most};
    int columns;

    if (rect.rows <= 0 || bins.columns < 8 || jitter->bins < 2)
        return;
    draw_fact_row(canvas, last, rect.column, NOTE, style, "frames",
                  quantity_text(jitter->least, "s").text, "");
    columns = draw_bins(canvas, bins, jitter, style);
    canvas_printf(canvas, last, bins.column + columns + 1, most - 1, style, "%s%s",
                  quantity_text(jitter->most, "s").text, titled ? " latency" : "");
}

/* Draws the percentiles as a row of the list, or as running text if that is too wide, below them
 * the late frames and the histogram. */
static void draw_distribution(const struct explore *explore, struct canvas *canvas,
                              struct rect rect, enum jitter_state state, const struct loop_fact *facts)
{
    const struct jitter *jitter = shown_jitter(explore);
    const struct loop_fact *late = &facts[FACT_LATE];
    struct rect below = {rect.row + 2, rect.column, rect.rows - 2, rect.columns};
    bool dim = !design_is_valid(explore->design) || explore->design->result.overloaded ||
               state == JITTER_STALE;
    const struct loop_fact *median = &facts[FACT_P50];
    enum style style = dim ? STYLE_DIM : STYLE_NORMAL;

    if (rect.rows <= 0)
        return;
    if (NOTE + text_width(median->note) <= rect.columns)
        draw_fact_row(canvas, rect.row, rect.column, rect.columns, style, median->label,
                      median->value, median->note);
    else
        canvas_printf(canvas, rect.row, rect.column, rect.columns, style,
                      "p50 %s \xC2\xB7 %s \xC2\xB7 %s", median->value, facts[FACT_P99].words,
                      facts[FACT_P999].words);
    if (state == JITTER_NONE || state == JITTER_PENDING)
        return;
    if (rect.rows > 1)
        draw_fact_row(canvas, rect.row + 1, rect.column, rect.columns, style, late->label,
                      late->value, late->note);
    draw_latency_histogram(canvas, below, jitter, style);
}

/* The pane ------------------------------------------------------------------------------------- */

int explore_loop_rows(const struct explore *explore)
{
    const struct result *result = &explore->design->result;
    bool evaluated = explore->design->evaluated;

    return FACTS + (explore->host->rows >= TALL ? DISTRIBUTION_ROWS_TALL : DISTRIBUTION_ROWS) +
           (evaluated && result->overloaded ? 3 : 0) + (evaluated && !result->fits ? 2 : 0);
}

static void draw_fact_lines(struct list_pane *list, struct canvas *canvas,
                            const struct lines *lines, bool stale)
{
    for (int l = 0; l < lines->count; l++) {
        struct rect line = list_pane_line(list, l);

        if (line.rows > 0)
            canvas_text(canvas, line.row, line.column, line.columns,
                        stale ? STYLE_DIM : lines->style[l], lines->text[l]);
    }
}

void explore_draw_loop(struct explore *explore, struct canvas *canvas, struct rect box)
{
    static const char more[] = " 9 control loop ";
    const struct design *design = explore->design;
    struct rect inside = rect_inside(box);
    bool focus = explore->pane == PANE_LOOP;
    bool stale = !design_is_valid(design);
    enum jitter_state state;
    struct loop_fact facts[ALL_FACTS];
    struct lines lines = {.count = 0};
    char title[16];
    struct rect below;
    enum facts_form form;

    inside.column++;
    inside.columns -= 2;
    snprintf(title, sizeof title, "Loop%s", design_stale_mark(design));
    widget_pane(canvas, box, title, focus);
    if (box.columns > text_width(title) + text_width(more) + 8)
        canvas_text(canvas, box.row, box.column + box.columns - 2 - text_width(more),
                    text_width(more), STYLE_DIM, more);
    if (!design->evaluated)
        return;
    design_ask_range(&explore->host->design);
    design_ask_budget(&explore->host->design);
    state = jitter_state(explore);
    gather_facts(explore, state, facts);
    set_assumed(explore, &facts[FACT_ASSUMED]);
    set_frames(explore, &facts[FACT_FRAMES]);
    if (design->result.overloaded)
        add_overload_lines(explore, &lines, inside);
    add_unfit_lines(design, &lines, inside.columns);
    if (!stale)
        add_note_lines(design, &lines, inside.columns);
    form = list_facts(facts, inside.rows, inside.columns, &lines);
    if (form == FACTS_TEXT)
        add_fact_text(facts, &lines, inside, design->result.overloaded);
    below = inside;
    explore->loop.page = inside.rows;
    list_pane_lay(&explore->loop, below, lines.count);
    draw_fact_lines(&explore->loop, canvas, &lines, stale);
    below.row += lines.count;
    below.rows -= lines.count;
    if (form == FACTS_DISTRIBUTION)
        draw_distribution(explore, canvas, below, state, facts);
    draw_comparison(design, canvas, box);
    list_pane_draw_bar(&explore->loop, canvas, box.column + box.columns - 1, focus);
    if (focus) {
        canvas->cursor_row = inside.row;
        canvas->cursor_column = inside.column;
    }
}
