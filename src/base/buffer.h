/* Text that grows. Running out of memory is remembered, so that only the end has to be checked. */
#ifndef AOLAG_BASE_BUFFER_H
#define AOLAG_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised is empty. */
struct buffer {
    char *bytes; /* a NUL follows them */
    size_t length;
    size_t capacity;
    bool failed;
};

void buffer_free(struct buffer *buffer);

void buffer_add(struct buffer *buffer, const char *bytes, size_t length);
void buffer_print(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
