#include "base/allocate.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one count of the process: memory runs out for all of it. */
static atomic_ulong failures;

static void *checked(void *memory)
{
    if (memory == NULL)
        allocation_failed();
    return memory;
}

void *allocate(size_t size)
{
    return checked(malloc(size));
}

void *allocate_array(size_t count, size_t size)
{
    return checked(calloc(count, size));
}

void *allocate_aligned(size_t alignment, size_t size)
{
    return checked(aligned_alloc(alignment, size));
}

void *allocate_again(void *old, size_t size)
{
    return checked(realloc(old, size));
}

char *allocate_text(const char *text)
{
    return checked(strdup(text));
}

char *allocate_part(const char *text, size_t length)
{
    return checked(strndup(text, length));
}

char *allocate_print(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return checked(text);
}

void allocation_failed(void)
{
    atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
}

struct stream_text {
    char **text;
    size_t *length;
    size_t capacity;
};

/* 0 bytes taken are an error of the stream. */
static ssize_t stream_write(void *context, const char *bytes, size_t count)
{
    struct stream_text *stream = context;
    size_t needed = *stream->length + count + 1;

    if (needed > stream->capacity) {
        char *larger = allocate_again(*stream->text, needed * 2);

        if (larger == NULL)
            return 0;
        *stream->text = larger;
        stream->capacity = needed * 2;
    }
    memcpy(*stream->text + *stream->length, bytes, count);
    *stream->length += count;
    (*stream->text)[*stream->length] = '\0';
    return (ssize_t)count;
}

static int stream_seek(void *context, off64_t *place, int whence)
{
    const struct stream_text *stream = context;

    if (whence != SEEK_SET || *place < 0 || (size_t)*place > *stream->length)
        return -1;
    *stream->length = (size_t)*place;
    (*stream->text)[*place] = '\0';
    return 0;
}

static int stream_close(void *context)
{
    free(context);
    return 0;
}

FILE *allocate_stream(char **text, size_t *length)
{
    const cookie_io_functions_t functions = {
        .write = stream_write, .seek = stream_seek, .close = stream_close};
    struct stream_text *context = allocate(sizeof *context);
    FILE *stream;

    *length = 0;
    *text = context == NULL ? NULL : allocate_text("");
    stream = *text == NULL ? NULL : fopencookie(context, "w", functions);
    if (stream != NULL) {
        *context = (struct stream_text){.text = text, .length = length, .capacity = 1};
        return stream;
    }
    if (*text != NULL)
        allocation_failed();
    free(*text);
    free(context);
    *text = NULL;
    return NULL;
}

bool allocate_end_stream(FILE *stream)
{
    bool whole = ferror(stream) == 0;

    return fclose(stream) == 0 && whole;
}

unsigned long allocation_failures(void)
{
    return atomic_load_explicit(&failures, memory_order_relaxed);
}
