/* Characters: UTF-8 decoding and encoding, single-cell characters, ASCII replacements. */
#ifndef AOLAG_DRAW_GLYPH_H
#define AOLAG_DRAW_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLYPH_BYTES 5 /* UTF-8 bytes including the final NUL */

/* Returns the code point at *text and advances *text; 0 at the end. An invalid byte yields U+FFFD
 * and is skipped alone. */
uint32_t glyph_decode(const char **text);

/* Writes the character and a NUL; returns the number of bytes without the NUL. */
size_t glyph_encode(uint32_t character, char text[GLYPH_BYTES]);

/* Returns true if every terminal shows the character in one cell. Independent of the locale. */
bool glyph_single(uint32_t character);

/* Returns the nearest ASCII character, or '?' if there is none. */
uint32_t glyph_ascii(uint32_t character);

#endif
