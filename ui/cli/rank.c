#include <string.h>

#include "base/units.h"
#include "charts/loop.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "cli/source.h"
#include "command.h"
#include "design/knob_table.h"
#include "explore/rank.h"
#include "model/budget.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "report/reports.h"

static const struct option_row rank_options[] = {
    {.name = "by",
     .argument = "ORDER",
     .values = "latency rate latency-tdp nm",
     .help = "latency (the default), rate, latency-tdp or nm"},
    OPTION_CSV,
    {.name = "device",
     .argument = "DEVICE",
     .help = "device to replace; default: the first of the kind that computes, or a new device if "
             "the design has no cpu or gpu"},
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JSON,
    {.name = "keep",
     .help = "keep the values that the design states for the device, such as sockets; otherwise "
             "a preset clears them"},
    OPTION_MARKDOWN,
    OPTION_SET,
    OPTION_END,
};

/* Finds the device to replace, or adds one if the design has none of the kind: not an FPGA, whose
 * presets are figures of whole computers. */
static enum status find_device(struct opened_design *design, const char *name,
                               enum device_kind kind, struct ranking *ranking,
                               struct rank_question *question, struct error *error)
{
    struct scenario *scenario = &design->scenario;
    int component;

    if (kind == DEVICE_FPGA && !rank_has_kind(scenario, kind))
        return error_set(error, STATUS_INVALID,
                         "the design has no fpga; rank fpga replaces one, as in: aolag rank soul "
                         "fpga; cpu and gpu are added where there is none");
    if (name != NULL || rank_has_kind(scenario, kind))
        return rank_device(scenario, kind, name, &question->device, error);
    if (ranking->problem.status != STATUS_OK) {
        *error = ranking->problem;
        return error->status;
    }
    if (rank_add_device(scenario, &design->result, kind, &question->device, &component, error) !=
        STATUS_OK)
        return error->status;
    ranking->moved = scenario->component[component].head.name;
    return STATUS_OK;
}

/* Reads "cpu", "gpu" or "fpga". */
static bool find_kind(const char *word, enum device_kind *kind)
{
    for (int k = DEVICE_CPU; k <= DEVICE_FPGA; k++) {
        *kind = (enum device_kind)k;
        if (strcmp(word, knob_word(KNOB_DEVICE_KIND, k)) == 0)
            return true;
    }
    return false;
}

static bool names_kind(const struct arguments *arguments, const char *operand)
{
    enum device_kind kind;

    (void)arguments;
    return find_kind(operand, &kind);
}

static int check_words(const struct arguments *arguments)
{
    const char *word = arguments->word;
    const char *by = arguments_value(arguments, "by");
    const char *orders[RANK_ORDERS + 1] = {NULL};
    enum rank_order order;
    enum device_kind kind;

    if (!find_kind(word, &kind))
        return arguments_usage_error(
            arguments, "\"%s\" is not cpu, gpu or fpga; as in: aolag rank elt-scao gpu", word);
    if (by == NULL || rank_order_find(by, &order))
        return EXIT_GOOD;
    for (int o = 0; o < RANK_ORDERS; o++)
        orders[o] = rank_order_names[o];
    return arguments_unknown(arguments, "order", by, orders);
}

/* Evaluates the presets, or as many as there is time for until a signal, which it sets, or 0. */
static enum status find_rows(struct cli *cli, struct rank_question question,
                             struct ranking *ranking, int *signal, struct error *error)
{
    struct shown_work work;
    enum status status;

    shown_work_begin(&work, cli, "of the presets; Ctrl-C keeps them");
    status = rank_presets(ranking->scenario, cli->catalogue, question, ranking->order,
                          work.progress, &ranking->rank, error);
    *signal = shown_work_keep(&work);
    return status == STATUS_STOPPED && *signal != 0 ? STATUS_OK : status;
}

static bool has_totals(const struct ranking *ranking)
{
    for (int i = 0; i < ranking->rank.count; i++)
        if (ranking->rank.row[i].total != RESULT_NONE)
            return true;
    return false;
}

/* Says why no preset has a wavefront error with a star. */
static int say_totals_missing(struct cli *cli, const struct opened_design *design)
{
    const struct budget *budget = design->result.budget;
    char reason[200];

    if (budget != NULL && loop_noise_missing(&design->scenario, budget, reason, sizeof reason))
        return arguments_problem(cli, "--by nm takes a star: %s", reason);
    return arguments_problem(cli,
                             "--by nm: no preset has a wavefront error; \"aolag loop\" says why");
}

static int run_rank(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    struct ranking ranking = {.order = RANK_LATENCY};
    enum device_kind kind;
    struct scenario *scenario = &design->scenario;
    const char *name = arguments_value(arguments, "device");
    struct rank_question question = {.keep = arguments_has(arguments, "keep")};
    struct record record;
    struct error error;
    const char *by = arguments_value(arguments, "by");
    int signal = 0;
    int status;

    find_kind(arguments->word, &kind);
    if (by != NULL)
        rank_order_find(by, &ranking.order);
    source_result(cli, &design->result);
    ranking.problem.status = evaluate_design(scenario, &design->result, &ranking.problem);
    ranking.latency = design->result.latency;
    ranking.overloaded = design->result.overloaded;
    ranking.total = ranking.problem.status == STATUS_OK
                        ? derived_star_total(scenario, &design->result)
                        : RESULT_NONE;
    ranking.lag = design->result.loop.lag;
    if (find_device(design, name, kind, &ranking, &question, &error) != STATUS_OK)
        return name != NULL ? arguments_usage_error(arguments, "--device: %s", error.message)
                            : source_problem(cli, design, &error);
    ranking.scenario = scenario;
    ranking.device = &scenario->device[question.device];
    if (ranking.moved == NULL)
        rank_own_labels(scenario, question.device, ranking.own_labels, sizeof ranking.own_labels);
    if (find_rows(cli, question, &ranking, &signal, &error) != STATUS_OK) {
        rank_free(&ranking.rank);
        return source_problem(cli, design, &error);
    }
    if (ranking.rank.count > 0 && ranking.rank.row[0].problem.status != STATUS_OK) {
        status = arguments_problem(cli, "no %s preset makes the design valid: %s",
                                   knob_word(KNOB_DEVICE_KIND, (int)kind),
                                   ranking.rank.row[0].problem.message);
        rank_free(&ranking.rank);
        return status;
    }
    if (ranking.order == RANK_TOTAL && signal == 0 && !has_totals(&ranking)) {
        status = say_totals_missing(cli, design);
        rank_free(&ranking.rank);
        return status;
    }
    record = cli_record(cli, arguments_format(arguments));
    rank_report(&record, &ranking);
    source_note_star(cli, scenario);
    if (signal != 0)
        arguments_problem(cli, "stopped: %d preset%s not evaluated, and not all ranges found",
                          ranking.rank.untried, ranking.rank.untried == 1 ? "" : "s");
    rank_free(&ranking.rank);
    return signal != 0 ? 128 + signal
                       : source_report_unread(
                             cli, 1U << preset_kind_of(&scenario->device[question.device]));
}

const struct command command_rank = {
    .name = "rank",
    .operands = "[DESIGN|-] cpu|gpu|fpga",
    .operand_max = 2,
    .missing = "cpu, gpu or fpga is missing, as in: aolag rank elt-scao gpu",
    .help = "Tries every preset of a kind in place of a device and orders them by latency, frame "
            "rate or latency times power.",
    .options = rank_options,
    .group = GROUP_WHAT_IF,
    .anywhere = true,
    .priced = true,
    .input = INPUT_SCENARIO,
    .is_word = names_kind,
    .check = check_words,
    .run = run_rank,
};
