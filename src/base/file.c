#include "base/file.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/nearest.h"

#define LINKS_MAX 40
#define TEMPORARIES_MAX 1000

/* For so long a pipe may lack what writes to it, which a shell starts at the same time. */
#define WRITER_SECONDS 2

/* Names ---------------------------------------------------------------------------------------- */

#define SHARED_FOLDER "in a directory that everybody can write to"

/* Returns the directory of a path, with its slash, or "./" if the path contains none. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? allocate_text("./") : allocate_part(path, (size_t)(slash - path) + 1);
}

/* Returns true for what another user has put into a directory where all users may create files but
 * remove only their own, such as /tmp: it may be there to be followed or written to by mistake.
 * open(2) refuses the same with fs.protected_symlinks, but only as the last link of a path, and
 * with fs.protected_regular, which containers and older systems leave off. */
static bool is_planted(const char *path, const struct stat *what)
{
    const mode_t shared = S_ISVTX | S_IWOTH;
    char *directory = what->st_uid == geteuid() ? NULL : directory_of(path);
    struct stat folder;
    bool planted = directory != NULL && stat(directory, &folder) == 0 &&
                   (folder.st_mode & shared) == shared && folder.st_uid != what->st_uid;

    free(directory);
    return planted;
}

/* Returns the target of the link at `path`, relative to the same directory as `path`, or NULL and
 * sets the error if it cannot be read. */
static char *link_target(const char *path, struct error *error)
{
    char target[4096];
    ssize_t length = readlink(path, target, sizeof target - 1);
    char *directory, *joined;

    if (length <= 0) {
        error_set(error, STATUS_IO, "its link cannot be read");
        return NULL;
    }
    target[length] = '\0';
    if (target[0] == '/')
        return allocate_text(target);
    directory = directory_of(path);
    joined = allocate_print("%s%s", directory, target);
    free(directory);
    return joined;
}

static bool is_link(const char *path, struct stat *what)
{
    return lstat(path, what) == 0 && S_ISLNK(what->st_mode);
}

/* Replaces the first link among the names of a path by its target. Returns false if there is none,
 * or sets the error to why it is not followed; `whole`: no link has been followed yet. */
static bool follow_first_link(char **path, bool whole, struct error *error)
{
    char *part = NULL, *target;
    struct stat what;
    size_t end = 0;

    do {
        free(part);
        if ((*path)[end] == '\0')
            return false;
        end += strspn(*path + end, "/");
        end += strcspn(*path + end, "/");
        part = allocate_part(*path, end);
    } while (!is_link(part, &what));
    if (is_planted(part, &what)) {
        whole = whole && (*path)[end] == '\0';
        error_set(error, STATUS_IO, "%s%s%s of another user " SHARED_FOLDER,
                  whole ? "it is" : "it leads through ", whole ? "" : part,
                  whole ? " a link" : ", a link");
        free(part);
        return false;
    }
    target = link_target(part, error);
    free(part);
    if (target == NULL)
        return false;
    part = allocate_print("%s%s", target, *path + end);
    free(target);
    free(*path);
    *path = part;
    return true;
}

/* Returns STATUS_OK if the user may follow all links of a path, in its directories and in what they
 * name, too. */
static enum status check_links(const char *path, struct error *error)
{
    struct error reason = {.status = STATUS_OK};
    char *at = allocate_text(path);
    int links = 0;

    while (follow_first_link(&at, links == 0, &reason))
        if (++links == LINKS_MAX) {
            error_set(&reason, STATUS_IO, "too many symbolic links");
            break;
        }
    free(at);
    if (reason.status != STATUS_OK && error != NULL)
        *error = reason;
    return reason.status;
}

char *file_resolve(const char *path, struct error *error)
{
    char *at = check_links(path, error) == STATUS_OK ? allocate_text(path) : NULL;
    struct stat what;

    for (int links = 0; at != NULL && links < LINKS_MAX && is_link(at, &what); links++) {
        char *next = link_target(at, error);

        free(at);
        at = next;
    }
    return at;
}

/* Reading -------------------------------------------------------------------------------------- */

static enum status report_irregular(mode_t mode, struct error *error)
{
    const char *what = S_ISDIR(mode)    ? "a directory"
                       : S_ISFIFO(mode) ? "a pipe"
                       : S_ISSOCK(mode) ? "a socket"
                                        : "a device";

    return error_set(error, STATUS_IO, "is %s, not a regular file", what);
}

bool file_same(const char *path, const char *other)
{
    struct stat a, b;

    if (path == NULL || other == NULL)
        return false;
    return strcmp(path, other) == 0 || (stat(path, &a) == 0 && stat(other, &b) == 0 &&
                                        a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

void file_nearest(const char *path, const char *ending, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    struct nearest nearest = nearest_to(base);
    struct dirent *entry;
    char folder[512];
    DIR *directory;

    name[0] = '\0';
    if (base - path >= (ptrdiff_t)sizeof folder)
        return;
    snprintf(folder, sizeof folder, "%.*s", (int)(base - path), path);
    directory = opendir(folder[0] == '\0' ? "." : folder);
    if (directory == NULL)
        return;
    while ((entry = readdir(directory)) != NULL) {
        size_t length = strlen(entry->d_name), end = strlen(ending);

        if (length > end && strcmp(entry->d_name + length - end, ending) == 0)
            nearest_offer(&nearest, entry->d_name);
    }
    closedir(directory);
    if (nearest.best[0] != '\0')
        snprintf(name, size, "%s%s", folder, nearest.best);
}

/* Sets the error to why a file cannot be opened, without its name. */
static void describe_unopened(const char *path, const char *ending, int reason, struct error *error)
{
    char target[512];
    ssize_t length = reason == ENOENT ? readlink(path, target, sizeof target - 1) : -1;
    char *followed = reason == EACCES ? file_resolve(path, error) : NULL;

    if (reason == EACCES && followed == NULL) { /* another user's link may be why */
        error_prefix(error, "%s", strerror(reason));
        return;
    }
    free(followed);
    if (length < 0) {
        const char *slash = strrchr(path, '/');
        char near[FILE_NEAREST] = "";

        if (ending == NULL)
            ending = strrchr(slash != NULL ? slash : path, '.');
        if (reason == ENOENT && ending != NULL)
            file_nearest(path, ending, near, sizeof near);
        error_set(error, STATUS_IO, "%s%s%s%s", strerror(reason),
                  near[0] != '\0' ? "; did you mean " : "", near, near[0] != '\0' ? "?" : "");
        return;
    }
    target[length] = '\0';
    error_set(error, STATUS_IO, "it is a link to %s, which does not exist", target);
}

void file_expand_home(const char *text, char *path, size_t size)
{
    const char *home = getenv("HOME");

    if (text[0] == '~' && (text[1] == '/' || text[1] == '\0') && home != NULL)
        snprintf(path, size, "%s%s", home, text + 1);
    else
        snprintf(path, size, "%s", text);
}

enum status file_report_unopened(const char *path, const char *ending, int reason,
                                 struct error *error)
{
    describe_unopened(path, ending, reason, error);
    error_prefix(error, "cannot open %s", path);
    return STATUS_IO;
}

static enum status read_open_file(int file, size_t most, char **bytes, size_t *length,
                                  struct error *error)
{
    size_t capacity = 4096;
    char *buffer = allocate(capacity + 1);
    size_t used = 0;

    for (;;) {
        ssize_t got;

        if (used == capacity) {
            capacity *= 2;
            buffer = allocate_again(buffer, capacity + 1);
        }
        got = read(file, buffer + used, capacity - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(buffer);
            return error_set(error, STATUS_IO, "cannot be read: %s", strerror(errno));
        }
        used += (size_t)got;
        if (used > most) {
            free(buffer);
            return error_set(error, STATUS_INVALID, "is larger than %zu KiB, the limit",
                             most / 1024);
        }
        if (got == 0) {
            buffer[used] = '\0';
            *bytes = buffer;
            *length = used;
            return STATUS_OK;
        }
    }
}

static bool is_null_device(const struct stat *what)
{
    struct stat null;

    return S_ISCHR(what->st_mode) && stat("/dev/null", &null) == 0 && null.st_rdev == what->st_rdev;
}

static enum status check_readable(const struct stat *what, bool input, struct error *error)
{
    if (S_ISREG(what->st_mode) || (input && (S_ISFIFO(what->st_mode) || is_null_device(what))))
        return STATUS_OK;
    return report_irregular(what->st_mode, error);
}

/* Opens a regular file or, if `input`, a pipe or /dev/null, without blocking. Returns -1 and sets
 * the error on failure; it begins with `name`, which may be NULL. */
static int open_readable(const char *path, const char *name, bool input, struct stat *what,
                         bool *missing, struct error *error)
{
    enum status status = STATUS_OK;
    int file = -1;

    /* check before opening: opening a device can have side effects */
    if (stat(path, what) == 0)
        status = check_readable(what, input, error);
    if (status == STATUS_OK) {
        file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (missing != NULL)
            *missing = file < 0 && (errno == ENOENT || errno == ENOTDIR);
        if (file < 0) {
            describe_unopened(path, NULL, errno, error);
            error_prefix(error, name != NULL ? "cannot open %s" : "cannot be opened", name);
            return -1;
        }
        status = fstat(file, what) == 0
                     ? check_readable(what, input, error)
                     : error_set(error, STATUS_IO, "cannot be read: %s", strerror(errno));
    }
    if (status == STATUS_OK)
        return file;
    if (name != NULL)
        error_prefix(error, "%s", name);
    if (file >= 0)
        close(file);
    return -1;
}

static enum status read_regular_file(const char *path, const char *name, size_t most, char **bytes,
                                     size_t *length, bool *missing, struct error *error)
{
    struct stat what;
    int file = open_readable(path, name, false, &what, missing, error);
    enum status status;

    if (file < 0)
        return STATUS_IO;
    status = read_open_file(file, most, bytes, length, error);
    close(file);
    if (status != STATUS_OK && name != NULL)
        error_prefix(error, "%s", name);
    return status;
}

enum status file_read(const char *path, size_t most, char **bytes, size_t *length, bool *missing,
                      struct error *error)
{
    return read_regular_file(path, path, most, bytes, length, missing, error);
}

enum status file_read_named(const char *path, size_t most, char **bytes, size_t *length,
                            bool *missing, struct error *error)
{
    return read_regular_file(path, NULL, most, bytes, length, missing, error);
}

/* Waits for what writes to a pipe that is open without blocking. Returns false if nothing does. The
 * wait may end with a byte, which is stored in `first`; else that is EOF. */
static bool await_writer(int file, int *first)
{
    struct pollfd wait = {.fd = file, .events = POLLIN};
    unsigned char byte;
    ssize_t got;
    int ready;

    *first = EOF;
    do
        ready = poll(&wait, 1, WRITER_SECONDS * 1000);
    while (ready < 0 && errno == EINTR);
    if (ready > 0)
        return true;
    got = read(file, &byte, 1);
    if (got == 1)
        *first = byte;
    return got == 1 || (got < 0 && errno == EAGAIN); /* there is one, which has not written yet */
}

enum status file_open_input(const char *path, FILE **stream, struct error *error)
{
    struct stat what;
    int file = open_readable(path, path, true, &what, NULL, error);
    enum status status = STATUS_OK;
    int first = EOF;

    *stream = NULL;
    if (file < 0)
        return STATUS_IO;
    if (S_ISFIFO(what.st_mode) && !await_writer(file, &first))
        status = error_set(error, STATUS_IO, "%s: is a pipe that nothing writes to", path);
    else if (fcntl(file, F_SETFL, 0) != 0 || (*stream = fdopen(file, "r")) == NULL)
        status = error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (*stream == NULL)
        close(file);
    else if (first != EOF)
        ungetc(first, *stream);
    return status;
}

/* Replacing ------------------------------------------------------------------------------------ */

static int system_create(const char *path, mode_t mode)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
}

static int system_open_directory(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int system_set_attribute(int file, const char *name, const void *value, size_t size)
{
    return fsetxattr(file, name, value, size, 0);
}

static int system_rename(const char *from, const char *to, unsigned flags)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, flags);
}

const struct file_operations file_system = {
    .create = system_create,
    .write = write,
    .chown = fchown,
    .chmod = fchmod,
    .set_attribute = system_set_attribute,
    .remove_attribute = fremovexattr,
    .sync = fsync,
    .close = close,
    .open_directory = system_open_directory,
    .rename = system_rename,
    .unlink = unlink,
};

bool file_put_bytes(const struct file_operations *operations, int file, const char *bytes,
                    size_t length)
{
    while (length > 0) {
        ssize_t written = operations->write(file, bytes, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            errno = ENOSPC;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

struct replacement {
    const struct file_operations *operations;
    const char *path;
    char *directory;
    char *temporary;
    int directory_file;
    bool exists; /* an old file exists, with status `old` */
    struct stat old;
    const struct buffer *expected; /* contents that may be lost; NULL: those of `old` */
    struct error remark;           /* on a success; the message is empty if there is none */
};

static enum status set_system_error(struct error *error, const char *what)
{
    return error_set(error, STATUS_IO, "%s: %s", what, strerror(errno));
}

/* Returns the process of a temporary file's name; 0 if it is another file. */
static long process_of_temporary(const char *name)
{
    long process = 0;
    int number = 0;
    int end = 0;

    if (sscanf(name, ".aolag-%ld-%d.tmp%n", &process, &number, &end) != 2 || end == 0)
        return 0;
    return name[end] == '\0' && process > 0 ? process : 0;
}

/* Removes a temporary file of a process that died. One of another machine or container holds its
 * lock while it lives. */
static void remove_if_dead(const struct replacement *save, const char *name)
{
    long process = process_of_temporary(name);
    struct stat what;
    char *path;
    int file;

    if (process == 0 || kill((pid_t)process, 0) == 0 || errno != ESRCH)
        return;
    path = allocate_print("%s%s", save->directory, name);
    file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && fstat(file, &what) == 0 && S_ISREG(what.st_mode) && what.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        save->operations->unlink(path);
    if (file >= 0)
        close(file);
    free(path);
}

static void remove_dead_temporaries(const struct replacement *save)
{
    DIR *directory = opendir(save->directory);
    const struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL)
        remove_if_dead(save, entry->d_name);
    if (directory != NULL)
        closedir(directory);
}

/* Creates the temporary file; on failure returns -1 and sets the error. */
static int create_temporary(struct replacement *save, struct error *error)
{
    /* the old file may be private, so the copy must be private from the start */
    mode_t mode = save->exists ? 0600 : 0666;

    for (int i = 0; i < TEMPORARIES_MAX; i++) {
        int file;

        free(save->temporary);
        save->temporary = allocate_print("%s.aolag-%ld-%d.tmp", save->directory, (long)getpid(), i);
        file = save->operations->create(save->temporary, mode);
        if (file >= 0) {
            flock(file, LOCK_EX | LOCK_NB);
            return file;
        }
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    set_system_error(error, "cannot create a temporary file in its directory");
    free(save->temporary);
    save->temporary = NULL;
    return -1;
}

#define ATTRIBUTE_ACL "system.posix_acl_access"
#define ATTRIBUTE_LABEL "security.selinux"

/* Restricts the group of an access control list to what others may do. */
static void limit_acl_group(char *acl, size_t length)
{
    struct posix_acl_xattr_header *header = (void *)acl;
    struct posix_acl_xattr_entry *entry = (void *)(header + 1);
    size_t count = length < sizeof *header ? 0 : (length - sizeof *header) / sizeof *entry;
    uint16_t others = 0;

    for (size_t i = 0; i < count; i++)
        if (le16toh(entry[i].e_tag) == ACL_OTHER)
            others = entry[i].e_perm;
    for (size_t i = 0; i < count; i++)
        if (le16toh(entry[i].e_tag) == ACL_GROUP_OBJ)
            entry[i].e_perm &= others;
}

/* Copies the access control list, where `value` has room, or removes the one that the directory
 * gives new files: with either the group of the mode is a mask. Returns false and sets errno on
 * failure. */
static bool copy_acl(const struct replacement *save, int file, bool same_group, char *value,
                     bool *listed)
{
    ssize_t length = lgetxattr(save->path, ATTRIBUTE_ACL, value, XATTR_SIZE_MAX);

    *listed = length > 0;
    if (length > 0) {
        if (!same_group)
            limit_acl_group(value, (size_t)length);
        return save->operations->set_attribute(file, ATTRIBUTE_ACL, value, (size_t)length) == 0;
    }
    if (length < 0 && errno != ENODATA && errno != ENOTSUP)
        return false;
    return fgetxattr(file, ATTRIBUTE_ACL, NULL, 0) <= 0 ||
           save->operations->remove_attribute(file, ATTRIBUTE_ACL) == 0;
}

/* Copies the owner if possible, the access control list and the permissions. A group that cannot be
 * kept is granted no more than others have. */
static enum status copy_permissions(struct replacement *save, int file, char *value,
                                    struct error *error)
{
    mode_t mode = save->old.st_mode & 07777;
    bool listed = false;
    struct stat now;

    if (save->operations->chown(file, save->old.st_uid, save->old.st_gid) != 0)
        save->operations->chown(file, (uid_t)-1, save->old.st_gid);
    if (fstat(file, &now) != 0)
        return set_system_error(error, "cannot be examined");
    if (!copy_acl(save, file, now.st_gid == save->old.st_gid, value, &listed))
        return set_system_error(error, "its access control list cannot be kept");
    if (now.st_gid != save->old.st_gid && !listed)
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    if (now.st_uid != save->old.st_uid)
        mode &= ~(mode_t)S_ISUID;
    if (now.st_gid != save->old.st_gid)
        mode &= ~(mode_t)S_ISGID;
    if (save->operations->chmod(file, mode) != 0)
        return set_system_error(error, "its permissions cannot be kept");
    if (now.st_uid != save->old.st_uid)
        error_add(&save->remark, "its owner, user %ju, is now user %ju",
                  (uintmax_t)save->old.st_uid, (uintmax_t)now.st_uid);
    if (now.st_gid != save->old.st_gid)
        error_add(&save->remark, "its group, %ju, is now %ju", (uintmax_t)save->old.st_gid,
                  (uintmax_t)now.st_gid);
    return STATUS_OK;
}

/* Copies the user's attributes and, if the system allows it, the label of SELinux. Others are made
 * anew or, as capabilities, lost by any write. `value` has room for the largest. */
static enum status copy_attributes(struct replacement *save, int file, char *value,
                                   struct error *error)
{
    char *names = allocate(XATTR_LIST_MAX);
    ssize_t length = llistxattr(save->path, names, XATTR_LIST_MAX);
    enum status status = STATUS_OK;

    if (length < 0 && errno != ENOTSUP)
        status = set_system_error(error, "its attributes cannot be read");
    for (const char *name = names; name < names + length && status == STATUS_OK;
         name += strlen(name) + 1) {
        bool label = strcmp(name, ATTRIBUTE_LABEL) == 0;
        ssize_t size;

        if (!label && strncmp(name, "user.", 5) != 0)
            continue;
        size = lgetxattr(save->path, name, value, XATTR_SIZE_MAX);
        if (size < 0 && errno == EACCES && !label)
            error_add(&save->remark, "its attribute %s is lost, because it may not be read", name);
        else if ((size < 0 ||
                  save->operations->set_attribute(file, name, value, (size_t)size) != 0) &&
                 !label)
            status = error_set(error, STATUS_IO, "its attribute %s cannot be kept: %s", name,
                               strerror(errno));
    }
    free(names);
    return status;
}

/* Gives the temporary file what the old one has besides its contents. */
static enum status copy_properties(struct replacement *save, int file, struct error *error)
{
    enum status status;
    char *value;

    if (!save->exists)
        return STATUS_OK;
    value = allocate(XATTR_SIZE_MAX);
    status = copy_attributes(save, file, value, error);
    /* last: they may forbid to write to the file */
    if (status == STATUS_OK)
        status = copy_permissions(save, file, value, error);
    free(value);
    return status;
}

static int sync_file(const struct replacement *save, int file)
{
    int result;

    do
        result = save->operations->sync(file);
    while (result != 0 && errno == EINTR);
    return result;
}

static enum status write_temporary(struct replacement *save, const char *bytes, size_t length,
                                   struct error *error)
{
    int file = create_temporary(save, error);
    enum status status;

    if (file < 0)
        return STATUS_IO;
    status = file_put_bytes(save->operations, file, bytes, length)
                 ? STATUS_OK
                 : set_system_error(error, "cannot be written");
    if (status == STATUS_OK)
        status = copy_properties(save, file, error);
    if (status == STATUS_OK && sync_file(save, file) != 0)
        status = set_system_error(error, "cannot be written to disk");
    /* Linux closes the file whatever close returns; EINTR is not a failure */
    if (save->operations->close(file) != 0 && errno != EINTR && status == STATUS_OK)
        status = set_system_error(error, "cannot be written to disk");
    return status;
}

/* Renames the temporary file. If `exchanged`, the old file now has the temporary name. */
static enum status rename_temporary(struct replacement *save, bool *exchanged, struct error *error)
{
    unsigned flags = save->exists ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    int result = save->operations->rename(save->temporary, save->path, flags);

    *exchanged = result == 0 && save->exists;
    if (result != 0 && flags != 0 && (errno == EINVAL || errno == ENOSYS))
        result = save->operations->rename(save->temporary, save->path, 0);
    if (result == 0)
        return STATUS_OK;
    if (errno == EEXIST)
        return error_set(error, STATUS_CONFLICT, "already exists");
    return set_system_error(error, "cannot be replaced");
}

/* Syncs the directory; ignores the errors of file systems that cannot do this. */
static bool directory_synced(const struct replacement *save)
{
    return sync_file(save, save->directory_file) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* Nobody has written to the file of the first between it and the second. */
static bool is_same_version(const struct stat *a, const struct stat *b)
{
    if (a->st_dev != b->st_dev || a->st_ino != b->st_ino || a->st_size != b->st_size)
        return false;
    return a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* What the exchange returned. */
enum old_file { OLD_REPLACED, OLD_OF_OTHERS, OLD_UNREADABLE };

static enum old_file compare_with_expected(const struct replacement *save, struct error *error)
{
    char *bytes = NULL;
    size_t length = 0;
    enum status status =
        file_read_named(save->temporary, save->expected->length, &bytes, &length, NULL, error);
    bool same = status == STATUS_OK && length == save->expected->length;

    same = same && memcmp(bytes, save->expected->bytes, length) == 0;
    free(bytes);
    if (status == STATUS_IO)
        return OLD_UNREADABLE;
    return same ? OLD_REPLACED : OLD_OF_OTHERS;
}

static enum old_file identify_old_file(const struct replacement *save, struct error *error)
{
    struct stat what;

    if (save->expected != NULL)
        return compare_with_expected(save, error);
    if (lstat(save->temporary, &what) != 0)
        return OLD_REPLACED;
    return is_same_version(&what, &save->old) ? OLD_REPLACED : OLD_OF_OTHERS;
}

/* Gives a file that must not be lost a name of its own beside the new file. */
static void keep_old_file(struct replacement *save, const char *why)
{
    for (int i = 1; i < TEMPORARIES_MAX; i++) {
        char *kept = allocate_print("%s.other-%d", save->path, i);
        bool done = save->operations->rename(save->temporary, kept, RENAME_NOREPLACE) == 0;
        bool taken = !done && errno == EEXIST;

        if (!taken)
            error_add(&save->remark, "%s is now %s", why, done ? kept : save->temporary);
        free(kept);
        if (!taken)
            return;
    }
}

static void remark_links(struct replacement *save)
{
    unsigned long others = save->exists ? (unsigned long)save->old.st_nlink - 1 : 0;

    if (others > 0)
        error_add(&save->remark, "%lu other name%s of the file keep%s the old contents", others,
                  others > 1 ? "s" : "", others > 1 ? "" : "s");
}

/* Removes what has the temporary name; if that is impossible, `error` says so besides. */
static void remove_temporary(const struct replacement *save, struct error *error)
{
    int result;

    do
        result = save->operations->unlink(save->temporary);
    while (result != 0 && errno == EINTR);
    if (result != 0 && errno != ENOENT)
        error_add(error, "%s cannot be removed: %s", save->temporary, strerror(errno));
}

/* Removes the old file, which the exchange has put under the temporary name. */
static void drop_old_file(struct replacement *save)
{
    struct error reason = {.message = ""};

    switch (identify_old_file(save, &reason)) {
    case OLD_REPLACED:
        remove_temporary(save, &save->remark);
        break;
    case OLD_OF_OTHERS:
        keep_old_file(save, "another program saved it at the same time; what that wrote");
        break;
    case OLD_UNREADABLE:
        error_add(&save->remark, "%s", reason.message);
        keep_old_file(save, "what it contained before");
        break;
    }
}

/* Makes the rename durable or undoes it. Failing to remove the old file under the temporary name is
 * a remark: the new file is safe. */
static enum status make_durable(struct replacement *save, bool exchanged, struct error *error)
{
    bool undone;

    if (directory_synced(save)) {
        if (exchanged)
            drop_old_file(save);
        remark_links(save);
        return STATUS_OK;
    }
    set_system_error(error, "its directory cannot be written to disk");
    if (!save->exists)
        undone = save->operations->unlink(save->path) == 0;
    else
        undone = exchanged &&
                 save->operations->rename(save->temporary, save->path, RENAME_EXCHANGE) == 0;
    if (!undone)
        error_prefix(error, "the new file is in place");
    if (exchanged)
        remove_temporary(save, error);
    return STATUS_IO;
}

/* Examines what `path`, from which that of the replacement was resolved, names for the system. */
static enum status stat_old_file(struct replacement *save, const char *path, bool fresh,
                                 struct error *error)
{
    save->exists = stat(path, &save->old) == 0;
    if (!save->exists)
        return errno == ENOENT ? STATUS_OK : set_system_error(error, "cannot be examined");
    if (fresh)
        return error_set(error, STATUS_CONFLICT, "already exists");
    /* also a link of /proc to a pipe, whose text is no path */
    if (!S_ISREG(save->old.st_mode))
        return report_irregular(save->old.st_mode, error);
    if (is_planted(save->path, &save->old))
        return error_set(error, STATUS_IO, "belongs to another user and is " SHARED_FOLDER);
    if (faccessat(AT_FDCWD, save->path, W_OK, AT_EACCESS) != 0)
        return set_system_error(error, "is not writable");
    return STATUS_OK;
}

/* Opens the directory of a path. Returns -1 and sets the error if that is impossible. */
static int open_output_directory(const struct file_operations *operations, const char *directory,
                                 struct error *error)
{
    int file = operations->open_directory(directory);

    if (file < 0)
        set_system_error(error, "its directory cannot be opened");
    return file;
}

static enum status replace_target(struct replacement *save, const char *path, const char *bytes,
                                  size_t length, bool fresh, struct error *error)
{
    enum status status = stat_old_file(save, path, fresh, error);
    bool exchanged = false;

    if (status != STATUS_OK)
        return status;
    save->directory = directory_of(save->path);
    save->directory_file = open_output_directory(save->operations, save->directory, error);
    if (save->directory_file < 0)
        return STATUS_IO;
    remove_dead_temporaries(save);
    status = write_temporary(save, bytes, length, error);
    if (status == STATUS_OK)
        status = rename_temporary(save, &exchanged, error);
    if (status == STATUS_OK)
        status = make_durable(save, exchanged, error);
    else if (save->temporary != NULL)
        remove_temporary(save, error);
    save->operations->close(save->directory_file);
    return status;
}

static enum status replace_file(const char *path, const char *bytes, size_t length, bool fresh,
                                const struct buffer *expected,
                                const struct file_operations *operations, struct error *error)
{
    struct error reason = {.status = STATUS_OK};
    char *target = file_resolve(path, &reason);
    struct replacement save = {.operations = operations,
                               .path = target,
                               .expected = expected,
                               .remark = {.status = STATUS_OK}};
    enum status status = reason.status;
    bool dangling;

    if (target != NULL)
        status = replace_target(&save, path, bytes, length, fresh, &reason);
    dangling =
        target != NULL && save.directory != NULL && !save.exists && strcmp(path, target) != 0;
    if (status == STATUS_OK && expected != NULL && expected->length > 0 && !save.exists)
        error_add(&save.remark, "it had been removed");
    if (status == STATUS_OK && dangling)
        error_add(&save.remark, "it is a link to %s, which did not exist", target);
    else if (status == STATUS_IO && dangling)
        error_prefix(&reason, "it is a link to %s, which does not exist", target);
    if (error != NULL)
        *error = status == STATUS_OK ? save.remark : reason;
    free(save.temporary);
    free(save.directory);
    free(target);
    return status;
}

static enum status check_directory(const char *path, struct error *error)
{
    char *directory = directory_of(path);
    int file = open_output_directory(&file_system, directory, error);
    enum status status = STATUS_OK;

    if (file < 0)
        status = STATUS_IO;
    else if (faccessat(file, ".", W_OK | X_OK, AT_EACCESS) != 0)
        status = set_system_error(error, "its directory is not writable");
    if (file >= 0)
        close(file);
    free(directory);
    return status;
}

enum status file_check_output(const char *path, struct error *error)
{
    char *target = file_resolve(path, error);
    struct replacement save = {.path = target};
    enum status status;
    struct stat what;

    if (target == NULL)
        status = error->status;
    else
        status = stat_old_file(&save, path, false, error);
    if (status == STATUS_OK)
        status = check_directory(target, error);
    if (status == STATUS_IO && target != NULL && lstat(path, &what) == 0 && S_ISLNK(what.st_mode) &&
        stat(path, &what) != 0)
        error_prefix(error, "it is a link to %s, which does not exist", target);
    if (status != STATUS_OK)
        error_prefix(error, "%s", path);
    free(target);
    return status;
}

enum status file_replace(const char *path, const char *bytes, size_t length, bool fresh,
                         const struct file_operations *operations, struct error *error)
{
    return replace_file(path, bytes, length, fresh, NULL, operations, error);
}

enum status file_replace_expected(const char *path, const char *bytes, size_t length,
                                  const struct buffer *expected,
                                  const struct file_operations *operations, struct error *error)
{
    return replace_file(path, bytes, length, false, expected, operations, error);
}

enum status file_write(const char *path, const struct buffer *text, struct error *error)
{
    enum status status = file_replace(path, text->bytes, text->length, false, &file_system, error);

    if (status != STATUS_OK)
        error_prefix(error, "%s", path);
    return status;
}

/* User directory ------------------------------------------------------------------------------- */

bool user_directory(const char *variable, const char *fallback, char *path, size_t size)
{
    const char *directory = getenv(variable);
    const char *home = getenv("HOME");
    int length;

    if (directory != NULL && directory[0] == '/')
        length = snprintf(path, size, "%s/aolag", directory);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, size, "%s/%s/aolag", home, fallback);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

bool user_state_directory(char *path, size_t size)
{
    return user_directory("XDG_STATE_HOME", ".local/state", path, size);
}

void user_make_directory(char *path)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}
