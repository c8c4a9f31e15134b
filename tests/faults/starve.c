/* A preloaded library that refuses resources and calls to the program and to the libraries it uses:
 *
 *     STARVE_OF=NAME     what can fail: a row of `requests` below
 *     STARVE_AT=N        the Nth request of it fails; 0 or not set: none
 *     STARVE_ON=1        ... and all after it
 *     STARVE_ERRNO=N     for this reason; 0 or not set: that of the row
 *     STARVE_HOW=WAY     "short": a write writes half; "before", "after": SIGKILL at that time
 *     STARVE_COUNT=FILE  writes how many there were of each when the program ends
 *     STARVE_WITHIN=DIR  nothing outside of it can be created or removed: EACCES
 *
 * The C library calls malloc where other functions (strdup, open_memstream, fopen, opendir)
 * allocate, so these fail as well; what opens files inside of it is refused here. iniparser crashes
 * where the first table of a dictionary has no memory; since the program looks whether there is
 * enough before it calls iniparser, these requests are granted and do not count, all others inside
 * of it may fail. Where hwloc gets no memory it crashes or tries for ever, so it gets it; the program
 * asks before whether there is enough (src/probe/system.c), which tests/cli/limits.sh tries. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The C library's own functions, under names that nothing else defines. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum request {
    MEMORY,
    FILES,
    THREADS,
    WRITE,
    SYNC,
    SYNC_FOLDER,
    CHMOD,
    CHOWN,
    SETXATTR,
    CLOSE,
    RENAME,
    UNLINK,
    MKDIR,
    REQUESTS
};

static const struct {
    const char *name;
    int reason;
} requests[REQUESTS] = {
    [MEMORY] = {"memory", ENOMEM},
    [FILES] = {"open", EMFILE}, /* also folders, pipes and files in memory */
    [THREADS] = {"thread", EAGAIN},
    [WRITE] = {"write", EIO}, /* to a regular file with a name */
    [SYNC] = {"fsync", EIO},  /* of one */
    [SYNC_FOLDER] = {"fsync-folder", EIO},
    [CHMOD] = {"fchmod", EIO},
    [CHOWN] = {"fchown", EIO},
    [SETXATTR] = {"fsetxattr", EIO},
    [CLOSE] = {"close", EIO}, /* of one or of a folder */
    [RENAME] = {"rename", EIO},
    [UNLINK] = {"unlink", EIO},
    [MKDIR] = {"mkdir", EIO},
};

static atomic_ulong counts[REQUESTS];
static enum request starved = REQUESTS;
static unsigned long fail_at;
static bool fail_on;
static int reason;
static const char *how = "";
static const char *count_path;
static const char *within;
static pid_t program; /* of its children nothing fails */
static bool started;  /* what the loader allocates before the program starts does not count */
static _Thread_local bool dies_after;
static _Thread_local bool gets_memory;

static unsigned long number_of(const char *name)
{
    const char *text = getenv(name);

    return text == NULL ? 0 : strtoul(text, NULL, 10);
}

__attribute__((constructor)) static void start_counting(void)
{
    const char *name = getenv("STARVE_OF");

    for (int r = 0; name != NULL && r < REQUESTS; r++)
        if (strcmp(name, requests[r].name) == 0)
            starved = (enum request)r;
    fail_at = number_of("STARVE_AT");
    fail_on = number_of("STARVE_ON") != 0;
    reason = (int)number_of("STARVE_ERRNO");
    if (getenv("STARVE_HOW") != NULL)
        how = getenv("STARVE_HOW");
    count_path = getenv("STARVE_COUNT");
    within = getenv("STARVE_WITHIN");
    program = getpid();
    unsetenv("LD_PRELOAD");
    started = true;
}

__attribute__((destructor)) static void write_counts(void)
{
    FILE *file;

    started = false;
    if (count_path == NULL || getpid() != program)
        return;
    file = fopen(count_path, "w");
    for (int r = 0; file != NULL && r < REQUESTS; r++)
        fprintf(file, "%s %lu\n", requests[r].name, atomic_load(&counts[r]));
    if (file == NULL || fclose(file) != 0)
        abort();
}

/* Counts a request and returns true if it fails. */
static bool is_refused(enum request request)
{
    unsigned long number;

    if (!started || getpid() != program || (request == MEMORY && gets_memory))
        return false;
    number = atomic_fetch_add(&counts[request], 1) + 1;
    /* a program that dies by a signal has no end at which to write */
    if (request >= WRITE && count_path != NULL) {
        write_counts();
        started = true;
    }
    if (request != starved || fail_at == 0 || number < fail_at || (number > fail_at && !fail_on))
        return false;
    if (strcmp(how, "before") == 0)
        kill(getpid(), SIGKILL);
    dies_after = strcmp(how, "after") == 0;
    if (dies_after)
        return false;
    errno = reason != 0 ? reason : requests[request].reason;
    return true;
}

/* The result of a call that was made. */
static int made(int result)
{
    if (dies_after)
        kill(getpid(), SIGKILL);
    return result;
}

/* Memory --------------------------------------------------------------------------------------- */

static bool is_first_table(const void *caller)
{
    Dl_info place;

    return started && dladdr(caller, &place) != 0 && place.dli_sname != NULL &&
           strcmp(place.dli_sname, "dictionary_new") == 0;
}

void *malloc(size_t size)
{
    return is_refused(MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    bool granted = is_first_table(__builtin_return_address(0));

    return !granted && is_refused(MEMORY) ? NULL : __libc_calloc(number, size);
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

/* The function of a library with this name, for a pointer to a function of its type. */
static void find_function(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);

    memcpy(function, &found, sizeof found);
}

int hwloc_topology_init(void **topology)
{
    int (*next)(void **);

    find_function("hwloc_topology_init", &next);
    gets_memory = true;
    return next(topology);
}

void hwloc_topology_destroy(void *topology)
{
    void (*next)(void *);

    find_function("hwloc_topology_destroy", &next);
    next(topology);
    gets_memory = false;
}

/* Without memory glibc says of some texts that they do not match, instead of REG_ESPACE; the program
 * looks before whether there is enough. */
int regexec(const void *pattern, const char *text, size_t count, void *places, int flags)
{
    int (*next)(const void *, const char *, size_t, void *, int);
    int result;

    find_function("regexec", &next);
    gets_memory = true;
    result = next(pattern, text, count, places, flags);
    gets_memory = false;
    return result;
}

/* Files ---------------------------------------------------------------------------------------- */

/* Whether the folder of a path is not one in which something may be created or removed. */
static bool is_outside(const char *path)
{
    char folder[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length;

    if (within == NULL)
        return false;
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
             slash == NULL ? "." : path);
    if (realpath(folder, real) == NULL)
        return true;
    length = strlen(within);
    if (strncmp(real, within, length) == 0 && (real[length] == '/' || real[length] == '\0'))
        return false;
    errno = EACCES;
    return true;
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
    if ((flags & O_CREAT) != 0 && is_outside(path))
        return -1;
    return is_refused(FILES) ? -1 : made(next(path, flags, mode));
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

/* Calls that change files ---------------------------------------------------------------------- */

/* A file in memory, which has no name, does not count: the screen is drawn into one, and a test
 * that types when a word is displayed would wait for ever if the word were lost. */
static bool is_kind(int file, mode_t kind)
{
    int kept = errno;
    struct stat what;
    bool is = fstat(file, &what) == 0 && (what.st_mode & S_IFMT) == kind && what.st_nlink > 0;

    errno = kept;
    return is;
}

ssize_t write(int file, const void *bytes, size_t length)
{
    ssize_t (*next)(int, const void *, size_t);

    find_function("write", &next);
    if (!is_kind(file, S_IFREG))
        return next(file, bytes, length);
    if (is_refused(WRITE)) {
        if (strcmp(how, "short") != 0)
            return -1;
        length = (length + 1) / 2;
    }
    length = (size_t)next(file, bytes, length);
    made(0);
    return (ssize_t)length;
}

int fsync(int file)
{
    int (*next)(int);

    find_function("fsync", &next);
    return is_refused(is_kind(file, S_IFDIR) ? SYNC_FOLDER : SYNC) ? -1 : made(next(file));
}

int fchmod(int file, mode_t mode)
{
    int (*next)(int, mode_t);

    find_function("fchmod", &next);
    return is_refused(CHMOD) ? -1 : made(next(file, mode));
}

int fchown(int file, uid_t owner, gid_t group)
{
    int (*next)(int, uid_t, gid_t);

    find_function("fchown", &next);
    return is_refused(CHOWN) ? -1 : made(next(file, owner, group));
}

int fsetxattr(int file, const char *name, const void *value, size_t size, int flags)
{
    int (*next)(int, const char *, const void *, size_t, int);

    find_function("fsetxattr", &next);
    return is_refused(SETXATTR) ? -1 : made(next(file, name, value, size, flags));
}

/* What fails has closed all the same. */
int close(int file)
{
    int (*next)(int);
    bool refused = (is_kind(file, S_IFREG) || is_kind(file, S_IFDIR)) && is_refused(CLOSE);
    int kept = errno;
    int result;

    find_function("close", &next);
    result = made(next(file));
    if (!refused)
        return result;
    errno = kept;
    return -1;
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);

    find_function("rename", &next);
    return is_refused(RENAME) ? -1 : made(next(from, to));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    int (*next)(int, const char *, int, const char *, unsigned);

    find_function("renameat2", &next);
    return is_refused(RENAME) ? -1 : made(next(from_folder, from, to_folder, to, flags));
}

int unlink(const char *path)
{
    int (*next)(const char *);

    find_function("unlink", &next);
    if (is_outside(path))
        return -1;
    return is_refused(UNLINK) ? -1 : made(next(path));
}

int mkdir(const char *path, mode_t mode)
{
    int (*next)(const char *, mode_t);

    find_function("mkdir", &next);
    if (is_outside(path))
        return -1;
    return is_refused(MKDIR) ? -1 : made(next(path, mode));
}

/* Threads -------------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *context)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    find_function("pthread_create", &next);
    return is_refused(THREADS) ? EAGAIN : next(thread, attributes, run, context);
}
