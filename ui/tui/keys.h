/* Key codes and names. A printable key is its Unicode code point; the others are listed below. */
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
    KEY_NAMED_BACKSPACE, /* also for codes 8 and 127 */
    KEY_NAMED_ENTER,
    KEY_NAMED_ESCAPE,
    KEY_NAMED_TAB,
    KEY_NAMED_SHIFT_TAB,
    KEY_NAMED_F1,
    KEY_NAMED_MOUSE /* details are in the event */
};

enum mouse_kind { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct key_event {
    uint32_t key;
    enum mouse_kind mouse; /* for KEY_NAMED_MOUSE, left button */
    int row, column;       /* from 0 */
    double time;           /* s on the clock; 0 in scripts */
    bool pasted;           /* part of pasted text, not a press of the key */
};

/* Action of the main loop after a key; APP_REFUSED: only the message changed: the key has no room.
 */
enum app_next { APP_CONTINUE, APP_QUIT, APP_SUSPEND, APP_REDRAW, APP_REFUSED };

/* Returns the key for a control character (0 to 31 and 127): Backspace for 8 and 127, Tab, Enter
 * for CR and LF, Esc; other codes unchanged. */
uint32_t key_from_control(uint32_t code);

/* Returns true for a printable character, false for control and named keys. */
bool key_is_text(uint32_t key);

/* Writes a key's name to `text` (at least 16 bytes): "Right", "S-Right", "PageDown", "C-r", "Esc",
 * "q". */
void key_to_name(uint32_t key, char *text, size_t size);

/* Returns the key with this name or of this single character (UTF-8); KEY_NONE: unknown. */
uint32_t key_from_name(const char *name);

/* Returns the name number `index`, NULL after the last. Excludes single characters and C-a to
 * C-z. */
const char *key_name_at(size_t index);

#endif
