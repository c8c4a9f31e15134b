#include "draw/text.h"

#include <ctype.h>
#include <langinfo.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "model/result.h"

#define LINE_BYTES 8192 /* of a path and a sentence */

bool locale_is_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void text_clean(const char *from, bool unicode, char *to, size_t size)
{
    size_t used = 0;

    while (*from != '\0') {
        bool plain = *from >= ' ' && *from <= '~'; /* nearly all are */
        uint32_t code = 0;
        size_t length = plain ? 1 : utf8_read(from, strlen(from), &code);
        char character[GLYPH_BYTES] = "?";
        size_t bytes = 1;

        if (plain)
            character[0] = *from;
        else if (length > 0 && !utf8_is_unsafe(code))
            bytes = glyph_encode(unicode ? code : glyph_ascii(code), character);
        if (used + bytes >= size)
            break;
        memcpy(to + used, character, bytes);
        used += bytes;
        from += length > 0 ? length : 1;
    }
    to[used] = '\0';
}

void text_line(FILE *out, const char *format, ...)
{
    char text[LINE_BYTES], clean[LINE_BYTES];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    text_clean(text, locale_is_unicode(), clean, sizeof clean);
    fprintf(out, "%s\n", clean);
}

void text_lines(FILE *out, const char *text)
{
    while (*text != '\0') {
        uint32_t code;
        size_t length = utf8_read(text, strlen(text), &code);
        bool end = *text == '\n' || *text == '\t' || strncmp(text, "\r\n", 2) == 0;

        if (end || (length > 0 && !utf8_is_unsafe(code)))
            fwrite(text, 1, length, out);
        else
            fputc('?', out);
        text += length > 0 ? length : 1;
    }
}

int text_width(const char *text)
{
    int width = 0;

    while (glyph_decode(&text) != 0)
        width++;
    return width;
}

size_t text_bytes(const char *text, int cells)
{
    const char *at = text;

    while (cells-- > 0 && glyph_decode(&at) != 0)
        continue;
    return (size_t)(at - text);
}

/* Returns true for the blank between a number and its unit, as in "2.04 TB/s" and "3 %". */
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
    size_t joint = 0; /* end of the line if there is no better place */
    int cells = 0;

    while (text[at] != '\0' && text[at] != '\n') {
        if (text[at] == ' ' && joins_unit(text, at))
            joint = at;
        else if (text[at] == ' ')
            blank = at;
        if (cells == columns)
            return blank > 0 ? blank : joint > 0 ? joint : at;
        at += text_bytes(text + at, 1);
        cells++;
    }
    return at;
}

/* Returns the start of the number that ends at `end`; `end` if there is none. */
static size_t number_before(const char *text, size_t end)
{
    while (end > 0 && (isdigit((unsigned char)text[end - 1]) || text[end - 1] == '.'))
        end--;
    return end;
}

size_t text_whole(const char *text, int columns)
{
    size_t at = text_bytes(text, columns > 0 ? columns - 1 : 0);
    size_t word = at; /* its start */

    while (word > 0 && text[word - 1] != ' ')
        word--;
    if (text[at] == ' ' && joins_unit(text, at))
        at = number_before(text, at);
    else if (text[at] != ' ' && word > 0 && joins_unit(text, word - 1))
        at = number_before(text, word - 1);
    else if (isalnum((unsigned char)text[at]) || text[at] == '.')
        at = number_before(text, at);
    while (at > 0 && text[at - 1] == ' ')
        at--;
    return at;
}

void text_cut(char *text, int columns)
{
    text[text_bytes(text, columns)] = '\0';
}

/* Returns the cells of the last word of a name, including its separator. */
static int last_word_width(const char *text)
{
    const char *at = text + strlen(text);

    while (at > text && strchr("-_@>.", at[-1]) == NULL)
        at--;
    return at > text ? text_width(at - 1) : 0;
}

void text_middle(char *text, size_t size, int columns)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    int width = text_width(text);
    int tail = last_word_width(text);
    size_t head;
    size_t from;

    if (width <= columns || columns < 5 || strlen(text) + sizeof ellipsis > size)
        return;
    if (tail < 2 || tail > columns / 2)
        tail = columns / 3;
    head = text_bytes(text, columns - 1 - tail);
    from = text_bytes(text, width - tail);
    memmove(text + head + sizeof ellipsis - 1, text + from, strlen(text + from) + 1);
    memcpy(text + head, ellipsis, sizeof ellipsis - 1);
}

void text_words(char *text, size_t size, int columns)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    static const char automatic[] = "auto ";
    size_t keep;

    if (text_width(text) > columns && strncmp(text, automatic, strlen(automatic)) == 0)
        memmove(text, text + strlen(automatic), strlen(text + strlen(automatic)) + 1);
    if (text_width(text) <= columns || strlen(text) + sizeof ellipsis > size)
        return;
    keep = text_bytes(text, columns > 0 ? columns - 1 : 0);
    while (keep > 0 && text[keep] != ' ' && text[keep] != '-')
        keep--;
    memcpy(text + keep, ellipsis, sizeof ellipsis);
}

/* Returns where the last clause that follows a separator begins, or NULL. */
static char *last_clause(char *text, const char *separator)
{
    char *last = NULL;

    for (char *at = strstr(text, separator); at != NULL; at = strstr(at + 1, separator))
        last = at;
    return last;
}

bool text_clauses(char *text, int columns)
{
    static const char *const separators[] = {" \xC2\xB7 ", "; ", ", "};

    for (size_t s = 0; s < sizeof separators / sizeof separators[0]; s++)
        for (char *at;
             text_width(text) > columns && (at = last_clause(text, separators[s])) != NULL;)
            *at = '\0';
    return text_width(text) <= columns;
}

void text_minus(char *text, size_t size)
{
    size_t length = strlen(text);

    for (char *at = strchr(text, '-'); at != NULL; at = strchr(at + 1, '-')) {
        if ((at > text && at[-1] != ' ' && at[-1] != '(') || !isdigit((unsigned char)at[1]) ||
            length + 2 >= size)
            continue;
        memmove(at + 3, at + 1, (size_t)(text + length - at));
        memcpy(at, "\xE2\x88\x92", 3);
        length += 2;
    }
}

void text_change(double value, char *to, size_t size)
{
    const double most = fabs(value);

    snprintf(to, size, "%s%.*f",
             most < 0.005 ? ""
             : value < 0  ? "\xE2\x88\x92"
                          : "+",
             most < 9.995   ? 2
             : most < 99.95 ? 1
                            : 0,
             most);
}

void text_micro(char *text, size_t size)
{
    size_t length = strlen(text);

    for (char *at = strstr(text, " u"); at != NULL; at = strstr(at + 2, " u")) {
        bool unit = at > text && isdigit((unsigned char)at[-1]) && (at[2] == 's' || at[2] == 'm') &&
                    !isalnum((unsigned char)at[3]) && at[3] != '_' && at[3] != '-';

        if (!unit || length + 2 > size)
            continue;
        memmove(at + 3, at + 2, (size_t)(text + length - (at + 2)) + 1);
        memcpy(at + 1, "\xC2\xB5", 2);
        length++;
    }
}

const char *text_percent(double fraction, char to[PERCENT_MAX])
{
    double percent = 100 * fraction;
    int digits = percent > 0 && percent < 0.1 ? (int)fmin(1 - floor(log10(percent)), 12) : 0;

    if (digits > 0)
        snprintf(to, PERCENT_MAX, "%.*f %%", digits, percent);
    else
        snprintf(to, PERCENT_MAX, percent < 99.95 ? "%.3g %%" : "%.0f %%", percent);
    return to;
}

void text_quantity(double si, const char *unit, bool unicode, char *to, size_t size)
{
    char *micro;

    if (si == RESULT_NONE) {
        snprintf(to, size, "-");
        return;
    }
    quantity_print(si, unit, to, size);
    micro = unicode ? strstr(to, " u") : NULL;
    if (micro != NULL && strlen(to) + 2 <= size) {
        memmove(micro + 3, micro + 2, strlen(micro + 2) + 1);
        memcpy(micro + 1, "\xC2\xB5", 2);
    }
}

void text_number(double value, char *to, size_t size)
{
    text_quantity(value, "", false, to, size);
}

void text_fill(FILE *out, const char *text, int column, int indent, int columns)
{
    bool first = true; /* on its line */

    while (*text != '\0') {
        int length = (int)strcspn(text, " ");

        if (!first && column + 1 + length > columns) {
            column = fprintf(out, "\n%*s", indent, "") - 1;
            first = true;
        }
        column += fprintf(out, "%s%.*s", first ? "" : " ", length, text);
        first = false;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}
