/* A preloaded library that refuses resources to the program and to the libraries it uses:
 *
 *     STARVE_OF=memory   allocations fail, or "files": no more of them can be opened, or "threads":
 *                        none can be started
 *     STARVE_AT=N        the Nth request fails; 0 or not set: none
 *     STARVE_ON=1        ... and all after it
 *     STARVE_COUNT=FILE  writes how many there were when the program ends
 *
 * The C library calls malloc where other functions (strdup, open_memstream, fopen, opendir)
 * allocate, so these fail as well; what opens files inside of it is refused here. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
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

enum resource { MEMORY, FILES, THREADS };

static const struct {
    const char *name;
    int reason;
} resources[] = {{"memory", ENOMEM}, {"files", EMFILE}, {"threads", EAGAIN}};

static atomic_ulong count;
static enum resource starved = MEMORY;
static unsigned long fail_at;
static bool fail_on;
static bool started; /* what the loader allocates before the program starts does not count */

__attribute__((constructor)) static void start_counting(void)
{
    const char *at = getenv("STARVE_AT");
    const char *on = getenv("STARVE_ON");
    const char *name = getenv("STARVE_OF");

    for (int r = MEMORY; name != NULL && r <= THREADS; r++)
        if (strcmp(name, resources[r].name) == 0)
            starved = (enum resource)r;
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

/* Counts a request and returns true if it fails. */
static bool is_refused(enum resource resource)
{
    unsigned long number;

    if (!started || resource != starved)
        return false;
    number = atomic_fetch_add(&count, 1) + 1;
    if (fail_at == 0 || number < fail_at || (number > fail_at && !fail_on))
        return false;
    errno = resources[resource].reason;
    return true;
}

/* Memory --------------------------------------------------------------------------------------- */

void *malloc(size_t size)
{
    return is_refused(MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return is_refused(MEMORY) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused(MEMORY) ? NULL : __libc_realloc(old, size);
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
    return is_refused(MEMORY) ? NULL : __libc_memalign(alignment, size);
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

/* Files ---------------------------------------------------------------------------------------- */

/* The function of the C library with this name, for a pointer to a function of its type. */
static void find_function(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);

    memcpy(function, &found, sizeof found);
}

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    va_list list;
    mode_t mode = 0;

    va_start(list, flags);
    if ((flags & O_CREAT) != 0)
        mode = va_arg(list, mode_t);
    va_end(list);
    find_function("open", &next);
    return is_refused(FILES) ? -1 : next(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *);

    find_function("fopen", &next);
    return is_refused(FILES) ? NULL : next(path, mode);
}

DIR *opendir(const char *path)
{
    DIR *(*next)(const char *);

    find_function("opendir", &next);
    return is_refused(FILES) ? NULL : next(path);
}

int memfd_create(const char *name, unsigned flags)
{
    int (*next)(const char *, unsigned);

    find_function("memfd_create", &next);
    return is_refused(FILES) ? -1 : next(name, flags);
}

int pipe2(int ends[2], int flags)
{
    int (*next)(int[2], int);

    find_function("pipe2", &next);
    return is_refused(FILES) ? -1 : next(ends, flags);
}

/* Threads -------------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *context)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    find_function("pthread_create", &next);
    return is_refused(THREADS) ? EAGAIN : next(thread, attributes, run, context);
}
