#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "design/scenario_file.h"
#include "draw/text.h"
#include "model/device.h"
#include "model/result.h"
#include "report/record.h"

static const struct option_row presets_options[] = {
    OPTION_CSV, OPTION_HELP, OPTION_JSON, OPTION_MARKDOWN, OPTION_END,
};

/* Row of the list; inapplicable numbers are RESULT_NONE. */
struct preset_facts {
    const struct preset *preset;
    char title[128];
    double peak, bandwidth, power; /* of a device: FLOP/s in fp32, B/s, W */
    double price;                  /* of a device */
    double frame_rate;             /* of a system, Hz */
    const char *clock_kind;        /* of a CPU that states it; else NULL */
    char sold_in[TEXT_MAX_LENGTH + 1]; /* of a device that is not sold singly; else "" */
};

static const struct preset_facts no_facts = {.peak = RESULT_NONE,
                                             .bandwidth = RESULT_NONE,
                                             .power = RESULT_NONE,
                                             .price = RESULT_NONE,
                                             .frame_rate = RESULT_NONE};

static void put_device(struct preset_facts *facts, const struct device *device)
{
    facts->peak = device_peak(device, PRECISION_FP32);
    facts->bandwidth = device_bandwidth(device);
    facts->power = device->tdp > 0 ? device->tdp : RESULT_NONE;
    facts->price = device->price > 0 ? device->price : RESULT_NONE;
    if (device->kind == DEVICE_CPU && device->clock_kind != CHOICE_AUTO)
        facts->clock_kind = knob_word(KNOB_DEVICE_CLOCK_KIND, device->clock_kind);
    snprintf(facts->sold_in, sizeof facts->sold_in, "%s", device->sold_in);
}

static enum status find_facts(struct cli *cli, int index, struct preset_facts *facts,
                              struct error *error)
{
    const struct device *device = NULL;
    enum status status;

    *facts = no_facts;
    facts->preset = catalogue_at(cli->catalogue, index);
    status = preset_check(facts->preset, cli->catalogue, error);
    text_clean(catalogue_title(cli->catalogue, index), true, facts->title, sizeof facts->title);
    if (status != STATUS_OK)
        return status;
    if (preset_is_device(facts->preset) &&
        catalogue_device(cli->catalogue, facts->preset->name, &device, error) == STATUS_OK)
        put_device(facts, device);
    else
        facts->frame_rate = catalogue_frame_rate(cli->catalogue, index);
    return status;
}

/* Puts data in SI, text in `unit`, which the heading names, so that the list can be sorted. */
static void put_figure(struct record *record, const char *key, const char *unit, double si)
{

    record_number(record, key, NULL, "", si);
    if (record_is_data(record))
        return;
    record_cell(record, unit,
                record_quantity(record, si == RESULT_NONE ? si : unit_from_si(si, unit), ""));
    record_right(record);
}

/* Puts a row. `kinds`: kinds listed; systems alone have no figures of devices, devices alone no
 * frame rate. `priced`: some preset has a price. */
static void put_facts(struct record *record, const struct preset_facts *facts, unsigned kinds,
                      bool priced)
{
    bool data = record_is_data(record);
    bool systems = (kinds & PRESET_DEVICES) == 0;
    char title[sizeof facts->title + PRESET_MARK_MAX];

    record_text(record, "name", "Name", facts->preset->name);
    record_text(record, "kind", "Kind", preset_kind_name(facts->preset->kind));
    if (data)
        record_text(record, "title", NULL, facts->title);
    record_text(record, "file", NULL, facts->preset->path);
    if (data || !systems) {
        put_figure(record, "peak_flops", "TFLOP/s", facts->peak);
        put_figure(record, "memory_bytes_per_s", "GB/s", facts->bandwidth);
        put_figure(record, "tdp_w", "W", facts->power);
        record_digits(record, "price", priced ? "Price" : NULL, "", "%.15g", facts->price);
    }
    if (data || systems)
        put_figure(record, "frame_rate_hz", "Hz", facts->frame_rate);
    record_text(record, "clock_kind", NULL, facts->clock_kind);
    record_text(record, "sold_in", NULL, facts->sold_in[0] != '\0' ? facts->sold_in : NULL);
    snprintf(title, sizeof title, "%s%s", facts->title, preset_mark(facts->preset));
    record_cell(record, "Title", title);
    record_soft(record);
}

/* Returns true for a device of these kinds that has a price. */
static bool has_price(struct catalogue *catalogue, const struct preset *preset, unsigned kinds)
{
    const struct device *device;

    return (kinds & PRESET_DEVICES & 1U << preset->kind) != 0 &&
           catalogue_device(catalogue, preset->name, &device, NULL) == STATUS_OK &&
           device->price > 0;
}

/* Lists presets and reports, below them, those that cannot be read. `kinds`: bit k for preset_kind
 * k. */
static int list_presets(struct cli *cli, struct record *record, unsigned kinds)
{
    int status = (kinds & PRESET_DEVICES) != 0 ? source_check_prices(cli) : EXIT_GOOD;
    bool priced = false;

    for (int i = 0; i < catalogue_count(cli->catalogue); i++)
        priced = priced || has_price(cli->catalogue, catalogue_at(cli->catalogue, i), kinds);
    record->width = 0;
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, 1);
    record_table(record, "presets", NULL);
    for (int i = 0; i < catalogue_count(cli->catalogue); i++) {
        struct preset_facts facts;
        struct error error;

        if (!preset_may_be(catalogue_at(cli->catalogue, i), kinds))
            continue;
        find_facts(cli, i, &facts, &error);
        if ((kinds >> facts.preset->kind & 1) == 0)
            continue;
        record_row(record);
        put_facts(record, &facts, kinds, priced);
        record_row_end(record);
    }
    record_table_end(record);
    record_object_end(record);
    return source_report_unread(cli, kinds) == EXIT_GOOD ? status : EXIT_PROBLEM;
}

/* Finds the facts of a file that is no preset of the catalogue, `preset` with its text, which the
 * caller frees. */
static enum status find_file_facts(const char *path, struct preset *preset, char **text,
                                   struct preset_facts *facts, struct error *error)
{
    struct device *device = allocate_array(1, sizeof *device);
    enum status status = preset_read_file(path, device, text, error);
    const char *name = strrchr(path, '/');

    if (status == STATUS_OK) {
        *preset = (struct preset){.kind = preset_kind_of(device), .path = path, .text = *text};
        snprintf(preset->name, sizeof preset->name, "%s", name != NULL ? name + 1 : path);
        facts->preset = preset;
        text_clean(device->model, true, facts->title, sizeof facts->title);
        put_device(facts, device);
    }
    free(device);
    return status;
}

static int show_preset(struct cli *cli, struct record *record, const char *name)
{
    struct error error;
    struct preset_facts facts = no_facts;
    struct preset file;
    char *text = NULL;
    int status = EXIT_GOOD;

    if (!preset_is_path(name))
        facts.preset = catalogue_find(cli->catalogue, name, ~0U, &error);
    else
        find_file_facts(name, &file, &text, &facts, &error);
    if (facts.preset == NULL) {
        free(text);
        return arguments_problem(cli, "%s", error.message);
    }
    if (record->format != RECORD_JSON) {
        text_lines(cli->out, facts.preset->text);
        free(text);
        return EXIT_GOOD;
    }
    for (int i = 0; i < catalogue_count(cli->catalogue); i++)
        if (catalogue_at(cli->catalogue, i) == facts.preset &&
            find_facts(cli, i, &facts, &error) != STATUS_OK)
            status = arguments_problem(cli, "%s", error.message);
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, 1);
    put_facts(record, &facts, ~0U, true);
    record_text(record, "text", NULL, facts.preset->text);
    record_object_end(record);
    free(text);
    return status;
}

/* Returns the kinds selected by a word, 0 for an unknown word. */
static unsigned find_kinds(const char *word)
{
    if (word == NULL)
        return ~0U;
    for (int kind = 0; kind < PRESET_KINDS; kind++)
        if (strcmp(preset_kind_name((enum preset_kind)kind), word) == 0)
            return 1U << kind;
    return 0;
}

/* Reports a first word that is neither list nor show, a kind or a preset, with a suggestion. */
static int unknown_verb(struct cli *cli, const struct arguments *arguments, const char *verb)
{
    struct nearest nearest = nearest_to(verb);
    struct error error;

    nearest_offer(&nearest, "list");
    nearest_offer(&nearest, "show");
    for (int kind = 0; kind < PRESET_KINDS; kind++)
        nearest_offer(&nearest, preset_kind_name((enum preset_kind)kind));
    if (nearest.best[0] != '\0')
        return arguments_usage_error(arguments,
                                     "\"%s\" is no kind and no name of a preset; did you mean %s?",
                                     verb, nearest.best);
    catalogue_find(cli->catalogue, verb, ~0U, &error);
    return arguments_problem(cli, "%s", error.message);
}

static int run_presets(struct cli *cli, const struct arguments *arguments,
                       struct opened_design *design)
{
    const char *verb = arguments_operand(arguments, 0);
    const char *word = arguments_operand(arguments, 1);
    struct record record = cli_record(cli, arguments_format(arguments));

    (void)design;
    if (verb != NULL && word == NULL && find_kinds(verb) != 0) {
        word = verb;
        verb = "list";
    } else if (verb != NULL && word == NULL &&
               (preset_is_path(verb) || catalogue_find(cli->catalogue, verb, ~0U, NULL) != NULL)) {
        word = verb;
        verb = "show";
    }
    if (verb != NULL && strcmp(verb, "show") == 0) {
        if (word == NULL)
            return arguments_usage_error(arguments, "show needs the name of a preset");
        if (record.format == RECORD_CSV || record.format == RECORD_MARKDOWN)
            return arguments_usage_error(arguments, "show prints a preset as it is or as JSON");
        return show_preset(cli, &record, word);
    }
    if (word != NULL && strcmp(verb, "list") != 0 &&
        (find_kinds(verb) != 0 || catalogue_find(cli->catalogue, verb, ~0U, NULL) != NULL))
        return arguments_usage_error(arguments, "unexpected argument \"%s\"", word);
    if (verb != NULL && strcmp(verb, "list") != 0)
        return unknown_verb(cli, arguments, verb);
    if (find_kinds(word) == 0)
        return arguments_usage_error(arguments, "\"%s\" is not cpu, gpu, fpga, ao or pipelines",
                                     word);
    return list_presets(cli, &record, find_kinds(word));
}

const struct command command_presets = {
    .name = "presets",
    .operands = "[[list] cpu|gpu|fpga|ao|pipelines]\n[show] PRESET",
    .operand_max = 2,
    .help = "Lists the presets of vendor devices, AO systems and measured pipelines, or shows the "
            "text of one.",
    .options = presets_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .run = run_presets,
};
