#include <stdio.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "report/reports.h"

static const struct option_row params_options[] = {
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JSON,
    {.name = "scenario", .argument = "DESIGN|-", .help = "the same, its former name"},
    OPTION_SET,
    OPTION_END,
};

/* Selection by a PATH: everything, a section, one of its instances, a key of all instances, or one
 * knob. */
struct wanted {
    enum section section; /* SECTION_COUNT: everything */
    int index;            /* -1: every instance */
    const char *key;      /* key in every instance that has it; NULL: every knob */
    struct knob_ref ref;  /* without a knob: all knobs */
};

static bool has_key(enum section section, const char *key)
{
    int first = knob_section_first(section);

    for (int i = first; i < first + knob_section_count(section); i++)
        if (knob_has_key(&knobs[i], key))
            return true;
    return false;
}

/* Counts the sections that have a key and lists its paths; sets `wanted` to the last one. */
static int find_key(const char *key, struct wanted *wanted, char *paths, size_t size)
{
    struct buffer list = buffer_over(paths, size);
    int count = 0;

    for (int s = 0; s < SECTION_COUNT; s++) {
        if (!has_key((enum section)s, key))
            continue;
        wanted->section = (enum section)s;
        wanted->key = key;
        buffer_print(&list, "%s%s%s.%s", count > 0 ? ", " : "", section_name(wanted->section),
                     section_max(wanted->section) > 1 ? ".*" : "", key);
        count++;
    }
    return count;
}

/* Resolves a word that has no dot and is not a section. */
static enum status find_word(const struct scenario *scenario, const char *word,
                             struct wanted *wanted, struct error *error)
{
    char paths[200];
    int sections = find_key(word, wanted, paths, sizeof paths);

    if (sections == 1)
        return STATUS_OK;
    if (sections > 1)
        return error_set(error, STATUS_INVALID, "\"%.60s\" is a key of several sections: %s", word,
                         paths);
    return knob_find(scenario, word, &wanted->ref, error);
}

static enum status find_wanted(const struct scenario *scenario, const char *path,
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
    if (section == SECTION_COUNT && path[length] == '\0')
        return find_word(scenario, path, wanted, error);
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

/* Puts the selected knobs, unless `record` is NULL, and returns their number. */
static int put_wanted(struct record *record, const struct scenario *scenario,
                      const struct result *result, const struct wanted *wanted)
{
    int count = 0;

    if (wanted->ref.knob != NULL && record != NULL)
        params_put_knob(record, scenario, result, wanted->ref);
    for (int s = 0; s < SECTION_COUNT && wanted->ref.knob == NULL; s++) {
        enum section section = (enum section)s;
        int instances = scenario != NULL ? section_count(scenario, section) : 1;
        int first = knob_section_first(section);
        int end = first + knob_section_count(section);

        if (wanted->section != SECTION_COUNT && wanted->section != section)
            continue;
        for (int n = 0; n < instances * (end - first); n++) {
            int index = n / (end - first);
            const struct knob *knob = &knobs[first + n % (end - first)];

            if ((wanted->index >= 0 && wanted->index != index) ||
                (wanted->key != NULL && !knob_has_key(knob, wanted->key)) ||
                (scenario != NULL && !knob_applies(scenario, section, index, knob)))
                continue;
            if (record != NULL)
                params_put_knob(record, scenario, result, (struct knob_ref){section, index, knob});
            count++;
        }
    }
    return count;
}

static bool names_design(const struct cli *cli, const struct arguments *arguments)
{
    return cli->current != NULL || arguments->design != NULL ||
           arguments_has(arguments, "set");
}

/* Lists the selected knobs of a design, or of the knob table if `design` is NULL. */
static int list_knobs(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    const char *path = arguments->word;
    const struct scenario *scenario = design != NULL ? &design->scenario : NULL;
    const struct result *result = NULL;
    struct record record = cli_record(cli, arguments_format(arguments));
    struct wanted wanted = {SECTION_COUNT, -1, NULL, {SECTION_COUNT, 0, NULL}};
    struct error error;

    if (path != NULL && find_wanted(scenario, path, &wanted, &error) != STATUS_OK)
        return arguments_usage_error(arguments, "%s", error.message);
    if (design != NULL) {
        source_result(cli, &design->result);
        if (evaluate(scenario, &design->result, NULL) == STATUS_OK)
            result = &design->result;
    }
    /* without a design, a path of the table selects the row of the table */
    if (wanted.key != NULL && section_max(wanted.section) > 1 && !names_design(cli, arguments))
        scenario = NULL;
    else if (wanted.key != NULL && put_wanted(NULL, scenario, NULL, &wanted) == 0)
        return arguments_usage_error(arguments, "no %s of the design has \"%s\"",
                                     section_name(wanted.section), wanted.key);
    record_object(&record, NULL, NULL, true);
    record_integer(&record, "schema", NULL, 1);
    record_table(&record, "knobs", NULL);
    put_wanted(&record, scenario, result, &wanted);
    record_table_end(&record);
    record_object_end(&record);
    return EXIT_GOOD;
}

static int run_params(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *unused)
{
    struct opened_design design;
    int status;

    (void)unused;
    if (arguments->word == NULL && !names_design(cli, arguments))
        return list_knobs(cli, arguments, NULL);
    status = source_open(cli, arguments, arguments->design, &design);
    if (status == EXIT_GOOD)
        status = list_knobs(cli, arguments, &design);
    source_close(&design);
    return status;
}

const struct command command_params = {
    .name = "params",
    .operands = "[DESIGN|-] [KNOB]",
    .operand_max = 2,
    .is_word = source_is_word,
    .help = "Lists the knobs: all of them, or those of a design with their values and origins.",
    .options = params_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .priced = true,
    .run = run_params,
};
