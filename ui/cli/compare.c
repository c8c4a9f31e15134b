#include "explore/compare.h"

#include <string.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/compare_report.h"
#include "cli/source.h"

const struct option_row compare_options[] = {
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    OPTION_END,
};

/* Opens and evaluates both; what is wrong is said of the one it is wrong in. */
static int open_both(struct cli *cli, const struct arguments *arguments,
                     struct design design[SIDES])
{
    static const char *const subject[SIDES] = {"A", "B"};
    int status = EXIT_GOOD;

    for (int s = 0; s < SIDES && status == EXIT_GOOD; s++) {
        struct cli of = *cli;

        of.subject = subject[s];
        status = source_open(&of, arguments, arguments_operand(arguments, s), &design[s]);
        if (status == EXIT_GOOD)
            status = source_evaluate(&of, &design[s]);
    }
    return status;
}

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
    const struct command *command = command_find("compare");
    struct design design[SIDES] = {{.document = NULL}, {.document = NULL}};
    struct arguments arguments;
    int status;

    if (!arguments_read(cli, command, argc, argv, SIDES, &arguments, &status))
        return status;
    if (arguments_operand(&arguments, 1) == NULL)
        status = arguments_usage_error(
            cli, command, "two designs are needed, A and B, as in: aolag compare elt-scao mavis");
    else if (strcmp(arguments_operand(&arguments, 0), "-") == 0 &&
             strcmp(arguments_operand(&arguments, 1), "-") == 0)
        status = arguments_usage_error(cli, command, "only one of both comes from standard input");
    else
        status = open_both(cli, &arguments, design);
    if (status == EXIT_GOOD)
        status = compare(cli, &arguments, design);
    for (int s = 0; s < SIDES; s++)
        source_close(&design[s]);
    arguments_free(&arguments);
    return status;
}
