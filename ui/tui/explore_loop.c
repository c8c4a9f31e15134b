#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "layout.h"
#include "units.h"
#include "widget.h"

enum { FACTS = 7, LINES = 16, LINE_BYTES = 256 };

/* One number of the loop: in a list "label  value  note", in running text `short_text`. */
struct fact {
    const char *label;
    char value[40];
    char note[160];
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

static void margin(const struct result *result, struct fact *fact)
{
    bool met = result->margin >= 0;
    char target[32];

    fill_fact(fact, met ? "margin" : "over by", fabs(result->margin), "s",
              met ? "margin" : "over by");
    quantity_show(result->target, "s", target, sizeof target);
    snprintf(fact->short_text, sizeof fact->short_text,
             met ? "margin %s of %s" : "over by %s, target %s", fact->value, target);
    snprintf(fact->note, sizeof fact->note, met ? "target met" : "target missed");
    fact->style = met ? STYLE_GOOD : STYLE_ERROR;
}

static void bound(const struct result *result, struct fact *fact)
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

static void rate(const struct result *result, struct fact *fact)
{
    char busy[32];

    fill_fact(fact, "max frame rate", result->max_frame_rate, "Hz", "max");
    if (result->max_frame_rate <= RESULT_NONE)
        return;
    quantity_show(result->limit_busy, "s", busy, sizeof busy);
    snprintf(fact->note, sizeof fact->note, "by %s, busy %s", result->limit, busy);
    snprintf(fact->short_text, sizeof fact->short_text, "max %s by %s", fact->value, result->limit);
}

static void gather(const struct result *result, struct fact facts[FACTS])
{
    memset(facts, 0, sizeof facts[0] * FACTS);
    margin(result, &facts[0]);
    bound(result, &facts[1]);
    rate(result, &facts[2]);
    fill_fact(&facts[3], "delay", result->loop.delay_frames, "", "delay");
    snprintf(facts[3].note, sizeof facts[3].note, "frames");
    snprintf(facts[3].short_text, sizeof facts[3].short_text, "%s frames", facts[3].value);
    fill_fact(&facts[4], "servo lag", result->loop.servo_lag, "m", "lag");
    snprintf(facts[4].note, sizeof facts[4].note, "of wavefront, rms");
    fill_fact(&facts[5], "Strehl", result->loop.strehl, "", "Strehl");
    snprintf(facts[5].note, sizeof facts[5].note, "from lag alone");
    fill_fact(&facts[6], "first pixel", result->first_pixel, "s", "first pixel");
    snprintf(facts[6].note, sizeof facts[6].note, "to the last command out");
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

static void add_overload(const struct result *result, struct lines *lines, int columns)
{
    char busy[32];
    char period[32];
    char ratio[32];
    char text[LINE_BYTES];

    quantity_show(result->limit_busy, "s", busy, sizeof busy);
    quantity_show(result->frame_period, "s", period, sizeof period);
    quantity_print(result->limit_busy / result->frame_period, "", ratio, sizeof ratio);
    snprintf(text, sizeof text, "OVERLOAD: %s is busy %s of a %s frame, %s times too slow",
             result->limit, busy, period, ratio);
    add_wrapped(lines, columns, STYLE_ERROR, text);
}

static void add_list(const struct fact *facts, struct lines *lines)
{
    for (int f = 0; f < FACTS; f++) {
        char text[LINE_BYTES];
        int pad = 10 - text_width(facts[f].value);

        snprintf(text, sizeof text, "%-15s%*s%s  %s", facts[f].label, pad > 0 ? pad : 0, "",
                 facts[f].value, facts[f].note);
        add_line(lines, facts[f].style, text);
    }
}

/* Facts one after the other, as many on a line as fit. */
static void add_running(const struct fact *facts, struct lines *lines, int columns)
{
    char text[LINE_BYTES] = "";
    enum style style = STYLE_NORMAL;

    for (int f = 0; f < FACTS; f++) {
        const char *joint = text[0] == '\0' ? "" : " \xC2\xB7 ";
        size_t used = strlen(text);

        if (text[0] != '\0' && text_width(text) + 3 + text_width(facts[f].short_text) > columns) {
            add_line(lines, style, text);
            used = 0;
            joint = "";
            style = STYLE_NORMAL;
        }
        snprintf(text + used, sizeof text - used, "%s%s", joint, facts[f].short_text);
        if (facts[f].style == STYLE_ERROR)
            style = STYLE_ERROR;
    }
    add_line(lines, style, text);
}

int explore_loop_rows(const struct app *app)
{
    bool overload = app->evaluated && app->result.overloaded;

    return 1 + FACTS + (overload ? 2 : 0);
}

/* Drawing ------------------------------------------------------------------------------------- */

static void draw_latency(const struct app *app, struct canvas *canvas, struct rect line, bool stale)
{
    enum { LABEL = 12, VALUE = 8, GAPS = 4, SHORTEST = 12 };
    const struct result *result = &app->result;
    double base = app->baseline.pinned ? app->baseline.latency : -1;
    double full = fmax(fmax(result->latency, result->target), base);
    enum style title = stale ? STYLE_DIM : STYLE_TITLE;
    enum style style = stale ? STYLE_DIM : result->margin >= 0 ? STYLE_GOOD : STYLE_ERROR;
    char latency[32];
    char target[48] = "target ";
    int at = line.column + LABEL;
    int columns;

    quantity_show(result->latency, "s", latency, sizeof latency);
    quantity_show(result->target, "s", target + 7, sizeof target - 7);
    columns = line.columns - LABEL - VALUE - GAPS - text_width(target);
    canvas_text(canvas, line.row, line.column, LABEL, title, "RTC latency");
    canvas_right(canvas, line.row, at, VALUE, title, latency);
    if (columns >= SHORTEST)
        canvas_right(canvas, line.row, line.column, line.columns, STYLE_DIM, target);
    else
        columns = line.columns - LABEL - VALUE - GAPS + 1;
    if (columns < 4 || full <= 0)
        return;
    at += VALUE + 2;
    widget_bar(canvas, line.row, at, columns, result->latency / full * columns,
               base < 0 ? -1 : base / full * columns, FILL_COMPUTE, style);
    widget_mark(canvas, line.row, at - 1, STYLE_BORDER, MARK_EDGE_LEFT);
    widget_mark(canvas, line.row, at + (int)lround(result->target / full * columns), style,
                MARK_EDGE_RIGHT);
}

/* In the lower border: how the design compares with the baseline. */
static void draw_delta(const struct app *app, struct canvas *canvas, struct rect box)
{
    double base = app->baseline.latency;
    double delta = app->result.latency - base;
    const char *sign = delta < 0 ? "\xE2\x88\x92" : "+";
    char from[32];
    char change[32];
    char percent[48] = "";
    char text[128];

    if (!app->baseline.pinned)
        return;
    quantity_show(base, "s", from, sizeof from);
    quantity_show(fabs(delta), "s", change, sizeof change);
    if (base > 0 && delta < 10 * base)
        snprintf(percent, sizeof percent, " (%s%.3g %%)", sign, fabs(delta) / base * 100);
    else if (base > 0)
        snprintf(percent, sizeof percent, " (\xC3\x97%.0f)", app->result.latency / base);
    if (fabs(delta) <= 1e-9 * base)
        snprintf(text, sizeof text, " same as the baseline ");
    else
        snprintf(text, sizeof text, " baseline %s %s%s%s ", from, sign, change, percent);
    if (text_width(text) > box.columns - 4 && fabs(delta) > 1e-9 * base)
        snprintf(text, sizeof text, " %s%s%s ", sign, change, percent);
    canvas_text(canvas, box.row + box.rows - 1, box.column + 2, box.columns - 4,
                delta > 0 ? STYLE_WARNING : STYLE_NORMAL, text);
}

void explore_draw_loop(struct app *app, struct canvas *canvas, struct rect box)
{
    struct explore *explore = &app->explore;
    struct rect inside = rect_inside(box);
    bool focus = explore->pane == PLACE_LOOP;
    bool stale = app->problem.status != STATUS_OK;
    struct fact facts[FACTS];
    struct lines lines = {.count = 0};
    int most;

    inside.column++;
    inside.columns -= 2;
    widget_pane(canvas, box, stale ? "Loop: stale" : "Loop", focus);
    explore->loop_rows = 0;
    if (!app->evaluated) {
        widget_wrap(canvas, inside, 0, STYLE_ERROR, app->problem.message);
        return;
    }
    gather(&app->result, facts);
    if (app->result.overloaded)
        add_overload(&app->result, &lines, inside.columns);
    if (inside.rows >= 1 + FACTS + lines.count)
        add_list(facts, &lines);
    else
        add_running(facts, &lines, inside.columns);
    draw_latency(app, canvas, inside, stale);
    most = inside.rows - 1;
    explore->loop_rows = lines.count > most ? lines.count - most : 0;
    if (explore->loop_first > explore->loop_rows)
        explore->loop_first = explore->loop_rows;
    for (int l = 0; l < most && explore->loop_first + l < lines.count; l++)
        canvas_text(canvas, inside.row + 1 + l, inside.column, inside.columns,
                    stale ? STYLE_DIM : lines.style[explore->loop_first + l],
                    lines.text[explore->loop_first + l]);
    draw_delta(app, canvas, box);
    if (explore->loop_rows > 0)
        widget_scroll(canvas, (struct rect){box.row + 1, box.column, box.rows - 1, box.columns},
                      explore->loop_first, lines.count, focus);
    if (focus) {
        canvas->cursor_row = inside.row;
        canvas->cursor_column = inside.column;
    }
}
