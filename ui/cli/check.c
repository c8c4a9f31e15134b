#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/source.h"
#include "evaluate.h"

const struct option_row check_options[] = {
    OPTION_HELP,
    OPTION_END,
};

/* Problems are what this command is for: its data, on standard output. */
static int check(struct cli *cli, const char *path)
{
    struct problems problems = {NULL, 0, 0};
    struct design design = {.document = NULL};
    struct error error;
    int status = EXIT_PROBLEM;

    if (scenario_load(&design.scenario, &design.document, path, cli->catalogue, &problems) !=
        STATUS_OK)
        problems_print(cli->out, path, &problems);
    else if (result_init(&design.result, &error) != STATUS_OK ||
             evaluate(&design.scenario, &design.result, &error) != STATUS_OK)
        fprintf(cli->out, "%s: %s\n", path, error.message);
    else
        status = EXIT_GOOD;
    if (status == EXIT_GOOD)
        fprintf(cli->err, "%s: good\n", path);
    problems_free(&problems);
    design_close(&design);
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
    if (path == NULL)
        status = usage_error(cli, command, "a FILE is missing");
    else
        status = check(cli, path);
    arguments_free(&arguments);
    return status;
}
