#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "probe/fit.h"
#include "report/reports.h"

#define BYTES_MAX (16U << 20)

static const struct option_row fit_options[] = {
    {.name = "all-cores", .help = "fit the points of all cores at once, not those of one"},
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
     .help =
         "model whose residual map is printed: flat, two-level, latency-bandwidth or "
         "hierarchy-2; of several files the one that PC is of; default: the one that fits best"},
    {.name = "word",
     .argument = "SIZE",
     .help =
         "bytes read by one access, for example 4B, if the file does not state them; default: 8B"},
    OPTION_END,
};

/* Options -------------------------------------------------------------------------------------- */

/* Reads an option in bytes; 0 if absent. */
static int read_bytes(const struct arguments *arguments, const char *name, double *bytes)
{
    const char *text = arguments_value(arguments, name);
    struct error error;

    *bytes = 0;
    if (text == NULL)
        return EXIT_GOOD;
    if (quantity_parse(text, "B", bytes, &error) != STATUS_OK)
        return arguments_usage_error(arguments, "--%s %s: %s", name, text, error.message);
    if (*bytes >= 1 && *bytes <= SURFACE_BYTES_MOST)
        return EXIT_GOOD;
    return arguments_usage_error(
        arguments, "--%s %s is out of range; allowed: " SURFACE_BYTES_ALLOWED, name, text);
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

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Reads the points of one core and of all, where the file has them: up to two surfaces, counted in
 * `found`; `team` are those wanted, -1 both. */
static int read_surfaces(struct cli *cli, const char *path, const struct surface_given *given,
                         int team, struct surface_fit *report, int *found)
{
    struct problems problems[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    struct surface_given wanted = *given;
    size_t length = 0;
    char *bytes;
    int status = source_read(cli, path, BYTES_MAX, &bytes, &length);
    int wrong = team;

    *found = 0;
    for (int t = 0; t < 2 && status == EXIT_GOOD; t++) {
        if (team >= 0 && team != t)
            continue;
        wanted.team = t == 1;
        report[*found] = (struct surface_fit){.name = name_of(path)};
        if (surface_parse(bytes, length, &wanted, &report[*found].surface, &problems[t]) ==
            STATUS_OK)
            ++*found;
        else if (problems[t].count > 1 || problems[t].list == NULL || problems[t].list[0].line != 0)
            wrong = wrong < 0 ? t : wrong; /* more than that there are none */
    }
    if (status == EXIT_GOOD && (*found == 0 || (team < 0 && wrong >= 0))) {
        source_print_problems(cli, cli->err, name_of(path), &problems[wrong < 0 ? 0 : wrong]);
        status = EXIT_PROBLEM;
    }
    problems_free(&problems[0]);
    problems_free(&problems[1]);
    free(bytes);
    return status;
}

/* The command ---------------------------------------------------------------------------------- */

static int fit_file(struct cli *cli, const struct arguments *arguments,
                    const struct surface_given *given, int model, struct record *record)
{
    struct surface_fit report = {.name = NULL};
    struct error error;
    int found;
    int status = read_surfaces(cli, arguments_operand(arguments, 0), given,
                               arguments_has(arguments, "all-cores"), &report, &found);

    if (status == EXIT_GOOD && surface_fit_make(&report, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s: %s", report.name, error.message);
    if (status == EXIT_GOOD) {
        report.shown = model >= 0 ? model : report.shown;
        fit_report(record, &report);
    }
    surface_fit_free(&report);
    return status;
}

static int compare_files(struct cli *cli, const struct arguments *arguments,
                         const struct surface_given *given, int model, struct record *record)
{
    struct surface_fit *report = allocate_array(FIT_COMPARED_MAX, sizeof *report);
    struct error error;
    int status = EXIT_GOOD;
    int count = 0;

    for (int i = 0; status == EXIT_GOOD && arguments_operand(arguments, i) != NULL; i++) {
        int found = 0;

        status =
            read_surfaces(cli, arguments_operand(arguments, i), given, -1, report + count, &found);
        count += found;
    }
    if (status == EXIT_GOOD && surface_fit_compare(report, count, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s", error.message);
    for (int i = 0; model >= 0 && i < count; i++)
        report[i].shown = model;
    if (status == EXIT_GOOD)
        fit_compare_report(record, report, count);
    for (int i = 0; i < count; i++)
        surface_fit_free(&report[i]);
    free(report);
    return status;
}

static int run_fit(struct cli *cli, const struct arguments *arguments, struct opened_design *design)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    struct surface_given given = {0};
    bool several = arguments_operand(arguments, 1) != NULL;
    int model = -1;
    int status;

    (void)design;
    status = read_bytes(arguments, "memory", &given.size);
    if (status == EXIT_GOOD)
        status = read_bytes(arguments, "word", &given.word);
    if (status == EXIT_GOOD)
        status = read_model(arguments, &model);
    if (status == EXIT_GOOD && several && arguments_has(arguments, "all-cores"))
        status = arguments_usage_error(arguments, "--all-cores is for one file; of several files "
                                                  "the points of one core and of all are compared");
    if (status == EXIT_GOOD)
        status = several ? compare_files(cli, arguments, &given, model, &record)
                         : fit_file(cli, arguments, &given, model, &record);
    return status;
}

const struct command command_fit = {
    .name = "fit",
    .operands = "FILE|- [FILE|-...]",
    .operand_max = FIT_COMPARED_MAX / 2,
    .missing = "a FILE is missing",
    .help = "Fits four memory models to the points of an Apex-MAP surface in a CSV file: their "
            "parameters, doubtful values and residuals; compares several files.",
    .options = fit_options,
    .group = GROUP_MACHINE,
    .anywhere = true,
    .run = run_fit,
};
