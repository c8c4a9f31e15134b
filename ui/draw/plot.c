#include "draw/plot.h"

#include <math.h>
#include <stdio.h>

#include "draw/looks.h"

#define BRAILLE 0x2800U
#define BAND_PART 0.25 /* of a cell that a band covers at least where it fills it */
#define ROUNDING 1e-6  /* of a place, in cells: the end of an axis is in its last cell */

enum {
    ROWS_MIN = 3,
    COLUMNS_MIN = 8,
    ROW_DOTS = 4, /* braille dots per cell */
    COLUMN_DOTS = 2,
    BAND_MAX = 5,
    NAMES_PART = 3, /* names of rows get at most 1/NAMES_PART of the columns */
    NAME_BYTES = 256,
    MORE_COLUMNS = 9
};

/* Axes ----------------------------------------------------------------------------------------- */

static void draw_border(const struct plot *plot, int row, int column, uint32_t unicode, char ascii)
{
    canvas_put(plot->canvas, row, column, STYLE_BORDER,
               look_character(plot->canvas, (struct look_sign){unicode, ascii}));
}

static void draw_left_line(const struct plot *plot)
{
    for (int r = 0; r < plot->inside.rows; r++)
        draw_border(plot, plot->inside.row + r, plot->inside.column - 1, 0x2502, '|');
}

/* Returns the cell at a distance along an axis; the end of the axis belongs to the last cell. */
static int cell_within(double place, int cells)
{
    return (int)place < cells ? (int)place : cells - 1;
}

static void draw_left_axis(const struct plot *plot, const struct plot_ticks *ticks, int labels)
{
    const struct rect *inside = &plot->inside;

    draw_left_line(plot);
    for (int t = 0; t < ticks->count; t++) {
        double up = plot_place(&plot->y, ticks->tick[t].value, inside->rows);
        int row = inside->row + inside->rows - 1 - cell_within(up, inside->rows);

        canvas_right(plot->canvas, row, inside->column - 1 - labels, labels, STYLE_DIM,
                     ticks->tick[t].label);
        draw_border(plot, row, inside->column - 1, 0x2524, '+');
    }
}

/* Draws the lower axis; labels start at column `from` or to its right. */
static void draw_bottom_axis(const struct plot *plot, int from)
{
    const struct rect *inside = &plot->inside;
    int row = inside->row + inside->rows;
    struct plot_ticks ticks;

    plot_ticks(&plot->x, inside->columns, true, &ticks);
    draw_border(plot, row, inside->column - 1, 0x2514, '+');
    for (int c = 0; c < inside->columns; c++)
        draw_border(plot, row, inside->column + c, 0x2500, '-');
    for (int t = 0; t < ticks.count; t++) {
        int cell = cell_within(plot_place(&plot->x, ticks.tick[t].value, inside->columns),
                               inside->columns);
        int width = text_width(ticks.tick[t].label);
        int at = cell - ticks.tick[t].left;

        if (at + width > inside->columns)
            at = inside->columns - width;
        if (inside->column + at < from)
            at = from - inside->column;
        draw_border(plot, row, inside->column + cell, 0x252C, '+');
        canvas_text(plot->canvas, row + 1, inside->column + at, width, STYLE_DIM,
                    ticks.tick[t].label);
    }
}

bool plot_open(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
               struct plot_axis y)
{
    struct plot_ticks up;
    int labels = 0;

    *plot = (struct plot){.canvas = canvas, .x = x, .y = y};
    if (!plot_axis_is_good(&x) || !plot_axis_is_good(&y) || box.rows < ROWS_MIN + 2)
        return false;
    plot_ticks(&y, box.rows - 2, false, &up);
    for (int t = 0; t < up.count; t++)
        if (text_width(up.tick[t].label) > labels)
            labels = text_width(up.tick[t].label);
    plot->inside =
        (struct rect){box.row, box.column + labels + 1, box.rows - 2, box.columns - labels - 1};
    if (plot->inside.columns < COLUMNS_MIN)
        return false;
    draw_left_axis(plot, &up, labels);
    draw_bottom_axis(plot, box.column);
    return true;
}

static void draw_names(const struct plot *plot, char *const *name, int shown, int rows, int columns)
{
    const struct rect *inside = &plot->inside;
    int column = inside->column - 1 - columns;

    draw_left_line(plot);
    for (int r = 0; r < shown; r++) {
        char text[NAME_BYTES];

        snprintf(text, sizeof text, "%s", name[r]);
        text_middle(text, sizeof text, columns);
        canvas_text(plot->canvas, inside->row + r * plot->band, column, columns, STYLE_NORMAL,
                    text);
    }
    if (shown < rows)
        canvas_printf(plot->canvas, inside->row + inside->rows, column, columns, STYLE_DIM,
                      columns < MORE_COLUMNS ? "+%d" : "%d more", rows - shown);
}

/* Returns the width of the names of rows. */
static int names_width(struct rect box, char *const *name, int shown)
{
    int names = 0;

    for (int r = 0; r < shown; r++)
        names = text_width(name[r]) > names ? text_width(name[r]) : names;
    return names < box.columns / NAMES_PART ? names : box.columns / NAMES_PART;
}

int plot_row_columns(struct rect box, char *const *name, int shown)
{
    return box.columns - names_width(box, name, shown) - 1;
}

bool plot_open_rows(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
                    char *const *name, int rows)
{
    int room = box.rows - 2;
    int shown = rows <= room ? rows : room;
    int names;

    *plot = (struct plot){.canvas = canvas, .x = x};
    if (!plot_axis_is_good(&x) || shown < 1)
        return false;
    plot->y = (struct plot_axis){PLOT_LINEAR, 0, shown, ""};
    plot->band = room / rows > BAND_MAX ? BAND_MAX : room / rows > 0 ? room / rows : 1;
    names = names_width(box, name, shown);
    plot->inside =
        (struct rect){box.row, box.column + names + 1, shown * plot->band, box.columns - names - 1};
    if (plot->inside.columns < COLUMNS_MIN)
        return false;
    draw_names(plot, name, shown, rows, names);
    draw_bottom_axis(plot, box.column);
    return true;
}

/* Points, curves and rules --------------------------------------------------------------------- */

/* Finds the coordinates in cells, across and down. Returns false if they are not finite. */
static bool find_cell_place(const struct plot *plot, double x, double y, double at[2])
{
    at[0] = plot_place(&plot->x, x, plot->inside.columns);
    at[1] = plot->inside.rows - plot_place(&plot->y, y, plot->inside.rows);
    return isfinite(at[0]) && isfinite(at[1]);
}

bool plot_cell(const struct plot *plot, double x, double y, int *row, int *column)
{
    double at[2];

    if (!find_cell_place(plot, x, y, at) || at[0] < -ROUNDING || at[1] < -ROUNDING ||
        at[0] > plot->inside.columns + ROUNDING || at[1] > plot->inside.rows + ROUNDING)
        return false;
    *row = plot->inside.row + cell_within(at[1], plot->inside.rows);
    *column = plot->inside.column + cell_within(at[0], plot->inside.columns);
    return true;
}

void plot_mark(const struct plot *plot, double x, double y, enum style style, uint32_t character)
{
    int row, column;

    if (plot_cell(plot, x, y, &row, &column))
        canvas_put(plot->canvas, row, column, style, character);
}

/* Adds a braille dot (2 by 4 per cell) to those already in the cell. */
static void draw_dot(const struct plot *plot, double column, double row, enum style style,
                     uint32_t character)
{
    static const uint8_t bits[ROW_DOTS][COLUMN_DOTS] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const struct rect *inside = &plot->inside;
    int at_row = inside->row + cell_within(row, inside->rows);
    int at_column = inside->column + cell_within(column, inside->columns);
    int dot_row = cell_within(row * ROW_DOTS, inside->rows * ROW_DOTS) % ROW_DOTS;
    int dot_column = cell_within(column * COLUMN_DOTS, inside->columns * COLUMN_DOTS) % COLUMN_DOTS;
    uint32_t old = canvas_at(plot->canvas, at_row, at_column);

    if (plot->canvas->unicode)
        character =
            (old >= BRAILLE && old <= BRAILLE + 0xFF ? old : BRAILLE) | bits[dot_row][dot_column];
    canvas_put(plot->canvas, at_row, at_column, style, character);
}

static void draw_curve_line(const struct plot *plot, const double from[2], const double to[2],
                            enum style style, uint32_t character)
{
    double size[2] = {plot->inside.columns, plot->inside.rows};
    double across = to[0] - from[0];
    double down = to[1] - from[1];
    double part[2];
    int steps;

    if (!plot_clip(size, from, to, part))
        return;
    steps =
        (int)ceil((part[1] - part[0]) * fmax(COLUMN_DOTS * fabs(across), ROW_DOTS * fabs(down)));
    for (int s = 0; s <= steps; s++) {
        double at = part[0] + (steps > 0 ? (part[1] - part[0]) * s / steps : 0);

        draw_dot(plot, from[0] + at * across, from[1] + at * down, style, character);
    }
}

void plot_curve(const struct plot *plot, const double *x, const double *y, int count,
                enum style style, uint32_t character)
{
    for (int i = 0; i < count; i++) {
        int before = i > 0 ? i - 1 : i;
        double from[2], to[2];

        if (find_cell_place(plot, x[before], y[before], from) &&
            find_cell_place(plot, x[i], y[i], to))
            draw_curve_line(plot, from, to, style, character);
    }
}

static bool is_blank(const struct canvas *canvas, int row, int column)
{
    return canvas_at(canvas, row, column) == ' ' &&
           canvas->cells[row * canvas->columns + column].style == STYLE_NORMAL;
}

void plot_band(const struct plot *plot, const double x[2], const double low[2],
               const double high[2], enum style style, uint32_t character)
{
    const struct rect *inside = &plot->inside;
    double bottom[2][2], top[2][2];

    for (int end = 0; end < 2; end++)
        if (!find_cell_place(plot, x[end], low[end], bottom[end]) ||
            !find_cell_place(plot, x[end], high[end], top[end]))
            return;
    for (int c = 0; c < inside->columns; c++) {
        double part = (c + 0.5 - bottom[0][0]) / (bottom[1][0] - bottom[0][0]);
        double from = top[0][1] + part * (top[1][1] - top[0][1]);
        double to = bottom[0][1] + part * (bottom[1][1] - bottom[0][1]);

        for (int r = 0; r < inside->rows && part >= 0 && part <= 1; r++)
            if (fmin(r + 1, to) - fmax(r, from) >= BAND_PART &&
                is_blank(plot->canvas, inside->row + r, inside->column + c))
                canvas_put(plot->canvas, inside->row + r, inside->column + c, style, character);
    }
}

/* Returns the column of a value on x within the plot; -1 if it is outside or not finite. */
static int plot_column(const struct plot *plot, double x)
{
    double at = plot_place(&plot->x, x, plot->inside.columns);

    return isfinite(at) && at >= 0 && at <= plot->inside.columns
               ? cell_within(at, plot->inside.columns)
               : -1;
}

static void draw_sign_behind(const struct plot *plot, int row, int column, enum style style,
                             struct look_sign sign)
{
    if (canvas_at(plot->canvas, row, column) == ' ')
        canvas_put(plot->canvas, row, column, style, look_character(plot->canvas, sign));
}

void plot_vertical(const struct plot *plot, double x, enum style style)
{
    const struct rect *inside = &plot->inside;
    int column = plot_column(plot, x);

    if (column < 0)
        return;
    for (int r = 0; r < inside->rows; r++)
        draw_sign_behind(plot, inside->row + r, inside->column + column, style, look_rule_down);
}

void plot_horizontal(const struct plot *plot, double y, enum style style)
{
    const struct rect *inside = &plot->inside;
    int row, column;

    if (!plot_cell(plot, plot->x.low, y, &row, &column))
        return;
    for (int c = 0; c < inside->columns; c++)
        draw_sign_behind(plot, row, inside->column + c, style, look_rule_across);
}
