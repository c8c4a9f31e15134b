/* A disk that fails on demand: the file operations, each counted and written down. */
#ifndef AOLAG_DISK_H
#define AOLAG_DISK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"

struct disk {
    int calls;
    int fails; /* call number `fails` answers `error` instead of doing anything; 0: none */
    int error;
    size_t most;      /* bytes of one write, 0: any */
    int interrupted;  /* so many writes answer EINTR first, uncounted */
    bool no_exchange; /* renames know no flags, as on NFS */
    char failed[24];  /* the name of the call that failed */
    char log[512];    /* the names of all */
};

extern struct disk disk;

extern const struct file_operations disk_operations;

#endif
