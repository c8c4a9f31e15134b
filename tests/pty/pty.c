#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emulator.h"

#define ASK 10      /* ms, between questions while nothing comes */
#define MARK '\xFF' /* in no text, neither in UTF-8 nor in ASCII */
#define SCREEN_BYTES_MAX (1 << 20)

/* The environment of the program --------------------------------------------------------------- */

char *pty_directory(void)
{
    const char *parent = getenv("TMPDIR");
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/pty.XXXXXX", parent != NULL ? parent : "/tmp");
    return strdup(mkdtemp(path) != NULL ? path : "/nonexistent");
}

/* "NAME=VALUE" */
static void set_variable(const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    setenv(name, equals + 1, 1);
}

static void environment_set(const struct pty_options *options)
{
    char *directory = pty_directory();
    char used[PATH_MAX];

    /* not the first start, which says so */
    snprintf(used, sizeof used, "%s/aolag", directory);
    mkdir(used, 0700);
    if (options->term == NULL)
        unsetenv("TERM");
    else
        setenv("TERM", options->term, 1);
    setenv("XDG_CONFIG_HOME", directory, 1);
    setenv("XDG_STATE_HOME", options->state != NULL ? options->state : directory, 1);
    free(directory);
    /* The program is to die of its own accord: a sanitizer would report and exit instead. */
    setenv(
        "ASAN_OPTIONS",
        "exitcode=99:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0",
        1);
    if (options->environment != NULL)
        set_variable(options->environment);
}

/* The shell between a test and the program ----------------------------------------------------- */

struct shell_report {
    pid_t program;
    int status; /* of waitpid; 0xffff: it has started */
};

#define SHELL_STARTED 0xffff

/* Commands: `fg` and `bg`. */
enum { SHELL_FRONT = 'f', SHELL_BACK = 'b' };

static void report(int reports, pid_t program, int status)
{
    const struct shell_report report = {program, status};

    if (write(reports, &report, sizeof report) != (ssize_t)sizeof report)
        _exit(1);
}

static void to_front(pid_t group)
{
    tcsetpgrp(STDIN_FILENO, group);
}

/* Whatever the caller ignored or blocked: what is started with & from a script ignores SIGINT and
 * SIGQUIT. */
static void let_signals_in(void)
{
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A job of its own, in front before it runs. */
static pid_t start(char *const *arguments)
{
    pid_t program = fork();

    if (program == 0) {
        setpgid(0, 0);
        to_front(getpid());
        let_signals_in();
        execv(arguments[0], arguments);
        _exit(127);
    }
    return program;
}

/* Runs in a child that leads a session with the terminal as its standard input: starts `arguments`
 * as a foreground job, writes a report of every change to `reports`, and continues the job as each
 * byte from `commands` says. Ends the job at the end of `commands`. */
static _Noreturn void shell_run(char *const *arguments, int reports, int commands)
{
    pid_t program;
    int status;
    bool alive = true;
    char byte;

    /* A shell sets the terminal's foreground from the background, and its terminal's end is the
     * test's business. */
    signal(SIGTTOU, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    program = start(arguments);
    report(reports, program, SHELL_STARTED);
    while (alive && waitpid(program, &status, WUNTRACED) == program) {
        alive = WIFSTOPPED(status);
        to_front(getpid());
        report(reports, program, status);
        if (alive && read(commands, &byte, 1) == 1) {
            if (byte == SHELL_FRONT)
                to_front(program);
            kill(-program, SIGCONT);
        } else if (alive) {
            kill(-program, SIGKILL);
        }
    }
    while (read(commands, &byte, 1) > 0)
        continue;
    _exit(0);
}

/* The terminal --------------------------------------------------------------------------------- */

struct pty {
    int master, slave; /* ours keeps the terminal when the program is gone */
    int marks;         /* the slave again: a write there never blocks */
    int reports, commands;
    pid_t shell, program;
    bool stopped, ended;
    bool marked; /* the mark has come */
    bool held;   /* the terminal takes nothing in */
    int status;
    struct emulator emulator;
    struct termios modes_before;
    char *bytes;
    size_t count, capacity;
};

/* Unusual modes, so that restored modes cannot be mistaken for defaults. */
static void set_odd_modes(struct pty *pty)
{
    tcgetattr(pty->slave, &pty->modes_before);
    pty->modes_before.c_cc[VERASE] = 'H' & 0x1f;
    pty->modes_before.c_cc[VQUIT] = 'P' & 0x1f;
    pty->modes_before.c_lflag &= ~(tcflag_t)ECHOCTL;
    pty->modes_before.c_iflag |= IXANY;
    tcsetattr(pty->slave, TCSANOW, &pty->modes_before);
    tcgetattr(pty->slave, &pty->modes_before);
}

static bool open_terminal(struct pty *pty, int rows, int columns)
{
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

    pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (pty->master < 0 || grantpt(pty->master) != 0 || unlockpt(pty->master) != 0)
        return false;
    pty->slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    pty->marks = open(ptsname(pty->master), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (pty->slave < 0 || pty->marks < 0 || ioctl(pty->slave, TIOCSWINSZ, &size) != 0)
        return false;
    set_odd_modes(pty);
    return true;
}

static _Noreturn void be_shell(const struct pty *pty, const struct pty_options *options,
                               const char *path, int reports, int commands)
{
    char *const arguments[] = {(char *)path, (char *)options->file, NULL};
    const struct rlimit no_core = {0, 0};

    setsid();
    ioctl(pty->slave, TIOCSCTTY, 0);
    for (int fd = 0; fd < 3; fd++)
        dup2(pty->slave, fd);
    close(pty->master);
    close(pty->slave);
    environment_set(options);
    setrlimit(RLIMIT_CORE, &no_core);
    shell_run(arguments, reports, commands);
}

static bool start_shell(struct pty *pty, const struct pty_options *options)
{
    const char *path = getenv("AOLAG");
    int reports[2], commands[2];

    if (path == NULL || pipe2(reports, O_CLOEXEC) != 0 || pipe2(commands, O_CLOEXEC) != 0)
        return false;
    pty->reports = reports[0];
    pty->commands = commands[1];
    pty->shell = fork();
    if (pty->shell == 0) {
        close(reports[0]);
        close(commands[1]);
        be_shell(pty, options, path, reports[1], commands[0]);
    }
    close(reports[1]);
    close(commands[0]);
    return pty->shell > 0;
}

/* It has drawn, so it has the terminal as it wants it, or it has ended at once. What is typed
 * earlier passes through the line discipline of the shell. */
static bool started(struct pty *pty, const void *data)
{
    const char *screen = pty_screen(pty);

    (void)data;
    return pty->program > 0 && (pty->ended || screen[strspn(screen, " \n")] != '\0');
}

static bool type_ahead(const struct pty *pty, const char *text)
{
    return text == NULL || write(pty->master, text, strlen(text)) == (ssize_t)strlen(text);
}

struct pty *pty_open(const struct pty_options *options)
{
    struct pty *pty = calloc(1, sizeof *pty);

    if (pty == NULL)
        abort();
    pty->master = pty->slave = pty->marks = pty->reports = pty->commands = -1;
    if (CHECK(emulator_open(&pty->emulator, options->rows, options->columns)) &&
        CHECK(open_terminal(pty, options->rows, options->columns)) &&
        CHECK(type_ahead(pty, options->typed)) && CHECK(start_shell(pty, options)) &&
        CHECK(pty_wait(pty, started, NULL, "the program's start")))
        return pty;
    pty_close(pty);
    return NULL;
}

struct pty *pty_open_shown(const struct pty_options *options)
{
    struct pty *pty = pty_open(options);

    if (pty != NULL)
        CHECK(pty_shows(pty, "[1 Design]"));
    return pty;
}

struct pty *pty_open_ready(const struct pty_options *options)
{
    struct pty *pty = pty_open(options);

    if (pty != NULL)
        CHECK(pty_is_headless(pty, options, ""));
    return pty;
}

void pty_close(struct pty *pty)
{
    if (pty == NULL)
        return;
    if (pty->program > 0 && !pty->ended)
        kill(pty->program, SIGKILL);
    if (pty->commands >= 0)
        close(pty->commands);
    if (pty->shell > 0)
        waitpid(pty->shell, NULL, 0);
    if (pty->reports >= 0)
        close(pty->reports);
    if (pty->slave >= 0)
        close(pty->slave);
    if (pty->marks >= 0)
        close(pty->marks);
    if (pty->master >= 0)
        close(pty->master);
    emulator_close(&pty->emulator);
    free(pty->bytes);
    free(pty);
}

pid_t pty_program(const struct pty *pty)
{
    return pty->program;
}

/* Takes the mark out; returns how many bytes are left. */
static ssize_t without_mark(struct pty *pty, char *bytes, ssize_t count)
{
    char *mark = memchr(bytes, MARK, (size_t)count);

    if (mark == NULL)
        return count;
    pty->marked = true;
    memmove(mark, mark + 1, (size_t)(bytes + count - mark - 1));
    return count - 1;
}

static void take_output(struct pty *pty, size_t most)
{
    char bytes[4096];
    ssize_t count = read(pty->master, bytes, most < sizeof bytes ? most : sizeof bytes);

    if (count > 0)
        count = without_mark(pty, bytes, count);
    if (count <= 0)
        return;
    if (pty->count + (size_t)count > pty->capacity) {
        pty->capacity = 2 * (pty->count + (size_t)count);
        pty->bytes = realloc(pty->bytes, pty->capacity);
        if (pty->bytes == NULL)
            abort();
    }
    memcpy(pty->bytes + pty->count, bytes, (size_t)count);
    pty->count += (size_t)count;
    emulator_write(&pty->emulator, bytes, (size_t)count);
}

static void take_report(struct pty *pty)
{
    struct shell_report report;

    if (read(pty->reports, &report, sizeof report) != (ssize_t)sizeof report)
        return;
    pty->program = report.program;
    pty->status = report.status;
    if (report.status == SHELL_STARTED)
        return;
    pty->stopped = WIFSTOPPED(report.status);
    pty->ended = !pty->stopped;
}

/* Takes in what comes first within `milliseconds`; false: nothing did. */
static bool take(struct pty *pty, int milliseconds)
{
    struct pollfd sources[] = {{.fd = pty->held ? -1 : pty->master, .events = POLLIN},
                               {.fd = pty->reports, .events = POLLIN}};

    while (poll(sources, 2, milliseconds) < 0)
        if (errno != EINTR)
            return false;
    if ((sources[0].revents & POLLIN) != 0)
        take_output(pty, SIZE_MAX);
    else if ((sources[1].revents & POLLIN) != 0)
        take_report(pty);
    else
        return false;
    return true;
}

long pty_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void print_screen(const char *title, const char *line)
{
    printf("# %s\n", title);
    while (*line != '\0') {
        int length = (int)strcspn(line, "\n");

        printf("#   |%.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

bool pty_wait(struct pty *pty, bool (*holds)(struct pty *pty, const void *data), const void *data,
              const char *what)
{
    long deadline = pty_now() + check_patience();

    while (!holds(pty, data)) {
        bool late = pty_now() >= deadline;

        if (!take(pty, late ? 0 : ASK) && late) {
            check_waited_in_vain();
            printf("# waited in vain for %s\n", what);
            print_screen("the screen is", pty_screen(pty));
            return false;
        }
    }
    return true;
}

void pty_settle(struct pty *pty, int milliseconds)
{
    while (take(pty, milliseconds))
        continue;
}

static bool mark_is_written(struct pty *pty, const void *data)
{
    const char mark = MARK;

    (void)data;
    return write(pty->marks, &mark, 1) == 1;
}

static bool is_marked(struct pty *pty, const void *data)
{
    (void)data;
    return pty->marked;
}

/* Takes in all that was written until now: what is written to a terminal arrives some time later,
 * and a mark that is written after it arrives after it. A terminal that is full has room again when
 * some of it is taken in, for which the mark must not wait. */
static bool catch_up(struct pty *pty)
{
    if (pty->slave < 0)
        return true;
    pty->marked = false;
    return pty_wait(pty, mark_is_written, NULL, "room in the terminal") &&
           pty_wait(pty, is_marked, NULL, "what was written");
}

/* What the system says the program does, S where it sleeps. */
static char state(pid_t program)
{
    char path[64];
    char letter = '\0';
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)program);
    file = fopen(path, "r");
    if (file == NULL)
        return letter;
    if (fscanf(file, "%*d (%*[^)]) %c", &letter) != 1)
        letter = '\0';
    fclose(file);
    return letter;
}

static bool sleeps(struct pty *pty, const void *data)
{
    (void)data;
    return state(pty->program) == 'S';
}

/* A program that sleeps because it waits for room in the terminal goes on when some of what it
 * wrote is taken in. */
bool pty_rests(struct pty *pty)
{
    size_t before;

    do {
        before = pty->count;
        if (!pty_wait(pty, sleeps, NULL, "the program to sleep") || !catch_up(pty))
            return false;
    } while (pty->count != before || !sleeps(pty, NULL));
    return true;
}

/* Lets the program, which is traced, run to its next stop; false: it ended. */
static bool trace_on(pid_t program)
{
    int status;

    return ptrace(PTRACE_SYSCALL, program, NULL, NULL) == 0 &&
           waitpid(program, &status, __WALL) == program && WIFSTOPPED(status);
}

/* Returns how many bytes the call that the program stopped at is to write to the terminal. */
static size_t traced_write(const struct pty *pty)
{
    struct __ptrace_syscall_info call = {0};
    char path[64], name[64] = "";

    if (ptrace(PTRACE_GET_SYSCALL_INFO, pty->program, (void *)sizeof call, &call) <= 0 ||
        call.op != PTRACE_SYSCALL_INFO_ENTRY || call.entry.nr != SYS_write)
        return 0;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pty->program, (int)call.entry.args[0]);
    return readlink(path, name, sizeof name - 1) > 0 && strcmp(name, ptsname(pty->master)) == 0
               ? call.entry.args[2]
               : 0;
}

size_t pty_first_write(struct pty *pty, const char *text)
{
    size_t count = 0;
    int status;

    if (!CHECK(ptrace(PTRACE_SEIZE, pty->program, NULL, PTRACE_O_TRACESYSGOOD) == 0 &&
               ptrace(PTRACE_INTERRUPT, pty->program, NULL, NULL) == 0 &&
               waitpid(pty->program, &status, __WALL) == pty->program))
        return 0;
    pty_type(pty, text);
    while (count == 0 && trace_on(pty->program))
        count = traced_write(pty);
    ptrace(PTRACE_DETACH, pty->program, NULL, NULL);
    return count;
}

void pty_hold(struct pty *pty, bool hold)
{
    pty->held = hold;
}

bool pty_take(struct pty *pty, size_t most)
{
    struct pollfd source = {.fd = pty->master, .events = POLLIN};
    bool comes = CHECK(check_poll(&source, 1));

    if (comes)
        take_output(pty, most);
    return comes;
}

void pty_send(struct pty *pty, const char *bytes, size_t count)
{
    CHECK(write(pty->master, bytes, count) == (ssize_t)count);
}

void pty_type(struct pty *pty, const char *text)
{
    pty_send(pty, text, strlen(text));
}

void pty_resize(struct pty *pty, int rows, int columns)
{
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

    emulator_resize(&pty->emulator, rows, columns);
    CHECK(ioctl(pty->master, TIOCSWINSZ, &size) == 0);
}

void pty_hang_up(struct pty *pty)
{
    close(pty->master);
    close(pty->slave);
    close(pty->marks);
    pty->master = pty->slave = pty->marks = -1;
}

void pty_continue(struct pty *pty, bool front)
{
    const char command = front ? SHELL_FRONT : SHELL_BACK;

    pty->stopped = false;
    CHECK(write(pty->commands, &command, 1) == 1);
}

const char *pty_screen(struct pty *pty)
{
    return emulator_text(&pty->emulator);
}

const char *pty_cursor_line(struct pty *pty)
{
    return emulator_cursor_line(&pty->emulator);
}

bool pty_alternate(const struct pty *pty)
{
    return pty->emulator.alternate;
}

bool pty_cursor_visible(const struct pty *pty)
{
    return pty->emulator.cursor_visible;
}

bool pty_mouse(const struct pty *pty)
{
    return pty->emulator.mouse != VTERM_PROP_MOUSE_NONE;
}

const char *pty_bytes(const struct pty *pty, size_t *count)
{
    *count = pty->count;
    return pty->bytes;
}

struct termios pty_modes(const struct pty *pty)
{
    struct termios modes = {0};

    CHECK(tcgetattr(pty->slave, &modes) == 0);
    return modes;
}

static bool modes_restored(const struct pty *pty)
{
    const struct termios *before = &pty->modes_before;
    const struct termios modes = pty_modes(pty);

    return modes.c_iflag == before->c_iflag && modes.c_oflag == before->c_oflag &&
           modes.c_cflag == before->c_cflag && modes.c_lflag == before->c_lflag &&
           memcmp(modes.c_cc, before->c_cc, sizeof modes.c_cc) == 0;
}

static bool text_is_there(struct pty *pty, const void *data)
{
    return strstr(pty_screen(pty), data) != NULL;
}

bool pty_shows(struct pty *pty, const char *text)
{
    return pty_wait(pty, text_is_there, text, text);
}

static bool screen_equals(struct pty *pty, const void *data)
{
    return strcmp(pty_screen(pty), data) == 0;
}

bool pty_is(struct pty *pty, const char *screen)
{
    if (pty_wait(pty, screen_equals, screen, "a whole screen"))
        return pty_rests(pty);
    print_screen("expected is", screen);
    return false;
}

static bool has_stopped(struct pty *pty, const void *data)
{
    (void)data;
    return pty->stopped;
}

bool pty_stops(struct pty *pty)
{
    if (!pty_wait(pty, has_stopped, NULL, "the program to stop"))
        return false;
    pty->held = false;
    return catch_up(pty);
}

static bool has_ended(struct pty *pty, const void *data)
{
    (void)data;
    return pty->ended;
}

bool pty_ends(struct pty *pty, int *status)
{
    *status = -1;
    if (!pty_wait(pty, has_ended, NULL, "the program to end"))
        return false;
    *status = pty->status;
    pty->held = false;
    return catch_up(pty);
}

bool pty_ends_by(struct pty *pty, int signal)
{
    int status;

    return CHECK(pty_ends(pty, &status)) &&
           CHECK_TRUE(signal == 0 ? status == 0 : WIFSIGNALED(status) && WTERMSIG(status) == signal,
                      "the status is 0x%x", (unsigned)status);
}

static bool has_written(struct pty *pty, const void *data)
{
    return pty->count > *(const size_t *)data;
}

bool pty_writes(struct pty *pty, size_t count)
{
    return pty_wait(pty, has_written, &count, "the program to write");
}

static bool is_given_back(struct pty *pty, const void *data)
{
    (void)data;
    return modes_restored(pty) && !pty_alternate(pty) && !pty_mouse(pty) && pty_cursor_visible(pty);
}

bool pty_gives_back(struct pty *pty)
{
    if (pty_wait(pty, is_given_back, NULL, "the terminal to be given back"))
        return true;
    printf("# modes %s, %s screen, mouse %s, cursor %s\n",
           modes_restored(pty) ? "restored" : "not restored",
           pty_alternate(pty) ? "alternate" : "main", pty_mouse(pty) ? "on" : "off",
           pty_cursor_visible(pty) ? "on" : "off");
    return false;
}

/* Without a terminal --------------------------------------------------------------------------- */

static _Noreturn void be_headless(const struct pty_options *options, FILE *words, FILE *out)
{
    char size[32];
    const char *program = getenv("AOLAG");
    char *arguments[] = {(char *)program,       "screen", "--size", size, "--keys", "-",
                         (char *)options->file, NULL};

    snprintf(size, sizeof size, "%dx%d", options->columns, options->rows);
    environment_set(options);
    dup2(fileno(words), STDIN_FILENO);
    dup2(fileno(out), STDOUT_FILENO);
    execv(program, arguments);
    _exit(127);
}

/* The rows after the last ruler that names a size. */
static char *last_screen(char *printed, int rows)
{
    char *start = printed;
    char *end;

    for (char *at = strstr(printed, "\n--- "); at != NULL; at = strstr(at + 1, "\n--- "))
        start = at + 1;
    start += strcspn(start, "\n");
    start += *start == '\n';
    end = start;
    for (int row = 0; row < rows; row++) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    *end = '\0';
    return strdup(start);
}

static char *make_headless(const struct pty_options *options, const char *words)
{
    FILE *in = tmpfile();
    FILE *out = tmpfile();
    char *printed = calloc(1, SCREEN_BYTES_MAX);
    char *screen;
    pid_t child;
    int status = -1;

    if (!CHECK(in != NULL && out != NULL && printed != NULL))
        abort();
    /* What threads find after the start decides which rows there are. */
    fprintf(in, "wait\n%s", words);
    rewind(in);
    child = fork();
    if (child == 0)
        be_headless(options, in, out);
    waitpid(child, &status, 0);
    CHECK_INT(status, 0);
    rewind(out);
    CHECK(fread(printed, 1, SCREEN_BYTES_MAX - 1, out) > 0);
    screen = last_screen(printed, options->rows);
    free(printed);
    fclose(in);
    fclose(out);
    return screen;
}

/* A screen that was made: the same words give it again, whatever the terminal; `file` is a preset.
 */
struct made {
    int rows, columns;
    const char *file;
    char *words, *screen;
    struct made *next;
};

static struct made *made;

static struct made *find_made(const struct pty_options *options, const char *words)
{
    struct made *at = made;

    while (at != NULL && (at->rows != options->rows || at->columns != options->columns ||
                          at->file != options->file || strcmp(at->words, words) != 0))
        at = at->next;
    return at;
}

char *pty_headless(const struct pty_options *options, const char *words)
{
    struct made *known;

    if (options->environment != NULL || options->state != NULL ||
        (options->file != NULL && strchr(options->file, '/') != NULL))
        return make_headless(options, words);
    known = find_made(options, words);
    if (known == NULL) {
        known = calloc(1, sizeof *known);
        if (known == NULL)
            abort();
        *known = (struct made){options->rows,
                               options->columns,
                               options->file,
                               strdup(words),
                               make_headless(options, words),
                               made};
        made = known;
    }
    return strdup(known->screen);
}

bool pty_is_headless(struct pty *pty, const struct pty_options *options, const char *words)
{
    char *expected = pty_headless(options, words);
    bool good = pty_is(pty, expected);

    free(expected);
    return good;
}
