#include "emulator.h"

#include <stdlib.h>
#include <string.h>

#include "draw/glyph.h"

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct emulator *emulator = user;

    if (property == VTERM_PROP_ALTSCREEN)
        emulator->alternate = value->boolean;
    if (property == VTERM_PROP_CURSORVISIBLE)
        emulator->cursor_visible = value->boolean;
    if (property == VTERM_PROP_MOUSE)
        emulator->mouse = value->number;
    return 1;
}

bool emulator_open(struct emulator *emulator, int rows, int columns)
{
    static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

    *emulator = (struct emulator){.vterm = vterm_new(rows, columns)};
    if (emulator->vterm == NULL)
        return false;
    vterm_set_utf8(emulator->vterm, 1);
    emulator->screen = vterm_obtain_screen(emulator->vterm);
    vterm_screen_set_callbacks(emulator->screen, &callbacks, emulator);
    vterm_screen_enable_altscreen(emulator->screen, 1);
    vterm_screen_reset(emulator->screen, 1);
    return true;
}

void emulator_close(struct emulator *emulator)
{
    if (emulator->vterm != NULL)
        vterm_free(emulator->vterm);
    free(emulator->text);
}

static size_t character_length(unsigned char first)
{
    return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

/* libvterm spoils a character that comes in two pieces, and one that comes after a piece whose rest
 * never came: it gets whole ones, and what terminals show in place of such a piece. */
void emulator_write(struct emulator *emulator, const char *bytes, size_t count)
{
    static const char replacement[] = "\xEF\xBF\xBD";

    for (size_t i = 0; i < count; i++) {
        if (emulator->held > 0 && ((unsigned char)bytes[i] & 0xC0U) != 0x80U) {
            vterm_input_write(emulator->vterm, replacement, sizeof replacement - 1);
            emulator->held = 0;
        }
        emulator->bytes[emulator->held++] = bytes[i];
        if (emulator->held == character_length((unsigned char)emulator->bytes[0])) {
            vterm_input_write(emulator->vterm, emulator->bytes, emulator->held);
            emulator->held = 0;
        }
    }
}

void emulator_resize(struct emulator *emulator, int rows, int columns)
{
    vterm_set_size(emulator->vterm, rows, columns);
}

static size_t append_row(const struct emulator *emulator, int row, int columns, char *text)
{
    size_t length = 0;
    size_t used = 0;

    for (int column = 0; column < columns; column++) {
        VTermScreenCell cell = {0};
        uint32_t character;

        vterm_screen_get_cell(emulator->screen, (VTermPos){row, column}, &cell);
        character = cell.chars[0] != 0 && cell.chars[0] != UINT32_MAX ? cell.chars[0] : ' ';
        length += glyph_encode(character, text + length);
        if (character != ' ')
            used = length;
    }
    text[used] = '\n';
    return used + 1;
}

const char *emulator_text(struct emulator *emulator)
{
    int rows, columns;
    size_t length = 0;

    vterm_get_size(emulator->vterm, &rows, &columns);
    free(emulator->text);
    emulator->text = malloc((size_t)rows * ((size_t)columns * 4 + 1) + GLYPH_BYTES);
    if (emulator->text == NULL)
        abort();
    for (int row = 0; row < rows; row++)
        length += append_row(emulator, row, columns, emulator->text + length);
    emulator->text[length] = '\0';
    return emulator->text;
}

const char *emulator_cursor_line(struct emulator *emulator)
{
    char *line = (char *)emulator_text(emulator);
    VTermPos position;

    vterm_state_get_cursorpos(vterm_obtain_state(emulator->vterm), &position);
    for (int row = 0; row < position.row; row++)
        line = strchr(line, '\n') + 1;
    *strchr(line, '\n') = '\0';
    return line;
}
