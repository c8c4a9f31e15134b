/* Text on lines of a canvas: broken, cut, shortened. */
#ifndef AOLAG_LINES_H
#define AOLAG_LINES_H

#include <stddef.h>

#include "canvas.h"

/* Text broken at blanks into the rectangle, from its row `from` on; returns the rows it takes
 * (also when they do not fit). */
int canvas_wrap(struct canvas *canvas, struct rect rect, int from, enum style style,
                const char *text);

/* The bytes of the first line of at most `columns` cells, broken at a blank where there is one
 * that does not stand between a number and its unit. */
size_t text_break(const char *text, int columns);

/* Cuts UTF-8 text to at most `columns` cells. */
void text_cut(char *text, int columns);

/* Shortens UTF-8 text to at most `columns` cells, leaving out its middle: names of one kind differ
 * at their end. `size` holds three bytes more than the text. */
void text_middle(char *text, size_t size, int columns);

#endif
