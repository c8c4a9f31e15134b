#include "design/section_read.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/utf8.h"
#include "design/knob_text.h"

bool section_reader_open(struct section_reader *reader, const char *bytes, size_t length,
                         const struct embedded_file *embedded)
{
    problems_free(reader->problems);
    ini_scan_embedded(embedded, bytes, length, &reader->ini, reader->problems);
    return reader->ini.length > 0 || reader->problems->count == 0;
}

void section_reader_close(struct section_reader *reader)
{
    problems_sort(reader->problems);
}

bool section_reader_lacks_headers(const struct section_reader *reader)
{
    for (size_t i = 0; i < reader->ini.section_count; i++)
        if (reader->ini.sections[i].refused)
            return true;
    return false;
}

void section_wrong_value(const struct section_reader *reader, const struct ini_key *key,
                         const char *sentence)
{
    char name[NAME_SHOWN];
    char value[NAME_SHOWN];

    ini_excerpt(&reader->ini, key->name, name, sizeof name);
    utf8_excerpt(value, sizeof value, key->value, strlen(key->value));
    problems_add(reader->problems, key->line, "%s =%s%s: %s", name, value[0] == '\0' ? "" : " ",
                 value, sentence);
}

void section_missing_value(const struct section_reader *reader, const struct ini_key *key,
                           struct knob_ref ref)
{
    char allowed[KNOB_ALLOWED_SIZE];
    struct error error;

    knob_allowed(reader->scenario, ref, allowed, sizeof allowed);
    error_set(&error, STATUS_INVALID, "the value is missing; allowed: %s", allowed);
    section_wrong_value(reader, key, error.message);
}

const struct ini_key *section_find_line(const struct ini *ini, const struct ini_section *section,
                                        const char *prefix, const struct knob *knob)
{
    char name[NAME_SHOWN];
    const struct ini_key *key;

    snprintf(name, sizeof name, "%s%s", prefix, knob->key);
    key = ini_find_key(ini, section, name);
    if (key != NULL || knob->alias == NULL)
        return key;
    snprintf(name, sizeof name, "%s%s", prefix, knob->alias);
    return ini_find_key(ini, section, name);
}

static void read_value(const struct section_reader *reader, const struct ini_key *key,
                       struct knob_ref ref)
{
    const char *value;
    struct error error;

    if (ref.knob->type == KNOB_PRESET || ref.knob->type == KNOB_FILE)
        return;
    value = ini_value(&reader->ini, key);
    if (value == NULL)
        return;
    if (value[0] == '\0' && ref.knob->type != KNOB_TEXT)
        section_missing_value(reader, key, ref);
    else if (knob_set_text(reader->scenario, ref, value, &error) != STATUS_OK)
        section_wrong_value(reader, key, error.message);
}

void section_read_kind(const struct section_reader *reader, struct file_section *section,
                       bool required)
{
    struct knob_ref ref = {section->section, section->index, section_kind_knob(section->section)};
    size_t problems = reader->problems->count;
    const struct ini_key *key;
    char allowed[KNOB_ALLOWED_SIZE];
    char shown[NAME_SHOWN];

    if (ref.knob == NULL)
        return;
    key = ini_find_key(&reader->ini, section->in_file, ref.knob->key);
    if (key != NULL) {
        read_value(reader, key, ref);
        section->kind_known = !key->refused && reader->problems->count == problems;
    } else if (required) {
        knob_allowed(reader->scenario, ref, allowed, sizeof allowed);
        ini_excerpt(&reader->ini, section->in_file->name, shown, sizeof shown);
        problems_add(reader->problems, section->in_file->line, "[%s]: %s is missing; allowed: %s",
                     shown, ref.knob->key, allowed);
        section->kind_known = false;
    }
}

/* If the kind of a section is unknown, a key must belong to any kind; its value is checked if all
 * kinds share the knob. */
static void read_key_of_any_kind(const struct section_reader *reader,
                                 const struct file_section *section, const struct ini_key *key,
                                 const char *name)
{
    const struct knob *first = &knobs[knob_section_first(section->section)];
    struct nearest nearest = nearest_to(name);
    const struct knob *found = NULL;
    int rows = 0;

    for (int row = 0; row < knob_section_count(section->section); row++) {
        nearest_offer(&nearest, first[row].key);
        if (knob_has_key(&first[row], name)) {
            found = &first[row];
            rows++;
        }
    }
    if (rows == 1 && found->type != KNOB_ALGORITHM)
        read_value(reader, key, (struct knob_ref){section->section, section->index, found});
    else if (rows == 0 && nearest.best[0] == '\0')
        problems_add(reader->problems, key->line, "unknown key \"%s\" in [%s]", name,
                     section_name(section->section));
    else if (rows == 0)
        problems_add(reader->problems, key->line, "unknown key \"%s\"; did you mean %s?", name,
                     nearest.best);
}

/* Reads the origin of a value that the section states; skipped if the kind is unknown. */
static void read_key_origin(const struct section_reader *reader, const struct file_section *section,
                            const struct ini_key *key, const char *of)
{
    const char *word = ini_value(&reader->ini, key);
    struct knob_ref ref, named = {.knob = NULL};
    struct error error;
    enum status status;

    if (word == NULL || !section->kind_known)
        return;
    status = knob_find_key(reader->scenario, section->section, section->index, of, &ref, &error);
    while (status == STATUS_OK &&
           knob_next_named(reader->scenario, section->section, section->index, of, &named)) {
        if (named.knob->type == KNOB_PRESET)
            status = error_set(&error, STATUS_INVALID, "a preset is a choice and has no origin");
        else if (section_find_line(&reader->ini, section->in_file, "", named.knob) == NULL)
            status = error_set(
                &error, STATUS_INVALID,
                "%s is not stated here; an origin needs its value in the same section", of);
        else
            status = knob_set_origin_text(reader->scenario, named, word, &error);
    }
    if (status != STATUS_OK)
        section_wrong_value(reader, key, error.message);
}

static void read_section_key(const struct section_reader *reader,
                             const struct file_section *section, const struct ini_key *key,
                             const char *name)
{
    const struct knob *kind = section_kind_knob(section->section);
    size_t problems = reader->problems->count;
    struct knob_ref ref, named = {.knob = NULL};
    struct error error;

    if (kind != NULL && strcmp(name, kind->key) == 0)
        return;
    if (!section->kind_known) {
        read_key_of_any_kind(reader, section, key, name);
        return;
    }
    if (knob_find_key(reader->scenario, section->section, section->index, name, &ref, &error) !=
        STATUS_OK) {
        problems_add(reader->problems, key->line, "%s", error.message);
        return;
    }
    while (reader->problems->count == problems &&
           knob_next_named(reader->scenario, section->section, section->index, name, &named)) {
        const struct ini_key *first =
            section_find_line(&reader->ini, section->in_file, "", named.knob);

        if (first != key)
            problems_add(reader->problems, key->line,
                         "%s is an alias of %s, stated on line %d; keep one of them", name,
                         named.knob->key, first->line);
        else
            read_value(reader, key, named);
    }
}

/* Finds what a key of a device such as wake.launch names: a way to start work, and a time that each
 * way has of its own. Returns false for any other key. */
static bool names_start(const struct section_reader *reader, const struct file_section *section,
                        const char *name, int *dispatch, struct knob_ref *ref)
{
    const struct scenario *scenario = reader->scenario;
    const char *dot = strchr(name, '.');
    struct knob_ref way = {.knob = NULL};
    struct error error;

    if (section->section != SECTION_DEVICE || !section->kind_known || dot == NULL ||
        !knob_next_named(scenario, SECTION_DEVICE, section->index, "dispatch", &way) ||
        knob_find_key(scenario, SECTION_DEVICE, section->index, dot + 1, ref, &error) !=
            STATUS_OK ||
        !knob_is_of_dispatch(ref->knob, scenario->device[section->index].kind))
        return false;
    for (int i = 0; i < knob_choice_count(scenario, way); i++) {
        const char *choice = knob_choice_name(scenario, way, i);

        *dispatch = knob_choice_value(scenario, way, i);
        if (strlen(choice) == (size_t)(dot - name) && strncmp(choice, name, strlen(choice)) == 0)
            return true;
    }
    return false;
}

/* Reads a time of a way to start work that is not the preset's, with its origin. */
static void read_other_start(const struct section_reader *reader,
                             const struct file_section *section, const struct ini_key *key,
                             const char *name)
{
    struct device *device = &reader->scenario->device[section->index];
    const struct device kept = *device;
    const size_t problems = reader->problems->count;
    char text[NAME_SHOWN + sizeof ORIGIN_PREFIX], shown[NAME_SHOWN];
    const struct ini_key *origin_line;
    enum origin origin;
    struct other_start *other = device->other;
    struct other_start start = {0};
    struct knob_ref ref;
    struct error error;

    names_start(reader, section, name, &start.dispatch, &ref);
    snprintf(text, sizeof text, "%s%s", ORIGIN_PREFIX, name);
    origin_line = ini_find_key(&reader->ini, section->in_file, text);
    snprintf(text, sizeof text, "state %s for the device's own dispatch", ref.knob->key);
    ini_excerpt(&reader->ini, section->in_file->name, shown, sizeof shown);
    if (start.dispatch == device->dispatch)
        section_wrong_value(reader, key, text);
    else if (strcmp(shown, section_name(SECTION_DEVICE)) != 0)
        section_wrong_value(reader, key, "belongs to a preset, not to the device of a design");
    else
        read_value(reader, key, ref);
    start.value = knob_number(reader->scenario, ref);
    start.knob = (int)knob_id(ref.knob);
    if (origin_line != NULL && ini_value(&reader->ini, origin_line) != NULL &&
        knob_set_origin_text(reader->scenario, ref, ini_value(&reader->ini, origin_line), &error) !=
            STATUS_OK)
        section_wrong_value(reader, origin_line, error.message);
    start.origin = (int)(knob_stated_origin(reader->scenario, ref, &origin) ? origin : ORIGIN_STATED);
    *device = kept;
    while (other->knob != 0 && other < device->other + OTHER_STARTS_MAX - 1)
        other++;
    if (reader->problems->count == problems && !knob_is_auto(ref.knob, start.value))
        *other = start;
}

void section_read_keys(const struct section_reader *reader, const struct file_section *section)
{
    const struct ini_section *in_file = section->in_file;
    enum { VALUES, ORIGINS, STARTS, PASSES };

    /* values first: setting a value clears its origin; at last what is not of the own dispatch */
    for (int pass = VALUES; pass < PASSES; pass++)
        for (size_t i = in_file->first; i < in_file->first + in_file->count; i++) {
            const struct ini_key *key = &reader->ini.keys[i];
            struct knob_ref ref;
            const char *of;
            char name[NAME_SHOWN];
            int way;

            if (key->refused)
                continue;
            ini_excerpt(&reader->ini, key->name, name, sizeof name);
            of = origin_key(section->section, name);
            if (names_start(reader, section, of == NULL ? name : of, &way, &ref) &&
                (of == NULL || ini_find_key(&reader->ini, in_file, of) != NULL)) {
                if (of == NULL && pass == STARTS)
                    read_other_start(reader, section, key, name);
            } else if (of == NULL && pass == VALUES) {
                read_section_key(reader, section, key, name);
            } else if (of != NULL && pass == ORIGINS) {
                read_key_origin(reader, section, key, of);
            }
        }
}
