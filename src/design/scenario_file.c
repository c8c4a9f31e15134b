#include "design/scenario_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/units.h"
#include "design/knob.h"
#include "design/scenario_edit.h"
#include "design/section_read.h"
#include "design/trace_library.h"

struct scenario_reader {
    struct section_reader file;
    const struct scenario_source *source;
    struct file_section *sections; /* sections that are in the scenario */
    size_t count;
};

/* Returns true if the file has nothing but blanks and comments: an empty design. */
static bool is_blank(const struct section_reader *file)
{
    return file->ini.section_count == 0 && file->problems->count == 0;
}

/* Returns false if the file has another format: nothing else can be checked then. */
static bool check_format(const struct section_reader *file)
{
    const struct file_section section = {.in_file = ini_find_section(&file->ini, "scenario")};
    const struct ini_key *key = NULL;
    const char *value;
    struct error error;
    double format;

    if (section.in_file != NULL)
        key = section_find_line(&file->ini, section.in_file, "", &knobs[KNOB_SCENARIO_FORMAT]);
    if (section.in_file == NULL && !section_reader_lacks_headers(file) && !is_blank(file))
        problems_add(file->problems, 0,
                     "[scenario] with format = %d is missing; this is not a design",
                     SCENARIO_FORMAT);
    else if (section.in_file != NULL && key == NULL)
        problems_add(file->problems, section.in_file->line,
                     "[scenario]: format is missing; this program reads format = %d",
                     SCENARIO_FORMAT);
    value = key == NULL ? NULL : ini_value(&file->ini, key);
    if (value == NULL ||
        (quantity_parse(value, "", &format, NULL) == STATUS_OK && format == SCENARIO_FORMAT))
        return true;
    error_set(&error, STATUS_INVALID, "this program reads format = %d only", SCENARIO_FORMAT);
    section_wrong_value(file, key, error.message);
    return false;
}

/* Reports an unknown section name. */
static void add_unknown_section(const struct section_reader *file, int line, const char *word,
                                const char *shown)
{
    struct nearest nearest = nearest_to(word);
    char names[200];
    struct buffer list = buffer_over(names, sizeof names);

    for (enum section section = SECTION_SCENARIO; section < SECTION_COUNT; section++) {
        nearest_offer(&nearest, section_name(section));
        buffer_print(&list, "%s%s%s", section == SECTION_SCENARIO ? "" : ", ",
                     section_name(section), section_max(section) > 1 ? ".NAME" : "");
    }
    if (nearest.best[0] == '\0')
        problems_add(file->problems, line, "[%s]: unknown section; allowed: %s", shown, names);
    else
        problems_add(file->problems, line, "[%s]: unknown section; did you mean [%s%s]?", shown,
                     nearest.best, section_max(section_named(nearest.best)) > 1 ? ".NAME" : "");
}

/* Inserts the section's instance into the scenario; returns false and adds a problem on failure. */
static bool make_instance(const struct section_reader *file, const struct ini_section *in_file,
                          struct file_section *section)
{
    struct problems *problems = file->problems;
    char shown[NAME_SHOWN];
    char word[NAME_SHOWN];
    char *name;
    struct error error;

    ini_excerpt(&file->ini, in_file->name, shown, sizeof shown);
    memcpy(word, shown, sizeof word);
    name = strchr(word, '.');
    if (name != NULL)
        *name++ = '\0';
    *section = (struct file_section){.in_file = in_file, .kind_known = true};
    section->section = section_named(word);
    if (section->section == SECTION_COUNT) {
        add_unknown_section(file, in_file->line, word, shown);
        return false;
    }
    if (section_max(section->section) == 1) {
        if (name != NULL)
            problems_add(problems, in_file->line, "[%s]: this section has no name; write [%s]",
                         shown, word);
        return name == NULL;
    }
    if (name == NULL || *name == '\0') {
        problems_add(problems, in_file->line, "[%s]: a name must follow, as in [%s.a]", shown,
                     word);
        return false;
    }
    section->index = section_count(file->scenario, section->section);
    if (scenario_insert(file->scenario, section->section, section->index, name, &error) ==
        STATUS_OK)
        return true;
    problems_add(problems, in_file->line, "[%s]: %s", shown, error.message);
    return false;
}

static void make_instances(struct scenario_reader *reader)
{
    for (size_t i = 0; i < reader->file.ini.section_count; i++) {
        const struct ini_section *in_file = &reader->file.ini.sections[i];

        if (!in_file->refused &&
            make_instance(&reader->file, in_file, &reader->sections[reader->count]))
            reader->count++;
    }
}

/* Sets the device's preset, which decides its kind; reports a preset that does not exist. */
static void read_preset(const struct scenario_reader *reader, struct file_section *section)
{
    const struct section_reader *file = &reader->file;
    const struct ini_key *key =
        section_find_line(&file->ini, section->in_file, "", &knobs[KNOB_DEVICE_PRESET]);
    const char *value = key == NULL ? NULL : ini_value(&file->ini, key);
    struct error error;

    if (key == NULL)
        return;
    section->kind_known = false;
    if (value == NULL)
        return;
    if (value[0] == '\0')
        section_wrong_value(file, key, "the value is missing; remove the line for no preset");
    else if (scenario_set_preset(file->scenario, section->index, reader->source->catalogue, value,
                                 &error) != STATUS_OK)
        section_wrong_value(file, key, error.message);
    else
        section->kind_known = true;
}

/* Reads a file that a knob names; its problems are reported for the line that names it. */
static void read_stated_file(const struct scenario_reader *reader,
                             const struct file_section *section, enum knob_id id)
{
    const struct section_reader *file = &reader->file;
    const struct scenario_source *source = reader->source;
    struct knob_ref ref = knob_ref_to(id, section->index);
    const struct ini_key *key = section_find_line(&file->ini, section->in_file, "", ref.knob);
    const char *value;
    struct problems found = {NULL, 0, 0};

    if (key == NULL || (section->kind_known &&
                        !knob_applies(file->scenario, section->section, section->index, ref.knob)))
        return;
    value = ini_value(&file->ini, key);
    if (value == NULL)
        return;
    if (value[0] == '\0') {
        section_missing_value(file, key, ref);
        return;
    }
    if (source->assignments != NULL && scenario_assigns(file->scenario, ref, source->assignments))
        return;
    scenario_read_file(file->scenario, ref, catalogue_traces(source->catalogue), source->from,
                       value, &found);
    for (size_t i = 0; i < found.count; i++)
        section_wrong_value(file, key, found.list[i].message);
    problems_free(&found);
}

static void read_stated_files(const struct scenario_reader *reader,
                              const struct file_section *section)
{
    int first = knob_section_first(section->section);

    for (int row = 0; row < knob_section_count(section->section); row++)
        if (knobs[first + row].type == KNOB_FILE)
            read_stated_file(reader, section, knob_id(&knobs[first + row]));
}

static void read_sections(struct scenario_reader *reader)
{
    if (!check_format(&reader->file))
        return;
    make_instances(reader);
    for (size_t i = 0; i < reader->count; i++) {
        struct file_section *section = &reader->sections[i];

        if (section->section == SECTION_DEVICE)
            read_preset(reader, section);
        section_read_kind(&reader->file, section, section->section == SECTION_COMPONENT);
    }
    for (size_t i = 0; i < reader->count; i++) {
        section_read_keys(&reader->file, &reader->sections[i]);
        read_stated_files(reader, &reader->sections[i]);
    }
}

/* Fills the scenario and sets `ini`, which the caller must free. `problems` is emptied first and
 * sorted by line. */
static void read_scenario(struct scenario *scenario, struct ini *ini, const char *bytes,
                          size_t length, const struct scenario_source *source,
                          struct problems *problems)
{
    struct scenario_reader reader = {.file = {.scenario = scenario, .problems = problems},
                                     .source = source};

    scenario_init(scenario);
    if (section_reader_open(&reader.file, bytes, length, source->embedded)) {
        reader.sections =
            allocate_array(reader.file.ini.section_count + 1, sizeof *reader.sections);
        read_sections(&reader);
        free(reader.sections);
    }
    section_reader_close(&reader.file);
    *ini = reader.file.ini;
}

/* Creates the document of `bytes`, which come from the file `path` unless that is NULL. */
static enum status read_document(struct scenario *scenario, struct document **document,
                                 const char *path, const char *bytes, size_t length,
                                 const struct scenario_source *source, struct problems *problems)
{
    struct document *read = allocate_array(1, sizeof *read);

    if (path != NULL)
        read->path = allocate_text(path);
    read_scenario(&read->loaded, &read->ini, bytes, length, source, problems);
    if (problems->count > 0) {
        document_free(read);
        return STATUS_INVALID;
    }
    *scenario = read->loaded;
    document_free(*document);
    *document = read;
    return STATUS_OK;
}

enum status scenario_parse_from(struct scenario *scenario, struct document **document,
                                const char *bytes, size_t length,
                                const struct scenario_source *source, struct problems *problems)
{
    return read_document(scenario, document, NULL, bytes, length, source, problems);
}

enum status scenario_parse(struct scenario *scenario, struct document **document, const char *bytes,
                           size_t length, struct catalogue *catalogue, struct problems *problems)
{
    const struct scenario_source source = {.catalogue = catalogue};

    return read_document(scenario, document, NULL, bytes, length, &source, problems);
}

enum status scenario_parse_preset(struct scenario *scenario, struct document **document,
                                  const struct preset *preset, struct catalogue *catalogue,
                                  struct problems *problems)
{
    const struct scenario_source source = {
        .catalogue = catalogue, .from = preset->path, .embedded = preset->embedded};

    return read_document(scenario, document, NULL, preset->text, preset->length, &source, problems);
}

enum status scenario_read_preset(struct scenario *scenario, const struct preset *preset,
                                 struct catalogue *catalogue, struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    enum status status = scenario_parse_preset(scenario, &document, preset, catalogue, &problems);

    if (status != STATUS_OK)
        problems_summary(&problems, preset->path != NULL ? preset->path : preset->name, error);
    problems_free(&problems);
    document_free(document);
    return status;
}

enum status preset_check(const struct preset *preset, struct catalogue *catalogue,
                         struct error *error)
{
    const struct device *device;
    struct scenario *scenario;
    enum status status;

    if (preset_is_device(preset))
        return catalogue_device(catalogue, preset->name, &device, error);
    if (preset->path == NULL) /* the tests check those that are embedded */
        return STATUS_OK;
    if (catalogue_find(catalogue, preset->name, ~0U, error) == NULL)
        return error->status;
    scenario = allocate(sizeof *scenario);
    status = scenario_read_preset(scenario, preset, catalogue, error);
    free(scenario);
    return status;
}

const char *catalogue_next_unread(struct catalogue *catalogue, unsigned kinds, int *at,
                                  struct error *error)
{
    const char *folder = *at == 0 ? catalogue_unread_folder(catalogue, kinds) : NULL;

    *at += *at == 0;
    if (folder != NULL) {
        error_set(error, STATUS_IO, "%s", folder);
        return folder;
    }
    while (*at <= catalogue_count(catalogue)) {
        const struct preset *preset = catalogue_at(catalogue, (*at)++ - 1);

        if (preset_may_be(preset, kinds) && preset_check(preset, catalogue, error) != STATUS_OK)
            return preset->path;
    }
    return NULL;
}

enum status scenario_load_from(struct scenario *scenario, struct document **document,
                               const struct scenario_source *source, struct problems *problems)
{
    struct error error;
    enum status status;
    char *bytes;
    size_t length;

    problems_free(problems);
    status = file_read(source->from, INI_BYTES_MAX, &bytes, &length, NULL, &error);
    if (status != STATUS_OK) {
        problems_add(problems, PROBLEM_NAMES_FILE, "%s", error.message);
        return status;
    }
    status = read_document(scenario, document, source->from, bytes, length, source, problems);
    free(bytes);
    return status;
}

enum status scenario_load(struct scenario *scenario, struct document **document, const char *path,
                          struct catalogue *catalogue, struct problems *problems)
{
    const struct scenario_source source = {.catalogue = catalogue, .from = path};

    return scenario_load_from(scenario, document, &source, problems);
}

bool scenario_is_new_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *end = strrchr(slash == NULL ? path : slash, '.');
    struct stat what;
    bool folder = slash == NULL;

    if (end == NULL || strcmp(end, ".ini") != 0 || lstat(path, &what) == 0 || errno != ENOENT)
        return false;
    if (!folder) {
        char *name = allocate_part(path, (size_t)(slash + 1 - path));

        folder = stat(name, &what) == 0 && S_ISDIR(what.st_mode);
        free(name);
    }
    return folder;
}

/* Documents ------------------------------------------------------------------------------------ */

struct document *document_new(const char *path)
{
    struct document *document = allocate_array(1, sizeof *document);

    if (path != NULL)
        document->path = allocate_text(path);
    document->ini.bytes = allocate_text("");
    scenario_init(&document->loaded);
    return document;
}

void document_free(struct document *document)
{
    if (document == NULL)
        return;
    ini_free(&document->ini);
    free(document->path);
    free(document);
}

const char *document_path(const struct document *document)
{
    return document == NULL ? NULL : document->path;
}

int document_line(const struct document *document, const char *sentence)
{
    const size_t length = strcspn(sentence, ":");
    char path[128];
    char *point = path;

    if (document == NULL || length >= sizeof path)
        return 0;
    memcpy(path, sentence, length);
    path[length] = '\0';
    /* find the longest prefix that is a section: names contain no periods, the rest is the key */
    do {
        const struct ini_section *section = ini_find_section(&document->ini, path);
        const struct ini_key *key = NULL;

        if (section != NULL && point > path)
            key = ini_find_key(&document->ini, section, point);
        if (section != NULL)
            return key != NULL ? key->line : section->line;
        point = strrchr(path, '.');
        if (point != NULL)
            *point++ = '\0';
    } while (point != NULL);
    return 0;
}
