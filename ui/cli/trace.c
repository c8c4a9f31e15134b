#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/allocate.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "command.h"
#include "draw/text.h"
#include "probe/lackey.h"
#include "probe/system.h"
#include "probe/tracer.h"

/* The reorder buffer of a core has 224 instructions (Intel 2015) to 512 (2021), divided between two
 * threads that are active, AMD's 192 to 448. */
#define WINDOW_ELSE 256

/* Text before the first instruction, of valgrind and of programs; what has more is no trace, and
 * may never end. */
#define TEXT_MOST ((size_t)16 << 20)

#define CACHE_ELSE (32.0 * 1024 * 1024) /* B, where the system does not say */

static const struct option_row trace_options[] = {
    {.name = "cache",
     .argument = "SIZE",
     .help = "capacity of the cache whose misses are remote, for example 1MiB; default: the last "
             "level of this machine"},
    {.name = "from",
     .argument = "FILE|-",
     .help = "read what valgrind --tool=lackey --trace-mem=yes --vex-iropt-level=0 "
             "--vex-guest-chase=no printed, and run nothing; -: standard input"},
    {.name = "window",
     .argument = "N",
     .help = "instructions that a core has in flight, for chains; default: 256",
     .least = 1,
     .most = TRACER_WINDOW_MOST},
    OPTION_HELP,
    OPTION_OUTPUT,
    OPTION_END,
};

/* Reads --cache; without it the last level that the system reports. */
static int read_cache(struct cli *cli, const struct arguments *arguments, double *cache)
{
    const char *text = arguments_value(arguments, "cache");
    struct error error;

    *cache = CACHE_ELSE;
    if (text == NULL) {
        const struct system *system = system_here();
        const struct system_caches *caches = &system->kind[0].caches;

        if (system->unread)
            return arguments_problem(cli, "cannot read the caches of this machine from "
                                          "/sys/devices/system/cpu; state --cache");
        if (caches->levels > 0)
            *cache = caches->capacity[caches->levels - 1];
    } else if (quantity_parse(text, "B", cache, &error) != STATUS_OK) {
        return arguments_usage_error(arguments, "--cache %s: %s", text, error.message);
    } else if (!(*cache >= TRACER_CACHE_LEAST && *cache <= TRACER_CACHE_MOST)) {
        return arguments_usage_error(arguments,
                                     "--cache %s is out of range; allowed: 1 KiB to 1 GiB", text);
    }
    *cache = *cache < TRACER_CACHE_MOST ? *cache : TRACER_CACHE_MOST;
    return EXIT_GOOD;
}

static int window_of(const struct arguments *arguments)
{
    return (int)arguments_number(arguments, "window", WINDOW_ELSE);
}

/* Says what the numbers of the file are. */
static void write_head(struct buffer *buffer, const struct arguments *arguments, double cache,
                       const struct tracer_counts *counts)
{
    char text[400];

    buffer_text(buffer, "# Traced:");
    if (arguments_value(arguments, "from") != NULL) {
        text_clean(arguments_value(arguments, "from"), false, text, sizeof text);
        buffer_print(buffer, " %s", text);
    }
    for (int i = 0; arguments_operand(arguments, i) != NULL; i++) {
        text_clean(arguments_operand(arguments, i), false, text, sizeof text);
        buffer_print(buffer, " %s", text);
    }
    buffer_print(buffer,
                 "\n# by aolag %s with valgrind; %.0f instructions, %.0f of unknown class; remote "
                 "beyond %.0f B",
                 PACKAGE_VERSION, counts->instructions, counts->unknown, cache);
    if (counts->unknown < counts->instructions)
        buffer_print(buffer, "; chains in %d instructions", window_of(arguments));
    buffer_text(buffer, ".\n");
}

static int write_trace(struct cli *cli, const struct arguments *arguments, double cache,
                       struct tracer *tracer)
{
    struct tracer_counts counts = tracer_counts(tracer);
    const char *path = arguments_output(arguments);
    struct buffer text = {0};

    write_head(&text, arguments, cache, &counts);
    tracer_write(tracer, &text);
    return arguments_save(cli, path, &text);
}

/* Reads all of it, unless it is no trace, from a running program or else from a file. */
static void feed_tracer(struct cli *cli, struct lackey *lackey, FILE *file, struct tracer *tracer)
{
    struct progress_line line = progress_line_to(cli->err, true);
    static char bytes[65536];
    size_t length, text = 0;

    while (long_run_signal() == 0 && text < TEXT_MOST &&
           (length = lackey != NULL ? lackey_read(lackey, bytes, sizeof bytes)
                                    : fread(bytes, 1, sizeof bytes, file)) > 0) {
        tracer_read(tracer, bytes, length);
        text = tracer_counts(tracer).instructions > 0 ? 0 : text + length;
        progress_line_draw(&line, "%.3g million instructions",
                           tracer_counts(tracer).instructions / 1e6);
    }
    progress_line_clear(&line);
}

static int report_end(struct cli *cli, int ended)
{
    if (long_run_signal() != 0) {
        arguments_problem(cli, "stopped by a signal; the trace ends there");
        return 128 + long_run_signal();
    }
    if (WIFSIGNALED(ended))
        return arguments_problem(cli, "the program was ended by signal %d; its trace ends there",
                                 WTERMSIG(ended));
    if (WEXITSTATUS(ended) != 0)
        return arguments_problem(cli, "the program ended with status %d", WEXITSTATUS(ended));
    return EXIT_GOOD;
}

/* Reports that there is no trace. */
static int report_nothing(struct cli *cli, int ended)
{
    if (long_run_signal() != 0)
        return report_end(cli, ended);
    if (WIFSIGNALED(ended))
        return arguments_problem(cli, "valgrind was ended by signal %d before an instruction",
                                 WTERMSIG(ended));
    if (WEXITSTATUS(ended) != 0)
        return arguments_problem(cli, "valgrind ended with status %d before an instruction",
                                 WEXITSTATUS(ended));
    return arguments_problem(cli, "valgrind traced no instruction");
}

static int trace_command(struct cli *cli, const struct arguments *arguments, double cache,
                         const char *const *command)
{
    struct lackey lackey;
    struct error error;
    struct tracer *tracer = tracer_new(cache, window_of(arguments), lackey_code, &lackey, &error);
    int status, ended;

    if (tracer == NULL)
        return arguments_problem(cli, "%s", error.message);
    fflush(cli->out);
    if (lackey_start(&lackey, command, &error) != STATUS_OK) {
        tracer_free(tracer);
        return arguments_problem(cli, "%s", error.message);
    }
    long_run_open();
    feed_tracer(cli, &lackey, NULL, tracer);
    ended = lackey_end(&lackey, long_run_signal());
    long_run_end(); /* standard output may be a pipe that nobody reads */
    if (tracer_counts(tracer).instructions == 0)
        status = report_nothing(cli, ended);
    else
        status = write_trace(cli, arguments, cache, tracer);
    if (status == EXIT_GOOD)
        status = report_end(cli, ended);
    long_run_close();
    tracer_free(tracer);
    return status;
}

static int trace_file(struct cli *cli, const struct arguments *arguments, double cache,
                      const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    struct tracer *tracer;
    struct error error;
    FILE *file = cli->in;
    int status;

    if (!standard && file_open_input(path, &file, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    tracer = tracer_new(cache, window_of(arguments), NULL, NULL, NULL);
    feed_tracer(cli, NULL, file, tracer);
    if (ferror(file))
        status = arguments_problem(cli, "cannot read %s: %s", standard ? "standard input" : path,
                                   strerror(errno));
    else if (tracer_counts(tracer).instructions == 0)
        status = arguments_problem(cli, "%s: no instructions as lackey prints them",
                                   standard ? "standard input" : path);
    else
        status = write_trace(cli, arguments, cache, tracer);
    if (!standard)
        fclose(file);
    tracer_free(tracer);
    return status;
}

static int check_trace(const struct arguments *arguments)
{
    bool command = arguments_operand(arguments, 0) != NULL;

    if (command && arguments_value(arguments, "from") != NULL)
        return arguments_usage_error(arguments, "--from runs no command");
    if (!command && arguments_value(arguments, "from") == NULL)
        return arguments_usage_error(
            arguments, "a COMMAND is missing, as in: aolag trace -o trace.csv -- COMMAND");
    if (arguments_value(arguments, "output") == NULL)
        return arguments_usage_error(
            arguments, "--output is missing, as in: aolag trace -o trace.csv -- COMMAND");
    return EXIT_GOOD;
}

static int run_trace(struct cli *cli, const struct arguments *arguments,
                     struct opened_design *design)
{
    const char **command = allocate_array((size_t)arguments->count + 1, sizeof *command);
    const char *from = arguments_value(arguments, "from");
    double cache;
    int status = read_cache(cli, arguments, &cache);

    (void)design;
    for (int i = 0; status == EXIT_GOOD && arguments_operand(arguments, i) != NULL; i++)
        command[i] = arguments_operand(arguments, i);
    if (status == EXIT_GOOD && from != NULL)
        status = trace_file(cli, arguments, cache, from);
#if !defined(__x86_64__)
    if (status == EXIT_GOOD && from == NULL)
        status = arguments_problem(cli, "only instructions of x86-64 can be traced");
#endif
    if (status == EXIT_GOOD && from == NULL)
        status = trace_command(cli, arguments, cache, command);
    free(command);
    return status;
}

const struct command command_trace = {
    .name = "trace",
    .operands = "-- COMMAND [ARGUMENT...]\n--from FILE|-",
    .operand_max = INT_MAX,
    .help = "Runs a program under valgrind and writes its trace, which a component of type program "
            "and plot program read, to the FILE of -o, which is required.",
    .options = trace_options,
    .group = GROUP_MACHINE,
    .check = check_trace,
    .run = run_trace,
};
