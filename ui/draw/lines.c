#include "lines.h"

#include <stdio.h>
#include <string.h>

#include "glyph.h"
#include "units.h"

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
