/* Allocation, as by the functions of the C library, that ends the program where memory runs out: no
 * caller gets NULL for that reason. Free the results with free(). */
#ifndef AOLAG_BASE_ALLOCATE_H
#define AOLAG_BASE_ALLOCATE_H

#include <stddef.h>
#include <stdio.h>

/* Lets every large block have pages of its own from now on: what is not written in it takes no
 * memory, and all of it goes back when it is freed. Without this the GNU C library keeps the pages
 * of a large block that is freed, and fills the next one there with zeros. */
void allocate_large_apart(void);

void *allocate(size_t size);
void *allocate_array(size_t count, size_t size); /* filled with zeros */
void *allocate_aligned(size_t alignment, size_t size);
void *allocate_again(void *old, size_t size); /* realloc */

/* Copies of a text and of its first `length` bytes. */
char *allocate_text(const char *text);
char *allocate_part(const char *text, size_t length);

/* Returns the formatted text. */
char *allocate_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As open_memstream, whose streams of the GNU C library lose what they have no memory for without
 * an error: `text` and `length` are what was written at the last fflush. Close it with fclose. */
FILE *allocate_stream(char **text, size_t *length);

/* Ends the program, from any thread, with one sentence and status 1: a library has no memory left.
 * What is in the buffers of streams is lost. */
_Noreturn void allocation_failed(void);

/* Sets what is called before that sentence, in the thread that has no memory: it gives the terminal
 * back and allocates nothing. NULL: nothing is. */
void allocation_before_end(void (*act)(void));

#endif
