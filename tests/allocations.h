/* Counts allocations. The test program is linked with --wrap for malloc, calloc, realloc and free,
 * so that every call from our own objects passes here; the C library's own calls do not. */
#ifndef AOLAG_ALLOCATIONS_H
#define AOLAG_ALLOCATIONS_H

#include <stddef.h>

/* How many there have been since the program started. */
unsigned long allocations(void);

/* Differences are the bytes allocated meanwhile and not freed. What the C library allocated and our
 * objects freed, or the other way round, counts too. */
size_t allocated_bytes(void);

#endif
