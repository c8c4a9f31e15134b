#include <stdio.h>
#include <string.h>

#include "charts/roofline.h"
#include "design/knob.h"
#include "draw/canvas.h"
#include "tui/view_roofline.h"
#include "tui/widget.h"

enum {
    NAME = 2, /* behind the mark of the cursor */
    NAME_LEAST = 9,
    NAME_MOST = 24,
    INTENSITY = 9,
    RATE = 14, /* "53.1 GFLOP/s" */
    PART = 9,
    BINDS = 10, /* "overhead" */
    CAUSE = 18  /* "efficiency x 1.21" */
};

static int name_columns(const struct roofs *roofs)
{
    int longest = NAME_LEAST;

    for (int p = 0; p < roofs->points; p++) {
        char name[NODE_NAME_MAX + 16];

        roofline_name(&roofs->point[p], name, sizeof name);
        longest = text_width(name) > longest ? text_width(name) : longest;
    }
    return longest < NAME_MOST ? longest : NAME_MOST;
}

int roofline_list_columns(const struct roofs *roofs)
{
    return NAME + name_columns(roofs) + INTENSITY + RATE + PART + BINDS + CAUSE;
}

/* A number without a unit, or a dash. */
static void print_number(double value, char *text, size_t size)
{
    if (value == RESULT_NONE)
        snprintf(text, size, "-");
    else
        snprintf(text, size, value < 1e4 && value >= 1e-3 ? "%.3g" : "%.1e", value);
}

static void print_part(double fraction, char *text, size_t size)
{
    if (fraction == RESULT_NONE)
        snprintf(text, size, "-");
    else
        snprintf(text, size, fraction < 0.1 ? "%.2g %%" : "%.0f %%", 100 * fraction);
}

/* Three, and as many more as it takes to write a factor without an exponent. */
static int digits_of(double factor)
{
    return factor < 999.5 ? 3 : factor < 99999.5 ? 5 : 3;
}

/* What keeps it most from its roof; nothing where that is next to nothing. */
static void print_cause(const struct roof_point *point, char *text, size_t size)
{
    text[0] = '\0';
    if (point->loss[point->worst] > 1.005)
        snprintf(text, size, "%s \xC3\x97 %.*g", roof_loss_name(point->worst),
                 digits_of(point->loss[point->worst]), point->loss[point->worst]);
}

static const char *rate_unit(const struct roof_point *point)
{
    return point->flops != RESULT_NONE ? roofs_rate_unit(point->precision) : "B/s";
}

static void draw_row(const struct roofline_view *view, struct canvas *canvas, struct rect line,
                     int number, int names)
{
    const struct roof_point *point = &view->roofs.point[number];
    bool focus = number == roofline_focus(view);
    enum style style = focus ? STYLE_FOCUS : STYLE_NORMAL;
    int column = line.column + NAME;
    char text[NODE_NAME_MAX + 16];

    if (focus) {
        widget_mark(canvas, line.row, line.column, STYLE_FOCUS, MARK_FOCUS);
        canvas->cursor_row = line.row;
        canvas->cursor_column = line.column;
    }
    roofline_name(point, text, sizeof text);
    text_middle(text, sizeof text, names);
    canvas_text(canvas, line.row, column, names, style, text);
    column += names;
    print_number(point->intensity, text, sizeof text);
    canvas_right(canvas, line.row, column, INTENSITY, STYLE_NORMAL, text);
    column += INTENSITY;
    quantity_show(point->flops != RESULT_NONE ? point->flops : point->rate, rate_unit(point), text,
                  sizeof text);
    canvas_right(canvas, line.row, column, RATE, STYLE_NORMAL, text);
    column += RATE;
    print_part(point->fraction, text, sizeof text);
    canvas_right(canvas, line.row, column, PART, STYLE_NORMAL, text);
    column += PART;
    canvas_text(canvas, line.row, column + 1, BINDS - 1, STYLE_NORMAL, bound_name(point->bound));
    column += BINDS;
    print_cause(point, text, sizeof text);
    canvas_text(canvas, line.row, column, line.column + line.columns - column, STYLE_DIM, text);
}

static void draw_titles(struct canvas *canvas, struct rect line, int names)
{
    int column = line.column + NAME;

    canvas_text(canvas, line.row, column, names, STYLE_DIM, "component");
    column += names;
    canvas_right(canvas, line.row, column, INTENSITY, STYLE_DIM, "FLOP/B");
    column += INTENSITY;
    canvas_right(canvas, line.row, column, RATE, STYLE_DIM, "attains");
    column += RATE;
    canvas_right(canvas, line.row, column, PART, STYLE_DIM, "of roof");
    column += PART;
    canvas_text(canvas, line.row, column + 1, BINDS - 1, STYLE_DIM, "binds");
    column += BINDS;
    canvas_text(canvas, line.row, column, line.column + line.columns - column, STYLE_DIM,
                "mostly kept by");
}

void roofline_draw_list(struct roofline_view *view, struct canvas *canvas, struct rect box)
{
    struct rect line = rect_inside(box);
    int names = name_columns(&view->roofs);
    int visible = line.rows - 1;
    int focus = roofline_focus(view);

    widget_pane(canvas, box, "Components", false);
    line.rows = 1;
    draw_titles(canvas, line, names);
    view->first = scroll_to(view->first, focus < 0 ? 0 : focus, visible, view->roofs.points);
    for (int p = view->first; p < view->roofs.points && p < view->first + visible; p++) {
        line.row++;
        draw_row(view, canvas, line, p, names);
    }
    widget_scroll(canvas, (struct rect){box.row + 1, box.column, box.rows - 1, box.columns},
                  view->first, view->roofs.points, false);
}

/* Factors that differ from 1, the largest first. */
static void add_causes(const struct roof_point *point, char *text, size_t size)
{
    bool told[LOSS_COUNT] = {false};

    for (int i = 0; i < LOSS_COUNT; i++) {
        size_t used = strlen(text);
        int most = -1;

        for (int l = 0; l < LOSS_COUNT; l++)
            if (!told[l] && (most < 0 || point->loss[l] > point->loss[most]))
                most = l;
        told[most] = true;
        if (point->loss[most] > 1.005 || point->loss[most] < 0.995)
            snprintf(text + used, size - used, ", %s \xC3\x97 %.*g",
                     roof_loss_name((enum roof_loss)most), digits_of(point->loss[most]),
                     point->loss[most]);
    }
}

void roofline_detail(const struct roof_point *point, bool listed, char *text, size_t size)
{
    char name[NODE_NAME_MAX + 16], attained[32], roof[32], part[16];
    bool computes = point->flops != RESULT_NONE;

    roofline_name(point, name, sizeof name);
    if (point->fraction == RESULT_NONE) {
        snprintf(text, size, "%s: %s", name,
                 point->time > 0 ? "its time does not come from FLOP and bytes" : "nothing to do");
        return;
    }
    quantity_show(computes ? point->flops : point->rate, rate_unit(point), attained,
                  sizeof attained);
    quantity_show(computes ? point->roof : point->bandwidth, rate_unit(point), roof, sizeof roof);
    print_part(point->fraction, part, sizeof part);
    snprintf(text, size, "%s: %s%s%s of %s (%s)", name, listed ? "" : attained, listed ? "" : ", ",
             part, roof,
             point->under_memory ? memory_level_name(point->level)
                                 : knob_word(KNOB_COMPONENT_PRECISION, (int)point->precision));
    add_causes(point, text, size);
}
