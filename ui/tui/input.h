/* What a terminal sends, as key events. Part of the terminal module: reads through curses. */
#ifndef AOLAG_TUI_INPUT_H
#define AOLAG_TUI_INPUT_H

#include <curses.h>
#include <stdbool.h>

#include "tui/keys.h"

/* How long a byte of a sequence may be behind the one before, in ms; a lone Esc waits as long. */
#define ESCAPE_DELAY 100

struct input {
    WINDOW *window; /* never shown: reading from it must not refresh anything */
    int pushed;     /* read too much, comes next; ERR: none */
};

/* After newterm. false without memory. */
bool input_open(struct input *input);
void input_close(struct input *input);

/* The next key of what has arrived; false when there is none. Waits only inside a sequence. A
 * sequence nobody knows is passed over whole and never becomes keys. */
bool input_next(struct input *input, struct key_event *event);

#endif
