#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "explore/compare.h"
#include "report/compare.h"

const struct option_row compare_options[] = {
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    OPTION_END,
};

static int compare(struct cli *cli, const struct arguments *arguments,
                   const struct design design[SIDES])
{
    const char *const operand[SIDES] = {arguments_operand(arguments, 0),
                                        arguments_operand(arguments, 1)};
    struct compare_side side[SIDES];
    struct comparison comparison = {.difference_count = 0};
    struct error error;

    for (int s = 0; s < SIDES; s++)
        side[s] = (struct compare_side){&design[s].scenario, &design[s].result};
    if (compare_designs(side, &comparison, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    (arguments_has(arguments, "json") ? compare_json : compare_report)(cli->out, &comparison,
                                                                       operand);
    comparison_free(&comparison);
    return EXIT_GOOD;
}

int compare_run(struct cli *cli, int argc, char **argv)
{
    struct design design[SIDES] = {{.document = NULL}, {.document = NULL}};
    struct arguments arguments;
    int status;

    if (!arguments_read(cli, command_find("compare"), argc, argv, SIDES, &arguments, &status))
        return status;
    status = source_open_both(cli, &arguments, 0, design);
    if (status == EXIT_GOOD)
        status = compare(cli, &arguments, design);
    for (int s = 0; s < SIDES; s++)
        source_close(&design[s]);
    arguments_free(&arguments);
    return status;
}
