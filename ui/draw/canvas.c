#include "draw/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

#define ELLIPSIS 0x2026U
#define FORMATTED_MAX 1024

void canvas_init(struct canvas *canvas, int rows, int columns, bool unicode)
{
    size_t count = rows > 0 && columns > 0 ? (size_t)rows * (size_t)columns : 0;
    struct cell *cells = NULL;

    if (count > 0)
        cells = allocate_again(canvas->cells, count * sizeof *cells);
    else
        free(canvas->cells);
    *canvas = (struct canvas){.rows = count > 0 ? rows : 0,
                              .columns = count > 0 ? columns : 0,
                              .unicode = unicode,
                              .cells = cells};
    canvas_clear(canvas);
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->cells);
    *canvas = (struct canvas){0};
}

void canvas_clear(struct canvas *canvas)
{
    size_t count = (size_t)canvas->rows * (size_t)canvas->columns;

    for (size_t i = 0; i < count; i++)
        canvas->cells[i] = (struct cell){.character = ' ', .style = STYLE_NORMAL};
    canvas->cursor_row = 0;
    canvas->cursor_column = 0;
    canvas->cursor = (struct rect){0, 0, 0, 0};
}

void canvas_put(struct canvas *canvas, int row, int column, enum style style, uint32_t character)
{
    struct cell *cell;

    if (row < 0 || row >= canvas->rows || column < 0 || column >= canvas->columns)
        return;
    cell = &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
    if (!glyph_single(character))
        character = '?';
    cell->character = canvas->unicode ? character : glyph_ascii(character);
    cell->style = (uint8_t)style;
    cell->underline = false;
}

uint32_t canvas_at(const struct canvas *canvas, int row, int column)
{
    if (row < 0 || row >= canvas->rows || column < 0 || column >= canvas->columns)
        return 0;
    return canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column].character;
}

int canvas_text(struct canvas *canvas, int row, int column, int columns, enum style style,
                const char *text)
{
    bool cut = text_width(text) > columns;
    const char *end = text + (cut ? text_whole(text, columns) : strlen(text));
    int used = 0;

    if (columns <= 0)
        return 0;
    while (text < end)
        canvas_put(canvas, row, column + used++, style, glyph_decode(&text));
    if (cut)
        canvas_put(canvas, row, column + used++, style, ELLIPSIS);
    return used;
}

int canvas_printf(struct canvas *canvas, int row, int column, int columns, enum style style,
                  const char *format, ...)
{
    char text[FORMATTED_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return canvas_text(canvas, row, column, columns, style, text);
}

int canvas_right(struct canvas *canvas, int row, int column, int columns, enum style style,
                 const char *text)
{
    int width = text_width(text);
    int blank = width < columns ? columns - width : 0;

    return canvas_text(canvas, row, column + blank, columns - blank, style, text);
}

int canvas_wrap(struct canvas *canvas, struct rect rect, int from, enum style style,
                const char *text)
{
    int rows = 0;

    for (; *text != '\0' && rect.columns > 0; rows++) {
        const char *end = text + text_break(text, rect.columns);

        for (int column = rect.column; text < end; column++) {
            uint32_t character = glyph_decode(&text);

            if (from + rows >= 0 && from + rows < rect.rows)
                canvas_put(canvas, rect.row + from + rows, column, style, character);
        }
        text += strspn(text, " \n");
    }
    return rows;
}

/* Returns the part of a rectangle that is on the canvas. */
static struct rect visible_part(const struct canvas *canvas, struct rect rect)
{
    long bottom = (long)rect.row + rect.rows;
    long right = (long)rect.column + rect.columns;
    int row = rect.row > 0 ? rect.row : 0;
    int column = rect.column > 0 ? rect.column : 0;

    bottom = bottom < canvas->rows ? bottom : canvas->rows;
    right = right < canvas->columns ? right : canvas->columns;
    return (struct rect){row, column, (int)(bottom - row), (int)(right - column)};
}

void canvas_fill(struct canvas *canvas, struct rect rect, enum style style, uint32_t character)
{
    struct rect part = visible_part(canvas, rect);

    for (int i = 0; i < part.rows; i++)
        for (int j = 0; j < part.columns; j++)
            canvas_put(canvas, part.row + i, part.column + j, style, character);
}

void canvas_restyle(struct canvas *canvas, struct rect rect, enum style style)
{
    struct rect part = visible_part(canvas, rect);

    for (int i = 0; i < part.rows; i++) {
        struct cell *row = canvas->cells + (size_t)(part.row + i) * (size_t)canvas->columns;

        for (int j = 0; j < part.columns; j++)
            row[part.column + j].style = (uint8_t)style;
    }
}

void canvas_underline(struct canvas *canvas, struct rect rect)
{
    struct rect part = visible_part(canvas, rect);

    for (int i = 0; i < part.rows; i++)
        for (int j = 0; j < part.columns; j++)
            canvas
                ->cells[(size_t)(part.row + i) * (size_t)canvas->columns +
                        (size_t)(part.column + j)]
                .underline = true;
}

void canvas_frame(struct canvas *canvas, struct rect rect, enum style style, const char *title)
{
    int bottom = rect.row + rect.rows - 1;
    int right = rect.column + rect.columns - 1;

    if (rect.rows < 2 || rect.columns < 2)
        return;
    canvas_fill(canvas, (struct rect){rect.row, rect.column, 1, rect.columns}, style, 0x2500);
    canvas_fill(canvas, (struct rect){bottom, rect.column, 1, rect.columns}, style, 0x2500);
    canvas_fill(canvas, (struct rect){rect.row, rect.column, rect.rows, 1}, style, 0x2502);
    canvas_fill(canvas, (struct rect){rect.row, right, rect.rows, 1}, style, 0x2502);
    canvas_put(canvas, rect.row, rect.column, style, 0x250C);
    canvas_put(canvas, rect.row, right, style, 0x2510);
    canvas_put(canvas, bottom, rect.column, style, 0x2514);
    canvas_put(canvas, bottom, right, style, 0x2518);
    if (title != NULL && title[0] != '\0' && rect.columns > 5) {
        int width =
            canvas_text(canvas, rect.row, rect.column + 2, rect.columns - 5, STYLE_TITLE, title);

        canvas_put(canvas, rect.row, rect.column + 1, style, ' ');
        canvas_put(canvas, rect.row, rect.column + 2 + width, style, ' ');
    }
}

void canvas_print(const struct canvas *canvas, FILE *file)
{
    for (int i = 0; i < canvas->rows; i++) {
        const struct cell *row = canvas->cells + (size_t)i * (size_t)canvas->columns;
        int used = canvas->columns;

        while (used > 0 && row[used - 1].character == ' ')
            used--;
        for (int j = 0; j < used; j++) {
            char text[GLYPH_BYTES];

            glyph_encode(row[j].character, text);
            fputs(text, file);
        }
        fputc('\n', file);
    }
}
