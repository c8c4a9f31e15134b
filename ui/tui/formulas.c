#include "tui/formulas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/number.h"
#include "model/result_read.h"
#include "report/explain.h"
#include "tui/layout.h"
#include "tui/widget.h"

enum { STEP = 2, MARK = 2 }; /* cells of indentation per level, and of the sign before the text */

/* Rows ----------------------------------------------------------------------------------------- */

static void free_row(struct formula_row *row)
{
    free(row->path);
    free(row->text);
}

/* Inserts a row at `at`; path NULL: a remark. */
static void insert_row(struct formulas *formulas, int at, int level, const char *path,
                       const char *text, bool opens)
{
    int *count = &formulas->list.count;

    formulas->rows =
        array_reserve(formulas->rows, *count, &formulas->capacity, sizeof *formulas->rows);
    memmove(formulas->rows + at + 1, formulas->rows + at,
            (size_t)(*count - at) * sizeof *formulas->rows);
    formulas->rows[at] = (struct formula_row){path == NULL ? NULL : allocate_text(path),
                                              allocate_text(text), level, opens, false};
    ++*count;
}

static void insert_node(struct formulas *formulas, int at, int level,
                        const struct explain_node *node)
{
    char line[EXPLAIN_LINE_MAX];

    explain_line(&formulas->explain, node, level == 0, true, line, sizeof line);
    insert_row(formulas, at, level, node->path, line, explain_is_made(&formulas->explain, node));
}

/* Returns true if there is a row of a level with a path, of a remark with a text. */
static bool has_row(const struct formulas *formulas, int level, const char *path, const char *text)
{
    for (int r = 0; r < formulas->list.count; r++) {
        const struct formula_row *row = &formulas->rows[r];

        if (row->level == level && (row->path == NULL) == (path == NULL) &&
            strcmp(path == NULL ? row->text : row->path, path == NULL ? text : path) == 0)
            return true;
    }
    return false;
}

/* Appends a row unless there is one of this level. */
static void append_node(struct formulas *formulas, int level, const struct explain_node *node)
{
    if (!has_row(formulas, level, node->path, NULL))
        insert_node(formulas, formulas->list.count, level, node);
}

static void unfold_row(struct formulas *formulas, int at)
{
    struct formula_row *row = &formulas->rows[at];
    int level = row->level + 1;
    struct explain_node node;
    struct explain_node child;
    struct error error;

    if (!row->opens || row->open ||
        explain_find(&formulas->explain, row->path, &node, &error) != STATUS_OK)
        return;
    row->open = true;
    for (int i = 0; explain_child(&formulas->explain, &node, i, &child); i++)
        insert_node(formulas, at + 1 + i, level, &child);
}

static void fold_row(struct formulas *formulas, int at)
{
    struct formula_row *rows = formulas->rows;
    int end = at + 1;

    while (end < formulas->list.count && rows[end].level > rows[at].level)
        free_row(&rows[end++]);
    memmove(rows + at + 1, rows + end, (size_t)(formulas->list.count - end) * sizeof *rows);
    formulas->list.count -= end - at - 1;
    rows[at].open = false;
}

/* Returns the parent of a row, or the row itself if it has none. */
static int parent_row(const struct formulas *formulas, int at)
{
    int parent = at;

    while (parent >= 0 && formulas->rows[parent].level >= formulas->rows[at].level)
        parent--;
    return parent < 0 ? at : parent;
}

/* Opening -------------------------------------------------------------------------------------- */

/* Adds, below a result, all other results of the same component, device or sensor; for the design,
 * also those of the loop. */
static void add_results(struct formulas *formulas, const struct explain_node *node)
{
    const struct explain *explain = &formulas->explain;
    bool design = node->subject.kind == EXPLAIN_DESIGN;

    for (const struct result_row *row = result_rows; row < result_rows + RESULT_ROW_COUNT; row++)
        for (int i = 0; i < result_count(explain->result, row->scope); i++) {
            struct explain_node other;
            struct error error;
            char path[EXPLAIN_PATH_MAX];

            if (result_value(explain->result, row, i) == RESULT_NONE)
                continue;
            explain_path(explain, row, i, path, sizeof path);
            if (explain_find(explain, path, &other, &error) != STATUS_OK ||
                strcmp(path, node->path) == 0)
                continue;
            if ((design && other.subject.kind == EXPLAIN_LOOP) ||
                (other.subject.kind == node->subject.kind &&
                 other.subject.index == node->subject.index))
                append_node(formulas, 0, &other);
        }
}

struct formula_users {
    struct formulas *formulas;
    const char *heading; /* NULL: already added */
};

static void add_user(void *context, const struct explain_node *user)
{
    struct formula_users *users = context;
    struct formulas *formulas = users->formulas;

    if (users->heading != NULL && !has_row(formulas, 0, NULL, users->heading))
        insert_row(formulas, formulas->list.count, 0, NULL, users->heading, false);
    users->heading = NULL;
    append_node(formulas, 1, user);
}

/* Adds, below a knob, the formulas that use it and those that it selects. */
static void add_users(struct formulas *formulas, const struct explain_node *knob)
{
    const struct explain *explain = &formulas->explain;
    struct formula_users named = {formulas, EXPLAIN_NAMED};
    struct formula_users chosen = {formulas, EXPLAIN_CHOOSES};
    int found = explain_users(explain, knob, false, add_user, &named) +
                explain_users(explain, knob, true, add_user, &chosen);

    if (found == 0 && formulas->pending == NULL)
        insert_row(formulas, formulas->list.count, 0, NULL, explain_useless(knob), false);
}

static void add_others(struct formulas *formulas, const struct explain_node *node)
{
    if (node->knob.knob != NULL)
        add_users(formulas, node);
    else
        add_results(formulas, node);
}

enum status formulas_open(struct formulas *formulas, const struct explain *explain,
                          const char *path, const char *pending, struct error *error)
{
    struct explain_node node;
    enum status status = explain_find(explain, path, &node, error);

    if (status != STATUS_OK)
        return status;
    formulas_close(formulas);
    formulas->explain = *explain;
    formulas->pending = pending;
    snprintf(formulas->title, sizeof formulas->title, "%s", path);
    insert_node(formulas, 0, 0, &node);
    unfold_row(formulas, 0);
    add_others(formulas, &node);
    if (pending != NULL)
        insert_row(formulas, formulas->list.count, 0, NULL, pending, false);
    return STATUS_OK;
}

/* Results of the loop are the ones that may be pending. */
void formulas_update(struct formulas *formulas)
{
    struct explain_node node;
    char line[EXPLAIN_LINE_MAX];

    if (formulas->pending == NULL)
        return;
    formulas->pending = NULL;
    free_row(&formulas->rows[--formulas->list.count]);
    for (int r = 0; r < formulas->list.count; r++) {
        struct formula_row *row = &formulas->rows[r];

        if (row->path == NULL ||
            explain_find(&formulas->explain, row->path, &node, NULL) != STATUS_OK ||
            node.subject.kind != EXPLAIN_LOOP)
            continue;
        explain_line(&formulas->explain, &node, row->level == 0, true, line, sizeof line);
        free(row->text);
        row->text = allocate_text(line);
        row->opens = explain_is_made(&formulas->explain, &node);
    }
    if (explain_find(&formulas->explain, formulas->title, &node, NULL) == STATUS_OK)
        add_others(formulas, &node);
    list_pane_set(&formulas->list,
                  clamp_int(list_pane_focus(&formulas->list), 0, formulas->list.count - 1));
}

void formulas_close(struct formulas *formulas)
{
    for (int r = 0; r < formulas->list.count; r++)
        free_row(&formulas->rows[r]);
    free(formulas->rows);
    *formulas = (struct formulas){0};
}

bool formulas_are_open(const struct formulas *formulas)
{
    return formulas->list.count > 0;
}

/* Drawing -------------------------------------------------------------------------------------- */

/* Returns the indentation of a row: at most half of the columns. */
static int row_indent(const struct formula_row *row, int columns)
{
    int most = columns / 2;
    int indent = STEP * row->level;

    return (indent < most ? indent : most) + (row->path == NULL ? 0 : MARK);
}

/* Draws a row of the list whose first line is line `first` (NULL canvas: only counts); returns its
 * number of lines. */
static int draw_formula_row(const struct formulas *formulas, struct canvas *canvas,
                            const struct formula_row *row, int first)
{
    const struct list_pane *list = &formulas->list;
    int indent = row_indent(row, list->area.columns);
    const char *at = row->text;
    int lines = 0;

    do {
        int further = indent + (lines > 0 ? STEP : 0);
        int columns = list->area.columns - further;
        size_t bytes = text_break(at, columns);
        struct rect line = list_pane_line(list, first + lines);

        if (canvas != NULL && line.rows > 0)
            canvas_printf(canvas, line.row, line.column + further, columns,
                          row->path == NULL ? STYLE_DIM : STYLE_NORMAL, "%.*s", (int)bytes, at);
        if (canvas != NULL && line.rows > 0 && lines == 0 && row->opens)
            widget_mark(canvas, line.row, line.column + indent - MARK, STYLE_NORMAL,
                        row->open ? MARK_OPEN : MARK_CLOSED);
        at += bytes;
        at += strspn(at, " ");
        lines++;
    } while (*at != '\0');
    return lines;
}

/* Returns the number of lines above a row. */
static int lines_before(const struct formulas *formulas, int row)
{
    int lines = 0;

    for (int r = 0; r < row; r++)
        lines += draw_formula_row(formulas, NULL, &formulas->rows[r], 0);
    return lines;
}

/* Highlights the row under the cursor; if it starts above the box, the mark is on its first visible
 * line. */
static void draw_focus(const struct formulas *formulas, struct canvas *canvas, int first, int lines)
{
    const struct list_pane *list = &formulas->list;

    for (int l = first + lines - 1; l >= first; l--) {
        struct rect line = list_pane_line(list, l);

        if (line.rows == 0)
            continue;
        canvas_restyle(canvas, line, STYLE_FOCUS);
        canvas->cursor_row = line.row;
        canvas->cursor_column = line.column;
    }
    widget_mark(canvas, canvas->cursor_row, canvas->cursor_column - 1, STYLE_FOCUS, MARK_FOCUS);
}

static struct rect text_area(struct rect box)
{
    struct rect inside = rect_inside(box);

    inside.column++;
    inside.columns -= 2;
    return inside;
}

void formulas_draw(struct formulas *formulas, struct canvas *canvas, struct rect body)
{
    struct list_pane *list = &formulas->list;
    struct rect box = layout_overlay(body, body.rows, body.columns);
    int focus = list_pane_focus(list);
    int total;
    int line = 0;

    list->area = text_area(box);
    total = lines_before(formulas, list->count);
    box = layout_overlay(body, total, body.columns);
    list_pane_lay_rows(list, text_area(box), list->count, total, lines_before(formulas, focus),
                       draw_formula_row(formulas, NULL, &formulas->rows[focus], 0));
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, formulas->title);
    for (int r = 0; r < list->count; r++) {
        int lines = draw_formula_row(formulas, canvas, &formulas->rows[r], line);

        if (r == focus)
            draw_focus(formulas, canvas, line, lines);
        line += lines;
    }
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, true);
}

/* Keys and mouse ------------------------------------------------------------------------------- */

const struct formula_row *formulas_row(const struct formulas *formulas)
{
    return &formulas->rows[list_pane_focus(&formulas->list)];
}

void formulas_act(struct formulas *formulas, enum action_id id)
{
    int focus = list_pane_focus(&formulas->list);
    bool open = formulas->rows[focus].open;

    if (id == ACTION_CLOSE)
        formulas_close(formulas);
    else if (open && (id == ACTION_ENTER || id == ACTION_LEFT))
        fold_row(formulas, focus);
    else if (id == ACTION_ENTER || id == ACTION_RIGHT)
        unfold_row(formulas, focus);
    else if (id == ACTION_LEFT)
        list_pane_set(&formulas->list, parent_row(formulas, focus));
    else
        list_pane_act(&formulas->list, id);
}

void formulas_mouse(struct formulas *formulas, const struct key_event *event)
{
    struct list_pane *list = &formulas->list;
    int line = list_pane_row_at(list, event->row, event->column);
    int row = -1;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        list_pane_move(list, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
    if (event->mouse != MOUSE_PRESS || line < 0)
        return;
    while (line >= 0)
        line -= draw_formula_row(formulas, NULL, &formulas->rows[++row], 0);
    if (row == list_pane_focus(list))
        formulas_act(formulas, ACTION_ENTER); /* a click on the focused row already opens it */
    else
        list_pane_set(list, row);
}
