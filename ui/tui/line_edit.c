#include "tui/line_edit.h"

#include <stdio.h>
#include <string.h>

#include "draw/text.h"

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t character_before(const struct line_edit *line, size_t at)
{
    while (at > 0 && is_continuation(line->text[--at]))
        ;
    return at;
}

static size_t character_after(const struct line_edit *line, size_t at)
{
    if (at < line->length)
        at++;
    while (at < line->length && is_continuation(line->text[at]))
        at++;
    return at;
}

void line_set(struct line_edit *line, const char *text, bool fresh)
{
    snprintf(line->text, sizeof line->text, "%s", text);
    line->length = strlen(line->text);
    line->cursor = line->length;
    line->fresh = fresh && line->length > 0;
    line->full = false;
}

static bool splice_text(struct line_edit *line, size_t start, size_t end, const char *bytes,
                        size_t count)
{
    if (line->length - (end - start) + count > LINE_MAX_BYTES)
        return false;
    memmove(line->text + start + count, line->text + end, line->length - end + 1);
    memcpy(line->text + start, bytes, count);
    line->length = line->length - (end - start) + count;
    line->cursor = start + count;
    line->fresh = line->full = false;
    return true;
}

bool line_insert(struct line_edit *line, uint32_t character)
{
    char bytes[GLYPH_BYTES];

    if (character < ' ' || (character >= 0x7F && character < 0xA0) || character > 0x10FFFF ||
        (character >= 0xD800 && character < 0xE000))
        return true;
    if (line->fresh)
        line_set(line, "", false);
    line->full = line->full || !splice_text(line, line->cursor, line->cursor, bytes,
                                            glyph_encode(character, bytes));
    return !line->full;
}

void line_move(struct line_edit *line, int by)
{
    line->fresh = line->full = false;
    for (; by < 0 && line->cursor > 0; by++)
        line->cursor = character_before(line, line->cursor);
    for (; by > 0 && line->cursor < line->length; by--)
        line->cursor = character_after(line, line->cursor);
}

void line_delete_left(struct line_edit *line)
{
    splice_text(line, character_before(line, line->cursor), line->cursor, "", 0);
}

void line_delete_right(struct line_edit *line)
{
    splice_text(line, line->cursor, character_after(line, line->cursor), "", 0);
}

void line_replace(struct line_edit *line, size_t start, const char *word)
{
    if (start <= line->cursor)
        splice_text(line, start, line->cursor, word, strlen(word));
}

void line_draw(const struct line_edit *line, struct canvas *canvas, int row, int column,
               int columns)
{
    const char *from = line->text + line->cursor;
    int width = 0;

    if (columns <= 1)
        return;
    for (; from > line->text && width < columns - 1; width++)
        from = line->text + character_before(line, (size_t)(from - line->text));
    /* what is typed shows up to the edge, numbers too */
    canvas_printf(canvas, row, column, columns, line->fresh ? STYLE_SELECTED : STYLE_NORMAL, "%.*s",
                  (int)text_bytes(from, columns), from);
    canvas->cursor_row = row;
    canvas->cursor_column = column + width;
}
