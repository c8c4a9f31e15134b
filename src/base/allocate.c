#include "base/allocate.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE (256 << 10) /* B: a scenario is smaller, and made often */

/* Memory runs out for the whole process. */
static _Atomic(void (*)(void)) before_end;

void allocation_before_end(void (*act)(void))
{
    atomic_store(&before_end, act);
}

void allocation_failed(void)
{
    static const char sentence[] = "aolag: out of memory\n";
    static atomic_flag ends = ATOMIC_FLAG_INIT;
    void (*act)(void) = atomic_load(&before_end);
    ssize_t written;

    while (atomic_flag_test_and_set(&ends))
        pause(); /* another thread says it */
    if (act != NULL)
        act();
    written = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)written; /* nothing is left to be done where nobody reads it */
    _exit(EXIT_FAILURE);
}

static void *checked(void *memory)
{
    if (memory == NULL)
        allocation_failed();
    return memory;
}

void allocate_large_apart(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
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
    return checked(realloc(old, size > 0 ? size : 1)); /* to 0 B it frees */
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

struct stream_text {
    char **text;
    size_t *length;
    size_t capacity;
};

static ssize_t stream_write(void *context, const char *bytes, size_t count)
{
    struct stream_text *stream = context;
    size_t needed = *stream->length + count + 1;

    if (needed > stream->capacity) {
        *stream->text = allocate_again(*stream->text, needed * 2);
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

    *length = 0;
    *text = allocate_text("");
    *context = (struct stream_text){.text = text, .length = length, .capacity = 1};
    return checked(fopencookie(context, "w", functions));
}
