/* Queries of the terminal's terminfo description. Part of the terminal module, in a file of its own
 * because term.h defines many short names as macros. */
#ifndef AOLAG_TUI_TERMINFO_H
#define AOLAG_TUI_TERMINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Selects the terminal name for newterm: $TERM, or if that is unknown xterm-256color, then vt100; a
 * fallback is reported in `notice`, which is empty otherwise. Returns STATUS_INVALID if TERM is
 * unset or the cursor cannot be addressed. `name` points into the environment or is constant. */
enum status terminfo_choose(const char **name, char *notice, size_t size, struct error *error);

/* The functions below are valid after newterm. */

/* Returns true if the terminal uses sequences that begin with Esc [. */
bool terminfo_ecma48(void);

/* Returns true if the terminal has an alternate screen, which preserves the previous contents. */
bool terminfo_alternate(void);

/* Writes to `bytes` the sequences that undo all changes by newterm and curses to the terminal's
 * state except its modes: attributes, colours if `coloured`, keypad, cursor, alternate screen. */
void terminfo_undo(char *bytes, size_t size, bool coloured);

#endif
