#include "pager.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "widget.h"

void pager_open(struct pager *pager, const char *title, char *text)
{
    pager_close(pager);
    snprintf(pager->title, sizeof pager->title, "%s", title);
    pager->text = text;
    for (char *line = text; *line != '\0';) {
        char *end = line + strcspn(line, "\n");
        bool last = *end == '\0';

        for (char *at = line; at < end; at++)
            if ((unsigned char)*at < ' ')
                *at = ' ';
        *end = '\0';
        pager->rows++;
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

void pager_scroll(struct pager *pager, int rows)
{
    int last = pager->rows - pager->visible;

    pager->first += rows;
    if (pager->first > last)
        pager->first = last;
    if (pager->first < 0)
        pager->first = 0;
}

void pager_act(struct pager *pager, enum action_id id)
{
    int page = pager->visible > 1 ? pager->visible - 1 : 1;

    if (id == ACTION_UP || id == ACTION_DOWN)
        pager_scroll(pager, id == ACTION_UP ? -1 : 1);
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        pager_scroll(pager, id == ACTION_PAGE_UP ? -page : page);
    else if (id == ACTION_START || id == ACTION_END)
        pager_scroll(pager, id == ACTION_START ? -pager->rows : pager->rows);
}

void pager_draw(struct pager *pager, struct canvas *canvas, struct rect body)
{
    struct rect box = layout_overlay(body, pager->rows, pager->columns + 2);
    struct rect inside = rect_inside(box);
    const char *line = pager->text;

    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, pager->title);
    pager->visible = inside.rows;
    pager_scroll(pager, 0);
    for (int row = 0; *line != '\0' && row < pager->first + inside.rows; row++) {
        size_t length = strcspn(line, "\n");

        if (row >= pager->first) {
            char text[512];

            snprintf(text, sizeof text, "%.*s", (int)length, line);
            canvas_text(canvas, inside.row + row - pager->first, inside.column + 1,
                        inside.columns - 2, STYLE_NORMAL, text);
        }
        line += length + (line[length] == '\n');
    }
    widget_scroll(canvas, box, pager->first, pager->rows, true);
    canvas->cursor_row = inside.row;
    canvas->cursor_column = inside.column + 1;
}
