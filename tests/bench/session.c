#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pty/emulator.h"
#include "stopwatch.h"

#define SILENCE 60 /* ms after which a frame is over */
#define APART 150  /* ms from the last byte of one key to the next that comes alone */
#define STEPS 41
#define CHANGES 12
#define IDLE 5      /* s */
#define HELD 12     /* keys per second */
#define PATIENCE 20 /* s for what computes on and on */

static void become(const char *program, const char *system, const char *terminal)
{
    int fd;

    setsid();
    fd = open(terminal, O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0)
        _exit(127);
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    /* nothing can be kept there */
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    setenv("XDG_CONFIG_HOME", "/dev/null", 1);
    execl(program, program, system, (char *)NULL);
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

/* Reads until no thread computes and nothing has come for so many ms; when the last byte did. */
static double settle(int fd, pid_t pid, int silence)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    double start = stopwatch_now();
    double last = start;

    while (poll(&ready, 1, silence) > 0 ? drain(fd, &last) > 0 : status_number(pid, "Threads") > 1)
        if (stopwatch_now() - start > PATIENCE)
            break;
    return last;
}

static double wakeups_while_idle(int fd, pid_t pid)
{
    static const char name[] = "voluntary_ctxt_switches";
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    double before = status_number(pid, name);

    poll(&ready, 1, 1000 * IDLE);
    return status_number(pid, name) - before;
}

/* Returns the processor time of a process so far, s. */
static double processor_time(pid_t pid)
{
    struct timespec used = {0};
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) == 0)
        clock_gettime(clock, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static double hold_key(int fd, pid_t pid)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    double before = processor_time(pid);
    double start = stopwatch_now();
    char bytes[65536];

    for (int i = 0; i < STEPS; i++) {
        double due = start + (i + 1.0) / HELD;

        if (write(fd, i / 5 % 2 == 0 ? "\033[C" : "\033[D", 3) != 3)
            break;
        for (double left; (left = due - stopwatch_now()) > 0;)
            if (poll(&ready, 1, (int)(1000 * left)) > 0 && read(fd, bytes, sizeof bytes) <= 0)
                return 0;
    }
    return (processor_time(pid) - before) / (stopwatch_now() - start);
}

/* Undoes the last change, or makes it again. */
static bool change(int fd, int i)
{
    return write(fd, i % 2 == 0 ? "u" : "\022", 1) == 1;
}

static double change_to_answers(int fd, pid_t pid, char view)
{
    double seconds[CHANGES];

    if (write(fd, &view, 1) != 1)
        return 0;
    settle(fd, pid, APART);
    for (int i = 0; i < CHANGES; i++) {
        double start = stopwatch_now();

        if (!change(fd, i))
            return 0;
        seconds[i] = settle(fd, pid, APART) - start;
    }
    return stopwatch_spread(seconds, CHANGES).median;
}

/* Returns false if nothing comes within so many ms. */
static bool feed(int fd, struct emulator *emulator, int patience)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char bytes[65536];
    ssize_t count = poll(&ready, 1, patience) > 0 ? read(fd, bytes, sizeof bytes) : 0;

    if (count > 0)
        emulator_write(emulator, bytes, (size_t)count);
    return count > 0;
}

/* Waits until the screen marks that the next steps are not known, or no longer does; false if
 * neither happens soon. */
static bool await_steps(int fd, struct emulator *emulator, bool known)
{
    while ((strstr(emulator_text(emulator), "next \xE2\x80\xA6") == NULL) != known)
        if (!feed(fd, emulator, 1000))
            return false;
    return true;
}

/* 0 if the screen marks nothing, or if the steps mostly came with the frame. */
static double change_to_steps(int fd, int rows, int columns)
{
    struct emulator emulator;
    double seconds[CHANGES];
    size_t count = 0;

    if (!emulator_open(&emulator, rows, columns))
        return 0;
    for (int i = -1; i < CHANGES; i++) {
        double start = stopwatch_now();

        if (i < 0 && write(fd, "\f", 1) != 1) /* all of the screen once */
            break;
        if (i >= 0 && change(fd, i) && await_steps(fd, &emulator, false) &&
            await_steps(fd, &emulator, true))
            seconds[count++] = stopwatch_now() - start;
        while (feed(fd, &emulator, APART))
            continue;
    }
    emulator_close(&emulator);
    return count > CHANGES / 2 ? stopwatch_spread(seconds, count).median : 0;
}

static void use(int fd, pid_t pid, int rows, int columns, struct session_figures *figures)
{
    settle(fd, pid, 1000);
    figures->start_peak = 1024 * status_number(pid, "VmHWM");
    figures->step = press_in_turn(fd, "\033[C", "\033[D");
    figures->move = press_in_turn(fd, "\033[B", "\033[A");
    figures->held = hold_key(fd, pid);
    settle(fd, pid, APART);
    figures->steps = change_to_steps(fd, rows, columns);
    for (int i = 0; i < 3; i++)
        figures->answer[i] = change_to_answers(fd, pid, "149"[i]);
    for (char view = '1'; view <= '9'; view++)
        if (write(fd, &view, 1) == 1)
            settle(fd, pid, 1000);
    figures->wakeups = wakeups_while_idle(fd, pid);
    figures->peak = 1024 * status_number(pid, "VmHWM");
}

int session_measure(const char *program, const char *system, int rows, int columns,
                    struct session_figures *figures)
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
        become(program, system, ptsname(fd));
    if (pid < 0)
        return -1;
    if (drain(fd, &last) > 0)
        use(fd, pid, rows, columns, figures);
    figures->first_frame = last - start;
    kill(pid, SIGKILL); /* no recovery file of a bench */
    waitpid(pid, NULL, 0);
    close(fd);
    errno = ENODATA;
    return figures->peak > 0 && figures->step.bytes > 0 ? 0 : -1;
}
