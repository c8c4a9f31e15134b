/* Reading and replacing whole files. Operations that change the file system are in a table, so that
 * a test can make each of them fail. */
#ifndef AOLAG_BASE_FILE_H
#define AOLAG_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/status.h"

/* Like the system calls, these return -1 and set errno on failure. */
struct file_operations {
    int (*create)(const char *path, mode_t mode); /* fails if the file exists */
    ssize_t (*write)(int file, const void *bytes, size_t length);
    int (*chown)(int file, uid_t owner, gid_t group);
    int (*chmod)(int file, mode_t mode);
    int (*set_attribute)(int file, const char *name, const void *value, size_t size);
    int (*remove_attribute)(int file, const char *name);
    int (*sync)(int file); /* a file or a directory */
    int (*close)(int file);
    int (*open_directory)(const char *path);
    int (*rename)(const char *from, const char *to, unsigned flags); /* renameat2's flags */
    int (*unlink)(const char *path);
};

extern const struct file_operations file_system;

/* Writes all bytes, in several calls if necessary. Returns false and sets errno on failure; 0 bytes
 * written count as ENOSPC. Async-signal-safe with `file_system`. */
bool file_put_bytes(const struct file_operations *operations, int file, const char *bytes,
                    size_t length);

/* Reads a regular file of at most `most` bytes. The result is terminated by a NUL; free() it.
 * Directories, pipes, sockets and devices are rejected without blocking. The error names the file,
 * and for a link that leads nowhere what it names.
 * Sets `missing` (may be NULL) to true if the file does not exist. */
enum status file_read(const char *path, size_t most, char **bytes, size_t *length, bool *missing,
                      struct error *error);

/* The same for a file that the caller names; the error follows that, "NAME: ERROR". */
enum status file_read_named(const char *path, size_t most, char **bytes, size_t *length,
                            bool *missing, struct error *error);

/* Opens what a user names to be read once: a regular file, /dev/null, or a pipe, which may wait two
 * seconds for a writer and then, while there is one, for as long as that does not write.
 * Directories, sockets, other devices and pipes that nothing writes to are rejected. The error
 * names the file. */
enum status file_open_input(const char *path, FILE **stream, struct error *error);

/* Returns true for two equal paths, and for two of one file; either may be NULL: no file. */
bool file_same(const char *path, const char *other);

/* Writes the path of the file whose name is nearest (nearest.h) to that of a missing one, in the
 * folder as written and among those whose names have this ending; empty if there is none. */
#define FILE_NEAREST 600
void file_nearest(const char *path, const char *ending, char *name, size_t size);

/* Expands "~/x" in a name as a shell does. */
void file_expand_home(const char *text, char *path, size_t size);

/* Says why a file could not be opened: `reason` is an errno. For a link that leads nowhere the error
 * says what it names, for another missing file the nearest name with `ending` (NULL: that of the
 * path). Returns STATUS_IO. */
enum status file_report_unopened(const char *path, const char *ending, int reason,
                                 struct error *error);

/* Returns the path with the symbolic links that it names resolved, one after the other; the file
 * need not exist. free() it. Returns NULL and sets the error if it cannot be determined, or if it
 * leads, also by its directories, through a link of another user in one as /tmp (file_replace). */
char *file_resolve(const char *path, struct error *error);

/* Refuses a path that file_replace could not write, before the work is done whose result goes there:
 * that of a pipe or directory, or in a directory that lacks or is not writable. The error names the
 * file. */
enum status file_check_output(const char *path, struct error *error);

/* Replaces the contents of the file that `path` names after all links, or leaves it unchanged:
 * writes a temporary file in the same directory, syncs it and renames it. Permissions, the POSIX
 * access control list and the attributes user.* are kept, those that may not be read excepted, and
 * the owner, the group and the label of SELinux if possible; the umask applies to a new file. In a
 * directory in which everybody may create files but remove only his own, no link of another user is
 * followed, that of a directory neither, and no file of his is written to, unless he owns the
 * directory. If `fresh`, an existing file is STATUS_CONFLICT. The error does not name the file.
 *
 * The old file is exchanged with the new one and removed only after the directory is on disk, so
 * that a failure can still undo the rename. On a file system without exchange (NFS) the new file
 * stays in that case, and the error says so.
 *
 * What the exchange returns is the file that was there when this function was called; if another
 * program saved its own since, that is kept beside the new one. On success the error is STATUS_OK
 * with a remark on that, on an owner or group that could not be kept, on other names of the file
 * (hard links), which keep the old contents, on attributes that are lost, on a link that led
 * nowhere before, and on a temporary file that cannot be removed; its message is empty if there is
 * none. Temporary files of processes that died are removed. */
enum status file_replace(const char *path, const char *bytes, size_t length, bool fresh,
                         const struct file_operations *operations, struct error *error);

/* Like file_replace for a file that should contain `expected`: any other contents are kept beside
 * the new file, also those saved before this function was called. That the file had been removed is
 * a remark. */
enum status file_replace_expected(const char *path, const char *bytes, size_t length,
                                  const struct buffer *expected,
                                  const struct file_operations *operations, struct error *error);

/* Writes this text as file_replace does. The error names the file. */
enum status file_write(const char *path, const struct buffer *text, struct error *error);

/* Directories of the user's data, according to the XDG base directory specification. */

#define USER_DIRECTORY_SIZE 4096 /* the system accepts no longer paths */

/* Writes $VARIABLE/aolag or ~/FALLBACK/aolag, which need not exist. Relative directories are
 * ignored, as the specification requires. Returns false if there is none, or if it is too long. */
bool user_directory(const char *variable, const char *fallback, char *path, size_t size);

/* The same for $XDG_STATE_HOME. */
bool user_state_directory(char *path, size_t size);

/* Creates the directory and its parents with access for the user only; existing ones are not
 * changed. Failures are not reported: writing a file will fail. `path` is modified temporarily. */
void user_make_directory(char *path);

#endif
