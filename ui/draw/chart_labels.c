#include <math.h>

#include "chart_items.h"
#include "looks.h"

enum { TRIES_DOWN = 4 };

/* Writes it where the plot is blank, and blank beside it too. */
static bool put(const struct plot *plot, int row, int column, enum style style, const char *text)
{
    const struct rect *inside = &plot->inside;
    int width = text_width(text);

    if (row < inside->row || row >= inside->row + inside->rows || column < inside->column ||
        column + width > inside->column + inside->columns)
        return false;
    for (int c = column; c < column + width; c++)
        if (canvas_at(plot->canvas, row, c) != ' ')
            return false;
    canvas_text(plot->canvas, row, column, width, style, text);
    return true;
}

/* Beside a point: a blank between them, and one behind it where the plot goes on. */
static bool put_beside(const struct plot *plot, int row, int column, bool left, enum style style,
                       const char *text)
{
    const struct rect *inside = &plot->inside;
    int width = text_width(text);
    int at = left ? column - width - 1 : column + 2;
    int gap = left ? column - 1 : column + 1;
    int behind = left ? at - 1 : at + width;
    bool ends = behind < inside->column || behind >= inside->column + inside->columns;

    if (canvas_at(plot->canvas, row, gap) != ' ' ||
        (!ends && canvas_at(plot->canvas, row, behind) != ' '))
        return false;
    return put(plot, row, at, style, text);
}

static bool label_vertical(const struct plot *plot, const struct chart_item *item)
{
    enum style style = look_of(item->look)->style;
    int row, column;

    if (!plot_cell(plot, item->point[0].x, plot->y.high, &row, &column))
        return true;
    for (int r = 0; r < TRIES_DOWN && r < plot->inside.rows; r++)
        if (put(plot, row + r, column + 1, style, item->name) ||
            put(plot, row + r, column - text_width(item->name), style, item->name))
            return true;
    return false;
}

static bool label_horizontal(const struct plot *plot, const struct chart_item *item, double y)
{
    const struct rect *inside = &plot->inside;
    enum style style = look_of(item->look)->style;
    int width = text_width(item->name);
    int row, column;

    if (!plot_cell(plot, plot->x.high, y, &row, &column))
        return true;
    for (int r = row - 1; r <= row + 1; r += 2)
        if (put(plot, r, inside->column + inside->columns - width, style, item->name) ||
            put(plot, r, inside->column + 1, style, item->name))
            return true;
    return false;
}

bool chart_label_rule(const struct chart *chart, const struct chart_item *item,
                      const struct plot *plot)
{
    return item->kind == CHART_VERTICAL
               ? label_vertical(plot, item)
               : label_horizontal(plot, item, chart_y_place(chart, plot, item->point[0].y));
}

static void label_point(const struct plot *plot, double x, double y, enum style style,
                        const char *text)
{
    static const int rows[] = {0, -1, 1};
    int row, column;

    if (!plot_cell(plot, x, y, &row, &column))
        return;
    for (int r = 0; r < 3; r++) {
        int middle = column - text_width(text) / 2;

        if (put_beside(plot, row + rows[r], column, false, style, text) ||
            put_beside(plot, row + rows[r], column, true, style, text) ||
            (r > 0 && put(plot, row + rows[r], middle, style, text)))
            return;
    }
}

/* Behind its span, else within it. */
static void label_span(const struct plot *plot, const struct chart_span *span)
{
    const struct rect *inside = &plot->inside;
    int width = text_width(span->label);
    int row = inside->row + span->row * plot->band;
    double left = fmax(plot_place(&plot->x, span->from, inside->columns), 0);
    double right = fmin(plot_place(&plot->x, span->to, inside->columns), inside->columns);
    int first = inside->column + (int)ceil(left);
    int last = inside->column + (int)floor(right) - 1;

    if (!isfinite(span->from) || !isfinite(span->to) || span->row < 0 ||
        span->row >= (int)plot->y.high || right < 0 || left > inside->columns ||
        put_beside(plot, row, right > left ? (int)ceil(right) - 1 + inside->column : first, false,
                   STYLE_NORMAL, span->label))
        return;
    if (last - first + 1 >= width + 2)
        canvas_text(plot->canvas, row, first + (last - first + 1 - width) / 2, width, STYLE_NORMAL,
                    span->label);
}

static void label_item(const struct chart *chart, const struct chart_item *item,
                       const struct plot *plot)
{
    for (int i = 0; i < item->count; i++)
        if (item->kind == CHART_SPANS && item->span[i].label != NULL && chart->rows > 0)
            label_span(plot, &item->span[i]);
        else if (item->kind != CHART_SPANS && item->point[i].label != NULL)
            label_point(plot, item->point[i].x, chart_y_place(chart, plot, item->point[i].y),
                        look_of(item->look)->style, item->point[i].label);
}

void chart_draw_labels(const struct chart *chart, const struct plot *plot)
{
    for (int i = 0; i < chart->count; i++)
        if (!chart_is_rule(chart->item[i].kind))
            label_item(chart, &chart->item[i], plot);
}
