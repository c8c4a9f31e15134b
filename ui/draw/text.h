/* Text for people: what the locale cannot show is replaced, nothing can upset a terminal. */
#ifndef AOLAG_DRAW_TEXT_H
#define AOLAG_DRAW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "draw/glyph.h"

/* The locale's characters are UTF-8. */
bool locale_is_unicode(void);

/* A quantity as quantity_print writes it, with the µ where `unicode`; a dash for RESULT_NONE. */
void text_quantity(double si, const char *unit, bool unicode, char *to, size_t size);

/* "1.32" or "0.98": three significant digits. */
void text_number(double value, char *to, size_t size);

/* Fills lines of `columns` characters with ASCII text and ends the last one. The first line goes on
 * at `column`, the others begin after `indent` blanks. */
void text_fill(FILE *out, const char *text, int column, int indent, int columns);

#endif
