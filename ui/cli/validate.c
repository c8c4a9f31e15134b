#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/measure.h"
#include "command.h"
#include "design/preset.h"
#include "draw/table.h"
#include "draw/text.h"
#include "explore/published.h"
#include "model/memory.h"
#include "probe/kernels.h"
#include "probe/machine_preset.h"
#include "probe/predict.h"
#include "report/json.h"
#include "report/validate.h"

#define COLUMNS 80
#define INDENT 4
#define US 1e6
#define SECONDS 45 /* about what the kernels take */

static const struct option_row validate_options[] = {
    OPTION_CSV,
    OPTION_HELP,
    OPTION_JSON,
    {.name = "kernels", .help = "predict kernels of an AO loop, measured on this machine"},
    {.name = "preset",
     .argument = "NAME",
     .help = "with --kernels: predict from this device, not from a quick probe"},
    {.name = "published", .help = "predict the published measurements the program comes with"},
    OPTION_END,
};

/* Text --------------------------------------------------------------------------------------- */

/* "2 x nvidia-a100-40gb-sxm" */
static void hardware_text(const struct published_row *row, char *text, size_t size)
{
    if (row->sockets > 1)
        snprintf(text, size, "%.0f x %s", row->sockets, row->preset);
    else
        snprintf(text, size, "%s", row->preset);
}

static void add_time(struct table *table, double seconds)
{
    char cell[40];

    text_quantity(seconds, "s", locale_is_unicode(), cell, sizeof cell);
    table_add(table, cell);
}

static void add_percent(struct table *table, double fraction, bool sign)
{
    char cell[40];

    snprintf(cell, sizeof cell, sign ? "%+.1f %%" : "%.1f %%", 100 * fraction);
    table_add(table, cell);
}

static void add_factor(struct table *table, double factor)
{
    char cell[40];

    snprintf(cell, sizeof cell, "%.2f", factor);
    table_add(table, cell);
}

static void add_headings(struct table *table, const char *const *headings)
{
    for (; *headings != NULL; headings++)
        table_add(table, *headings);
}

static void print_table(FILE *out, struct table *table)
{
    table_print(table, out, 0, "", "");
    table_free(table);
}

static void print_predictions(FILE *out, const struct published *published)
{
    static const char *const headings[] = {"Measurement", "Preset", "Measured",  "Predicted",
                                           "Error",       "Bound",  "Served by", NULL};
    struct table table = table_new(7, 0x1C, 1);
    char cell[128];

    add_headings(&table, headings);
    for (int i = 0; i < published->count; i++) {
        const struct published_row *row = &published->row[i];

        if (row->use == PUBLISHED_APART)
            continue;
        hardware_text(row, cell, sizeof cell);
        table_add(&table, row->id);
        table_add(&table, cell);
        add_time(&table, row->measured);
        add_time(&table, row->predicted);
        add_percent(&table, row->ratio - 1, true);
        table_add(&table, bound_name(row->node.bound));
        table_add(&table, memory_level_name(row->node.level));
    }
    print_table(out, &table);
}

/* "ID: size on hardware; what; notes. Not predicted: reason", filled. */
static void print_words(FILE *out, const struct published_row *row)
{
    const char *const parts[] = {
        row->size,     " on ",
        row->hardware, row->what[0] == '\0' ? "" : "; ",
        row->what,     row->notes[0] == '\0' ? "" : "; ",
        row->notes,    row->reason[0] == '\0' ? "" : ". Not predicted: ",
        row->reason,   row->remark[0] == '\0' ? "" : ". Of the prediction: ",
        row->remark};
    char text[1024] = "";
    char clean[1024];

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        strncat(text, parts[i], sizeof text - strlen(text) - 1);
    text_clean(text, locale_is_unicode(), clean, sizeof clean);
    text_fill(out, clean, fprintf(out, "%s: ", row->id), INDENT, COLUMNS);
}

static void print_list(FILE *out, const struct published *published, bool apart)
{
    for (int i = 0; i < published->count; i++)
        if ((published->row[i].use == PUBLISHED_APART) == apart)
            print_words(out, &published->row[i]);
}

static void print_summary(FILE *out, const struct published *published)
{
    static const char *const headings[] = {
        "Use", "n", "Median error", "Worst", "Factor", "Worst row", "Goal", "", NULL};
    struct table table = table_new(8, 0x1E, 6);
    char cell[40];

    add_headings(&table, headings);
    for (int use = 0; use < PUBLISHED_GOALS; use++) {
        struct published_summary summary = published_summarise(published, (enum published_use)use);

        snprintf(cell, sizeof cell, "%d", summary.count);
        table_add(&table, published_goals[use].use);
        table_add(&table, cell);
        add_percent(&table, summary.median_error, false);
        add_percent(&table, summary.worst_error, false);
        add_factor(&table, summary.worst_factor);
        table_add(&table, summary.worst < 0 ? "-" : published->row[summary.worst].id);
        table_add(&table, published_goals[use].words);
        table_add(&table, summary.met ? "met" : "missed");
    }
    print_table(out, &table);
}

static void print_report(FILE *out, const struct published *published)
{
    fputs("Published measurements, predicted from vendors' figures and default efficiencies\n\n",
          out);
    print_predictions(out, published);
    fputs("\n", out);
    print_summary(out, published);
    fprintf(out,
            "\nHalf of the predictions are within a factor of %.2f (%s) of what was measured.\n",
            published_uncertainty(published), locale_is_unicode() ? "\xC3\x97/\xC3\xB7" : "x/:");
    fputs("\nWhat was measured\n\n", out);
    print_list(out, published, false);
    fputs("\nNot predicted\n\n", out);
    print_list(out, published, true);
}

/* JSON --------------------------------------------------------------------------------------- */

static double scaled(double value, double scale)
{
    return value == RESULT_NONE ? RESULT_NONE : value * scale;
}

static const char *or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

static void put_row(struct json *json, const struct published_row *row)
{
    bool predicted = row->use != PUBLISHED_APART;

    json_object(json, NULL);
    json_text(json, "id", row->id);
    json_text(json, "use", predicted ? published_goals[row->use].use : "apart");
    json_text(json, "hardware", row->hardware);
    json_text(json, "problem_size", row->size);
    json_text(json, "qualifier", row->qualifier);
    json_text(json, "what_is_measured", or_null(row->what));
    json_text(json, "source", or_null(row->source));
    json_text(json, "confidence", or_null(row->confidence));
    json_text(json, "notes", or_null(row->notes));
    json_text(json, "reason", or_null(row->reason));
    json_text(json, "remark", or_null(row->remark));
    json_text(json, "preset", or_null(row->preset));
    json_text(json, "settings", or_null(row->settings));
    json_number(json, "measured_us", scaled(row->measured, US));
    json_number(json, "predicted_us", scaled(row->predicted, US));
    json_number(json, "ratio", row->ratio);
    json_number(json, "error_percent", predicted ? 100 * (row->ratio - 1) : RESULT_NONE);
    json_text(json, "bound", predicted ? bound_name(row->node.bound) : NULL);
    json_text(json, "level", predicted ? memory_level_name(row->node.level) : NULL);
    json_object_end(json);
}

static void put_summary(struct json *json, const struct published *published,
                        enum published_use use)
{
    struct published_summary summary = published_summarise(published, use);

    json_object(json, NULL);
    json_text(json, "use", published_goals[use].use);
    json_number(json, "count", summary.count);
    json_number(json, "median_error_percent", 100 * summary.median_error);
    json_number(json, "worst_error_percent", 100 * summary.worst_error);
    json_number(json, "worst_factor", summary.worst_factor);
    json_text(json, "worst", summary.worst < 0 ? NULL : published->row[summary.worst].id);
    json_text(json, "goal", published_goals[use].words);
    json_bool(json, "met", summary.met);
    json_object_end(json);
}

static void print_json(FILE *out, const struct published *published, bool met)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_array(&json, "measurements");
    for (int i = 0; i < published->count; i++)
        put_row(&json, &published->row[i]);
    json_array_end(&json);
    json_array(&json, "summary");
    for (int use = 0; use < PUBLISHED_GOALS; use++)
        put_summary(&json, published, (enum published_use)use);
    json_array_end(&json);
    json_number(&json, "uncertainty_factor", published_uncertainty(published));
    json_bool(&json, "goals_met", met);
    json_object_end(&json);
}

/* -------------------------------------------------------------------------------------------- */

static int validate_published(struct cli *cli, bool as_json)
{
    struct published published;
    struct error error;
    bool met = true;

    if (published_open(&published, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    for (int use = 0; use < PUBLISHED_GOALS; use++)
        met = published_summarise(&published, (enum published_use)use).met && met;
    if (as_json)
        print_json(cli->out, &published, met);
    else
        print_report(cli->out, &published);
    published_free(&published);
    return met ? EXIT_GOOD : EXIT_PROBLEM;
}

static int print_kernels(struct cli *cli, const struct arguments *arguments,
                         struct measure *measure, const struct device *device, const char *preset)
{
    struct prediction prediction;
    struct error error;

    if (predict_kernels(&prediction, &measure->probed.measurement, device, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (arguments_has(arguments, "json")) {
        validate_put_kernels(cli->out, &prediction, preset);
    } else if (measure->csv == NULL) {
        fprintf(cli->out, "Kernels of an AO loop on this machine, predicted from %s\n\n",
                preset == NULL ? "what was probed" : preset);
        validate_print_kernels(cli->out, &prediction, 0);
    }
    prediction_free(&prediction);
    return EXIT_GOOD;
}

/* Of every system, though only as often as in a quick run. */
static enum status run_kernels(struct probe *probe, struct error *error)
{
    struct probe all = *probe;

    all.quick = false;
    return probe_kernels(&all, error);
}

/* The kernels, and before them, where no device is named, the other parts. */
static void run_parts(struct measure *measure, bool probed)
{
    struct probe_part parts[MEASUREMENT_PARTS];
    int count = 0;

    for (int i = 0; probed && i < probe_part_count; i++)
        parts[count++] = probe_parts[i];
    parts[count] = probe_part_kernels;
    parts[count].run = run_kernels;
    parts[count++].quick_seconds = SECONDS;
    measure_run(measure, parts, count);
}

static int measure_and_report(struct cli *cli, const struct arguments *arguments,
                              const struct device *preset)
{
    const char *name = arguments_value(arguments, "preset");
    struct measure measure;
    struct device *device = calloc(1, sizeof *device);
    struct error error;
    int status, failed;

    if (device == NULL)
        return arguments_problem(cli, "out of memory");
    measure_open(&measure, true, cli->err);
    if (arguments_has(arguments, "csv"))
        measure.csv = cli->out;
    run_parts(&measure, preset == NULL);
    measure_keep(&measure, cli->err);
    cli->output_error = measure.csv_error;
    if (preset != NULL)
        *device = *preset;
    if (preset == NULL && machine_device(&measure.probed.measurement, device, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s", error.message);
    else
        status = print_kernels(cli, arguments, &measure, device, name);
    failed = measure_status(&measure, cli->err);
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
        return arguments_problem(cli, "the screen would stand still for minutes: view 7 measures "
                                      "the kernels beside it (7, then r)");
    if (catalogue_open(&catalogue, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    if (preset != NULL && catalogue_device(catalogue, preset, &device, &error) != STATUS_OK)
        status = arguments_problem(cli, "--preset: %s", error.message);
    else if (device != NULL && device->kind == DEVICE_GPU)
        status = arguments_problem(
            cli, "--preset: %s is a GPU; the kernels run on this machine's cores", preset);
    else
        status = measure_and_report(cli, arguments, device);
    catalogue_close(catalogue);
    return status;
}

/* Options that go with only one of the two kinds. */
static const char *misplaced_kind_option(const struct arguments *arguments)
{
    if (arguments_has(arguments, "kernels"))
        return arguments_has(arguments, "published") ? "--kernels or --published, not both" : NULL;
    if (arguments_has(arguments, "preset"))
        return "--preset goes with --kernels";
    return arguments_has(arguments, "csv") ? "--csv goes with --kernels" : NULL;
}

static int run_validate(struct cli *cli, const struct arguments *arguments, struct design *design)
{
    const char *wrong = misplaced_kind_option(arguments);

    (void)design;
    if (wrong != NULL)
        return arguments_usage_error(cli, arguments->command, "%s", wrong);
    if (arguments_has(arguments, "kernels"))
        return validate_kernels(cli, arguments);
    if (arguments_has(arguments, "published"))
        return validate_published(cli, arguments_has(arguments, "json"));
    return arguments_usage_error(cli, arguments->command,
                                 "against what is missing, as in: aolag validate --published");
}

const struct command command_validate = {
    .name = "validate",
    .operands = "--published",
    .help = "Holds the model against measurements: predicted, measured, their ratio.",
    .options = validate_options,
    .group = GROUP_MACHINE,
    .anywhere = true,
    .run = run_validate,
};
