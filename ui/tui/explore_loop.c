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

#define JOINT " \xC2\xB7 " /* between facts in running text */

enum { LINES = 24, LINE_BYTES = 256 };

/* Columns of the list of facts; a pane with a narrower note has running text instead. */
enum { LABEL = 15, VALUE = 10, GAP = 2, NOTE = LABEL + VALUE + GAP, NOTE_LEAST = 22 };

/* Preferred rows: facts, of a tall screen also a histogram of the latency. */
enum { FACT_ROWS = 4, HISTOGRAM_ROWS = 4, TALL = 45 };

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
    return design_last_range(explore->design) == NULL ? JITTER_PENDING
           : design_range(explore->design) != NULL    ? JITTER_CURRENT
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

/* The most important first. */
enum {
    FACT_RATE,
    FACT_ERROR,
    FACT_JITTER,
    FACT_LATE,
    FACT_FRAMES,
    FACT_ASSUMED,
    FACT_DELAY,
    FACT_PIXEL,
    FACT_PUBLISHED,
    FACTS
};

/* A number of the loop: "label  value  note" in a list, `words` in running text. Without a value
 * there is none. */
struct loop_fact {
    const char *label;
    char value[40];
    char note[216];
    char words[256];
    enum style style;
};

/* Sets the number, and its text with the prefix `word`. */
static void set_fact(struct loop_fact *fact, const char *label, const char *word, double si,
                     const char *unit)
{
    fact->label = label;
    quantity_show(si, unit, fact->value, sizeof fact->value);
    snprintf(fact->words, sizeof fact->words, "%s%s%s", word, word[0] != '\0' ? " " : "",
             fact->value);
}

/* Sets what is being computed; in running text as wide as it was, so that the lines after it stay.
 */
static void set_pending(struct loop_fact *fact, const char *label, const char *word, int columns)
{
    fact->label = label;
    snprintf(fact->value, sizeof fact->value, ELLIPSIS);
    snprintf(fact->words, sizeof fact->words, "%s " ELLIPSIS "%*s", word,
             columns > 1 ? columns - 1 : 0, "");
}

/* Sets "assumed  72 %  dispatch, ports". */
static void set_assumed(const struct latency_range *range, struct loop_fact *fact)
{
    char words[RANGE_TEXT_MAX];
    const char *causes, *apart;

    if (range == NULL) {
        set_pending(fact, "assumed", "assumed", 0);
        return;
    }
    range_assumed_text(range, words, sizeof words);
    causes = strpbrk(words, ":;");
    apart = strstr(words, " unknown"); /* running text is short of columns and has the mark `?` */
    fact->label = "assumed";
    snprintf(fact->value, sizeof fact->value, "%.0f %%", 100 * range->assumed);
    snprintf(fact->words, sizeof fact->words, apart != NULL ? "%.*s?" : "%.*s",
             apart != NULL ? (int)(apart - words) : RANGE_TEXT_MAX, words);
    snprintf(fact->note, sizeof fact->note, "%s", causes != NULL ? causes + 2 : "");
}

/* Sets the maximum frame rate; `range` NULL: it is not known yet. */
static void set_rate(const struct result *result, const struct latency_range *range,
                     struct loop_fact *fact)
{
    char rate[RANGE_LATENCY_MAX];
    const char *ends;

    set_fact(fact, "max rate", "max", result->max_frame_rate, "Hz");
    if (result->max_frame_rate <= RESULT_NONE)
        return;
    range_rate_text(result->max_frame_rate, range == NULL ? RESULT_NONE : range->rate_low,
                    range == NULL ? RESULT_NONE : range->rate_high, true, rate);
    ends = strchr(rate, '(');
    snprintf(fact->note, sizeof fact->note, "%.60s%s%.100s", ends == NULL ? "" : ends,
             ends == NULL ? "" : ", ", result->limit);
    snprintf(fact->words, sizeof fact->words, "max %s %s", fact->value, result->limit);
}

/* Sets the wavefront error of a loop with a star, the lag of one without; where the loop cannot be
 * described, the estimate by a formula, which is named so since it may be several times the lag. */
static void set_error(const struct design *design, struct loop_fact *fact)
{
    const struct result *result = &design->result;
    const struct budget_answer *budget = design_budget(design);
    const struct loop_result *loop = budget == NULL ? NULL : &budget->result.loop;

    if (!design->budget.current) {
        const bool star = design_last_budget(design) != NULL &&
                          design_last_budget(design)->result.loop.noise > RESULT_NONE;

        set_pending(fact, star ? "wavefront error" : "servo lag", star ? "wavefront error" : "lag",
                    text_width(quantity_text(result->loop.servo_lag, "m").text));
    } else if (loop == NULL || loop->lag <= RESULT_NONE || loop->strehl <= RESULT_NONE) {
        set_fact(fact, "quick lag", "quick lag", result->loop.servo_lag, "m");
        snprintf(fact->note, sizeof fact->note, "Strehl %s of it",
                 quantity_text(result->loop.strehl_lag, "").text);
    } else if (loop->noise > RESULT_NONE) {
        set_fact(fact, "wavefront error", "wavefront error", loop->total, "m");
        snprintf(fact->note, sizeof fact->note, "lag %s", quantity_text(loop->lag, "m").text);
        snprintf(fact->words, sizeof fact->words, "wavefront error %s, lag %s", fact->value,
                 quantity_text(loop->lag, "m").text);
    } else {
        set_fact(fact, "servo lag", "lag", loop->lag, "m");
        snprintf(fact->note, sizeof fact->note, "no star");
    }
}

/* Sets "p99  464 us  p99.9 499 us" of the latency. */
static void set_jitter(const struct explore *explore, enum jitter_state state,
                       struct loop_fact *fact)
{
    const struct jitter *jitter = shown_jitter(explore);

    if (state == JITTER_NONE) {
        fact->label = "jitter";
        snprintf(fact->value, sizeof fact->value, "none");
        snprintf(fact->note, sizeof fact->note, "no device varies or is late");
        snprintf(fact->words, sizeof fact->words, "no jitter");
    } else if (state == JITTER_CURRENT) {
        set_fact(fact, "p99", "p99", jitter->p99, "s");
        snprintf(fact->note, sizeof fact->note, "p99.9 %s", quantity_text(jitter->p999, "s").text);
        if (jitter->frames < jitter->wanted) {
            char of[40];

            snprintf(of, sizeof of, " of %ld frame%s", jitter->frames,
                     jitter->frames == 1 ? "" : "s");
            strncat(fact->note, of, sizeof fact->note - strlen(fact->note) - 1);
            strncat(fact->words, of, sizeof fact->words - strlen(fact->words) - 1);
        }
    } else {
        set_pending(fact, "p99", "p99",
                    state == JITTER_STALE ? text_width(quantity_text(jitter->p99, "s").text) : 0);
        if (state == JITTER_PENDING)
            snprintf(fact->note, sizeof fact->note, "%s",
                     explore->design->range.running != NULL ? "simulating frames" : "unknown");
    }
}

/* Sets "late frames  2.10 %  7250-7890 per hour", of the present design alone and if there are any:
 * the fraction that was simulated and the confidence interval of an hour. */
static void set_late(const struct jitter *jitter, enum jitter_state state, struct loop_fact *fact)
{
    char least[40], most[40], missed[PERCENT_MAX];

    if (state != JITTER_CURRENT || jitter->missed == 0)
        return;
    jitter_hourly(jitter, jitter->low, least);
    jitter_hourly(jitter, jitter->high, most);
    fact->label = "late frames";
    snprintf(fact->value, sizeof fact->value, "%s", text_percent(jitter->probability, missed));
    snprintf(fact->note, sizeof fact->note, "%s-%s per hour", least, most);
    snprintf(fact->words, sizeof fact->words, "late frames: %s", fact->value);
}

/* Fills in the facts. Of a loop that does not keep up, each frame waits longer than the one before:
 * what holds for one frame alone says nothing of it. */
static void gather_facts(const struct explore *explore, enum jitter_state state,
                         struct loop_fact facts[FACTS])
{
    const struct result *result = &explore->design->result;
    const struct latency_range *range = explore_range(explore);
    const double published = explore->design->scenario.general.published_latency;

    memset(facts, 0, sizeof facts[0] * FACTS);
    set_rate(result, range, &facts[FACT_RATE]);
    if (published > 0)
        set_fact(&facts[FACT_PUBLISHED], "published", "published", published, "s");
    if (result->overloaded) {
        facts[FACT_LATE] = (struct loop_fact){.label = "late frames",
                                              .value = "all",
                                              .note = "the loop does not keep up",
                                              .words = "late frames: all"};
        return;
    }
    set_assumed(range, &facts[FACT_ASSUMED]);
    if (range != NULL && range_differs_in_frames(range)) {
        set_fact(&facts[FACT_FRAMES], "whole frames", "whole frames", range->whole_frames, "s");
        snprintf(facts[FACT_FRAMES].note, sizeof facts->note, "if software waits for all packets");
    }
    set_error(explore->design, &facts[FACT_ERROR]);
    set_jitter(explore, state, &facts[FACT_JITTER]);
    set_late(shown_jitter(explore), state, &facts[FACT_LATE]);
    set_fact(&facts[FACT_DELAY], "delay", "", result->loop.delay_frames, "");
    snprintf(facts[FACT_DELAY].note, sizeof facts->note, "frames");
    snprintf(facts[FACT_DELAY].words, sizeof facts->words, "%s frames", facts[FACT_DELAY].value);
    set_fact(&facts[FACT_PIXEL], "first pixel", "first pixel", result->first_pixel, "s");
    snprintf(facts[FACT_PIXEL].note, sizeof facts->note, "to the last command");
    if (state == JITTER_STALE)
        facts[FACT_JITTER].style = STYLE_DIM;
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

    for (int at = 0; note_next(&design->scenario, &design->result, &at, sentence, sizeof sentence);)
        add_broken_line(lines, STYLE_WARNING, sentence, columns);
}

/* Returns the bytes of a note in its first line, which ends at a comma if it is not the last, so
 * that "(1.88 to 3.62), recon" is not broken within the second. */
static size_t break_note(const char *note, int columns)
{
    const size_t bytes = text_break(note, columns);

    for (size_t at = bytes; at > 0 && note[bytes] != '\0'; at--)
        if (note[at - 1] == ',')
            return at;
    return bytes;
}

/* Adds a fact to a list; its note continues below itself. */
static void add_fact_row(const struct loop_fact *fact, int columns, struct lines *lines)
{
    const char *note = fact->note;
    size_t bytes = break_note(note, columns - NOTE);
    char text[LINE_BYTES];
    int pad = VALUE - text_width(fact->value);

    snprintf(text, sizeof text, "%-*s%*s%s  %.*s", LABEL, fact->label, pad > 0 ? pad : 0, "",
             fact->value, (int)bytes, note);
    add_line(lines, fact->style, text, sizeof text);
    while (*(note += bytes + strspn(note + bytes, " ")) != '\0') {
        bytes = break_note(note, columns - NOTE);
        snprintf(text, sizeof text, "%*s%.*s", NOTE, "", (int)bytes, note);
        add_line(lines, fact->style, text, sizeof text);
    }
}

/* Adds the facts as a list. Adds nothing to a pane that is too small and returns false. */
static bool list_facts(const struct loop_fact facts[FACTS], int rows, int columns,
                       struct lines *lines)
{
    enum { SEEN = 4 }; /* rows of the list that are seen without scrolling */

    if (columns < NOTE + NOTE_LEAST || lines->count + SEEN > rows)
        return false;
    for (int f = 0; f < FACTS; f++)
        if (facts[f].value[0] != '\0')
            add_fact_row(&facts[f], columns, lines);
    return true;
}

/* Adds facts one after the other, as many per line as fit; one that is wider than a line continues
 * on the next. */
static void add_fact_text(const struct loop_fact facts[FACTS], struct lines *lines, int columns)
{
    char text[2 * LINE_BYTES] = "";

    for (int f = 0; f < FACTS; f++) {
        const char *words = facts[f].words;
        size_t used = strlen(text);

        if (words[0] == '\0')
            continue;
        if (used > 0 && text_width(text) + text_width(JOINT) + text_width(words) > columns) {
            add_line(lines, STYLE_NORMAL, text, used);
            text[used = 0] = '\0';
        }
        snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? JOINT : "", words);
        while (text_width(text) > columns) {
            size_t bytes = text_break(text, columns);
            const char *rest = text + bytes + strspn(text + bytes, " ");

            add_line(lines, STYLE_NORMAL, text, bytes);
            memmove(text, rest, strlen(rest) + 1);
        }
    }
    add_line(lines, STYLE_NORMAL, text, sizeof text);
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
    const struct quantity from = quantity_text(base->latency, "s");
    char change[48];
    char percent[48];

    if (image_equals(&base->image, &design->scenario)) {
        snprintf(text, size, " same as the baseline ");
        return;
    }
    if (!values_differ(latency, base->latency)) {
        snprintf(text, size, " same latency as baseline ");
        if (text_width(text) > columns)
            snprintf(text, size, " same latency ");
        return;
    }
    snprintf(change, sizeof change, "%s%s", latency < base->latency ? "\xE2\x88\x92" : "+",
             quantity_text(fabs(latency - base->latency), "s").text);
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

        widget_bin(canvas, rect, rect.column + c, (int)ceil(part * 8 * rect.rows),
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

/* The pane ------------------------------------------------------------------------------------- */

int explore_loop_rows(const struct explore *explore)
{
    const struct result *result = &explore->design->result;
    const struct range_answer *last = design_last_range(explore->design);
    bool evaluated = explore->design->evaluated;

    return FACT_ROWS + (last != NULL && range_differs_in_frames(&last->range)) +
           (explore->host->rows >= TALL ? 2 + HISTOGRAM_ROWS : 0) +
           (evaluated && result->overloaded ? 3 : 0) + (evaluated && !result->fits ? 3 : 0);
}

/* A clause that goes on below the pane ends in an ellipsis. */
static void draw_fact_lines(struct list_pane *list, struct canvas *canvas,
                            const struct lines *lines, bool stale)
{
    for (int l = 0; l < lines->count; l++) {
        const struct rect line = list_pane_line(list, l);
        const size_t length = strlen(lines->text[l]);
        const bool goes_on = l + 1 < lines->count && list_pane_line(list, l + 1).rows == 0 &&
                             length > 0 && strchr(",;", lines->text[l][length - 1]) != NULL;

        if (line.rows > 0)
            canvas_printf(canvas, line.row, line.column, line.columns,
                          stale ? STYLE_DIM : lines->style[l], "%.*s%s", (int)length - goes_on,
                          lines->text[l], goes_on ? ELLIPSIS : "");
    }
}

void explore_draw_loop(struct explore *explore, struct canvas *canvas, struct rect box)
{
    const struct design *design = explore->design;
    struct rect inside = rect_inside(box);
    bool focus = explore->pane == PANE_LOOP;
    bool stale = !design_is_valid(design);
    enum jitter_state state;
    struct loop_fact facts[FACTS];
    struct lines lines = {.count = 0};
    char title[16];

    inside.column++;
    inside.columns -= 2;
    snprintf(title, sizeof title, "Loop%s", design_stale_mark(design));
    widget_pane(canvas, box, title, focus);
    if (!design->evaluated)
        return;
    design_ask_range(&explore->host->design);
    design_ask_budget(&explore->host->design);
    state = jitter_state(explore);
    gather_facts(explore, state, facts);
    if (design->result.overloaded)
        add_overload_lines(explore, &lines, inside);
    add_unfit_lines(design, &lines, inside.columns);
    if (!stale)
        add_note_lines(design, &lines, inside.columns);
    if (!list_facts(facts, inside.rows, inside.columns, &lines))
        add_fact_text(facts, &lines, inside.columns);
    explore->loop.page = inside.rows;
    list_pane_lay(&explore->loop, inside, lines.count);
    draw_fact_lines(&explore->loop, canvas, &lines, stale);
    if (!design->result.overloaded && (state == JITTER_CURRENT || state == JITTER_STALE))
        draw_latency_histogram(canvas,
                               (struct rect){inside.row + lines.count, inside.column,
                                             inside.rows - lines.count, inside.columns},
                               shown_jitter(explore),
                               stale || state == JITTER_STALE ? STYLE_DIM : STYLE_NORMAL);
    draw_comparison(design, canvas, box);
    list_pane_draw_bar(&explore->loop, canvas, box.column + box.columns - 1, focus);
    if (focus) {
        canvas->cursor_row = inside.row;
        canvas->cursor_column = inside.column;
    }
}
