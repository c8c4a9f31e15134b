/* Characters: UTF-8 in and out, which of them fill one cell, the nearest ASCII. */
#ifndef AOLAG_DRAW_GLYPH_H
#define AOLAG_DRAW_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLYPH_BYTES 5 /* of UTF-8, with the final NUL */

/* The code point at *text, which moves past it; 0 at the end. A byte that is not UTF-8 comes back
 * as U+FFFD and is passed over alone. */
uint32_t glyph_decode(const char **text);

/* Writes the character and a NUL; returns its bytes without the NUL. */
size_t glyph_encode(uint32_t character, char text[GLYPH_BYTES]);

/* Whether every terminal shows it in one cell. Independent of the locale. */
bool glyph_single(uint32_t character);

/* The nearest ASCII character, '?' when none is near. */
uint32_t glyph_ascii(uint32_t character);

#endif
