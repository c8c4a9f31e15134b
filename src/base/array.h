/* Arrays that grow by doubling. */
#ifndef AOLAG_BASE_ARRAY_H
#define AOLAG_BASE_ARRAY_H

#include <stdlib.h>

/* Makes room for one more element of `size` bytes behind the `count` there are. Returns the array,
 * which may have moved; NULL without memory: the old one is then as it was. An empty array is NULL
 * with capacity 0; free it. */
static inline void *array_reserve(void *array, int count, int *capacity, size_t size)
{
    int wanted = *capacity > 0 ? 2 * *capacity : 16;

    if (count < *capacity)
        return array;
    array = realloc(array, (size_t)wanted * size);
    if (array != NULL)
        *capacity = wanted;
    return array;
}

#endif
