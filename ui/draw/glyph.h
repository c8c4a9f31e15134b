/* Characters and text in cells: UTF-8 in and out, which characters fill one cell, the nearest
 * ASCII, how wide a text is, and how it is broken, cut and shortened to a width. */
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

/* Rewrites UTF-8 `from`: control characters and invalid bytes become '?'; without `unicode`
 * everything becomes the nearest ASCII. Cut at a character boundary where it does not fit. */
void text_clean(const char *from, bool unicode, char *to, size_t size);

/* The cells UTF-8 text needs. */
int text_width(const char *text);

/* The bytes of the first `cells` characters, fewer where it ends before. */
size_t text_bytes(const char *text, int cells);

/* The bytes of the first line of at most `columns` cells, broken at a blank where there is one that
 * does not stand between a number and its unit. */
size_t text_break(const char *text, int columns);

/* Cuts text to at most `columns` cells. */
void text_cut(char *text, int columns);

/* Shortens text to at most `columns` cells by leaving out its middle, as names of one kind differ
 * at their end. `size` is three bytes more than the text needs. */
void text_middle(char *text, size_t size, int columns);

/* "12 us" to "12 µs", wherever it stands; a canvas turns it back where there is only ASCII. */
void text_micro(char *text, size_t size);

#endif
