#include "probe/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/system.h"

enum { REAP_LOOKS = 10000, REAP_MS = 1 };

/* Signals of the terminal are for the parent, which ends the child. */
static void prepare_child(int kept, pid_t parent)
{
    const struct rlimit none = {0, 0};
    const struct system *system = system_here();
    int nothing = open("/dev/null", O_RDWR);
    cpu_set_t all;
    sigset_t unblocked;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&unblocked);
    sigprocmask(SIG_SETMASK, &unblocked, NULL);
    setrlimit(RLIMIT_CORE, &none);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO && nothing >= 0; i++)
        if (i != kept)
            dup2(nothing, i);
    CPU_ZERO(&all);
    for (int i = 0; i < system->cores; i++)
        CPU_SET((size_t)system->core[i], &all);
    sched_setaffinity(0, sizeof all, &all);
}

pid_t child_start(int kept, struct error *error)
{
    pid_t parent = getpid(), child;

    /* what is buffered would be written twice */
    fflush(NULL);
    child = fork();
    if (child == 0)
        prepare_child(kept, parent);
    else if (child < 0)
        error_set(error, STATUS_IO, "cannot start a process: %s", strerror(errno));
    return child;
}

bool child_runs(pid_t child, int *status)
{
    return waitpid(child, status, WNOHANG) == 0;
}

int child_end(pid_t child, bool killed)
{
    int status = 0;

    if (killed)
        kill(child, SIGKILL);
    for (int look = 0; child_runs(child, &status) && look < REAP_LOOKS; look++)
        poll(NULL, 0, REAP_MS);
    return status;
}
