/* Text output in cells of the screen or columns of a line: removal of control characters, width,
 * line breaks, cutting and abbreviation; quantities. */
#ifndef AOLAG_DRAW_TEXT_H
#define AOLAG_DRAW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "draw/glyph.h"

/* Returns true if the character set of the locale is UTF-8. */
bool locale_is_unicode(void);

/* Copies UTF-8 `from`: unsafe characters (base/utf8.h) and invalid bytes become '?'; without
 * `unicode` every character becomes the nearest ASCII. It never gets longer, so that `to` may be
 * `from`. Text that does not fit is cut at a character boundary. */
void text_clean(const char *from, bool unicode, char *to, size_t size);

/* Prints formatted text that names files or quotes their contents, cleaned as the locale requires,
 * and ends the line. */
void text_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints text of several lines; unsafe characters but tabs and line ends become '?'. */
void text_lines(FILE *out, const char *text);

/* Returns the number of cells of UTF-8 text. */
int text_width(const char *text);

/* Returns the number of bytes in the first `cells` characters, or in the whole text if shorter. */
size_t text_bytes(const char *text, int cells);

/* Returns the number of bytes in the first line of at most `columns` cells, broken at a blank if
 * possible, but not between a number and its unit. */
size_t text_break(const char *text, int columns);

/* Returns the number of bytes to keep of a text that is wider than `columns` cells, so that an
 * ellipsis has room after them: not a part of a number, nor a number without its unit. */
size_t text_whole(const char *text, int columns);

/* Cuts text to at most `columns` cells. */
void text_cut(char *text, int columns);

/* Shortens text to at most `columns` cells by omitting its middle, since similar names differ at
 * the end. `size` is three bytes more than the text needs. */
void text_middle(char *text, size_t size, int columns);

/* Shortens a value to at most `columns` cells: without a leading "auto", else by omitting words
 * from the end, in names also those after a hyphen; never inside a number or a word. `size` is as
 * for text_middle. */
void text_words(char *text, size_t size, int columns);

/* Omits clauses from the end, those after " \xC2\xB7 ", then "; ", then ", ", until the text has at
 * most `columns` cells. Returns false if the first one is longer; then only it is left. */
bool text_clauses(char *text, int columns);

/* Replaces "us" in "12 us" by "µs" throughout the text; the canvas reverts it in ASCII. */
void text_micro(char *text, size_t size);

/* Replaces the sign of numbers, "-" before a digit at the start or after a blank or parenthesis, by U+2212. */
void text_minus(char *text, size_t size);

/* Writes a change with its sign and three digits, of which two at most are behind the point:
 * "+26.2", "0.00". */
void text_change(double value, char *to, size_t size);

#define PERCENT_MAX 32

/* Writes a fraction as "15.8 %", "0.000012 %" or "3933 %": three digits or those before the point,
 * never an exponent. Returns `to`. */
const char *text_percent(double fraction, char to[PERCENT_MAX]);

/* Writes a quantity as quantity_print does, with µ if `unicode`; a dash for RESULT_NONE. */
void text_quantity(double si, const char *unit, bool unicode, char *to, size_t size);

/* Writes three significant digits: "1.32" or "0.98". */
void text_number(double value, char *to, size_t size);

/* Prints ASCII text in lines of `columns` characters and ends the last one. The first line
 * continues at `column`; the others are indented by `indent` blanks. */
void text_fill(FILE *out, const char *text, int column, int indent, int columns);

#endif
