#include "probe/lackey.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/array.h"

extern char **environ;

#define CODE_MOST ((size_t)64 << 20) /* B of all files; pages of others are read one by one */

struct lackey_mapping {
    uint64_t start;
    size_t length;
    unsigned char *bytes;
};

enum { OPTIONS = 8, LOG = 9 /* file of the trace in the program */ };

/* Returns why a file cannot be run, as errno, or 0. */
static int find_obstacle(const char *path)
{
    struct stat what;

    if (access(path, X_OK) != 0 || stat(path, &what) != 0)
        return errno;
    return S_ISDIR(what.st_mode) ? EISDIR : 0;
}

/* Same for a program, which without a / in its name is one of PATH. Valgrind would print the name
 * of one that it cannot run as it is, controls included. */
static int find_program(const char *name)
{
    const char *folders = getenv("PATH") != NULL ? getenv("PATH") : "/bin:/usr/bin";
    const char *folder = strchr(name, '/') != NULL ? "" : folders;
    int reason = ENOENT;

    do {
        size_t length = strcspn(folder, ":");
        char *path = allocate_print("%.*s%s%s", (int)length, folder, length > 0 ? "/" : "", name);
        int obstacle = find_obstacle(path);

        free(path);
        if (obstacle == 0)
            return 0;
        if (obstacle != ENOENT && obstacle != ENOTDIR)
            reason = obstacle;
        folder += length;
    } while (*folder++ == ':');
    return reason;
}

/* The arguments of valgrind; free() the list, not the words. */
static const char **valgrind_words(const char *const *command)
{
    /* Before its tool sees them valgrind removes loads whose result is overwritten in the same
     * block or is known, and executes the right side of a && in advance, which then counts though
     * it may never be executed; the last two options forbid it. No server for gdb, whose files a
     * limit of file sizes forbids. */
    static const char *const first[OPTIONS] = {
        "valgrind",   "--tool=lackey", "--trace-mem=yes",     "--basic-counts=no",
        "--log-fd=9", "--vgdb=no",     "--vex-iropt-level=0", "--vex-guest-chase=no"};
    size_t count = 0;
    const char **words;

    while (command[count] != NULL)
        count++;
    words = allocate_array(OPTIONS + 1 + count + 1, sizeof *words);
    memcpy(words, first, sizeof first);
    words[OPTIONS] = "--";
    memcpy(words + OPTIONS + 1, command, count * sizeof *words);
    return words;
}

/* Signals are as they were before long_run_open; SIGXFSZ stays ignored, since valgrind, too, writes
 * files that a limit of their size may forbid. */
static int spawn_valgrind(pid_t *process, int file, const char *const *words)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    int problem;

    if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawnattr_init(&attributes) != 0)
        allocation_failed();
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    problem = posix_spawn_file_actions_adddup2(&actions, file, LOG);
    if (problem == 0)
        problem = posix_spawnp(process, words[0], &actions, &attributes,
                               (char *const *)(uintptr_t)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

enum status lackey_start(struct lackey *lackey, const char *const *command, struct error *error)
{
    const char **words;
    int ends[2], problem, kept;

    if (find_program("valgrind") == ENOENT)
        return error_set(error, STATUS_IO,
                         "valgrind is not installed, and its tool lackey makes the trace, with or "
                         "without perf; on Debian: apt-get install valgrind");
    problem = find_program(command[0]);
    if (problem != 0)
        return error_set(error, STATUS_IO, "cannot run %s: %s", command[0], strerror(problem));
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    words = valgrind_words(command);
    /* not LOG itself, which dup2 would leave closed */
    kept = fcntl(ends[1], F_DUPFD_CLOEXEC, LOG + 1);
    if (kept >= 0)
        problem = spawn_valgrind(&lackey->process, kept, words);
    else
        problem = errno == EINVAL ? EMFILE : errno; /* EINVAL: no such number is allowed */
    free(words);
    close(ends[1]);
    if (kept >= 0)
        close(kept);
    if (problem != 0) {
        close(ends[0]);
        return error_set(error, STATUS_IO, "cannot start valgrind: %s", strerror(problem));
    }
    *lackey = (struct lackey){.process = lackey->process, .pipe = ends[0], .memory = -1};
    return STATUS_OK;
}

size_t lackey_read(struct lackey *lackey, char *bytes, size_t most)
{
    struct pollfd source = {.fd = lackey->pipe, .events = POLLIN};
    ssize_t got = poll(&source, 1, -1); /* a read begins again after a signal */

    if (got > 0)
        got = read(lackey->pipe, bytes, most);
    return got < 0 ? 0 : (size_t)got;
}

/* Returns how many bytes are copied: 0 if they are in no file that was read. */
static size_t copy_mapped(const struct lackey *lackey, uint64_t address, unsigned char *bytes,
                          size_t length)
{
    for (int i = 0; i < lackey->mapped; i++) {
        const struct lackey_mapping *map = &lackey->map[i];
        uint64_t at = address - map->start;

        if (address < map->start || at >= map->length)
            continue;
        length = length < map->length - at ? length : map->length - at;
        memcpy(bytes, map->bytes + at, length);
        return length;
    }
    return 0;
}

static void read_mapping(struct lackey *lackey, uint64_t start, uint64_t end, size_t *room)
{
    struct lackey_mapping map = {.start = start, .length = (size_t)(end - start)};
    unsigned char first;

    if (map.length > *room || copy_mapped(lackey, start, &first, 1) > 0)
        return;
    map.bytes = allocate_array(map.length, 1);
    if (pread(lackey->memory, map.bytes, map.length, (off_t)start) != (ssize_t)map.length) {
        free(map.bytes);
        return;
    }
    *room -= map.length;
    lackey->map =
        array_reserve(lackey->map, lackey->mapped, &lackey->capacity, sizeof *lackey->map);
    lackey->map[lackey->mapped++] = map;
}

/* Code of a file that nobody writes: a compiler may change its own at any time. */
static void read_mappings(struct lackey *lackey)
{
    size_t room = CODE_MOST;
    char path[64], line[512];
    FILE *file;

    for (int i = 0; i < lackey->mapped; i++)
        room -= lackey->map[i].length;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)lackey->process);
    file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long long start, end, inode;

        if (sscanf(line, "%llx-%llx r-xp %*x %*x:%*x %llu", &start, &end, &inode) == 3 &&
            inode != 0 && end > start)
            read_mapping(lackey, start, end, &room);
    }
    if (file != NULL)
        fclose(file);
}

/* Opened with the first instruction: by then valgrind has taken the place of its launcher. */
size_t lackey_code(void *context, uint64_t address, unsigned char *bytes, size_t length)
{
    struct lackey *lackey = context;
    size_t copied = copy_mapped(lackey, address, bytes, length);
    char path[64];
    ssize_t got;

    if (copied > 0)
        return copied;
    if (lackey->memory < 0) {
        snprintf(path, sizeof path, "/proc/%ld/mem", (long)lackey->process);
        lackey->memory = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (lackey->memory < 0)
        return 0;
    read_mappings(lackey);
    copied = copy_mapped(lackey, address, bytes, length);
    if (copied > 0)
        return copied;
    got = pread(lackey->memory, bytes, length, (off_t)address);
    if (got < 0 && length > 4096) /* the next page is not there */
        got = pread(lackey->memory, bytes, 4096, (off_t)address);
    return got < 0 ? 0 : (size_t)got;
}

static bool ends_soon(pid_t process, int *status)
{
    const struct timespec pause = {.tv_nsec = 10000000};

    for (int waited = 0; waited < 100; waited++) {
        if (waitpid(process, status, WNOHANG) == process)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

int lackey_end(struct lackey *lackey, int signal)
{
    int status = 0;

    kill(lackey->process, signal);
    close(lackey->pipe);
    if (lackey->memory >= 0)
        close(lackey->memory);
    for (int i = 0; i < lackey->mapped; i++)
        free(lackey->map[i].bytes);
    free(lackey->map);
    if (signal != 0) {
        if (ends_soon(lackey->process, &status))
            return status;
        kill(lackey->process, SIGKILL);
    }
    while (waitpid(lackey->process, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}
