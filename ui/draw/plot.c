#include "draw/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/canvas.h"
#include "draw/looks.h"

#define BRAILLE 0x2800U
#define EDGE 1e-9 /* of an axis: a tick that far outside is on it */

enum {
    ROWS_MIN = 3,
    COLUMNS_MIN = 8,
    ROW_DOTS = 4, /* of a cell of braille */
    COLUMN_DOTS = 2,
    LABELS_GAP = 2, /* cells between two labels along an axis */
    STEPS_MAX = 64,
    BAND_MAX = 5,
    NAMES_PART = 3, /* of the columns, at most, for the names of rows */
    NAME_BYTES = 256,
    MORE_COLUMNS = 9
};

/* Axes ----------------------------------------------------------------------------------------- */

bool plot_is_linear(enum plot_scale scale)
{
    return scale == PLOT_LINEAR || scale == PLOT_WHOLE;
}

bool plot_axis_is_good(const struct plot_axis *axis)
{
    return isfinite(axis->low) && isfinite(axis->high) && axis->low < axis->high &&
           (plot_is_linear(axis->scale) || axis->low > 0);
}

double plot_place(const struct plot_axis *axis, double value, int cells)
{
    if (plot_is_linear(axis->scale))
        return cells * (value - axis->low) / (axis->high - axis->low);
    return value > 0 ? cells * log(value / axis->low) / log(axis->high / axis->low)
                     : -(double)INFINITY;
}

double plot_value(const struct plot_axis *axis, double part)
{
    if (plot_is_linear(axis->scale))
        return axis->low + part * (axis->high - axis->low);
    return axis->low * pow(axis->high / axis->low, part);
}

/* The next 1, 2 or 5 times a power of ten at or below (above) a value. */
static double round_decade(double value, bool up)
{
    static const double digits[] = {1, 2, 5, 10};
    double decade = pow(10, floor(log10(value) + EDGE));
    double found = up ? 10 : 1;

    for (int d = 0; d < 4; d++) {
        if (up && digits[3 - d] * decade >= value * (1 - EDGE))
            found = digits[3 - d];
        else if (!up && digits[d] * decade <= value * (1 + EDGE))
            found = digits[d];
    }
    return found * decade;
}

struct plot_axis plot_axis_around(enum plot_scale scale, double low, double high, const char *unit)
{
    struct plot_axis axis = {scale, low, high, unit};

    if (scale == PLOT_BINARY) {
        axis.low = exp2(floor(log2(low) + EDGE));
        axis.high = exp2(ceil(log2(high) - EDGE));
    } else if (scale == PLOT_DECADES) {
        axis.low = round_decade(low, false);
        axis.high = round_decade(high, true);
    }
    if (axis.low == axis.high)
        axis.high =
            plot_is_linear(scale) ? axis.low + 1 : axis.low * (scale == PLOT_BINARY ? 2 : 10);
    return axis;
}

/* Labels --------------------------------------------------------------------------------------- */

/* "1.50 us" to "1.5 us". */
static void trim_zeros(char *text)
{
    char *point = strchr(text, '.');
    char *end, *keep;

    if (point == NULL)
        return;
    end = point + 1 + strspn(point + 1, "0123456789");
    for (keep = end; keep[-1] == '0'; keep--)
        continue;
    if (keep[-1] == '.')
        keep--;
    memmove(keep, end, strlen(end) + 1);
}

/* Divides by 1024 while there are at least `limit`; returns the unit that they are then in. */
static const char *capacity_unit(double *bytes, double limit)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int u = 0;

    for (; *bytes >= limit && u < 4; u++)
        *bytes /= 1024;
    return units[u];
}

void plot_capacity(double bytes, char *text, size_t size)
{
    const char *unit = capacity_unit(&bytes, 1023.5); /* as three digits would say 1024 */
    bool whole = unit[1] == '\0' || bytes == floor(bytes) || bytes >= 99.95;

    snprintf(text, size, "%.*f %s", whole ? 0 : bytes >= 9.995 ? 1 : 2, bytes, unit);
}

/* On an axis that is short and far from zero three digits would not tell the ticks apart: as many
 * as that takes, all with the prefix of the farther end. false: three do. */
static bool print_far_label(const struct plot_axis *axis, double value, char *text, size_t size)
{
    double largest = fmax(fabs(axis->low), fabs(axis->high));
    double range = axis->high - axis->low;
    char one[PLOT_LABEL_MAX] = "1 ";
    char end[PLOT_LABEL_MAX];
    const char *unit;
    double scale = 1;
    int digits;

    if (!plot_is_linear(axis->scale) || !(range < largest / 5))
        return false;
    quantity_print(largest, axis->unit, end, sizeof end);
    unit = strchr(end, ' ');
    if (unit == NULL)
        return false;
    snprintf(one, sizeof one, "1%.20s", unit);
    if (quantity_parse(one, axis->unit, &scale, NULL) != STATUS_OK)
        return false;
    digits = (int)ceil(-log10(range / PLOT_TICKS_MAX / scale));
    snprintf(text, size, "%.*f", digits < 0 ? 0 : digits > 9 ? 9 : digits, value / scale);
    trim_zeros(text);
    snprintf(text + strlen(text), size - strlen(text), "%s", unit);
    return true;
}

void plot_label(const struct plot_axis *axis, double value, char *text, size_t size)
{
    if (strcmp(axis->unit, "B") == 0 && axis->scale == PLOT_BINARY) {
        const char *unit = capacity_unit(&value, 1024);
        char number[32];

        number_format(value, number, sizeof number);
        snprintf(text, size, "%s %s", number, unit);
    } else if (axis->unit[0] == '\0') {
        snprintf(text, size, fabs(value) < 1e6 ? "%.6g" : "%.3g", value);
    } else {
        if (!print_far_label(axis, value, text, size)) {
            quantity_print(value, axis->unit, text, size);
            trim_zeros(text);
        }
        text_micro(text, size);
    }
}

/* Ticks ---------------------------------------------------------------------------------------- */

static void add_tick(const struct plot_axis *axis, double value, struct plot_ticks *ticks)
{
    double at = plot_place(axis, value, 1);

    if (at < -EDGE || at > 1 + EDGE || ticks->count == PLOT_TICKS_MAX)
        return;
    ticks->tick[ticks->count].value = value;
    plot_label(axis, value, ticks->tick[ticks->count++].label, PLOT_LABEL_MAX);
}

/* Candidates from many to few: step 0 is the closest. false: there are none any more. */
static bool find_candidates(const struct plot_axis *axis, int step, struct plot_ticks *ticks)
{
    static const double nice[] = {1, 2, 5};
    static const double digits[3][3] = {{1, 2, 5}, {1, 3, 0}, {1, 0, 0}};
    double base = axis->scale == PLOT_BINARY ? 2 : 10;
    int first, last;

    ticks->count = 0;
    if (plot_is_linear(axis->scale)) {
        double decade = pow(10, floor(log10((axis->high - axis->low) / PLOT_TICKS_MAX)));
        double by = nice[step % 3] * decade * pow(10, step / 3);

        if (axis->scale == PLOT_WHOLE && by < 1)
            by = 1;
        for (double n = ceil(axis->low / by - EDGE); n * by <= axis->high + EDGE * by; n++)
            add_tick(axis, n * by + 0.0, ticks); /* no negative zero */
        return step < STEPS_MAX;
    }
    first = (int)floor(log(axis->low) / log(base) + EDGE);
    last = (int)ceil(log(axis->high) / log(base) - EDGE);
    if (axis->scale == PLOT_DECADES && step < 3) {
        for (int n = first; n <= last; n++)
            for (int d = 0; d < 3; d++)
                if (digits[step][d] > 0)
                    add_tick(axis, digits[step][d] * pow(10, n), ticks);
        return true;
    }
    step = axis->scale == PLOT_DECADES ? step - 1 : step + 1;
    for (int n = first; n <= last; n++)
        if (n % step == 0)
            add_tick(axis, pow(base, n), ticks);
    return step <= last - first + 1;
}

static bool labels_fit(const struct plot_axis *axis, const struct plot_ticks *ticks, int cells,
                       bool along)
{
    double free_from = -1e9;

    if (ticks->count == 0 || ticks->count == PLOT_TICKS_MAX)
        return false;
    for (int t = 0; t < ticks->count; t++) {
        double at = floor(plot_place(axis, ticks->tick[t].value, cells));
        int width = along ? text_width(ticks->tick[t].label) : 1;

        if (along && at + width - width / 2 > cells)
            at = cells - width + width / 2;
        if (at - width / 2 < free_from)
            return false;
        free_from = at - width / 2 + width + (along ? LABELS_GAP : 1);
    }
    return true;
}

void plot_ticks(const struct plot_axis *axis, int cells, bool along, struct plot_ticks *ticks)
{
    for (int step = 0; find_candidates(axis, step, ticks); step++)
        if (labels_fit(axis, ticks, cells, along))
            return;
    ticks->count = 0;
    add_tick(axis, axis->scale == PLOT_WHOLE ? ceil(axis->low) : axis->low, ticks);
}

/* Axes on a canvas ----------------------------------------------------------------------------- */

static void put_border(const struct plot *plot, int row, int column, uint32_t unicode, char ascii)
{
    canvas_put(plot->canvas, row, column, STYLE_BORDER,
               look_character(plot->canvas, (struct look_sign){unicode, ascii}));
}

static void draw_left_line(const struct plot *plot)
{
    for (int r = 0; r < plot->inside.rows; r++)
        put_border(plot, plot->inside.row + r, plot->inside.column - 1, 0x2502, '|');
}

/* The cell of a distance along an axis, of which the end belongs to the last. */
static int cell_within(double place, int cells)
{
    return (int)place < cells ? (int)place : cells - 1;
}

static void draw_left(const struct plot *plot, const struct plot_ticks *ticks, int labels)
{
    const struct rect *inside = &plot->inside;

    draw_left_line(plot);
    for (int t = 0; t < ticks->count; t++) {
        double up = plot_place(&plot->y, ticks->tick[t].value, inside->rows);
        int row = inside->row + inside->rows - 1 - cell_within(up, inside->rows);

        canvas_right(plot->canvas, row, inside->column - 1 - labels, labels, STYLE_DIM,
                     ticks->tick[t].label);
        put_border(plot, row, inside->column - 1, 0x2524, '+');
    }
}

/* Labels start at column `from` or beyond it. */
static void draw_bottom(const struct plot *plot, int from)
{
    const struct rect *inside = &plot->inside;
    int row = inside->row + inside->rows;
    struct plot_ticks ticks;

    plot_ticks(&plot->x, inside->columns, true, &ticks);
    put_border(plot, row, inside->column - 1, 0x2514, '+');
    for (int c = 0; c < inside->columns; c++)
        put_border(plot, row, inside->column + c, 0x2500, '-');
    for (int t = 0; t < ticks.count; t++) {
        int cell = cell_within(plot_place(&plot->x, ticks.tick[t].value, inside->columns),
                               inside->columns);
        int width = text_width(ticks.tick[t].label);
        int at = cell - width / 2;

        if (at + width > inside->columns)
            at = inside->columns - width;
        if (inside->column + at < from)
            at = from - inside->column;
        put_border(plot, row, inside->column + cell, 0x252C, '+');
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
    draw_left(plot, &up, labels);
    draw_bottom(plot, box.column);
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

bool plot_open_rows(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
                    char *const *name, int rows)
{
    int room = box.rows - 2;
    int shown = rows <= room ? rows : room;
    int names = 0;

    *plot = (struct plot){.canvas = canvas, .x = x};
    if (!plot_axis_is_good(&x) || shown < 1)
        return false;
    plot->y = (struct plot_axis){PLOT_LINEAR, 0, shown, ""};
    plot->band = room / rows > BAND_MAX ? BAND_MAX : room / rows > 0 ? room / rows : 1;
    for (int r = 0; r < shown; r++)
        names = text_width(name[r]) > names ? text_width(name[r]) : names;
    names = names < box.columns / NAMES_PART ? names : box.columns / NAMES_PART;
    plot->inside =
        (struct rect){box.row, box.column + names + 1, shown * plot->band, box.columns - names - 1};
    if (plot->inside.columns < COLUMNS_MIN)
        return false;
    draw_names(plot, name, shown, rows, names);
    draw_bottom(plot, box.column);
    return true;
}

/* Points, curves and rules --------------------------------------------------------------------- */

/* Coordinates in cells, across and down; false: they are not finite. */
static bool find_place(const struct plot *plot, double x, double y, double at[2])
{
    at[0] = plot_place(&plot->x, x, plot->inside.columns);
    at[1] = plot->inside.rows - plot_place(&plot->y, y, plot->inside.rows);
    return isfinite(at[0]) && isfinite(at[1]);
}

bool plot_cell(const struct plot *plot, double x, double y, int *row, int *column)
{
    double at[2];

    if (!find_place(plot, x, y, at) || at[0] < 0 || at[1] < 0 || at[0] > plot->inside.columns ||
        at[1] > plot->inside.rows)
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

static bool clip_along(double size, double from, double to, double part[2])
{
    double by = to - from;
    double low = by > 0 ? -from / by : (size - from) / by;
    double high = by > 0 ? (size - from) / by : -from / by;

    if (by == 0)
        return from >= 0 && from <= size;
    part[0] = fmax(part[0], low);
    part[1] = fmin(part[1], high);
    return part[0] <= part[1];
}

bool plot_clip(const double size[2], const double from[2], const double to[2], double part[2])
{
    part[0] = 0;
    part[1] = 1;
    for (int i = 0; i < 2; i++)
        if (!isfinite(from[i]) || !isfinite(to[i]) || !clip_along(size[i], from[i], to[i], part))
            return false;
    return true;
}

/* One dot, 2 by 4 a cell, together with those that are there. */
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

static void draw_line(const struct plot *plot, const double from[2], const double to[2],
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

        if (find_place(plot, x[before], y[before], from) && find_place(plot, x[i], y[i], to))
            draw_line(plot, from, to, style, character);
    }
}

/* The column of a value along, from the left end of the plot; -1: it is outside or not finite. */
static int column_of(const struct plot *plot, double x)
{
    double at = plot_place(&plot->x, x, plot->inside.columns);

    return isfinite(at) && at >= 0 && at <= plot->inside.columns
               ? cell_within(at, plot->inside.columns)
               : -1;
}

/* A label to the right of a column where there is room, else to the left. */
static void draw_beside(const struct plot *plot, int row, int column, enum style style,
                        const char *label)
{
    int width = text_width(label);
    int at = column + 1 + width <= plot->inside.columns ? column + 1 : column - width;

    if (at >= 0)
        canvas_text(plot->canvas, row, plot->inside.column + at, width, style, label);
}

static void put_behind(const struct plot *plot, int row, int column, enum style style,
                       struct look_sign sign)
{
    if (canvas_at(plot->canvas, row, column) == ' ')
        canvas_put(plot->canvas, row, column, style, look_character(plot->canvas, sign));
}

void plot_vertical(const struct plot *plot, double x, enum style style, const char *label)
{
    const struct rect *inside = &plot->inside;
    int column = column_of(plot, x);

    if (column < 0)
        return;
    for (int r = 0; r < inside->rows; r++)
        put_behind(plot, inside->row + r, inside->column + column, style, look_rule_down);
    draw_beside(plot, inside->row, column, style, label);
}

void plot_horizontal(const struct plot *plot, double y, enum style style)
{
    const struct rect *inside = &plot->inside;
    int row, column;

    if (!plot_cell(plot, plot->x.low, y, &row, &column))
        return;
    for (int c = 0; c < inside->columns; c++)
        put_behind(plot, row, inside->column + c, style, look_rule_across);
}

void plot_below(const struct plot *plot, double x, enum style style, uint32_t character,
                const char *label)
{
    int row = plot->inside.row + plot->inside.rows;
    int column = column_of(plot, x);

    if (column < 0)
        return;
    canvas_put(plot->canvas, row, plot->inside.column + column, style, character);
    draw_beside(plot, row, column, style, label);
}
