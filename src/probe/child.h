/* A process forked from this one, for work that may crash or has to be a process. */
#ifndef AOLAG_PROBE_CHILD_H
#define AOLAG_PROBE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

/* Forks. Returns the child's number, 0 in the child, -1 with STATUS_IO. The process must have one
 * thread. The child has of the parent only what is mapped and the file `kept`, -1: none; it has no
 * input, prints nothing, ignores the signals of the terminal, may use all cores until it pins
 * itself, and is killed when the parent ends. It leaves by _exit. */
pid_t child_start(int kept, struct error *error);

/* Returns true until the child has ended, and then its status as of waitpid, unless NULL. */
bool child_runs(pid_t child, int *status);

/* Waits for the end of a child, which with `killed` is killed first, and returns its status; 0 for
 * one that does not end within 10 s, such as one that waits in the kernel for a device. On a busy
 * machine the end of a process may take a good part of a second. */
int child_end(pid_t child, bool killed);

#endif
