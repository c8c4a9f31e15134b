#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "draw/text.h"

/* Opens closed standard streams, so that no other file gets their descriptors. */
static void reserve_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY); /* I/O on them must still fail */
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

    reserve_standard_streams();
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error of the write */
    setlocale(LC_CTYPE, "");
    if (catalogue_open(&cli.catalogue, &error) != STATUS_OK) {
        text_line(stderr, "aolag: %s", error.message);
        return EXIT_PROBLEM;
    }
    status = cli_run(&cli, argc, argv);
    catalogue_close(cli.catalogue);
    return close_output(status, cli.output_error);
}
