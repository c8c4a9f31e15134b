#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "design/notices.h"
#include "model/evaluate.h"

static const struct option_row check_options[] = {
    OPTION_HELP,
    OPTION_END,
};

/* Checks the design on the screen: its knobs are valid, but its evaluation can fail. */
static int check_current(struct cli *cli)
{
    struct result result;
    struct error error;
    int status = EXIT_PROBLEM;

    if (result_init(&result, &error) != STATUS_OK)
        fprintf(cli->out, "%s\n", error.message);
    else if (evaluate(cli->current, &result, &error) != STATUS_OK)
        fprintf(cli->out, "the design on the screen: %s\n", error.message);
    else
        status = EXIT_GOOD;
    if (status == EXIT_GOOD)
        fprintf(cli->err, "the design on the screen: good\n");
    result_free(&result);
    return status;
}

/* Checks a file. Problems and notes are the output of this command and go to standard output. */
static int check_file(struct cli *cli, const char *path)
{
    struct problems problems = {NULL, 0, 0};
    struct opened_design design = {.document = NULL};
    struct error error;
    int status = EXIT_PROBLEM;

    if (scenario_load(&design.scenario, &design.document, path, cli->catalogue, &problems) ==
        STATUS_OK) {
        if (result_init(&design.result, &error) == STATUS_OK &&
            evaluate(&design.scenario, &design.result, &error) == STATUS_OK)
            status = EXIT_GOOD;
        else
            problems_add(&problems, document_line(design.document, error.message), "%s",
                         error.message);
    }
    source_print_problems(cli->out, path, &problems);
    problems_free(&problems);
    if (design.document != NULL)
        notices_find(design.document, true, &problems);
    source_print_notes(cli->out, path, &problems);
    problems_free(&problems);
    if (status == EXIT_GOOD)
        fprintf(cli->err, "%s: good\n", path);
    source_close(&design);
    return status;
}

static int run_check(struct cli *cli, const struct arguments *arguments,
                     struct opened_design *design)
{
    const char *path = arguments_operand(arguments, 0);

    (void)design;
    if (path == NULL && cli->current != NULL)
        return check_current(cli);
    if (path == NULL)
        return arguments_usage_error(arguments, "a FILE is missing");
    if (strcmp(path, "-") == 0)
        return arguments_usage_error(
            arguments, "check reads files only; \"aolag eval -\" checks standard input");
    if (access(path, F_OK) != 0 && source_preset(cli, path) != NULL)
        return arguments_problem(cli, "%s is a preset; check reads files", path);
    return check_file(cli, path);
}

const struct command command_check = {
    .name = "check",
    .operands = "FILE",
    .operand_max = 1,
    .help = "Lists all problems of a scenario file, each with its line and how to correct it.",
    .options = check_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .run = run_check,
};
