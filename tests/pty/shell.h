/* The shell between a test and the program. */
#ifndef AOLAG_SHELL_H
#define AOLAG_SHELL_H

#include <sys/types.h>

struct shell_report {
    pid_t program;
    int status; /* of waitpid; 0xffff: it has started */
};

#define SHELL_STARTED 0xffff

/* Commands: `fg` and `bg`. */
enum { SHELL_FRONT = 'f', SHELL_BACK = 'b' };

/* Runs in a child that leads a session with the terminal as its standard input: starts `arguments`
 * as a foreground job, writes a report of every change to `reports`, and continues the job as each
 * byte from `commands` says. Ends the job at the end of `commands`. */
_Noreturn void shell_run(char *const *arguments, int reports, int commands);

#endif
