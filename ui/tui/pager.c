#include "tui/pager.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "tui/layout.h"
#include "tui/widget.h"

FILE *pager_start(struct pager *pager, const char *title)
{
    pager_close(pager);
    snprintf(pager->title, sizeof pager->title, "%s", title);
    pager->list.text = true;
    pager->out = allocate_stream(&pager->written, &pager->length);
    return pager->out;
}

static void drop_title(char *text, const char *title)
{
    size_t length = strlen(title);

    if (strncmp(text, title, length) == 0 && text[length] == '\n')
        memmove(text, text + length + 1, strlen(text + length + 1) + 1);
}

static int longest_line(char *text)
{
    int longest = 0;

    while (*text != '\0') {
        char *end = text + strcspn(text, "\n");
        char last = *end;
        int width;

        *end = '\0';
        width = text_width(text);
        longest = width > longest ? width : longest;
        *end = last;
        text = end + (last == '\n');
    }
    return longest;
}

bool pager_show(struct pager *pager)
{
    fclose(pager->out);
    pager->out = NULL;
    if (pager->length == 0) {
        pager_close(pager);
        return false;
    }
    pager->text = pager->written;
    drop_title(pager->text, pager->title);
    for (char *at = pager->text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' && *at != '\n')
            *at = ' ';
    pager->columns = longest_line(pager->text);
    return true;
}

void pager_close(struct pager *pager)
{
    if (pager->out != NULL)
        fclose(pager->out);
    free(pager->written);
    *pager = (struct pager){0};
}

bool pager_is_open(const struct pager *pager)
{
    return pager->text != NULL;
}

/* Part of a line on its own row, and its indent. */
struct piece {
    const char *text;
    size_t bytes;
    int indent;
};

/* Returns the piece at `text` of a line indented by `indent`; `begun`: it is not the first. */
static struct piece piece_at(const char *text, int columns, int indent, bool begun)
{
    struct piece piece = {text, 0, 0};

    if (begun) {
        piece.text += strspn(text, " ");
        piece.indent = indent + 2 < columns / 2 ? indent + 2 : 0;
    } else if (indent < columns / 2) {
        /* skipped, so that a long word does not leave the indent alone on a row */
        piece.text += indent;
        piece.indent = indent;
    }
    piece.bytes = text_break(piece.text, columns - piece.indent);
    return piece;
}

/* Draws the visible rows, wrapped to `columns` (NULL canvas: none); returns the number of all
 * rows. */
static int draw_pager_lines(const struct pager *pager, struct canvas *canvas, int columns)
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
    rows = draw_pager_lines(pager, NULL, inside.columns);
    box = layout_overlay(body, rows, pager->columns + 2);
    inside.row = rect_inside(box).row;
    inside.rows = rect_inside(box).rows;
    list_pane_lay(&pager->list, inside, rows);
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, pager->title);
    draw_pager_lines(pager, canvas, inside.columns);
    list_pane_draw_bar(&pager->list, canvas, box.column + box.columns - 1, true);
    canvas->cursor_row = inside.row;
    canvas->cursor_column = inside.column;
}
