#include "tui/view_roofline.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "charts/roofline.h"
#include "design/knob_text.h"
#include "draw/chart.h"
#include "tui/table_pane.h"
#include "tui/view.h"
#include "tui/widget.h"

enum { NAME_BYTES = NODE_NAME_MAX + 16 };

/* Columns of the list: those of the text, whose titles they have, but the roof, and then the cause.
 * Those of numbers are wide enough for any, so that changes of the design do not move them. */
enum { COLUMN_CAUSE = ROOFLINE_COLUMNS, COLUMNS };

static const struct table_column list_columns[COLUMNS] = {
    [ROOFLINE_NAME] = {.width = 9, .cut = 1, .brief = 24, .shorten = text_middle},
    [ROOFLINE_INTENSITY] = {.number = true, .width = 7},
    [ROOFLINE_RATE] = {.number = true, .width = 12}, /* "53.1 GFLOP/s" */
    [ROOFLINE_ROOF] = {.hidden = true},
    [ROOFLINE_FRACTION] = {.number = true, .width = 7},
    [ROOFLINE_BOUND] = {.width = 8},
    [COLUMN_CAUSE] = {.title = "largest loss", .width = 17, .stretch = INT_MAX},
};

/* State ---------------------------------------------------------------------------------------- */

/* Returns the point under the cursor, or -1. */
static int focused_point(const struct roofline_view *view)
{
    return view->found ? list_pane_focus(&view->points) : -1;
}

/* Puts the cursor on the previous point, else on the first. */
static void restore_point(struct roofline_view *view)
{
    view->points.count = view->found ? view->roofs.points : 0;
    view->points.focus = 0;
    for (int p = 0; p < view->points.count; p++)
        if (strcmp(view->roofs.point[p].name, view->point) == 0 &&
            view->roofs.point[p].deferred == view->deferred)
            view->points.focus = p;
}

static void keep_point(struct roofline_view *view)
{
    int focus = focused_point(view);

    if (focus < 0)
        return;
    snprintf(view->point, sizeof view->point, "%s", view->roofs.point[focus].name);
    view->deferred = view->roofs.point[focus].deferred;
}

/* Computes the roofline while the design is known to be valid, since it uses state of evaluate. */
static void roofline_view_changed(void *state)
{
    struct roofline_view *view = state;
    const struct design *design = view->design;
    int device;

    if (!design_is_valid(design))
        return;
    device = view->device[0] == '\0'
                 ? -1
                 : section_find(&design->scenario, SECTION_DEVICE, view->device);
    if (device < 0)
        device = roofs_device(&design->result);
    view->found = device >= 0;
    if (view->found)
        roofs_find(&design->scenario, &design->result, device, &view->roofs);
    restore_point(view);
}

static void roofline_view_start(void *state, struct host *host)
{
    struct roofline_view *view = state;

    *view = (struct roofline_view){.host = host, .design = &host->design};
    roofline_view_changed(view);
}

static void next_device(struct roofline_view *view)
{
    const struct scenario *scenario = &view->design->scenario;
    int device;

    if (!view->found || scenario->device_count == 0)
        return;
    device = section_find(scenario, SECTION_DEVICE, view->roofs.device);
    device = (device + 1) % scenario->device_count;
    snprintf(view->device, sizeof view->device, "%s", scenario->device[device].head.name);
    roofline_view_changed(view);
    view->points.first = 0;
}

/* List ----------------------------------------------------------------------------------------- */

/* Prints a number without a unit, or a dash. */
static void print_number(double value, char *text, size_t size)
{
    if (value == RESULT_NONE)
        snprintf(text, size, "-");
    else
        snprintf(text, size, value < 1e4 && value >= 1e-3 ? "%.3g" : "%.1e", value);
}

/* Prints the largest loss below the ceiling; empty if it is negligible. */
static void print_largest_loss(const struct roof_point *point, char *text, size_t size)
{
    text[0] = '\0';
    if (point->loss[point->worst] > 1.005)
        snprintf(text, size, "%s \xC3\x97 %s", roof_loss_name(point->worst),
                 quantity_text(point->loss[point->worst], "").text);
}

static const char *rate_unit(const struct roof_point *point)
{
    return point->flops != RESULT_NONE ? roofs_rate_unit(point->precision) : "B/s";
}

enum { MARK_COLUMNS = 2 }; /* before the name */

static struct rect after_mark(struct rect line)
{
    return (struct rect){line.row, line.column + MARK_COLUMNS, 1, line.columns - MARK_COLUMNS};
}

static void put_point(const struct roof_point *point, bool focus, struct table_row *row)
{
    *row = (struct table_row){
        .style = {
            [ROOFLINE_NAME] = focus ? STYLE_FOCUS : STYLE_NORMAL, [COLUMN_CAUSE] = STYLE_DIM}};
    roofline_name(point, row->text[ROOFLINE_NAME], TABLE_PANE_TEXT);
    print_number(point->intensity, row->text[ROOFLINE_INTENSITY], TABLE_PANE_TEXT);
    quantity_show(point->flops != RESULT_NONE ? point->flops : point->rate, rate_unit(point),
                  row->text[ROOFLINE_RATE], TABLE_PANE_TEXT);
    roofline_fraction(point->fraction, row->text[ROOFLINE_FRACTION], TABLE_PANE_TEXT);
    snprintf(row->text[ROOFLINE_BOUND], TABLE_PANE_TEXT, "%s", point->limit);
    print_largest_loss(point, row->text[COLUMN_CAUSE], TABLE_PANE_TEXT);
}

/* Begins the table of the list and widens it to its rows. */
static void begin_list(const struct roofs *roofs, struct table_pane *table)
{
    struct table_row row;

    table_pane_begin(table, list_columns, COLUMNS);
    for (int c = 0; c < ROOFLINE_COLUMNS; c++)
        table->column[c].title = roofline_titles[c];
    for (int p = 0; p < roofs->points; p++) {
        put_point(&roofs->point[p], false, &row);
        table_pane_widen_row(table, &row);
    }
}

static int list_width(const struct roofs *roofs)
{
    struct table_pane table;

    begin_list(roofs, &table);
    return MARK_COLUMNS + table_pane_natural(&table);
}

static void draw_point(const struct roofline_view *view, struct canvas *canvas, struct rect line,
                       int number, const struct table_pane *table)
{
    bool focus = number == focused_point(view);
    struct table_row row;

    if (focus) {
        widget_mark(canvas, line.row, line.column, STYLE_FOCUS, MARK_FOCUS);
        canvas->cursor_row = line.row;
        canvas->cursor_column = line.column;
    }
    put_point(&view->roofs.point[number], focus, &row);
    table_pane_row(table, canvas, after_mark(line), &row);
}

static void draw_list(struct roofline_view *view, struct canvas *canvas, struct rect box)
{
    struct rect inside = rect_inside(box);
    struct rect area = {inside.row + 1, inside.column, inside.rows - 1, inside.columns};
    struct table_pane table;

    widget_pane(canvas, box, "Components", false);
    begin_list(&view->roofs, &table);
    table_pane_lay(&table, after_mark(inside).columns, -1);
    table_pane_titles(&table, canvas, after_mark(inside), STYLE_DIM);
    list_pane_lay(&view->points, area, view->roofs.points);
    for (int p = view->points.first; list_pane_line(&view->points, p).rows > 0; p++)
        draw_point(view, canvas, list_pane_line(&view->points, p), p, &table);
    list_pane_draw_bar(&view->points, canvas, box.column + box.columns - 1, false);
}

/* Drawing -------------------------------------------------------------------------------------- */

/* Marks the dot under the cursor with a sign of its own, and its position on both axes. */
static void draw_dot_cursor(struct roofline_view *view, struct canvas *canvas)
{
    const struct roof_point *point = &view->roofs.point[focused_point(view)];
    const struct rect *inside = &view->plot.inside;
    int row, column;

    if (!view->plotted || point->intensity == RESULT_NONE || point->flops == RESULT_NONE ||
        !plot_cell(&view->plot, point->intensity, point->flops, &row, &column))
        return;
    canvas_put(canvas, row, column, STYLE_FOCUS, canvas->unicode ? 0x25C9 : '@');
    widget_mark(canvas, row, inside->column - 1, STYLE_FOCUS, MARK_FOCUS);
    canvas_put(canvas, inside->row + inside->rows, column, STYLE_FOCUS,
               canvas->unicode ? 0x25B2 : '^');
    if (view->layout.list.rows == 0) {
        canvas->cursor_row = row;
        canvas->cursor_column = column;
    }
}

static void draw_roofline(struct roofline_view *view, struct canvas *canvas)
{
    struct chart chart;
    char title[CHART_TITLE_MAX + 48];

    chart_roofline(&chart, &view->roofs, focused_point(view));
    snprintf(title, sizeof title, "%s%s", chart.title, design_stale_mark(view->design));
    widget_pane(canvas, view->layout.picture, title, true);
    view->plotted = chart_draw(&chart, canvas, rect_inside(view->layout.picture), &view->plot);
    chart_free(&chart);
}

static void roofline_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct roofline_view *view = state;
    bool listed;

    view->plotted = false;
    if (!view->found) {
        view->layout = (struct listed_layout){.picture = body};
        widget_pane(canvas, body, "Roofline", true);
        canvas_wrap(canvas, rect_inside(body), 0, STYLE_DIM,
                    design_problem_or(view->design, "The design has no device."));
        return;
    }
    view->layout = layout_listed(body, view->roofs.points + 1, list_width(&view->roofs));
    listed = view->layout.list.rows > 0;
    draw_roofline(view, canvas);
    if (listed)
        draw_list(view, canvas, view->layout.list);
    else
        list_pane_lay(&view->points, (struct rect){0, 0, 0, 0}, view->roofs.points);
    view->points.page = view->layout.list.rows > 4 ? view->points.area.rows : 4;
    if (view->roofs.points > 0)
        draw_dot_cursor(view, canvas);
}

/* Adds the factors that differ from 1, largest first. */
static void add_losses(const struct roof_point *point, struct buffer *text)
{
    bool listed[LOSS_COUNT] = {false};

    for (int i = 0; i < LOSS_COUNT; i++) {
        int most = -1;

        for (int l = 0; l < LOSS_COUNT; l++)
            if (!listed[l] && (most < 0 || point->loss[l] > point->loss[most]))
                most = l;
        listed[most] = true;
        if (point->loss[most] > 1.005 || point->loss[most] < 0.995)
            buffer_print(text, ", %s \xC3\x97 %s", roof_loss_name((enum roof_loss)most),
                         quantity_text(point->loss[most], "").text);
    }
}

/* Prints the losses of a point below its ceiling. `listed`: the list already shows its rate. */
static void print_point_detail(const struct roofs *roofs, const struct roof_point *point,
                               bool listed, struct buffer *text)
{
    char name[NAME_BYTES], attained[32], part[16];
    bool computes = point->flops != RESULT_NONE;

    roofline_name(point, name, sizeof name);
    if (point->fraction == RESULT_NONE) {
        buffer_print(text, "%s: %s", name,
                     point->time > 0 ? "its time does not depend on FLOP and bytes"
                                     : "nothing to do");
        return;
    }
    quantity_show(computes ? point->flops : point->rate, rate_unit(point), attained,
                  sizeof attained);
    roofline_fraction(point->fraction, part, sizeof part);
    buffer_print(text, "%s: %s%s%s of %s (%s)", name, listed ? "" : attained, listed ? "" : ", ",
                 part,
                 quantity_text(computes ? point->roof : point->bandwidth, rate_unit(point)).text,
                 point->under_memory ? roofs_level_name(roofs, point->level)
                                     : knob_word(KNOB_COMPONENT_PRECISION, (int)point->precision));
    add_losses(point, text);
}

static void roofline_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    struct roofline_view *view = state;
    const struct error *problem = &view->design->problem;
    int focus = focused_point(view);
    char bytes[400];
    struct buffer text = buffer_over(bytes, sizeof bytes);

    if (!view->found)
        return;
    if (problem->status != STATUS_OK)
        buffer_text(&text, problem->message);
    else if (focus < 0)
        buffer_text(&text, "no component runs on this device; v shows the next");
    else
        print_point_detail(&view->roofs, &view->roofs.point[focus], view->layout.list.rows > 0,
                           &text);
    text_clauses(bytes, line.columns - 2);
    canvas_text(canvas, line.row, 1, line.columns - 2,
                problem->status != STATUS_OK ? STYLE_ERROR : STYLE_NORMAL, bytes);
}

/* Keys and mouse ------------------------------------------------------------------------------- */

static void roofline_view_act(void *state, enum action_id id, const char *argument)
{
    struct roofline_view *view = state;

    (void)argument;
    if (id == ACTION_VARIANT)
        next_device(view);
    else if (list_pane_act(&view->points, id))
        keep_point(view);
}

/* Picks the dot nearest to a cell; a row is as high as two columns are wide. */
static void pick_nearest(struct roofline_view *view, int row, int column)
{
    double least = (double)INFINITY;
    int found = -1;

    for (int p = 0; p < view->roofs.points; p++) {
        const struct roof_point *point = &view->roofs.point[p];
        int at_row, at_column;
        double distance;

        if (!plot_cell(&view->plot, point->intensity, point->flops, &at_row, &at_column))
            continue;
        distance = hypot(2.0 * (at_row - row), at_column - column);
        if (distance < least) {
            least = distance;
            found = p;
        }
    }
    if (found >= 0)
        list_pane_set(&view->points, found);
}

static void roofline_view_mouse(void *state, const struct key_event *event)
{
    struct roofline_view *view = state;

    list_pane_mouse(&view->points, event, 1);
    if (event->mouse == MOUSE_PRESS && view->plotted &&
        rect_holds(view->plot.inside, event->row, event->column))
        pick_nearest(view, event->row, event->column);
    keep_point(view);
}

/* Chart, table and cursor ---------------------------------------------------------------------- */

static bool roofline_view_chart(void *state, struct chart *chart)
{
    struct roofline_view *view = state;

    if (!view->found)
        return false;
    chart_roofline(chart, &view->roofs, -1);
    return true;
}

static void roofline_view_table(const void *state, FILE *out, int columns)
{
    const struct roofline_view *view = state;

    roofline_table(&view->roofs, out, columns);
}

static void roofline_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct roofline_view *view = state;
    int focus = focused_point(view);

    if (focus < 0)
        return;
    cursor->section = SECTION_COMPONENT;
    cursor->index = design_find_component(view->design, view->roofs.point[focus].name);
    snprintf(cursor->path, sizeof cursor->path, "component.%s.%s", view->roofs.point[focus].name,
             view->roofs.point[focus].deferred ? "deferred_time" : "time");
}

const struct view view_roofline = {
    .name = "roofline",
    .start = roofline_view_start,
    .changed = roofline_view_changed,
    .pane = PANE_ROOFLINE,
    .draw = roofline_view_draw,
    .detail = roofline_view_detail,
    .act = roofline_view_act,
    .mouse = roofline_view_mouse,
    .chart = roofline_view_chart,
    .table = roofline_view_table,
    .cursor = roofline_view_cursor,
};
