#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file.h"
#include "charts/picture.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "cli/plot.h"
#include "cli/source.h"
#include "command.h"
#include "explore/assumptions.h"
#include "explore/part_values.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/jitter.h"
#include "model/range.h"
#include "report/reports.h"

enum { NAME_MAX_BYTES = 4096 };

static const char *const pictures[] = {"timeline", "components", "roofline"};

enum { PICTURES = sizeof pictures / sizeof pictures[0] };

static const struct option_row eval_options[] = {
    OPTION_CSV,
    OPTION_FILE,
    OPTION_HELP,
    {.name = "jitter",
     .argument = "N",
     .help = "simulate N frames with the jitter and the late wake-ups of each device",
     .least = 1,
     .most = JITTER_FRAMES_MAX},
    OPTION_JSON,
    {.name = "markdown",
     .help = "print a design report in Markdown, with charts beside it if -o FILE.md is given"},
    OPTION_OUTPUT,
    {.name = "packets",
     .help = "print start, end and wait of every packet of every component instead"},
    OPTION_SEED,
    OPTION_SET,
    {.name = "strict",
     .help = "exit with status 1 when the design is overloaded, does not fit the memory or misses "
             "its target"},
    OPTION_END,
};

static const struct option_rule eval_rules[] = {
    {.option = "seed", .other = "jitter"},
    {.option = "csv", .other = "jitter", .excludes = true},
    {.option = "output", .other = "markdown"},
    {.option = "packets", .other = "jitter", .excludes = true},
    {.option = "packets", .other = "markdown", .excludes = true},
    {.option = NULL},
};

/* What is computed besides the result; NULL: not asked for. */
struct extras {
    const struct latency_range *range;
    const struct jitter *jitter;
    const struct assumptions *assumptions;
};

/* Writes "FILE-timeline.svg" for "FILE.md". */
static void picture_name(const char *output, const char *kind, char name[NAME_MAX_BYTES])
{
    size_t length = strlen(output);

    if (length > 3 && strcmp(output + length - 3, ".md") == 0)
        length -= 3;
    snprintf(name, NAME_MAX_BYTES, "%.*s-%s.svg", (int)length, output, kind);
}

static int write_picture(struct cli *cli, const struct arguments *arguments,
                         const struct opened_design *design, const struct plot_kind *kind,
                         const char *name)
{
    struct plotting plotting = {.cli = cli, .arguments = arguments, .design = *design};
    int status = kind->build(&plotting);

    plot_head(&plotting, true);
    if (status == EXIT_GOOD)
        status = arguments_save_picture(cli, name, &plotting.chart);
    chart_free(&plotting.chart);
    return status;
}

/* Prints a file name as a relative URL in angle brackets. */
static void print_link(const char *name, FILE *out)
{
    for (; *name != '\0'; name++)
        if (*name >= ' ' && *name < 0x7F && strchr("<>%\\", *name) == NULL)
            fputc(*name, out);
        else
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*name);
}

/* Writes the charts beside the file and links to them into the file. */
static int add_pictures(struct cli *cli, const struct arguments *arguments,
                        const struct opened_design *design, const char *output, FILE *out)
{
    int status = EXIT_GOOD;

    for (int p = 0; p < PICTURES && status == EXIT_GOOD; p++) {
        const struct plot_kind *kind = plot_kind_find(pictures[p]);
        char name[NAME_MAX_BYTES];
        const char *slash;

        if (kind == NULL)
            continue;
        picture_name(output, kind->name, name);
        status = write_picture(cli, arguments, design, kind, name);
        slash = strrchr(name, '/');
        fprintf(out, "\n![%c%s](<", kind->name[0] - 'a' + 'A', kind->name + 1);
        print_link(slash == NULL ? name : slash + 1, out);
        fputs(">)\n", out);
    }
    return status;
}

static int write_report(struct cli *cli, const char *output, const char *text, size_t length)
{
    struct error error;

    if (file_replace(output, text, length, false, &file_system, &error) != STATUS_OK)
        return arguments_problem(cli, "%s: %s", output, error.message);
    arguments_remark(cli, output, &error);
    return EXIT_GOOD;
}

/* Writes Markdown to a file, and charts beside it that are named after the file. */
static int write_design_report(struct cli *cli, const struct arguments *arguments,
                               const struct opened_design *design, const struct extras *extras,
                               const char *output)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = allocate_stream(&text, &length);
    struct record record = record_to(out, RECORD_MARKDOWN);
    int status;

    eval_report(&record, &design->scenario, &design->result, extras->range, extras->jitter,
                extras->assumptions);
    status = add_pictures(cli, arguments, design, output, out);
    fclose(out);
    if (status == EXIT_GOOD)
        status = write_report(cli, output, text, length);
    free(text);
    return status;
}

static int print_report(struct cli *cli, const struct arguments *arguments,
                        const struct opened_design *design, const struct extras *extras)
{
    const char *output = arguments_output(arguments);
    struct record record = cli_record(cli, arguments_format(arguments));

    if (output != NULL)
        return write_design_report(cli, arguments, design, extras, output);
    eval_report(&record, &design->scenario, &design->result, extras->range, extras->jitter,
                extras->assumptions);
    if (record.format == RECORD_MARKDOWN)
        record_note(&record, "With -o FILE.md, the charts are written beside the report.");
    return EXIT_GOOD;
}

/* Finds the assumptions of a report that lists them. */
static void find_assumptions(struct cli *cli, const struct opened_design *design,
                             struct assumptions *assumptions)
{
    struct part_values *values = part_values_new(cli->catalogue);

    assumptions_find(&design->scenario, &design->result, values, assumptions);
    part_values_free(values);
}

/* Simulates frames, or as many as there is time for until a signal; sets it, or 0. */
static enum status run_frames_alone(struct cli *cli, const struct scenario *scenario,
                                    struct result *result, long frames, uint64_t seed,
                                    struct jitter *jitter, int *signal, struct error *error)
{
    struct shown_work work;
    enum status status;

    shown_work_begin(&work, cli, "of the frames; Ctrl-C keeps them");
    result_watch(result, work.progress);
    status = jitter_run(scenario, result, frames, seed, 0, work.progress, jitter, error);
    *signal = shown_work_keep(&work);
    return status;
}

/* Simulates frames, or as many as there is time for, and returns the exit status. `result` keeps
 * the ends of its range. `jitter` is zeroed. */
static int run_frames(struct cli *cli, const struct scenario *scenario,
                      const struct latency_range *range, struct result *result, long frames,
                      uint64_t seed, struct jitter *jitter)
{
    struct error error;
    enum status status;
    int signal = 0;

    if (cli->current != NULL)
        status = jitter_run(scenario, result, frames, seed, 0, cli->progress, jitter, &error);
    else
        status = run_frames_alone(cli, scenario, result, frames, seed, jitter, &signal, &error);
    result_watch(result, NULL);
    if (status == STATUS_STOPPED && jitter->frames > 0)
        status = evaluate(scenario, result, &error);
    range_set_ends(range, result);
    if (status != STATUS_OK && (signal == 0 || status != STATUS_STOPPED))
        return arguments_problem(cli, "%s", error.message);
    if (signal == 0)
        return EXIT_GOOD;
    arguments_problem(cli, "stopped after %ld of %ld frames", jitter->frames, frames);
    return 128 + signal;
}

/* Returns the exit status of a design that was reported. */
static int strict_status(struct cli *cli, const struct arguments *arguments,
                         const struct result *result)
{
    const char *problem = result->overloaded   ? "is overloaded"
                          : !result->fits      ? "does not fit the memory of a device"
                          : result->margin < 0 ? "misses its target"
                                               : NULL;

    if (!arguments_has(arguments, "strict") || problem == NULL)
        return EXIT_GOOD;
    return arguments_problem(cli, "--strict: the design %s", problem);
}

static int print_packets(struct cli *cli, const struct arguments *arguments,
                         const struct opened_design *design)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    struct error error;

    if (packets_report(&record, &design->scenario, &design->result, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    return strict_status(cli, arguments, &design->result);
}

static int run_eval(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    long frames = (long)arguments_number(arguments, "jitter", 0);
    uint64_t seed = (uint64_t)arguments_number(arguments, "seed", JITTER_SEED);
    struct latency_range range;
    struct jitter jitter = {0};
    struct assumptions assumptions = {0};
    const struct extras extras = {&range, frames > 0 ? &jitter : NULL, &assumptions};
    struct error error;
    int simulated = EXIT_GOOD;
    int status;

    if (arguments_has(arguments, "packets"))
        return print_packets(cli, arguments, design);
    if (source_range(cli, design, &range, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (frames > 0)
        simulated =
            run_frames(cli, &design->scenario, &range, &design->result, frames, seed, &jitter);
    if (simulated == EXIT_PROBLEM || (frames > 0 && jitter.frames == 0))
        return simulated;
    if (arguments_format(arguments) != RECORD_CSV &&
        derived_add_budget(&design->scenario, &design->result,
                           arguments_format(arguments) == RECORD_JSON ? DERIVED_LOOP
                                                                      : DERIVED_BUDGET,
                           &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (arguments_format(arguments) == RECORD_MARKDOWN)
        find_assumptions(cli, design, &assumptions);
    status = print_report(cli, arguments, design, &extras);
    assumptions_free(&assumptions);
    if (status == EXIT_GOOD)
        status = simulated;
    if (status == EXIT_GOOD)
        status = strict_status(cli, arguments, &design->result);
    return status;
}

const struct command command_eval = {
    .name = "eval",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help =
        "Evaluates a design: times, latency, margin and servo lag as text, JSON, CSV or Markdown.",
    .options = eval_options,
    .rules = eval_rules,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .priced = true,
    .input = INPUT_RESULT,
    .run = run_eval,
};
