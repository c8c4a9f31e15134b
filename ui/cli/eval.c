#include "base/units.h"
#include "cli/arguments.h"
#include "cli/design_report.h"
#include "cli/source.h"
#include "command.h"
#include "report/eval.h"
#include "report/report.h"

#define SEED_MAX 9007199254740991 /* that JSON readers keep */

/* Of --jitter and --seed. */
struct varying {
    long frames; /* 0: none asked for */
    uint64_t seed;
    struct jitter jitter;
};

static bool read_whole(const char *text, double least, double most, double *number)
{
    const char *end;

    return number_parse(text, number, &end) == STATUS_OK && *end == '\0' && *number >= least &&
           *number <= most && *number == (double)(long long)*number;
}

/* NULL, or what is wrong. */
static const char *read_varying(const struct arguments *arguments, struct varying *varying)
{
    const char *frames = arguments_value(arguments, "jitter");
    const char *seed = arguments_value(arguments, "seed");
    double number = JITTER_SEED;

    *varying = (struct varying){0};
    if (frames == NULL)
        return seed == NULL ? NULL : "--seed needs --jitter";
    if (arguments_has(arguments, "csv"))
        return "--csv has no rows for --jitter; --json has";
    if (seed != NULL && !read_whole(seed, 0, SEED_MAX, &number))
        return "--seed takes a whole number from 0 to 9007199254740991";
    varying->seed = (uint64_t)number;
    if (!read_whole(frames, 1, JITTER_FRAMES_MAX, &number))
        return "--jitter takes a number of frames, a whole one from 1 to 1000000";
    varying->frames = (long)number;
    return NULL;
}

const struct option_row eval_options[] = {
    OPTION_CSV,
    OPTION_HELP,
    {"jitter", "N", "run N frames whose times vary, each device's by its jitter"},
    OPTION_JSON,
    {"markdown", NULL, "print a design report as Markdown; with -o FILE.md pictures beside it"},
    OPTION_OUTPUT,
    OPTION_SEED,
    OPTION_SET,
    {"strict", NULL, "exit with status 1 when the design is overloaded"},
    OPTION_END,
};

static int run_varying(struct cli *cli, struct design *design, struct varying *varying)
{
    struct error error;

    if (varying->frames > 0 &&
        jitter_run(&design->scenario, &design->result, varying->frames, varying->seed, NULL,
                   &varying->jitter, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    return EXIT_GOOD;
}

static int print(struct cli *cli, const struct arguments *arguments, const struct design *design,
                 const struct varying *varying)
{
    const struct jitter *jitter = varying->frames > 0 ? &varying->jitter : NULL;

    if (arguments_has(arguments, "markdown"))
        return design_report(cli, arguments, design, jitter, arguments_output(arguments));
    if (arguments_has(arguments, "json")) {
        eval_json(cli->out, &design->scenario, &design->result, jitter);
    } else if (arguments_has(arguments, "csv")) {
        eval_csv(cli->out, &design->scenario, &design->result);
    } else {
        report_print(cli->out, &design->scenario, &design->result);
        if (jitter != NULL)
            report_jitter(cli->out, jitter);
    }
    return EXIT_GOOD;
}

/* NULL, or which options do not go together. */
static const char *read_form(const struct arguments *arguments)
{
    bool csv = arguments_has(arguments, "csv");
    bool json = arguments_has(arguments, "json");
    bool markdown = arguments_has(arguments, "markdown");

    if (csv && json)
        return "--csv and --json exclude each other";
    if (markdown && (csv || json))
        return "--markdown excludes --csv and --json";
    if (arguments_has(arguments, "output") && !markdown)
        return "--output is for --markdown; of the rest, redirect standard output";
    return NULL;
}

int eval_run(struct cli *cli, int argc, char **argv)
{
    const struct command *command = command_find("eval");
    struct arguments arguments;
    struct design design;
    struct varying varying;
    const char *wrong;
    int status;

    if (!arguments_read(cli, command, argc, argv, 1, &arguments, &status))
        return status;
    wrong = read_form(&arguments);
    if (wrong == NULL)
        wrong = read_varying(&arguments, &varying);
    if (wrong != NULL) {
        arguments_free(&arguments);
        return arguments_usage_error(cli, command, "%s", wrong);
    }
    status = source_open(cli, &arguments, arguments_operand(&arguments, 0), &design);
    if (status == EXIT_GOOD)
        status = source_evaluate(cli, &design);
    if (status == EXIT_GOOD)
        status = run_varying(cli, &design, &varying);
    if (status == EXIT_GOOD) {
        status = print(cli, &arguments, &design, &varying);
        if (status == EXIT_GOOD && arguments_has(&arguments, "strict") && design.result.overloaded)
            status = EXIT_PROBLEM;
    }
    source_close(&design);
    arguments_free(&arguments);
    return status;
}
