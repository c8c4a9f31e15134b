/* Allocation, as by the functions of the C library, that counts what failed. Where memory runs out
 * a text, a row or a chart may lack a part without anybody noticing; whoever prints the whole
 * compares the count before and after. Free the results with free(). */
#ifndef AOLAG_BASE_ALLOCATE_H
#define AOLAG_BASE_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

void *allocate(size_t size);
void *allocate_array(size_t count, size_t size); /* filled with zeros */
void *allocate_aligned(size_t alignment, size_t size);
void *allocate_again(void *old, size_t size); /* realloc: `old` stays valid on failure */

/* Copies of a text and of its first `length` bytes. */
char *allocate_text(const char *text);
char *allocate_part(const char *text, size_t length);

/* Returns the formatted text; NULL if out of memory. */
char *allocate_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As open_memstream, whose streams of the GNU C library lose what they have no memory for without
 * an error: `text` and `length` are what was written at the last fflush. Returns NULL if out of
 * memory. */
FILE *allocate_stream(char **text, size_t *length);

/* Closes it. Returns false if any part of the text was lost. */
bool allocate_end_stream(FILE *stream);

/* Notes that a library function failed for lack of memory. */
void allocation_failed(void);

/* Returns the number of failures since the program started, of all threads. */
unsigned long allocation_failures(void);

#endif
