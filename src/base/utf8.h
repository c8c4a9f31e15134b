/* Reading and checking UTF-8 (RFC 3629), and blanks around a text. */
#ifndef AOLAG_BASE_UTF8_H
#define AOLAG_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Skips the byte-order mark with which spreadsheets begin UTF-8. */
void utf8_skip_mark(const char **bytes, size_t *length);

/* Begins the reading of a file of text: skips the mark. Returns STATUS_INVALID for UTF-16, UTF-32
 * and text with a NUL byte; `what` is what it should be: "CSV", "a trace". */
enum status utf8_begin(const char **bytes, size_t *length, const char *what, struct error *error);

/* Reads the character at the start of `bytes`, of which `left` may be read. Sets its code point and
 * returns its length in bytes, or 0 if the bytes are not UTF-8 (overlong, surrogate, beyond
 * U+10FFFF or truncated) or `left` is 0. */
size_t utf8_read(const char *bytes, size_t left, uint32_t *code);

/* Returns true for C0 except the tab, DEL and C1, which could control a terminal. */
bool utf8_is_control(uint32_t code);

/* Returns true for what may not reach a terminal, a report or a picture: the controls above and the
 * tab, characters that change the direction of text around them or break lines, and those that XML
 * does not allow. */
bool utf8_is_unsafe(uint32_t code);

/* Skips the spaces and tabs at the start of `text`; returns its length without those at its end. */
size_t text_trim(const char **text);

/* The same in place: returns the first character that is none, and ends the text after the last. */
char *text_trimmed(char *text);

/* Copies as many whole characters as fit, followed by "..." if some are missing. */
void utf8_excerpt(char *text, size_t size, const char *bytes, size_t length);

#endif
