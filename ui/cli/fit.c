#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "probe/fit.h"
#include "report/reports.h"

#define BYTES_MAX (16U << 20)

static const struct option_row fit_options[] = {
    OPTION_HELP,
    OPTION_JSON,
    OPTION_MARKDOWN,
    {.name = "memory",
     .argument = "SIZE",
     .help = "size of the memory accessed (M), for example 64MiB, if the file does not state it; "
             "default: 512MiB"},
    {.name = "model",
     .argument = "NAME",
     .values = "flat two-level latency-bandwidth hierarchy-2",
     .help = "model whose residual map is printed: flat, two-level, latency-bandwidth or "
             "hierarchy-2; default: the one that fits best"},
    {.name = "word",
     .argument = "SIZE",
     .help =
         "bytes read by one access, for example 4B, if the file does not state them; default: 8B"},
    OPTION_END,
};

/* Options -------------------------------------------------------------------------------------- */

/* Reads an option in bytes; 0 if absent. */
static int read_bytes(const struct arguments *arguments, const char *name, const char *example,
                      double *bytes)
{
    const char *text = arguments_value(arguments, name);
    struct error error;

    *bytes = 0;
    if (text == NULL)
        return EXIT_GOOD;
    if (quantity_parse(text, "B", bytes, &error) != STATUS_OK)
        return arguments_usage_error(arguments, "--%s %s: %s", name, text, error.message);
    if (*bytes >= 1)
        return EXIT_GOOD;
    return arguments_usage_error(
        arguments, "--%s %s is out of range; allowed: 1 B or more, as in %s", name, text, example);
}

/* Reads the model of --model; -1 (the best one) if absent. */
static int read_model(const struct arguments *arguments, int *model)
{
    const char *text = arguments_value(arguments, "model");
    const char *names[FIT_MODELS + 1] = {NULL};

    *model = -1;
    for (int m = 0; m < FIT_MODELS; m++) {
        names[m] = fit_forms[m].title;
        if (text != NULL && strcmp(names[m], text) == 0)
            *model = m;
    }
    if (text == NULL || *model >= 0)
        return EXIT_GOOD;
    return arguments_unknown(arguments, "model", text, names);
}

/* Points --------------------------------------------------------------------------------------- */

static int read_surface(struct cli *cli, const char *path, const struct surface_given *given,
                        struct surface_fit *report)
{
    struct problems problems = {NULL, 0, 0};
    size_t length = 0;
    char *bytes;
    int status = source_read(cli, path, BYTES_MAX, &bytes, &length);

    if (status == EXIT_GOOD &&
        surface_parse(bytes, length, given, &report->surface, &problems) != STATUS_OK) {
        source_print_problems(cli->err, report->name, &problems);
        status = EXIT_PROBLEM;
    }
    problems_free(&problems);
    free(bytes);
    return status;
}

/* The command ---------------------------------------------------------------------------------- */

static int fit_file(struct cli *cli, const char *path, const struct surface_given *given, int model,
                    struct record *record)
{
    struct surface_fit report = {.name = strcmp(path, "-") == 0 ? "standard input" : path};
    struct error error;
    int status = read_surface(cli, path, given, &report);

    if (status == EXIT_GOOD && surface_fit_make(&report, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s: %s", report.name, error.message);
    if (status == EXIT_GOOD) {
        report.shown = model >= 0 ? model : report.shown;
        fit_report(record, &report);
    }
    surface_fit_free(&report);
    return status;
}

static int run_fit(struct cli *cli, const struct arguments *arguments, struct opened_design *design)
{
    const char *path = arguments_operand(arguments, 0);
    struct record record = record_to(cli->out, arguments_format(arguments));
    struct surface_given given = {0};
    int model = -1;
    int status;

    (void)design;
    status = read_bytes(arguments, "memory", "64MiB", &given.size);
    if (status == EXIT_GOOD)
        status = read_bytes(arguments, "word", "4B", &given.word);
    if (status == EXIT_GOOD)
        status = read_model(arguments, &model);
    if (status == EXIT_GOOD)
        status = fit_file(cli, path, &given, model, &record);
    return status;
}

const struct command command_fit = {
    .name = "fit",
    .operands = "FILE|-",
    .operand_max = 1,
    .missing = "a FILE is missing",
    .help = "Fits four memory models to the points of an Apex-MAP surface in a CSV file: their "
            "parameters, doubtful values and residuals.",
    .options = fit_options,
    .group = GROUP_MACHINE,
    .anywhere = true,
    .run = run_fit,
};
