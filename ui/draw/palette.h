/* Colours and attributes of the styles of a canvas, for terminals and for pictures of the screen.
 *
 * On a terminal the background is its own, so each colour is legible on black and on white: the
 * contrast (WCAG 2.1) is at least 3 on both, as graphics and bold letters need, and 4.5 on one; of
 * dimmed and good text 4.5 on both. On the known background of a picture it is at least 4.5. */
#ifndef AOLAG_DRAW_PALETTE_H
#define AOLAG_DRAW_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"

/* Terminals without colours, with 8 and with 256; pictures on a dark and on a light background. */
enum palette {
    PALETTE_NONE,
    PALETTE_8,
    PALETTE_256,
    PALETTE_DARK,
    PALETTE_LIGHT,
    PALETTE_COUNT
};

#define COLOUR_DEFAULT (-1) /* the text's own */

/* Attributes, one bit each. */
enum { LOOK_BOLD = 1, LOOK_DIMMED = 2, LOOK_REVERSED = 4, LOOK_UNDERLINED = 8 };

struct style_look {
    int colour; /* number in the palette, as of xterm, or COLOUR_DEFAULT */
    unsigned attributes;
};

const struct style_look *palette_look(enum palette palette, enum style style);

/* Returns the style that a cell is shown in: of 8 colours, yellow and cyan are pale on white, and
 * are left to fills. */
enum style palette_style(enum palette palette, const struct cell *cell);

/* Returns 0xRRGGBB of a number from 16 to 255 of the 256 colours of xterm: a cube of six levels of
 * red, green and blue, then 24 greys. */
uint32_t palette_rgb(int colour);

/* Colours of text and background of a picture, numbers of the 256. */
int palette_text(bool light);
int palette_back(bool light);

#endif
