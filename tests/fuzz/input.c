/* Bytes of a terminal, decoded into keys. */
#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/terminal.h"

static int keyboard = -1; /* end of a pipe that is written to */
static int screen = -1;   /* the master of a pseudo-terminal */
static struct terminal *terminal;

/* Makes a pipe standard input, which a pseudo-terminal would deliver later, and a pseudo-terminal
 * standard output: what a fuzzer says goes to standard error. */
static void open_streams(void)
{
    int ends[2] = {-1, -1};
    int slave;

    screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    fuzz_check(screen >= 0 && grantpt(screen) == 0 && unlockpt(screen) == 0 && pipe(ends) == 0,
               "no terminal");
    slave = open(ptsname(screen), O_RDWR | O_NOCTTY);
    fuzz_check(slave >= 0 && dup2(slave, STDOUT_FILENO) == STDOUT_FILENO &&
                   dup2(ends[0], STDIN_FILENO) == STDIN_FILENO,
               "no terminal");
    fcntl(screen, F_SETFL, O_NONBLOCK);
    keyboard = ends[1];
}

static void open_terminal(void)
{
    static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
    struct sigaction handlers[sizeof deadly / sizeof deadly[0]];
    struct error error = {STATUS_OK, ""};
    char notice[160];

    open_streams();
    setenv("TERM", "xterm-256color", 1);
    /* a crash is the fuzzer's */
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        sigaction(deadly[i], NULL, &handlers[i]);
    fuzz_check(terminal_open(&terminal, notice, sizeof notice, &error) == STATUS_OK, "%s",
               error.message);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        sigaction(deadly[i], &handlers[i], NULL);
}

void fuzz_input(const char *bytes, size_t length)
{
    char shown[4096];
    struct key_event event;
    size_t keys = 0;

    if (terminal == NULL)
        open_terminal();
    /* the line end ends what is incomplete, for which the terminal would wait */
    fuzz_check(write(keyboard, bytes, length) == (ssize_t)length && write(keyboard, "\n", 1) == 1,
               "the pipe is full");
    while (terminal_wait(terminal, 0, &event) == TERMINAL_KEY) {
        char name[16];

        keys++;
        fuzz_check(event.key != KEY_NONE && event.key <= KEY_NAMED_MOUSE, "key %#x", event.key);
        fuzz_check(event.key != KEY_NAMED_MOUSE || (event.row >= 0 && event.column >= 0),
                   "mouse at %d, %d", event.row, event.column);
        key_to_name(event.key, name, sizeof name);
    }
    fuzz_check(keys <= length + 1, "%zu keys of %zu bytes", keys, length);
    while (read(screen, shown, sizeof shown) > 0)
        continue;
}
