/* Unsaved changes kept in files of their own when the program is ended from outside, and offered at
 * the next start; app.h says where. */
#ifndef AOLAG_TUI_RECOVERY_H
#define AOLAG_TUI_RECOVERY_H

#include <sys/types.h>
#include <time.h>

#include "tui/prompt.h"

struct app;

/* A recovery file as this session found or wrote it. */
struct recovery_file {
    int number; /* of its name, from 1; 0: none */
    dev_t device;
    ino_t inode;
    struct timespec written;
};

struct recovery {
    struct recovery_file held;    /* has this design, until it is saved or discarded */
    struct recovery_file offered; /* the question is about this one */
    char kept[PATH_BYTES + 128];  /* what became of the changes; empty: there were none */
};

/* The design is safe elsewhere, or not wanted. */
void recovery_forget(struct app *app);

#endif
