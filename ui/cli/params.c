#include <string.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "cli/knob_doc.h"
#include "cli/source.h"
#include "cli/text.h"
#include "units.h"

#define COLUMNS 80
#define INDENT 4
#define VALUE_MAX 2304 /* of knob_get_text */
#define DOC_MAX 400

const struct option_row params_options[] = {
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
        if ((knob->kinds >> k & 1) != 0)
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
    }
    json_text(json, "unit", knob->unit[0] != '\0' ? knob->unit : NULL);
    json_number(json, "min", number ? knob->min : RESULT_NONE);
    json_number(json, "max", number ? knob->max : RESULT_NONE);
    knob_doc_default(knob, text, sizeof text);
    put_value(json, "default", knob, text);
    json_bool(json, "automatic", knob->automatic);
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

/* What a PATH asks for: everything, a section, one of its instances, or one knob. */
struct wanted {
    enum section section; /* SECTION_COUNT: everything */
    int index;            /* -1: every instance */
    struct knob_ref ref;  /* without a knob: all of them */
};

static enum status find_wanted(const struct scenario *scenario, const char *path,
                               struct wanted *wanted, struct error *error)
{
    size_t length = strcspn(path, ".");
    int section = 0;

    while (section < SECTION_COUNT &&
           (strlen(section_name((enum section)section)) != length ||
            strncmp(path, section_name((enum section)section), length) != 0))
        section++;
    wanted->section = (enum section)section;
    if (section < SECTION_COUNT && path[length] == '\0')
        return STATUS_OK;
    if (section < SECTION_COUNT && section_max(wanted->section) > 1)
        wanted->index = section_find(scenario, wanted->section, path + length + 1);
    return wanted->index >= 0 ? STATUS_OK : knob_find(scenario, path, &wanted->ref, error);
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

static int list(struct cli *cli, const struct arguments *arguments, const struct scenario *scenario)
{
    const char *path = arguments_operand(arguments, 0);
    struct json json = json_to(cli->out);
    struct listing listing = {cli->out, arguments_has(arguments, "json") ? &json : NULL, scenario};
    struct wanted wanted = {SECTION_COUNT, -1, {SECTION_COUNT, 0, NULL}};
    struct error error;

    if (path != NULL && find_wanted(scenario, path, &wanted, &error) != STATUS_OK)
        return problem(cli, "%s", error.message);
    if (listing.json == NULL) {
        list_wanted(&listing, &wanted);
        return EXIT_GOOD;
    }
    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_array(&json, "knobs");
    list_wanted(&listing, &wanted);
    json_array_end(&json);
    json_object_end(&json);
    return EXIT_GOOD;
}

int params_run(struct cli *cli, int argc, char **argv)
{
    struct arguments arguments;
    struct design design;
    int status;

    if (!arguments_read(cli, command_find("params"), argc, argv, 1, &arguments, &status))
        return status;
    if (cli->current == NULL && arguments_operand(&arguments, 0) == NULL &&
        !arguments_has(&arguments, "scenario") && !arguments_has(&arguments, "set")) {
        status = list(cli, &arguments, NULL);
    } else {
        status = design_open(cli, &arguments, arguments_value(&arguments, "scenario"), &design);
        if (status == EXIT_GOOD)
            status = list(cli, &arguments, &design.scenario);
        design_close(&design);
    }
    arguments_free(&arguments);
    return status;
}
