#include "tui/job.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define SHELL "/bin/sh"

static struct job *start(const char *script)
{
    const char *const arguments[] = {"-c", script, NULL};
    struct job *job = NULL;
    struct error error = {0};

    CHECK_TRUE(job_start(&job, SHELL, arguments, NULL, &error) == STATUS_OK, "%s", error.message);
    return job;
}

/* Reads until `text` has come or the end has; false at the end. */
static bool read_until(struct job *job, struct buffer *output, const char *text)
{
    struct pollfd source = {.fd = job_file(job), .events = POLLIN};

    for (;;) {
        if (!CHECK(check_poll(&source, 1)) || !job_read(job, output))
            return false;
        if (text != NULL && output->length > 0 && strstr(output->bytes, text) != NULL)
            return true;
    }
}

TEST(prints_and_ends)
{
    struct job *job = start("echo one; echo two");
    struct buffer output = {0};
    char complaint[80];

    if (job == NULL)
        return;
    read_until(job, &output, NULL);
    CHECK_STR(output.bytes, "one\ntwo\n");
    CHECK(job_close(job, complaint, sizeof complaint));
    CHECK_STR(complaint, "");
    buffer_free(&output);
}

TEST(says_why_it_failed)
{
    static const struct {
        const char *script, *complaint;
    } cases[] = {
        {"echo first >&2; echo the last line >&2; exit 3", "the last line"},
        {"exit 1", "failed without a message"},
        {"kill -KILL $$", "ended by signal: Killed"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct job *job = start(cases[i].script);
        struct buffer output = {0};
        char complaint[80];

        if (job == NULL)
            return;
        read_until(job, &output, NULL);
        CHECK(!job_close(job, complaint, sizeof complaint));
        CHECK_STR(complaint, cases[i].complaint);
        buffer_free(&output);
    }
}

TEST(no_such_program)
{
    const char *const arguments[] = {NULL};
    struct job *job = NULL;
    struct error error = {0};
    struct buffer output = {0};
    char complaint[80];

    if (!CHECK(job_start(&job, "/nonexistent/aolag", arguments, NULL, &error) == STATUS_OK))
        return;
    read_until(job, &output, NULL);
    CHECK(!job_close(job, complaint, sizeof complaint));
    buffer_free(&output);
}

/* What it prints after it was asked to stop still comes. */
TEST(stops)
{
    struct job *job =
        start("trap 'echo kept; exit 0' INT; echo ready; while :; do sleep 0.01; done");
    struct buffer output = {0};
    char complaint[80];

    if (job == NULL)
        return;
    if (read_until(job, &output, "ready")) {
        job_stop(job);
        read_until(job, &output, NULL);
        CHECK_STR(output.bytes, "ready\nkept\n");
        CHECK(job_close(job, complaint, sizeof complaint));
    }
    buffer_free(&output);
}

static void has_a_handler(int number)
{
    (void)number;
}

/* Asked before it is a program of its own, or soon after: a handler of this one does not swallow
 * that. Without exec a shell that got far enough would leave a sleep behind that holds the pipe. */
TEST(stops_at_once)
{
    struct sigaction action = {.sa_handler = has_a_handler};
    struct sigaction before;
    char complaint[80];

    sigaction(SIGINT, &action, &before);
    for (int i = 0; i < 50; i++) {
        struct job *job = start("exec sleep 600");
        struct buffer output = {0};

        if (job == NULL)
            break;
        job_stop(job);
        read_until(job, &output, NULL);
        CHECK(!job_close(job, complaint, sizeof complaint));
        CHECK_STR(complaint, "ended by signal: Interrupt");
        buffer_free(&output);
    }
    sigaction(SIGINT, &before, NULL);
}

/* A job that is closed while it runs is stopped. */
TEST(is_told_to_end)
{
    char path[256], script[600];
    const char *directory = getenv("TMPDIR");
    struct job *job;
    struct buffer output = {0};
    char complaint[80];
    int waited = 0;

    snprintf(path, sizeof path, "%s/job.%ld", directory != NULL ? directory : "/tmp",
             (long)getpid());
    snprintf(script, sizeof script,
             "trap ': >%s; exit 0' TERM; echo ready; while :; do sleep 0.01; done", path);
    job = start(script);
    if (job == NULL)
        return;
    CHECK(read_until(job, &output, "ready"));
    CHECK(job_close(job, complaint, sizeof complaint));
    for (; access(path, F_OK) != 0 && waited < check_patience(); waited += 10)
        poll(NULL, 0, 10);
    CHECK_TRUE(access(path, F_OK) == 0, "it was not stopped");
    unlink(path);
    buffer_free(&output);
}

/* The keyboard is not its to read: its input is empty. */
TEST(reads_nothing)
{
    struct job *job = start("wc -c");
    struct buffer output = {0};
    char complaint[80];

    if (job == NULL)
        return;
    read_until(job, &output, NULL);
    CHECK_TRUE(output.length > 0 && strtol(output.bytes, NULL, 10) == 0, "it read %s bytes",
               output.bytes);
    CHECK(job_close(job, complaint, sizeof complaint));
    buffer_free(&output);
}
