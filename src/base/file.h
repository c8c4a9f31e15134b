/* Reading and replacing whole files. The operations that change a file system are in a
 * table, so that a test can let each of them fail. */
#ifndef AOLAG_BASE_FILE_H
#define AOLAG_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/status.h"

/* As the system calls: -1 and errno when they fail. */
struct file_operations {
    int (*create)(const char *path, mode_t mode); /* fails where the name is taken */
    ssize_t (*write)(int file, const void *bytes, size_t length);
    int (*chown)(int file, uid_t owner, gid_t group);
    int (*chmod)(int file, mode_t mode);
    int (*sync)(int file); /* a file or a directory */
    int (*close)(int file);
    int (*open_directory)(const char *path);
    int (*rename)(const char *from, const char *to, unsigned flags); /* renameat2's flags */
    int (*unlink)(const char *path);
};

extern const struct file_operations file_system;

/* Reads a regular file of at most `most` bytes; free() the bytes, which a NUL follows. A directory,
 * pipe, socket or device is refused without waiting for it. The error does not name the file.
 * `missing` (may be NULL) becomes true where the file does not exist. */
enum status file_read(const char *path, size_t most, char **bytes, size_t *length, bool *missing,
                      struct error *error);

/* The file that `path` names after all symbolic links, also where it does not exist yet. free() it;
 * NULL and an error where it cannot be known. */
char *file_resolve(const char *path, struct error *error);

/* Makes `path` (resolved) a file of these bytes, or leaves it as it was: a temporary file beside it
 * is written, synced and renamed. Permissions stay, and the owner where that is allowed; a new
 * file's follow the umask. `fresh`: STATUS_CONFLICT where the file exists already. The error does
 * not name the file.
 *
 * The old file is exchanged with the new one and removed only when the directory is on disk, so
 * that a failure there can still undo the rename; a file system without that exchange (NFS) keeps
 * the new file then, and the error says so. */
enum status file_replace(const char *path, const char *bytes, size_t length, bool fresh,
                         const struct file_operations *operations, struct error *error);

/* Makes the file that `path` names after all symbolic links one of this text, as file_replace does.
 * The error names the file. */
enum status file_write(const char *path, const struct buffer *text, struct error *error);

/* Where what belongs to the user is kept, by the XDG base directory specification. */

/* $XDG_STATE_HOME/aolag or ~/.local/state/aolag, which need not exist; false without a home. */
bool user_state_directory(char *path, size_t size);

/* Makes the directory and those above it, for the user alone. Directories that exist are
 * left as they are. Failures are not reported: writing a file there will fail. `path` is modified
 * temporarily. */
void user_make_directory(char *path);

#endif
