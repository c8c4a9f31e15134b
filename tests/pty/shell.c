#include "shell.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(int reports, pid_t program, int status)
{
    const struct shell_report report = {program, status};

    if (write(reports, &report, sizeof report) != (ssize_t)sizeof report)
        _exit(1);
}

static void to_front(pid_t group)
{
    tcsetpgrp(STDIN_FILENO, group);
}

/* Whatever the caller ignored or blocked: what is started with & from a script ignores SIGINT and
 * SIGQUIT. */
static void let_signals_in(void)
{
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A job of its own, in front before it runs. */
static pid_t start(char *const *arguments)
{
    pid_t program = fork();

    if (program == 0) {
        setpgid(0, 0);
        to_front(getpid());
        let_signals_in();
        execv(arguments[0], arguments);
        _exit(127);
    }
    return program;
}

_Noreturn void shell_run(char *const *arguments, int reports, int commands)
{
    pid_t program;
    int status;
    bool alive = true;
    char byte;

    /* A shell sets the terminal's foreground from the background, and its terminal's end is the
     * test's business. */
    signal(SIGTTOU, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    program = start(arguments);
    report(reports, program, SHELL_STARTED);
    while (alive && waitpid(program, &status, WUNTRACED) == program) {
        alive = WIFSTOPPED(status);
        to_front(getpid());
        report(reports, program, status);
        if (alive && read(commands, &byte, 1) == 1) {
            if (byte == SHELL_FRONT)
                to_front(program);
            kill(-program, SIGCONT);
        } else if (alive) {
            kill(-program, SIGKILL);
        }
    }
    while (read(commands, &byte, 1) > 0)
        continue;
    _exit(0);
}
