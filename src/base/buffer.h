/* Text built by appending, in memory that grows or in an array of the caller's. A failure is
 * remembered, so that one check at the end is enough. */
#ifndef AOLAG_BASE_BUFFER_H
#define AOLAG_BASE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised is empty and grows; free it. */
struct buffer {
    char *bytes; /* a NUL follows them */
    size_t length;
    size_t capacity;
    bool fixed;  /* the caller's array */
    bool failed; /* no memory, or a full array: what was appended since is missing */
};

/* An empty text in an array of `size` bytes, above 0. Nothing is allocated. Text that does not fit
 * is cut at a character's boundary. */
struct buffer buffer_over(char *bytes, size_t size);

void buffer_free(struct buffer *buffer);

void buffer_add(struct buffer *buffer, const char *bytes, size_t length);
void buffer_text(struct buffer *buffer, const char *text);

/* A word of a list: ", " stands before all but the first. */
void buffer_item(struct buffer *buffer, const char *word);

void buffer_print(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_vprint(struct buffer *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
