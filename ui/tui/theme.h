/* How styles look: colours and attributes for terminals of 256, 8 and no colours. */
#ifndef AOLAG_THEME_H
#define AOLAG_THEME_H

#include <stdbool.h>

#include <curses.h>

#include "draw/canvas.h"

enum palette { PALETTE_NONE, PALETTE_8, PALETTE_256, PALETTE_COUNT };

/* The best palette of the terminal newterm has set up, its colour pairs defined. PALETTE_NONE also
 * where NO_COLOR is set and not empty (no-color.org); then no colour is ever sent. */
enum palette theme_start(void);

attr_t theme_attributes(enum palette palette, enum style style);
short theme_pair(enum palette palette, enum style style);

#endif
