#include <stdlib.h>

#include "base/allocate.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "explore/controllers.h"
#include "model/budget.h"
#include "report/reports.h"

static const struct option_row loop_options[] = {
    OPTION_CSV, OPTION_FILE, OPTION_HELP, OPTION_JSON, OPTION_MARKDOWN, OPTION_SET, OPTION_END,
};

static int run_loop(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    struct budget *budget = allocate_array(1, sizeof *budget);
    struct controllers controllers;
    struct error error;
    int status = EXIT_GOOD;

    if (budget_fill(budget, &design->scenario, &design->result, BUDGET_ALL, &error) == STATUS_OK) {
        controllers_compare(&design->scenario, &controllers);
        loop_report(&record, &design->scenario, &design->result, budget, &controllers);
    } else {
        status = arguments_problem(cli, "%s", error.message);
    }
    free(budget);
    return status;
}

const struct command command_loop = {
    .name = "loop",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help = "Prints the control loop of a design: gain, margins, the error budget in nm and what "
            "another delay would change.",
    .options = loop_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .input = INPUT_RESULT,
    .run = run_loop,
};
