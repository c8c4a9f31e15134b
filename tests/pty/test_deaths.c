/* Signals that end or stop the program, and recovery at the next start. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "draw.h"
#include "pty.h"

static const struct pty_options usual = {.rows = 24, .columns = 80, .term = "xterm-256color"};

static bool recovery_exists(const char *state)
{
    char path[4096];
    struct stat found;

    snprintf(path, sizeof path, "%s/aolag/recover.ini", state);
    return stat(path, &found) == 0 && found.st_size > 0;
}

/* Changes the design and waits until the change is seen. */
static void modify(struct pty *pty)
{
    pty_type(pty, "/device.rtc.cores\r\033[C");
    CHECK(pty_shows(pty, "[modified]"));
}

struct end {
    int number;    /* of the signal; 0: the terminal goes away without one */
    bool modified; /* the design */
};

static void end_program(struct pty *pty, const struct end *end, const char *state)
{
    /* An interrupt from outside is the key C-c. */
    int expected = end->number == SIGINT ? 0 : end->number;
    int status;

    if (end->modified)
        modify(pty);
    if (end->number == 0) {
        pty_hang_up(pty);
        CHECK(pty_ends(pty, &status));
        CHECK_TRUE(status != 0, "the status is 0x%x", (unsigned)status);
    } else {
        kill(pty_program(pty), end->number);
        CHECK_TRUE(pty_ends_by(pty, expected) && pty_gives_back(pty), "after %s",
                   strsignal(end->number));
    }
    CHECK_TRUE(recovery_exists(state) == end->modified, "recovery after %s",
               strsignal(end->number));
    if (end->modified && end->number != 0)
        CHECK(pty_shows(pty, "aolag: unsaved changes kept in /"));
    else
        CHECK(strstr(pty_screen(pty), "unsaved") == NULL);
}

/* The terminal is given back, and a design that was changed is offered at the next start. Where
 * tests are to be few, after every third end. */
TEST(ends)
{
    const struct end ends[] = {
        {SIGTERM, false},  {SIGHUP, false},    {SIGQUIT, false}, {SIGSEGV, false},
        {SIGABRT, false},  {SIGBUS, false},    {SIGUSR1, false}, {SIGINT, false},
        {SIGPROF, false},  {SIGVTALRM, false}, {SIGIO, false},   {SIGPWR, false},
        {SIGRTMIN, false}, {SIGRTMAX, false},  {SIGTERM, true},  {0, true},
    };

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i += draw_every(1) > 1 ? 3 : 1) {
        struct pty_options options = usual;
        char *state = pty_directory();
        struct pty *pty;

        options.state = state;
        pty = pty_open_shown(&options);
        if (pty != NULL)
            end_program(pty, &ends[i], state);
        pty_close(pty);
        pty = ends[i].modified ? pty_open(&options) : NULL;
        if (pty != NULL)
            CHECK(pty_shows(pty, "Recovery"));
        pty_close(pty);
        free(state);
    }
}

static bool is_kept(struct pty *pty, const void *state)
{
    (void)pty;
    return recovery_exists(state);
}

/* The design is on the disk after an edit, without another key. The next start offers it, and
 * what was typed before is no answer; one with the name of a scenario mentions it. */
TEST(is_killed_while_editing)
{
    struct pty_options options = usual;
    char *state = pty_directory();
    struct pty *pty;

    options.state = state;
    pty = pty_open_shown(&options);
    if (pty != NULL) {
        modify(pty);
        CHECK(pty_wait(pty, is_kept, state, "a recovery file"));
        kill(pty_program(pty), SIGKILL);
        CHECK(pty_ends_by(pty, SIGKILL));
    }
    pty_close(pty);
    options.file = "harmoni-scao";
    pty = pty_open(&options);
    if (pty != NULL)
        CHECK(pty_shows(pty, ":recover offers them"));
    pty_close(pty);
    options.file = NULL;
    options.typed = "/d";
    pty = pty_open(&options);
    if (pty != NULL)
        CHECK(pty_shows(pty, "Recovery") && pty_rests(pty) && recovery_exists(state));
    pty_close(pty);
    free(state);
}

/* A frame has more bytes than a terminal keeps for its reader. */
static const struct pty_options large = {.rows = 60, .columns = 200, .term = "xterm-256color"};

/* Shows the program on a terminal that then takes in nothing, not even the redrawn screen, which is
 * displayed after some keys at the latest. */
static struct pty *open_held(const struct pty_options *options)
{
    struct pty *pty = pty_open_shown(options);

    if (pty != NULL && pty_rests(pty)) {
        pty_hold(pty, true);
        for (int i = 0; i < 40; i++)
            pty_type(pty, "\f");
        pty_type(pty, "/device.rtc.cores\r\033[C");
    }
    return pty;
}

/* The design is kept, no key answers a question that nobody sees, and the program ends. The
 * terminal gets what restores it instead of the frame. */
TEST(terminal_takes_nothing)
{
    static const int ends[] = {SIGTERM, SIGHUP, SIGSEGV};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct pty_options options = large;
        char *state = pty_directory();
        struct pty *pty;

        options.state = state;
        pty = open_held(&options);
        if (pty != NULL) {
            pty_type(pty, "qd");
            CHECK(pty_wait(pty, is_kept, state, "a recovery file"));
            kill(pty_program(pty), ends[i]);
            CHECK_TRUE(pty_ends_by(pty, ends[i]) && recovery_exists(state), "%s",
                       strsignal(ends[i]));
            CHECK(pty_gives_back(pty));
        }
        pty_close(pty);
        free(state);
    }
}

/* Undone, so that nothing is asked. */
TEST(quits_a_terminal_that_takes_nothing)
{
    struct pty *pty = open_held(&large);

    if (pty == NULL)
        return;
    pty_type(pty, "uq");
    CHECK(pty_ends_by(pty, 0) && pty_gives_back(pty));
    pty_close(pty);
}

/* It goes on where it was when it is continued and its terminal takes everything again. */
TEST(stops_on_a_terminal_that_takes_nothing)
{
    struct pty *pty = open_held(&large);

    if (pty == NULL)
        return;
    pty_type(pty, "\032");
    CHECK(pty_stops(pty) && pty_gives_back(pty));
    pty_continue(pty, true);
    CHECK(pty_is_headless(pty, &large, "/\ntext device.rtc.cores\nEnter\nRight\n"));
    pty_close(pty);
}

static bool keeps_title(struct pty *pty, const void *state)
{
    char path[4096], line[4096];
    bool found = false;
    FILE *file;

    (void)pty;
    snprintf(path, sizeof path, "%s/aolag/recover.ini", (const char *)state);
    file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = strcmp(line, "title = Last\n") == 0;
    if (file != NULL)
        fclose(file);
    return found;
}

/* Keys count at once. A hundred bytes at a time bring the frame that is on its way and then the
 * last one, none of those between. */
TEST(terminal_takes_little)
{
    struct pty_options options = large;
    char *state = pty_directory();
    size_t before, after;
    struct pty *pty;

    options.state = state;
    pty = open_held(&options);
    if (pty != NULL) {
        pty_bytes(pty, &before);
        for (int i = 0; i < 20; i++)
            pty_type(pty, "\f\033[B");
        pty_type(pty, ":set scenario.title=Last\r");
        CHECK(pty_wait(pty, keeps_title, state, "what was typed last in the recovery file"));
        while (strstr(pty_screen(pty), "Last") == NULL && pty_take(pty, 100))
            continue;
        pty_hold(pty, false);
        CHECK(pty_rests(pty));
        pty_bytes(pty, &after);
        CHECK_TRUE(after - before < 3 * before, "a frame of %zu bytes, then %zu", before,
                   after - before);
    }
    pty_close(pty);
    free(state);
}

static bool lacks(struct pty *pty, const void *text)
{
    return strstr(pty_screen(pty), text) == NULL;
}

/* Keys that were typed before a question about unsaved changes is displayed do not answer it. */
TEST(asks_before_it_discards)
{
    static const char *const keys[] = {"qd", ":q\rd", "\003\033[B\r", ":preset harmoni-scao\rd"};
    struct pty *pty = pty_open_shown(&usual);

    if (pty == NULL)
        return;
    modify(pty);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        pty_type(pty, keys[i]);
        CHECK_TRUE(pty_shows(pty, "Unsaved changes") && pty_rests(pty) &&
                       strstr(pty_screen(pty), "Unsaved changes") != NULL,
                   "case %zu", i);
        pty_type(pty, "c");
        CHECK(pty_wait(pty, lacks, "Unsaved changes", "the end of the question"));
    }
    pty_type(pty, "q");
    CHECK(pty_shows(pty, "Unsaved changes"));
    pty_type(pty, "d");
    CHECK(pty_ends_by(pty, 0));
    pty_close(pty);
}

/* By the key C-z, or by a signal. */
static void stop(struct pty *pty, int number)
{
    if (number == 0)
        pty_type(pty, "\032");
    else
        kill(pty_program(pty), number);
    CHECK_TRUE(pty_stops(pty), "signal %d", number);
}

TEST(stops_and_goes_on)
{
    static const int ways[] = {0, SIGTSTP, SIGSTOP};
    struct pty_options larger = usual;

    larger.rows = 30;
    larger.columns = 100;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct pty *pty = pty_open_ready(&usual);

        if (pty == NULL)
            return;
        stop(pty, ways[i]);
        if (ways[i] != SIGSTOP) /* which gives no chance to */
            CHECK_TRUE(pty_gives_back(pty), "stopped by signal %d", ways[i]);
        pty_resize(pty, larger.rows, larger.columns);
        pty_continue(pty, true);
        pty_type(pty, "\033[B");
        CHECK_TRUE(pty_is_headless(pty, &larger, "Down\n"), "after signal %d", ways[i]);
        CHECK(pty_alternate(pty));
        CHECK(pty_mouse(pty));
        CHECK_INT(pty_modes(pty).c_lflag & (ICANON | ECHO | ISIG), 0);
        pty_type(pty, "q");
        CHECK_TRUE(pty_ends_by(pty, 0) && pty_gives_back(pty), "quit after signal %d", ways[i]);
        pty_close(pty);
    }
}

/* Death while stopped, as by `kill %1`: the terminal is not ours to touch any more. */
TEST(dies_while_stopped)
{
    static const int cases[][2] = {{0, SIGQUIT}, {0, SIGTERM}, {SIGSTOP, SIGTERM}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pty *pty = pty_open(&usual);
        size_t before, after;

        if (pty == NULL)
            return;
        CHECK(pty_is_headless(pty, &usual, ""));
        stop(pty, cases[i][0]);
        pty_bytes(pty, &before);
        kill(pty_program(pty), cases[i][1]);
        pty_continue(pty, false);
        CHECK_TRUE(pty_ends_by(pty, cases[i][1]), "case %zu", i);
        pty_bytes(pty, &after);
        CHECK_INT(after, before);
        pty_close(pty);
    }
}

/* In the background the program waits to be put in front. */
TEST(waits_in_the_background)
{
    static const int ways[] = {0, SIGSTOP};

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct pty *pty = pty_open_ready(&usual);

        if (pty == NULL)
            return;
        stop(pty, ways[i]);
        pty_continue(pty, false);
        CHECK(pty_stops(pty));
        pty_continue(pty, true);
        pty_type(pty, "\033[B");
        CHECK(pty_is_headless(pty, &usual, "Down\n"));
        CHECK(pty_mouse(pty));
        pty_close(pty);
    }
}
