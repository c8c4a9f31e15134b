#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/file.h"

#define ALTERNATE_STACK 65536

/* Signals handled by the main loop. */
static const int handled[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT};

/* Signals that do not end the process, and those that cannot be caught; all others, real-time
 * signals among them, do. */
static const int harmless[] = {SIGCHLD, SIGURG, SIGTTIN, SIGTTOU, SIGSTOP, SIGKILL};

enum {
    HANDLED_COUNT = sizeof handled / sizeof handled[0],
    HARMLESS_COUNT = sizeof harmless / sizeof harmless[0],
    SIGNAL_COUNT = 65 /* of Linux, from 1 */
};

/* Handlers have no context argument, so their state is global. */
static struct {
    int pipe[2];
    volatile sig_atomic_t received[HANDLED_COUNT];
    struct sigaction handled_before[HANDLED_COUNT];
    struct sigaction fatal_before[SIGNAL_COUNT];
    void *stack;
    int ended_by; /* 0: none */
    volatile sig_atomic_t armed;
    int fd;
    char bytes[SIGNALS_RESTORE_MAX];
    size_t count;
    struct termios modes;
    const char *volatile sentence; /* of signals_explain */
} state = {.pipe = {-1, -1}};

static bool is_request_to_end(int number)
{
    return number == SIGTERM || number == SIGHUP;
}

void signals_give_back(void)
{
    if (!state.armed)
        return;
    state.armed = 0;
    if (!file_put_bytes(&file_system, state.fd, state.bytes, state.count)) {
        tcflush(state.fd, TCOFLUSH);
        file_put_bytes(&file_system, state.fd, state.bytes, state.count);
    }
    tcsetattr(state.fd, TCSANOW, &state.modes);
}

static void end_by_signal(int number, const struct sigaction *before)
{
    signals_give_back();
    sigaction(number, before, NULL);
    raise(number);
}

static void record_signal(int number)
{
    static const char byte;
    int error = errno;

    for (int i = 0; i < HANDLED_COUNT; i++)
        if (handled[i] == number) {
            /* the library may be waiting for a terminal that takes no output */
            if (state.sentence != NULL && (is_request_to_end(number) || number == SIGINT))
                end_by_signal(number, &state.handled_before[i]);
            state.received[i] = 1;
        }
    /* A full pipe wakes the loop too. */
    if (write(state.pipe[1], &byte, 1) < 0)
        errno = error;
    errno = error;
}

static void die_of_signal(int number)
{
    if (number == SIGSEGV && state.sentence != NULL) {
        signals_give_back();
        file_put_bytes(&file_system, STDERR_FILENO, state.sentence, strlen(state.sentence));
        _exit(1);
    }
    end_by_signal(number, &state.fatal_before[number]);
}

static bool is_fatal(int number)
{
    for (int i = 0; i < HANDLED_COUNT; i++)
        if (handled[i] == number)
            return false;
    for (int i = 0; i < HARMLESS_COUNT; i++)
        if (harmless[i] == number)
            return false;
    /* the C library keeps those between for itself */
    return number < 32 || (number >= SIGRTMIN && number <= SIGRTMAX);
}

static void set_handler(int number, void (*handler)(int), int flags, struct sigaction *before)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

    sigemptyset(&action.sa_mask);
    /* Without this, setting the modes from the background would stop the process before it dies. */
    sigaddset(&action.sa_mask, SIGTTOU);
    if (sigaction(number, NULL, before) == 0 && before->sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

/* Installs an alternate stack, needed after a stack overflow. Sanitizers install their own. */
static bool open_stack(void)
{
    stack_t stack = {0};

    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) == 0)
        return true;
    state.stack = allocate(ALTERNATE_STACK);
    stack = (stack_t){.ss_sp = state.stack, .ss_size = ALTERNATE_STACK};
    return sigaltstack(&stack, NULL) == 0;
}

static void close_stack(void)
{
    const stack_t none = {.ss_flags = SS_DISABLE};

    if (state.stack == NULL)
        return;
    sigaltstack(&none, NULL);
    free(state.stack);
    state.stack = NULL;
}

bool signals_open(void)
{
    if (pipe2(state.pipe, O_NONBLOCK | O_CLOEXEC) != 0)
        return false;
    if (!open_stack()) {
        close_stack();
        close(state.pipe[0]);
        close(state.pipe[1]);
        return false;
    }
    if (atexit(signals_give_back) != 0)
        allocation_failed();
    for (int i = 0; i < HANDLED_COUNT; i++) {
        state.received[i] = 0;
        set_handler(handled[i], record_signal, SA_RESTART, &state.handled_before[i]);
    }
    for (int number = 1; number < SIGNAL_COUNT; number++)
        if (is_fatal(number))
            set_handler(number, die_of_signal, SA_ONSTACK, &state.fatal_before[number]);
    allocation_before_end(signals_give_back);
    return true;
}

void signals_close(void)
{
    allocation_before_end(NULL);
    signals_disarm();
    for (int i = 0; i < HANDLED_COUNT; i++)
        sigaction(handled[i], &state.handled_before[i], NULL);
    for (int number = 1; number < SIGNAL_COUNT; number++)
        if (is_fatal(number))
            sigaction(number, &state.fatal_before[number], NULL);
    close_stack();
    close(state.pipe[0]);
    close(state.pipe[1]);
    state.pipe[0] = state.pipe[1] = -1;
}

int signals_pipe(void)
{
    return state.pipe[0];
}

void signals_drain(void)
{
    char bytes[64];

    while (read(state.pipe[0], bytes, sizeof bytes) > 0)
        continue;
}

bool signals_received(int number)
{
    for (int i = 0; i < HANDLED_COUNT; i++)
        if (handled[i] == number && state.received[i]) {
            state.received[i] = 0;
            if (is_request_to_end(number))
                state.ended_by = number;
            return true;
        }
    return false;
}

bool signals_ending(void)
{
    for (int i = 0; i < HANDLED_COUNT; i++)
        if (state.received[i] && is_request_to_end(handled[i]))
            return true;
    return false;
}

void signals_reraise(void)
{
    if (state.ended_by != 0) {
        signal(state.ended_by, SIG_DFL);
        raise(state.ended_by);
    }
}

void signals_arm(int fd, const char *bytes, size_t count, const struct termios *modes)
{
    state.armed = 0;
    state.fd = fd;
    state.count = count < sizeof state.bytes ? count : sizeof state.bytes;
    memcpy(state.bytes, bytes, state.count);
    state.modes = *modes;
    state.armed = 1;
}

void signals_disarm(void)
{
    state.armed = 0;
}

void signals_explain(const char *sentence)
{
    state.sentence = sentence;
}

bool signals_stop(bool group)
{
    struct sigaction ours;

    signals_received(SIGCONT);
    for (int i = 0; i < HANDLED_COUNT; i++)
        if (handled[i] == SIGTSTP) {
            sigaction(SIGTSTP, &state.handled_before[i], &ours);
            if (group)
                kill(0, SIGTSTP);
            else
                raise(SIGTSTP);
            sigaction(SIGTSTP, &ours, NULL);
        }
    signals_received(SIGTSTP);
    return signals_received(SIGCONT);
}
