#include "base/iniparser.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/file.h"

#define PIPE_BYTES ((size_t)64 * 1024) /* what a pipe holds */

/* What iniparser takes at most, in bytes: the stream and the first table; for each line the table,
 * which doubles, with two texts as the C library allocates them. */
#define STREAM_BYTES ((size_t)16 * 1024)
#define ENTRY_BYTES 128

/* Ends the program if the memory that iniparser needs for the text is not there: some of its
 * allocations it does not check, and it passes over lines for which it has none. */
static void check_memory(const char *text, size_t length)
{
    size_t needed = STREAM_BYTES;
    size_t section = 0;

    for (size_t at = 0, line; at < length; at += line) {
        const char *end = memchr(text + at, '\n', length - at);

        line = end == NULL ? length - at : (size_t)(end - text) + 1 - at;
        if (text[at] == '[')
            section = line;
        needed += ENTRY_BYTES + section + line;
    }
    free(allocate(needed));
}

static int say_nothing(const char *format, ...)
{
    (void)format;
    return 0;
}

static void silence_iniparser(void)
{
    iniparser_set_error_callback(say_nothing);
}

/* Sets errno if it returns NULL. */
static dictionary *load_path(const char *path)
{
    static pthread_once_t silenced = PTHREAD_ONCE_INIT;
    /* that of other locales may take a part of a character for a blank or a capital letter */
    locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    dictionary *entries;
    int reason;

    pthread_once(&silenced, silence_iniparser);
    errno = 0;
    entries = iniparser_load(path);
    reason = errno;
    uselocale(before);
    if (reason == ENOMEM)
        allocation_failed();
    errno = reason == 0 ? EINVAL : reason;
    return entries;
}

/* A pipe needs no disk, and a limit of file sizes does not concern it, as it does a file in memory.
 * It needs /proc and two descriptors, and cannot always be made to hold a long text. */
static dictionary *load_by_pipe(const char *text, size_t length)
{
    dictionary *entries = NULL;
    char path[32];
    int ends[2];
    bool whole;

    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return NULL;
    if (length > PIPE_BYTES)
        fcntl(ends[1], F_SETPIPE_SZ, (int)length);
    whole = write(ends[1], text, length) == (ssize_t)length;
    close(ends[1]);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    if (whole)
        entries = load_path(path);
    close(ends[0]);
    return entries;
}

static dictionary *load_by_file(const char *text, size_t length, struct error *error)
{
    const char *folder = getenv("TMPDIR");
    dictionary *entries = NULL;
    char *path;
    int file, reason;

    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    path = allocate_print("%s/aolag-XXXXXX", folder);
    file = mkostemp(path, O_CLOEXEC);
    reason = errno;
    if (file >= 0) {
        bool whole = file_put_bytes(&file_system, file, text, length);

        reason = errno;
        if (close(file) == 0 && whole)
            entries = load_path(path);
        if (whole)
            reason = errno;
        unlink(path);
    }
    if (entries == NULL)
        error_set(error, STATUS_IO, "iniparser cannot read it by way of a file in %.200s: %s",
                  folder, strerror(reason));
    free(path);
    return entries;
}

dictionary *iniparser_read(const char *text, size_t length, struct error *error)
{
    dictionary *entries;

    check_memory(text, length);
    entries = load_by_pipe(text, length);
    return entries != NULL ? entries : load_by_file(text, length, error);
}
