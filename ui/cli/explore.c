#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/report.h"
#include "cli/source.h"
#include "tui/tui.h"

const struct option_row explore_options[] = {
    OPTION_HELP,
    OPTION_SET,
    {"version", NULL, "show the version"},
    OPTION_END,
};

static bool is_terminal(FILE *file)
{
    return fileno(file) >= 0 && isatty(fileno(file));
}

static int explore(struct cli *cli, struct design *design)
{
    struct app_start start = {cli->catalogue, &design->scenario, design->document, NULL, cli->program};

    design->document = NULL;
    return tui_run(&start, cli->err);
}

static int report(struct cli *cli, struct design *design)
{
    int status = source_evaluate(cli, design);

    if (status == EXIT_GOOD)
        report_print(cli->out, &design->scenario, &design->result);
    return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
    const char *operand = arguments_operand(arguments, 0);
    struct design design;
    int status;

    if (arguments_has(arguments, "version")) {
        help_version(cli->out);
        return EXIT_GOOD;
    }
    if (operand != NULL && !arguments_protected(arguments) && command_find(operand) != NULL)
        return arguments_usage_error(cli, arguments->command,
                                     "options come after the command: aolag %s --...", operand);
    status = source_open(cli, arguments, operand, &design);
    if (status == EXIT_GOOD)
        status = is_terminal(cli->in) && is_terminal(cli->out) ? explore(cli, &design)
                                                               : report(cli, &design);
    source_close(&design);
    return status;
}

int explore_run(struct cli *cli, int argc, char **argv)
{
    struct arguments arguments;
    int status;

    if (!arguments_read(cli, command_find(""), argc, argv, 1, &arguments, &status))
        return status;
    status = run(cli, &arguments);
    arguments_free(&arguments);
    return status;
}
