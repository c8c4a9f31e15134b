#include "scenario_ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "ini_values.h"
#include "knob.h"
#include "nearest.h"
#include "program_library.h"
#include "scenario_places.h"
#include "stated.h"
#include "units.h"

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
static void read_trace(const struct reading *reading, const struct place *place,
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

static void set_knob(const struct reading *reading, const struct place *place,
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
static bool read_preset(const struct reading *reading, const struct place *place,
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

static void kind_missing(const struct reading *reading, const struct place *place,
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
static void read_kind(const struct reading *reading, struct place *place)
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
static void read_key_of_any_kind(const struct reading *reading, const struct place *place,
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

static bool is_read_already(const struct reading *reading, const struct place *place,
                            const char *name)
{
    const char *kind = section_kind_key(place->section);

    return (kind != NULL && strcmp(name, kind) == 0) ||
           (place->section == SECTION_DEVICE && !reading->is_preset && strcmp(name, "preset") == 0);
}

/* The origin of a value that the section states. Those of a kind that is not known wait. */
static void read_origin(const struct reading *reading, const struct place *place,
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
        else if (knob_set_origin(reading->scenario, ref, word, &error) == STATUS_OK)
            return;
    }
    wrong_value(reading, key, &error);
}

static void read_key(const struct reading *reading, const struct place *place,
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

static void read_keys(const struct reading *reading, const struct place *place)
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
    reading->places[reading->count++] = (struct place){device, SECTION_DEVICE, 0, true};
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
