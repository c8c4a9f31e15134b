#include "cli/eval.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/source.h"

const struct option_row eval_options[] = {
    OPTION_CSV,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    {"strict", NULL, "exit with status 1 when the design is overloaded"},
    OPTION_END,
};

int eval_run(struct cli *cli, int argc, char **argv)
{
    const struct command *command = command_find("eval");
    struct arguments arguments;
    struct design design;
    int status;

    if (!arguments_read(cli, command, argc, argv, 1, &arguments, &status))
        return status;
    if (arguments_has(&arguments, "csv") && arguments_has(&arguments, "json")) {
        arguments_free(&arguments);
        return arguments_usage_error(cli, command, "--csv and --json exclude each other");
    }
    status = source_open(cli, &arguments, arguments_operand(&arguments, 0), &design);
    if (status == EXIT_GOOD)
        status = source_evaluate(cli, &design);
    if (status == EXIT_GOOD) {
        if (arguments_has(&arguments, "json"))
            eval_json(cli->out, &design.scenario, &design.result);
        else if (arguments_has(&arguments, "csv"))
            eval_csv(cli->out, &design.scenario, &design.result);
        else
            report_print(cli->out, &design.scenario, &design.result);
        if (arguments_has(&arguments, "strict") && design.result.overloaded)
            status = EXIT_PROBLEM;
    }
    source_close(&design);
    arguments_free(&arguments);
    return status;
}
