#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { WORDS_MAX = 16, SECONDS_MAX = 600, STREAMS = 2, NOBODY = 65534 };

void stop(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(99);
}

static void *need(void *memory)
{
    if (memory == NULL)
        stop("memory");
    return memory;
}

/* Running -------------------------------------------------------------------------------------- */

static char folder[4096]; /* of files_enter */

static void set_number(const char *name, unsigned long number)
{
    char text[24];

    snprintf(text, sizeof text, "%lu", number);
    setenv(name, text, 1);
}

static void set_fault(const struct start *start)
{
    const char *library = getenv("STARVE");

    if (library == NULL || library[0] == '\0')
        return;
    if (start->refusal.of != NULL)
        setenv("STARVE_OF", start->refusal.of, 1);
    set_number("STARVE_AT", start->refusal.at);
    set_number("STARVE_ON", start->refusal.on);
    set_number("STARVE_ERRNO", (unsigned long)start->refusal.reason);
    if (start->refusal.how != NULL)
        setenv("STARVE_HOW", start->refusal.how, 1);
    if (start->counts != NULL)
        setenv("STARVE_COUNT", start->counts, 1);
    if (start->inside)
        setenv("STARVE_WITHIN", folder, 1);
    if (start->refusal.of != NULL || start->counts != NULL || start->inside)
        setenv("LD_PRELOAD", library, 1);
}

/* Returns the path that a word $TMPDIR/NAME, of a file that the campaign made, or $TESTDATA/NAME
 * means, else the word itself. */
static char *find_path(char *word, char path[PATH_MAX])
{
    static const char *const folders[] = {"TMPDIR", "TESTDATA"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);

        if (word[0] != '$' || strncmp(word + 1, folders[i], length) != 0 || word[1 + length] != '/')
            continue;
        snprintf(path, PATH_MAX, "%s%s", getenv(folders[i]), word + 1 + length);
        return path;
    }
    return word;
}

__attribute__((noreturn)) static void become_program(const struct start *start)
{
    static char made[WORDS_MAX * PATH_MAX];
    char words[LINE_BYTES];
    char *argv[WORDS_MAX + 1] = {getenv("AOLAG")};
    int argc = 1;

    snprintf(words, sizeof words, "%s", start->line);
    for (char *word = strtok(words, " "); word != NULL && argc < WORDS_MAX;
         word = strtok(NULL, " "), argc++)
        argv[argc] = find_path(word, &made[argc * PATH_MAX]);
    if (start->limit >= 0)
        unsetenv("LD_PRELOAD"); /* a clock of the tests, which would count as a file and as memory */
    set_fault(start);
    /* a limit of processes does not concern root */
    if (start->limit == RLIMIT_NPROC && geteuid() == 0 &&
        (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        _exit(99);
    if (start->limit >= 0) {
        const struct rlimit limit = {.rlim_cur = start->most, .rlim_max = start->most};

        setrlimit((__rlimit_resource_t)start->limit, &limit);
    }
    execv(argv[0], argv);
    _exit(99);
}

static pid_t start_with_pipes(const struct start *start, struct pollfd streams[STREAMS])
{
    int ends[STREAMS][2];
    pid_t child;

    for (int s = 0; s < STREAMS; s++) {
        if (pipe2(ends[s], O_CLOEXEC) != 0)
            stop("pipe2");
        streams[s] = (struct pollfd){.fd = ends[s][0], .events = POLLIN};
    }
    fflush(stdout);
    child = fork();
    if (child < 0)
        stop("fork");
    if (child == 0) {
        dup2(ends[0][1], STDOUT_FILENO);
        dup2(ends[1][1], STDERR_FILENO);
        become_program(start);
    }
    for (int s = 0; s < STREAMS; s++)
        close(ends[s][1]);
    return child;
}

/* `before`: the modes that the program finds. */
static pid_t start_with_terminal(const struct start *start, struct pollfd streams[STREAMS],
                                 struct termios *before)
{
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    pid_t child;

    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        stop("terminal");
    ioctl(master, TIOCSWINSZ, &size);
    /* on a busy machine the program may have set its own before this process runs again */
    if (tcgetattr(master, before) != 0)
        stop("tcgetattr");
    streams[0] = (struct pollfd){.fd = master, .events = POLLIN};
    streams[1] = (struct pollfd){.fd = -1};
    fflush(stdout);
    child = fork();
    if (child < 0)
        stop("fork");
    if (child == 0) {
        int slave;

        setsid();
        slave = open(ptsname(master), O_RDWR);
        if (slave < 0)
            _exit(99);
        ioctl(slave, TIOCSCTTY, 0);
        for (int file = 0; file <= STDERR_FILENO; file++)
            dup2(slave, file);
        if (slave > STDERR_FILENO)
            close(slave);
        become_program(start);
    }
    return child;
}

/* Appends what is there; returns false at the end, which a terminal reports as EIO. */
static bool read_stream(int file, char **text, size_t *length)
{
    char bytes[4096];
    ssize_t got = read(file, bytes, sizeof bytes);

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (got <= 0)
        return false;
    *text = need(realloc(*text, *length + (size_t)got + 1));
    memcpy(*text + *length, bytes, (size_t)got);
    *length += (size_t)got;
    (*text)[*length] = '\0';
    return true;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Types what is due; returns what is to come. */
static const struct typed *type_keys(const struct typed *typed, int file, pid_t child,
                                     const struct outcome *outcome, size_t *seen)
{
    while (typed != NULL && typed->after != NULL) {
        const char *at = memmem(outcome->out + *seen, outcome->out_length - *seen, typed->after,
                                strlen(typed->after));

        if (at == NULL)
            break;
        *seen = (size_t)(at - outcome->out);
        if (typed->keys == NULL)
            kill(child, typed->signal);
        else if (write(file, typed->keys, strlen(typed->keys)) < 0)
            break;
        typed++;
    }
    return typed;
}

static bool same_modes(int file, const struct termios *before)
{
    struct termios after;

    return tcgetattr(file, &after) == 0 && after.c_iflag == before->c_iflag &&
           after.c_oflag == before->c_oflag && after.c_lflag == before->c_lflag &&
           after.c_cflag == before->c_cflag;
}

/* The place after the last occurrence of a sequence; 0: there is none. */
static size_t after_last(const struct outcome *outcome, const char *sequence)
{
    size_t length = strlen(sequence);

    for (size_t at = outcome->out_length; at >= length; at--)
        if (memcmp(outcome->out + at - length, sequence, length) == 0)
            return at;
    return 0;
}

struct outcome program_run(const struct start *start)
{
    struct outcome outcome = {.out = need(calloc(1, 1)), .err = need(calloc(1, 1))};
    struct pollfd streams[STREAMS];
    const struct typed *typed = start->typed;
    bool terminal = typed != NULL;
    struct termios before = {0};
    pid_t child =
        terminal ? start_with_terminal(start, streams, &before) : start_with_pipes(start, streams);
    double end = seconds_now() + SECONDS_MAX;
    size_t seen = 0;
    int open = terminal ? 1 : STREAMS;

    while (open > 0) {
        poll(streams, STREAMS, 1000);
        if (!outcome.hangs && seconds_now() > end) {
            outcome.hangs = true;
            kill(child, SIGKILL);
        }
        for (int s = 0; s < STREAMS; s++) {
            if (streams[s].revents == 0 ||
                read_stream(streams[s].fd, s == 0 ? &outcome.out : &outcome.err,
                            s == 0 ? &outcome.out_length : &outcome.err_length))
                continue;
            if (!terminal)
                close(streams[s].fd);
            streams[s].fd = -streams[s].fd - 1; /* poll leaves it out */
            open--;
        }
        if (terminal && open > 0)
            typed = type_keys(typed, streams[0].fd, child, &outcome, &seen);
    }
    while (waitpid(child, &outcome.status, 0) < 0)
        if (errno != EINTR)
            stop("waitpid");
    if (terminal) {
        int master = -streams[0].fd - 1;

        outcome.terminal_back =
            same_modes(master, &before) &&
            after_last(&outcome, "\033[?1049l") >= after_last(&outcome, "\033[?1049h");
        close(master);
    }
    return outcome;
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
    *outcome = (struct outcome){0};
}

unsigned long program_count(const char *counts, const char *of)
{
    FILE *file = fopen(counts, "r");
    unsigned long number, count = 0;
    char name[32];

    while (file != NULL && fscanf(file, "%31s %lu", name, &number) == 2)
        if (strcmp(name, of) == 0)
            count = number;
    if (file != NULL)
        fclose(file);
    return count;
}

bool is_sentence(const char *text, size_t length)
{
    return length > 1 && text[length - 1] == '\n';
}

bool ran_out_of_memory(const struct outcome *outcome)
{
    static const char sentence[] = "aolag: out of memory\n";
    size_t length = sizeof sentence - 1;

    return WIFEXITED(outcome->status) && WEXITSTATUS(outcome->status) == 1 &&
           outcome->err_length >= length &&
           strcmp(outcome->err + outcome->err_length - length, sentence) == 0;
}

/* The line "  NAME  What it does" of a command; "  NAME  what" is an option. */
const char *program_command(int number)
{
    static char name[32];
    struct outcome help = program_run(&(struct start){.line = "help", .limit = -1});
    int found = 0;
    char *rest;

    for (char *line = strtok_r(help.out, "\n", &rest); line != NULL && found <= number;
         line = strtok_r(NULL, "\n", &rest))
        found += strncmp(line, "  ", 2) == 0 && sscanf(line + 2, "%31[a-z]", name) == 1;
    if (help.out_length == 0)
        stop("aolag help");
    outcome_free(&help);
    return found > number ? name : NULL;
}

/* Order and time ------------------------------------------------------------------------------- */

unsigned long spread(unsigned long i, unsigned long count)
{
    unsigned long stride = (unsigned long)(0.618 * (double)count) | 1;

    for (unsigned long a = count, b = stride;;) {
        unsigned long rest = a % b;

        if (b == 1)
            return 1 + (i % count) * stride % count;
        if (rest != 0) {
            a = b;
            b = rest;
            continue;
        }
        /* no common divisor but 1 may remain, or some places are never reached */
        stride++;
        a = count;
        b = stride;
    }
}

static double budget_end, share_end;
static unsigned shares_left;

void budget_start(unsigned long seconds, unsigned shares)
{
    budget_end = seconds == 0 ? 0 : seconds_now() + (double)seconds;
    shares_left = shares;
}

void budget_share(void)
{
    double now = seconds_now();

    share_end = now + (budget_end - now) / (shares_left > 0 ? shares_left : 1);
    shares_left -= shares_left > 0;
}

bool budget_share_spent(void)
{
    double now = seconds_now();

    return budget_end > 0 && (now >= share_end || now >= budget_end);
}

void tally_case(struct tally *tally, unsigned long tried, unsigned long bad, const char *format,
                ...)
{
    va_list list;

    printf("%sok %u - ", bad > 0 ? "not " : "", ++tally->cases);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    puts(tried > 0 ? "" : " # SKIP no time is left for it");
    tally->failures += bad > 0;
    tally->skipped += tried == 0;
}

/* Files ---------------------------------------------------------------------------------------- */

void files_enter(void)
{
    const char *temporary = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/campaign-XXXXXX", temporary == NULL ? "/tmp" : temporary);
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || getcwd(folder, sizeof folder) == NULL)
        stop(folder);
    setenv("HOME", folder, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
}

static struct files looked;

static int look_at(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    FILE *file;

    (void)place;
    if (kind != FTW_F || !S_ISREG(status->st_mode))
        return 0;
    if (looked.count == FILES_MAX)
        stop("too many files");
    file = fopen(path, "r");
    if (file == NULL)
        stop(path);
    looked.list[looked.count].path = need(strdup(path));
    looked.list[looked.count].bytes = need(malloc((size_t)status->st_size + 1));
    looked.list[looked.count].length =
        fread(looked.list[looked.count].bytes, 1, (size_t)status->st_size, file);
    looked.count++;
    fclose(file);
    return 0;
}

struct files files_look(void)
{
    looked = (struct files){.count = 0};
    if (nftw(".", look_at, 8, FTW_PHYS) != 0)
        stop("files");
    return looked;
}

void files_free(struct files *files)
{
    for (int i = 0; i < files->count; i++) {
        free(files->list[i].path);
        free(files->list[i].bytes);
    }
    files->count = 0;
}

static int remove_it(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    return place->level == 0 ? 0 : remove(path);
}

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 2, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

#define MARK "user.aolag"

static bool can_mark;

void files_put(const struct files *files)
{
    struct stat here, own;

    /* nothing but what the campaign made is removed */
    if (folder[0] == '\0' || stat(".", &here) != 0 || stat(folder, &own) != 0 ||
        here.st_ino != own.st_ino || here.st_dev != own.st_dev)
        stop("not in the folder of the campaign");
    if (nftw(folder, remove_it, 8, FTW_PHYS | FTW_DEPTH) != 0)
        stop("cannot empty the folder");
    for (int i = 0; i < files->count; i++) {
        FILE *file;

        make_folders(files->list[i].path);
        file = fopen(files->list[i].path, "w");
        if (file == NULL ||
            fwrite(files->list[i].bytes, 1, files->list[i].length, file) != files->list[i].length ||
            fclose(file) != 0)
            stop(files->list[i].path);
        can_mark = setxattr(files->list[i].path, MARK, "old", 3, 0) == 0;
    }
}

bool files_marked(const char *path)
{
    return path == NULL ? can_mark : getxattr(path, MARK, NULL, 0) == 3;
}

int files_find(const struct files *files, const char *path)
{
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->list[i].path, path) == 0)
            return i;
    return -1;
}
