#include "tui/view_roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "charts/roofline.h"
#include "draw/chart_canvas.h"
#include "tui/host.h"
#include "tui/view.h"
#include "tui/widget.h"

/* State ---------------------------------------------------------------------------------------- */

/* The roofs are found while the design is known to have a meaning, as they take what evaluate keeps
 * for itself. */
static void changed(void *state)
{
    struct roofline_view *view = state;
    int device;

    if (!view->host->design.evaluated || view->host->design.problem.status != STATUS_OK)
        return;
    device = view->device[0] == '\0'
                 ? -1
                 : section_find(&view->host->design.scenario, SECTION_DEVICE, view->device);
    if (device < 0)
        device = roofs_device(&view->host->design.result);
    view->found = device >= 0;
    if (view->found)
        roofs_find(&view->host->design.scenario, &view->host->design.result, device, &view->roofs);
}

static void start(void *state, struct host *host)
{
    struct roofline_view *view = state;

    *view = (struct roofline_view){.host = host};
    changed(view);
}

int roofline_focus(const struct roofline_view *view)
{
    if (!view->found)
        return -1;
    for (int p = 0; p < view->roofs.points; p++)
        if (strcmp(view->roofs.point[p].name, view->point) == 0 &&
            view->roofs.point[p].deferred == view->deferred)
            return p;
    return view->roofs.points > 0 ? 0 : -1;
}

static void move_to(struct roofline_view *view, int point)
{
    int count = view->found ? view->roofs.points : 0;

    if (point >= count)
        point = count - 1;
    if (point < 0)
        point = 0;
    if (count == 0)
        return;
    snprintf(view->point, sizeof view->point, "%s", view->roofs.point[point].name);
    view->deferred = view->roofs.point[point].deferred;
}

static void next_device(struct roofline_view *view)
{
    int device;

    if (!view->found || view->host->design.scenario.device_count == 0)
        return;
    device = section_find(&view->host->design.scenario, SECTION_DEVICE, view->roofs.device);
    device = (device + 1) % view->host->design.scenario.device_count;
    snprintf(view->device, sizeof view->device, "%s",
             view->host->design.scenario.device[device].head.name);
    changed(view);
    view->first = 0;
}

/* Drawing -------------------------------------------------------------------------------------- */

/* The dot under the cursor, told by its sign, and where it is on both axes. */
static void draw_cursor(struct roofline_view *view, struct canvas *canvas)
{
    const struct roof_point *point = &view->roofs.point[roofline_focus(view)];
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

static void draw_chart(struct roofline_view *view, struct canvas *canvas)
{
    struct chart chart;
    char title[CHART_TITLE_MAX + 48];

    chart_roofline(&chart, &view->roofs, roofline_focus(view));
    snprintf(title, sizeof title, "%s%s", chart.title,
             view->host->design.problem.status != STATUS_OK ? ": stale" : "");
    widget_pane(canvas, view->layout.picture, title, true);
    view->plotted = chart_draw(&chart, canvas, rect_inside(view->layout.picture), &view->plot);
    chart_free(&chart);
}

static void draw(void *state, struct canvas *canvas, struct rect body)
{
    struct roofline_view *view = state;

    view->plotted = false;
    if (!view->found) {
        view->layout = (struct listed_layout){.picture = body};
        widget_pane(canvas, body, "Roofline", true);
        widget_wrap(canvas, rect_inside(body), 0, STYLE_DIM,
                    "The design has no device, or no meaning yet.");
        return;
    }
    view->layout = layout_listed(body, view->roofs.points + 1, roofline_list_columns(&view->roofs));
    draw_chart(view, canvas);
    if (view->layout.list.rows > 0)
        roofline_draw_list(view, canvas, view->layout.list);
    if (view->roofs.points > 0)
        draw_cursor(view, canvas);
}

static void detail(void *state, struct canvas *canvas, struct rect line)
{
    struct roofline_view *view = state;
    int focus = roofline_focus(view);
    char text[400];

    if (view->host->design.problem.status != STATUS_OK) {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR,
                    view->host->design.problem.message);
        return;
    }
    if (focus < 0)
        snprintf(text, sizeof text, "nothing runs on this device; v: the next one");
    else
        roofline_detail(&view->roofs.point[focus], view->layout.list.rows > 0, text, sizeof text);
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_NORMAL, text);
}

/* Keys and mouse ------------------------------------------------------------------------------- */

static void act(void *state, enum action_id id, const char *argument)
{
    struct roofline_view *view = state;
    int focus = roofline_focus(view);
    int page = view->layout.list.rows > 4 ? view->layout.list.rows - 3 : 4;

    (void)argument;
    if (id == ACTION_VARIANT)
        next_device(view);
    else if (id == ACTION_UP || id == ACTION_DOWN)
        move_to(view, focus + (id == ACTION_UP ? -1 : 1));
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        move_to(view, focus + (id == ACTION_PAGE_UP ? -page : page));
    else if (id == ACTION_START || id == ACTION_END)
        move_to(view, id == ACTION_START ? 0 : ROOFS_POINTS);
}

/* The dot nearest to a cell, by the lengths one sees: a row is as high as two columns are wide. */
static void pick(struct roofline_view *view, int row, int column)
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
        move_to(view, found);
}

static void mouse(void *state, const struct key_event *event)
{
    struct roofline_view *view = state;
    struct rect list = rect_inside(view->layout.list);
    int focus = roofline_focus(view);

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        move_to(view, focus + (event->mouse == MOUSE_WHEEL_UP ? -1 : 1));
    else if (event->mouse != MOUSE_PRESS)
        return;
    else if (rect_holds(list, event->row, event->column) && event->row > list.row)
        move_to(view, view->first + event->row - list.row - 1);
    else if (view->plotted && rect_holds(view->plot.inside, event->row, event->column))
        pick(view, event->row, event->column);
}

/* What others ask ------------------------------------------------------------------------------ */

static bool chart_of(void *state, struct chart *chart)
{
    struct roofline_view *view = state;

    if (!view->found)
        return false;
    chart_roofline(chart, &view->roofs, -1);
    return true;
}

static void table_of(const void *state, FILE *out, int columns)
{
    const struct roofline_view *view = state;

    roofline_table(&view->roofs, out, columns);
}

static bool section_of(const void *state, enum section *section, int *index)
{
    const struct roofline_view *view = state;
    int focus = roofline_focus(view);
    char name[NODE_NAME_MAX + 1];

    if (focus < 0)
        return false;
    /* a part's is NAME@DEVICE */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(view->roofs.point[focus].name, "@"),
             view->roofs.point[focus].name);
    *section = SECTION_COMPONENT;
    *index = section_find(&view->host->design.scenario, SECTION_COMPONENT, name);
    return *index >= 0;
}

static bool path_of(const void *state, char *path, size_t size)
{
    const struct roofline_view *view = state;
    int focus = roofline_focus(view);

    if (focus < 0)
        return false;
    snprintf(path, size, "component.%s.%s", view->roofs.point[focus].name,
             view->roofs.point[focus].deferred ? "deferred_time" : "time");
    return true;
}

const struct view view_roofline = {
    .name = "roofline",
    .start = start,
    .changed = changed,
    .place = PLACE_ROOFLINE,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
    .chart = chart_of,
    .table = table_of,
    .section = section_of,
    .path = path_of,
};
