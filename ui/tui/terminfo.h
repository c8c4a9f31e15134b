/* What the terminal's description says. Part of the terminal module: term.h, which these functions
 * keep to themselves, defines half the alphabet as macros. */
#ifndef AOLAG_TUI_TERMINFO_H
#define AOLAG_TUI_TERMINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Picks the name to give to newterm: $TERM, and where that is unknown xterm-256color, then vt100,
 * which `notice` (else empty) says. STATUS_INVALID when TERM is unset or there is no cursor
 * addressing. `name` points into the environment or is constant. */
enum status terminfo_choose(const char **name, char *notice, size_t size, struct error *error);

/* After newterm. */

/* Whether the terminal takes sequences that begin with Esc [. */
bool terminfo_ecma48(void);

/* Whether it has a second screen, so that what was on it comes back. */
bool terminfo_alternate(void);

/* Everything that undoes what newterm and curses did to the terminal's state but for its modes:
 * attributes, colours if `coloured`, keypad, cursor, alternate screen. */
void terminfo_undo(char *bytes, size_t size, bool coloured);

#endif
