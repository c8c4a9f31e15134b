#include "tui/widget.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/text.h"
#include "model/result.h"

static const struct {
    uint32_t unicode;
    char ascii;
} marks[MARK_COUNT] = {
    [MARK_FOCUS] = {.unicode = 0x203A, .ascii = '>'},      /* single right angle quotation */
    [MARK_OPEN] = {.unicode = 0x25BE, .ascii = '-'},       /* small triangle down */
    [MARK_CLOSED] = {.unicode = 0x25B8, .ascii = '+'},     /* small triangle right */
    [MARK_BOUND] = {.unicode = 0x25C6, .ascii = '@'},      /* diamond */
    [MARK_CRITICAL] = {.unicode = 0x25C7, .ascii = 'o'},   /* white diamond */
    [MARK_TRACK_DONE] = {.unicode = 0x2501, .ascii = '='}, /* heavy line */
    [MARK_TRACK] = {.unicode = 0x2500, .ascii = '-'},      /* light line */
    [MARK_HANDLE] = {.unicode = 0x25CF, .ascii = 'O'},     /* black circle */
    [MARK_TICK] = {.unicode = 0x2502, .ascii = '!'},       /* light vertical */
    [MARK_TICK_DONE] = {.unicode = 0x253F, .ascii = '+'},  /* light vertical across a heavy line */
    [MARK_TICK_TRACK] = {.unicode = 0x253C, .ascii = '+'}, /* light vertical across a light line */
    [MARK_DOT] = {.unicode = 0x00B7, .ascii = '.'},        /* middle dot */
    [MARK_THUMB] = {.unicode = 0x2503, .ascii = 'I'},      /* heavy vertical */
    [MARK_EDGE_LEFT] = {.unicode = 0x2595, .ascii = '['},  /* right eighth */
    [MARK_EDGE_RIGHT] = {.unicode = 0x258F, .ascii = ']'}, /* left eighth */
    [MARK_PRESENT] = {.unicode = 0x2022, .ascii = '*'},    /* bullet */
    [MARK_POINTER] = {.unicode = 0x25BA, .ascii = '>'},    /* black pointer right */
};

uint32_t mark_character(const struct canvas *canvas, enum mark mark)
{
    return canvas->unicode ? marks[mark].unicode : (uint32_t)marks[mark].ascii;
}

void widget_mark(struct canvas *canvas, int row, int column, enum style style, enum mark mark)
{
    canvas_put(canvas, row, column, style, mark_character(canvas, mark));
}

static double next_round_value(double value)
{
    static const double steps[] = {1, 2, 5, 10};
    double decade = pow(10, floor(log10(value)));

    for (int s = 0; s < 3; s++)
        if (value <= steps[s] * decade * (1 + 1e-9))
            return steps[s] * decade;
    return steps[3] * decade;
}

struct bar_scale bar_scale_for(double smallest, double largest, bool logarithmic)
{
    struct bar_scale scale = {logarithmic, 0, 1};

    if (largest > 0)
        scale.high = next_round_value(largest);
    if (!logarithmic)
        return scale;
    scale.low = scale.high / 1e6;
    if (smallest > scale.low)
        scale.low = pow(10, ceil(log10(smallest) - 1e-9) - 1);
    if (scale.low >= scale.high)
        scale.low = scale.high / 10;
    return scale;
}

double bar_length(const struct bar_scale *scale, double value, int columns)
{
    double part;

    if (!(value > scale->low))
        return 0;
    part = scale->logarithmic ? log(value / scale->low) / log(scale->high / scale->low)
                              : value / scale->high;
    return fmin(part, 1) * columns;
}

void bar_scale_keep(struct bar_scale *scale, double smallest, double largest, bool logarithmic)
{
    bool holds = largest <= scale->high * (1 + 1e-9) && largest > scale->high / 10 &&
                 (!logarithmic || !(smallest > 0) || smallest > scale->low);

    if (scale->logarithmic != logarithmic || !(scale->high > 0) || !holds)
        *scale = bar_scale_for(smallest, largest, logarithmic);
}

void widget_bar(struct canvas *canvas, struct rect line, double length, double total, double ghost,
                enum chart_look look, enum style style)
{
    enum style rest = style == STYLE_DIM ? STYLE_DIM : look_of(LOOK_OVERHEAD)->style;
    /* a bar of one cell is what most of it is */
    bool trace = total - length > length && length < 0.5;
    int own =
        look_bar(canvas, line.row, line.column, line.columns, trace ? 0 : length, look, style);
    int cells = own;
    int end = ghost > 1 ? (int)ceil(ghost - 1e-9) - 1 : 0;

    if (total > length)
        cells += look_bar(canvas, line.row, line.column + own, line.columns - own,
                          trace ? total : round(total) - own, LOOK_OVERHEAD, rest);
    if (ghost < 0 || fabs(ghost - length) < 1.0 / 16)
        return;
    for (int c = cells; c < end; c++)
        widget_mark(canvas, line.row, line.column + c, STYLE_GHOST, MARK_DOT);
    /* a tick in the same cell would hide the end of the bar: move it */
    if (end == own - 1)
        end = ghost > length ? own : own - 2;
    if (end < 0 || end >= line.columns)
        return;
    if (end >= cells)
        widget_mark(canvas, line.row, line.column + end, STYLE_GHOST, MARK_TICK);
    else {
        const struct rect tick = {line.row, line.column + end, 1, 1};

        canvas_restyle(canvas, tick, STYLE_GHOST);
        canvas_underline(canvas, tick); /* not every terminal dims */
    }
}

void widget_slider(struct canvas *canvas, int row, int column, int columns, double position,
                   double ghost, bool focus)
{
    int handle = position < 0 ? -1 : (int)lround(position * (columns - 1));
    int tick = ghost < 0 ? -1 : (int)lround(ghost * (columns - 1));

    for (int c = 0; c < columns; c++) {
        enum style style = focus ? STYLE_NORMAL : STYLE_DIM;

        if (c == handle)
            widget_mark(canvas, row, column + c, focus ? STYLE_FOCUS : STYLE_NORMAL, MARK_HANDLE);
        else if (c == tick)
            widget_mark(canvas, row, column + c, style,
                        c < handle ? MARK_TICK_DONE : MARK_TICK_TRACK);
        else
            widget_mark(canvas, row, column + c, style, c < handle ? MARK_TRACK_DONE : MARK_TRACK);
    }
}

void widget_bin(struct canvas *canvas, struct rect rect, int column, int eighths, enum style style)
{
    for (int r = rect.rows - 1; r >= 0 && eighths > 0; r--, eighths -= 8) {
        int part = eighths > 8 ? 8 : eighths;
        uint32_t ascii = part > 7 ? '#' : part > 4 ? ':' : '.';

        canvas_put(canvas, rect.row + r, column, style,
                   canvas->unicode ? 0x2580U + (uint32_t)part : ascii);
    }
}

double slider_position(int cell, int columns)
{
    if (columns <= 1)
        return 0;
    return fmin(fmax((double)cell / (columns - 1), 0), 1);
}

void widget_pane(struct canvas *canvas, struct rect box, const char *title, bool focus)
{
    char text[1024];

    snprintf(text, sizeof text, focus ? "[%s]" : "%s", title);
    canvas_frame(canvas, box, focus ? STYLE_TITLE : STYLE_BORDER, text);
}

void widget_lone_pane(struct canvas *canvas, struct rect box, const char *title, bool focus,
                      int number, int count)
{
    char text[96];

    snprintf(text, sizeof text, "%s \xC2\xB7 Tab: %d of %d", title, number, count);
    widget_pane(canvas, box, text, focus);
}

void widget_detail(struct canvas *canvas, struct rect line, const char *title, const char *format,
                   ...)
{
    const char *last = strrchr(title, '.');
    char text[1024], least[1024];
    va_list arguments;
    int used, first;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    first = (int)(strstr(text, " \xC2\xB7 ") != NULL ? strstr(text, " \xC2\xB7 ") - text
                                                     : (long)strlen(text));
    if (last != NULL && text_width(title) + first + 4 > line.columns)
        title = last + 1;
    snprintf(least, sizeof least, "%s", text);
    if (!text_clauses(least, line.columns - text_width(title) - 4))
        title = ""; /* the row at the cursor has a name too */
    used = canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_TITLE, title) + 1;
    used += title[0] != '\0' ? 2 : 0;
    text_clauses(text, line.columns - used - 1);
    canvas_text(canvas, line.row, used, line.columns - used - 1, STYLE_DIM, text);
}

void quantity_show(double si, const char *unit, char *text, size_t size)
{
    if (si <= RESULT_NONE) {
        snprintf(text, size, "\xE2\x80\x93");
        return;
    }
    if (si == 0)
        snprintf(text, size, "0 %s", unit); /* "0.00 s" would suggest precision */
    else
        quantity_print(si, unit, text, size);
    text_micro(text, size);
}

void widget_facts(const struct facts *facts, struct canvas *canvas, struct rect area)
{
    int rows = facts->count < area.rows ? facts->count : area.rows;
    int label = 0;

    for (int i = 0; i < rows; i++)
        if (text_width(facts->fact[i].label) > label)
            label = text_width(facts->fact[i].label);
    for (int i = 0; i < rows; i++) {
        const struct fact *fact = &facts->fact[i];
        int from = fact->label[0] == '\0' ? 0 : label + 1;
        char name[sizeof fact->label + 8], text[sizeof fact->text];

        snprintf(name, sizeof name, "%s", fact->label);
        text_micro(name, sizeof name);
        memcpy(text, fact->text, sizeof text);
        text_clauses(text, area.columns - from);
        canvas_text(canvas, area.row + i, area.column, label, STYLE_DIM, name);
        canvas_text(canvas, area.row + i, area.column + from, area.columns - from,
                    fact->tone == TONE_BAD ? STYLE_WARNING : STYLE_NORMAL, text);
    }
}

struct quantity quantity_text(double si, const char *unit)
{
    struct quantity quantity;

    quantity_show(si, unit, quantity.text, sizeof quantity.text);
    return quantity;
}
