#include <string.h>

#include "base/nearest.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "design/knob.h"
#include "explore/rank.h"
#include "model/evaluate.h"
#include "report/json.h"
#include "report/rank.h"
#include "report/text.h"

#define RANK_SCHEMA 1
#define US 1e6
#define CELL 80
#define COLUMNS 100 /* more than a report's: names of presets are long */

const struct option_row rank_options[] = {
    {"by", "ORDER", "latency (the default), rate or latency-tdp"},
    OPTION_CSV,
    {"device", "NAME",
     "the device to be replaced; absent: the first of the kind that computes, or where there is "
     "none of the kind one that is added"},
    OPTION_HELP,
    OPTION_JSON,
    {"keep", NULL, "keep what the scenario states of the device, as sockets; a preset clears it"},
    OPTION_SET,
    OPTION_END,
};

static bool uncertainties_differ(const struct rank *rank)
{
    double first = 0;

    for (int i = 0; i < rank->count; i++) {
        if (rank->row[i].problem.status != STATUS_OK)
            continue;
        if (first != 0 && rank->row[i].uncertainty != first)
            return true;
        first = rank->row[i].uncertainty;
    }
    return false;
}

/* Data ---------------------------------------------------------------------------------------- */

/* Numbers of a row, in the order of JSON and CSV. */
enum { NUMBERS = 7 };
static const char *const number_keys[NUMBERS] = {
    "latency_us", "uncertainty_factor", "margin_us", "max_frame_rate_hz", "load",
    "tdp_w",      "latency_tdp_mj"};

static void numbers_of(const struct ranked *row, double numbers[NUMBERS])
{
    bool power = row->tdp != RESULT_NONE;
    bool valid = row->problem.status == STATUS_OK;
    const double all[NUMBERS] = {row->latency * US,
                                 row->uncertainty,
                                 row->margin * US,
                                 row->max_frame_rate,
                                 row->load,
                                 row->tdp,
                                 power ? row->latency_tdp * 1e3 : RESULT_NONE};

    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = valid ? all[i] : RESULT_NONE;
}

static void row_json(struct json *json, const struct ranked *row, int place)
{
    bool valid = row->problem.status == STATUS_OK;
    double numbers[NUMBERS];

    numbers_of(row, numbers);
    json_object(json, NULL);
    if (valid)
        json_number(json, "place", place);
    else
        json_null(json, "place");
    json_text(json, "preset", row->preset->name);
    json_text(json, "title", row->title);
    json_bool(json, "present", row->present);
    for (int i = 0; i < NUMBERS; i++)
        json_number(json, number_keys[i], numbers[i]);
    json_text(json, "limit", valid && row->limit[0] != '\0' ? row->limit : NULL);
    json_bool(json, "overloaded", valid && row->overloaded);
    if (valid && row->bound_node[0] != '\0') {
        json_object(json, "bound");
        json_text(json, "component", row->bound_node);
        json_text(json, "by", bound_name(row->bound));
        json_object_end(json);
    } else {
        json_null(json, "bound");
    }
    json_text(json, "problem", valid ? NULL : row->problem.message);
    json_object_end(json);
}

static void print_json(FILE *out, const struct ranking *ranking)
{
    struct json json = json_to(out);
    bool now = ranking->problem.status == STATUS_OK;

    json_object(&json, NULL);
    json_number(&json, "schema", RANK_SCHEMA);
    json_text(&json, "title", ranking->scenario->general.title);
    json_text(&json, "device", ranking->device->head.name);
    json_text(&json, "kind", knob_word(KNOB_DEVICE_KIND, ranking->device->kind));
    json_text(&json, "by", rank_order_name(ranking->order));
    json_text(&json, "added_for", ranking->moved);
    json_bool(&json, "keep", ranking->rank.question.keep);
    json_number(&json, "target_latency_us", ranking->scenario->general.target_latency * US);
    json_text(&json, "present_preset",
              ranking->device->preset[0] != '\0' ? ranking->device->preset : NULL);
    json_number(&json, "present_latency_us", now ? ranking->latency * US : RESULT_NONE);
    json_array(&json, "presets");
    for (int i = 0; i < ranking->rank.count; i++)
        row_json(&json, &ranking->rank.row[i], i + 1);
    json_array_end(&json);
    json_object_end(&json);
}

static void print_csv(FILE *out, const struct ranking *ranking)
{
    fputs("place,preset,present", out);
    for (int i = 0; i < NUMBERS; i++)
        fprintf(out, ",%s", number_keys[i]);
    fputs(",limit,overloaded,bound_component,bound_by,problem\n", out);
    for (int i = 0; i < ranking->rank.count; i++) {
        const struct ranked *row = &ranking->rank.row[i];
        bool valid = row->problem.status == STATUS_OK;
        bool bound = valid && row->bound_node[0] != '\0';
        double numbers[NUMBERS];

        numbers_of(row, numbers);
        if (valid)
            fprintf(out, "%d", i + 1);
        fprintf(out, ",%s,%s", row->preset->name, row->present ? "true" : "false");
        for (int n = 0; n < NUMBERS; n++) {
            char digits[40] = "";

            if (numbers[n] != RESULT_NONE)
                number_format(numbers[n], digits, sizeof digits);
            fprintf(out, ",%s", digits);
        }
        fprintf(out, ",%s,%s,%s,%s,", valid ? row->limit : "",
                valid && row->overloaded ? "true" : "false", bound ? row->bound_node : "",
                bound ? bound_name(row->bound) : "");
        text_csv(out, valid ? NULL : row->problem.message);
        fputc('\n', out);
    }
}

/* The command --------------------------------------------------------------------------------- */

/* The device in question: the design's, or one that is added where it has none of the kind. */
static enum status find_device(struct design *design, const char *name, enum device_kind kind,
                               struct ranking *ranking, struct rank_question *question,
                               struct error *error)
{
    struct scenario *scenario = &design->scenario;
    int component;

    if (name != NULL || rank_has_kind(scenario, kind))
        return rank_device(scenario, kind, name, &question->device, error);
    if (ranking->problem.status != STATUS_OK) {
        *error = ranking->problem;
        return error->status;
    }
    if (rank_add_guest(scenario, &design->result, kind, &question->device, &component, error) !=
        STATUS_OK)
        return error->status;
    ranking->moved = scenario->component[component].head.name;
    return STATUS_OK;
}

static int run(struct cli *cli, const struct arguments *arguments, struct design *design,
               struct ranking *ranking, enum device_kind kind)
{
    struct scenario *scenario = &design->scenario;
    const char *name = arguments_value(arguments, "device");
    struct rank_question question = {.keep = arguments_has(arguments, "keep")};
    struct error error;
    int status;

    if (result_init(&design->result, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    ranking->problem.status = evaluate(scenario, &design->result, &ranking->problem);
    ranking->latency = design->result.latency;
    ranking->overloaded = design->result.overloaded;
    if (find_device(design, name, kind, ranking, &question, &error) != STATUS_OK)
        return name != NULL
                   ? arguments_usage_error(cli, arguments->command, "--device: %s", error.message)
                   : arguments_problem(cli, "%s", error.message);
    ranking->scenario = scenario;
    ranking->device = &scenario->device[question.device];
    if (ranking->moved == NULL)
        rank_own_keys(scenario, question.device, ranking->own, sizeof ranking->own);
    if (rank_presets(scenario, cli->catalogue, question, ranking->order, NULL, &design->result,
                     &ranking->rank, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (ranking->rank.count > 0 && ranking->rank.row[0].problem.status != STATUS_OK) {
        status = arguments_problem(cli, "no %s preset gives the design a meaning: %s",
                                   knob_word(KNOB_DEVICE_KIND, (int)kind),
                                   ranking->rank.row[0].problem.message);
        rank_free(&ranking->rank);
        return status;
    }
    ranking->differ = uncertainties_differ(&ranking->rank);
    if (arguments_has(arguments, "json"))
        print_json(cli->out, ranking);
    else if (arguments_has(arguments, "csv"))
        print_csv(cli->out, ranking);
    else
        rank_print_text(cli->out, ranking);
    rank_free(&ranking->rank);
    return EXIT_GOOD;
}

/* Options and the kind; EXIT_GOOD where they make sense. */
static int read_question(struct cli *cli, const struct arguments *arguments,
                         struct ranking *ranking, enum device_kind *kind)
{
    const char *word = arguments_operand(arguments, 0);
    const char *by = arguments_value(arguments, "by");
    struct nearest nearest = nearest_to(by != NULL ? by : "");

    if (arguments_has(arguments, "csv") && arguments_has(arguments, "json"))
        return arguments_usage_error(cli, arguments->command,
                                     "--csv and --json exclude each other");
    if (word == NULL || (strcmp(word, "cpu") != 0 && strcmp(word, "gpu") != 0))
        return arguments_usage_error(
            cli, arguments->command, "%s%s%s; as in: aolag rank gpu elt-scao",
            word == NULL ? "which presets, cpu or gpu" : "\"", word == NULL ? "" : word,
            word == NULL ? "" : "\" is neither cpu nor gpu");
    *kind = strcmp(word, "cpu") == 0 ? DEVICE_CPU : DEVICE_GPU;
    if (by == NULL || rank_order_find(by, &ranking->order))
        return EXIT_GOOD;
    for (int o = 0; o < RANK_ORDERS; o++)
        nearest_offer(&nearest, rank_order_name((enum rank_order)o));
    return arguments_usage_error(cli, arguments->command,
                                 "--by: \"%s\" is no order%s%s; they are latency, rate and "
                                 "latency-tdp",
                                 by, nearest.best[0] != '\0' ? ", did you mean " : "",
                                 nearest.best);
}

int rank_run(struct cli *cli, int argc, char **argv)
{
    struct ranking ranking = {.order = RANK_LATENCY};
    struct arguments arguments;
    struct design design;
    enum device_kind kind = DEVICE_CPU;
    int status;

    if (!arguments_read(cli, command_find("rank"), argc, argv, 2, &arguments, &status))
        return status;
    status = read_question(cli, &arguments, &ranking, &kind);
    if (status != EXIT_GOOD) {
        arguments_free(&arguments);
        return status;
    }
    status = source_open(cli, &arguments, arguments_operand(&arguments, 1), &design);
    if (status == EXIT_GOOD)
        status = run(cli, &arguments, &design, &ranking, kind);
    source_close(&design);
    arguments_free(&arguments);
    return status;
}
