/* Arrays that grow by doubling. */
#ifndef AOLAG_BASE_ARRAY_H
#define AOLAG_BASE_ARRAY_H

#include <stdlib.h>

#include "base/allocate.h"

/* Grows the array so that one more element of `size` bytes fits behind its `count` elements.
 * Returns the array, which may have moved. An empty array is NULL with capacity 0. The caller frees
 * the array. */
static inline void *array_reserve(void *array, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity > 0 ? 2 * *capacity : 16;
    return allocate_again(array, (size_t)*capacity * size);
}

/* Sorts as qsort; an empty array may be NULL. */
static inline void array_sort(void *array, int count, size_t size,
                              int (*compare)(const void *x, const void *y))
{
    if (count > 0)
        qsort(array, (size_t)count, size, compare);
}

#endif
