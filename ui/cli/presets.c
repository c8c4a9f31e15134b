#include <string.h>

#include "base/nearest.h"
#include "cli/arguments.h"
#include "command.h"
#include "design/scenario_file.h"
#include "draw/table.h"
#include "draw/text.h"
#include "model/device.h"
#include "model/result.h"
#include "report/json.h"

static const struct option_row presets_options[] = {
    OPTION_HELP,
    OPTION_JSON,
    OPTION_END,
};

/* What the list says of a preset; numbers are RESULT_NONE where they do not exist. */
struct facts {
    const struct preset *preset;
    char title[128];
    double peak, bandwidth, power; /* of a device: FLOP/s in fp32, B/s, W */
    double frame_rate;             /* of a system, Hz */
};

static enum status read_system(struct cli *cli, const struct preset *preset, double *frame_rate,
                               struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct scenario scenario;
    enum status status =
        scenario_parse_preset(&scenario, &document, preset, cli->catalogue, &problems);

    if (status == STATUS_OK)
        *frame_rate = scenario.general.frame_rate;
    else
        problems_summary(&problems, preset->path != NULL ? preset->path : preset->name, error);
    problems_free(&problems);
    document_free(document);
    return status;
}

static enum status find_facts(struct cli *cli, int index, struct facts *facts, struct error *error)
{
    const struct device *device;

    facts->preset = catalogue_at(cli->catalogue, index);
    facts->peak = facts->bandwidth = facts->power = facts->frame_rate = RESULT_NONE;
    text_clean(catalogue_title(cli->catalogue, index), true, facts->title, sizeof facts->title);
    if (facts->preset->kind == PRESET_AO)
        return read_system(cli, facts->preset, &facts->frame_rate, error);
    if (catalogue_device(cli->catalogue, facts->preset->name, &device, error) != STATUS_OK)
        return error->status;
    facts->peak = device_peak(device, PRECISION_FP32);
    facts->bandwidth = device_bandwidth(device);
    facts->power = device->tdp > 0 ? device->tdp : RESULT_NONE;
    return STATUS_OK;
}

static void put_json(struct json *json, const struct facts *facts)
{
    json_text(json, "name", facts->preset->name);
    json_text(json, "kind", preset_kind_name(facts->preset->kind));
    json_text(json, "title", facts->title);
    json_text(json, "file", facts->preset->path);
    json_number(json, "peak_flops", facts->peak);
    json_number(json, "memory_bytes_per_s", facts->bandwidth);
    json_number(json, "tdp_w", facts->power);
    json_number(json, "frame_rate_hz", facts->frame_rate);
}

static void add_number(struct table *table, double value, double scale)
{
    char digits[40] = "-";

    if (value != RESULT_NONE)
        text_number(value / scale, digits, sizeof digits);
    table_add(table, digits);
}

static const char *const device_headings[] = {"Name", "Kind",  "TFLOP/s", "GB/s",
                                              "W",    "Title", NULL};
static const char *const system_headings[] = {"Name", "Kind", "Hz", "Title", NULL};

/* Systems alone have no columns that only devices have. */
static struct table table_of(bool systems)
{
    const char *const *headings = systems ? system_headings : device_headings;
    struct table table = systems ? table_new(4, 0x4, 3) : table_new(6, 0x1C, 5);

    for (; *headings != NULL; headings++)
        table_add(&table, *headings);
    return table;
}

static void add_row(struct table *table, bool systems, const struct facts *facts)
{
    char title[128];

    text_clean(facts->title, locale_is_unicode(), title, sizeof title);
    table_add(table, facts->preset->name);
    table_add(table, preset_kind_name(facts->preset->kind));
    if (systems) {
        add_number(table, facts->frame_rate, 1);
    } else {
        add_number(table, facts->peak, 1e12);
        add_number(table, facts->bandwidth, 1e9);
        add_number(table, facts->power, 1);
    }
    table_add(table, title);
}

/* `kinds`: bit k for preset_kind k. A preset that cannot be read is named, the others listed. */
static int list(struct cli *cli, unsigned kinds, struct json *json)
{
    bool systems = kinds == 1U << PRESET_AO;
    struct table table = table_of(systems);
    int status = EXIT_GOOD;

    for (int i = 0; i < catalogue_count(cli->catalogue); i++) {
        struct error error;
        struct facts facts;

        if ((kinds >> catalogue_at(cli->catalogue, i)->kind & 1) == 0)
            continue;
        if (find_facts(cli, i, &facts, &error) != STATUS_OK)
            status = arguments_problem(cli, "%s", error.message);
        if (json == NULL) {
            add_row(&table, systems, &facts);
        } else {
            json_object(json, NULL);
            put_json(json, &facts);
            json_object_end(json);
        }
    }
    if (json == NULL)
        table_print(&table, cli->out, 0, "", "");
    table_free(&table);
    return status;
}

static int list_json(struct cli *cli, unsigned kinds)
{
    struct json json = json_to(cli->out);
    int status;

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_array(&json, "presets");
    status = list(cli, kinds, &json);
    json_array_end(&json);
    json_object_end(&json);
    return status;
}

static int show(struct cli *cli, const char *name, bool as_json)
{
    struct json json = json_to(cli->out);
    struct error error;
    struct facts facts;
    const struct preset *preset = catalogue_find(cli->catalogue, name, ~0U, &error);
    int status = EXIT_GOOD;

    if (preset == NULL)
        return arguments_problem(cli, "%s", error.message);
    if (!as_json) {
        fwrite(preset->text, 1, preset->length, cli->out);
        return EXIT_GOOD;
    }
    for (int i = 0; i < catalogue_count(cli->catalogue); i++)
        if (catalogue_at(cli->catalogue, i) == preset &&
            find_facts(cli, i, &facts, &error) != STATUS_OK)
            status = arguments_problem(cli, "%s", error.message);
    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    put_json(&json, &facts);
    json_text(&json, "text", preset->text);
    json_object_end(&json);
    return status;
}

/* The kinds a word asks for; 0: no such word. */
static unsigned kinds_of(const char *word)
{
    static const enum preset_kind kinds[] = {PRESET_CPU, PRESET_GPU, PRESET_AO};

    if (word == NULL)
        return ~0U;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(preset_kind_name(kinds[i]), word) == 0)
            return 1U << kinds[i];
    return 0;
}

/* What was meant by a first word that is neither list nor show. */
static int unknown_verb(struct cli *cli, const struct arguments *arguments, const char *verb)
{
    struct nearest nearest = nearest_to(verb);

    nearest_offer(&nearest, "list");
    nearest_offer(&nearest, "show");
    if (kinds_of(verb) != 0 || catalogue_find(cli->catalogue, verb, ~0U, NULL) != NULL)
        return arguments_usage_error(cli, arguments->command,
                                     "\"%s\" is neither list nor show; as in: aolag presets %s %s",
                                     verb, kinds_of(verb) != 0 ? "list" : "show", verb);
    if (nearest.best[0] != '\0')
        return arguments_usage_error(cli, arguments->command,
                                     "\"%s\" is neither list nor show; did you mean %s?", verb,
                                     nearest.best);
    return arguments_usage_error(cli, arguments->command, "\"%s\" is neither list nor show", verb);
}

static int run_presets(struct cli *cli, const struct arguments *arguments, struct design *design)
{
    const char *verb = arguments_operand(arguments, 0);
    const char *word = arguments_operand(arguments, 1);
    bool as_json = arguments_has(arguments, "json");

    (void)design;
    if (verb != NULL && strcmp(verb, "show") == 0) {
        if (word == NULL)
            return arguments_usage_error(cli, arguments->command,
                                         "show needs the name of a preset");
        return show(cli, word, as_json);
    }
    if (verb != NULL && strcmp(verb, "list") != 0)
        return unknown_verb(cli, arguments, verb);
    if (kinds_of(word) == 0)
        return arguments_usage_error(cli, arguments->command, "\"%s\" is not cpu, gpu or ao", word);
    return as_json ? list_json(cli, kinds_of(word)) : list(cli, kinds_of(word), NULL);
}

const struct command command_presets = {
    .name = "presets",
    .operands = "[list [cpu|gpu|ao] | show NAME]",
    .operand_max = 2,
    .help = "Lists the presets of vendor devices and AO systems, or shows the text of one.",
    .options = presets_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .run = run_presets,
};
