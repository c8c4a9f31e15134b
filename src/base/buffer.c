#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_free(struct buffer *buffer)
{
    free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
}

static bool reserve(struct buffer *buffer, size_t more)
{
    size_t capacity = buffer->capacity == 0 ? 1024 : buffer->capacity;
    char *bytes;

    if (buffer->failed)
        return false;
    while (capacity < buffer->length + more + 1)
        capacity *= 2;
    if (capacity == buffer->capacity)
        return true;
    bytes = realloc(buffer->bytes, capacity);
    buffer->failed = bytes == NULL;
    if (bytes == NULL)
        return false;
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void buffer_add(struct buffer *buffer, const char *bytes, size_t length)
{
    if (!reserve(buffer, length))
        return;
    if (length > 0)
        memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    buffer->bytes[buffer->length] = '\0';
}

void buffer_print(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(buffer, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(buffer->bytes + buffer->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
}
