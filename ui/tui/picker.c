#include "tui/picker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
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
    picker->sort = 0;
    picker->present = -1;
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
    struct picker_item *items =
        array_reserve(picker->items, picker->count, &picker->capacity, sizeof *items);
    int *shown =
        array_reserve(picker->shown, picker->count, &picker->shown_capacity, sizeof *shown);

    if (items != NULL)
        picker->items = items;
    if (shown != NULL)
        picker->shown = shown;
    if (items == NULL || shown == NULL)
        return NULL;
    item = &picker->items[picker->count];
    memset(item, 0, sizeof *item);
    item->id = picker->count++;
    return item;
}

static bool item_passes(const struct picker_item *item, int columns, const char *filter)
{
    while (*filter != '\0') {
        size_t length = strcspn(filter, " ");
        char word[PICKER_TEXT];
        bool found = length == 0;

        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 63), filter);
        for (int c = 0; c < columns; c++)
            found |= length > 0 && strcasestr(item->text[c], word) != NULL;
        if (!found)
            return false;
        filter += length + (filter[length] == ' ');
    }
    return true;
}

/* Whether a goes before b. Equal ones keep the order they came in. */
static bool item_precedes(const struct picker *picker, int a, int b)
{
    const struct picker_item *x = &picker->items[a];
    const struct picker_item *y = &picker->items[b];
    int order;

    if (x->group != y->group)
        return x->group < y->group;
    if (!picker->sortable)
        return a < b;
    if (picker->columns[picker->sort].number) {
        if (x->value[picker->sort] != y->value[picker->sort])
            return x->value[picker->sort] > y->value[picker->sort];
    } else {
        order = strcasecmp(x->text[picker->sort], y->text[picker->sort]);
        if (order != 0)
            return order < 0;
    }
    return a < b;
}

static void select_shown(struct picker *picker)
{
    picker->list.count = 0;
    for (int i = 0; i < picker->count; i++) {
        int at = picker->list.count;

        if (!item_passes(&picker->items[i], picker->column_count, picker->filter.text))
            continue;
        /* insertion: lists are short and mostly in order */
        for (; at > 0 && item_precedes(picker, i, picker->shown[at - 1]); at--)
            picker->shown[at] = picker->shown[at - 1];
        picker->shown[at] = i;
        picker->list.count++;
    }
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

void picker_present(struct picker *picker, int id)
{
    picker->present = id;
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

void picker_type(struct picker *picker, uint32_t character)
{
    line_insert(&picker->filter, character);
    picker_refilter(picker);
}

void picker_sort(struct picker *picker, int by)
{
    int chosen = picker_chosen(picker);

    if (!picker->sortable)
        return;
    picker->sort = (picker->sort + by + picker->column_count) % picker->column_count;
    select_shown(picker);
    focus_on(picker, chosen);
}

void picker_act(struct picker *picker, enum action_id id)
{
    if (list_pane_act(&picker->list, id))
        return;
    if (id == ACTION_SORT || id == ACTION_SORT_BACK) {
        picker_sort(picker, id == ACTION_SORT ? 1 : -1);
    } else if (id == ACTION_DELETE_LEFT) {
        line_delete_left(&picker->filter);
        picker_refilter(picker);
    }
}

bool picker_mouse(struct picker *picker, const struct key_event *event)
{
    return list_pane_mouse(&picker->list, event, 3);
}

/* Drawing ------------------------------------------------------------------------------------- */

/* Widths of the columns; all items count, so that filtering does not move them. */
static int column_widths(const struct picker *picker, int widths[PICKER_COLUMNS])
{
    int total = 0;

    for (int c = 0; c < picker->column_count; c++) {
        widths[c] = text_width(picker->columns[c].title) + (picker->sortable ? 2 : 0);
        for (int i = 0; i < picker->count; i++) {
            int width = text_width(picker->items[i].text[c]);

            widths[c] = width > widths[c] ? width : widths[c];
        }
        total += widths[c] + (c > 0 ? 2 : 0);
    }
    return total;
}

/* Takes from the widest text what does not fit, so that the numbers always show. */
static void fit_widths(const struct picker *picker, int widths[PICKER_COLUMNS], int excess)
{
    int widest = 0;

    for (int c = 1; c < picker->column_count; c++)
        if (!picker->columns[c].number &&
            (picker->columns[widest].number || widths[c] > widths[widest]))
            widest = c;
    if (excess > 0)
        widths[widest] = widths[widest] > excess + 8 ? widths[widest] - excess : 8;
}

/* Long lists show what is typed on a row of its own, short ones in the lower border. */
static bool is_long(const struct picker *picker)
{
    return picker->count > 8;
}

static bool has_titles(const struct picker *picker)
{
    return picker->columns[0].title[0] != '\0';
}

/* Rows above the items: the note, what is typed, the columns' titles. */
static int rows_above(const struct picker *picker)
{
    return is_long(picker) + (picker->note[0] != '\0') + has_titles(picker);
}

static struct rect box_of(const struct picker *picker, struct rect body, int total)
{
    int wanted = text_width(picker->note) + 3;

    if (wanted < 48)
        wanted = 48;
    if (wanted < total + 3)
        wanted = total + 3;
    return layout_overlay(body, picker->count + rows_above(picker), wanted);
}

static void draw_titles(const struct picker *picker, struct canvas *canvas, struct rect at,
                        const int *widths)
{
    int column = at.column + 2;
    int right = at.column + at.columns - 1;

    for (int c = 0; c < picker->column_count; c++) {
        bool sorted = picker->sortable && c == picker->sort;
        int room = widths[c] < right - column ? widths[c] : right - column;
        enum style style = sorted ? STYLE_TITLE : STYLE_DIM;
        char title[PICKER_TEXT];

        snprintf(title, sizeof title, "%s%s", picker->columns[c].title,
                 !sorted                     ? ""
                 : picker->columns[c].number ? " \xE2\x96\xBE"
                                             : " \xE2\x96\xB4");
        if (picker->columns[c].number)
            canvas_right(canvas, at.row, column, room, style, title);
        else
            canvas_text(canvas, at.row, column, room, style, title);
        column += widths[c] + 2;
    }
}

static void draw_item(const struct picker *picker, struct canvas *canvas, struct rect at,
                      const int *widths, int shown)
{
    const struct picker_item *item = &picker->items[picker->shown[shown]];
    enum style style = item->group > 0 ? STYLE_DIM : STYLE_NORMAL;
    int column = at.column + 2;
    int right = at.column + at.columns - 1;

    for (int c = 0; c < picker->column_count; c++) {
        int room = widths[c] < right - column ? widths[c] : right - column;

        if (picker->columns[c].number)
            canvas_right(canvas, at.row, column, room, style, item->text[c]);
        else
            canvas_text(canvas, at.row, column, room, style, item->text[c]);
        column += widths[c] + 2;
    }
    if (picker->shown[shown] == picker->present)
        widget_mark(canvas, at.row, at.column + 1, STYLE_TITLE, MARK_PRESENT);
    if (shown == list_pane_focus(&picker->list))
        list_pane_draw_cursor(canvas, at, true);
}

static void draw_filter(const struct picker *picker, struct canvas *canvas, struct rect at)
{
    enum { COUNT = 12 };
    int used = canvas_text(canvas, at.row, at.column + 2, at.columns - 2, STYLE_DIM, "filter: ");
    char count[32];

    snprintf(count, sizeof count, "%d of %d", picker->list.count, picker->count);
    canvas_right(canvas, at.row, at.column + at.columns - COUNT - 1, COUNT, STYLE_DIM, count);
    line_draw(&picker->filter, canvas, at.row, at.column + 2 + used, at.columns - used - COUNT - 4);
}

static void draw_short_filter(const struct picker *picker, struct canvas *canvas, struct rect box)
{
    int row = box.row + box.rows - 1;
    int used;

    if (picker->filter.length == 0)
        return;
    used = canvas_text(canvas, row, box.column + 2, 9, STYLE_DIM, " filter: ");
    line_draw(&picker->filter, canvas, row, box.column + 2 + used, box.columns - used - 5);
}

void picker_draw(struct picker *picker, struct canvas *canvas, struct rect body)
{
    int widths[PICKER_COLUMNS];
    int total = column_widths(picker, widths);
    struct rect box = box_of(picker, body, total);
    struct rect row = rect_inside(box);
    struct rect items = row;
    struct list_pane *list = &picker->list;

    items.row += rows_above(picker);
    items.rows -= rows_above(picker);
    list_pane_lay(list, items, list->count);
    fit_widths(picker, widths, total + 3 - row.columns);
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, picker->title);
    if (picker->note[0] != '\0') {
        canvas_text(canvas, row.row, row.column + 2, row.columns - 3, STYLE_NORMAL, picker->note);
        row.row++;
    }
    if (is_long(picker)) {
        draw_filter(picker, canvas, row);
        row.row++;
    }
    if (has_titles(picker)) {
        draw_titles(picker, canvas, row, widths);
        row.row++;
    }
    for (int i = list->first; i < list->count && i < list->first + items.rows; i++)
        draw_item(picker, canvas, list_pane_line(list, i), widths, i);
    if (list->count == 0)
        canvas_text(canvas, items.row, items.column + 2, items.columns - 2, STYLE_DIM,
                    "nothing matches; Backspace widens the filter");
    if (!is_long(picker))
        draw_short_filter(picker, canvas, box);
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, true);
}
