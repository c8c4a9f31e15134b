/* A preloaded library that makes allocations fail, of the program and of the libraries it uses:
 *
 *     STARVE_AT=N        the Nth allocation fails; 0 or not set: none
 *     STARVE_ON=1        ... and all after it
 *     STARVE_COUNT=FILE  writes how many there were when the program ends
 *
 * The C library calls malloc where other functions (strdup, open_memstream, fopen, opendir)
 * allocate, so these fail as well. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own functions, under names that nothing else defines. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong count;
static unsigned long fail_at;
static bool fail_on;
static bool started; /* what the loader allocates before the program starts does not count */

__attribute__((constructor)) static void start_counting(void)
{
    const char *at = getenv("STARVE_AT");
    const char *on = getenv("STARVE_ON");

    fail_at = at == NULL ? 0 : strtoul(at, NULL, 10);
    fail_on = on != NULL && strcmp(on, "1") == 0;
    started = true;
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("STARVE_COUNT");
    char text[24];
    int length;
    int file;

    started = false;
    if (path == NULL)
        return;
    length = snprintf(text, sizeof text, "%lu\n", atomic_load(&count));
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text, (size_t)length) != length)
        abort();
    close(file);
}

/* Counts an allocation and returns true if it fails. */
static bool is_refused(void)
{
    unsigned long number;

    if (!started)
        return false;
    number = atomic_fetch_add(&count, 1) + 1;
    if (fail_at == 0 || number < fail_at || (number > fail_at && !fail_on))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t number, size_t size)
{
    if (size != 0 && number > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, number * size);
}

void *memalign(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *got = memalign(alignment, size);

    if (got == NULL)
        return ENOMEM;
    *memory = got;
    return 0;
}
