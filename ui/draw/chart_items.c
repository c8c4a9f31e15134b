#include "chart_items.h"

#include <math.h>
#include <stdlib.h>

#include "looks.h"
#include "result.h"

enum {
    BLOCK = 256,    /* columns of a row that are looked at together */
    MARKS_APART = 6 /* columns between two marks of a curve */
};

#define BEHIND 1e-3 /* what a cell of something behind the rest counts */

double chart_y_place(const struct chart *chart, const struct plot *plot, double y)
{
    return chart->rows > 0 ? plot->y.high - y - 0.5 : y;
}

/* Row 0 of cells is the lowest; of rows of names, of which some may have no room, the last. */
static double value_at(const struct chart_item *item, const struct plot *plot, int row, int column)
{
    const struct rect *inside = &plot->inside;
    int at = (int)((column + 0.5) * item->columns / inside->columns);
    int up = plot->band > 0 ? item->rows - 1 - row / plot->band
                            : (int)((inside->rows - row - 0.5) * item->rows / inside->rows);

    return row < 0 || column < 0 || row >= inside->rows || column >= inside->columns || up < 0
               ? RESULT_NONE
               : item->value[up * item->columns + at];
}

static bool is_value(double value)
{
    return isfinite(value) && value != RESULT_NONE;
}

static bool holds(const struct chart_item *item, double value)
{
    return is_value(value) && value <= item->contour;
}

/* At the edge of what is at most the contour: a neighbour in the plot is not. */
static bool on_contour(const struct chart_item *item, const struct plot *plot, int row, int column)
{
    static const int steps[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

    if (item->contour == RESULT_NONE || !holds(item, value_at(item, plot, row, column)))
        return false;
    for (int s = 0; s < 4; s++) {
        int r = row + steps[s][0];
        int c = column + steps[s][1];

        if (r >= 0 && c >= 0 && r < plot->inside.rows && c < plot->inside.columns &&
            !holds(item, value_at(item, plot, r, c)))
            return true;
    }
    return false;
}

static void draw_cells(const struct chart_item *item, const struct plot *plot)
{
    const struct look *target = look_of(LOOK_TARGET);

    if (item->columns < 1 || item->rows < 1 || !plot_axis_is_good(&item->z))
        return;
    for (int r = 0; r < plot->inside.rows; r++)
        for (int c = 0; c < plot->inside.columns; c++) {
            double value = value_at(item, plot, r, c);
            int row = plot->inside.row + r;
            int column = plot->inside.column + c;

            if (on_contour(item, plot, r, c))
                canvas_put(plot->canvas, row, column, target->style,
                           look_character(plot->canvas, target->mark));
            else if (is_value(value))
                canvas_put(plot->canvas, row, column, look_of(item->look)->style,
                           look_shade(plot->canvas, plot_place(&item->z, value, 1)));
        }
}

/* The columns of a span; false: it is outside or not finite. */
static bool span_place(const struct chart_span *span, const struct plot *plot, double *left,
                       double *right)
{
    int columns = plot->inside.columns;

    if (!isfinite(span->from) || !isfinite(span->to))
        return false;
    *left = plot_place(&plot->x, span->from, columns);
    *right = plot_place(&plot->x, span->to, columns);
    if (*right < 0 || *left > columns)
        return false;
    *left = fmin(fmax(*left, 0), columns - 1e-6);
    *right = fmin(fmax(*right, *left), columns);
    return true;
}

/* Takes the cells of a block that are more than half the span's, and that of its middle whatever:
 * something is never nothing. Of several the one that covers most of a cell has it. */
static void take_span(const struct chart_span *span, const struct plot *plot, int block,
                      double share[BLOCK], const struct chart_span *owner[BLOCK])
{
    double left, right;
    int middle;

    if (!span_place(span, plot, &left, &right))
        return;
    middle = (int)((left + right) / 2);
    for (int c = (int)left > block ? (int)left : block; c < block + BLOCK && c <= right; c++) {
        double part = fmin(right, c + 1) - fmax(left, c);

        if (c >= plot->inside.columns || (part < 0.5 && c != middle))
            continue;
        if (span->look == LOOK_OTHER)
            part *= BEHIND;
        if (owner[c - block] != NULL && part < share[c - block])
            continue;
        share[c - block] = part;
        owner[c - block] = span;
    }
}

static void draw_row(const struct chart *chart, const struct plot *plot, int row, int block)
{
    double share[BLOCK] = {0};
    const struct chart_span *owner[BLOCK] = {NULL};
    int lines = plot->band > 1 ? plot->band - 1 : 1;

    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++)
            if (chart->item[i].span[s].row == row)
                take_span(&chart->item[i].span[s], plot, block, share, owner);
    for (int c = 0; c < BLOCK; c++)
        for (int l = 0; owner[c] != NULL && l < lines; l++)
            canvas_put(plot->canvas, plot->inside.row + row * plot->band + l,
                       plot->inside.column + block + c, look_of(owner[c]->look)->style,
                       look_character(plot->canvas, look_of(owner[c]->look)->fill));
}

/* Marks of the curve's own here and there, since without colour one is like another. */
static void draw_curve(const struct chart *chart, const struct chart_item *item,
                       const struct plot *plot)
{
    const struct look *look = look_of(item->look);
    uint32_t mark = look_character(plot->canvas, look->mark);
    int last = -MARKS_APART;

    for (int p = 0; p < item->count; p++) {
        int before = p > 0 ? p - 1 : p;
        double x[2] = {item->point[before].x, item->point[p].x};
        double y[2] = {chart_y_place(chart, plot, item->point[before].y),
                       chart_y_place(chart, plot, item->point[p].y)};

        plot_curve(plot, x, y, 2, look->style, (uint32_t)look->mark.ascii);
    }
    for (int p = 0; p < item->count; p++) {
        int row, column;

        if (plot_cell(plot, item->point[p].x, chart_y_place(chart, plot, item->point[p].y), &row,
                      &column) &&
            abs(column - last) >= MARKS_APART) {
            canvas_put(plot->canvas, row, column, look->style, mark);
            last = column;
        }
    }
}

static void draw_dots(const struct chart *chart, const struct chart_item *item,
                      const struct plot *plot)
{
    const struct look *look = look_of(item->look);

    for (int p = 0; p < item->count; p++)
        plot_mark(plot, item->point[p].x, chart_y_place(chart, plot, item->point[p].y), look->style,
                  look_character(plot->canvas, look->mark));
}

void chart_draw_items(const struct chart *chart, const struct plot *plot)
{
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_CELLS)
            draw_cells(&chart->item[i], plot);
    for (int r = 0; chart->rows > 0 && r < (int)plot->y.high; r++)
        for (int block = 0; block < plot->inside.columns; block += BLOCK)
            draw_row(chart, plot, r, block);
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_CURVE)
            draw_curve(chart, &chart->item[i], plot);
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_DOTS)
            draw_dots(chart, &chart->item[i], plot);
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        if (item->kind == CHART_VERTICAL && item->count > 0)
            plot_vertical(plot, item->point[0].x, look_of(item->look)->style, "");
        else if (item->kind == CHART_HORIZONTAL && item->count > 0)
            plot_horizontal(plot, chart_y_place(chart, plot, item->point[0].y),
                            look_of(item->look)->style);
    }
}
