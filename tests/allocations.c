#include "allocations.h"

#include <stdatomic.h>
#include <stddef.h>

/* Of all threads; relaxed, so that counting orders nothing between them. */
static atomic_ulong count;

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *old, size_t size);

static void count_one(void)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

void *__wrap_malloc(size_t size)
{
    count_one();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size)
{
    count_one();
    return __real_calloc(number, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    count_one();
    return __real_realloc(old, size);
}

unsigned long allocations(void)
{
    return atomic_load_explicit(&count, memory_order_relaxed);
}
