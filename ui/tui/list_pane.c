#include "tui/list_pane.h"

#include "base/number.h"
#include "tui/layout.h"
#include "tui/widget.h"

int list_pane_focus(const struct list_pane *list)
{
    return list->count == 0 ? -1 : clamp_int(list->focus, 0, list->count - 1);
}

void list_pane_set(struct list_pane *list, int item)
{
    list->focus = clamp_int(item, 0, list->count - 1);
}

static void set_first(struct list_pane *list, int first)
{
    list->first = clamp_int(first, 0, list->total - list->area.rows);
}

void list_pane_move(struct list_pane *list, int by)
{
    if (list->text)
        set_first(list, list->first + by);
    else
        list_pane_set(list, clamp_int(list->focus, 0, list->count - 1) + by);
}

void list_pane_scroll(struct list_pane *list, int by)
{
    set_first(list, list->first + by);
    if (!list->text)
        list_pane_set(list, clamp_int(list->focus, list->first, list->first + list->area.rows - 1));
}

bool list_pane_act(struct list_pane *list, enum action_id id)
{
    int page = list->page > 0 ? list->page : clamp_int(list->area.rows - 1, 1, list->area.rows);
    int all = list->count > list->total ? list->count : list->total;

    switch ((int)id) {
    case ACTION_UP:
    case ACTION_DOWN:
        list_pane_move(list, id == ACTION_UP ? -1 : 1);
        return true;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        list_pane_move(list, id == ACTION_PAGE_UP ? -page : page);
        return true;
    case ACTION_START:
    case ACTION_END:
        list_pane_move(list, id == ACTION_START ? -all : all);
        return true;
    default:
        return false;
    }
}

int list_pane_row_at(const struct list_pane *list, int row, int column)
{
    int at = list->first + row - list->area.row;

    return rect_holds(list->area, row, column) && at < list->total ? at : -1;
}

bool list_pane_mouse(struct list_pane *list, const struct key_event *event, int wheel)
{
    int before = list_pane_focus(list);
    int row = list_pane_row_at(list, event->row, event->column);

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        list_pane_move(list, event->mouse == MOUSE_WHEEL_UP ? -wheel : wheel);
    if (event->mouse != MOUSE_PRESS || row < 0 || list->text)
        return false;
    list->focus = row;
    return row == before;
}

void list_pane_lay_rows(struct list_pane *list, struct rect area, int count, int total, int top,
                        int rows)
{
    list->area = area;
    list->count = count;
    list->total = total;
    if (!list->text) {
        if (list->first < top + rows - area.rows)
            list->first = top + rows - area.rows;
        if (list->first > top)
            list->first = top;
    }
    set_first(list, list->first);
}

void list_pane_lay(struct list_pane *list, struct rect area, int count)
{
    list_pane_lay_rows(list, area, count, count, clamp_int(list->focus, 0, count - 1), 1);
}

struct rect list_pane_line(const struct list_pane *list, int row)
{
    struct rect line = list->area;

    line.row += row - list->first;
    line.rows = rect_holds(list->area, line.row, line.column) && row < list->total ? 1 : 0;
    return line;
}

void list_pane_draw_cursor(struct canvas *canvas, struct rect line, bool focus)
{
    canvas_restyle(canvas, line, focus ? STYLE_FOCUS : STYLE_SELECTED);
    if (!focus)
        return;
    widget_mark(canvas, line.row, line.column, STYLE_FOCUS, MARK_FOCUS);
    canvas->cursor_row = line.row;
    canvas->cursor_column = line.column;
}

void list_pane_draw_bar(const struct list_pane *list, struct canvas *canvas, int column, bool focus)
{
    int visible = list->area.rows;
    int length;
    int start;

    if (visible <= 0 || list->total <= visible)
        return;
    length = clamp_int(visible * visible / list->total, 1, visible);
    start = (visible - length) * clamp_int(list->first, 0, list->total - visible) /
            (list->total - visible);
    for (int r = 0; r < length; r++)
        widget_mark(canvas, list->area.row + start + r, column, focus ? STYLE_TITLE : STYLE_BORDER,
                    MARK_THUMB);
}
