#include "tui/picker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    picker->count = picker->shown_count = 0;
    picker->sort = picker->focus = picker->first = 0;
    picker->present = -1;
    line_set(&picker->filter, "", false);
}

void picker_free(struct picker *picker)
{
    free(picker->items);
    free(picker->shown);
    picker->items = NULL;
    picker->shown = NULL;
    picker->count = picker->shown_count = picker->capacity = 0;
}

struct picker_item *picker_add(struct picker *picker)
{
    struct picker_item *item;

    if (picker->count == picker->capacity) {
        int capacity = picker->capacity == 0 ? 32 : 2 * picker->capacity;
        struct picker_item *items =
            realloc(picker->items, (size_t)capacity * sizeof *picker->items);
        int *shown;

        if (items == NULL)
            return NULL;
        picker->items = items;
        shown = realloc(picker->shown, (size_t)capacity * sizeof *picker->shown);
        if (shown == NULL)
            return NULL;
        picker->shown = shown;
        picker->capacity = capacity;
    }
    item = &picker->items[picker->count];
    memset(item, 0, sizeof *item);
    item->id = picker->count++;
    return item;
}

static bool passes(const struct picker_item *item, int columns, const char *filter)
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
static bool precedes(const struct picker *picker, int a, int b)
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
    picker->shown_count = 0;
    for (int i = 0; i < picker->count; i++) {
        int at = picker->shown_count;

        if (!passes(&picker->items[i], picker->column_count, picker->filter.text))
            continue;
        /* insertion: lists are short and mostly in order */
        for (; at > 0 && precedes(picker, i, picker->shown[at - 1]); at--)
            picker->shown[at] = picker->shown[at - 1];
        picker->shown[at] = i;
        picker->shown_count++;
    }
}

static void focus_on(struct picker *picker, int id)
{
    picker->focus = 0;
    for (int s = 0; s < picker->shown_count; s++)
        if (picker->shown[s] == id)
            picker->focus = s;
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
    picker->focus = picker->first = 0;
}

int picker_chosen(const struct picker *picker)
{
    return picker->focus < picker->shown_count ? picker->shown[picker->focus] : -1;
}

void picker_move(struct picker *picker, int by)
{
    picker->focus += by;
    if (picker->focus >= picker->shown_count)
        picker->focus = picker->shown_count - 1;
    if (picker->focus < 0)
        picker->focus = 0;
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
    int page = picker->visible > 1 ? picker->visible - 1 : 1;

    switch ((int)id) {
    case ACTION_UP:
    case ACTION_DOWN:
        picker_move(picker, id == ACTION_UP ? -1 : 1);
        break;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        picker_move(picker, id == ACTION_PAGE_UP ? -page : page);
        break;
    case ACTION_START:
    case ACTION_END:
        picker_move(picker, id == ACTION_START ? -picker->shown_count : picker->shown_count);
        break;
    case ACTION_SORT:
    case ACTION_SORT_BACK:
        picker_sort(picker, id == ACTION_SORT ? 1 : -1);
        break;
    case ACTION_DELETE_LEFT:
        line_delete_left(&picker->filter);
        picker_refilter(picker);
        break;
    default:
        break;
    }
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
    bool focus = shown == picker->focus;
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
    if (!focus)
        return;
    widget_mark(canvas, at.row, at.column, STYLE_FOCUS, MARK_FOCUS);
    canvas->cursor_row = at.row;
    canvas->cursor_column = at.column;
    canvas_restyle(canvas, (struct rect){at.row, at.column, 1, at.columns}, STYLE_FOCUS);
}

static void draw_filter(const struct picker *picker, struct canvas *canvas, struct rect at)
{
    enum { COUNT = 12 };
    int used = canvas_text(canvas, at.row, at.column + 2, at.columns - 2, STYLE_DIM, "filter: ");
    char count[32];

    snprintf(count, sizeof count, "%d of %d", picker->shown_count, picker->count);
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
    int above = rows_above(picker);

    fit_widths(picker, widths, total + 3 - row.columns);
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, picker->title);
    picker->visible = row.rows - above;
    picker->first = scroll_to(picker->first, picker->focus, picker->visible, picker->shown_count);
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
    for (int i = 0; i < picker->visible && picker->first + i < picker->shown_count; i++) {
        draw_item(picker, canvas, row, widths, picker->first + i);
        row.row++;
    }
    if (picker->shown_count == 0)
        canvas_text(canvas, row.row, row.column + 2, row.columns - 2, STYLE_DIM,
                    "nothing matches; Backspace widens the filter");
    if (!is_long(picker))
        draw_short_filter(picker, canvas, box);
    box.row += above;
    box.rows -= above;
    widget_scroll(canvas, box, picker->first, picker->shown_count, true);
}

bool picker_click(struct picker *picker, struct rect body, int row, int column)
{
    int widths[PICKER_COLUMNS];
    struct rect box = box_of(picker, body, column_widths(picker, widths));
    struct rect inside = rect_inside(box);
    int item = row - inside.row - rows_above(picker);

    if (!rect_holds(inside, row, column) || item < 0 || item >= picker->visible ||
        picker->first + item >= picker->shown_count)
        return false;
    picker->focus = picker->first + item;
    return true;
}
