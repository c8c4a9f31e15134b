#include "tui/view_sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "charts/sweep.h"
#include "draw/chart.h"
#include "tui/host.h"
#include "tui/view.h"
#include "tui/widget.h"

enum { BELOW_BARS = 5 }; /* rows of the axis, its title and the legend */

static void start(void *state, struct host *host)
{
    struct sweep_view *sweep = state;

    sweep->host = host;
    sweep->wanted.row = NULL;
    memset(sweep->path, 0, sizeof sweep->path);
    sweep->followed[0] = '\0';
    grid_free(&sweep->grid);
    sweep_again(sweep);
}

/* The cursor ----------------------------------------------------------------------------------- */

/* The point of an axis the cursor is on. */
static int cursor_at(const struct sweep_view *sweep, int a)
{
    return (int)lround(sweep->cursor[a] * (sweep->grid.axis[a].count - 1));
}

static void put_cursor(struct sweep_view *sweep, int a, int at)
{
    int last = sweep->grid.axis[a].count - 1;

    at = at < 0 ? 0 : at > last ? last : at;
    sweep->cursor[a] = last > 0 ? (double)at / last : 0;
    sweep->placed = true;
}

/* Where nobody has put it yet the cursor is on the design as it is. */
static void place_cursor(struct sweep_view *sweep)
{
    for (int a = 0; a < sweep->grid.axis_count && !sweep->placed; a++) {
        double present = chart_sweep_present(&sweep->grid, a, &sweep->host->design.scenario,
                                             &sweep->host->design.result);
        int at = present == RESULT_NONE ? 0 : grid_nearest(&sweep->grid.axis[a], present);

        put_cursor(sweep, a, at);
        sweep->placed = false;
    }
}

/* On bar number `bar`, of one knob or two. */
static void put_bar_cursor(struct sweep_view *sweep, int bar)
{
    int inner = sweep->grid.axis[0].count;

    put_cursor(sweep, 0, bar % inner);
    if (sweep->grid.axis_count > 1)
        put_cursor(sweep, 1, bar / inner);
}

static int design_at(const struct sweep_view *sweep)
{
    int number = cursor_at(sweep, 0);

    if (sweep->grid.axis_count > 1)
        number += cursor_at(sweep, 1) * sweep->grid.axis[0].count;
    return number;
}

static bool is_bars(const struct grid *grid)
{
    return grid->axis[0].number == NULL;
}

/* The row of a bar's name; below the plot where it has no room. */
static int bar_row(const struct sweep_view *sweep, int bar)
{
    return sweep->plot.inside.row + (bar - sweep->bars.first) * sweep->plot.band;
}

static void draw_bar_cursor(struct sweep_view *sweep, struct canvas *canvas)
{
    struct rect inside = rect_inside(sweep->box);
    int row = bar_row(sweep, design_at(sweep));

    if (!rect_holds(inside, row, inside.column))
        return;
    inside.row = row;
    inside.rows = 1;
    inside.columns = sweep->plot.inside.column - inside.column - 1;
    canvas_restyle(canvas, inside, STYLE_FOCUS);
    widget_mark(canvas, row, inside.column, STYLE_FOCUS, MARK_FOCUS);
    canvas->cursor_row = row;
    canvas->cursor_column = inside.column;
}

static int cell_within(double place, int cells)
{
    return place < cells ? (int)place : cells - 1;
}

/* A cross on a map; through a curve a line, behind it. */
static void draw_point_cursor(struct sweep_view *sweep, struct canvas *canvas)
{
    const struct grid *grid = &sweep->grid;
    const struct rect *inside = &sweep->plot.inside;
    const double *x = grid->axis[0].number;
    int column = inside->column +
                 cell_within(plot_place(&sweep->plot.x, x[cursor_at(sweep, 0)], inside->columns),
                             inside->columns);
    int row = inside->row + inside->rows - 1;

    if (grid->axis_count > 1 && grid->axis[1].number != NULL) {
        row -= cell_within(
            plot_place(&sweep->plot.y, grid->axis[1].number[cursor_at(sweep, 1)], inside->rows),
            inside->rows);
        canvas_put(canvas, row, column, STYLE_FOCUS, '+');
    } else {
        for (int r = inside->row; r <= row; r++)
            if (canvas_at(canvas, r, column) == ' ')
                canvas_put(canvas, r, column, STYLE_FOCUS, mark_character(canvas, MARK_EDGE_LEFT));
    }
    canvas->cursor_row = row;
    canvas->cursor_column = column;
}

/* Drawing -------------------------------------------------------------------------------------- */

static void print_title(const struct sweep_view *sweep, struct buffer *title)
{
    char path[RESULT_PATH_MAX];

    buffer_text(title, "Sweep");
    if (sweep->grid.count > 0) {
        result_path(&sweep->grid.wanted, path, sizeof path);
        buffer_print(title, " \xC2\xB7 %s over %s%s%s", path, sweep->path[0],
                     sweep->path[1][0] == '\0' ? "" : " and ", sweep->path[1]);
    }
    if (sweep->worker.running)
        buffer_text(title, " \xC2\xB7 computing");
}

/* The bar under the cursor is among those that have room. */
static void lay_bars(struct sweep_view *sweep, struct rect inside)
{
    inside.rows = inside.rows > BELOW_BARS + 1 ? inside.rows - BELOW_BARS : 1;
    if (is_bars(&sweep->grid)) {
        sweep->bars.focus = design_at(sweep);
        list_pane_lay(&sweep->bars, inside, sweep->grid.count);
    } else {
        sweep->bars = (struct list_pane){0};
    }
}

static bool chart(void *state, struct chart *chart)
{
    struct sweep_view *sweep = state;

    if (sweep->grid.count == 0)
        return false;
    chart_sweep(
        chart, &sweep->grid, &sweep->host->design.scenario,
        sweep->host->design.problem.status == STATUS_OK ? &sweep->host->design.result : NULL, 0);
    return true;
}

/* No value of the knob makes a design. */
static bool is_meaningless(const struct grid *grid)
{
    return grid->count > 0 && grid->invalid == grid->count;
}

static void draw_nothing(const struct sweep_view *sweep, struct canvas *canvas, struct rect inside)
{
    const char *said = "computing";

    if (sweep->problem[0] != '\0')
        said = sweep->problem;
    else if (!sweep->host->design.evaluated)
        said = sweep->host->design.problem.message;
    else if (is_meaningless(&sweep->grid))
        said = sweep->grid.reason;
    canvas_wrap(canvas, inside, 0, STYLE_DIM, said);
}

static void draw(void *state, struct canvas *canvas, struct rect body)
{
    struct sweep_view *sweep = state;
    struct rect inside = rect_inside(body);
    char title[2 * RESULT_PATH_MAX + 2 * SWEEP_PATH];
    struct buffer text = buffer_over(title, sizeof title);
    struct chart shown;

    sweep_keep(sweep);
    sweep_begin(sweep);
    sweep->box = body;
    sweep->drawn = false;
    print_title(sweep, &text);
    widget_pane(canvas, body, title, true);
    if (sweep->grid.count == 0 || sweep->problem[0] != '\0' || is_meaningless(&sweep->grid)) {
        draw_nothing(sweep, canvas, inside);
        return;
    }
    place_cursor(sweep);
    lay_bars(sweep, inside);
    chart_sweep(&shown, &sweep->grid, &sweep->host->design.scenario,
                sweep->host->design.problem.status == STATUS_OK ? &sweep->host->design.result
                                                                : NULL,
                sweep->bars.first);
    if (is_bars(&sweep->grid)) {
        /* a column for the mark of the cursor */
        inside.column++;
        inside.columns--;
    }
    sweep->drawn = chart_draw(&shown, canvas, inside, &sweep->plot);
    if (sweep->drawn && is_bars(&sweep->grid))
        draw_bar_cursor(sweep, canvas);
    else if (sweep->drawn)
        draw_point_cursor(sweep, canvas);
    chart_free(&shown);
}

/* What the design at the cursor comes to. */
static void detail(void *state, struct canvas *canvas, struct rect line)
{
    struct sweep_view *sweep = state;
    const struct grid *grid = &sweep->grid;
    char bytes[1024];
    struct buffer text = buffer_over(bytes, sizeof bytes);
    char value[64];
    int number;

    if (grid->count == 0 || sweep->problem[0] != '\0')
        return;
    number = design_at(sweep);
    for (int a = 0; a < grid->axis_count; a++) {
        const struct axis *axis = &grid->axis[a];
        char point[AXIS_TEXT_MAX];

        sweep_point_text(axis, cursor_at(sweep, a), point, sizeof point);
        buffer_print(&text, "%s%s %.200s", a > 0 ? ", " : "", axis->ref.knob->label, point);
    }
    quantity_show(grid->value[number], grid->wanted.row->unit, value, sizeof value);
    if (grid->value[number] == RESULT_NONE && grid->invalid > 0)
        snprintf(value, sizeof value, "no such design");
    canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_NORMAL,
                  "%s: %s%s%s%s \xC2\xB7 Enter takes it", bytes, value,
                  grid->regime[number] < 0 ? "" : ", bound by ",
                  grid->regime[number] < 0 ? "" : grid->name[grid->regime[number]],
                  grid->overloaded[number] ? ", overloaded" : "");
}

/* Keys ----------------------------------------------------------------------------------------- */

/* One change, of one knob or two: "P=V", with its unit. */
static void apply_cursor(struct sweep_view *sweep)
{
    char bytes[GRID_AXES_MAX * (SWEEP_PATH + AXIS_TEXT_MAX + 32)];
    struct buffer text = buffer_over(bytes, sizeof bytes);

    for (int a = 0; a < sweep->grid.axis_count && sweep->grid.count > 0; a++) {
        const struct axis *axis = &sweep->grid.axis[a];
        char value[AXIS_TEXT_MAX];

        axis_text(axis, cursor_at(sweep, a), value, sizeof value);
        buffer_print(&text, "%s%s=%s%s", a > 0 ? " " : "", sweep->grid.path[a], value,
                     axis->number == NULL ? "" : axis->ref.knob->unit);
    }
    if (text.length > 0)
        design_assign(sweep->host, bytes);
}

/* The next result of the design or the loop that has a good end. */
static void other_result(struct sweep_view *sweep, int by)
{
    const struct result_row *row = sweep->wanted.row;

    if (row == NULL)
        return;
    do {
        row += by;
        if (row < result_rows)
            row = result_rows + RESULT_ROW_COUNT - 1;
        if (row == result_rows + RESULT_ROW_COUNT)
            row = result_rows;
    } while (row->scope > RESULT_LOOP || row->sense == SENSE_NEITHER);
    sweep->wanted = (struct result_ref){.row = row};
    sweep_again(sweep);
}

static void move_cursor(struct sweep_view *sweep, int a, int by)
{
    if (a < sweep->grid.axis_count)
        put_cursor(sweep, a, cursor_at(sweep, a) + by);
}

static void act(void *state, enum action_id id, const char *argument)
{
    struct sweep_view *sweep = state;
    int last = 1 << 24;
    bool bars = is_bars(&sweep->grid);

    switch ((int)id) {
    case ACTION_LEFT:
    case ACTION_RIGHT:
        move_cursor(sweep, 0, id == ACTION_LEFT ? -1 : 1);
        break;
    case ACTION_TEN_LEFT:
    case ACTION_TEN_RIGHT:
        move_cursor(sweep, 0, id == ACTION_TEN_LEFT ? -10 : 10);
        break;
    case ACTION_START:
    case ACTION_END:
        move_cursor(sweep, 0, id == ACTION_START ? -last : last);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        if (sweep->path[1][0] != '\0')
            move_cursor(sweep, 1, (id == ACTION_UP) == bars ? -1 : 1);
        else
            sweep_other_knob(sweep, id == ACTION_UP ? -1 : 1);
        break;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        other_result(sweep, id == ACTION_PAGE_UP ? -1 : 1);
        break;
    case ACTION_RANGE:
        sweep_ask_range(sweep, argument);
        break;
    case ACTION_VARIANT:
        sweep_variant(sweep);
        break;
    case ACTION_ENTER:
        apply_cursor(sweep);
        break;
    default:
        break;
    }
}

static void mouse(void *state, const struct key_event *event)
{
    struct sweep_view *sweep = state;
    const struct rect *inside = &sweep->plot.inside;
    int across = event->column - inside->column;
    int up = inside->row + inside->rows - 1 - event->row;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        move_cursor(sweep, 0, event->mouse == MOUSE_WHEEL_UP ? -1 : 1);
        return;
    }
    if (!sweep->drawn || (event->mouse != MOUSE_PRESS && event->mouse != MOUSE_DRAG) ||
        !rect_holds(*inside, event->row, event->column))
        return;
    if (is_bars(&sweep->grid)) {
        int bar =
            sweep->bars.first +
            (int)floor(sweep->plot.y.high - plot_value(&sweep->plot.y, (up + 0.5) / inside->rows));

        put_bar_cursor(sweep, bar);
        return;
    }
    put_cursor(sweep, 0,
               grid_nearest(&sweep->grid.axis[0],
                            plot_value(&sweep->plot.x, (across + 0.5) / inside->columns)));
    if (sweep->grid.axis_count > 1 && sweep->grid.axis[1].number != NULL)
        put_cursor(sweep, 1,
                   grid_nearest(&sweep->grid.axis[1],
                                plot_value(&sweep->plot.y, (up + 0.5) / inside->rows)));
}

static bool knob(const void *state, struct knob_ref *ref)
{
    const struct sweep_view *sweep = state;

    return sweep_ref(sweep, 0, ref);
}

static bool section(const void *state, enum section *section, int *index)
{
    const struct sweep_view *sweep = state;
    struct knob_ref ref;

    if (!sweep_ref(sweep, 0, &ref))
        return false;
    *section = ref.section;
    *index = ref.index;
    return true;
}

static void table(const void *state, FILE *out, int columns)
{
    const struct sweep_view *sweep = state;

    sweep_table(&sweep->grid, out, columns);
}

static bool path(const void *state, char *path, size_t size)
{
    const struct sweep_view *sweep = state;

    if (sweep->grid.count == 0)
        return false;
    if (size > RESULT_PATH_MAX)
        result_path(&sweep->grid.wanted, path, size);
    return size > RESULT_PATH_MAX;
}

const struct view view_sweep = {
    .name = "sweep",
    .start = start,
    .open = sweep_follow,
    .free = sweep_close,
    .changed = sweep_again,
    .place = PLACE_SWEEP,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
    .busy = sweep_busy,
    .take = sweep_take,
    .chart = chart,
    .table = table,
    .knob = knob,
    .section = section,
    .path = path,
};
