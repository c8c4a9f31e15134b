#include "report/explain.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "model/derived.h"
#include "model/result_read.h"

static const struct option_row explain_options[] = {
    {.name = "all",
     .help = "show all levels of inputs, unless --depth is given, and all of many inputs "
             "with the same name"},
    {.name = "depth",
     .argument = "N",
     .help = "levels of inputs to show; default: what fits 40 lines, at least 1; of JSON all",
     .most = EXPLAIN_DEPTH_MAX},
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    OPTION_END,
};

static const struct option_rule explain_rules[] = {
    {.option = "all", .other = "json", .excludes = true}, /* JSON always has all */
    {.option = NULL},
};

/* Explains PATH, or lists every result. */
static int run_explain(struct cli *cli, const struct arguments *arguments,
                       struct opened_design *design)
{
    struct latency_range range;
    struct explain explain = {&design->scenario, &design->result, &range};
    const char *path = arguments->word;
    struct record record = cli_record(cli, arguments_format(arguments));
    struct explain_node node;
    struct result_ref wanted;
    struct error error;
    double depth = arguments_number(arguments, "depth", EXPLAIN_DEPTH_FITS);

    if (path == NULL && (arguments_has(arguments, "all") || arguments_has(arguments, "depth")))
        return arguments_usage_error(arguments, "--all and --depth need a path");
    if (source_range(cli, design, &range, &error) != STATUS_OK ||
        derived_add_budget(&design->scenario, &design->result, DERIVED_LOOP, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (path != NULL && explain_find(&explain, path, &node, &error) != STATUS_OK)
        return arguments_usage_error(arguments, "%s", error.message);
    if (path != NULL &&
        result_find(&design->scenario, &design->result, path, &wanted, NULL) == STATUS_OK &&
        result_missing(&design->result, &wanted, error.message, sizeof error.message))
        return arguments_problem(cli, "%s", error.message);
    record.width = EXPLAIN_COLUMNS;
    explain_report(&record, &explain, path == NULL ? NULL : &node, (int)depth,
                   arguments_has(arguments, "all"));
    return EXIT_GOOD;
}

const struct command command_explain = {
    .name = "explain",
    .operands = "[DESIGN|-] [PATH]",
    .operand_max = 2,
    .help = "Explains a result: its formula and the inputs of the formula, each with value, unit "
            "and origin.",
    .options = explain_options,
    .rules = explain_rules,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .priced = true,
    .input = INPUT_RESULT,
    .is_word = source_is_word,
    .run = run_explain,
};
