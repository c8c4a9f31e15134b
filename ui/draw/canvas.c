#include "draw/canvas.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "draw/glyph.h"

#define ELLIPSIS 0x2026U
#define FORMATTED_MAX 1024

bool canvas_init(struct canvas *canvas, int rows, int columns, bool unicode)
{
    size_t count = rows > 0 && columns > 0 ? (size_t)rows * (size_t)columns : 0;
    struct cell *cells = NULL;

    if (count > 0) {
        cells = realloc(canvas->cells, count * sizeof *cells);
        if (cells == NULL) {
            canvas_free(canvas);
            return false;
        }
    } else {
        free(canvas->cells);
    }
    *canvas = (struct canvas){.rows = count > 0 ? rows : 0,
                              .columns = count > 0 ? columns : 0,
                              .unicode = unicode,
                              .cells = cells};
    canvas_clear(canvas);
    return true;
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
}

uint32_t canvas_at(const struct canvas *canvas, int row, int column)
{
    if (row < 0 || row >= canvas->rows || column < 0 || column >= canvas->columns)
        return 0;
    return canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column].character;
}

void text_micro(char *text, size_t size)
{
    size_t length = strlen(text);

    for (char *at = strstr(text, " us"); at != NULL; at = strstr(at + 3, " us")) {
        bool unit = at > text && isdigit((unsigned char)at[-1]) && !isalnum((unsigned char)at[3]) &&
                    at[3] != '_' && at[3] != '-';

        if (!unit || length + 2 > size)
            continue;
        memmove(at + 3, at + 2, (size_t)(text + length - (at + 2)) + 1);
        memcpy(at + 1, "\xC2\xB5", 2);
        length++;
    }
}

int text_width(const char *text)
{
    int width = 0;

    while (glyph_decode(&text) != 0)
        width++;
    return width;
}

int canvas_text(struct canvas *canvas, int row, int column, int columns, enum style style,
                const char *text)
{
    int width = text_width(text);
    int shown = width < columns ? width : columns;

    for (int i = 0; i < shown; i++) {
        uint32_t character = glyph_decode(&text);

        if (i == columns - 1 && width > columns)
            character = ELLIPSIS;
        canvas_put(canvas, row, column + i, style, character);
    }
    return shown > 0 ? shown : 0;
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

/* What of a rectangle lies on the canvas. */
static struct rect visible(const struct canvas *canvas, struct rect rect)
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
    struct rect part = visible(canvas, rect);

    for (int i = 0; i < part.rows; i++)
        for (int j = 0; j < part.columns; j++)
            canvas_put(canvas, part.row + i, part.column + j, style, character);
}

void canvas_restyle(struct canvas *canvas, struct rect rect, enum style style)
{
    struct rect part = visible(canvas, rect);

    for (int i = 0; i < part.rows; i++) {
        struct cell *row = canvas->cells + (size_t)(part.row + i) * (size_t)canvas->columns;

        for (int j = 0; j < part.columns; j++)
            row[part.column + j].style = (uint8_t)style;
    }
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

/* The cell at the end of a bar, by how many eighths of it are filled. */
static uint32_t partial_block(enum fill fill, int eighths)
{
    static const uint32_t blocks[] = {' ', 0x258F, 0x258E, 0x258D, 0x258C, 0x258B, 0x258A, 0x2589};

    /* a solid end would make a short bar of memory one of compute */
    return fill == FILL_MEMORY ? 0x2591 : blocks[eighths];
}

void canvas_bar(struct canvas *canvas, int row, int column, int columns, double length,
                enum fill fill, enum style style)
{
    uint32_t full = fill == FILL_COMPUTE ? 0x2588 : 0x2592;
    double most = columns;
    int eighths, whole;

    if (!(length > 0) || columns <= 0)
        return;
    eighths = (int)lround((length < most ? length : most) * 8);
    /* Something is never nothing. */
    if (eighths == 0)
        eighths = 1;
    whole = eighths / 8;
    for (int i = 0; i < whole; i++)
        canvas_put(canvas, row, column + i, style, full);
    if (eighths % 8 != 0)
        canvas_put(canvas, row, column + whole, style, partial_block(fill, eighths % 8));
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

/* Lines ---------------------------------------------------------------------------------------- */

static size_t character_bytes(const char *text)
{
    const char *next = text;

    glyph_decode(&next);
    return (size_t)(next - text);
}

/* The blank between a number and its unit, as in "2.04 TB/s" and "3 %". */
static bool joins_unit(const char *text, size_t blank)
{
    const char *next = text + blank + 1;
    size_t length = strcspn(next, " \n,;)");
    struct unit unit;
    char word[16];

    if (blank == 0 || text[blank - 1] < '0' || text[blank - 1] > '9' || length == 0 ||
        length >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)length, next);
    if (length > 1 && word[length - 1] == '.')
        word[length - 1] = '\0';
    return strcmp(word, "%") == 0 || unit_find(word, &unit) == STATUS_OK;
}

size_t text_break(const char *text, int columns)
{
    size_t at = 0;
    size_t blank = 0;
    size_t joint = 0; /* where the line ends for want of a better place */
    int cells = 0;

    while (text[at] != '\0' && text[at] != '\n') {
        if (text[at] == ' ' && joins_unit(text, at))
            joint = at;
        else if (text[at] == ' ')
            blank = at;
        if (cells == columns)
            return blank > 0 ? blank : joint > 0 ? joint : at;
        at += character_bytes(text + at);
        cells++;
    }
    return at;
}

int canvas_wrap(struct canvas *canvas, struct rect rect, int from, enum style style,
                const char *text)
{
    int rows = 0;

    while (*text != '\0' && rect.columns > 0) {
        char line[512];
        size_t bytes = text_break(text, rect.columns);

        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        if (from + rows < rect.rows)
            canvas_text(canvas, rect.row + from + rows, rect.column, rect.columns, style, line);
        rows++;
        text += bytes;
        while (*text == ' ' || *text == '\n')
            text++;
    }
    return rows;
}

void text_cut(char *text, int columns)
{
    size_t at = 0;

    while (text[at] != '\0' && columns-- > 0)
        at += character_bytes(text + at);
    text[at] = '\0';
}

/* Cells of the last word of a name, its joint included. */
static int last_word(const char *text)
{
    const char *at = text + strlen(text);

    while (at > text && strchr("-_@>.", at[-1]) == NULL)
        at--;
    return at > text ? text_width(at - 1) : 0;
}

static size_t bytes_of(const char *text, int cells)
{
    size_t at = 0;

    while (text[at] != '\0' && cells-- > 0)
        at += character_bytes(text + at);
    return at;
}

void text_middle(char *text, size_t size, int columns)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    int width = text_width(text);
    int tail = last_word(text);
    size_t head;
    size_t from;

    if (width <= columns || columns < 5 || strlen(text) + sizeof ellipsis > size)
        return;
    if (tail < 2 || tail > columns / 2)
        tail = columns / 3;
    head = bytes_of(text, columns - 1 - tail);
    from = bytes_of(text, width - tail);
    memmove(text + head + sizeof ellipsis - 1, text + from, strlen(text + from) + 1);
    memcpy(text + head, ellipsis, sizeof ellipsis - 1);
}
