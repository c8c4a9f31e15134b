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

unsigned long allocation_failures(void)
{
    return atomic_load_explicit(&failures, memory_order_relaxed);
}
