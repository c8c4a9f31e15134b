/* Text built by appending, in growing memory or in an array of the caller. */
#ifndef AOLAG_BASE_BUFFER_H
#define AOLAG_BASE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A zero-initialised buffer is empty and grows; free it with buffer_free. */
struct buffer {
    char *bytes; /* terminated by a NUL */
    size_t length;
    size_t capacity;
    bool fixed; /* `bytes` is the caller's array */
    bool full;  /* that had no room for a text: what is appended since then is missing */
};

/* Returns an empty buffer over an array of `size` bytes, above 0. Allocates nothing. Text that does
 * not fit is cut at a character boundary. */
struct buffer buffer_over(char *bytes, size_t size);

void buffer_free(struct buffer *buffer);

void buffer_add(struct buffer *buffer, const char *bytes, size_t length);
void buffer_text(struct buffer *buffer, const char *text);

/* Appends an item of a list, preceded by ", " unless it is the first. In an array, an item after
 * which there would be no room for ", ..." is replaced by "...", and the list ends. */
void buffer_item(struct buffer *buffer, const char *word);

void buffer_print(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_vprint(struct buffer *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
