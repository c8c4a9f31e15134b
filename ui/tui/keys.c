#include "tui/keys.h"

#include <stdio.h>
#include <string.h>

#include "draw/glyph.h"

static const struct {
    uint32_t key;
    const char *name;
} names[] = {
    {.key = KEY_NAMED_UP, .name = "Up"},
    {.key = KEY_NAMED_DOWN, .name = "Down"},
    {.key = KEY_NAMED_LEFT, .name = "Left"},
    {.key = KEY_NAMED_RIGHT, .name = "Right"},
    {.key = KEY_NAMED_SHIFT_UP, .name = "S-Up"},
    {.key = KEY_NAMED_SHIFT_DOWN, .name = "S-Down"},
    {.key = KEY_NAMED_SHIFT_LEFT, .name = "S-Left"},
    {.key = KEY_NAMED_SHIFT_RIGHT, .name = "S-Right"},
    {.key = KEY_NAMED_PAGE_UP, .name = "PageUp"},
    {.key = KEY_NAMED_PAGE_DOWN, .name = "PageDown"},
    {.key = KEY_NAMED_HOME, .name = "Home"},
    {.key = KEY_NAMED_END, .name = "End"},
    {.key = KEY_NAMED_INSERT, .name = "Insert"},
    {.key = KEY_NAMED_DELETE, .name = "Delete"},
    {.key = KEY_NAMED_BACKSPACE, .name = "Backspace"},
    {.key = KEY_NAMED_ENTER, .name = "Enter"},
    {.key = KEY_NAMED_ESCAPE, .name = "Esc"},
    {.key = KEY_NAMED_TAB, .name = "Tab"},
    {.key = KEY_NAMED_SHIFT_TAB, .name = "S-Tab"},
    {.key = KEY_NAMED_F1, .name = "F1"},
    {.key = ' ', .name = "Space"},
};

uint32_t key_from_control(uint32_t code)
{
    switch (code) {
    case '\b':
    case 127:
        return KEY_NAMED_BACKSPACE;
    case '\t':
        return KEY_NAMED_TAB;
    case '\n':
    case '\r':
        return KEY_NAMED_ENTER;
    case 27:
        return KEY_NAMED_ESCAPE;
    default:
        return code;
    }
}

bool key_is_text(uint32_t key)
{
    return key >= ' ' && key < KEY_FIRST_NAMED;
}

const char *key_name_at(size_t index)
{
    return index < sizeof names / sizeof names[0] ? names[index].name : NULL;
}

void key_to_name(uint32_t key, char *text, size_t size)
{
    char character[GLYPH_BYTES];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].key == key) {
            snprintf(text, size, "%s", names[i].name);
            return;
        }
    if (key > 0 && key <= 26) {
        snprintf(text, size, "C-%c", (char)('a' + key - 1));
    } else if (glyph_single(key)) {
        glyph_encode(key, character);
        snprintf(text, size, "%s", character);
    } else {
        snprintf(text, size, "U+%04X", (unsigned)key);
    }
}

uint32_t key_from_name(const char *name)
{
    const char *rest = name;
    uint32_t character;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].key;
    if (strncmp(name, "C-", 2) == 0 && name[2] >= 'a' && name[2] <= 'z' && name[3] == '\0')
        return key_from_control((uint32_t)(name[2] - 'a' + 1));
    character = glyph_decode(&rest);
    return character != 0 && *rest == '\0' ? key_from_control(character) : KEY_NONE;
}
