#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "cli/arguments.h"
#include "cli/measure.h"
#include "command.h"
#include "design/preset.h"
#include "explore/pipelines.h"
#include "explore/published.h"
#include "probe/kernels.h"
#include "probe/machine_preset.h"
#include "probe/predict.h"
#include "report/reports.h"

static const struct option_row validate_options[] = {
    OPTION_CSV,
    {.name = "from",
     .argument = "FILE|-",
     .help = "with --kernels: measure nothing; predict the points that --csv printed into FILE; -: "
             "standard input"},
    {.name = "gpu", .help = "with --kernels: those of aolag probe gpu, on the OpenCL device"},
    OPTION_HELP,
    OPTION_JSON,
    {.name = "kernels", .help = "predict kernels of an AO loop and measure them on this machine"},
    OPTION_MARKDOWN,
    {.name = "pipelines", .help = "predict the measured pipelines that come with aolag"},
    {.name = "preset",
     .argument = "PRESET",
     .help = "with --kernels: predict for this device instead of a quick probe of the machine"},
    {.name = "published", .help = "predict the published measurements that come with aolag"},
    OPTION_END,
};

static const struct option_rule validate_rules[] = {
    {.option = "kernels", .other = "published", .excludes = true},
    {.option = "kernels", .other = "pipelines", .excludes = true},
    {.option = "published", .other = "pipelines", .excludes = true},
    {.option = "preset", .other = "kernels"},
    {.option = "gpu", .other = "kernels"},
    {.option = "from", .other = "kernels"},
    {.option = "from", .other = "csv", .excludes = true},
    {.option = "csv", .other = "published", .excludes = true},
    {.option = NULL},
};

static int validate_published(struct cli *cli, const struct arguments *arguments)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    struct published published;
    struct error error;
    bool met = true;

    if (published_open(&published, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    for (int use = 0; use < PUBLISHED_GOALS; use++)
        met = published_summarise(&published, (enum published_use)use).met && met;
    validate_published_report(&record, &published, met);
    published_free(&published);
    return met ? EXIT_GOOD : EXIT_PROBLEM;
}

static int validate_pipelines(struct cli *cli, const struct arguments *arguments)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    struct pipelines pipelines;
    struct error error;
    bool met = true;

    if (pipelines_open(&pipelines, NULL, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    for (int g = 0; g < 2; g++) {
        const enum pipelines_group group = g == 0 ? pipelines_headline(&pipelines) : PIPELINES_SEEN;
        const struct pipelines_summary summary = pipelines_summarise(&pipelines, group, 0);

        met = pipelines_goal_met(&summary, &pipelines_goals[group]) && met;
    }
    validate_pipelines_report(&record, &pipelines, met);
    pipelines_free(&pipelines);
    return met ? EXIT_GOOD : EXIT_PROBLEM;
}

static int print_kernels(struct cli *cli, const struct arguments *arguments,
                         const struct measure *measure, const struct device *device)
{
    const struct measurement *measurement = &measure->probed.measurement;
    const char *from = arguments_value(arguments, "from");
    const char *where = "this machine";
    struct record record = cli_record(cli, arguments_format(arguments));
    struct prediction prediction;
    struct error error;

    if (predict_kernels(&prediction, measurement, device, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (from != NULL && prediction.count == 0) {
        prediction_free(&prediction);
        return arguments_problem(cli, "%s: it has no kernels of a %s",
                                 strcmp(from, "-") == 0 ? "standard input" : from,
                                 device->kind == DEVICE_GPU ? "GPU" : "CPU");
    }
    if (device->kind == DEVICE_GPU)
        where = from == NULL ? "this machine's GPU" : measurement->condition[CONDITION_GPU];
    else if (from != NULL)
        where = measurement->condition[CONDITION_CPU];
    if (measure->csv == NULL)
        validate_kernels_report(&record, &prediction, arguments_value(arguments, "preset"), where);
    prediction_free(&prediction);
    return EXIT_GOOD;
}

/* Runs the kernels of every system with the samples of a quick run. */
static enum status run_kernels(struct probe *probe, struct error *error)
{
    struct probe all = *probe;

    all.quick = false;
    return probe_kernels(&all, error);
}

static double kernels_seconds(const struct probe *probe)
{
    (void)probe;
    return 45;
}

/* Measures the kernels and, without a named device, the other parts before them; both are one part
 * of a GPU. */
static void run_parts(struct measure *measure, bool probed, bool gpu)
{
    struct probe_part parts[MEASUREMENT_PARTS];
    int count = 0;

    if (gpu) {
        measure_run(measure, &probe_part_gpu, 1);
        return;
    }
    for (int i = 0; probed && i < probe_part_count; i++)
        parts[count++] = probe_parts[i];
    parts[count] = probe_part_kernels;
    parts[count].seconds = kernels_seconds;
    parts[count++].run = run_kernels;
    measure_run(measure, parts, count);
}

/* Predicts the points for a device or, if it is to be `found`, for the one that they measure. */
static int predict_points(struct cli *cli, const struct arguments *arguments,
                          const struct measure *measure, struct device *device, bool found)
{
    const char *from = arguments_value(arguments, "from");
    const bool gpu = arguments_has(arguments, "gpu");
    struct error error;

    if (gpu && from == NULL && measure->probed.measurement.count == 0)
        return EXIT_PROBLEM;
    if (found &&
        machine_device(&measure->probed.measurement, device, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (from != NULL && gpu != (device->kind == DEVICE_GPU))
        return arguments_problem(cli, "--from %s: the points are those of a %s", from,
                                 gpu ? "CPU; leave out --gpu" : "GPU; --gpu is missing");
    return print_kernels(cli, arguments, measure, device);
}

static int measure_and_report(struct cli *cli, const struct arguments *arguments,
                              const struct device *preset)
{
    const char *from = arguments_value(arguments, "from");
    const bool gpu = arguments_has(arguments, "gpu");
    struct measure measure;
    struct device *device = allocate_array(1, sizeof *device);
    int status = EXIT_GOOD, failed;

    measure_open(&measure, true, cli->err);
    if (from != NULL) {
        status = measure_read(&measure, cli, from);
    } else {
        if (arguments_has(arguments, "csv"))
            measure.csv = cli->out;
        run_parts(&measure, preset == NULL, gpu);
        measure_keep(&measure, cli->err);
        cli->output_error = measure.csv_error;
    }
    if (preset != NULL)
        *device = *preset;
    if (status == EXIT_GOOD)
        status = predict_points(cli, arguments, &measure, device, preset == NULL);
    failed = measure_status(&measure, cli);
    measure_close(&measure);
    free(device);
    return failed != EXIT_GOOD ? failed : status;
}

static int validate_kernels(struct cli *cli, const struct arguments *arguments)
{
    const char *preset = arguments_value(arguments, "preset");
    const struct device *device = NULL;
    struct catalogue *catalogue;
    struct error error;
    int status;

    if (cli->current != NULL)
        return arguments_problem(
            cli, "this would block the screen for minutes; the view Machine measures the "
                 "kernels in the background (7, then r)");
    if (catalogue_open(&catalogue, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (preset != NULL && catalogue_device(catalogue, preset, &device, &error) != STATUS_OK)
        status = arguments_problem(cli, "--preset: %s", error.message);
    else if (device != NULL && device->kind == DEVICE_GPU && !arguments_has(arguments, "gpu"))
        status = arguments_problem(cli,
                                   "--preset: %s is a GPU; the kernels run on this machine's cores "
                                   "without --gpu",
                                   preset);
    else if (device != NULL && device->kind != DEVICE_GPU && arguments_has(arguments, "gpu"))
        status = arguments_problem(cli, "--preset: %s is no GPU, on which --gpu runs the kernels",
                                   preset);
    else
        status = measure_and_report(cli, arguments, device);
    catalogue_close(catalogue);
    return status;
}

static int run_validate(struct cli *cli, const struct arguments *arguments,
                        struct opened_design *design)
{
    (void)design;
    if (arguments_has(arguments, "kernels"))
        return validate_kernels(cli, arguments);
    if (arguments_has(arguments, "published"))
        return validate_published(cli, arguments);
    if (arguments_has(arguments, "pipelines"))
        return validate_pipelines(cli, arguments);
    return arguments_usage_error(
        arguments,
        "--published, --pipelines or --kernels is missing, as in: aolag validate --published");
}

const struct command command_validate = {
    .name = "validate",
    .operands = "--published\n--pipelines\n--kernels [--gpu]",
    .help = "Compares the model with measurements: predicted and measured times and their ratio.",
    .options = validate_options,
    .rules = validate_rules,
    .group = GROUP_MACHINE,
    .anywhere = true,
    .run = run_validate,
};
