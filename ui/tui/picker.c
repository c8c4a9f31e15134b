#include "tui/picker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/number.h"
#include "tui/filter.h"
#include "tui/layout.h"
#include "tui/widget.h"

void picker_start(struct picker *picker, const char *title, const struct picker_column *columns,
                  int column_count)
{
    snprintf(picker->title, sizeof picker->title, "%s", title);
    picker->note[0] = '\0';
    picker->columns = columns;
    picker->column_count = column_count;
    picker->sortable = column_count > 1;
    picker->count = 0;
    picker->list = (struct list_pane){0};
    picker->syntax = NULL;
    picker->asks = false;
    picker->passed[0] = '\0';
    picker->sort = 0;
    picker->reversed = false;
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

    return !picker->columns[picker->sort].least ? value : value > 0 ? -value : -HUGE_VAL;
}

/* Returns true if a sorts before b. The sort is stable. */
static bool picker_item_precedes(const struct picker *picker, int a, int b)
{
    const struct picker_item *x = &picker->items[a];
    const struct picker_item *y = &picker->items[b];
    int by = picker->sort;
    int order = 0;

    if (x->inside != y->inside)
        return y->inside;
    if (x->group != y->group)
        return x->group < y->group;
    if (picker->sortable && picker->columns[by].number)
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
    return filter_find_all(&picker->read, picker->columns, picker->column_count,
                           &picker->items[item]);
}

static void select_shown(struct picker *picker)
{
    if (!picker->asks)
        filter_read(&picker->read, picker->filter.text, picker->columns, picker->column_count);
    picker->list.count = 0;
    for (int i = 0; i < picker->count; i++) {
        int at = picker->list.count;
        enum found found = filter_item(picker, i);

        picker->items[i].inside = found == FOUND_INSIDE;
        if (found == FOUND_NOT)
            continue;
        /* insertion sort: lists are short and mostly sorted */
        for (; at > 0 && picker_item_precedes(picker, i, picker->shown[at - 1]); at--)
            picker->shown[at] = picker->shown[at - 1];
        picker->shown[at] = i;
        picker->list.count++;
    }
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

void picker_replace(struct picker *picker, const struct picker_item *items, int count)
{
    int chosen = picker_chosen(picker);
    int id = chosen >= 0 ? picker->items[chosen].id : 0;
    bool moved = picker->list.focus > 0 && chosen >= 0;

    picker->count = 0;
    for (int i = 0; i < count; i++)
        *picker_add(picker) = items[i];
    select_shown(picker);
    for (int s = 0; s < picker->list.count && moved; s++)
        if (picker->items[picker->shown[s]].id == id)
            picker->list.focus = s;
}

/* Returns true if no row has a text in the column, nor will have one. */
static bool is_empty(const struct picker *picker, int column)
{
    if (picker->columns[column].hidden)
        return true;
    if (picker->columns[column].width > 0)
        return false;
    for (int i = 0; i < picker->count; i++)
        if (picker->items[i].text[column][0] != '\0')
            return false;
    return picker->count > 0;
}

void picker_sort(struct picker *picker, int by)
{
    if (!picker->sortable)
        return;
    picker->reversed = false;
    do
        picker->sort = (picker->sort + by + picker->column_count) % picker->column_count;
    while (picker->sort != 0 && is_empty(picker, picker->sort));
    picker_update(picker);
}

void picker_act(struct picker *picker, enum action_id id)
{
    if (list_pane_act(&picker->list, id))
        return;
    if (id == ACTION_SORT || id == ACTION_SORT_BACK) {
        picker_sort(picker, id == ACTION_SORT ? 1 : -1);
    } else if (id == ACTION_REVERSE) {
        picker->reversed = !picker->reversed;
        picker_update(picker);
    } else if (id == ACTION_DELETE_LEFT) {
        line_delete_left(&picker->filter);
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
    for (int c = 0; c < picker->column_count && event->mouse == MOUSE_PRESS; c++) {
        if (!picker->sortable || !rect_holds(picker->titles[c], event->row, event->column))
            continue;
        sort_by(picker, c);
        return false;
    }
    return list_pane_mouse(&picker->list, event, 3);
}

/* Drawing -------------------------------------------------------------------------------------- */

enum { EDGE = 2, GAP = 2, NARROW_GAP = 1 }; /* cells before the columns and between them */

/* Returns the width of a column over all items, so that filtering does not move it; 0: empty. */
static int measure_column(const struct picker *picker, int column)
{
    int width = text_width(picker->columns[column].title);

    if (column > 0 && is_empty(picker, column))
        return 0;
    width = width > picker->columns[column].width ? width : picker->columns[column].width;
    for (int i = 0; i < picker->count; i++) {
        int cells = text_width(picker->items[i].text[column]);

        width = cells > width ? cells : width;
    }
    return width;
}

static int sum_widths(const struct picker *picker, const int widths[PICKER_COLUMNS], int gap)
{
    int total = 0;

    for (int c = 0; c < picker->column_count; c++)
        total += widths[c] > 0 ? widths[c] + (total > 0 ? gap : 0) : 0;
    return total;
}

/* Returns the number of rows with a text in the column. */
static int count_texts(const struct picker *picker, int column)
{
    int count = 0;

    for (int i = 0; i < picker->count; i++)
        count += picker->items[i].text[column][0] != '\0';
    return count;
}

/* Returns true if column `a` disappears before `b`: of two that are as important the emptier one. */
static bool drops_before(const struct picker *picker, int a, int b)
{
    int order = picker->columns[a].drop - picker->columns[b].drop;

    return order != 0 ? order > 0 : count_texts(picker, a) < count_texts(picker, b);
}

/* Returns the cells that columns close together need, with texts as brief as they may be or not. */
static int needed_cells(const struct picker *picker, const int widths[PICKER_COLUMNS], bool brief)
{
    int total = sum_widths(picker, widths, NARROW_GAP);

    for (int c = 0; c < picker->column_count && brief; c++)
        if (picker->columns[c].brief > 0 && widths[c] > picker->columns[c].brief)
            total -= widths[c] - picker->columns[c].brief;
    return total;
}

/* Drops columns until the others fit in `room` cells; the key figures only if they do not fit with
 * texts as brief as they may be. */
static void drop_columns(const struct picker *picker, int widths[PICKER_COLUMNS], int room)
{
    enum { KEY_FIGURE = 2 }; /* most `drop` of such columns */
    bool brief = false;

    while (needed_cells(picker, widths, brief) > room) {
        int least = 0;

        for (int c = 1; c < picker->column_count; c++)
            if (widths[c] > 0 && !(picker->sortable && c == picker->sort) &&
                drops_before(picker, c, least))
                least = c;
        if (picker->columns[least].drop > KEY_FIGURE || (brief && picker->columns[least].drop > 0))
            widths[least] = 0;
        else if (!brief)
            brief = true;
        else
            return;
    }
}

/* Shortens the widest text columns by `excess`, so that the numbers stay visible. */
static void narrow_widest(const struct picker *picker, int widths[PICKER_COLUMNS], int excess)
{
    enum { LEAST = 8 };

    for (; excess > 0; excess--) {
        int widest = 0;

        for (int c = 1; c < picker->column_count; c++)
            if (!picker->columns[c].number &&
                (picker->columns[widest].number || widths[c] > widths[widest]))
                widest = c;
        if (widths[widest] <= LEAST)
            return;
        widths[widest]--;
    }
}

/* Draws the row of an item, or of the column titles (NULL). */
static void draw_cells(const struct picker *picker, struct canvas *canvas, struct rect line,
                       const int *widths, int gap, const struct picker_item *item)
{
    int column = line.column + EDGE;
    int right = line.column + line.columns - 1;

    for (int c = 0; c < picker->column_count; c++) {
        const struct picker_column *head = &picker->columns[c];
        int room = widths[c] < right - column ? widths[c] : right - column;
        bool sorted = item == NULL && picker->sortable && c == picker->sort;
        enum style style = item == NULL      ? (sorted ? STYLE_TITLE : STYLE_DIM)
                           : item->group > 0 ? STYLE_DIM
                                             : STYLE_NORMAL;
        const char *text = item == NULL ? head->title : item->text[c];

        if (widths[c] == 0)
            continue;
        (head->number ? canvas_right : canvas_text)(canvas, line.row, column, room, style, text);
        if (sorted)
            canvas_text(canvas, line.row, column + (head->number ? room : text_width(text)), 1,
                        style,
                        (head->number && !head->least) != picker->reversed ? "\xE2\x96\xBE"
                                                                           : "\xE2\x96\xB4");
        column += widths[c] + gap;
    }
}

/* Draws the titles and keeps where they are. */
static void draw_titles(struct picker *picker, struct canvas *canvas, struct rect line,
                        const int *widths, int gap)
{
    int column = line.column + EDGE;

    draw_cells(picker, canvas, line, widths, gap, NULL);
    for (int c = 0; c < picker->column_count; c++) {
        picker->titles[c] = (struct rect){line.row, column, 1, widths[c]};
        column += widths[c] > 0 ? widths[c] + gap : 0;
    }
}

static void draw_item(const struct picker *picker, struct canvas *canvas, struct rect line,
                      const int *widths, int gap, int shown, bool focus)
{
    int item = picker->shown[shown];

    draw_cells(picker, canvas, line, widths, gap, &picker->items[item]);
    if (picker->items[item].present)
        widget_mark(canvas, line.row, line.column + 1, STYLE_TITLE, MARK_PRESENT);
    if (shown == list_pane_focus(&picker->list))
        list_pane_draw_cursor(canvas, line, focus);
}

/* Draws the filter on a row of its own, with the number of items. */
static void draw_filter(const struct picker *picker, struct canvas *canvas, struct rect line,
                        bool typed)
{
    enum { COUNT = 16 };
    int used =
        canvas_text(canvas, line.row, line.column + 2, line.columns - 2, STYLE_DIM, "filter: ");
    char count[32];

    snprintf(count, sizeof count, "%d of %d", picker->list.count, picker->count);
    if (picker->asks)
        snprintf(count, sizeof count, "%s", picker->passed);
    canvas_right(canvas, line.row, line.column + line.columns - COUNT - 1, COUNT, STYLE_DIM, count);
    if (typed)
        line_draw(&picker->filter, canvas, line.row, line.column + 2 + used,
                  line.columns - used - COUNT - 4);
    else
        canvas_text(canvas, line.row, line.column + 2 + used, line.columns - used - COUNT - 4,
                    STYLE_NORMAL, picker->filter.text);
    if (picker->filter.length == 0 && picker->syntax != NULL)
        canvas_text(canvas, line.row, line.column + 2 + used + 2, line.columns - used - COUNT - 6,
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

/* Chooses the widths of the columns for `room` cells; returns the gap between them. */
static int lay_columns(const struct picker *picker, int room, int widths[PICKER_COLUMNS])
{
    for (int c = 0; c < picker->column_count; c++)
        widths[c] = measure_column(picker, c);
    drop_columns(picker, widths, room);
    return sum_widths(picker, widths, GAP) > room ? NARROW_GAP : GAP;
}

static void draw_items(struct picker *picker, struct canvas *canvas, struct rect area,
                       const int *widths, int gap, bool focus)
{
    const struct list_pane *list = &picker->list;

    for (int i = list->first; i < list->count && i < list->first + area.rows; i++)
        draw_item(picker, canvas, list_pane_line(list, i), widths, gap, i, focus);
    list_pane_draw_bar(list, canvas, area.column + area.columns, focus);
}

void picker_draw_inside(struct picker *picker, struct canvas *canvas, struct rect inside,
                        bool focus)
{
    enum { EDGES = 3, ABOVE = 2 };
    struct rect items = {inside.row + ABOVE, inside.column, inside.rows - ABOVE, inside.columns};
    struct rect titles = {inside.row + 1, inside.column, 1, inside.columns};
    int widths[PICKER_COLUMNS];
    int gap = lay_columns(picker, inside.columns - EDGES, widths);

    list_pane_lay(&picker->list, items, picker->list.count);
    narrow_widest(picker, widths, sum_widths(picker, widths, gap) + EDGES - inside.columns);
    draw_filter(picker, canvas, inside, false);
    memset(picker->titles, 0, sizeof picker->titles);
    if (picker->list.count > 0)
        draw_titles(picker, canvas, titles, widths, gap);
    draw_items(picker, canvas, items, widths, gap, focus);
}

void picker_draw(struct picker *picker, struct canvas *canvas, struct rect body)
{
    enum { LONG = 8, COLUMNS_LEAST = 48, EDGES = 3, BORDERS = 2, MARGIN = 6 };
    struct list_pane *list = &picker->list;
    bool note = picker->note[0] != '\0';
    bool filter = picker->count > LONG || picker->asks;
    bool titles = picker->columns[0].title[0] != '\0';
    int above = note + filter + titles;
    int widths[PICKER_COLUMNS];
    int total, columns, gap;
    struct rect box, row, items;

    gap = lay_columns(picker, body.columns - BORDERS - EDGES, widths);
    total = sum_widths(picker, widths, gap) + EDGES;
    columns = text_width(picker->note) + 3;
    columns = picker->asks && text_width(picker->title) + MARGIN > columns
                  ? text_width(picker->title) + MARGIN
                  : columns;
    columns = clamp_int(columns, total > COLUMNS_LEAST ? total : COLUMNS_LEAST, body.columns);
    box = layout_overlay(body, picker->count + above, columns);
    if (box.columns < columns + BORDERS) {
        box.column = body.column;
        box.columns = clamp_int(columns + BORDERS, 0, body.columns);
    }
    row = rect_inside(box);
    items = (struct rect){row.row + above, row.column, row.rows - above, row.columns};
    list_pane_lay(list, items, list->count);
    narrow_widest(picker, widths, total - row.columns);
    if (box.column - body.column < MARGIN) /* no stray columns of the view beside it */
        canvas_fill(canvas, (struct rect){box.row, body.column, box.rows, body.columns},
                    STYLE_NORMAL, ' ');
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, picker->title);
    if (note) {
        canvas_text(canvas, row.row, row.column + 2, row.columns - 3, STYLE_NORMAL, picker->note);
        row.row++;
    }
    if (filter) {
        draw_filter(picker, canvas, row, true);
        row.row++;
    }
    memset(picker->titles, 0, sizeof picker->titles);
    if (titles)
        draw_titles(picker, canvas, row, widths, gap);
    draw_items(picker, canvas, items, widths, gap, true);
    if (list->count == 0 && !picker->asks) /* what a search has not found is said elsewhere */
        canvas_text(canvas, items.row, items.column + 2, items.columns - 2, STYLE_DIM,
                    "nothing matches; Backspace widens the filter");
    if (!filter)
        draw_border_filter(picker, canvas, box);
}
