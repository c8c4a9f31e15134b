/* The terminal a test looks at: libvterm's emulator. */
#ifndef AOLAG_EMULATOR_H
#define AOLAG_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>

#include <vterm.h>

struct emulator {
    VTerm *vterm;
    VTermScreen *screen;
    bool alternate, cursor_visible;
    int mouse; /* VTERM_PROP_MOUSE_... */
    char *text;
    char bytes[4]; /* `held` of a character that is not all there */
    size_t held;
};

/* At a fixed address from then on. false without memory. */
bool emulator_open(struct emulator *emulator, int rows, int columns);
void emulator_close(struct emulator *emulator);

void emulator_write(struct emulator *emulator, const char *bytes, size_t count);
void emulator_resize(struct emulator *emulator, int rows, int columns);

/* The screen, rows ended by newlines, trailing blanks cut; the row of the cursor. Valid until the
 * next call of either. */
const char *emulator_text(struct emulator *emulator);
const char *emulator_cursor_line(struct emulator *emulator);

#endif
