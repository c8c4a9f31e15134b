#include "tui/pager.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/layout.h"
#include "tui/widget.h"

void pager_open(struct pager *pager, const char *title, char *text)
{
    pager_close(pager);
    snprintf(pager->title, sizeof pager->title, "%s", title);
    pager->text = text;
    pager->list.text = true;
    for (char *line = text; *line != '\0';) {
        char *end = line + strcspn(line, "\n");
        bool last = *end == '\0';

        for (char *at = line; at < end; at++)
            if ((unsigned char)*at < ' ')
                *at = ' ';
        *end = '\0';
        if (text_width(line) > pager->columns)
            pager->columns = text_width(line);
        if (last)
            break;
        *end = '\n';
        line = end + 1;
    }
}

void pager_close(struct pager *pager)
{
    free(pager->text);
    *pager = (struct pager){0};
}

bool pager_is_open(const struct pager *pager)
{
    return pager->text != NULL;
}

void pager_act(struct pager *pager, enum action_id id)
{
    list_pane_act(&pager->list, id);
}

void pager_mouse(struct pager *pager, const struct key_event *event)
{
    list_pane_mouse(&pager->list, event, 3);
}

/* A part of a line that has a row of its own, and how far in it stands. */
struct piece {
    const char *text;
    size_t bytes;
    int indent;
};

/* The piece at `text` in a line whose own indent is `indent`; `begun`: it is not the first. */
static struct piece piece_at(const char *text, int columns, int indent, bool begun)
{
    struct piece piece = {text, 0, 0};

    if (begun) {
        piece.text += strspn(text, " ");
        piece.indent = indent + 2 < columns / 2 ? indent + 2 : 0;
    } else if (indent < columns / 2) {
        /* so that a long word does not leave the indent on a row of its own */
        piece.text += indent;
        piece.indent = indent;
    }
    piece.bytes = text_break(piece.text, columns - piece.indent);
    return piece;
}

/* Draws the rows that show, broken into `columns` (NULL canvas: none); returns all there are. */
static int draw_lines(const struct pager *pager, struct canvas *canvas, int columns)
{
    const char *at = pager->text;
    int row = 0;

    while (*at != '\0') {
        int indent = (int)strspn(at, " ");
        bool begun = false;

        do {
            struct piece piece = piece_at(at, columns, indent, begun);
            struct rect line = list_pane_line(&pager->list, row++);

            if (canvas != NULL && line.rows > 0)
                canvas_printf(canvas, line.row, line.column + piece.indent,
                              line.columns - piece.indent, STYLE_NORMAL, "%.*s", (int)piece.bytes,
                              piece.text);
            at = piece.text + piece.bytes;
            begun = true;
        } while (at[strspn(at, " ")] != '\0' && at[strspn(at, " ")] != '\n');
        at += strspn(at, " ");
        at += *at == '\n';
    }
    return row;
}

void pager_draw(struct pager *pager, struct canvas *canvas, struct rect body)
{
    struct rect box = layout_overlay(body, 0, pager->columns + 2);
    struct rect inside = rect_inside(box);
    int rows;

    inside.column++;
    inside.columns -= 2;
    rows = draw_lines(pager, NULL, inside.columns);
    box = layout_overlay(body, rows, pager->columns + 2);
    inside.row = rect_inside(box).row;
    inside.rows = rect_inside(box).rows;
    list_pane_lay(&pager->list, inside, rows);
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, pager->title);
    draw_lines(pager, canvas, inside.columns);
    list_pane_draw_bar(&pager->list, canvas, box.column + box.columns - 1, true);
    canvas->cursor_row = inside.row;
    canvas->cursor_column = inside.column;
}
