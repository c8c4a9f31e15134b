#include "explore/advise.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "cli/source.h"
#include "command.h"
#include "report/reports.h"

static const struct option_row advise_options[] = {
    {.name = "all", .help = "list all steps, including those without gain, and all sensitivities"},
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    OPTION_END,
};

static const struct option_rule advise_rules[] = {
    {.option = "all", .other = "json", .excludes = true}, /* JSON always has all */
    {.option = NULL},
};

/* Part of the advice being computed. */
struct advising {
    struct progress_line line;
    enum advise_part part;
};

static bool show_progress(void *context, double done)
{
    struct advising *advising = context;

    if (done >= 0)
        progress_line_draw(&advising->line, "advise: %s %.0f %%", advise_part_names[advising->part],
                           100 * done);
    return long_run_signal() == 0;
}

/* Computes all parts, or until a signal. */
static int run_parts(struct cli *cli, struct advise *advise, int *parts)
{
    struct advising advising = {progress_line_to(cli->err, true), ADVISE_RANGE};
    const struct progress progress = {show_progress, &advising};
    struct error error;
    enum status status = STATUS_OK;

    for (*parts = 0; *parts < ADVISE_PARTS; ++*parts) {
        advising.part = (enum advise_part) * parts;
        status = advise_find(advise, advising.part, &progress, &error);
        if (status != STATUS_OK)
            break;
    }
    progress_line_clear(&advising.line);
    if (status == STATUS_OK)
        return EXIT_GOOD;
    if (status != STATUS_STOPPED)
        return arguments_problem(cli, "%s", error.message);
    arguments_problem(cli, "stopped while computing %s; the rest is left out",
                      advise_part_names[advising.part]);
    return 128 + long_run_signal();
}

static int run_advise(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    struct part_values *part_values = part_values_new(cli->catalogue);
    struct advise *advise;
    struct error error;
    int parts;
    int status;

    if (advise_new(&advise, &design->scenario, part_values, NULL, &error) != STATUS_OK) {
        part_values_free(part_values);
        return arguments_problem(cli, "%s", error.message);
    }
    long_run_open();
    status = run_parts(cli, advise, &parts);
    long_run_close();
    if (status != EXIT_PROBLEM) {
        struct record record = cli_record(cli, arguments_format(arguments));

        advise_report(&record, advise, arguments_has(arguments, "all"), parts);
        source_note_star(cli, &design->scenario);
    }
    advise_free(advise);
    part_values_free(part_values);
    return status == EXIT_GOOD ? source_report_unread(cli, PRESET_DESIGNS | PRESET_DEVICES)
                               : status;
}

const struct command command_advise = {
    .name = "advise",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help = "Ranks single changes by how much they reduce the latency; finds the best division of "
            "the devices, the best number of packets, and changes that meet the target.",
    .options = advise_options,
    .rules = advise_rules,
    .group = GROUP_WHAT_IF,
    .priced = true,
    .input = INPUT_RESULT,
    .run = run_advise,
};
