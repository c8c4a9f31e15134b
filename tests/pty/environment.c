#include "environment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCREEN_BYTES_MAX (1 << 20)

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

void environment_set(const struct pty_options *options)
{
    char *directory = pty_directory();

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
    fputs(words, in);
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

/* A screen that was made: the same words give it again, whatever the terminal. */
struct made {
    int rows, columns;
    char *words, *screen;
    struct made *next;
};

static struct made *made;

static struct made *find_made(const struct pty_options *options, const char *words)
{
    struct made *at = made;

    while (at != NULL && (at->rows != options->rows || at->columns != options->columns ||
                          strcmp(at->words, words) != 0))
        at = at->next;
    return at;
}

char *pty_headless(const struct pty_options *options, const char *words)
{
    struct made *known;

    if (options->environment != NULL || options->file != NULL || options->state != NULL)
        return make_headless(options, words);
    known = find_made(options, words);
    if (known == NULL) {
        known = calloc(1, sizeof *known);
        if (known == NULL)
            abort();
        *known = (struct made){options->rows, options->columns, strdup(words),
                               make_headless(options, words), made};
        made = known;
    }
    return strdup(known->screen);
}
