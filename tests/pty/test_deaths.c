/* Ends that nobody asked for, and coming back. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "pty.h"

static const struct pty_options usual = {.rows = 24, .columns = 80, .term = "xterm-256color"};

TEST(signals)
{
    static const int deadly[] = {SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGUSR1};

    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        struct pty *pty = pty_open(&usual);
        int status;

        if (pty == NULL)
            return;
        CHECK(pty_shows(pty, "aolag"));
        kill(pty_program(pty), deadly[i]);
        if (CHECK(pty_ends(pty, &status)))
            CHECK_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == deadly[i],
                       "%s: the status is 0x%x", strsignal(deadly[i]), (unsigned)status);
        CHECK_TRUE(pty_gives_back(pty), "after %s", strsignal(deadly[i]));
        pty_close(pty);
    }
}

/* An interrupt from outside is the key C-c. */
TEST(interrupt)
{
    struct pty *pty = pty_open(&usual);
    int status;

    if (pty == NULL)
        return;
    CHECK(pty_shows(pty, "aolag"));
    kill(pty_program(pty), SIGINT);
    if (CHECK(pty_ends(pty, &status)))
        CHECK_INT(status, 0);
    CHECK(pty_gives_back(pty));
    pty_close(pty);
}

/* Changes the design and waits until the change is seen. */
static void modify(struct pty *pty)
{
    CHECK(pty_shows(pty, "aolag"));
    pty_type(pty, "/device.rtc.cores\r\033[C");
    CHECK(pty_shows(pty, "[modified]"));
}

static bool recovery_exists(const char *state)
{
    char path[4096];
    struct stat found;

    snprintf(path, sizeof path, "%s/aolag/recover.ini", state);
    return stat(path, &found) == 0 && found.st_size > 0;
}

TEST(recovers)
{
    struct pty_options options = usual;
    char *state = pty_directory();
    struct pty *pty;
    int status;

    options.state = state;
    pty = pty_open(&options);
    if (pty != NULL) {
        modify(pty);
        kill(pty_program(pty), SIGTERM);
        CHECK(pty_ends(pty, &status));
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        CHECK(recovery_exists(state));
        CHECK(pty_gives_back(pty));
        CHECK(pty_shows(pty, "aolag: unsaved changes kept in /"));
        pty_close(pty);
    }
    pty = pty_open(&options);
    if (pty != NULL) {
        CHECK(pty_shows(pty, "Recovery"));
        pty_close(pty);
    }
    free(state);
}

/* A design nobody changed leaves no recovery file. */
TEST(nothing_to_recover)
{
    struct pty_options options = usual;
    char *state = pty_directory();
    struct pty *pty;
    int status;

    options.state = state;
    pty = pty_open(&options);
    if (pty != NULL) {
        CHECK(pty_shows(pty, "aolag"));
        kill(pty_program(pty), SIGTERM);
        CHECK(pty_ends(pty, &status));
        CHECK(!recovery_exists(state));
        CHECK(strstr(pty_screen(pty), "unsaved") == NULL);
        pty_close(pty);
    }
    free(state);
}

/* The terminal goes away without a signal: its end is noticed and the design kept. */
TEST(hang_up)
{
    struct pty_options options = usual;
    char *state = pty_directory();
    struct pty *pty;
    int status;

    options.state = state;
    pty = pty_open(&options);
    if (pty != NULL) {
        modify(pty);
        pty_hang_up(pty);
        CHECK(pty_ends(pty, &status));
        CHECK_TRUE(status != 0, "the status is 0x%x", (unsigned)status);
        CHECK(recovery_exists(state));
        pty_close(pty);
    }
    free(state);
}

static void stop_by_key(struct pty *pty)
{
    pty_type(pty, "\032");
}

static void stop_by_signal(struct pty *pty)
{
    kill(pty_program(pty), SIGTSTP);
}

static void stop_without_notice(struct pty *pty)
{
    kill(pty_program(pty), SIGSTOP);
}

TEST(stops_and_goes_on)
{
    static const struct {
        const char *name;
        void (*stop)(struct pty *pty);
        bool tidy; /* it had a chance to give the terminal back */
    } ways[] = {
        {"C-z", stop_by_key, true},
        {"SIGTSTP", stop_by_signal, true},
        {"SIGSTOP", stop_without_notice, false},
    };
    struct pty_options larger = usual;
    char *expected;

    larger.rows = 30;
    larger.columns = 100;
    expected = pty_headless(&larger, "Down\n");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct pty *pty = pty_open(&usual);
        int status;

        if (pty == NULL)
            break;
        CHECK(pty_shows(pty, "aolag"));
        ways[i].stop(pty);
        CHECK_TRUE(pty_stops(pty), "%s", ways[i].name);
        if (ways[i].tidy)
            CHECK_TRUE(pty_gives_back(pty), "stopped by %s", ways[i].name);
        pty_resize(pty, larger.rows, larger.columns);
        pty_continue(pty, true);
        pty_type(pty, "\033[B");
        CHECK_TRUE(pty_is(pty, expected), "after %s", ways[i].name);
        CHECK(pty_alternate(pty));
        CHECK(pty_mouse(pty));
        CHECK_INT(pty_modes(pty).c_lflag & (ICANON | ECHO | ISIG), 0);
        pty_type(pty, "q");
        if (CHECK(pty_ends(pty, &status)))
            CHECK_INT(status, 0);
        CHECK_TRUE(pty_gives_back(pty), "quit after %s", ways[i].name);
        pty_close(pty);
    }
    free(expected);
}

/* Death while stopped, as by `kill %1`: the terminal is not ours to touch any more. */
TEST(dies_while_stopped)
{
    static const struct {
        void (*stop)(struct pty *pty);
        int number;
    } cases[] = {
        {stop_by_key, SIGQUIT},
        {stop_by_key, SIGTERM},
        {stop_without_notice, SIGTERM},
    };
    char *whole = pty_headless(&usual, "");

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pty *pty = pty_open(&usual);
        size_t before, after;
        int status;

        if (pty == NULL)
            break;
        CHECK(pty_is(pty, whole));
        cases[i].stop(pty);
        CHECK(pty_stops(pty));
        pty_bytes(pty, &before);
        kill(pty_program(pty), cases[i].number);
        pty_continue(pty, false);
        if (CHECK(pty_ends(pty, &status)))
            CHECK_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == cases[i].number,
                       "case %zu: the status is 0x%x", i, (unsigned)status);
        pty_bytes(pty, &after);
        CHECK_INT(after, before);
        pty_close(pty);
    }
    free(whole);
}

/* In the background the program waits to be put in front. */
TEST(waits_in_the_background)
{
    static void (*const ways[])(struct pty * pty) = {stop_by_key, stop_without_notice};
    char *expected = pty_headless(&usual, "Down\n");

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct pty *pty = pty_open(&usual);

        if (pty == NULL)
            break;
        CHECK(pty_shows(pty, "aolag"));
        ways[i](pty);
        CHECK(pty_stops(pty));
        pty_continue(pty, false);
        CHECK(pty_stops(pty));
        pty_continue(pty, true);
        pty_type(pty, "\033[B");
        CHECK(pty_is(pty, expected));
        CHECK(pty_mouse(pty));
        pty_close(pty);
    }
    free(expected);
}
