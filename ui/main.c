#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/allocate.h"
#include "command.h"
#include "draw/text.h"

#define STACK_BYTES ((size_t)1 << 20) /* no command needs more than 600 kB */
#define PAGE_BYTES 4096

/* Opens closed standard streams, so that no other file gets their descriptors. */
static void reserve_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY); /* I/O on them must still fail */
}

/* Writes to every page of a part of the stack, which the process keeps. */
__attribute__((noinline)) static void grow_stack(void)
{
    volatile char bytes[STACK_BYTES];

    for (size_t at = STACK_BYTES; at >= PAGE_BYTES; at -= PAGE_BYTES)
        bytes[at - 1] = 0;
    (void)bytes[0];
}

/* A stack that reaches its limit ends the program without a word. Returns false, with a sentence,
 * if it is too small for what commands need. */
static bool check_stack(void)
{
    struct rlimit stack;

    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= STACK_BYTES)
        return true;
    text_line(stderr, "aolag: the stack is limited to %ju KiB, and %zu KiB are needed (ulimit -s)",
              (uintmax_t)stack.rlim_cur >> 10, STACK_BYTES >> 10);
    return false;
}

/* Where the address space is limited and the rest of it in use, a stack that grows ends the program
 * without a word. Ends it with a sentence if there is no room for what commands need. */
static void reserve_stack(void)
{
    struct rlimit space, stack;
    void *room;

    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY ||
        getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur < 2 * STACK_BYTES)
        return;
    room = mmap(NULL, STACK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        allocation_failed();
    munmap(room, STACK_BYTES);
    grow_stack();
}

static void tell_stop(int number)
{
    static const char sentence[] =
        "aolag: stopped by a signal before its end; any output is a part\n";
    ssize_t written = write(STDERR_FILENO, sentence, sizeof sentence - 1);

    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

/* Makes a signal end a command with a sentence, unless it is ignored. Commands that keep what they
 * have done so far handle it (cli/long_run.h). */
static void tell_stops(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = tell_stop};
    struct sigaction before;

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

/* Closes standard output. Reports lost output, except after a closed pipe. Returns the status. */
static int close_output(int status, int error)
{
    bool failed = ferror(stdout) != 0;

    errno = 0;
    if (fclose(stdout) == 0 && !failed)
        return status;
    if (error != 0)
        errno = error;
    if (errno == EPIPE)
        return EXIT_PROBLEM;
    fprintf(stderr, "aolag: cannot write standard output%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return EXIT_PROBLEM;
}

/* Returns the executable file, to be run again in the background: from /proc, else argv[0] if it is
 * a path, else NULL. */
static const char *program_file(const char *called)
{
    if (access("/proc/self/exe", X_OK) == 0)
        return "/proc/self/exe";
    return called != NULL && strchr(called, '/') != NULL ? called : NULL;
}

int main(int argc, char **argv)
{
    struct cli cli = {.in = stdin, .out = stdout, .err = stderr, .program = program_file(argv[0])};
    struct error error;
    int status;

    allocate_large_apart();
    reserve_standard_streams();
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error of the write */
    setlocale(LC_CTYPE, "");
    if (!check_stack())
        return EXIT_PROBLEM;
    reserve_stack();
    if (catalogue_open(&cli.catalogue, &error) != STATUS_OK) {
        text_line(stderr, "aolag: %s", error.message);
        return EXIT_PROBLEM;
    }
    if (argc > 1 && command_find(argv[1]) != NULL && command_find(argv[1])->name[0] != '\0')
        tell_stops();
    status = cli_run(&cli, argc, argv);
    catalogue_close(cli.catalogue);
    return close_output(status, cli.output_error);
}
