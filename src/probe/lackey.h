/* A program that runs under valgrind's tool lackey, whose trace of memory accesses comes through a
 * pipe. */
#ifndef AOLAG_PROBE_LACKEY_H
#define AOLAG_PROBE_LACKEY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

struct lackey {
    pid_t process;
    int pipe;                   /* read end */
    int memory;                 /* of the process */
    struct lackey_mapping *map; /* files of code that were read */
    int mapped, capacity;
};

/* Starts `command`, terminated by NULL, with standard input, output and error of this process. The
 * error says if valgrind is not installed. */
enum status lackey_start(struct lackey *lackey, const char *const *command, struct error *error);

/* Reads what has come, at most `most` bytes; returns 0 at the end, or when a signal comes. */
size_t lackey_read(struct lackey *lackey, char *bytes, size_t most);

/* Reads the program's code, as tracer_code in probe/tracer.h; `context` is a struct lackey. Code
 * that comes from files is read as a whole when the first instruction of one of them is asked for,
 * since the program may have ended before what it printed is read. */
size_t lackey_code(void *context, uint64_t address, unsigned char *bytes, size_t length);

/* Waits for the end of the program and returns its status as waitpid does. The program gets a signal
 * if this is not 0, and SIGKILL after a second, since it may ignore the first. */
int lackey_end(struct lackey *lackey, int signal);

#endif
