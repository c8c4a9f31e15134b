#include <string.h>

#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "model/evaluate.h"

const struct option_row check_options[] = {
    OPTION_HELP,
    OPTION_END,
};

/* The design on the screen was accepted knob by knob; what is left to go wrong is its meaning. */
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

/* Problems are what this command is for: its data, on standard output. */
static int check(struct cli *cli, const char *path)
{
    struct problems problems = {NULL, 0, 0};
    struct design design = {.document = NULL};
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
    if (status == EXIT_GOOD)
        fprintf(cli->err, "%s: good\n", path);
    problems_free(&problems);
    source_close(&design);
    return status;
}

int check_run(struct cli *cli, int argc, char **argv)
{
    const struct command *command = command_find("check");
    struct arguments arguments;
    const char *path;
    int status;

    if (!arguments_read(cli, command, argc, argv, 1, &arguments, &status))
        return status;
    path = arguments_operand(&arguments, 0);
    if (path == NULL && cli->current != NULL)
        status = check_current(cli);
    else if (path == NULL)
        status = arguments_usage_error(cli, command, "a FILE is missing");
    else if (strcmp(path, "-") == 0)
        status = arguments_usage_error(
            cli, command, "lines are of files; \"aolag eval -\" checks standard input");
    else
        status = check(cli, path);
    arguments_free(&arguments);
    return status;
}
