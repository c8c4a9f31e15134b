#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/random.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "cli/source.h"
#include "command.h"
#include "design/scenario_save.h"
#include "draw/text.h"
#include "explore/calibrate.h"
#include "import/parse.h"
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
    {.name = "run",
     .argument = "FILE|-",
     .help = "what aolag run --json measured: medians, and the spread of frames; may be repeated"},
    {.name = "remove", .help = "remove the calibration of the design"},
    OPTION_SET,
    OPTION_END,
};

static const struct option_rule calibrate_rules[] = {
    {.option = "force", .other = "output"},
    {.option = "remove", .other = "output"},
    {.option = "remove", .other = "measured", .excludes = true},
    {.option = "remove", .other = "from", .excludes = true},
    {.option = "remove", .other = "run", .excludes = true},
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

/* Measurements of the arguments. */
struct measurements {
    struct calibration_measured list[CALIBRATION_MEASURED_MAX];
    /* of a latency in a file of --run: that file, and the latency that it was compared with, s */
    const char *run[CALIBRATION_MEASURED_MAX]; /* NULL: it does not say */
    double predicted[CALIBRATION_MEASURED_MAX];
    int count;
};

static int add_measured(struct cli *cli, const struct calibration_measured *measured,
                        struct measurements *measurements)
{
    if (measurements->count == CALIBRATION_MEASURED_MAX)
        return arguments_problem(cli, "more than %d measurements", CALIBRATION_MEASURED_MAX);
    measurements->list[measurements->count++] = *measured;
    return EXIT_GOOD;
}

/* What a run adds to a latency, of which the time of a component may be wrong at each packet:
 * calls, reading of clocks, caches and branches that other work left cold. Components of a few
 * microseconds at a packet took 1 to 13 times that longer than computed (tests/bench/run). */
#define OWN_TIMES 16
#define SAYS_LITTLE 0.5 /* wrong by more than this part, a time says little of the hardware */

/* Returns how far a median of a run may be wrong, us; of a latency what measuring adds. */
static double resolution(const struct values *tree, bool latency, int packets)
{
    const struct node *overhead = values_member(tree, &tree->node[0], "overhead_us");

    return overhead == NULL || overhead->kind != NODE_NUMBER ? 0
           : latency                                         ? overhead->number
                     : OWN_TIMES * packets * overhead->number;
}

/* Returns the standard deviation of frames from their median and 90th percentile, whose logarithm
 * is taken as normal: how far the median of another run would be, which the frames of one do not
 * say. */
static double frame_spread(double median, const struct node *high)
{
    return high != NULL && high->kind == NODE_NUMBER && high->number > median
               ? expm1(log(high->number / median) / normal_quantile(0.9))
               : 0;
}

/* Returns a spread, or 0, not stated, where it is below what is assumed. */
static double stated_spread(double spread)
{
    return spread > CALIBRATE_SPREAD ? fmin(spread, CALIBRATION_SPREAD_MOST) : 0;
}

#define NOISY 0.25 /* spread of the latencies of a run that is worth a word */

/* Says what makes a run a bad measurement, and what to do. */
static void warn(struct cli *cli, const char *name, const struct values *tree, double spread)
{
    const struct node *late = values_member(tree, &tree->node[0], "late");
    const struct node *frames = values_member(tree, &tree->node[0], "frames");
    struct buffer text = {0};

    if (late != NULL && frames != NULL && late->number > 0)
        buffer_print(&text, "%.0f of %.0f frames were late", late->number, frames->number);
    for (const struct node *one =
             values_first(tree, values_member(tree, &tree->node[0], "conditions"));
         one != NULL; one = values_next(tree, one))
        if (one->kind == NODE_TEXT)
            buffer_print(&text, "%s%s", text.length > 0 ? "; " : "", one->text);
    if (text.length > 0)
        text_line(cli->err, "aolag: note: %s: the run was not as the design says: %s", name,
                  text.bytes);
    if (spread > NOISY)
        text_line(cli->err,
                  "aolag: note: %s: its latencies are %.0f %% apart, and so wide is the range; run "
                  "it again with less other work, and state each file with --run",
                  name, 100 * fmin(spread, CALIBRATION_SPREAD_MOST));
    buffer_free(&text);
}

/* Refuses a run of which another computer stood in for that of the design. */
static int check_machine(struct cli *cli, const char *name, const struct values *tree)
{
    const struct node *machine =
        tree->count == 0 ? NULL : values_member(tree, &tree->node[0], "machine");

    return machine == NULL || machine->kind != NODE_TEXT
               ? EXIT_GOOD
               : arguments_problem(cli,
                                   "%s: it ran on another computer than the design's, %s; state "
                                   "that as a preset, "
                                   "which aolag probe all --save makes, and run again",
                                   name, machine->text);
}

/* Adds what a run measured: the median of each result, and how far its frames are apart. */
static int add_run(struct cli *cli, const char *name, const struct values *tree, int packets,
                   struct measurements *measurements)
{
    const struct node *row =
        tree->count == 0 ? NULL
                         : values_first(tree, values_member(tree, &tree->node[0], "measured"));
    int status = EXIT_GOOD;

    if (row == NULL)
        return arguments_problem(cli, "%s: no \"measured\", which aolag run --json prints", name);
    status = check_machine(cli, name, tree);
    for (; row != NULL && status == EXIT_GOOD; row = values_next(tree, row)) {
        const struct node *path = values_member(tree, row, "result");
        const struct node *median = values_member(tree, row, "p50_us");
        const struct node *predicted = values_member(tree, row, "predicted_us");
        struct calibration_measured measured;
        double spread, wrong;

        if (median != NULL && median->kind == NODE_NULL)
            continue; /* it did nothing */
        if (path == NULL || path->kind != NODE_TEXT || median == NULL ||
            median->kind != NODE_NUMBER || !(median->number > 0 && median->number <= 1e9) ||
            strlen(path->text) >= sizeof measured.path)
            return arguments_problem(
                cli, "%s:%d: a measurement has a result and its p50_us, above 0", name, row->line);
        snprintf(measured.path, sizeof measured.path, "%s", path->text);
        measured.value = 1e-6 * median->number;
        measured.may_miss = strcmp(path->text, "latency") != 0;
        wrong = resolution(tree, !measured.may_miss, packets) / median->number;
        if (measured.may_miss && wrong > SAYS_LITTLE)
            continue;
        spread = frame_spread(median->number, values_member(tree, row, "p90_us"));
        measured.spread = stated_spread(fmax(spread, wrong));
        if (!measured.may_miss)
            warn(cli, name, tree, spread);
        if (!measured.may_miss && predicted != NULL && predicted->kind == NODE_NUMBER &&
            measurements->count < CALIBRATION_MEASURED_MAX) {
            measurements->run[measurements->count] = name;
            measurements->predicted[measurements->count] = 1e-6 * predicted->number;
        }
        status = add_measured(cli, &measured, measurements);
    }
    return status;
}

static int read_run(struct cli *cli, const char *path, int packets,
                    struct measurements *measurements)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    struct problems problems = {0};
    struct values tree = {0};
    size_t length;
    char *bytes;
    int status = source_read(cli, path, PARSE_BYTES_MAX, &bytes, &length);

    if (status != EXIT_GOOD)
        return status;
    if (parse_text(&tree, "run.json", bytes, length, PARSE_PIPELINE, &problems) != STATUS_OK) {
        source_print_problems(cli, cli->err, name, &problems);
        status = EXIT_PROBLEM;
    } else {
        status = add_run(cli, name, &tree, packets, measurements);
    }
    problems_free(&problems);
    values_free(&tree);
    free(bytes);
    return status;
}

/* Reads the measurements of the arguments. */
static int read_measured(struct cli *cli, const struct arguments *arguments, int packets,
                         struct measurements *measurements)
{
    int status = EXIT_GOOD;

    *measurements = (struct measurements){.count = 0};
    for (int i = 0; i < arguments->count && status == EXIT_GOOD; i++) {
        const struct argument *argument = &arguments->list[i];
        struct calibration_measured measured;
        struct error error;

        if (argument->option != NULL && strcmp(argument->option->name, "run") == 0)
            status = read_run(cli, argument->value, packets, measurements);
        if (argument->option == NULL || strcmp(argument->option->name, "measured") != 0)
            continue;
        if (calibration_read_measured(argument->value, &measured, &error) != STATUS_OK)
            return arguments_usage_error(arguments, "--measured: %s", error.message);
        status = add_measured(cli, &measured, measurements);
    }
    return status;
}

/* Calibrates an evaluated design, whose range is known, and finds its range with the factors. */
static enum status calibrate_design(struct cli *cli, struct opened_design *design,
                                    const struct measurements *measured,
                                    struct calibrate *calibrate, struct latency_range *after,
                                    struct error *error)
{
    struct shown_work work;
    enum status status = STATUS_OK;

    *calibrate = (struct calibrate){.count = 0};
    if (measured->count > 0) {
        shown_work_begin(&work, cli, "of the calibration");
        result_watch(&design->result, work.progress);
        status = calibrate_find(&design->scenario, &design->result, measured->list, measured->count,
                                work.progress, calibrate, error);
        result_watch(&design->result, cli->progress);
        shown_work_end(&work);
        if (status == STATUS_OK)
            status = calibrate_state(calibrate, &design->scenario, error);
    }
    return status == STATUS_OK ? source_range(cli, design, after, error) : status;
}

static int report(struct cli *cli, const struct arguments *arguments, struct opened_design *design,
                  const struct measurements *measured, const struct latency_range *before)
{
    struct latency_range *after = allocate(sizeof *after);
    struct calibrate calibrate;
    struct error error;
    int status = EXIT_GOOD;

    if (calibrate_design(cli, design, measured, &calibrate, after, &error) != STATUS_OK)
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

#define SAME 0.01 /* of two predictions of one design */

/* Refuses a run of another design: it was compared with another latency. */
static int check_runs(struct cli *cli, const struct measurements *measured,
                      const struct opened_design *design)
{
    const double latency = design->result.latency;
    int other = 0;
    char now[40], then[40];

    while (other < measured->count &&
           (measured->run[other] == NULL ||
            fabs(measured->predicted[other] - latency) <= SAME * latency))
        other++;
    if (other == measured->count || calibration_stated(&design->scenario))
        return EXIT_GOOD;
    quantity_print(measured->predicted[other], "us", then, sizeof then);
    quantity_print(latency, "us", now, sizeof now);
    return arguments_problem(cli,
                             "%s: its design had a latency of %s, this one has %s; calibrate the "
                             "design that ran, and take that with --from",
                             measured->run[other], then, now);
}

static int run_calibrate(struct cli *cli, const struct arguments *arguments,
                         struct opened_design *design)
{
    struct measurements measured;
    const char *from = arguments_value(arguments, "from");
    struct latency_range *before;
    char why[CALIBRATION_WHY_MAX];
    struct error error;
    int status = read_measured(cli, arguments, scenario_slots(&design->scenario), &measured);

    if (status != EXIT_GOOD)
        return status;
    if (arguments_has(arguments, "remove")) {
        if (!calibration_stated(&design->scenario))
            return arguments_problem(cli, "the design has no calibration");
        calibration_remove(&design->scenario);
        return save(cli, arguments, design);
    }
    if (measured.count == 0 && from == NULL)
        return arguments_usage_error(
            arguments, "nothing is measured; state --measured PATH=VALUE or --run FILE");
    status = source_evaluate(cli, design);
    before = allocate(sizeof *before);
    if (status == EXIT_GOOD && source_range(cli, design, before, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s", error.message);
    if (status == EXIT_GOOD)
        status = check_runs(cli, &measured, design);
    if (status == EXIT_GOOD && from != NULL)
        status = take_from(cli, arguments, from, &design->scenario);
    if (status == EXIT_GOOD && calibration_state(&design->scenario, why) == CALIBRATION_STALE)
        status =
            from != NULL
                ? arguments_problem(cli, "%s: its calibration is stale here: %s", from, why)
                : arguments_problem(cli, "the calibration is stale: %s; --remove removes it", why);
    if (status == EXIT_GOOD)
        status = report(cli, arguments, design, &measured, before);
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
