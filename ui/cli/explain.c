#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "explain/explain.h"
#include "report/explain.h"
#include "report/text.h"

const struct option_row explain_options[] = {
    {"depth", "N", "levels of inputs to show; absent: down to the knobs"},
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    OPTION_END,
};

/* The value of --depth, or no limit. False: it is no number of levels. */
static bool read_depth(const struct arguments *arguments, int *depth)
{
    const char *text = arguments_value(arguments, "depth");
    const char *end;
    double number;

    *depth = EXPLAIN_DEPTH_MAX;
    if (text == NULL)
        return true;
    if (number_parse(text, &number, &end) != STATUS_OK || *end != '\0' || number < 0 ||
        number > EXPLAIN_DEPTH_MAX || number != (int)number)
        return false;
    *depth = (int)number;
    return true;
}

/* PATH, or without one every result there is. */
static int explain_design(struct cli *cli, const struct arguments *arguments, struct design *design,
                          int depth)
{
    struct explain explain = {&design->scenario, &design->result};
    struct explain_node node;
    struct error error;

    if (arguments_operand(arguments, 0) == NULL) {
        explain_list(cli->out, &explain, arguments_has(arguments, "json"));
        return EXIT_GOOD;
    }
    if (explain_find(&explain, arguments_operand(arguments, 0), &node, &error) != STATUS_OK)
        return arguments_usage_error(cli, arguments->command, "%s", error.message);
    if (arguments_has(arguments, "json"))
        explain_json(cli->out, &explain, &node, depth);
    else
        explain_text(cli->out, &explain, &node, depth, EXPLAIN_COLUMNS, locale_is_unicode());
    return EXIT_GOOD;
}

int explain_run(struct cli *cli, int argc, char **argv)
{
    const struct command *command = command_find("explain");
    struct arguments arguments;
    struct design design;
    int depth;
    int status;

    if (!arguments_read(cli, command, argc, argv, 2, &arguments, &status))
        return status;
    if (!read_depth(&arguments, &depth)) {
        arguments_free(&arguments);
        return arguments_usage_error(cli, command, "--depth takes a number of levels, 0 to %d",
                                     EXPLAIN_DEPTH_MAX);
    }
    status = source_open(cli, &arguments, arguments_operand(&arguments, 1), &design);
    if (status == EXIT_GOOD)
        status = source_evaluate(cli, &design);
    if (status == EXIT_GOOD)
        status = explain_design(cli, &arguments, &design, depth);
    source_close(&design);
    arguments_free(&arguments);
    return status;
}
