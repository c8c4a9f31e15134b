#include "draw/chart_canvas.h"

#include <math.h>
#include <stdlib.h>

#include "draw/canvas.h"
#include "draw/chart.h"
#include "draw/looks.h"
#include "model/result.h"

enum {
    PLOT_ROWS = 6,    /* with its axis; below that no decoration but one line of the legend */
    TITLES_FROM = 10, /* rows of the plot from which on there is room for titles */
    LEGEND_PART = 4,  /* of the rows, at most, for the legend */
    SIGN = 2,         /* a sample and a blank */
    GAP = 3
};

struct legend {
    struct legend_entry entry[LEGEND_MAX];
    int count;
};

static int entry_columns(const struct canvas *canvas, const struct legend_entry *entry)
{
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX];

    if (entry->kind != CHART_CELLS)
        return SIGN + text_width(entry->text);
    chart_shade_ends(entry->item, low, high);
    return text_width(entry->text) + 1 + text_width(low) + 1 + look_shades(canvas) + 1 +
           text_width(high);
}

static uint32_t sample(const struct canvas *canvas, const struct legend_entry *entry)
{
    const struct look *look = look_of(entry->look);
    struct look_sign sign = entry->kind == CHART_SPANS        ? look->fill
                            : entry->kind == CHART_VERTICAL   ? look_rule_down
                            : entry->kind == CHART_HORIZONTAL ? look_rule_across
                                                              : look->mark;

    return look_character(canvas, sign);
}

static void draw_entry(struct canvas *canvas, int row, int column, int columns,
                       const struct legend_entry *entry)
{
    enum style style = look_of(entry->look)->style;
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX];
    int end = column + columns;

    if (entry->kind != CHART_CELLS) {
        canvas_put(canvas, row, column, style, sample(canvas, entry));
        canvas_text(canvas, row, column + SIGN, columns - SIGN, STYLE_NORMAL, entry->text);
        return;
    }
    chart_shade_ends(entry->item, low, high);
    column += canvas_text(canvas, row, column, end - column, STYLE_NORMAL, entry->text) + 1;
    column += canvas_text(canvas, row, column, end - column, STYLE_DIM, low) + 1;
    for (int s = 0; s < look_shades(canvas) && column < end; s++)
        canvas_put(canvas, row, column++, style,
                   look_shade(canvas, (s + 0.5) / look_shades(canvas)));
    canvas_text(canvas, row, column + 1, end - column - 1, STYLE_DIM, high);
}

/* Its lines, drawn where `draw` and they have room. Returns how many it takes, and the columns that
 * are used on the last one. */
static int place_legend(const struct legend *legend, struct canvas *canvas, struct rect box,
                        bool draw, int *used)
{
    int row = 0;

    *used = 0;
    for (int e = 0; e < legend->count; e++) {
        int columns = entry_columns(canvas, &legend->entry[e]);
        int gap = *used > 0 ? GAP : 0;

        if (*used > 0 && *used + gap + columns > box.columns) {
            row++;
            *used = gap = 0;
        }
        columns = columns < box.columns ? columns : box.columns;
        if (draw && row < box.rows)
            draw_entry(canvas, box.row + row, box.column + *used + gap, columns, &legend->entry[e]);
        *used += gap + columns;
    }
    return legend->count > 0 ? row + 1 : 0;
}

/* Where everything goes. Rows of decorations are given to the legend first. */
struct parts {
    struct rect plot, legend;
    int above, below, note; /* rows of the titles and the note; -1: none */
    int below_from;         /* the first column that title may have */
};

/* Takes rows off the end of the plot's box; none where too few would be left. */
static int take_rows(struct parts *parts, int wanted, int least)
{
    int rows = parts->plot.rows - wanted >= least ? wanted : parts->plot.rows - least;

    if (rows <= 0)
        return 0;
    parts->plot.rows -= rows;
    return rows;
}

static void lay_out(const struct chart *chart, const struct legend *legend, struct canvas *canvas,
                    struct rect box, struct parts *parts)
{
    int used;
    int lines = place_legend(legend, canvas, box, false, &used);
    int most = box.rows / LEGEND_PART > 0 ? box.rows / LEGEND_PART : 1;
    int title = text_width(chart->x_title);
    int rows, below;
    bool beside = lines == 1 && used + GAP + title <= box.columns;

    *parts =
        (struct parts){.plot = box, .above = -1, .below = -1, .note = -1, .below_from = box.column};
    rows = take_rows(parts, lines < most ? lines : most, PLOT_ROWS);
    below = title > 0 && !(beside && rows == 1) ? take_rows(parts, 1, TITLES_FROM) : 0;
    if (chart->note[0] != '\0' && take_rows(parts, 1, TITLES_FROM + 4) > 0)
        parts->note = box.row + box.rows - 1;
    if (chart->y_title[0] != '\0' && take_rows(parts, 1, TITLES_FROM) > 0)
        parts->above = parts->plot.row++;
    if (below > 0)
        parts->below = parts->plot.row + parts->plot.rows;
    parts->legend =
        (struct rect){parts->plot.row + parts->plot.rows + below, box.column, rows, box.columns};
    if (title > 0 && beside && rows == 1) {
        parts->below = parts->legend.row;
        parts->below_from = box.column + used + GAP;
    }
}

/* Rows of names may need less than their box: what stands below follows them. */
static void move_up(struct parts *parts, const struct plot *plot)
{
    int by = parts->plot.row + parts->plot.rows - (plot->inside.row + plot->inside.rows + 2);

    parts->legend.row -= by;
    parts->below -= parts->below >= 0 ? by : 0;
    parts->note -= parts->note >= 0 ? by : 0;
}

static bool open_plot(const struct chart *chart, struct canvas *canvas, struct rect box,
                      struct plot *plot)
{
    return chart->rows > 0 ? plot_open_rows(plot, canvas, box, chart->x, chart->row, chart->rows)
                           : plot_open(plot, canvas, box, chart->x, chart->y);
}

static bool is_empty(const struct chart *chart)
{
    return !plot_axis_is_good(&chart->x) || (chart->rows == 0 && !plot_axis_is_good(&chart->y));
}

/* Draws the names of rules and leaves those in the legend that have no room. */
static void label_rules(const struct chart *chart, const struct plot *plot, struct legend *legend)
{
    int kept = 0;

    for (int e = 0; e < legend->count; e++)
        if (!chart_is_rule(legend->entry[e].kind) ||
            !chart_label_rule(chart, legend->entry[e].item, plot))
            legend->entry[kept++] = legend->entry[e];
    legend->count = kept;
}

static void draw_around(const struct chart *chart, const struct legend *legend,
                        struct canvas *canvas, struct rect box, const struct parts *parts)
{
    int used;

    if (parts->above >= 0)
        canvas_text(canvas, parts->above, box.column, box.columns, STYLE_DIM, chart->y_title);
    if (parts->below >= 0)
        canvas_right(canvas, parts->below, parts->below_from,
                     box.column + box.columns - parts->below_from, STYLE_DIM, chart->x_title);
    if (parts->legend.rows > 0)
        place_legend(legend, canvas, parts->legend, true, &used);
    if (parts->note >= 0)
        canvas_text(canvas, parts->note, box.column, box.columns, STYLE_DIM, chart->note);
}

bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot)
{
    struct legend legend;
    struct parts parts;
    struct plot drawn;

    legend.count = chart->failed ? 0 : chart_legend(chart, legend.entry);
    lay_out(chart, &legend, canvas, box, &parts);
    if (chart->failed || !open_plot(chart, canvas, parts.plot, &drawn)) {
        canvas_wrap(canvas, box, 0, STYLE_DIM,
                    chart->failed     ? "There was no memory for the picture."
                    : is_empty(chart) ? "There is nothing to draw."
                                      : "There is no room for the picture.");
        return false;
    }
    if (plot != NULL)
        *plot = drawn;
    move_up(&parts, &drawn);
    chart_draw_items(chart, &drawn);
    label_rules(chart, &drawn, &legend);
    chart_draw_labels(chart, &drawn);
    draw_around(chart, &legend, canvas, box, &parts);
    return true;
}

/* Chart items ---------------------------------------------------------------------------------- */

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

/* Chart labels --------------------------------------------------------------------------------- */

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
