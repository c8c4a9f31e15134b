/* A session from start to end. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"

#define BYTES_A_STEP 1500

static const struct pty_options usual = {.rows = 36, .columns = 120, .term = "xterm-256color"};

TEST(starts)
{
    struct pty *pty = pty_open_shown(&usual);

    if (pty == NULL)
        return;
    CHECK(pty_is_headless(pty, &usual, ""));
    CHECK(pty_alternate(pty));
    CHECK(pty_cursor_visible(pty));
    CHECK(pty_mouse(pty));
    /* C-c, C-z, C-s and C-q are keys like any other. */
    CHECK_INT(pty_modes(pty).c_lflag & (ICANON | ECHO | ISIG | IEXTEN), 0);
    CHECK_INT(pty_modes(pty).c_iflag & (IXON | ICRNL), 0);
    pty_close(pty);
}

/* The first start mentions help and tour until a key comes; later ones do not. */
TEST(greets_once)
{
    char *state = pty_directory();
    struct pty_options options = usual;

    options.state = state;
    for (int i = 0; i < 2; i++) {
        struct pty *pty = pty_open_shown(&options);

        if (pty == NULL)
            break;
        if (i == 0)
            CHECK(pty_shows(pty, "? keys \xC2\xB7 :tour"));
        pty_type(pty, i == 0 ? "2" : "");
        CHECK(pty_is_headless(pty, &options, i == 0 ? "2\n" : ""));
        pty_close(pty);
    }
    free(state);
}

TEST(starts_without_a_place_for_state)
{
    struct pty_options options = usual;
    struct pty *pty;

    options.state = "/dev/null/state";
    pty = pty_open_shown(&options);
    if (pty == NULL)
        return;
    CHECK(pty_is_headless(pty, &options, ""));
    pty_type(pty, "\033[C");
    CHECK(pty_shows(pty, "unsaved changes could not be kept"));
    pty_close(pty);
}

/* As an editor does; the file exists once it is saved. */
TEST(begins_a_new_file)
{
    char *directory = pty_directory();
    struct pty_options options = usual;
    struct pty *pty;
    char file[4096];

    snprintf(file, sizeof file, "%s/new.ini", directory);
    options.file = file;
    pty = pty_open_shown(&options);
    if (pty != NULL) {
        CHECK(pty_shows(pty, "new file"));
        CHECK(pty_shows(pty, "no components;"));
        CHECK(access(file, F_OK) != 0);
        pty_type(pty, "s");
        CHECK(pty_shows(pty, "saved"));
        CHECK(access(file, F_OK) == 0);
    }
    pty_close(pty);
    free(directory);
}

TEST(quits)
{
    static const char *const keys[] = {"q", "\003"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct pty *pty = pty_open_shown(&usual);

        if (pty == NULL)
            return;
        pty_type(pty, keys[i]);
        CHECK_TRUE(pty_ends_by(pty, 0) && pty_gives_back(pty), "after key %d", keys[i][0]);
        pty_close(pty);
    }
}

/* The number and everything that hangs on it move with one key, and move back with another. */
TEST(moves_a_slider)
{
    struct pty *pty = pty_open(&usual);
    char *before;

    if (pty == NULL)
        return;
    pty_type(pty, "/device.rtc.cores\r");
    CHECK(pty_is_headless(pty, &usual, "/\ntext device.rtc.cores\nEnter\n"));
    CHECK_TRUE(strstr(pty_cursor_line(pty), "cores") != NULL, "the cursor is on: %s",
               pty_cursor_line(pty));
    before = strdup(pty_screen(pty));
    pty_type(pty, "\033[C");
    CHECK(pty_is_headless(pty, &usual, "/\ntext device.rtc.cores\nEnter\nRight\n"));
    CHECK(strcmp(pty_screen(pty), before) != 0);
    free(before);
    pty_close(pty);
}

static void count_bytes(const struct pty_options *options)
{
    struct pty *pty = pty_open(options);
    size_t before, after;

    if (pty == NULL)
        return;
    pty_type(pty, "/device.rtc.cores\r");
    CHECK(pty_is_headless(pty, options, "/\ntext device.rtc.cores\nEnter\n"));
    for (int i = 0; i < 10; i++) {
        pty_bytes(pty, &before);
        pty_type(pty, "\033[C");
        CHECK(pty_writes(pty, before));
        CHECK(pty_rests(pty));
        pty_bytes(pty, &after);
        CHECK_TRUE(after - before < BYTES_A_STEP, "step %d wrote %zu bytes", i, after - before);
    }
    pty_close(pty);
}

/* Beside the timeline, too. */
TEST(writes_little)
{
    struct pty_options wide = usual;

    count_bytes(&usual);
    wide.rows = 45;
    wide.columns = 160;
    count_bytes(&wide);
}

/* A frame is one write, not one for each part of a row. */
TEST(writes_a_frame_at_once)
{
    struct pty *pty = pty_open(&usual);
    size_t before, after, count;
    const char *bytes;
    char *frame;

    if (pty == NULL)
        return;
    CHECK(pty_is_headless(pty, &usual, ""));
    CHECK(pty_rests(pty));
    pty_bytes(pty, &before);
    count = pty_first_write(pty, "\033[B");
    CHECK(pty_is_headless(pty, &usual, "Down\n"));
    bytes = pty_bytes(pty, &after);
    frame = strndup(bytes + before, count);
    CHECK_TRUE(strstr(frame, "bus width") != NULL && strstr(frame, "memory clock") != NULL &&
                   strstr(frame, "memory_clock") != NULL,
               "%zu bytes", count);
    free(frame);
    pty_close(pty);
}

/* Clock ticks used, and times it has gone to sleep of its own accord. */
static bool usage(pid_t program, unsigned long *ticks, unsigned long *sleeps)
{
    char path[64], line[512];
    unsigned long user, system;
    FILE *file;
    bool good;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)program);
    file = fopen(path, "r");
    if (file == NULL)
        return false;
    good = fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                  &system) == 2;
    fclose(file);
    *ticks = user + system;
    snprintf(path, sizeof path, "/proc/%d/status", (int)program);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "voluntary_ctxt_switches: %lu", sleeps) == 1)
            break;
    if (file == NULL || fclose(file) != 0)
        return false;
    return good;
}

TEST(idles)
{
    struct pty *pty = pty_open(&usual);
    unsigned long ticks[2], sleeps[2];

    if (pty == NULL)
        return;
    CHECK(pty_is_headless(pty, &usual, ""));
    CHECK(usage(pty_program(pty), &ticks[0], &sleeps[0]));
    pty_settle(pty, 1000);
    CHECK(usage(pty_program(pty), &ticks[1], &sleeps[1]));
    CHECK_INT(ticks[1] - ticks[0], 0);
    CHECK_INT(sleeps[1] - sleeps[0], 0);
    pty_close(pty);
}

TEST(survives_resizing)
{
    static const int sizes[][2] = {{1, 1},   {100, 300}, {16, 60}, {15, 59}, {2, 300},
                                   {100, 2}, {24, 80},   {1, 300}, {100, 1}, {36, 120}};
    struct pty_options options = usual;
    struct pty *pty = pty_open_shown(&usual);
    unsigned int seed = 1;

    if (pty == NULL)
        return;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245 + 12345;
        pty_resize(pty, (int)(seed >> 8) % 100 + 1, (int)(seed >> 16) % 300 + 1);
        if (i % 3 == 0)
            pty_settle(pty, 2);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        options.rows = sizes[i][0];
        options.columns = sizes[i][1];
        pty_resize(pty, options.rows, options.columns);
        if (!CHECK_TRUE(pty_is_headless(pty, &options, ""), "%dx%d", options.columns, options.rows))
            break;
    }
    pty_type(pty, "q");
    CHECK(pty_ends_by(pty, 0) && pty_gives_back(pty));
    pty_close(pty);
}

static bool holds(FILE *environment, const char *text)
{
    char *variable = NULL;
    size_t capacity = 0;
    bool found = false;

    while (!found && getdelim(&variable, &capacity, '\0', environment) > 0)
        found = strstr(variable, text) != NULL;
    free(variable);
    return found;
}

/* Processes of this user whose environment holds `text`. */
static int processes_with(const char *text)
{
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char path[300];
        FILE *file;

        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%.200s/environ", entry->d_name);
        file = fopen(path, "r");
        if (file == NULL)
            continue;
        count += holds(file, text);
        fclose(file);
    }
    if (directory != NULL)
        closedir(directory);
    return count;
}

static bool two_have(struct pty *pty, const void *text)
{
    (void)pty;
    return processes_with(text) >= 2;
}

static bool none_has(struct pty *pty, const void *text)
{
    (void)pty;
    return processes_with(text) == 0;
}

static bool calibrates(struct pty *pty, const void *data)
{
    const char *screen = pty_screen(pty);

    (void)data;
    return strstr(screen, "calibrated; u takes it back") != NULL ||
           strstr(screen, "the design is not calibrated: ") != NULL;
}

/* The program itself in the place of that of tests/keys/machine.keys. What it measures may be more
 * than the model can explain, which is refused with both figures. */
TEST(a_run_calibrates_its_design)
{
    struct pty_options options = usual;
    char *directory = pty_directory();
    char config[4096], file[4096], words[16384];
    struct pty *pty;

    /* a preset of this machine, in whose place a run puts none */
    snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s", directory);
    snprintf(file, sizeof file, "%s/run.ini", directory);
    snprintf(words, sizeof words,
             "%s \"$AOLAG\" probe memory --quick --largest 64KiB --save here >/dev/null 2>&1 &&"
             "sed 's/^cores = 1/preset = here\\n&/; s/^frame_rate = .*/frame_rate = 2 kHz/' "
             "\"$TESTDATA/run.ini\" >%s",
             config, file);
    if (!CHECK_INT(system(words), 0))
        return;
    options.environment = config;
    options.file = file;
    pty = pty_open_shown(&options);
    if (pty == NULL)
        return;
    pty_type(pty, "7e");
    CHECK(pty_shows(pty, "the design has run; c calibrates it with that"));
    pty_type(pty, "c");
    if (CHECK(pty_wait(pty, calibrates, NULL, "the calibration"))) {
        const bool taken = strstr(pty_screen(pty), "calibrated; u") != NULL;

        CHECK_TRUE(taken || strstr(pty_screen(pty), " measured, ") != NULL, "%s",
                   strstr(pty_screen(pty), "the design is not"));
        pty_type(pty, ":uncalibrate\r");
        CHECK(pty_shows(pty, taken ? "calibration removed" : "the design has no calibration"));
    }
    pty_close(pty);
    free(directory);
}

TEST(a_run_stops_when_asked)
{
    struct pty_options options = usual;
    struct pty *pty;

    options.file = "ciao";
    pty = pty_open_shown(&options);
    if (pty == NULL)
        return;
    pty_type(pty, ":set scenario.frame_rate=1Hz\r7e");
    CHECK(pty_shows(pty, "running the design; e stops"));
    pty_type(pty, "e");
    CHECK(pty_shows(pty, " stopped"));
    pty_type(pty, "c");
    CHECK(pty_shows(pty, "the design was not run yet; e runs it"));
    pty_close(pty);
}

/* Leaving while the machine is measured, or the design is run, ends what does that, and leaves no
 * process behind. */
TEST(measuring_ends_with_it)
{
    static const int ends[] = {0, SIGTERM, SIGKILL, SIGTERM};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const bool runs = i == 3;
        struct pty_options options = usual;
        char *state = pty_directory();
        struct pty *pty;
        int status;

        options.state = state;
        if (runs)
            options.file = "ciao";
        pty = pty_open(&options);
        if (pty != NULL) {
            /* fifty frames at this rate take long */
            pty_type(pty, runs ? ":set scenario.frame_rate=1Hz\r7e" : "7r");
            CHECK(pty_shows(pty, runs ? "running the design" : "measuring"));
            /* A process that just begins may not show its environment yet. */
            CHECK_TRUE(pty_wait(pty, two_have, state, "a process that measures"),
                       "end %zu", i);
            if (ends[i] == 0)
                pty_type(pty, "q");
            else
                kill(pty_program(pty), ends[i]);
            CHECK(pty_ends(pty, &status));
            CHECK_TRUE(pty_wait(pty, none_has, state, "its processes to end"),
                       "end %zu: %d processes are left", i, processes_with(state));
            pty_close(pty);
        }
        free(state);
    }
}
