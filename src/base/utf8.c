#include "base/utf8.h"

#include <string.h>

static bool begins_with(const char *bytes, size_t length, const char *mark, size_t size)
{
    return length >= size && memcmp(bytes, mark, size) == 0;
}

void utf8_skip_mark(const char **bytes, size_t *length)
{
    if (begins_with(*bytes, *length, "\xEF\xBB\xBF", 3)) {
        *bytes += 3;
        *length -= 3;
    }
}

enum status utf8_begin(const char **bytes, size_t *length, const char *what, struct error *error)
{
    static const struct {
        const char *mark, *name;
    } wide[] = {{"\xFF\xFE\0", "UTF-32"},
                {"\0\0\xFE\xFF", "UTF-32"},
                {"\xFF\xFE", "UTF-16"},
                {"\xFE\xFF", "UTF-16"}};
    const char *nul = *length == 0 ? NULL : memchr(*bytes, '\0', *length);

    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (begins_with(*bytes, *length, wide[i].mark, i < 2 ? 4 : 2))
            return error_set(error, STATUS_INVALID, "the file is %s; save it as UTF-8",
                             wide[i].name);
    if (nul != NULL)
        return error_set(error, STATUS_INVALID, "byte %td is NUL; %s is text", nul - *bytes + 1,
                         what);
    utf8_skip_mark(bytes, length);
    return STATUS_OK;
}

static size_t sequence_length(unsigned char lead, uint32_t *bits, uint32_t *least)
{
    if (lead < 0x80) {
        *bits = lead;
        *least = 0;
        return 1;
    }
    if (lead >= 0xC0 && lead < 0xE0) {
        *bits = lead & 0x1FU;
        *least = 0x80;
        return 2;
    }
    if (lead >= 0xE0 && lead < 0xF0) {
        *bits = lead & 0x0FU;
        *least = 0x800;
        return 3;
    }
    if (lead >= 0xF0 && lead < 0xF8) {
        *bits = lead & 0x07U;
        *least = 0x10000;
        return 4;
    }
    return 0;
}

size_t utf8_read(const char *bytes, size_t left, uint32_t *code)
{
    uint32_t least;
    size_t length;

    if (left == 0)
        return 0;
    length = sequence_length((unsigned char)bytes[0], code, &least);
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++) {
        unsigned char next = (unsigned char)bytes[i];

        if ((next & 0xC0U) != 0x80)
            return 0;
        *code = *code << 6 | (next & 0x3FU);
    }
    if (*code < least || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000))
        return 0;
    return length;
}

bool utf8_is_control(uint32_t code)
{
    return (code < 0x20 && code != '\t') || (code >= 0x7F && code < 0xA0);
}

bool utf8_is_unsafe(uint32_t code)
{
    return code == '\t' || utf8_is_control(code) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF || (code & 0xFFFE) == 0xFFFE;
}

void utf8_excerpt(char *text, size_t size, const char *bytes, size_t length)
{
    static const char more[] = "...";
    size_t used = 0;
    uint32_t code;

    if (length < size) {
        memcpy(text, bytes, length);
        text[length] = '\0';
        return;
    }
    while (used < length) {
        size_t next = utf8_read(bytes + used, length - used, &code);

        next += next == 0;
        if (used + next + sizeof more > size)
            break;
        used += next;
    }
    memcpy(text, bytes, used);
    memcpy(text + used, more, sizeof more);
}

size_t text_trim(const char **text)
{
    size_t length;

    *text += strspn(*text, " \t");
    length = strlen(*text);
    while (length > 0 && strchr(" \t", (*text)[length - 1]) != NULL)
        length--;
    return length;
}

char *text_trimmed(char *text)
{
    const char *from = text;
    size_t length = text_trim(&from);

    text += from - text;
    text[length] = '\0';
    return text;
}
