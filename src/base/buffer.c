#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

struct buffer buffer_over(char *bytes, size_t size)
{
    bytes[0] = '\0';
    return (struct buffer){.bytes = bytes, .capacity = size, .fixed = true};
}

void buffer_free(struct buffer *buffer)
{
    if (!buffer->fixed)
        free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
}

/* Returns true if `more` bytes and the NUL fit; enlarges a buffer that can grow. */
static bool reserve_bytes(struct buffer *buffer, size_t more)
{
    size_t capacity = buffer->capacity == 0 ? 1024 : buffer->capacity;

    if (buffer->full)
        return false;
    if (buffer->length + more < buffer->capacity)
        return true;
    buffer->full = buffer->fixed;
    if (buffer->fixed)
        return false;
    while (capacity < buffer->length + more + 1)
        capacity *= 2;
    buffer->bytes = allocate_again(buffer->bytes, capacity);
    buffer->capacity = capacity;
    return true;
}

/* Truncates a full array after its last whole character; later text is dropped. */
static void end_full_array(struct buffer *buffer)
{
    size_t end = buffer->capacity - 1;
    size_t lead = end; /* index after the first byte of the last character */

    while (lead > buffer->length && ((unsigned char)buffer->bytes[lead - 1] & 0xC0) == 0x80)
        lead--;
    if (lead > buffer->length && (unsigned char)buffer->bytes[lead - 1] >= 0xC0) {
        unsigned char first = (unsigned char)buffer->bytes[lead - 1];
        size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;

        if (lead - 1 + bytes > end)
            end = lead - 1;
    }
    buffer->length = end;
    buffer->bytes[end] = '\0';
}

void buffer_add(struct buffer *buffer, const char *bytes, size_t length)
{
    bool had_room = !buffer->full;

    if (reserve_bytes(buffer, length)) {
        if (length > 0)
            memcpy(buffer->bytes + buffer->length, bytes, length);
        buffer->length += length;
        buffer->bytes[buffer->length] = '\0';
    } else if (had_room) {
        memcpy(buffer->bytes + buffer->length, bytes, buffer->capacity - 1 - buffer->length);
        end_full_array(buffer);
    }
}

void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}

void buffer_item(struct buffer *buffer, const char *word)
{
    static const char more[] = ", ...";
    const char *gap = buffer->length > 0 ? ", " : "";

    if (!buffer->full && buffer->fixed &&
        buffer->length + strlen(gap) + strlen(word) + sizeof more > buffer->capacity) {
        buffer_print(buffer, "%s...", gap);
        buffer->full = true;
    }
    buffer_print(buffer, "%s%s", gap, word);
}

void buffer_vprint(struct buffer *buffer, const char *format, va_list arguments)
{
    bool had_room = !buffer->full;
    va_list again;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && (reserve_bytes(buffer, (size_t)length) || had_room)) {
        vsnprintf(buffer->bytes + buffer->length, buffer->capacity - buffer->length, format, again);
        if (buffer->full)
            end_full_array(buffer);
        else
            buffer->length += (size_t)length;
    }
    va_end(again);
}

void buffer_print(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    buffer_vprint(buffer, format, arguments);
    va_end(arguments);
}
