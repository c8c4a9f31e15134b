#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "design/knob_text.h"
#include "design/notices.h"
#include "draw/text.h"
#include "model/evaluate.h"
#include "model/flow.h"
#include "model/note.h"

static const struct option_row check_options[] = {
    {.name = "file", .letter = 'f', .argument = "FILE", .help = "the file, in place of an operand"},
    OPTION_HELP,
    OPTION_END,
};

/* What is wrong with a design that can be read. */
struct findings {
    const struct document *document; /* NULL: lines are unknown */
    struct problems problems, warnings;
};

static void add_finding(const struct findings *findings, struct problems *list,
                        const char *sentence)
{
    problems_add(list, document_line(findings->document, sentence), "%s", sentence);
}

/* Adds the devices whose memory is too small. */
static void add_unfit(const struct scenario *scenario, const struct result *result,
                      struct findings *findings)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int d = 0; d < result->device_count; d++)
        if (!result->device[d].fits) {
            note_unfit(scenario, result, d, sentence, sizeof sentence);
            add_finding(findings, &findings->problems, sentence);
        }
}

/* Adds what telemetry, updates and the two users of a shared memory overload. */
static void add_flow(const struct scenario *scenario, const struct result *result,
                     struct findings *findings)
{
    struct flow flow = {0};

    flow_fill(&flow, scenario, result);
    for (int i = 0; i < flow.resource_count; i++) {
        char sentence[ERROR_MESSAGE_MAX];

        if (!flow_overload_unseen(&flow.resource[i]))
            continue;
        flow_sentence(scenario, &flow.resource[i], sentence, sizeof sentence);
        add_finding(findings, &findings->problems, sentence);
    }
    flow_free(&flow);
}

/* Adds the components with more threads than cores. */
static void add_crowds(const struct scenario *scenario, struct findings *findings)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int i = 0; i < scenario->component_count; i++)
        if (note_crowded(scenario, i, sentence, sizeof sentence))
            add_finding(findings, &findings->warnings, sentence);
}

/* Adds the shares of devices that are not divided. */
static void add_idle_shares(const struct scenario *scenario, struct findings *findings)
{
    char sentence[ERROR_MESSAGE_MAX];

    if (note_idle_share(scenario, sentence, sizeof sentence))
        add_finding(findings, &findings->warnings, sentence);
}

/* Adds the devices whose rdma reaches no GPU. */
static void add_unused_rdma(const struct scenario *scenario, struct findings *findings)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int d = 0; d < scenario->device_count; d++) {
        if (note_rdma_ingress(scenario, d, sentence, sizeof sentence))
            add_finding(findings, &findings->warnings, sentence);
        if (note_rdma_copy(scenario, d, sentence, sizeof sentence))
            add_finding(findings, &findings->warnings, sentence);
    }
}

/* Adds what has no effect or does not fit together. */
static void add_structure(const struct scenario *scenario, const struct result *result,
                          struct findings *findings)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int at = 0; note_next(scenario, result, &at, sentence, sizeof sentence);)
        add_finding(findings, &findings->warnings, sentence);
}

static int check_design(struct cli *cli, const struct scenario *scenario, struct findings *findings)
{
    struct result result;
    struct error error;
    int status = EXIT_PROBLEM;

    source_result(cli, &result);
    if (evaluate_design(scenario, &result, &error) == STATUS_OK) {
        add_flow(scenario, &result, findings);
        add_unfit(scenario, &result, findings);
        add_crowds(scenario, findings);
        add_idle_shares(scenario, findings);
        add_unused_rdma(scenario, findings);
        add_structure(scenario, &result, findings);
        status = findings->problems.count == 0 ? EXIT_GOOD : EXIT_PROBLEM;
    } else {
        add_finding(findings, &findings->problems, error.message);
    }
    result_free(&result);
    return status;
}

/* Frees the findings and says of a design without problems that it is good, or valid. */
static void end_check(const struct cli *cli, const char *name, int status,
                      struct findings *findings)
{
    if (status == EXIT_GOOD)
        text_line(cli->err, "%s: %s", name,
                  findings->warnings.count == 0 ? "good" : "valid, with warnings");
    problems_free(&findings->problems);
    problems_free(&findings->warnings);
}

/* Checks the design on the screen: its knobs are valid, but its evaluation can fail. */
static int check_current(struct cli *cli)
{
    static const char name[] = "the design on the screen";
    struct findings findings = {.document = NULL};
    int status = check_design(cli, cli->current, &findings);

    for (size_t i = 0; i < findings.problems.count; i++)
        text_line(cli->out, "%s: %s", name, findings.problems.list[i].message);
    for (size_t i = 0; i < findings.warnings.count; i++)
        text_line(cli->out, "%s: warning: %s", name, findings.warnings.list[i].message);
    end_check(cli, name, status, &findings);
    return status;
}

/* Loads a file or, where there are pipes, the contents of one. Returns false, and reports it, if a
 * pipe cannot be read. */
static bool load_checked(struct cli *cli, const char *path, struct scenario *scenario,
                         struct document **document, struct problems *problems, enum status *loaded)
{
    size_t length;
    char *bytes;

    if (!source_is_pipe(cli, path)) {
        *loaded = scenario_load(scenario, document, path, cli->catalogue, problems);
        return true;
    }
    if (source_read(cli, path, INI_BYTES_MAX, &bytes, &length) != EXIT_GOOD)
        return false;
    *loaded = scenario_parse(scenario, document, bytes, length, cli->catalogue, problems);
    free(bytes);
    return true;
}

/* Finds what is wrong with a file that describes a device; returns false for another. */
static bool check_device(struct cli *cli, const char *path, struct problems *problems,
                         enum status *loaded)
{
    struct device *device = allocate(sizeof *device);
    size_t length;
    bool is_device;
    char *bytes;

    is_device = !source_is_pipe(cli, path) &&
                source_read(cli, path, INI_BYTES_MAX, &bytes, &length) == EXIT_GOOD;
    if (is_device) {
        is_device = preset_describes_device(bytes, length);
        if (is_device) {
            problems_free(problems);
            *loaded = preset_read_device(device, bytes, length, problems);
        }
        free(bytes);
    }
    free(device);
    return is_device;
}

/* Checks a file. What is found is the output of this command and goes to standard output; that the
 * file cannot be read is no finding. */
static int check_file(struct cli *cli, const char *path)
{
    struct findings findings = {.document = NULL};
    struct problems notices = {NULL, 0, 0};
    struct document *document = NULL;
    struct scenario scenario;
    int status = EXIT_PROBLEM;
    enum status loaded;

    if (!load_checked(cli, path, &scenario, &document, &findings.problems, &loaded))
        return EXIT_PROBLEM;
    if (loaded == STATUS_INVALID && check_device(cli, path, &findings.problems, &loaded))
        status = loaded == STATUS_OK ? EXIT_GOOD : EXIT_PROBLEM;
    else if (loaded == STATUS_INVALID)
        source_explain_pipeline(path, &findings.problems);
    else if (loaded == STATUS_OK) {
        findings.document = document;
        status = check_design(cli, &scenario, &findings);
        notices_find(document, cli->catalogue, true, &notices);
    }
    source_print_problems(cli, loaded == STATUS_IO ? cli->err : cli->out, path, &findings.problems);
    source_print_notes(cli->out, path, "warning", &findings.warnings);
    source_print_notes(cli->out, path, "note", &notices);
    end_check(cli, path, status, &findings);
    problems_free(&notices);
    document_free(document);
    return status;
}

static int run_check(struct cli *cli, const struct arguments *arguments,
                     struct opened_design *design)
{
    const char *path = arguments_operand(arguments, 0);
    const struct preset *preset;

    (void)design;
    if (path == NULL && cli->current != NULL)
        return check_current(cli);
    if (path == NULL)
        return arguments_usage_error(arguments, "a FILE is missing");
    if (strcmp(path, "-") == 0)
        return arguments_usage_error(arguments,
                                     "- is no file; \"aolag eval -\" checks standard input");
    preset = preset_is_path(path) || access(path, F_OK) == 0
                 ? NULL
                 : catalogue_find(cli->catalogue, path, ~0U, NULL);
    if (preset != NULL && preset->path == NULL)
        return arguments_problem(cli,
                                 "%s is a preset; check reads files, such as those of \"aolag "
                                 "presets show %s >FILE\"",
                                 path, path);
    return check_file(cli, preset != NULL ? preset->path : path);
}

const struct command command_check = {
    .name = "check",
    .operands = "FILE",
    .operand_max = 1,
    .help = "Lists all problems of a file, each with its line and how to correct it.",
    .options = check_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .run = run_check,
};
