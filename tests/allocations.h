/* Counts allocations. The test program is linked with --wrap for malloc, calloc and realloc, so
 * that every call from our own objects passes here; the C library's own calls do not. */
#ifndef AOLAG_ALLOCATIONS_H
#define AOLAG_ALLOCATIONS_H

/* How many there have been since the program started. */
unsigned long allocations(void);

#endif
