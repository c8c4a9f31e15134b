#include "design/scenario_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/units.h"
#include "design/document.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "design/scenario_text.h"
#include "design/trace.h"

/* Values ------------------------------------------------------------------------------------- */

/* The value of a key; NULL when it was refused (a problem says why). */
static const char *value_of(const struct reading *reading, const struct ini_section *section,
                            const struct ini_key *key)
{
    struct error error;
    const char *value;

    if (key->refused)
        return NULL;
    value = ini_value(reading->values, &reading->ini, section, key, &error);
    if (value == NULL)
        problems_add(reading->problems, key->line, "%s", error.message);
    return value;
}

/* "KEY = VALUE: SENTENCE" */
static void wrong_value(const struct reading *reading, const struct ini_key *key,
                        const struct error *error)
{
    char name[NAME_SHOWN];
    char value[NAME_SHOWN];

    ini_excerpt(&reading->ini, key->name, name, sizeof name);
    ini_excerpt(&reading->ini, key->value, value, sizeof value);
    problems_add(reading->problems, key->line, "%s =%s%s: %s", name, value[0] == '\0' ? "" : " ",
                 value, error->message);
}

/* What is wrong with a trace is wrong with the line that names it. */
static void read_trace(const struct reading *reading, const struct file_section *place,
                       const struct ini_key *key, const char *value)
{
    struct problems found = {NULL, 0, 0};
    struct error error;

    if (reading->assignments != NULL &&
        scenario_replaces_trace(reading->scenario, place->index, reading->assignments))
        return;
    scenario_read_trace(reading->scenario, place->index, reading->catalogue, reading->from, value,
                        &found);
    for (size_t i = 0; i < found.count; i++) {
        error_set(&error, STATUS_INVALID, "%s", found.list[i].message);
        wrong_value(reading, key, &error);
    }
    problems_free(&found);
}

static void set_knob(const struct reading *reading, const struct file_section *place,
                     const struct ini_key *key, struct knob_ref ref)
{
    const char *value = value_of(reading, place->in_file, key);
    struct error error;
    char allowed[400];

    if (value == NULL)
        return;
    if (value[0] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(reading->scenario, ref, allowed, sizeof allowed);
        error_set(&error, STATUS_INVALID, "the value is missing; allowed: %s", allowed);
        wrong_value(reading, key, &error);
    } else if (ref.knob->type == KNOB_TRACE) {
        read_trace(reading, place, key, value);
    } else if (knob_set_text(reading->scenario, ref, value, &error) != STATUS_OK) {
        wrong_value(reading, key, &error);
    }
}

/* Format ------------------------------------------------------------------------------------- */

static bool headers_refused(const struct ini *ini)
{
    for (size_t i = 0; i < ini->section_count; i++)
        if (ini->sections[i].refused)
            return true;
    return false;
}

/* False where the file is of another format: nothing else of it can be judged then. */
static bool check_format(const struct reading *reading)
{
    const struct ini_section *section = ini_find_section(&reading->ini, "scenario");
    const struct ini_key *key =
        section == NULL ? NULL : ini_find_key(&reading->ini, section, "format");
    const char *value;
    struct error error;
    double format;

    if (section == NULL && !headers_refused(&reading->ini))
        problems_add(reading->problems, 0,
                     "[scenario] with format = %d is missing; this is no scenario",
                     SCENARIO_FORMAT);
    else if (section != NULL && key == NULL)
        problems_add(reading->problems, section->line,
                     "[scenario]: format is missing; this program reads format = %d",
                     SCENARIO_FORMAT);
    value = key == NULL ? NULL : value_of(reading, section, key);
    if (value == NULL ||
        (quantity_parse(value, "", &format, NULL) == STATUS_OK && format == SCENARIO_FORMAT))
        return true;
    error_set(&error, STATUS_INVALID, "this program reads format = %d only", SCENARIO_FORMAT);
    wrong_value(reading, key, &error);
    return false;
}

/* Kinds -------------------------------------------------------------------------------------- */

/* The device starts from its preset. False, and a problem, where there is none of that name. */
static bool read_preset(const struct reading *reading, const struct file_section *place,
                        const struct ini_key *key)
{
    const char *value = value_of(reading, place->in_file, key);
    struct error error;

    if (value == NULL)
        return false;
    if (value[0] == '\0')
        error_set(&error, STATUS_INVALID, "the value is missing; remove the line for no preset");
    else if (scenario_set_preset(reading->scenario, place->index, reading->catalogue, value,
                                 &error) == STATUS_OK)
        return true;
    wrong_value(reading, key, &error);
    return false;
}

static void kind_missing(const struct reading *reading, const struct file_section *place,
                         struct knob_ref ref)
{
    char allowed[400];
    char shown[NAME_SHOWN];

    knob_allowed(reading->scenario, ref, allowed, sizeof allowed);
    ini_excerpt(&reading->ini, place->in_file->name, shown, sizeof shown);
    problems_add(reading->problems, place->in_file->line, "[%s]: %s is missing; allowed: %s", shown,
                 ref.knob->key, allowed);
}

/* Preset and kind come first: they decide which other keys there are. */
static void read_kind(const struct reading *reading, struct file_section *place)
{
    const char *name = section_kind_key(place->section);
    const struct ini_key *preset = NULL;
    const struct ini_key *key;
    struct knob_ref ref;
    size_t problems;

    if (name == NULL)
        return;
    key = ini_find_key(&reading->ini, place->in_file, name);
    if (place->section == SECTION_DEVICE && !reading->is_preset)
        preset = ini_find_key(&reading->ini, place->in_file, "preset");
    if (preset != NULL)
        place->kind_known = read_preset(reading, place, preset);
    knob_find_key(reading->scenario, place->section, place->index, name, &ref, NULL);
    if (key == NULL) {
        if (place->section == SECTION_COMPONENT || reading->is_preset) {
            kind_missing(reading, place, ref);
            place->kind_known = false;
        }
        return;
    }
    problems = reading->problems->count;
    set_knob(reading, place, key, ref);
    place->kind_known = !key->refused && reading->problems->count == problems;
}

/* The rest ----------------------------------------------------------------------------------- */

/* Checks a key of a section whose kind is not known: it must be a key of some kind, and where it
 * is the same for all of them its value can be looked at too. */
static void read_key_of_any_kind(const struct reading *reading, const struct file_section *place,
                                 const struct ini_key *key, const char *name)
{
    int first = knob_section_first(place->section);
    int end = first + knob_section_count(place->section);
    struct nearest nearest = nearest_to(name);
    const struct knob *found = NULL;
    int rows = 0;

    for (int i = first; i < end; i++) {
        nearest_offer(&nearest, knobs[i].key);
        if (strcmp(knobs[i].key, name) == 0) {
            found = &knobs[i];
            rows++;
        }
    }
    if (rows == 1 && found->type != KNOB_ALGORITHM)
        set_knob(reading, place, key, (struct knob_ref){place->section, place->index, found});
    else if (rows == 0 && nearest.best[0] == '\0')
        problems_add(reading->problems, key->line, "unknown key \"%s\" in [%s]", name,
                     section_name(place->section));
    else if (rows == 0)
        problems_add(reading->problems, key->line, "unknown key \"%s\"; did you mean %s?", name,
                     nearest.best);
}

static bool is_read_already(const struct reading *reading, const struct file_section *place,
                            const char *name)
{
    const char *kind = section_kind_key(place->section);

    return (kind != NULL && strcmp(name, kind) == 0) ||
           (place->section == SECTION_DEVICE && !reading->is_preset && strcmp(name, "preset") == 0);
}

/* The origin of a value that the section states. Those of a kind that is not known wait. */
static void read_origin(const struct reading *reading, const struct file_section *place,
                        const struct ini_key *key, const char *of)
{
    const char *word = value_of(reading, place->in_file, key);
    struct knob_ref ref;
    struct error error;

    if (word == NULL || !place->kind_known)
        return;
    if (knob_find_key(reading->scenario, place->section, place->index, of, &ref, &error) ==
        STATUS_OK) {
        if (ref.knob->type == KNOB_PRESET)
            error_set(&error, STATUS_INVALID, "a preset is a choice and has no origin");
        else if (ini_find_key(&reading->ini, place->in_file, of) == NULL)
            error_set(&error, STATUS_INVALID,
                      "%s is not stated here; an origin is that of a value of the same section",
                      of);
        else if (knob_set_origin_text(reading->scenario, ref, word, &error) == STATUS_OK)
            return;
    }
    wrong_value(reading, key, &error);
}

static void read_key(const struct reading *reading, const struct file_section *place,
                     const struct ini_key *key)
{
    struct knob_ref ref;
    struct error error;
    char name[NAME_SHOWN];

    ini_excerpt(&reading->ini, key->name, name, sizeof name);
    if (key->refused || is_read_already(reading, place, name) ||
        origin_key(place->section, name) != NULL)
        return;
    if (reading->is_preset && (strcmp(name, "preset") == 0 || strcmp(name, "host") == 0))
        problems_add(reading->problems, key->line,
                     "%s belongs to the device of a scenario, not to a preset", name);
    else if (!place->kind_known)
        read_key_of_any_kind(reading, place, key, name);
    else if (knob_find_key(reading->scenario, place->section, place->index, name, &ref, &error) !=
             STATUS_OK)
        problems_add(reading->problems, key->line, "%s", error.message);
    else
        set_knob(reading, place, key, ref);
}

static void read_keys(const struct reading *reading, const struct file_section *place)
{
    const struct ini_section *in_file = place->in_file;

    for (size_t i = in_file->first; i < in_file->first + in_file->count; i++)
        read_key(reading, place, &reading->ini.keys[i]);
    /* a value that is set forgets its origin */
    for (size_t i = in_file->first; i < in_file->first + in_file->count; i++) {
        const struct ini_key *key = &reading->ini.keys[i];
        const char *of;
        char name[NAME_SHOWN];

        ini_excerpt(&reading->ini, key->name, name, sizeof name);
        of = origin_key(place->section, name);
        if (of != NULL && !key->refused)
            read_origin(reading, place, key, of);
    }
}

/* Reading ------------------------------------------------------------------------------------ */

/* The one section of a device preset. */
static void place_preset(struct reading *reading)
{
    const struct ini_section *device = ini_find_section(&reading->ini, "device");
    char shown[NAME_SHOWN];

    for (size_t i = 0; i < reading->ini.section_count; i++) {
        const struct ini_section *in_file = &reading->ini.sections[i];

        if (in_file == device || in_file->refused)
            continue;
        ini_excerpt(&reading->ini, in_file->name, shown, sizeof shown);
        problems_add(reading->problems, in_file->line,
                     "[%s]: a device preset holds one section, [device]", shown);
    }
    if (device == NULL) {
        if (!headers_refused(&reading->ini))
            problems_add(reading->problems, 0, "[device] is missing; this is no device preset");
        return;
    }
    scenario_insert(reading->scenario, SECTION_DEVICE, 0, "preset", NULL);
    reading->places[reading->count++] = (struct file_section){device, SECTION_DEVICE, 0, true};
}

static void read_sections(struct reading *reading)
{
    if (reading->is_preset)
        place_preset(reading);
    else if (check_format(reading))
        places_make(reading);
    for (size_t i = 0; i < reading->count; i++)
        read_kind(reading, &reading->places[i]);
    for (size_t i = 0; i < reading->count; i++)
        read_keys(reading, &reading->places[i]);
}

/* Fills reading->ini and reading->scenario; the first is the caller's to free, always. */
static enum status read_bytes(struct reading *reading, const char *bytes, size_t length)
{
    struct error error;
    enum status status;

    problems_free(reading->problems);
    scenario_init(reading->scenario);
    if (ini_scan(bytes, length, &reading->ini, reading->problems) != STATUS_OK)
        return STATUS_MEMORY;
    if (reading->ini.length == 0 && reading->problems->count > 0)
        return STATUS_INVALID;
    reading->places = calloc(reading->ini.section_count + 1, sizeof *reading->places);
    if (reading->places == NULL)
        return STATUS_MEMORY;
    status = ini_values_open(&reading->ini, &reading->values, &error);
    if (status == STATUS_OK)
        read_sections(reading);
    else
        problems_add(reading->problems, 0, "%s", error.message);
    ini_values_close(reading->values);
    free(reading->places);
    problems_sort(reading->problems);
    if (status == STATUS_OK && reading->problems->count > 0)
        status = STATUS_INVALID;
    return status;
}

enum status scenario_parse_device(struct device *device, const char *bytes, size_t length,
                                  struct problems *problems)
{
    struct scenario *scenario = malloc(sizeof *scenario);
    struct reading reading = {.scenario = scenario, .problems = problems, .is_preset = true};
    enum status status;

    if (scenario == NULL)
        return STATUS_MEMORY;
    status = read_bytes(&reading, bytes, length);
    if (status == STATUS_OK) {
        *device = scenario->device[0];
        memset(device->head.name, 0, sizeof device->head.name);
    }
    ini_free(&reading.ini);
    free(scenario);
    return status;
}

enum status scenario_read(struct scenario *scenario, struct ini *ini, const char *bytes,
                          size_t length, const char *from, const struct assignments *assignments,
                          struct catalogue *catalogue, struct problems *problems)
{
    struct reading reading = {.scenario = scenario,
                              .catalogue = catalogue,
                              .from = from,
                              .assignments = assignments,
                              .problems = problems};
    enum status status = read_bytes(&reading, bytes, length);

    *ini = reading.ini;
    return status;
}

/* Scenario assign ------------------------------------------------------------------------------ */

struct assignment {
    char *path;
    char *value;
};

static char *trim(char *text)
{
    size_t length;

    text += strspn(text, " \t");
    length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    return text;
}

/* A value that begins with a quote ends with it, as in a file. */
static enum status unquote(char **value, struct error *error)
{
    char quote = (*value)[0];
    char *end;

    if (quote != '"' && quote != '\'')
        return STATUS_OK;
    end = strchr(*value + 1, quote);
    if (end == NULL)
        return error_set(error, STATUS_INVALID, "a closing %c is missing", quote);
    if (end[1] != '\0')
        return error_set(error, STATUS_INVALID, "text follows the closing %c", quote);
    *end = '\0';
    (*value)++;
    return STATUS_OK;
}

/* Cuts "PATH = VALUE" into its two parts; VALUE may stand in quotes, as in a file. */
static enum status split(char *text, struct assignment *parts, struct error *error)
{
    char *equals = strchr(text, '=');

    if (equals == NULL)
        return error_set(error, STATUS_INVALID,
                         "an assignment is PATH=VALUE, as in device.rtc.cores=64");
    *equals = '\0';
    parts->path = trim(text);
    parts->value = trim(equals + 1);
    if (parts->path[0] == '\0')
        return error_set(error, STATUS_INVALID,
                         "a path is missing before the =, as in device.rtc.cores=64");
    return unquote(&parts->value, error);
}

static bool replaces_trace(const struct scenario *scenario, int component, char *text)
{
    struct assignment parts = {NULL, NULL};
    struct error error;
    struct knob_ref ref;

    if (split(text, &parts, &error) != STATUS_OK ||
        knob_find(scenario, parts.path, &ref, &error) != STATUS_OK ||
        ref.section != SECTION_COMPONENT || ref.index != component)
        return false;
    return ref.knob->type == KNOB_TRACE ||
           (strcmp(ref.knob->key, section_kind_key(SECTION_COMPONENT)) == 0 &&
            strcmp(parts.value, "program") != 0);
}

bool scenario_replaces_trace(const struct scenario *scenario, int component,
                             const struct assignments *assignments)
{
    bool found = false;

    for (int i = 0; i < assignments->count && !found; i++) {
        char *text = strdup(assignments->list[i]);

        found = text != NULL && replaces_trace(scenario, component, text);
        free(text);
    }
    return found;
}

/* Sets a knob whose turn it is; the others are passed over. */
static enum status assign(struct scenario *scenario, struct catalogue *catalogue, const char *from,
                          char *text, enum knob_pass turn, struct error *error)
{
    struct assignment parts = {NULL, NULL};
    struct knob_ref ref;
    char allowed[400];

    if (split(text, &parts, error) != STATUS_OK)
        return STATUS_INVALID;
    if (knob_find(scenario, parts.path, &ref, error) != STATUS_OK)
        return turn == PASS_REST ? STATUS_INVALID : STATUS_OK;
    if (knob_pass(ref.knob) != turn)
        return STATUS_OK;
    if (turn == PASS_PRESETS)
        return scenario_set_preset(scenario, ref.index, catalogue, parts.value, error);
    if (parts.value[0] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(scenario, ref, allowed, sizeof allowed);
        return error_set(error, STATUS_INVALID, "the value is missing; allowed: %s", allowed);
    }
    if (ref.knob->type == KNOB_TRACE)
        return scenario_set_trace(scenario, ref.index, catalogue, from, parts.value, error);
    return knob_set_text(scenario, ref, parts.value, error);
}

static enum status assign_all(struct scenario *scenario, struct catalogue *catalogue,
                              const char *from, const char *const *assignments, int count,
                              enum knob_pass turn, struct error *error)
{
    for (int i = 0; i < count; i++) {
        struct error reason;
        char *text = strdup(assignments[i]);
        enum status status = STATUS_MEMORY;

        if (text == NULL)
            return error_set(error, STATUS_MEMORY, "out of memory");
        status = assign(scenario, catalogue, from, text, turn, &reason);
        free(text);
        if (status != STATUS_OK)
            return error_set(error, status, "%.200s: %s", assignments[i], reason.message);
    }
    return STATUS_OK;
}

enum status scenario_assign(struct scenario *scenario, struct catalogue *catalogue,
                            const char *from, const char *const *assignments, int count,
                            struct error *error)
{
    struct scenario *changed = malloc(sizeof *changed);
    enum status status = STATUS_OK;

    if (changed == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    scenario_copy(changed, scenario);
    for (int turn = PASS_PRESETS; turn <= PASS_REST && status == STATUS_OK; turn++)
        status =
            assign_all(changed, catalogue, from, assignments, count, (enum knob_pass)turn, error);
    if (status == STATUS_OK)
        scenario_copy(scenario, changed);
    free(changed);
    return status;
}

/* Scenario places ------------------------------------------------------------------------------ */

/* Which section the word before the point names; false and a problem for none. */
static bool find_section(const struct reading *reading, const struct ini_section *in_file,
                         const char *word, const char *shown, enum section *section)
{
    struct nearest nearest = nearest_to(word);
    bool named;

    for (int s = 0; s < SECTION_COUNT; s++) {
        *section = (enum section)s;
        if (strcmp(word, section_name(*section)) == 0)
            return true;
        nearest_offer(&nearest, section_name(*section));
    }
    if (nearest.best[0] == '\0') {
        problems_add(reading->problems, in_file->line,
                     "[%s]: unknown section; allowed: scenario, ao, atmosphere, wfs.NAME, "
                     "device.NAME, component.NAME",
                     shown);
        return false;
    }
    named = strcmp(nearest.best, "wfs") == 0 || strcmp(nearest.best, "device") == 0 ||
            strcmp(nearest.best, "component") == 0;
    problems_add(reading->problems, in_file->line, "[%s]: unknown section; did you mean [%s%s]?",
                 shown, nearest.best, named ? ".NAME" : "");
    return false;
}

/* Makes the section's instance in the scenario; false and a problem where that cannot be. */
static bool make_place(struct reading *reading, const struct ini_section *in_file,
                       struct file_section *place)
{
    char shown[NAME_SHOWN];
    char word[NAME_SHOWN];
    char *point;
    struct error error;

    ini_excerpt(&reading->ini, in_file->name, shown, sizeof shown);
    memcpy(word, shown, sizeof word);
    point = strchr(word, '.');
    if (point != NULL)
        *point++ = '\0';
    *place = (struct file_section){.in_file = in_file, .kind_known = true};
    if (!find_section(reading, in_file, word, shown, &place->section))
        return false;
    if (section_max(place->section) == 1) {
        if (point == NULL)
            return true;
        problems_add(reading->problems, in_file->line, "[%s]: this section has no name; write [%s]",
                     shown, word);
        return false;
    }
    if (point == NULL || *point == '\0') {
        problems_add(reading->problems, in_file->line, "[%s]: a name must follow, as in [%s.a]",
                     shown, word);
        return false;
    }
    place->index = section_count(reading->scenario, place->section);
    if (scenario_insert(reading->scenario, place->section, place->index, point, &error) ==
        STATUS_OK)
        return true;
    problems_add(reading->problems, in_file->line, "[%s]: %s", shown, error.message);
    return false;
}

void places_make(struct reading *reading)
{
    for (size_t i = 0; i < reading->ini.section_count; i++) {
        const struct ini_section *in_file = &reading->ini.sections[i];

        if (!in_file->refused && make_place(reading, in_file, &reading->places[reading->count]))
            reading->count++;
    }
}
