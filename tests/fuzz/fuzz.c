/* Runs the fuzz targets, in a directory of its own in $TMPDIR:
 *
 *     fuzz                   replays the corpora of $srcdir/tests/fuzz/corpus and prints TAP
 *     fuzz TARGET FILE...    runs a target on each file, as found by a fuzzer
 *     fuzz --list            prints the targets: name, largest input, seeds
 *     fuzz --pack DIRECTORY  prints the files of a directory as lines of a corpus
 *     fuzz --unpack TARGET DIRECTORY     and back
 *
 * Configured with --enable-fuzzing, `fuzz TARGET [OPTION|DIRECTORY]...` is libFuzzer, to which
 * files and directories have to be absolute paths.
 *
 * A corpus is a text: an input per line, with the escapes \n, \t, \\ and \xHH. Lines that begin
 * with # are comments. */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/utf8.h"
#include "draw/text.h"

enum { INPUT_MAX = 1 << 20, SYMBOLS_MAX = 1 << 24 };

/* `seeds`: folders to begin with beside the corpus. tests/fuzz/readers says which reader of what a
 * user or another program wrote a target runs. */
/* clang-format off */
static const struct target {
    const char *name;
    fuzz_target_run *run;
    fuzz_target_mutate *mutate; /* NULL: the fuzzer's own */
    int most;                   /* bytes of an input */
    const char *seeds;
} targets[] = {
    {.name = "command_line", .run = fuzz_command_line, .most = 400, .seeds = ""},
    {.name = "csv", .run = fuzz_csv, .most = 600, .seeds = "tests/data"},
    {.name = "echo", .run = fuzz_echo, .most = 60, .seeds = ""},
    {.name = "fit", .run = fuzz_fit, .most = 800, .seeds = "tests/data"},
    {.name = "import", .run = fuzz_import, .most = 3000, .seeds = "tests/data/daolite"},
    {.name = "ini", .run = fuzz_ini, .mutate = fuzz_ini_mutate, .most = 6000,
     .seeds = "presets/ao presets/pipelines"},
    {.name = "input", .run = fuzz_input, .most = 120, .seeds = ""},
    {.name = "keys", .run = fuzz_keys, .most = 160, .seeds = ""},
    {.name = "lackey", .run = fuzz_lackey, .most = 600, .seeds = ""},
    {.name = "machine", .run = fuzz_machine, .most = 2000, .seeds = ""},
    {.name = "pattern", .run = fuzz_pattern, .most = 400, .seeds = ""},
    {.name = "preset", .run = fuzz_preset, .mutate = fuzz_ini_mutate, .most = 3000,
     .seeds = "presets/cpu presets/gpu presets/fpga"},
    {.name = "prices", .run = fuzz_prices, .most = 300, .seeds = "tests/data/config/aolag"},
    {.name = "recovery", .run = fuzz_recovery, .mutate = fuzz_ini_mutate, .most = 1500,
     .seeds = "presets/ao"},
    {.name = "run", .run = fuzz_run, .most = 600, .seeds = ""},
    {.name = "shard", .run = fuzz_shard, .most = 500, .seeds = ""},
    {.name = "system", .run = fuzz_system, .most = 1000, .seeds = ""},
    {.name = "trace", .run = fuzz_trace, .most = 1000, .seeds = "data/traces"},
    {.name = "values", .run = fuzz_values, .most = 120, .seeds = ""},
    {.name = "wakeups", .run = fuzz_wakeups, .most = 600, .seeds = "tests/data"},
};
/* clang-format on */

enum { TARGETS = sizeof targets / sizeof targets[0] };

static const struct target *target;
static char running[80];         /* the input, in a replay */
static char source[PATH_MAX];    /* $srcdir */
static char directory[PATH_MAX]; /* the working directory */

/* What targets share --------------------------------------------------------------------------- */

void fuzz_check(bool holds, const char *format, ...)
{
    va_list arguments;

    if (holds)
        return;
    va_start(arguments, format);
    fputs("fuzz: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s: %s\n", what, strerror(errno));
    exit(99);
}

struct catalogue *fuzz_catalogue(void)
{
    static struct catalogue *catalogue;

    if (catalogue == NULL)
        catalogue = catalogue_open_embedded();
    return catalogue;
}

/* Checks that the text has no character that a terminal or a report must not get. */
static void check_safe(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t character;
        size_t used = utf8_read(text + at, length - at, &character);

        fuzz_check(used > 0, "not UTF-8:\n%s", text);
        fuzz_check(character == '\n' || !utf8_is_unsafe(character), "U+%04X in:\n%s",
                   (unsigned)character, text);
        at += used;
    }
}

void fuzz_check_message(const char *message)
{
    char shown[4 * ERROR_MESSAGE_MAX];

    fuzz_check(message[0] != '\0', "empty message");
    text_clean(message, true, shown, sizeof shown);
    check_safe(shown, strlen(shown));
}

void fuzz_check_problems(enum status status, const struct problems *problems)
{
    fuzz_check((status == STATUS_OK) == (problems->count == 0), "status %d, %zu problems", status,
               problems->count);
    for (size_t i = 0; i < problems->count; i++)
        fuzz_check_message(problems->list[i].message);
}

static FILE *output;
static char *printed;
static size_t printed_length;

FILE *fuzz_open_output(void)
{
    output = open_memstream(&printed, &printed_length);
    require(output != NULL, "output");
    return output;
}

void fuzz_check_output(void)
{
    require(fclose(output) == 0, "output");
    check_safe(printed, printed_length);
    free(printed);
}

char *fuzz_text(const char *bytes, size_t length)
{
    char *text = malloc(length + 1);

    require(text != NULL, "text");
    for (size_t i = 0; i < length; i++)
        text[i] = bytes[i] == '\0' ? ' ' : bytes[i];
    text[length] = '\0';
    return text;
}

void fuzz_write(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(name, "w");

    require(file != NULL && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, name);
}

/* Files are created in the working directory only, whatever an input names. */

static bool is_inside(const char *path)
{
    size_t length = strlen(directory);

    if (strstr(path, "..") != NULL)
        return false;
    return path[0] != '/' || (strncmp(path, directory, length) == 0 && path[length] == '/');
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);

int __wrap_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list arguments;

    if ((flags & O_CREAT) != 0) {
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if ((flags & O_CREAT) == 0 || is_inside(path))
        return __real_open(path, flags, mode);
    errno = EACCES;
    return -1;
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    if (is_inside(path))
        return __real_mkdir(path, mode);
    errno = EACCES;
    return -1;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

static void leave_directory(void)
{
    if (chdir("/") == 0)
        nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* An empty directory is the home of the user, so that nothing of theirs is read. */
static void enter_directory(void)
{
    static const char *const homes[] = {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"};
    const char *above = getenv("TMPDIR");
    char *path = realpath(above == NULL ? "/tmp" : above, NULL);

    require(path != NULL, "TMPDIR");
    snprintf(directory, sizeof directory, "%s/fuzz.XXXXXX", path);
    free(path);
    require(mkdtemp(directory) != NULL && chdir(directory) == 0, directory);
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++)
        setenv(homes[i], directory, 1);
    atexit(leave_directory);
    setlocale(LC_CTYPE, "C.UTF-8");
}

/* Corpora -------------------------------------------------------------------------------------- */

static void print_input(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        if (byte == '\n' || byte == '\t' || byte == '\\')
            printf("\\%c", byte == '\n' ? 'n' : byte == '\t' ? 't' : '\\');
        else if (byte < ' ' || byte > '~' || (byte == '#' && i == 0))
            printf("\\x%02x", byte);
        else
            putchar(byte);
    }
    putchar('\n');
}

/* Decodes a line in place; returns its length. */
static size_t read_input(char *line)
{
    size_t length = 0;
    unsigned byte;

    for (const char *at = line; *at != '\0' && *at != '\n'; at++) {
        if (*at == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &byte) == 1) {
            line[length++] = (char)byte;
            at += 3;
        } else if (*at == '\\' && at[1] != '\0') {
            at++;
            line[length++] = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
        } else {
            line[length++] = *at;
        }
    }
    return length;
}

/* Calls `take` with the inputs of the target's corpus; returns how many there are. */
static int each_input(void (*take)(int number, const char *bytes, size_t length))
{
    char path[PATH_MAX + 64];
    char *line = NULL;
    size_t size = 0;
    int count = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", source, target->name);
    file = fopen(path, "r");
    require(file != NULL, path);
    for (int number = 1; getline(&line, &size, file) >= 0; number++) {
        size_t length;

        if (line[0] == '#')
            continue;
        snprintf(running, sizeof running, "tests/fuzz/corpus/%s:%d", target->name, number);
        length = read_input(line);
        take(number, line, length);
        count++;
    }
    free(line);
    fclose(file);
    return count;
}

static void each_file(const char *folder, void (*take)(const char *bytes, size_t length))
{
    struct dirent **list;
    int count = scandir(folder, &list, NULL, alphasort);

    require(count >= 0, folder);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        char *bytes;
        size_t length;

        snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        if (list[i]->d_name[0] != '.' &&
            file_read(path, INPUT_MAX, &bytes, &length, NULL, NULL) == STATUS_OK) {
            take(bytes, length);
            free(bytes);
        }
        free(list[i]);
    }
    free(list);
}

/* Replay --------------------------------------------------------------------------------------- */

/* From memory of that size, so that a sanitizer sees what is read behind it. */
static void run_target(const char *bytes, size_t length)
{
    char *copy = malloc(length > 0 ? length : 1);

    require(copy != NULL, "input");
    memcpy(copy, bytes, length);
    target->run(copy, length);
    free(copy);
}

static void replay_input(int number, const char *bytes, size_t length)
{
    (void)number;
    run_target(bytes, length);
}

static void died(int number)
{
    if (write(STDERR_FILENO, running, strlen(running)) > 0 &&
        write(STDERR_FILENO, ": died\n", 7) > 0)
        raise(number);
    _exit(99);
}

/* Runs in a process of its own, which a crash ends. */
static _Noreturn void replay_corpus(void)
{
    static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
    const struct sigaction action = {.sa_handler = died, .sa_flags = (int)SA_RESETHAND};
    int count;

    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        sigaction(deadly[i], &action, NULL);
    enter_directory();
    count = each_input(replay_input);
    printf("# %s: %d inputs\n", target->name, count);
    exit(count > 0 ? 0 : 1);
}

static int replay_all(void)
{
    bool good = true;

    printf("1..%d\n", TARGETS);
    for (int i = 0; i < TARGETS; i++) {
        int status = 0;
        pid_t child;

        target = &targets[i];
        fflush(stdout);
        child = fork();
        require(child >= 0, "fork");
        if (child == 0)
            replay_corpus();
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        printf("%sok %d - %s\n", status == 0 ? "" : "not ", i + 1, target->name);
        good = good && status == 0;
    }
    return good ? 0 : 1;
}

/* The program ---------------------------------------------------------------------------------- */

static void find_target(const char *name)
{
    for (int i = 0; i < TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0)
            target = &targets[i];
    if (target == NULL) {
        fprintf(stderr, "fuzz: there is no target %s; fuzz --list prints them\n", name);
        exit(2);
    }
}

static void print_targets(void)
{
    for (int i = 0; i < TARGETS; i++)
        printf("%s %d %s\n", targets[i].name, targets[i].most, targets[i].seeds);
}

static void write_input(int number, const char *bytes, size_t length)
{
    char name[16];

    snprintf(name, sizeof name, "%04d", number);
    fuzz_write(name, bytes, length);
}

/* Does what needs no fuzzer and exits; returns if there is a target to be run. */
static void run_words(int argc, char **argv)
{
    const char *given = getenv("srcdir");

    require(realpath(given == NULL ? "." : given, source) != NULL, "srcdir");
    if (argc == 1)
        exit(replay_all());
    if (strcmp(argv[1], "--list") == 0) {
        print_targets();
    } else if (strcmp(argv[1], "--pack") == 0 && argc == 3) {
        each_file(argv[2], print_input);
    } else if (strcmp(argv[1], "--unpack") == 0 && argc == 4) {
        find_target(argv[2]);
        require(chdir(argv[3]) == 0, argv[3]);
        each_input(write_input);
    } else {
        find_target(argv[1]);
        return;
    }
    exit(0);
}

#ifdef FUZZING

/* libFuzzer runs the program again with the arguments that it got; this has the one it did not. */
#define CHOSEN "FUZZ_TARGET"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *chosen = getenv(CHOSEN);

    if (chosen != NULL) {
        find_target(chosen);
    } else {
        run_words(*argc, *argv);
        setenv(CHOSEN, target->name, 1);
        memmove(*argv + 1, *argv + 2, (size_t)(*argc - 1) * sizeof **argv);
        --*argc;
    }
    enter_directory();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    target->run((const char *)bytes, length);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
    uint64_t state = seed;

    if (target->mutate == NULL || seed % 3 == 0)
        return LLVMFuzzerMutate(bytes, length, most);
    return target->mutate((char *)bytes, length, most, &state);
}

#else

int main(int argc, char **argv)
{
    run_words(argc, argv);
    for (int i = 2; i < argc; i++) {
        char path[PATH_MAX];
        char *bytes = NULL;
        size_t length = 0;

        require(realpath(argv[i], path) != NULL &&
                    file_read(path, INPUT_MAX, &bytes, &length, NULL, NULL) == STATUS_OK,
                argv[i]);
        if (directory[0] == '\0')
            enter_directory();
        run_target(bytes, length);
        free(bytes);
    }
    return 0;
}

#endif
