#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/units.h"
#include "model/load.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

enum { FACTS = 7, LINES = 16, LINE_BYTES = 256 };

/* Rows the spread of latencies would like: its figures and a histogram. */
enum { SPREAD_ROWS = 2, SPREAD_ROWS_TALL = 5, TALL = 45 };

/* The latency ---------------------------------------------------------------------------------- */

/* What stands beside the latency, as far as there is room: how sure it is, then what it is held
 * against, then a gauge. */
struct latency_line {
    int label; /* columns */
    char sure[32];
    char target[64];
    int gauge; /* cells; 0: none */
};

enum { LATENCY_VALUE = 8, GAUGE_SHORTEST = 4, GAUGE_EDGES = 3 };

/* The words that fit; of a loop that does not keep up "if kept up" always stands there. */
static void fit_words(const struct result *result, int columns, struct latency_line *line)
{
    static const char *const ifs[] = {"if it kept up, target ", "if it kept up", "if kept up"};
    char target[32];
    int room = 0;
    int form = 0;

    quantity_show(result->target, "s", target, sizeof target);
    line->sure[0] = '\0';
    if (result->uncertainty != 1)
        snprintf(line->sure, sizeof line->sure, " \xC3\x97/\xC3\xB7 %.2f", result->uncertainty);
    for (line->label = 12;; line->label = 7) { /* "RTC latency", "latency" */
        for (form = 0; form < (result->overloaded ? 3 : 1); form++) {
            snprintf(line->target, sizeof line->target, " %s%s",
                     result->overloaded ? ifs[form] : "target ", form == 0 ? target : "");
            room = columns - line->label - LATENCY_VALUE - text_width(line->sure);
            if (room >= text_width(line->target)) {
                line->gauge = room - text_width(line->target) - GAUGE_EDGES;
                return;
            }
        }
        if (!result->overloaded && room >= 0)
            break;
        if (line->label < 12)
            break;
    }
    line->gauge = result->overloaded ? 0 : room - GAUGE_EDGES;
    if (result->overloaded)
        line->sure[0] = '\0';
    else
        line->target[0] = '\0';
}

/* The latency against the target; what an overloaded loop would have if it kept up is no success
 * and no failure. */
static void draw_latency(const struct explore *explore, struct canvas *canvas, struct rect line,
                         bool stale)
{
    const struct result *result = &explore->host->design.result;
    double base =
        explore->host->design.baseline.pinned ? explore->host->design.baseline.latency : -1;
    double full = fmax(fmax(result->latency, result->target), base);
    bool overload = result->overloaded;
    enum style title = stale || overload ? STYLE_DIM : STYLE_TITLE;
    enum style style = stale || overload     ? STYLE_DIM
                       : result->margin >= 0 ? STYLE_GOOD
                                             : STYLE_ERROR;
    struct latency_line words;
    char latency[32];
    int at = line.column;

    fit_words(result, line.columns, &words);
    quantity_show(result->latency, "s", latency, sizeof latency);
    canvas_text(canvas, line.row, at, words.label, title,
                words.label < 12 ? "latency" : "RTC latency");
    at += words.label;
    canvas_right(canvas, line.row, at, LATENCY_VALUE, title, latency);
    at += LATENCY_VALUE;
    at += canvas_text(canvas, line.row, at, text_width(words.sure), STYLE_DIM, words.sure);
    if (words.gauge < GAUGE_SHORTEST || full <= 0) {
        canvas_text(canvas, line.row, at, text_width(words.target), STYLE_DIM, words.target);
        return;
    }
    canvas_right(canvas, line.row, line.column, line.columns, STYLE_DIM, words.target);
    at += 2;
    widget_bar(canvas, (struct rect){line.row, at, 1, words.gauge},
               result->latency / full * words.gauge, 0, base < 0 ? -1 : base / full * words.gauge,
               FILL_COMPUTE, style);
    widget_mark(canvas, line.row, at - 1, STYLE_BORDER, MARK_EDGE_LEFT);
    widget_mark(canvas, line.row, at + (int)lround(result->target / full * words.gauge), style,
                MARK_EDGE_RIGHT);
}

/* Overload ------------------------------------------------------------------------------------- */

static void add_overloaded(struct buffer *text, const char *joint, const char *name, double ratio,
                           const char *unit)
{
    char number[32];

    quantity_print(ratio, "", number, sizeof number);
    buffer_print(text, "%s%s %s%s", joint, name, number, unit);
}

static void print_at_length(const struct overload *list, int count, double period,
                            struct buffer *text)
{
    char busy[32], frame[32], ratio[32];

    quantity_show(list[0].busy, "s", busy, sizeof busy);
    quantity_show(period, "s", frame, sizeof frame);
    quantity_print(list[0].busy / period, "", ratio, sizeof ratio);
    buffer_print(text, "OVERLOAD: %s is busy %s of a %s frame, %s times too slow", list[0].name,
                 busy, frame, ratio);
    for (int i = 1; i < count && i < OVERLOAD_MAX; i++)
        add_overloaded(text, i == 1 ? "; also " : ", ", list[i].name, list[i].busy / period,
                       " times");
    if (count > OVERLOAD_MAX)
        buffer_print(text, " and %d more", count - OVERLOAD_MAX);
}

static void print_in_short(const struct overload *list, int count, int named, double period,
                           struct buffer *text)
{
    buffer_text(text, "OVERLOAD, times too slow:");
    for (int i = 0; i < named; i++)
        add_overloaded(text, i == 0 ? " " : ", ", list[i].name, list[i].busy / period, "");
    if (count > named)
        buffer_print(text, " and %d more", count - named);
}

void explore_overload_words(const struct scenario *scenario, const struct result *result, int rows,
                            int columns, char *text, size_t size)
{
    struct overload list[OVERLOAD_MAX];
    struct canvas none = {0};
    struct rect line = {0, 0, 1, columns};
    int count = load_list_overloads(scenario, result, list);
    struct buffer buffer;
    int named = count < OVERLOAD_MAX ? count : OVERLOAD_MAX;

    text[0] = '\0';
    if (count == 0)
        return;
    buffer = buffer_over(text, size);
    print_at_length(list, count, result->frame_period, &buffer);
    for (; canvas_wrap(&none, line, 0, STYLE_ERROR, text) > rows && named > 0; named--) {
        buffer = buffer_over(text, size);
        print_in_short(list, count, named, result->frame_period, &buffer);
    }
}

/* Facts ---------------------------------------------------------------------------------------- */

/* One number of the loop: in a list "label  value  note", in running text `short_text`. */
struct fact {
    const char *label;
    char value[40];
    char note[176];
    char short_text[200];
    enum style style;
};

static void fill_fact(struct fact *fact, const char *label, double si, const char *unit,
                      const char *format)
{
    fact->label = label;
    quantity_show(si, unit, fact->value, sizeof fact->value);
    snprintf(fact->short_text, sizeof fact->short_text, "%s %s", format, fact->value);
}

static void fill_margin(const struct result *result, struct fact *fact)
{
    bool met = result->margin >= 0;
    char target[32];

    fill_fact(fact, met ? "margin" : "over by", fabs(result->margin), "s",
              met ? "margin" : "over by");
    quantity_show(result->target, "s", target, sizeof target);
    snprintf(fact->short_text, sizeof fact->short_text,
             met ? "margin %s of %s" : "over by %s, target %s", fact->value, target);
    snprintf(fact->note, sizeof fact->note, met ? "target met" : "target missed");
    if (result->overloaded)
        snprintf(fact->note, sizeof fact->note,
                 met ? "target met if it kept up" : "target missed even if it kept up");
    fact->style = !met ? STYLE_ERROR : result->overloaded ? STYLE_DIM : STYLE_GOOD;
}

static void fill_bound(const struct result *result, struct fact *fact)
{
    fact->label = "bound by";
    if (result->bound_node < 0) {
        snprintf(fact->value, sizeof fact->value, "nothing");
        snprintf(fact->short_text, sizeof fact->short_text, "bound by nothing");
        return;
    }
    snprintf(fact->value, sizeof fact->value, "%s", bound_name(result->bound));
    snprintf(fact->note, sizeof fact->note, "of %s", result->node[result->bound_node].name);
    snprintf(fact->short_text, sizeof fact->short_text, "bound by %s %s",
             result->node[result->bound_node].name, fact->value);
}

static void fill_rate(const struct result *result, struct fact *fact)
{
    char busy[32];

    fill_fact(fact, "max frame rate", result->max_frame_rate, "Hz", "max");
    if (result->max_frame_rate <= RESULT_NONE)
        return;
    quantity_show(result->limit_busy, "s", busy, sizeof busy);
    snprintf(fact->note, sizeof fact->note, "by %s, busy %s", result->limit, busy);
    snprintf(fact->short_text, sizeof fact->short_text, "max %s by %s", fact->value, result->limit);
}

/* What holds of a loop that keeps up with its frames, and of another only if it did. */
static void note_overload(const struct result *result, struct fact *fact, const char *note,
                          const char *overload_note)
{
    snprintf(fact->note, sizeof fact->note, "%s", result->overloaded ? overload_note : note);
    if (result->overloaded)
        fact->style = STYLE_DIM;
}

enum {
    FACT_MARGIN,
    FACT_BOUND,
    FACT_RATE,
    FACT_DELAY,
    FACT_LAG,
    FACT_STREHL,
    FACT_PIXEL,
    FACT_SPREAD, /* and those after it: in running text alone */
    ALL_FACTS = FACT_SPREAD + JITTER_WORDS
};

static void gather_facts(const struct result *result, struct fact facts[ALL_FACTS])
{
    memset(facts, 0, sizeof facts[0] * ALL_FACTS);
    fill_margin(result, &facts[FACT_MARGIN]);
    fill_bound(result, &facts[FACT_BOUND]);
    fill_rate(result, &facts[FACT_RATE]);
    fill_fact(&facts[FACT_DELAY], "delay", result->loop.delay_frames, "", "delay");
    snprintf(facts[FACT_DELAY].short_text, sizeof facts[FACT_DELAY].short_text, "%s frames",
             facts[FACT_DELAY].value);
    note_overload(result, &facts[FACT_DELAY], "frames", "frames, if it kept up");
    fill_fact(&facts[FACT_LAG], "servo lag", result->loop.servo_lag, "m", "lag");
    note_overload(result, &facts[FACT_LAG], "of wavefront, rms", "rms, if it kept up");
    fill_fact(&facts[FACT_STREHL], "Strehl", result->loop.strehl, "", "Strehl");
    note_overload(result, &facts[FACT_STREHL], "from lag alone", "from lag, if it kept up");
    fill_fact(&facts[FACT_PIXEL], "first pixel", result->first_pixel, "s", "first pixel");
    note_overload(result, &facts[FACT_PIXEL], "to the last command out", "if it kept up");
}

/* Lines under the latency. ------------------------------------------------------------------- */

struct lines {
    char text[LINES][LINE_BYTES];
    enum style style[LINES];
    int count;
};

static void add_line(struct lines *lines, enum style style, const char *text)
{
    if (lines->count == LINES)
        return;
    snprintf(lines->text[lines->count], LINE_BYTES, "%s", text);
    lines->style[lines->count++] = style;
}

/* Text of any length as lines of at most `columns` cells. */
static void add_wrapped(struct lines *lines, int columns, enum style style, const char *text)
{
    while (*text != '\0') {
        char line[LINE_BYTES];
        size_t bytes = text_break(text, columns);

        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        add_line(lines, style, line);
        text += bytes;
        text += strspn(text, " ");
    }
}

/* At most about half of the rows: the facts count too. */
static void add_overload(const struct explore *explore, struct lines *lines, struct rect inside)
{
    char text[4 * LINE_BYTES];
    int rows = inside.rows / 2 > 2 ? inside.rows / 2 : 2;

    explore_overload_words(&explore->host->design.scenario, &explore->host->design.result, rows,
                           inside.columns, text, sizeof text);
    add_wrapped(lines, inside.columns, STYLE_ERROR, text);
}

/* Latencies of frames whose times vary. */
static void gather_spread(const struct explore *explore, enum jitter_state state,
                          struct fact facts[ALL_FACTS])
{
    char words[JITTER_WORDS][JITTER_WORD_BYTES];

    explore_jitter_words(explore, state, words);
    for (int w = 0; w < JITTER_WORDS; w++)
        snprintf(facts[FACT_SPREAD + w].short_text, sizeof facts[0].short_text, "%s", words[w]);
}

static void add_list(const struct fact *facts, int count, struct lines *lines)
{
    for (int f = 0; f < count; f++) {
        char text[LINE_BYTES];
        int pad = 10 - text_width(facts[f].value);

        snprintf(text, sizeof text, "%-15s%*s%s  %s", facts[f].label, pad > 0 ? pad : 0, "",
                 facts[f].value, facts[f].note);
        add_line(lines, facts[f].style, text);
    }
}

/* Facts one after the other, as many on a line as fit; `begin` is how the first line begins. What
 * has no words is left out. */
static void add_running(const struct fact *const *facts, int count, struct lines *lines,
                        int columns, const char *begin)
{
    char text[LINE_BYTES];
    const char *joint = "";
    enum style style = facts[count - 1]->style;

    snprintf(text, sizeof text, "%s", begin);
    for (int f = 0; f < count; f++) {
        size_t used = strlen(text);

        if (facts[f]->short_text[0] == '\0')
            continue;
        if (text_width(text) + text_width(joint) + text_width(facts[f]->short_text) > columns &&
            used > 0) {
            add_line(lines, style, text);
            used = 0;
            joint = "";
            style = facts[count - 1]->style;
        }
        snprintf(text + used, sizeof text - used, "%s%s", joint, facts[f]->short_text);
        joint = " \xC2\xB7 ";
        if (facts[f]->style == STYLE_ERROR)
            style = STYLE_ERROR;
    }
    add_line(lines, style, text);
}

/* All facts of a loop that keeps up; else first those that hold all the same. */
static void add_text(const struct fact *facts, struct lines *lines, int columns, bool overloaded)
{
    const struct fact *p99 = &facts[FACT_SPREAD];
    const struct fact *kept[] = {&facts[FACT_MARGIN],
                                 &facts[FACT_BOUND],
                                 &facts[FACT_RATE],
                                 &facts[FACT_LAG],
                                 p99,
                                 p99 + 1,
                                 p99 + 2,
                                 &facts[FACT_DELAY],
                                 &facts[FACT_STREHL],
                                 &facts[FACT_PIXEL]};
    const struct fact *firm[] = {&facts[FACT_BOUND], &facts[FACT_RATE]};
    const struct fact *if_kept[] = {&facts[FACT_DELAY],
                                    &facts[FACT_LAG],
                                    &facts[FACT_STREHL],
                                    &facts[FACT_MARGIN],
                                    p99,
                                    p99 + 1,
                                    p99 + 2,
                                    &facts[FACT_PIXEL]};

    if (!overloaded) {
        add_running(kept, ALL_FACTS, lines, columns, "");
        return;
    }
    add_running(firm, 2, lines, columns, "");
    add_running(if_kept, 5 + JITTER_WORDS, lines, columns, "if it kept up: ");
}

int explore_loop_rows(const struct explore *explore)
{
    bool overload = explore->host->design.evaluated && explore->host->design.result.overloaded;

    return 1 + FACTS + (explore->host->rows >= TALL ? SPREAD_ROWS_TALL : SPREAD_ROWS) +
           (overload ? 3 : 0);
}

/* Drawing ------------------------------------------------------------------------------------- */

/* " (-33 %)" with so many digits, " (x2601)" where that says more. */
static void print_change(double value, double base, int digits, char *text, size_t size)
{
    double percent = fabs(value - base) / base * 100;

    if (percent >= 1000)
        snprintf(text, size, " (\xC3\x97%.0f)", value / base);
    else
        snprintf(text, size, " (%s%.*f %%)", value < base ? "\xE2\x88\x92" : "+",
                 percent >= 99.95   ? 0
                 : percent >= 9.995 ? digits - 2
                                    : digits - 1,
                 percent);
}

/* "+3.20 nm" */
static void print_difference(double value, double base, const char *unit, char *text, size_t size)
{
    char amount[32];

    quantity_show(fabs(value - base), unit, amount, sizeof amount);
    snprintf(text, size, "%s%s", value < base ? "\xE2\x88\x92" : "+", amount);
}

static bool differs(double value, double base)
{
    return fabs(value - base) > 1e-9 * fabs(base);
}

/* How the design compares with the baseline, in at most `columns` cells. */
static void print_delta(const struct explore *explore, int columns, char *text, size_t size)
{
    const struct baseline *base = &explore->host->design.baseline;
    double latency = explore->host->design.result.latency;
    double lag = explore->host->design.result.loop.servo_lag;
    char from[32];
    char change[48];
    char percent[48];

    quantity_show(base->latency, "s", from, sizeof from);
    if (image_same(&base->image, &explore->host->design.scenario)) {
        snprintf(text, size, " same as the baseline ");
        return;
    }
    if (!differs(latency, base->latency)) {
        print_difference(lag, base->servo_lag, "m", change, sizeof change);
        snprintf(text, size, " latency as the baseline's, lag %s ", change);
        if (!differs(lag, base->servo_lag) || text_width(text) > columns)
            snprintf(text, size, " latency as the baseline's ");
        if (text_width(text) > columns)
            snprintf(text, size, " baseline's latency ");
        return;
    }
    print_difference(latency, base->latency, "s", change, sizeof change);
    for (int digits = 3; digits >= 2 && base->latency > 0; digits--) {
        print_change(latency, base->latency, digits, percent, sizeof percent);
        snprintf(text, size, " baseline %s %s%s ", from, change, percent);
        if (text_width(text) <= columns)
            return;
    }
    snprintf(text, size, " baseline %s %s ", from, change);
    if (text_width(text) > columns)
        snprintf(text, size, " %s vs baseline ", change);
}

/* In the lower border. Numbers of an earlier design are not compared. */
static void draw_delta(const struct explore *explore, struct canvas *canvas, struct rect box)
{
    char text[160];

    if (!explore->host->design.baseline.pinned || explore->host->design.problem.status != STATUS_OK)
        return;
    print_delta(explore, box.columns - 4, text, sizeof text);
    canvas_text(canvas, box.row + box.rows - 1, box.column + 2, box.columns - 4,
                explore->host->design.result.latency > explore->host->design.baseline.latency &&
                        differs(explore->host->design.result.latency,
                                explore->host->design.baseline.latency)
                    ? STYLE_WARNING
                    : STYLE_NORMAL,
                text);
}

/* Below the first `row` lines. */
static void draw_spread(const struct explore *explore, struct canvas *canvas, struct rect inside,
                        int row, enum jitter_state state)
{
    struct rect rect = {inside.row + row, inside.column, inside.rows - row, inside.columns};
    bool dim = explore->host->design.problem.status != STATUS_OK ||
               explore->host->design.result.overloaded;

    if (rect.rows > 0)
        explore_jitter_draw(explore, canvas, rect, state, dim ? STYLE_DIM : STYLE_NORMAL);
}

void explore_draw_loop(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct rect inside = rect_inside(box);
    bool focus = explore->pane == PLACE_LOOP;
    bool stale = explore->host->design.problem.status != STATUS_OK;
    enum jitter_state spread;
    struct fact facts[ALL_FACTS];
    struct lines lines = {.count = 0};
    struct list_pane *text = &explore->loop;
    struct rect area;
    bool list;

    inside.column++;
    inside.columns -= 2;
    widget_pane(canvas, box, stale ? "Loop: stale" : "Loop", focus);
    if (!explore->host->design.evaluated) {
        canvas_wrap(canvas, inside, 0, STYLE_ERROR, explore->host->design.problem.message);
        return;
    }
    spread = explore_jitter_state(explore);
    gather_facts(&explore->host->design.result, facts);
    gather_spread(explore, spread, facts);
    if (explore->host->design.result.overloaded)
        add_overload(explore, &lines, inside);
    list = inside.rows >= 1 + FACTS + lines.count;
    if (list) /* the last fact gives way to the spread where there is no room for both */
        add_list(facts, FACTS - (inside.rows == 1 + FACTS + lines.count), &lines);
    else
        add_text(facts, &lines, inside.columns, explore->host->design.result.overloaded);
    draw_latency(explore, canvas, inside, stale);
    area = (struct rect){inside.row + 1, inside.column, inside.rows - 1, inside.columns};
    text->page = inside.rows;
    list_pane_lay(text, area, lines.count);
    for (int l = 0; l < lines.count; l++) {
        struct rect line = list_pane_line(text, l);

        if (line.rows > 0)
            canvas_text(canvas, line.row, line.column, line.columns,
                        stale ? STYLE_DIM : lines.style[l], lines.text[l]);
    }
    if (list)
        draw_spread(explore, canvas, inside, 1 + lines.count, spread);
    draw_delta(explore, canvas, box);
    list_pane_draw_bar(text, canvas, box.column + box.columns - 1, focus);
    if (focus) {
        canvas->cursor_row = inside.row;
        canvas->cursor_column = inside.column;
    }
}
