#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "cli/source.h"
#include "command.h"
#include "design/assign.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "explore/controllers.h"
#include "explore/seek.h"
#include "report/reports.h"

static const struct option_row seek_options[] = {
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    {.name = "until",
     .argument = "CONDITION",
     .help = "condition to meet, for example 'latency<=800us'; default: latency within the target "
             "and load<=1"},
    OPTION_END,
};

/* Says what of the time of the controller that is the answer is not counted. */
static void note_uncounted(const struct cli *cli, const struct scenario *scenario,
                           const struct seek *seek)
{
    struct scenario *answer;
    struct error ignored;

    if (!seek->found || !controllers_depend(scenario, seek->ref))
        return;
    answer = allocate(sizeof *answer);
    scenario_copy(answer, scenario);
    if (knob_set_text(answer, seek->ref, seek->answer.text, &ignored) == STATUS_OK &&
        controllers_uncounted(answer) != NULL)
        text_line(cli->err, "aolag: note: the controller %s: %s",
                  knob_word(KNOB_AO_CONTROLLER, answer->ao.controller),
                  controllers_uncounted(answer));
    free(answer);
}

static int print_report(struct cli *cli, const struct arguments *arguments,
                        const struct scenario *scenario, const struct seek *seek)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    char sentence[SEEK_SENTENCE_MAX];

    if (record_is_data(&record) || seek_feasible(seek))
        seek_report(&record, scenario, seek);
    if (seek_feasible(seek)) {
        note_uncounted(cli, scenario, seek);
        return EXIT_GOOD;
    }
    seek_infeasible(scenario, seek, sentence, sizeof sentence);
    return arguments_problem(cli, "%s", sentence);
}

/* Refuses a second --until, which would silently replace the first. */
static int check_until(const struct arguments *arguments)
{
    int given = 0;

    for (int i = 0; i < arguments->count; i++)
        given += arguments->list[i].option != NULL &&
                 strcmp(arguments->list[i].option->name, "until") == 0;
    if (given <= 1)
        return EXIT_GOOD;
    return arguments_usage_error(arguments,
                                 "--until is given twice; join conditions by a comma, as in "
                                 " 'latency<=800us,load<=0.9'");
}

/* Reads the knob and the conditions. */
static int read_question(struct cli *cli, const struct arguments *arguments,
                         struct opened_design *design, struct knob_ref *ref,
                         struct conditions *conditions)
{
    const char *path = arguments->word;
    const char *until = arguments_value(arguments, "until");
    const struct scenario *scenario = &design->scenario;
    const struct assignments set = {arguments->assignments, arguments->assignment_count};
    struct scenario *sample = allocate(sizeof *sample);
    struct error error;
    int status = EXIT_GOOD;

    source_result(cli, &design->result);
    if (strchr(path, '=') != NULL)
        status = arguments_usage_error(
            arguments, "seek finds values of a knob itself: give its path alone, as in %.*s",
            (int)strcspn(path, "="), path);
    else if (knob_find_one(scenario, path, ref, &error) != STATUS_OK)
        status = arguments_usage_error(arguments, "%s: %s", path, error.message);
    else if (seek_check(scenario, *ref, &error) != STATUS_OK)
        status = arguments_usage_error(arguments, "%s", error.message);
    else if (seek_sample(scenario, cli->catalogue, *ref, sample, &design->result, &error) !=
             STATUS_OK)
        status = source_problem(cli, design, &error);
    else if (conditions_parse(sample, &design->result, until != NULL ? until : CONDITIONS_DEFAULT,
                              conditions, &error) != STATUS_OK)
        status = arguments_usage_error(arguments, "--until: %s", error.message);
    if (status == EXIT_GOOD) {
        if (ref->knob == &knobs[KNOB_WFS_MAGNITUDE]) /* stated in all designs tried */
            sample->wfs[ref->index].magnitude = 0;
        source_note_star(cli, sample);
        if ((conditions_derived(conditions) & DERIVED_LOOP) != 0)
            source_note_photons(cli, sample, *ref);
    }
    free(sample);
    if (status == EXIT_GOOD)
        scenario_drop_stale(&design->scenario, ref, 1, &set);
    return status;
}

/* Seeks; a terminal shows how much is done. */
static enum status seek_shown(struct cli *cli, struct opened_design *design, struct knob_ref ref,
                              const struct conditions *conditions, struct seek *seek,
                              struct error *error)
{
    struct shown_work work;
    enum status status;

    shown_work_begin(&work, cli, "of the search");
    status =
        seek_knob(&design->scenario, cli->catalogue, ref, conditions, work.progress, seek, error);
    shown_work_end(&work);
    return status;
}

static int run_seek(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    const struct scenario *scenario = &design->scenario;
    struct conditions conditions;
    struct knob_ref ref;
    struct error error;
    struct seek seek;
    int status;

    status = read_question(cli, arguments, design, &ref, &conditions);
    if (status != EXIT_GOOD)
        return status;
    if (seek_shown(cli, design, ref, &conditions, &seek, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    status = print_report(cli, arguments, scenario, &seek);
    seek_free(&seek);
    return status;
}

const struct command command_seek = {
    .name = "seek",
    .operands = "[DESIGN|-] KNOB",
    .operand_max = 2,
    .missing = "a knob is missing, as in: aolag seek elt-scao device.rtc.cores",
    .help = "Solves for one knob: the value from which a condition is met, or how far the knob may "
            "move before the condition fails. KNOB is for example device.rtc.cores.",
    .options = seek_options,
    .group = GROUP_WHAT_IF,
    .anywhere = true,
    .priced = true,
    .input = INPUT_SCENARIO,
    .is_word = source_is_word,
    .check = check_until,
    .run = run_seek,
};
