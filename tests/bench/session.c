#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stopwatch.h"

#define SILENCE 60 /* ms after which a frame is over */
#define STEPS 41

static void become(const char *program, const char *terminal)
{
    int fd;

    setsid();
    fd = open(terminal, O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0)
        _exit(127);
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    setenv("TERM", "xterm-256color", 1);
    /* nothing can be kept there */
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    setenv("XDG_CONFIG_HOME", "/dev/null", 1);
    execl(program, program, "micado-scao", (char *)NULL);
    _exit(127);
}

/* Reads until nothing has come for a while; how much came, and when the last of it did. */
static size_t drain(int fd, double *last)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char bytes[65536];
    size_t sum = 0;

    while (poll(&ready, 1, sum == 0 ? 5000 : SILENCE) > 0) {
        ssize_t count = read(fd, bytes, sizeof bytes);

        if (count <= 0)
            break;
        sum += (size_t)count;
        *last = stopwatch_now();
    }
    return sum;
}

static size_t press(int fd, const char *keys, double *seconds)
{
    double start = stopwatch_now();
    double last = start;
    size_t bytes = 0;

    if (write(fd, keys, strlen(keys)) == (ssize_t)strlen(keys))
        bytes = drain(fd, &last);
    *seconds = last - start;
    return bytes;
}

/* Returns a number of the process's state as Linux tells it; 0 if it does not. */
static double status_number(pid_t pid, const char *name)
{
    char path[64];
    char line[256];
    double number = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0 &&
            sscanf(line + strlen(name), ": %lf", &number) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return number;
}

static struct session_keys press_in_turn(int fd, const char *there, const char *back)
{
    double seconds[STEPS];
    double bytes[STEPS];
    struct session_keys keys = {0};

    for (int i = 0; i < STEPS; i++) {
        bytes[i] = (double)press(fd, i % 2 == 0 ? there : back, &seconds[i]);
        keys.most = bytes[i] > keys.most ? bytes[i] : keys.most;
    }
    keys.seconds = stopwatch_spread(seconds, STEPS).median;
    keys.bytes = stopwatch_spread(bytes, STEPS).median;
    return keys;
}

/* Waits until nothing has come for a second. */
static void settle(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    double last;

    while (poll(&ready, 1, 1000) > 0)
        drain(fd, &last);
}

static double wakeups_while_idle(int fd, pid_t pid)
{
    static const char name[] = "voluntary_ctxt_switches";
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    double before = status_number(pid, name);

    poll(&ready, 1, 1000 * SESSION_IDLE);
    return status_number(pid, name) - before;
}

static void use(int fd, pid_t pid, struct session_figures *figures)
{
    settle(fd);
    figures->step = press_in_turn(fd, "\033[C", "\033[D");
    figures->move = press_in_turn(fd, "\033[B", "\033[A");
    settle(fd);
    figures->wakeups = wakeups_while_idle(fd, pid);
    figures->resident = 1024 * status_number(pid, "VmRSS");
}

int session_measure(const char *program, int rows, int columns, struct session_figures *figures)
{
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    double start;
    double last;
    pid_t pid;

    *figures = (struct session_figures){0};
    if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 || ioctl(fd, TIOCSWINSZ, &size) != 0)
        return -1;
    start = last = stopwatch_now();
    pid = fork();
    if (pid == 0)
        become(program, ptsname(fd));
    if (pid < 0)
        return -1;
    if (drain(fd, &last) > 0)
        use(fd, pid, figures);
    figures->first_frame = last - start;
    kill(pid, SIGKILL); /* no recovery file of a bench */
    waitpid(pid, NULL, 0);
    close(fd);
    errno = ENODATA;
    return figures->resident > 0 && figures->step.bytes > 0 ? 0 : -1;
}
