/* Runs the program with faults and prints TAP, a case per command and fault:
 *
 *     campaign           a sample of the faults, the same on every run
 *     campaign --all     every fault, and a table at the end of how many were tried and found bad
 *     campaign --most N               at most N of each kind for a command, and the table
 *     campaign --only PART [--all]    commands whose line contains PART
 *
 * $AOLAG is the program, $STARVE the library of tests/faults/starve.c. Whatever fails, a command
 * must print its whole output and succeed, or print a sentence and end with another status. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 16, LINE_BYTES = 512, SHOWN_MAX = 10 };

/* Commands with the same output on every run; words are separated by blanks. Paths begin in
 * $TESTDATA. `sample`: how many allocations fail one by one without --all, fewer of slow commands.
 */
static const struct {
    const char *line;
    unsigned sample;
} commands[] = {
    {"advise saxo", 3},
    {"advise saxo --json", 3},
    {"advise saxo --set scenario.target_latency=100us", 3},
    {"check format-1.ini", 12},
    {"compare elt-scao mavis", 12},
    {"compare elt-scao mavis --json", 12},
    {"compare elt-scao mavis --markdown", 12},
    {"eval elt-scao", 12},
    {"eval elt-scao --csv", 12},
    {"eval elt-scao --json --jitter 100", 12},
    {"eval elt-scao --markdown", 3},
    {"eval format-1.ini", 12},
    {"explain latency_high elt-scao", 12},
    {"explain latency elt-scao --json", 12},
    {"explain device.rtc.cores elt-scao", 12},
    {"fit apexmap_sample.csv", 12},
    {"fit apexmap_sample.csv --json", 12},
    {"help eval", 12},
    {"jitter latencies.txt", 12},
    {"params", 12},
    {"params --scenario elt-scao --json", 12},
    {"plot components elt-scao", 12},
    {"plot detector elt-scao", 12},
    {"plot machine apex", 12},
    {"plot roofline elt-scao", 12},
    {"plot sweep scenario.packets=10:50:4 elt-scao", 12},
    {"plot timeline elt-scao", 12},
    {"presets", 3},
    {"presets list --json", 3},
    {"presets show elt-scao", 12},
    {"rank cpu saxo --json", 3},
    {"screen saxo --keys campaign.keys", 12},
    {"seek scenario.packets saxo", 12},
    {"sweep scenario.packets=10:50:4 elt-scao --results latency,load", 12},
    {"sweep scenario.packets=10:50:4 elt-scao --results latency --json", 12},
    {"validate --published", 12},
    {"validate --published --json", 12},
    {"validate --pipelines --csv", 3},
};

/* What runs out, as tests/faults/starve.c takes it, and how. */
struct fault {
    const char *name;
    const char *of; /* STARVE_OF */
    const char *on; /* STARVE_ON */
    unsigned long tried, bad;
};

static struct fault faults[] = {
    {.name = "one allocation fails", .of = "memory", .on = "0"},
    {.name = "allocations fail from one on", .of = "memory", .on = "1"},
    {.name = "one file cannot be opened", .of = "files", .on = "0"},
    {.name = "files cannot be opened from one on", .of = "files", .on = "1"},
    {.name = "one thread cannot be started", .of = "threads", .on = "0"},
    {.name = "threads cannot be started from one on", .of = "threads", .on = "1"},
};

enum { FAULTS = sizeof faults / sizeof faults[0] };

struct outcome {
    int status; /* as waitpid reports it */
    char *out, *err;
    size_t out_length, err_length;
};

/* Commands whose output is never the same twice. */
static const char *const untried[] = {"probe"};

static unsigned cases, failures;

static void stop(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(99);
}

static char *contents_of(int file, size_t *length)
{
    struct stat status;
    char *bytes;

    if (fstat(file, &status) != 0 || (bytes = calloc(1, (size_t)status.st_size + 1)) == NULL)
        stop("output");
    *length = (size_t)status.st_size;
    if (pread(file, bytes, *length, 0) != (ssize_t)*length)
        stop("output");
    close(file);
    return bytes;
}

/* Runs the program with the variables of the fault, or without one if `at` is 0. */
static struct outcome run_program(const char *line, const struct fault *fault, unsigned long at,
                                  const char *count)
{
    const char *library = getenv("STARVE");
    int out = memfd_create("out", MFD_CLOEXEC);
    int err = memfd_create("err", MFD_CLOEXEC);
    struct outcome outcome = {0};
    pid_t child;

    if (out < 0 || err < 0)
        stop("memfd_create");
    fflush(stdout);
    child = fork();
    if (child < 0)
        stop("fork");
    if (child == 0) {
        char words[LINE_BYTES];
        char *argv[WORDS_MAX + 1] = {getenv("AOLAG")};
        char number[24];
        int argc = 1;

        snprintf(words, sizeof words, "%s", line);
        for (char *word = strtok(words, " "); word != NULL && argc < WORDS_MAX;
             word = strtok(NULL, " "))
            argv[argc++] = word;
        snprintf(number, sizeof number, "%lu", at);
        setenv("STARVE_AT", number, 1);
        setenv("STARVE_OF", fault->of, 1);
        setenv("STARVE_ON", fault->on, 1);
        if (count != NULL)
            setenv("STARVE_COUNT", count, 1);
        setenv("LD_PRELOAD", library, 1);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        execv(argv[0], argv);
        _exit(99);
    }
    while (waitpid(child, &outcome.status, 0) < 0)
        if (errno != EINTR)
            stop("waitpid");
    outcome.out = contents_of(out, &outcome.out_length);
    outcome.err = contents_of(err, &outcome.err_length);
    return outcome;
}

static void free_outcome(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
}

static bool ends_in_line(const char *text, size_t length)
{
    return length > 1 && text[length - 1] == '\n';
}

/* Returns what is wrong with an outcome; NULL: nothing. */
static const char *find_fault(const char *line, const struct outcome *outcome,
                              const struct outcome *whole)
{
    bool complete = outcome->out_length == whole->out_length &&
                    memcmp(outcome->out, whole->out, whole->out_length) == 0;

    if (WIFSIGNALED(outcome->status))
        return WTERMSIG(outcome->status) == SIGKILL ? "hangs" : "crashes";
    if (outcome->status == whole->status)
        return complete ? NULL : "succeeds with a part of its output";
    /* what check finds is its output */
    return ends_in_line(outcome->err, outcome->err_length) ||
                   (strncmp(line, "check ", 6) == 0 &&
                    ends_in_line(outcome->out, outcome->out_length))
               ? NULL
               : "fails without a sentence";
}

/* Counts the requests that can be refused. */
static unsigned long count_requests(const char *line, const struct fault *fault,
                                    struct outcome *whole)
{
    char path[] = "/tmp/aolag-campaign-XXXXXX";
    int file = mkstemp(path);
    unsigned long count = 0;
    FILE *stream;

    if (file < 0)
        stop("mkstemp");
    close(file);
    *whole = run_program(line, fault, 0, path);
    stream = fopen(path, "r");
    if (stream == NULL || fscanf(stream, "%lu", &count) != 1)
        count = 0;
    if (stream != NULL)
        fclose(stream);
    unlink(path);
    return count;
}

/* Sampled numbers are spread evenly; another line begins elsewhere. */
static void run_case(size_t number, struct fault *fault, unsigned long most, unsigned long count,
                     const struct outcome *whole)
{
    const char *line = commands[number].line;
    unsigned long step = count / (most > 0 ? most : commands[number].sample) + 1;
    unsigned bad = 0;

    for (unsigned long at = 1 + number * 7 % step; at <= count; at += step) {
        struct outcome outcome = run_program(line, fault, at, NULL);
        const char *wrong = find_fault(line, &outcome, whole);

        fault->tried++;
        if (wrong != NULL && bad++ < SHOWN_MAX)
            printf("# %s: %lu of %lu: aolag %s %s\n", fault->of, at, count, line, wrong);
        free_outcome(&outcome);
    }
    fault->bad += bad;
    failures += bad > 0;
    printf("%sok %u - %s: %s\n", bad > 0 ? "not " : "", ++cases, line, fault->name);
}

/* Tries all faults on a command; one that requests nothing of a kind has no case. */
static void run_command(size_t number, unsigned long most)
{
    const char *line = commands[number].line;
    struct outcome whole = {0};
    unsigned long count = 0;

    for (size_t f = 0; f < FAULTS; f++) {
        if (f == 0 || strcmp(faults[f].of, faults[f - 1].of) != 0) {
            free_outcome(&whole);
            count = count_requests(line, &faults[f], &whole);
        }
        if (whole.out_length == 0 || (count == 0 && f == 0)) {
            failures++;
            printf("not ok %u - %s\n# prints nothing, or its allocations are not counted\n%s",
                   ++cases, line, whole.err);
        } else if (count > 0) {
            run_case(number, &faults[f], most, count, &whole);
        }
    }
    free_outcome(&whole);
}

static bool is_tried(const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof untried / sizeof untried[0]; i++)
        if (strcmp(untried[i], name) == 0)
            return true;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strncmp(commands[i].line, name, length) == 0 &&
            (commands[i].line[length] == ' ' || commands[i].line[length] == '\0'))
            return true;
    return false;
}

/* Checks that the table has every command that the help text lists, "  NAME  What it does". */
static void check_table(void)
{
    struct outcome help = run_program("--help", &faults[0], 0, NULL);
    const char *missing = NULL;
    char name[LINE_BYTES];
    int found = 0;

    for (char *line = strtok(help.out, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, "  ", 2) == 0 && sscanf(line + 2, "%31[a-z]%*[ ]%*[A-Z]", name) == 1) {
            found++;
            if (!is_tried(name) && missing == NULL)
                missing = line;
        }
    failures += missing != NULL || found < 10;
    printf("%sok %u - every command is tried%s%s\n", missing != NULL || found < 10 ? "not " : "",
           ++cases, missing != NULL ? ": " : "", missing != NULL ? missing : "");
    free_outcome(&help);
}

int main(int argc, char **argv)
{
    const char *only = "";
    const char *every = getenv("SYSTEMS_EVERY");
    unsigned long most = every != NULL && strcmp(every, "1") != 0 ? 2 : 0; /* 0: each sample */
    bool table = false;
    char state[4096];

    for (int i = 1; i < argc; i++) {
        table = table || strcmp(argv[i], "--all") == 0 || strcmp(argv[i], "--most") == 0;
        if (strcmp(argv[i], "--all") == 0)
            most = ULONG_MAX;
        if (strcmp(argv[i], "--most") == 0 && i + 1 < argc)
            most = strtoul(argv[++i], NULL, 10);
        if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
    }
    if (getenv("STARVE") != NULL && getenv("STARVE")[0] == '\0') {
        puts("1..0 # SKIP a sanitizer allocates");
        return 0;
    }
    if (getenv("AOLAG") == NULL || getenv("STARVE") == NULL || getenv("TESTDATA") == NULL ||
        chdir(getenv("TESTDATA")) != 0) {
        fputs("campaign: $AOLAG, $STARVE and $TESTDATA are needed\n", stderr);
        return 99;
    }
    snprintf(state, sizeof state, "%s/state", getenv("TESTDATA"));
    setenv("XDG_STATE_HOME", state, 1);
    /* without memory for a locale the C library goes on in ASCII, which is the whole output, too */
    setenv("LC_ALL", "C", 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (only[0] == '\0')
        check_table();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const char *line = commands[i].line;
        if (strstr(line, only) == NULL)
            continue;
        run_command(i, most);
    }
    printf("1..%u\n", cases);
    for (size_t f = 0; f < FAULTS && table; f++)
        printf("# %-40s %8lu tried %6lu bad\n", faults[f].name, faults[f].tried, faults[f].bad);
    return failures > 0;
}
