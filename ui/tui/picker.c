#include "tui/picker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/number.h"
#include "tui/filter.h"
#include "tui/layout.h"
#include "tui/widget.h"

void picker_start(struct picker *picker, const char *title, const struct table_column *columns,
                  int column_count)
{
    snprintf(picker->title, sizeof picker->title, "%s", title);
    picker->note[0] = '\0';
    table_pane_begin(&picker->table, columns, column_count);
    picker->sortable = column_count > 1;
    picker->count = 0;
    picker->list = (struct list_pane){0};
    picker->syntax = NULL;
    picker->asks = false;
    picker->passed[0] = '\0';
    picker->sort = 0;
    picker->reversed = false;
    picker->typing = false;
    line_set(&picker->filter, "", false);
}

void picker_free(struct picker *picker)
{
    free(picker->items);
    free(picker->shown);
    picker->items = NULL;
    picker->shown = NULL;
    picker->count = picker->list.count = picker->capacity = picker->shown_capacity = 0;
}

struct picker_item *picker_add(struct picker *picker)
{
    struct picker_item *item;

    picker->items =
        array_reserve(picker->items, picker->count, &picker->capacity, sizeof *picker->items);
    picker->shown =
        array_reserve(picker->shown, picker->count, &picker->shown_capacity, sizeof *picker->shown);
    item = &picker->items[picker->count];
    *item = (struct picker_item){.id = picker->count++};
    return item;
}

struct picker_item *picker_add_texts(struct picker *picker, int id, const char *first,
                                     const char *second)
{
    struct picker_item *item = picker_add(picker);

    item->id = id;
    snprintf(item->text[0], PICKER_TEXT, "%s", first);
    snprintf(item->text[1], PICKER_TEXT, "%s", second);
    return item;
}

/* Returns the number to maximise. */
static double sort_number(const struct picker *picker, const struct picker_item *item)
{
    double value = item->value[picker->sort];

    return !picker->table.column[picker->sort].least ? value : value > 0 ? -value : -HUGE_VAL;
}

/* Returns true if a sorts before b. The sort is stable. */
static bool picker_item_precedes(const struct picker *picker, int a, int b)
{
    int of_a = a - picker->items[a].below, of_b = b - picker->items[b].below;
    const struct picker_item *x = &picker->items[of_a != of_b ? of_a : a];
    const struct picker_item *y = &picker->items[of_a != of_b ? of_b : b];
    int by = picker->sort;
    int order = 0;

    if (of_a == of_b && (a == of_a || b == of_b))
        return a == of_a;
    if (x->inside != y->inside)
        return y->inside;
    if (x->group != y->group)
        return x->group < y->group;
    if (picker->sortable && picker->table.column[by].number)
        order = (sort_number(picker, x) < sort_number(picker, y)) -
                (sort_number(picker, x) > sort_number(picker, y));
    else if (picker->sortable)
        order = strcasecmp(x->text[by], y->text[by]);
    if (picker->reversed)
        order = -order;
    return order < 0 || (order == 0 && a < b);
}

static enum found filter_item(const struct picker *picker, int item)
{
    if (picker->asks)
        return FOUND_BEGINS;
    return filter_find_all(&picker->read, picker->table.column, picker->table.count,
                           &picker->items[item]);
}

/* Widens the columns to the texts of all items, so that filtering does not move them. */
static void measure_columns(struct picker *picker)
{
    table_pane_begin(&picker->table, picker->table.declared, picker->table.count);
    picker->table.close = true;
    for (int i = 0; i < picker->count; i++)
        for (int c = 0; c < picker->table.count; c++)
            table_pane_widen(&picker->table, c, picker->items[i].text[c]);
}

/* Sorts items by merging halves; `spare` has room for as many. */
static void sort_items(const struct picker *picker, int *items, int count, int *spare)
{
    int half = count / 2;
    int a = 0, b = half;

    if (count < 2)
        return;
    sort_items(picker, items, half, spare);
    sort_items(picker, items + half, count - half, spare);
    memcpy(spare, items, (size_t)count * sizeof *items);
    for (int i = 0; i < count; i++) {
        bool first = b == count || (a < half && picker_item_precedes(picker, spare[a], spare[b]));

        items[i] = first ? spare[a++] : spare[b++];
    }
}

static void select_shown(struct picker *picker)
{
    int *spare = allocate_array((size_t)picker->count + 1, sizeof *spare);

    measure_columns(picker);
    if (!picker->asks)
        filter_read(&picker->read, picker->filter.text, picker->table.column, picker->table.count);
    picker->list.count = 0;
    for (int i = 0; i < picker->count; i++) {
        enum found found = filter_item(picker, i);

        picker->items[i].inside = found == FOUND_INSIDE;
        if (found != FOUND_NOT)
            picker->shown[picker->list.count++] = i;
    }
    sort_items(picker, picker->shown, picker->list.count, spare);
    free(spare);
    for (int i = 0; i < picker->count; i++)
        if (picker->items[i].always && filter_item(picker, i) == FOUND_NOT)
            picker->shown[picker->list.count++] = i;
}

static void focus_on(struct picker *picker, int id)
{
    picker->list.focus = 0;
    for (int s = 0; s < picker->list.count; s++)
        if (picker->shown[s] == id)
            picker->list.focus = s;
}

void picker_ready(struct picker *picker, int id)
{
    select_shown(picker);
    focus_on(picker, id);
}

void picker_mark_present(struct picker_item *item)
{
    size_t used = strlen(item->text[0]);

    item->present = true;
    if (used + sizeof PICKER_NOW > PICKER_TEXT)
        text_cut(item->text[0], PICKER_TEXT / 2);
    used = strlen(item->text[0]);
    snprintf(item->text[0] + used, PICKER_TEXT - used, "%s", PICKER_NOW);
}

bool picker_type(struct picker *picker, uint32_t character)
{
    picker->typing = true;
    return line_insert(&picker->filter, character);
}

void picker_refilter(struct picker *picker)
{
    select_shown(picker);
    picker->list.focus = picker->list.first = 0;
}

int picker_chosen(const struct picker *picker)
{
    int shown = list_pane_focus(&picker->list);

    return shown < 0 ? -1 : picker->shown[shown];
}

void picker_update(struct picker *picker)
{
    int chosen = picker_chosen(picker);

    select_shown(picker);
    focus_on(picker, chosen);
}

void picker_seek(struct picker *picker, int id)
{
    for (int s = 0; s < picker->list.count; s++)
        if (picker->items[picker->shown[s]].id == id)
            list_pane_set(&picker->list, s);
}

void picker_replace(struct picker *picker, const struct picker_item *items, int count)
{
    int chosen = picker_chosen(picker);
    int id = chosen >= 0 ? picker->items[chosen].id : 0;
    bool moved = picker->list.focus > 0 && chosen >= 0;

    picker->count = 0;
    for (int i = 0; i < count; i++)
        *picker_add(picker) = items[i];
    select_shown(picker);
    if (moved)
        picker_seek(picker, id);
}

void picker_sort(struct picker *picker, int by)
{
    if (!picker->sortable)
        return;
    picker->reversed = false;
    do
        picker->sort = (picker->sort + by + picker->table.count) % picker->table.count;
    while (picker->sort != 0 && !table_pane_has(&picker->table, picker->sort));
    picker_update(picker);
}

void picker_act(struct picker *picker, enum action_id id)
{
    picker->typing = false;
    if (list_pane_act(&picker->list, id))
        return;
    if (id == ACTION_SORT || id == ACTION_SORT_BACK) {
        picker_sort(picker, id == ACTION_SORT ? 1 : -1);
    } else if (id == ACTION_REVERSE) {
        picker->reversed = !picker->reversed;
        picker_update(picker);
    } else if (id == ACTION_DELETE_LEFT) {
        line_delete_left(&picker->filter);
        picker->typing = picker->filter.length > 0;
        picker_refilter(picker);
    } else if (id == ACTION_DELETE_ALL) {
        line_set(&picker->filter, "", false);
        picker_refilter(picker);
    }
}

/* Sorts by a column, or the other way round if it is the sort column. */
static void sort_by(struct picker *picker, int column)
{
    picker->reversed = picker->sort == column && !picker->reversed;
    picker->sort = column;
    picker_update(picker);
}

bool picker_mouse(struct picker *picker, const struct key_event *event)
{
    picker->typing = false;
    for (int c = 0; c < picker->table.count && event->mouse == MOUSE_PRESS; c++) {
        if (!picker->sortable || !rect_holds(table_pane_rect(&picker->table, picker->titles, c),
                                             event->row, event->column))
            continue;
        sort_by(picker, c);
        return false;
    }
    return list_pane_mouse(&picker->list, event, 3);
}

/* Drawing -------------------------------------------------------------------------------------- */

enum { EDGE = 2, EDGES = 3 }; /* cells before the columns, and also behind them */

static struct rect cells_of_line(struct rect line)
{
    line.column += EDGE;
    line.columns -= EDGES;
    return line;
}

/* Draws the titles, that of the sort column with a mark, and keeps where they are. */
static void draw_titles(struct picker *picker, struct canvas *canvas, struct rect line)
{
    const struct table_column *by = &picker->table.column[picker->sort];

    picker->titles = cells_of_line(line);
    table_pane_titles(&picker->table, canvas, picker->titles, STYLE_DIM);
    line = picker->titles;
    line.columns++; /* an edge */
    if (picker->sortable)
        table_pane_mark_sorted(&picker->table, canvas, line, picker->sort,
                               (by->number && !by->least) != picker->reversed);
}

static void draw_item(const struct picker *picker, struct canvas *canvas, struct rect line,
                      int shown, bool focus)
{
    const struct picker_item *item = &picker->items[picker->shown[shown]];

    for (int c = 0; c < picker->table.count; c++)
        table_pane_cell(&picker->table, canvas, cells_of_line(line), c,
                        item->group > 0 ? STYLE_DIM : STYLE_NORMAL, item->text[c]);
    if (item->present || item->fold != ITEM_ALONE)
        widget_mark(canvas, line.row, line.column + 1, STYLE_TITLE,
                    item->present             ? MARK_PRESENT
                    : item->fold == ITEM_OPEN ? MARK_OPEN
                                              : MARK_CLOSED);
    if (shown == list_pane_focus(&picker->list))
        list_pane_draw_cursor(canvas, line, focus);
}

/* Draws the filter on a row of its own, with the number of items. */
static void draw_filter(const struct picker *picker, struct canvas *canvas, struct rect line,
                        bool typed)
{
    int used =
        canvas_text(canvas, line.row, line.column + 2, line.columns - 2, STYLE_DIM, "filter: ");
    char count[32];
    int width;

    snprintf(count, sizeof count, "%d of %d", picker->list.count, picker->count);
    if (picker->asks)
        snprintf(count, sizeof count, "%s", picker->passed);
    width = text_width(count);
    canvas_right(canvas, line.row, line.column + line.columns - width - 1, width, STYLE_DIM, count);
    if (typed)
        line_draw(&picker->filter, canvas, line.row, line.column + 2 + used,
                  line.columns - used - width - 4);
    else
        canvas_text(canvas, line.row, line.column + 2 + used, line.columns - used - width - 4,
                    STYLE_NORMAL, picker->filter.text);
    if (picker->filter.length == 0 && picker->syntax != NULL)
        canvas_text(canvas, line.row, line.column + 2 + used + 2, line.columns - used - width - 6,
                    STYLE_DIM, picker->syntax);
}

/* Draws the filter in the lower border of a short list, if it is not empty. */
static void draw_border_filter(const struct picker *picker, struct canvas *canvas, struct rect box)
{
    int row = box.row + box.rows - 1;
    int used;

    if (picker->filter.length == 0)
        return;
    used = canvas_text(canvas, row, box.column + 2, 9, STYLE_DIM, " filter: ");
    line_draw(&picker->filter, canvas, row, box.column + 2 + used, box.columns - used - 5);
}

/* Chooses the columns for lines of these cells. */
static void lay_columns(struct picker *picker, int columns)
{
    table_pane_lay(&picker->table, columns - EDGES, picker->sortable ? picker->sort : -1);
    picker->titles = (struct rect){0, 0, 0, 0};
}

static void draw_items(struct picker *picker, struct canvas *canvas, struct rect area, bool focus)
{
    const struct list_pane *list = &picker->list;

    for (int i = list->first; i < list->count && i < list->first + area.rows; i++)
        draw_item(picker, canvas, list_pane_line(list, i), i, focus);
    list_pane_draw_bar(list, canvas, area.column + area.columns, focus);
}

void picker_draw_inside(struct picker *picker, struct canvas *canvas, struct rect inside,
                        bool focus)
{
    enum { ABOVE = 2 };
    struct rect items = {inside.row + ABOVE, inside.column, inside.rows - ABOVE, inside.columns};
    struct rect titles = {inside.row + 1, inside.column, 1, inside.columns};

    list_pane_lay(&picker->list, items, picker->list.count);
    lay_columns(picker, inside.columns);
    draw_filter(picker, canvas, inside, false);
    if (picker->list.count > 0)
        draw_titles(picker, canvas, titles);
    draw_items(picker, canvas, items, focus);
}

void picker_draw(struct picker *picker, struct canvas *canvas, struct rect body)
{
    enum { LONG = 8, COLUMNS_LEAST = 48, BORDERS = 2, MARGIN = 6, NOTE_EDGES = 3 };
    struct list_pane *list = &picker->list;
    struct canvas count = {0};
    int room = body.columns - BORDERS - NOTE_EDGES;
    int note = picker->note[0] == '\0' ? 0
                                       : canvas_wrap(&count, (struct rect){0, 0, 1, room}, 0,
                                                     STYLE_NORMAL, picker->note);
    bool filter = picker->count > LONG;
    bool titles = picker->table.column[0].title[0] != '\0';
    int above = note + filter + titles;
    int total, columns;
    struct rect box, row, line, items;

    lay_columns(picker, body.columns - BORDERS);
    total = picker->table.total + EDGES;
    columns = clamp_int(text_width(picker->note) + NOTE_EDGES,
                        total > COLUMNS_LEAST ? total : COLUMNS_LEAST, body.columns);
    box = layout_overlay(body, picker->count + above, columns);
    if (box.columns < columns + BORDERS) {
        box.column = body.column;
        box.columns = clamp_int(columns + BORDERS, 0, body.columns);
    }
    row = rect_inside(box);
    items = (struct rect){row.row + above, row.column, row.rows - above, row.columns};
    list_pane_lay(list, items, list->count);
    if (box.column - body.column < MARGIN) /* no stray columns of the view beside it */
        canvas_fill(canvas, (struct rect){box.row, body.column, box.rows, body.columns},
                    STYLE_NORMAL, ' ');
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, picker->title);
    canvas_wrap(canvas, (struct rect){row.row, row.column + 2, note, row.columns - NOTE_EDGES}, 0,
                STYLE_NORMAL, picker->note);
    row.row += note;
    line = row;
    row.row += filter;
    if (titles)
        draw_titles(picker, canvas, row);
    draw_items(picker, canvas, items, true);
    if (list->count == 0)
        canvas_text(canvas, items.row, items.column + 2, items.columns - 2, STYLE_DIM,
                    "nothing matches; Backspace widens the filter");
    if (filter)
        draw_filter(picker, canvas, line, picker->typing);
    else
        draw_border_filter(picker, canvas, box);
}
