#include "disk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct disk disk;

static bool fails(const char *name)
{
    size_t used = strlen(disk.log);

    snprintf(disk.log + used, sizeof disk.log - used, "%s ", name);
    if (++disk.calls != disk.fails)
        return false;
    snprintf(disk.failed, sizeof disk.failed, "%s", name);
    errno = disk.error;
    return true;
}

static int fail_create(const char *path, mode_t mode)
{
    return fails("create") ? -1 : file_system.create(path, mode);
}

static ssize_t fail_write(int file, const void *bytes, size_t length)
{
    if (disk.interrupted > 0) {
        disk.interrupted--;
        errno = EINTR;
        return -1;
    }
    if (disk.most > 0 && length > disk.most)
        length = disk.most;
    return fails("write") ? -1 : file_system.write(file, bytes, length);
}

static int fail_chown(int file, uid_t owner, gid_t group)
{
    return fails("chown") ? -1 : file_system.chown(file, owner, group);
}

static int fail_chmod(int file, mode_t mode)
{
    return fails("chmod") ? -1 : file_system.chmod(file, mode);
}

static int fail_set_attribute(int file, const char *name, const void *value, size_t size)
{
    return fails("set-attribute") ? -1 : file_system.set_attribute(file, name, value, size);
}

static int fail_remove_attribute(int file, const char *name)
{
    return fails("remove-attribute") ? -1 : file_system.remove_attribute(file, name);
}

static int fail_sync(int file)
{
    return fails("sync") ? -1 : file_system.sync(file);
}

/* A close that fails has closed all the same. */
static int fail_close(int file)
{
    bool failed = fails("close");
    int reason = errno;
    int result = file_system.close(file);

    errno = reason;
    return failed ? -1 : result;
}

static int fail_open_directory(const char *path)
{
    return fails("open-directory") ? -1 : file_system.open_directory(path);
}

static int fail_rename(const char *from, const char *to, unsigned flags)
{
    if (flags != 0 && disk.no_exchange) {
        errno = EINVAL;
        return -1;
    }
    return fails("rename") ? -1 : file_system.rename(from, to, flags);
}

static int fail_unlink(const char *path)
{
    return fails("unlink") ? -1 : file_system.unlink(path);
}

const struct file_operations disk_operations = {
    .create = fail_create,
    .write = fail_write,
    .chown = fail_chown,
    .chmod = fail_chmod,
    .set_attribute = fail_set_attribute,
    .remove_attribute = fail_remove_attribute,
    .sync = fail_sync,
    .close = fail_close,
    .open_directory = fail_open_directory,
    .rename = fail_rename,
    .unlink = fail_unlink,
};
