#include <stdlib.h>

#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "explore/background.h"
#include "model/flow.h"
#include "report/reports.h"

static const struct option_row flow_options[] = {
    OPTION_CSV, OPTION_FILE, OPTION_HELP, OPTION_JSON, OPTION_MARKDOWN, OPTION_SET, OPTION_END,
};

/* Finds the latency beside telemetry and updates; RESULT_NONE without them, of an overloaded design
 * and if they leave too little of a port, link or memory. */
static enum status find_latency(struct cli *cli, const struct opened_design *design,
                                const struct flow *flow, double *latency, struct error *error)
{
    *latency = RESULT_NONE;
    if (flow->total.recorded + flow->total.updates <= 0 || design->result.overloaded)
        return STATUS_OK;
    return background_latency(flow, &design->scenario, cli->progress, latency, error);
}

static int run_flow(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    struct flow flow = {0};
    struct error error;
    double latency;
    int status = EXIT_GOOD;

    flow_fill(&flow, &design->scenario, &design->result);
    if (find_latency(cli, design, &flow, &latency, &error) == STATUS_OK)
        flow_report(&record, &design->scenario, &design->result, &flow, latency);
    else
        status = arguments_problem(cli, "%s", error.message);
    flow_free(&flow);
    return status;
}

const struct command command_flow = {
    .name = "flow",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help = "Prints the flow of data of a design: what its streams take of ports, links, memories "
            "and disks.",
    .options = flow_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .priced = true,
    .input = INPUT_RESULT,
    .run = run_flow,
};
