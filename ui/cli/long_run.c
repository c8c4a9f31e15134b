#include "cli/long_run.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "command.h"

#define WAIT 50 /* ms between two looks at a signal that another thread received */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* Received signal; global, as handlers have no context, and atomic, as several threads read it. */
static atomic_int received;
static struct sigaction previous[SIGNALS], previous_pipe;

static void record_signal(int number)
{
    if (received != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    received = number;
}

int long_run_signal(void)
{
    return received;
}

void long_run_open(void)
{
    struct sigaction action = {.sa_handler = record_signal, .sa_flags = SA_RESTART};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};

    received = 0;
    for (int i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], NULL, &previous[i]) == 0 && previous[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    sigaction(SIGPIPE, &ignore, &previous_pipe);
}

void long_run_end(void)
{
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &previous[i], NULL);
}

void long_run_close(void)
{
    long_run_end();
    sigaction(SIGPIPE, &previous_pipe, NULL);
}

/* Output --------------------------------------------------------------------------------------- */

/* Waits until a write of PIPE_BUF bytes does not block. Returns false after a signal. */
static bool wait_for_room(FILE *out)
{
    struct pollfd file = {.fd = fileno(out), .events = POLLOUT};

    /* a failure is reported by the write */
    while (received == 0 && file.fd >= 0 && poll(&file, 1, WAIT) <= 0)
        ;
    return received == 0;
}

/* Returns the length of the first lines: as many as a pipe takes at once, at least one. */
static size_t lines_at_once(const char *text, size_t length)
{
    const char *end = length > PIPE_BUF ? memrchr(text, '\n', PIPE_BUF) : text + length - 1;

    if (end == NULL)
        end = memchr(text, '\n', length);
    return end != NULL ? (size_t)(end - text) + 1 : length;
}

size_t long_run_write(FILE *out, const char *text, size_t length)
{
    size_t written = 0;

    while (written < length) {
        size_t piece = lines_at_once(text + written, length - written);

        errno = 0;
        if (!wait_for_room(out) || fwrite(text + written, 1, piece, out) != piece ||
            fflush(out) != 0)
            break;
        written += piece;
    }
    return written;
}

static bool report_shown_work(void *context, double done)
{
    struct shown_work *work = context;

    if (done >= 0)
        work->done = done;
    if (progress_line_age(&work->line) > 1)
        progress_line_draw(&work->line, "%.0f %% %s", 100 * work->done, work->of);
    return long_run_signal() == 0;
}

void shown_work_begin(struct shown_work *work, const struct cli *cli, const char *of)
{
    const bool alone = cli->current == NULL;

    *work = (struct shown_work){.progress = alone ? &work->own : cli->progress,
                                .own = {report_shown_work, work},
                                .line = progress_line_to(cli->err, alone),
                                .of = of};
    if (alone)
        long_run_open();
}

int shown_work_keep(struct shown_work *work)
{
    int number;

    if (work->progress != &work->own)
        return 0;
    number = long_run_signal();
    progress_line_clear(&work->line);
    long_run_close();
    return number;
}

void shown_work_end(struct shown_work *work)
{
    int number = shown_work_keep(work);

    if (number != 0)
        raise(number);
}
