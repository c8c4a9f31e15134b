/* Text for people, in cells of the screen or columns of a line: cleaned of control characters,
 * measured, broken, cut and shortened to a width; quantities. */
#ifndef AOLAG_DRAW_TEXT_H
#define AOLAG_DRAW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "draw/glyph.h"

/* The locale's characters are UTF-8. */
bool locale_is_unicode(void);

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

/* A quantity as quantity_print writes it, with the µ where `unicode`; a dash for RESULT_NONE. */
void text_quantity(double si, const char *unit, bool unicode, char *to, size_t size);

/* "1.32" or "0.98": three significant digits. */
void text_number(double value, char *to, size_t size);

/* Fills lines of `columns` characters with ASCII text and ends the last one. The first line goes on
 * at `column`, the others begin after `indent` blanks. */
void text_fill(FILE *out, const char *text, int column, int indent, int columns);

#endif
