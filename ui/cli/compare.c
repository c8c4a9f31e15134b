#include "explore/compare.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "model/derived.h"
#include "report/compare.h"

static const struct option_row compare_options[] = {
    OPTION_FILE, OPTION_HELP, OPTION_JSON, OPTION_MARKDOWN, OPTION_SET, OPTION_END,
};

static int print_comparison(struct cli *cli, const struct arguments *arguments,
                            struct opened_design design[SIDES])
{
    const char *operand[SIDES];
    struct compare_side side[SIDES];
    struct latency_range range[SIDES];
    struct comparison comparison = {.difference_count = 0};
    struct record record;
    struct error error;

    source_name_both(cli, arguments, 0, operand);
    for (int s = 0; s < SIDES; s++) {
        if (source_range(cli, &design[s], &range[s], &error) != STATUS_OK)
            return arguments_problem(cli, "%s", error.message);
        if (derived_add_budget(&design[s].scenario, &design[s].result, DERIVED_BUDGET, &error) !=
            STATUS_OK)
            return arguments_problem(cli, "%s", error.message);
        side[s] = (struct compare_side){&design[s].scenario, &design[s].result, &range[s]};
    }
    compare_designs(side, &comparison);
    record = cli_record(cli, arguments_format(arguments));
    compare_report(&record, &comparison, operand);
    comparison_free(&comparison);
    return EXIT_GOOD;
}

static int run_compare(struct cli *cli, const struct arguments *arguments,
                       struct opened_design *unused)
{
    struct opened_design design[SIDES] = {{.document = NULL}, {.document = NULL}};
    int status = source_open_both(cli, arguments, 0, design);

    (void)unused;
    if (status == EXIT_GOOD)
        status = print_comparison(cli, arguments, design);
    for (int s = 0; s < SIDES; s++)
        source_close(&design[s]);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .operands = "A|- B|-",
    .operand_max = SIDES,
    .help = "Compares two designs, each a file or an AO preset: which knobs differ, what that "
            "changes in every component, which design is faster, and whether by more than the "
            "uncertainty of both.",
    .options = compare_options,
    .group = GROUP_WHAT_IF,
    .anywhere = true,
    .priced = true,
    .run = run_compare,
};
