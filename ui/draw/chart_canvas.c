#include "draw/chart.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "draw/plot.h"
#include "model/result.h"

enum {
    BLOCK = 256,       /* columns of a row of spans drawn at a time */
    MARK_DISTANCE = 6, /* columns between marks of a curve */
    TRIES_DOWN = 4,    /* rows tried for the name of a rule, from its upper end */
    PLOT_ROWS = 6,     /* including the axis; smaller plots have one legend line and no titles */
    TITLES_FROM = 10,  /* minimum rows of a plot with titles */
    LEGEND_PART = 4,   /* the legend gets at most 1/LEGEND_PART of the rows */
    SIGN = 2,          /* columns of a legend sample and a blank */
    GAP = 3            /* columns between entries */
};

#define BACKGROUND_WEIGHT 1e-3 /* of the cells of spans of other frames */

/* Items ---------------------------------------------------------------------------------------- */

/* Returns y on the plot for y of the chart, which is a row number on an axis of names. */
static double plot_y(const struct chart *chart, const struct plot *plot, double y)
{
    return chart->rows > 0 ? plot->y.high - y - 0.5 : y;
}

static void draw_look_sign(const struct plot *plot, int row, int column, const struct look *look,
                           struct look_sign sign)
{
    canvas_put(plot->canvas, row, column, look->style, look_character(plot->canvas, sign));
}

/* Returns the row of values shown by a row of the plot. Values start with the lowest row, names
 * with the highest; the last names may not fit. */
static int value_row(const struct chart_item *item, const struct plot *plot, int row)
{
    return plot->band > 0 ? item->rows - 1 - row / plot->band
                          : (int)((plot->inside.rows - row - 0.5) * item->rows / plot->inside.rows);
}

static int value_column(const struct chart_item *item, const struct plot *plot, int column)
{
    return (int)((column + 0.5) * item->columns / plot->inside.columns);
}

static bool is_within(const struct chart_item *item, const struct plot *plot, int row, int column)
{
    return chart_is_within(item, value_row(item, plot, row), value_column(item, plot, column));
}

/* Returns true if the cell is within the contour and a neighbour in the plot is not. */
static bool is_on_contour(const struct chart_item *item, const struct plot *plot, int row,
                          int column)
{
    static const int steps[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

    if (item->contour == RESULT_NONE || !is_within(item, plot, row, column))
        return false;
    for (int s = 0; s < 4; s++) {
        int r = row + steps[s][0];
        int c = column + steps[s][1];

        if (r >= 0 && c >= 0 && r < plot->inside.rows && c < plot->inside.columns &&
            !is_within(item, plot, r, c))
            return true;
    }
    return false;
}

static void draw_map_cells(const struct chart_item *item, const struct plot *plot)
{
    if (item->columns < 1 || item->rows < 1 || !plot_axis_is_good(&item->z))
        return;
    for (int r = 0; r < plot->inside.rows; r++)
        for (int c = 0; c < plot->inside.columns; c++) {
            double value = chart_cell(item, value_row(item, plot, r), value_column(item, plot, c));
            int row = plot->inside.row + r;
            int column = plot->inside.column + c;

            if (is_on_contour(item, plot, r, c))
                draw_look_sign(plot, row, column, look_of(LOOK_TARGET), look_of(LOOK_TARGET)->mark);
            else if (value != RESULT_NONE)
                canvas_put(plot->canvas, row, column, look_of(item->look)->style,
                           look_shade(plot->canvas, plot_place(&item->z, value, 1)));
        }
}

/* Finds the columns of a span. Returns false if it is outside the plot or not finite. */
static bool span_columns(const struct chart_span *span, const struct plot *plot, double *left,
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

/* Assigns to a span the cells of a block that it covers by at least half, and always its middle
 * cell, so that every span is visible; one without length that begins at the axis has none. If
 * spans compete for a cell, the largest part wins. */
static void claim_cells(const struct chart_span *span, const struct plot *plot, int block,
                        double share[BLOCK], const struct chart_span *owner[BLOCK])
{
    double left, right;
    int middle;

    if (!span_columns(span, plot, &left, &right) ||
        (span->from == span->to && span->from == plot->x.low))
        return;
    middle = (int)((left + right) / 2);
    for (int c = (int)left > block ? (int)left : block; c < block + BLOCK && c <= right; c++) {
        double part = fmin(right, c + 1) - fmax(left, c);

        if (c >= plot->inside.columns || (part < 0.5 && c != middle))
            continue;
        if (span->look == LOOK_OTHER)
            part *= BACKGROUND_WEIGHT;
        if (owner[c - block] != NULL && part < share[c - block])
            continue;
        share[c - block] = part;
        owner[c - block] = span;
    }
}

static void draw_spans(const struct chart *chart, const struct plot *plot, int row, int block)
{
    double share[BLOCK] = {0};
    const struct chart_span *owner[BLOCK] = {NULL};
    int lines = plot->band > 1 ? plot->band - 1 : 1;

    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++)
            if (chart->item[i].span[s].row == row && !look_of(chart->item[i].span[s].look)->outline)
                claim_cells(&chart->item[i].span[s], plot, block, share, owner);
    /* Only the fills of kinds of time join with those of the row below. */
    for (int c = 0; c < BLOCK; c++)
        for (int l = 0; owner[c] != NULL && l < (owner[c]->look < LOOK_CURRENT ? lines : 1); l++)
            draw_look_sign(plot, plot->inside.row + row * plot->band + l,
                           plot->inside.column + block + c, look_of(owner[c]->look),
                           look_of(owner[c]->look)->fill);
}

/* Underlines the cells of an outline, with a row below it if the band has one. */
static void draw_outline(const struct chart_span *span, const struct plot *plot)
{
    const struct look *look = look_of(span->look);
    int lines = plot->band > 1 ? plot->band - 1 : 1;
    struct rect cells = {plot->inside.row + span->row * plot->band, 0, lines, 0};
    double left, right;

    if (!span_columns(span, plot, &left, &right) || span->row >= (int)plot->y.high)
        return;
    cells.column = plot->inside.column + (int)left;
    cells.columns = (int)ceil(right) > (int)left ? (int)ceil(right) - (int)left : 1;
    if (plot->band == 1)
        canvas_underline(plot->canvas, cells);
    for (int c = 0; c < cells.columns && plot->band > 1; c++)
        draw_look_sign(plot, cells.row + lines, cells.column + c, look, look->fill);
}

/* Draws marks at intervals, since curves look alike without colour. */
static void draw_curve(const struct chart *chart, const struct chart_item *item,
                       const struct plot *plot)
{
    const struct look *look = look_of(item->look);
    int last = -MARK_DISTANCE;

    for (int p = 0; p < item->count; p++) {
        int before = p > 0 ? p - 1 : p;
        double x[2] = {item->point[before].x, item->point[p].x};
        double y[2] = {plot_y(chart, plot, item->point[before].y),
                       plot_y(chart, plot, item->point[p].y)};

        plot_curve(plot, x, y, 2, look->style, (uint32_t)look->mark.ascii);
    }
    for (int p = 0; p < item->count && !item->bare; p++) {
        int row, column;

        if (!plot_cell(plot, item->point[p].x, plot_y(chart, plot, item->point[p].y), &row,
                       &column) ||
            abs(column - last) < MARK_DISTANCE)
            continue;
        draw_look_sign(plot, row, column, look, look->mark);
        last = column;
    }
}

static void draw_band(const struct chart *chart, const struct chart_item *item,
                      const struct plot *plot)
{
    const struct look *look = look_of(item->look);

    for (int p = 1; p < item->count; p++) {
        const struct chart_point *at = &item->point[p];
        double x[2] = {at[-1].x, at->x};
        double low[2] = {at[-1].y, at->y};
        double high[2] = {chart_top(chart, &at[-1]), chart_top(chart, at)};

        plot_band(plot, x, low, high, look->style, look_character(plot->canvas, look->fill));
    }
}

static void draw_dots(const struct chart *chart, const struct chart_item *item,
                      const struct plot *plot)
{
    const struct look *look = look_of(item->look);

    for (int p = 0; p < item->count; p++)
        plot_mark(plot, item->point[p].x, plot_y(chart, plot, item->point[p].y), look->style,
                  look_character(plot->canvas, look->mark));
}

static void draw_item_rule(const struct chart *chart, const struct chart_item *item,
                           const struct plot *plot)
{
    enum style style = look_of(item->look)->style;

    if (item->kind == CHART_VERTICAL && item->count > 0)
        plot_vertical(plot, item->point[0].x, style);
    else if (item->kind == CHART_HORIZONTAL && item->count > 0)
        plot_horizontal(plot, plot_y(chart, plot, item->point[0].y), style);
}

/* Draws the rules last, but behind the rest. */
static void draw_items(const struct chart *chart, const struct plot *plot)
{
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_CELLS)
            draw_map_cells(&chart->item[i], plot);
    for (int r = 0; chart->rows > 0 && r < (int)plot->y.high; r++)
        for (int block = 0; block < plot->inside.columns; block += BLOCK)
            draw_spans(chart, plot, r, block);
    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++)
            if (look_of(chart->item[i].span[s].look)->outline)
                draw_outline(&chart->item[i].span[s], plot);
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_CURVE)
            draw_curve(chart, &chart->item[i], plot);
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_DOTS)
            draw_dots(chart, &chart->item[i], plot);
    for (int i = 0; i < chart->count; i++)
        draw_item_rule(chart, &chart->item[i], plot);
}

/* Labels --------------------------------------------------------------------------------------- */

static bool is_word(const struct plot *plot, int row, int column)
{
    uint32_t character = canvas_at(plot->canvas, row, column);

    return character < 0x80 && isalnum((int)character);
}

/* Writes a label if its cells are blank and no other label is adjacent. */
static bool draw_free_label(const struct plot *plot, int row, int column, enum style style,
                            const char *text)
{
    const struct rect *inside = &plot->inside;
    int width = text_width(text);

    if (row < inside->row || row >= inside->row + inside->rows || column < inside->column ||
        column + width > inside->column + inside->columns || is_word(plot, row, column - 1) ||
        is_word(plot, row, column + width))
        return false;
    for (int c = column; c < column + width; c++)
        if (canvas_at(plot->canvas, row, c) != ' ')
            return false;
    canvas_text(plot->canvas, row, column, width, style, text);
    return true;
}

/* Writes a label beside a point with a blank between, and a blank after it inside the plot. */
static bool draw_label_beside(const struct plot *plot, int row, int column, bool left,
                              enum style style, const char *text)
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
    return draw_free_label(plot, row, at, style, text);
}

static bool draw_vertical_label(const struct plot *plot, const struct chart_item *item)
{
    enum style style = look_of(item->look)->style;
    char left[CHART_LEFT_MAX];
    int row, column;

    if (!plot_cell(plot, item->point[0].x, plot->y.high, &row, &column))
        return true;
    chart_left_name(item, left);
    for (int r = 0; r < TRIES_DOWN && r < plot->inside.rows; r++)
        if (draw_free_label(plot, row + r, column + 1, style, item->name) ||
            draw_free_label(plot, row + r, column - text_width(left), style, left))
            return true;
    return false;
}

static bool draw_horizontal_label(const struct plot *plot, const struct chart_item *item, double y)
{
    const struct rect *inside = &plot->inside;
    enum style style = look_of(item->look)->style;
    int width = text_width(item->name);
    int row, column;

    if (!plot_cell(plot, plot->x.high, y, &row, &column))
        return true;
    for (int r = row - 1; r <= row + 1; r += 2)
        if (draw_free_label(plot, r, inside->column + inside->columns - width, style, item->name) ||
            draw_free_label(plot, r, inside->column + 1, style, item->name))
            return true;
    return false;
}

/* Writes the names of rules; names that do not fit stay in the legend. */
static void draw_rule_labels(const struct chart *chart, const struct plot *plot,
                             struct legend *legend)
{
    for (int e = 0; e < legend->count; e++) {
        const struct chart_item *item = legend->entry[e].item;

        if (legend->entry[e].kind == CHART_VERTICAL)
            legend->entry[e].hidden = draw_vertical_label(plot, item);
        else if (legend->entry[e].kind == CHART_HORIZONTAL)
            legend->entry[e].hidden =
                draw_horizontal_label(plot, item, plot_y(chart, plot, item->point[0].y));
    }
}

static void draw_point_label(const struct plot *plot, double x, double y, enum style style,
                             const char *text)
{
    static const int rows[] = {0, -1, 1};
    int row, column;

    if (!plot_cell(plot, x, y, &row, &column))
        return;
    for (int r = 0; r < 3; r++) {
        int middle = column - text_width(text) / 2;

        if (draw_label_beside(plot, row + rows[r], column, false, style, text) ||
            draw_label_beside(plot, row + rows[r], column, true, style, text) ||
            (r > 0 && draw_free_label(plot, row + rows[r], middle, style, text)))
            return;
    }
}

/* Writes the label to the right of its span or, if it does not fit, to its left: inside, it would
 * cover the fill. */
static void draw_span_label(const struct plot *plot, const struct chart_span *span)
{
    const struct rect *inside = &plot->inside;
    const double rounding =
        1e-6; /* of a cell: a bar that fills its last cell does not end beyond */
    int row = inside->row + span->row * plot->band;
    double left = fmax(plot_place(&plot->x, span->from, inside->columns), 0);
    double right = fmin(plot_place(&plot->x, span->to, inside->columns), inside->columns);
    int first = inside->column + (int)floor(left);
    int last = inside->column + (right > left ? (int)ceil(right - rounding) - 1 : (int)ceil(left));

    if (!isfinite(span->from) || !isfinite(span->to) || span->row < 0 ||
        span->row >= (int)plot->y.high || right < 0 || left > inside->columns)
        return;
    if (!draw_label_beside(plot, row, last, false, STYLE_NORMAL, span->label))
        draw_label_beside(plot, row, first, true, STYLE_NORMAL, span->label);
}

/* Writes the labels of points and spans where they overlap nothing. */
static void draw_item_labels(const struct chart *chart, const struct plot *plot)
{
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        for (int n = 0; n < item->count && !chart_is_rule(item->kind); n++)
            if (item->kind == CHART_SPANS && item->span[n].label != NULL && chart->rows > 0)
                draw_span_label(plot, &item->span[n]);
            else if (item->kind != CHART_SPANS && item->point[n].label != NULL)
                draw_point_label(plot, item->point[n].x, plot_y(chart, plot, item->point[n].y),
                                 look_of(item->look)->style, item->point[n].label);
    }
}

/* Legend and titles ---------------------------------------------------------------------------- */

static int legend_lines(const struct canvas *canvas, struct legend *legend, int columns,
                        double *used)
{
    for (int e = 0; e < legend->count; e++) {
        struct legend_entry *entry = &legend->entry[e];
        int width = SIGN + text_width(entry->text);

        if (entry->kind == CHART_CELLS)
            width = text_width(entry->text) + 1 + text_width(entry->low) + 1 + look_shades(canvas) +
                    1 + text_width(entry->high);
        entry->width = width < columns ? width : columns;
    }
    return legend_place(legend, columns, GAP, used);
}

static void draw_shades(struct canvas *canvas, int row, int column, int end,
                        const struct legend_entry *entry)
{
    int shades = look_shades(canvas);

    column += canvas_text(canvas, row, column, end - column, STYLE_NORMAL, entry->text) + 1;
    column += canvas_text(canvas, row, column, end - column, STYLE_DIM, entry->low) + 1;
    for (int s = 0; s < shades && column < end; s++)
        canvas_put(canvas, row, column++, look_of(entry->look)->style,
                   look_shade(canvas, (s + 0.5) / shades));
    canvas_text(canvas, row, column + 1, end - column - 1, STYLE_DIM, entry->high);
}

static void draw_legend_entries(const struct legend *legend, struct canvas *canvas, struct rect box)
{
    for (int e = 0; e < legend->count; e++) {
        const struct legend_entry *entry = &legend->entry[e];
        const struct look *look = look_of(entry->look);
        struct look_sign sign = entry->kind == CHART_SPANS || entry->kind == CHART_BAND ? look->fill
                                : entry->kind == CHART_VERTICAL   ? look_rule_down
                                : entry->kind == CHART_HORIZONTAL ? look_rule_across
                                                                  : look->mark;
        int row = box.row + entry->line;
        int column = box.column + (int)entry->at;
        int width = (int)entry->width;

        if (entry->hidden || entry->line >= box.rows)
            continue;
        if (entry->kind == CHART_CELLS) {
            draw_shades(canvas, row, column, column + width, entry);
        } else {
            canvas_put(canvas, row, column, look->style, look_character(canvas, sign));
            canvas_text(canvas, row, column + SIGN, width - SIGN, STYLE_NORMAL, entry->text);
        }
    }
}

/* Positions of plot, legend and text. Rows that the plot can spare go to the legend first. */
struct chart_layout {
    struct rect plot, legend;
    int above, below, note; /* rows of titles and note; -1: none */
    int below_from;         /* first column for the title below */
};

/* Removes rows from the end of the plot's box, none if fewer than `least` would be left. */
static int cut_plot_rows(struct chart_layout *parts, int wanted, int least)
{
    int rows = parts->plot.rows - wanted >= least ? wanted : parts->plot.rows - least;

    if (rows <= 0)
        return 0;
    parts->plot.rows -= rows;
    return rows;
}

static void layout_chart(const struct chart *chart, struct legend *legend, struct canvas *canvas,
                         struct rect box, struct chart_layout *parts)
{
    double used;
    int lines = legend_lines(canvas, legend, box.columns, &used);
    int most = box.rows / LEGEND_PART > 0 ? box.rows / LEGEND_PART : 1;
    int title = text_width(chart->x_title);
    int rows, below;
    bool beside = lines == 1 && used + GAP + title <= box.columns;

    *parts = (struct chart_layout){
        .plot = box, .above = -1, .below = -1, .note = -1, .below_from = box.column};
    rows = cut_plot_rows(parts, lines < most ? lines : most, PLOT_ROWS);
    below = title > 0 && !(beside && rows == 1) ? cut_plot_rows(parts, 1, TITLES_FROM) : 0;
    if (chart->note[0] != '\0' && cut_plot_rows(parts, 1, TITLES_FROM + 4) > 0)
        parts->note = box.row + box.rows - 1;
    if (chart->y_title[0] != '\0' && cut_plot_rows(parts, 1, TITLES_FROM) > 0)
        parts->above = parts->plot.row++;
    if (below > 0)
        parts->below = parts->plot.row + parts->plot.rows;
    parts->legend =
        (struct rect){parts->plot.row + parts->plot.rows + below, box.column, rows, box.columns};
    if (title > 0 && beside && rows == 1) {
        parts->below = parts->legend.row;
        parts->below_from = box.column + (int)used + GAP;
    }
}

/* Moves everything below the plot up if rows of names do not fill their box. */
static void close_row_gap(struct chart_layout *parts, const struct plot *plot)
{
    int by = parts->plot.row + parts->plot.rows - (plot->inside.row + plot->inside.rows + 2);

    parts->legend.row -= by;
    parts->below -= parts->below >= 0 ? by : 0;
    parts->note -= parts->note >= 0 ? by : 0;
}

static void draw_decoration(const struct chart *chart, struct legend *legend, struct canvas *canvas,
                            struct rect box, const struct chart_layout *parts)
{
    double used;

    if (parts->above >= 0)
        canvas_text(canvas, parts->above, box.column, box.columns, STYLE_DIM, chart->y_title);
    if (parts->below >= 0)
        canvas_right(canvas, parts->below, parts->below_from,
                     box.column + box.columns - parts->below_from, STYLE_DIM, chart->x_title);
    legend_lines(canvas, legend, box.columns, &used); /* without the rules labelled in the plot */
    draw_legend_entries(legend, canvas, parts->legend);
    if (parts->note >= 0) {
        char note[sizeof chart->note];

        snprintf(note, sizeof note, "%s", chart->note);
        text_clauses(note, box.columns);
        canvas_text(canvas, parts->note, box.column, box.columns, STYLE_DIM, note);
    }
}

bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot)
{
    const char *problem = chart_problem(chart);
    struct legend legend;
    struct chart_layout parts;
    struct plot drawn;

    chart_legend(chart, &legend);
    layout_chart(chart, &legend, canvas, box, &parts);
    if (problem != NULL ||
        !(chart->rows > 0
              ? plot_open_rows(&drawn, canvas, parts.plot, chart->x, chart->row, chart->rows)
              : plot_open(&drawn, canvas, parts.plot, chart->x, chart->y))) {
        canvas_wrap(canvas, box, 0, STYLE_DIM,
                    problem != NULL ? problem : "The picture needs a larger pane.");
        return false;
    }
    if (plot != NULL)
        *plot = drawn;
    close_row_gap(&parts, &drawn);
    draw_items(chart, &drawn);
    draw_rule_labels(chart, &drawn, &legend);
    draw_item_labels(chart, &drawn);
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_BAND)
            draw_band(chart, &chart->item[i], &drawn);
    draw_decoration(chart, &legend, canvas, box, &parts);
    return true;
}
