/* Keys by code and by name. Printable keys are their Unicode code point; the rest are below. */
#ifndef AOLAG_TUI_KEYS_H
#define AOLAG_TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key {
    KEY_NONE = 0,
    KEY_CONTROL_C = 3,
    KEY_CONTROL_L = 12,
    KEY_CONTROL_R = 18,
    KEY_CONTROL_Z = 26,
    KEY_FIRST_NAMED = 0x110000, /* above every code point */
    KEY_NAMED_UP = KEY_FIRST_NAMED,
    KEY_NAMED_DOWN,
    KEY_NAMED_LEFT,
    KEY_NAMED_RIGHT,
    KEY_NAMED_SHIFT_UP,
    KEY_NAMED_SHIFT_DOWN,
    KEY_NAMED_SHIFT_LEFT,
    KEY_NAMED_SHIFT_RIGHT,
    KEY_NAMED_PAGE_UP,
    KEY_NAMED_PAGE_DOWN,
    KEY_NAMED_HOME,
    KEY_NAMED_END,
    KEY_NAMED_INSERT,
    KEY_NAMED_DELETE,
    KEY_NAMED_BACKSPACE, /* 8 and 127 as well */
    KEY_NAMED_ENTER,
    KEY_NAMED_ESCAPE,
    KEY_NAMED_TAB,
    KEY_NAMED_SHIFT_TAB,
    KEY_NAMED_F1,
    KEY_NAMED_MOUSE /* the event has the rest */
};

enum mouse_kind { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct key_event {
    uint32_t key;
    enum mouse_kind mouse; /* of KEY_NAMED_MOUSE; the left button */
    int row, column;       /* from 0 */
};

/* What the loop has to do after a key. */
enum app_next { APP_CONTINUE, APP_QUIT, APP_SUSPEND, APP_REDRAW };

/* The key a terminal means by a control character (0 to 31 and 127): Backspace for 8 and 127, Tab,
 * Enter for CR and LF, Esc; others stand for themselves. */
uint32_t key_from_control(uint32_t code);

/* Whether a key is a character that is typed, not a control key or one with a name. */
bool key_is_text(uint32_t key);

/* "Right", "S-Right", "PageDown", "C-r", "Space", "Esc", "q": into `text` (at least 16 bytes). */
void key_to_name(uint32_t key, char *text, size_t size);

/* The key a name stands for; a single character (UTF-8) stands for itself; KEY_NONE: no such. */
uint32_t key_from_name(const char *name);

/* The names there are, but for single characters and C-a to C-z; NULL past the last. */
const char *key_name_at(size_t index);

#endif
