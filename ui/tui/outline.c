#include "tui/outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/layout.h"
#include "tui/widget.h"

enum { STEP = 2, MARK = 2 }; /* cells a level stands further in; of the sign before the text */

static void drop(struct outline *outline, int at)
{
    free(outline->rows[at].path);
    free(outline->rows[at].text);
}

void outline_open(struct outline *outline, const char *title)
{
    outline_close(outline);
    snprintf(outline->title, sizeof outline->title, "%s", title);
}

void outline_close(struct outline *outline)
{
    for (int r = 0; r < outline->count; r++)
        drop(outline, r);
    free(outline->rows);
    *outline = (struct outline){0};
}

bool outline_is_open(const struct outline *outline)
{
    return outline->count > 0;
}

bool outline_insert(struct outline *outline, int at, int level, const char *path, const char *text,
                    bool opens)
{
    struct outline_row row = {path == NULL ? NULL : strdup(path), strdup(text), level, opens,
                              false};

    if (outline->count == outline->capacity) {
        int capacity = outline->capacity == 0 ? 64 : 2 * outline->capacity;
        struct outline_row *rows = realloc(outline->rows, (size_t)capacity * sizeof *rows);

        if (rows != NULL) {
            outline->rows = rows;
            outline->capacity = capacity;
        }
    }
    if (outline->count == outline->capacity || row.text == NULL ||
        (path != NULL && row.path == NULL)) {
        free(row.path);
        free(row.text);
        return false;
    }
    memmove(outline->rows + at + 1, outline->rows + at,
            (size_t)(outline->count - at) * sizeof *outline->rows);
    outline->rows[at] = row;
    outline->count++;
    return true;
}

void outline_fold(struct outline *outline, int at)
{
    int end = at + 1;

    while (end < outline->count && outline->rows[end].level > outline->rows[at].level)
        drop(outline, end++);
    memmove(outline->rows + at + 1, outline->rows + end,
            (size_t)(outline->count - end) * sizeof *outline->rows);
    outline->count -= end - at - 1;
    outline->rows[at].open = false;
}

int outline_parent(const struct outline *outline, int at)
{
    int level = outline->rows[at].level;

    while (at >= 0 && outline->rows[at].level >= level)
        at--;
    return at;
}

void outline_move(struct outline *outline, int rows)
{
    outline->focus += rows;
    if (outline->focus >= outline->count)
        outline->focus = outline->count - 1;
    if (outline->focus < 0)
        outline->focus = 0;
}

void outline_act(struct outline *outline, enum action_id id)
{
    int page = outline->inside.rows > 1 ? outline->inside.rows - 1 : 1;

    if (id == ACTION_UP || id == ACTION_DOWN)
        outline_move(outline, id == ACTION_UP ? -1 : 1);
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        outline_move(outline, id == ACTION_PAGE_UP ? -page : page);
    else if (id == ACTION_START || id == ACTION_END)
        outline_move(outline, id == ACTION_START ? -outline->count : outline->count);
}

/* Drawing ------------------------------------------------------------------------------------- */

/* How far in the text of a row stands: deep ones no further than leaves room to read. */
static int indent_of(const struct outline_row *row, int columns)
{
    int most = columns / 2;
    int indent = STEP * row->level;

    return (indent < most ? indent : most) + (row->path == NULL ? 0 : MARK);
}

/* Draws a row whose first line is `line` of the box (NULL canvas: none); returns its lines. */
static int draw_row(const struct outline *outline, struct canvas *canvas, int r, int line)
{
    const struct outline_row *row = &outline->rows[r];
    struct rect inside = outline->inside;
    int indent = indent_of(row, inside.columns);
    const char *at = row->text;
    int lines = 0;

    do {
        int further = lines > 0 ? STEP : 0;
        int columns = inside.columns - indent - further;
        size_t bytes = text_break(at, columns);
        int y = line + lines++;

        if (canvas != NULL && y >= 0 && y < inside.rows)
            canvas_printf(canvas, inside.row + y, inside.column + indent + further, columns,
                          row->path == NULL ? STYLE_DIM : STYLE_NORMAL, "%.*s", (int)bytes, at);
        at += bytes;
        at += strspn(at, " ");
    } while (*at != '\0');
    if (canvas != NULL && row->opens && line >= 0 && line < inside.rows)
        widget_mark(canvas, inside.row + line, inside.column + indent - MARK, STYLE_NORMAL,
                    row->open ? MARK_OPEN : MARK_CLOSED);
    return lines;
}

/* Lines of the rows before one. */
static int lines_before(const struct outline *outline, int row)
{
    int lines = 0;

    for (int r = 0; r < row; r++)
        lines += draw_row(outline, NULL, r, 0);
    return lines;
}

int outline_at(const struct outline *outline, int row, int column)
{
    int line = row - outline->inside.row + outline->first;

    if (!rect_holds(outline->inside, row, column))
        return -1;
    for (int r = 0; r < outline->count; r++) {
        line -= draw_row(outline, NULL, r, 0);
        if (line < 0)
            return r;
    }
    return -1;
}

static struct rect text_of(struct rect box)
{
    struct rect inside = rect_inside(box);

    inside.column++;
    inside.columns -= 2;
    return inside;
}

/* The whole of the focus, else its beginning, is among what is shown. */
static void follow_focus(struct outline *outline, int total)
{
    int top = lines_before(outline, outline->focus);
    int rows = draw_row(outline, NULL, outline->focus, 0);

    outline->first = scroll_to(outline->first, top + rows - 1, outline->inside.rows, total);
    outline->first = scroll_to(outline->first, top, outline->inside.rows, total);
}

void outline_draw(struct outline *outline, struct canvas *canvas, struct rect body)
{
    struct rect box = layout_overlay(body, body.rows, body.columns);
    int line;
    int total;

    outline->inside = text_of(box);
    total = lines_before(outline, outline->count);
    box = layout_overlay(body, total, body.columns);
    outline->inside = text_of(box);
    follow_focus(outline, total);
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, outline->title);
    line = -outline->first;
    for (int r = 0; r < outline->count; r++) {
        int lines = draw_row(outline, canvas, r, line);

        if (r == outline->focus)
            widget_mark(canvas, outline->inside.row + (line < 0 ? 0 : line),
                        outline->inside.column - 1, STYLE_FOCUS, MARK_FOCUS);
        for (int y = line; r == outline->focus && y < line + lines; y++)
            if (y >= 0 && y < outline->inside.rows)
                canvas_restyle(canvas,
                               (struct rect){outline->inside.row + y, outline->inside.column, 1,
                                             outline->inside.columns},
                               STYLE_FOCUS);
        if (r == outline->focus) {
            canvas->cursor_row = outline->inside.row + (line < 0 ? 0 : line);
            canvas->cursor_column = outline->inside.column;
        }
        line += lines;
    }
    widget_scroll(canvas, box, outline->first, total, true);
}
