#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "cli/source.h"
#include "command.h"
#include "design/scenario_save.h"
#include "draw/text.h"
#include "explore/calibrate.h"
#include "model/calibration.h"
#include "report/reports.h"

static const struct option_row calibrate_options[] = {
    {.name = "force", .help = "replace the file of --output if it exists"},
    {.name = "from",
     .argument = "FILE",
     .help = "begin with the calibration of another design of the same devices"},
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_MARKDOWN,
    {.name = "measured",
     .argument = "PATH=VALUE",
     .help = "a measured result, as latency=512us or component.recon.busy=180us+-5%; may be "
             "repeated"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE|-",
     .help = "write the calibrated design to FILE; -: standard output, in place of the report"},
    {.name = "remove", .help = "remove the calibration of the design"},
    OPTION_SET,
    OPTION_END,
};

static const struct option_rule calibrate_rules[] = {
    {.option = "force", .other = "output"},
    {.option = "remove", .other = "output"},
    {.option = "remove", .other = "measured", .excludes = true},
    {.option = "remove", .other = "from", .excludes = true},
    {.option = NULL},
};

static bool prints_design(const struct arguments *arguments)
{
    const char *output = arguments_value(arguments, "output");

    return output != NULL && strcmp(output, "-") == 0;
}

/* Writes the design, to standard output or to a file. */
static int save(struct cli *cli, const struct arguments *arguments, struct opened_design *design)
{
    const char *output = arguments_output(arguments);
    struct error error;
    enum status status;

    if (prints_design(arguments)) {
        size_t length;
        char *text = scenario_text(&design->scenario, design->document, &length);

        text_lines(cli->out, text);
        free(text);
        return EXIT_GOOD;
    }
    if (output == NULL)
        return EXIT_GOOD;
    status = scenario_save(&design->scenario, design->document, output,
                           arguments_has(arguments, "force"), &error);
    if (status == STATUS_CONFLICT)
        return arguments_problem(cli, "%s exists; --force replaces it", output);
    if (status != STATUS_OK)
        return arguments_problem(cli, "%s: %s", output, error.message);
    arguments_remark(cli, output, &error);
    return EXIT_GOOD;
}

/* Takes the calibration of another design. */
static int take_from(struct cli *cli, const struct arguments *arguments, const char *from,
                     struct scenario *scenario)
{
    struct opened_design other;
    const struct arguments plain = {.cli = cli, .command = arguments->command};
    int status = source_open(cli, &plain, from, &other);

    if (status == EXIT_GOOD && !calibration_stated(&other.scenario))
        status = arguments_problem(cli, "%s has no calibration", from);
    if (status == EXIT_GOOD)
        scenario->calibration = other.scenario.calibration;
    source_close(&other);
    return status;
}

/* Reads the measurements of the arguments. */
static int read_measured(const struct arguments *arguments,
                         struct calibration_measured measured[CALIBRATION_MEASURED_MAX], int *count)
{
    struct error error;

    *count = 0;
    for (int i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->list[i];

        if (argument->option == NULL || strcmp(argument->option->name, "measured") != 0)
            continue;
        if (*count == CALIBRATION_MEASURED_MAX)
            return arguments_usage_error(arguments, "--measured: more than %d",
                                         CALIBRATION_MEASURED_MAX);
        if (calibration_read_measured(argument->value, &measured[*count], &error) != STATUS_OK)
            return arguments_usage_error(arguments, "--measured: %s", error.message);
        ++*count;
    }
    return EXIT_GOOD;
}

/* Calibrates an evaluated design, whose range is known, and finds its range with the factors. */
static enum status calibrate_design(struct cli *cli, struct opened_design *design,
                                    const struct calibration_measured *measured, int count,
                                    struct calibrate *calibrate, struct latency_range *after,
                                    struct error *error)
{
    struct shown_work work;
    enum status status = STATUS_OK;

    *calibrate = (struct calibrate){.count = 0};
    if (count > 0) {
        shown_work_begin(&work, cli, "of the calibration");
        result_watch(&design->result, work.progress);
        status = calibrate_find(&design->scenario, &design->result, measured, count, work.progress,
                                calibrate, error);
        result_watch(&design->result, cli->progress);
        shown_work_end(&work);
        if (status == STATUS_OK)
            status = calibrate_state(calibrate, &design->scenario, error);
    }
    return status == STATUS_OK ? source_range(cli, design, after, error) : status;
}

static int report(struct cli *cli, const struct arguments *arguments, struct opened_design *design,
                  const struct calibration_measured *measured, int count,
                  const struct latency_range *before)
{
    struct latency_range *after = allocate(sizeof *after);
    struct calibrate calibrate;
    struct error error;
    int status = EXIT_GOOD;

    if (calibrate_design(cli, design, measured, count, &calibrate, after, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s", error.message);
    else
        status = save(cli, arguments, design);
    if (status == EXIT_GOOD && !prints_design(arguments)) {
        struct record record = cli_record(cli, arguments_format(arguments));

        calibrate_report(&record, &design->scenario, &calibrate, before, after);
    }
    calibrate_free(&calibrate);
    free(after);
    return status;
}

static int run_calibrate(struct cli *cli, const struct arguments *arguments,
                         struct opened_design *design)
{
    struct calibration_measured measured[CALIBRATION_MEASURED_MAX];
    const char *from = arguments_value(arguments, "from");
    struct latency_range *before;
    char why[CALIBRATION_WHY_MAX];
    struct error error;
    int count;
    int status = read_measured(arguments, measured, &count);

    if (status != EXIT_GOOD)
        return status;
    if (arguments_has(arguments, "remove")) {
        if (!calibration_stated(&design->scenario))
            return arguments_problem(cli, "the design has no calibration");
        calibration_remove(&design->scenario);
        return save(cli, arguments, design);
    }
    if (count == 0 && from == NULL)
        return arguments_usage_error(arguments, "nothing is measured; state --measured PATH=VALUE");
    status = source_evaluate(cli, design);
    before = allocate(sizeof *before);
    if (status == EXIT_GOOD && source_range(cli, design, before, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s", error.message);
    if (status == EXIT_GOOD && from != NULL)
        status = take_from(cli, arguments, from, &design->scenario);
    if (status == EXIT_GOOD && calibration_state(&design->scenario, why) == CALIBRATION_STALE)
        status = arguments_problem(cli, "the calibration is stale: %s; --remove removes it", why);
    if (status == EXIT_GOOD)
        status = report(cli, arguments, design, measured, count, before);
    free(before);
    return status;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help = "Combines the model with measurements of the design: factors of its times, with which "
            "all commands predict from then on.",
    .options = calibrate_options,
    .rules = calibrate_rules,
    .group = GROUP_MACHINE,
    .input = INPUT_SCENARIO,
    .run = run_calibrate,
};
