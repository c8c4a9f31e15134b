#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "report/json.h"
#include "report/knob_doc.h"

#define COLUMNS 80
#define INDENT 4
#define VALUE_MAX 2304 /* of knob_get_text */
#define DOC_MAX 400

static const struct option_row params_options[] = {
    OPTION_HELP,
    OPTION_JSON,
    {"scenario", "SCENARIO", "the design whose knobs to list; absent: " SCENARIO_DEFAULT},
    OPTION_SET,
    OPTION_END,
};

/* Where rows go: as text, or into an open JSON array. Without a scenario they are the table's. */
struct listing {
    FILE *out;
    struct json *json;
    const struct scenario *scenario;
    const struct result *result; /* NULL: the design cannot be evaluated */
    const char *key;             /* only the knobs of this key; NULL: all */
};

static void print_text(const struct listing *listing, struct knob_ref ref)
{
    char words[DOC_MAX];
    char value[VALUE_MAX];
    char clean[VALUE_MAX];
    char line[VALUE_MAX + 2 * DOC_MAX];

    if (listing->scenario != NULL) {
        knob_path(listing->scenario, ref, words, sizeof words);
        knob_get_text(listing->scenario, ref, value, sizeof value);
        text_clean(value, locale_is_unicode(), clean, sizeof clean);
        fprintf(listing->out, "%s = %s  (%s)\n", words, clean,
                origin_name(knob_origin(listing->scenario, ref)));
    } else {
        knob_doc_path(ref.knob, words, sizeof words);
        fprintf(listing->out, "%s\n", words);
    }
    if (listing->scenario != NULL)
        knob_allowed(listing->scenario, ref, words, sizeof words);
    else
        knob_doc_allowed(ref.knob, words, sizeof words);
    knob_doc_default(ref.knob, value, sizeof value);
    snprintf(line, sizeof line, "%s. Allowed: %s%s%s", ref.knob->help, words,
             value[0] != '\0' ? "; default: " : "", value);
    knob_doc_kinds(ref.knob, words, sizeof words);
    if (listing->scenario == NULL && words[0] != '\0')
        snprintf(line + strlen(line), sizeof line - strlen(line), ". Of: %s", words);
    fprintf(listing->out, "%*s", INDENT, "");
    text_fill(listing->out, line, INDENT, INDENT, COLUMNS);
}

static void put_value(struct json *json, const char *key, const struct knob *knob, const char *text)
{
    const char *end;
    double value;

    if (text[0] == '\0' || (knob->automatic && strcmp(text, "auto") == 0))
        json_null(json, key);
    else if ((knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER) &&
             number_parse(text, &value, &end) == STATUS_OK)
        json_number(json, key, value);
    else
        json_text(json, key, text);
}

/* What an automatic number is at present, in the knob's unit; RESULT_NONE where that is unknown. */
static double resolved(const struct listing *listing, struct knob_ref ref)
{
    double value;

    if (listing->result == NULL || !knob_is_auto(ref.knob, knob_number(listing->scenario, ref)))
        return RESULT_NONE;
    value = knob_number_in_force(listing->scenario, listing->result, ref);
    return value == RESULT_NONE ? RESULT_NONE : unit_from_si(value, ref.knob->unit);
}

static void put_choices(const struct listing *listing, struct knob_ref ref)
{
    const struct scenario *scenario = listing->scenario;
    int count = scenario != NULL ? knob_choice_count(scenario, ref) : 0;

    while (scenario == NULL && knob_doc_choice(ref.knob, count) != NULL)
        count++;
    if (count == 0) {
        json_null(listing->json, "choices");
        return;
    }
    json_array(listing->json, "choices");
    for (int i = 0; i < count; i++)
        json_text(listing->json, NULL,
                  scenario != NULL ? knob_choice_name(scenario, ref, i)
                                   : knob_doc_choice(ref.knob, i));
    json_array_end(listing->json);
}

static void put_kinds(struct json *json, const struct knob *knob)
{
    char kinds[DOC_MAX];

    knob_doc_kinds(knob, kinds, sizeof kinds);
    if (kinds[0] == '\0') {
        json_null(json, "kinds");
        return;
    }
    json_array(json, "kinds");
    for (int k = 0; knob_doc_kind(knob->section, k) != NULL; k++)
        if (knob_has_kind(knob, k))
            json_text(json, NULL, knob_doc_kind(knob->section, k));
    json_array_end(json);
}

static void print_json(const struct listing *listing, struct knob_ref ref)
{
    const struct knob *knob = ref.knob;
    struct json *json = listing->json;
    bool number = knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER;
    char text[VALUE_MAX];

    if (listing->scenario != NULL)
        knob_path(listing->scenario, ref, text, sizeof text);
    else
        knob_doc_path(knob, text, sizeof text);
    json_object(json, NULL);
    json_text(json, "path", text);
    json_text(json, "label", knob->label);
    json_text(json, "type", knob_doc_type(knob));
    put_kinds(json, knob);
    if (listing->scenario != NULL) {
        knob_get_text(listing->scenario, ref, text, sizeof text);
        put_value(json, "value", knob, text);
        json_text(json, "text", text);
        json_text(json, "origin", origin_name(knob_origin(listing->scenario, ref)));
        json_number(json, "resolved", resolved(listing, ref));
    }
    json_text(json, "unit", knob->unit[0] != '\0' ? knob->unit : NULL);
    json_number(json, "min", number ? knob->min : RESULT_NONE);
    json_number(json, "max", number ? knob->max : RESULT_NONE);
    knob_doc_default(knob, text, sizeof text);
    put_value(json, "default", knob, text);
    json_bool(json, "may_be_automatic", knob->automatic);
    put_choices(listing, ref);
    json_text(json, "help", knob->help);
    json_object_end(json);
}

static void list_knob(const struct listing *listing, struct knob_ref ref)
{
    if (listing->json != NULL)
        print_json(listing, ref);
    else
        print_text(listing, ref);
}

static void list_instance(const struct listing *listing, enum section section, int index)
{
    int first = knob_section_first(section);

    for (int i = first; i < first + knob_section_count(section); i++) {
        struct knob_ref ref = {section, index, &knobs[i]};

        if (listing->key != NULL && !knob_has_key(&knobs[i], listing->key))
            continue;
        if (listing->scenario == NULL || knob_applies(listing->scenario, section, index, &knobs[i]))
            list_knob(listing, ref);
    }
}

static void list_section(const struct listing *listing, enum section section)
{
    int count = listing->scenario != NULL ? section_count(listing->scenario, section) : 1;

    for (int i = 0; i < count; i++)
        list_instance(listing, section, i);
}

/* What a PATH asks for: everything, a section, one of its instances, a key of all of them, or one
 * knob. */
struct wanted {
    enum section section; /* SECTION_COUNT: everything */
    int index;            /* -1: every instance */
    const char *key;      /* of every instance that has it; NULL: every knob */
    struct knob_ref ref;  /* without a knob: all of them */
};

static bool has_key(enum section section, const char *key)
{
    int first = knob_section_first(section);

    for (int i = first; i < first + knob_section_count(section); i++)
        if (knob_has_key(&knobs[i], key))
            return true;
    return false;
}

/* How many sections have a key, and its paths there; wanted is the last of them. */
static int find_key(const char *key, struct wanted *wanted, char *paths, size_t size)
{
    size_t used = 0;
    int count = 0;

    for (int s = 0; s < SECTION_COUNT; s++) {
        if (!has_key((enum section)s, key))
            continue;
        wanted->section = (enum section)s;
        wanted->key = key;
        if (used < size)
            used += (size_t)snprintf(paths + used, size - used, "%s%s%s.%s", count > 0 ? ", " : "",
                                     section_name(wanted->section),
                                     section_max(wanted->section) > 1 ? ".*" : "", key);
        count++;
    }
    return count;
}

static bool is_scenario(struct cli *cli, const char *word)
{
    size_t length = strlen(word);

    return catalogue_find(cli->catalogue, word, 1U << PRESET_AO, NULL) != NULL ||
           (length > 4 && strcmp(word + length - 4, ".ini") == 0 && access(word, F_OK) == 0);
}

/* A word without a point that is no section. */
static enum status find_word(struct cli *cli, const struct scenario *scenario, const char *word,
                             struct wanted *wanted, struct error *error)
{
    char paths[200];
    int sections = find_key(word, wanted, paths, sizeof paths);

    if (sections == 1)
        return STATUS_OK;
    if (sections > 1)
        return error_set(error, STATUS_INVALID, "\"%.60s\" is a key of several sections: %s", word,
                         paths);
    if (is_scenario(cli, word))
        return error_set(error, STATUS_INVALID,
                         "\"%.200s\" is a scenario; \"aolag params --scenario %.200s\" lists its "
                         "knobs",
                         word, word);
    return knob_find(scenario, word, &wanted->ref, error);
}

static enum status find_wanted(struct cli *cli, const struct scenario *scenario, const char *path,
                               struct wanted *wanted, struct error *error)
{
    size_t length = strcspn(path, ".");
    const char *rest = path + length + (path[length] != '\0');
    int section = 0;

    while (section < SECTION_COUNT &&
           (strlen(section_name((enum section)section)) != length ||
            strncmp(path, section_name((enum section)section), length) != 0))
        section++;
    wanted->section = (enum section)section;
    if (section == SECTION_COUNT && (path[length] == '\0' || is_scenario(cli, path)))
        return find_word(cli, scenario, path, wanted, error);
    if (section == SECTION_COUNT || section_max(wanted->section) == 1)
        return path[length] == '\0' && section < SECTION_COUNT
                   ? STATUS_OK
                   : knob_find(scenario, path, &wanted->ref, error);
    if (rest[0] == '\0' || strcmp(rest, "*") == 0)
        return STATUS_OK;
    wanted->index = section_find(scenario, wanted->section, rest);
    if (wanted->index >= 0)
        return STATUS_OK;
    if (strncmp(rest, "*.", 2) == 0)
        rest += 2;
    if (!has_key(wanted->section, rest))
        return knob_find(scenario, path, &wanted->ref, error);
    wanted->key = rest;
    return STATUS_OK;
}

/* Whether any instance of the design has the key asked for. */
static bool any_has_it(const struct scenario *scenario, const struct wanted *wanted)
{
    int first = knob_section_first(wanted->section);

    for (int i = first; i < first + knob_section_count(wanted->section); i++)
        for (int k = 0; k < section_count(scenario, wanted->section); k++)
            if (knob_has_key(&knobs[i], wanted->key) &&
                knob_applies(scenario, wanted->section, k, &knobs[i]))
                return true;
    return false;
}

static void list_wanted(const struct listing *listing, const struct wanted *wanted)
{
    if (wanted->ref.knob != NULL)
        list_knob(listing, wanted->ref);
    else if (wanted->index >= 0)
        list_instance(listing, wanted->section, wanted->index);
    else if (wanted->section != SECTION_COUNT)
        list_section(listing, wanted->section);
    else
        for (int i = 0; i < SECTION_COUNT; i++)
            list_section(listing, (enum section)i);
}

static void list_json(const struct listing *listing, const struct wanted *wanted)
{
    json_object(listing->json, NULL);
    json_number(listing->json, "schema", 1);
    json_array(listing->json, "knobs");
    list_wanted(listing, wanted);
    json_array_end(listing->json);
    json_object_end(listing->json);
}

static bool names_design(const struct cli *cli, const struct arguments *arguments)
{
    return cli->current != NULL || arguments_has(arguments, "scenario") ||
           arguments_has(arguments, "set");
}

/* `design`: NULL for the table. */
static int list(struct cli *cli, const struct arguments *arguments, struct design *design)
{
    const char *path = arguments_operand(arguments, 0);
    const struct scenario *scenario = design != NULL ? &design->scenario : NULL;
    struct json json = json_to(cli->out);
    struct listing listing = {cli->out, arguments_has(arguments, "json") ? &json : NULL, scenario,
                              NULL, NULL};
    struct wanted wanted = {SECTION_COUNT, -1, NULL, {SECTION_COUNT, 0, NULL}};
    struct error error;

    if (path != NULL && find_wanted(cli, scenario, path, &wanted, &error) != STATUS_OK)
        return arguments_usage_error(cli, arguments->command, "%s", error.message);
    listing.key = wanted.key;
    if (design != NULL && result_init(&design->result, &error) == STATUS_OK &&
        evaluate(scenario, &design->result, &error) == STATUS_OK)
        listing.result = &design->result;
    /* a path of the table, and no word of a design: the table's row is what was asked for */
    if (wanted.key != NULL && section_max(wanted.section) > 1 && !names_design(cli, arguments))
        listing.scenario = NULL;
    else if (wanted.key != NULL && !any_has_it(scenario, &wanted))
        return arguments_usage_error(cli, arguments->command, "no %s of the design has \"%s\"",
                                     section_name(wanted.section), wanted.key);
    if (listing.json != NULL)
        list_json(&listing, &wanted);
    else
        list_wanted(&listing, &wanted);
    return EXIT_GOOD;
}

static int run_params(struct cli *cli, const struct arguments *arguments, struct design *unused)
{
    struct design design;
    int status;

    (void)unused;
    if (arguments_operand(arguments, 0) == NULL && !names_design(cli, arguments))
        return list(cli, arguments, NULL);
    status = source_open(cli, arguments, arguments_value(arguments, "scenario"), &design);
    if (status == EXIT_GOOD)
        status = list(cli, arguments, &design);
    source_close(&design);
    return status;
}

const struct command command_params = {
    .name = "params",
    .operands = "[PATH]",
    .operand_max = 1,
    .help = "Lists the knobs: all there are, or those of a design with their values and origins.",
    .options = params_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .run = run_params,
};
