#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>

/* Of all threads; relaxed, so that counting orders nothing between them. */
static atomic_ulong count;
static atomic_ulong held;

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static void *count_one(void *new)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&held, malloc_usable_size(new), memory_order_relaxed);
    return new;
}

static void count_free(void *old)
{
    atomic_fetch_sub_explicit(&held, malloc_usable_size(old), memory_order_relaxed);
}

void *__wrap_malloc(size_t size)
{
    return count_one(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return count_one(__real_calloc(number, size));
}

/* Of more than PTRDIFF_MAX there never is enough; the address sanitizer would end the program. */
void *__wrap_realloc(void *old, size_t size)
{
    if (size > PTRDIFF_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    count_free(old);
    return count_one(__real_realloc(old, size));
}

void __wrap_free(void *old)
{
    count_free(old);
    __real_free(old);
}

unsigned long allocations(void)
{
    return atomic_load_explicit(&count, memory_order_relaxed);
}

size_t allocated_bytes(void)
{
    return atomic_load_explicit(&held, memory_order_relaxed);
}
