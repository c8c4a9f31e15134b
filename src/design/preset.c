#include "design/preset.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/csv.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "design/section_read.h"
#include "design/trace_library.h"

#define EXTENSION ".ini"

#define ALL_KINDS ((1U << PRESET_KINDS) - 1)

struct entry {
    struct preset preset;
    char *path;            /* path of a user's file; NULL: embedded */
    char *text;            /* text of a user's file; NULL if it cannot be read as a preset */
    char *why;             /* why it cannot; NULL if it can */
    struct device *device; /* a device preset, once parsed */
    char title[TEXT_MAX_LENGTH + 1];
    double frame_rate; /* Hz, of a system, 0: its text has none that is good */
    bool titled;
    double price;   /* of the user's file of prices */
    int price_line; /* there; 0: the file has none */
};

struct catalogue {
    struct entry *entries;
    int count, capacity;
    char *unread_folder[PRESET_KINDS + 1]; /* why; the last: the folder around those of kinds */
    char *unread_prices;                   /* why the user's file of prices cannot be used */
    bool embedded;                         /* without the user's presets */
    struct catalogue *renewed;             /* the next one (catalogue_renew); NULL: none */
    struct trace_library traces;
};

#define PRESETS "/presets" /* in the user's directory */
#define PRICES "/prices.csv"
#define PRICES_BYTES_MAX (1 << 20)

static const char *const kind_names[PRESET_KINDS] = {[PRESET_CPU] = "cpu",
                                                     [PRESET_GPU] = "gpu",
                                                     [PRESET_FPGA] = "fpga",
                                                     [PRESET_AO] = "ao",
                                                     [PRESET_PIPELINE] = "pipelines"};

const char *preset_mark(const struct preset *preset)
{
    return preset != NULL && preset->path != NULL ? " (own)" : "";
}

const char *preset_kind_name(enum preset_kind kind)
{
    return kind_names[kind];
}

/* Opening -------------------------------------------------------------------------------------- */

/* Returns true if one of the first `count` entries has the name. */
static bool has_name(const struct catalogue *catalogue, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(catalogue->entries[i].preset.name, name) == 0)
            return true;
    return false;
}

/* Appends a zeroed entry. */
static struct entry *add_preset_entry(struct catalogue *catalogue)
{
    catalogue->entries = array_reserve(catalogue->entries, catalogue->count, &catalogue->capacity,
                                       sizeof *catalogue->entries);
    return memset(&catalogue->entries[catalogue->count++], 0, sizeof *catalogue->entries);
}

/* Adds an embedded preset unless one of the user's, of which there are `users`, has its name. */
static void add_embedded(struct catalogue *catalogue, int users, const struct embedded_file *file)
{
    struct entry *entry;
    int kind = PRESET_CPU;

    if (has_name(catalogue, users, file->name))
        return;
    entry = add_preset_entry(catalogue);
    while (kind < PRESET_KINDS - 1 && strcmp(kind_names[kind], file->kind) != 0)
        kind++;
    entry->preset.kind = (enum preset_kind)kind;
    entry->preset.text = (const char *)file->bytes;
    entry->preset.length = file->length;
    entry->preset.embedded = file;
    snprintf(entry->preset.name, sizeof entry->preset.name, "%s", file->name);
}

bool preset_directory(char *path)
{
    if (!user_directory("XDG_CONFIG_HOME", ".config", path, USER_DIRECTORY_SIZE - sizeof PRESETS))
        return false;
    strcat(path, PRESETS);
    return true;
}

bool preset_name_is_good(const char *name)
{
    size_t length = strlen(name);

    return length > 0 && length <= TEXT_MAX_LENGTH && name[0] != '.' && name[0] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.") ==
               length;
}

/* Writes the preset name of a file, of one that no preset can have what fits; returns false if the
 * file is not a preset. */
static bool preset_name_of_file(const char *file, char *name)
{
    size_t length = strlen(file);
    size_t kept = length - (sizeof EXTENSION - 1);

    if (length < sizeof EXTENSION || file[0] == '.' || strcmp(file + kept, EXTENSION) != 0)
        return false;
    utf8_excerpt(name, TEXT_MAX_LENGTH + 1, file, kept);
    return true;
}

/* Reads values of knobs of one section without parsing the rest: devices of a scenario may use
 * broken presets. A value is empty if it is not stated; returns false if there is no such
 * section. */
static bool read_stated(const struct preset *preset, const enum knob_id *ids, int count,
                        char (*values)[TEXT_MAX_LENGTH + 1])
{
    struct problems problems = {NULL, 0, 0};
    const struct ini_section *section = NULL;
    struct ini ini;

    ini_scan_embedded(preset->embedded, preset->text, preset->length, &ini, &problems);
    section = ini_find_section(&ini, section_name(knobs[ids[0]].section));
    for (int i = 0; i < count; i++) {
        const struct ini_key *key =
            section == NULL ? NULL : section_find_line(&ini, section, "", &knobs[ids[i]]);

        values[i][0] = '\0';
        if (key != NULL && !key->refused)
            utf8_excerpt(values[i], sizeof values[i], key->value, strlen(key->value));
    }
    ini_free(&ini);
    problems_free(&problems);
    return section != NULL;
}

/* Returns the kind of the contents: that of the [device], or AO without such a section. */
static enum preset_kind kind_of_text(const struct preset *preset)
{
    const enum knob_id id = KNOB_DEVICE_KIND;
    char kind[1][TEXT_MAX_LENGTH + 1];

    if (!read_stated(preset, &id, 1, kind))
        return PRESET_AO;
    for (int k = PRESET_GPU; k <= PRESET_FPGA; k++)
        if (strcmp(kind[0], kind_names[k]) == 0)
            return (enum preset_kind)k;
    return PRESET_CPU;
}

bool preset_describes_device(const char *text, size_t length)
{
    struct problems problems = {NULL, 0, 0};
    struct ini ini;
    bool device;

    ini_scan_lines(text, length, &ini, &problems);
    device = ini_find_section(&ini, "device") != NULL && ini_find_section(&ini, "scenario") == NULL;
    ini_free(&ini);
    problems_free(&problems);
    return device;
}

/* Sets the error for a text with neither [device] nor [scenario]; returns false for a preset. */
static bool find_no_preset(const char *path, const char *text, size_t length, struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    struct ini ini;
    bool preset;

    ini_scan_lines(text, length, &ini, &problems);
    preset = ini_find_section(&ini, "device") != NULL || ini_find_section(&ini, "scenario") != NULL;
    if (!preset && problems.count == 0)
        error_set(error, STATUS_INVALID, "%s: neither [device] nor [scenario]; not a preset", path);
    else if (!preset)
        problems_summary(&problems, path, error);
    ini_free(&ini);
    problems_free(&problems);
    return !preset;
}

/* Adds a user's file; `kind` is that of its folder, PRESET_KINDS for the parent directory. */
static void add_user_file(struct catalogue *catalogue, const char *directory, const char *file,
                          int kind)
{
    char name[TEXT_MAX_LENGTH + 1];
    struct entry *entry;
    struct preset *preset;
    struct error error;

    if (!preset_name_of_file(file, name) || has_name(catalogue, catalogue->count, name))
        return;
    entry = add_preset_entry(catalogue);
    entry->path = allocate_print("%s/%s", directory, file);
    preset = &entry->preset;
    if (strlen(file) >= sizeof name + sizeof EXTENSION - 1 || !preset_name_is_good(name))
        entry->why = allocate_print("%s: the name of a preset has at most %d letters, digits and "
                                    "- _ + . and begins with none of - .",
                                    entry->path, TEXT_MAX_LENGTH);
    else if (file_read(entry->path, INI_BYTES_MAX, &entry->text, &preset->length, NULL, &error) !=
                 STATUS_OK ||
             find_no_preset(entry->path, entry->text, preset->length, &error)) {
        free(entry->text);
        entry->text = NULL;
        preset->length = 0;
        entry->why = allocate_text(error.message);
    }
    memcpy(preset->name, name, sizeof preset->name);
    preset->path = entry->path;
    preset->text = entry->text == NULL ? "" : entry->text;
    preset->unknown = kind == PRESET_KINDS && entry->text == NULL;
    if (kind < PRESET_KINDS)
        preset->kind = (enum preset_kind)kind;
    else
        preset->kind = entry->text == NULL ? PRESET_AO : kind_of_text(preset);
}

/* A directory that is missing has no presets, nor has what cannot be opened, which is kept for a
 * message; for lack of memory or descriptors that is an error. */
static enum status add_user_directory(struct catalogue *catalogue, const char *path, int kind,
                                      struct error *error)
{
    DIR *directory = opendir(path);
    const struct dirent *file;
    const char *reason = directory == NULL ? strerror(errno) : "";
    struct stat what;

    if (directory == NULL && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return error_set(error, STATUS_IO, "cannot open %s: %s", path, reason);
    if (directory == NULL && lstat(path, &what) == 0)
        catalogue->unread_folder[kind] = allocate_print("cannot open %s: %s", path, reason);
    while (directory != NULL && (file = readdir(directory)) != NULL)
        add_user_file(catalogue, path, file->d_name, kind);
    if (directory != NULL)
        closedir(directory);
    return STATUS_OK;
}

static enum status add_user_presets(struct catalogue *catalogue, struct error *error)
{
    char path[USER_DIRECTORY_SIZE];
    enum status status;

    if (!preset_directory(path))
        return STATUS_OK;
    status = add_user_directory(catalogue, path, PRESET_KINDS, error);
    for (int kind = 0; kind < PRESET_KINDS && status == STATUS_OK; kind++) {
        char *folder = allocate_print("%s/%s", path, kind_names[kind]);

        status = add_user_directory(catalogue, folder, kind, error);
        free(folder);
    }
    return status;
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *left = a;
    const struct entry *right = b;

    if (left->preset.kind != right->preset.kind)
        return left->preset.kind < right->preset.kind ? -1 : 1;
    return strcmp(left->preset.name, right->preset.name);
}

/* Adds the embedded presets to those of the user, and sorts all. */
static void add_embedded_presets(struct catalogue *catalogue)
{
    int users = catalogue->count;

    for (size_t i = 0; i < preset_files_count; i++)
        add_embedded(catalogue, users, &preset_files[i]);
    qsort(catalogue->entries, (size_t)catalogue->count, sizeof *catalogue->entries,
          compare_entries);
}

/* Prices --------------------------------------------------------------------------------------- */

/* Returns the device preset of a name, also one that cannot be read; NULL with an error if there is
 * none. */
static struct entry *find_priced(const struct catalogue *catalogue, const char *name,
                                 struct error *error)
{
    struct nearest nearest = nearest_to(name);

    for (int i = 0; i < catalogue->count; i++) {
        const struct preset *preset = &catalogue->entries[i].preset;

        if (!preset_may_be(preset, PRESET_DEVICES))
            continue;
        if (strcmp(preset->name, name) == 0)
            return &catalogue->entries[i];
        nearest_offer(&nearest, preset->name);
    }
    error_set(error, STATUS_INVALID, "there is no preset \"%.63s\" of a device%s%s%s", name,
              nearest.best[0] != '\0' ? "; did you mean " : "", nearest.best,
              nearest.best[0] != '\0' ? "?" : "");
    return NULL;
}

/* Reads one line of a file of prices; `work`: a scenario with one device. */
static void read_price(struct catalogue *catalogue, struct scenario *work, const char *field,
                       const char *price, int line, struct problems *problems)
{
    const struct knob_ref ref = {SECTION_DEVICE, 0, &knobs[KNOB_DEVICE_PRICE]};
    char name[TEXT_MAX_LENGTH + 1];
    struct error error;
    struct entry *entry;
    size_t length;

    length = text_trim(&field);
    snprintf(name, sizeof name, "%.*s", (int)length, field);
    entry = find_priced(catalogue, name, &error);
    if (entry == NULL)
        problems_add(problems, line, "%s", error.message);
    else if (entry->price_line > 0)
        problems_add(problems, line, "%s already has a price, on line %d", name, entry->price_line);
    else if (knob_set_text(work, ref, price, &error) != STATUS_OK)
        problems_add(problems, line, "the price of %s, \"%.63s\": %s", name, price, error.message);
    else {
        entry->price = work->device[0].price;
        entry->price_line = line;
    }
}

static void read_price_records(struct catalogue *catalogue, const struct records *records,
                               struct problems *problems)
{
    const char *name, *price;
    const struct record_text texts[] = {{"preset", &name}, {"price", &price}};
    struct scenario *work = allocate(sizeof *work);
    struct error error;

    scenario_init(work);
    scenario_insert(work, SECTION_DEVICE, 0, "preset", NULL);
    for (int i = 0; i < 2; i++)
        if (records_column(records, texts[i].column) < 0)
            problems_add(problems, records_line(records, -1),
                         "there is no column %s; the header is preset,price", texts[i].column);
    for (int i = 0; i < records->count && problems->count < PROBLEMS_MAX; i++) {
        if (records_read(records, i, texts, 2, &error) != STATUS_OK)
            break;
        read_price(catalogue, work, name, price, records_line(records, i), problems);
    }
    free(work);
}

enum status catalogue_read_prices(struct catalogue *catalogue, const char *bytes, size_t length,
                                  struct problems *problems)
{
    struct records records;
    struct error error;

    if (records_parse(&records, bytes, length, &error) == STATUS_OK) {
        read_price_records(catalogue, &records, problems);
        records_free(&records);
    } else {
        problems_add_error(problems, &error);
    }
    return problems->count > 0 ? STATUS_INVALID : STATUS_OK;
}

/* Reads the user's file of prices, if there is one; keeps why it cannot be used. */
static void add_user_prices(struct catalogue *catalogue)
{
    struct problems problems = {NULL, 0, 0};
    char path[USER_DIRECTORY_SIZE];
    bool missing = false;
    char *bytes = NULL;
    struct stat link; /* one that leads nowhere is there */
    struct error why;
    enum status status;
    size_t length;

    if (!user_directory("XDG_CONFIG_HOME", ".config", path, sizeof path - sizeof PRICES))
        return;
    strcat(path, PRICES);
    status = file_read(path, PRICES_BYTES_MAX, &bytes, &length, &missing, &why);
    if (status == STATUS_OK) {
        status = catalogue_read_prices(catalogue, bytes, length, &problems);
        if (status != STATUS_OK)
            problems_summary(&problems, path, &why);
    }
    problems_free(&problems);
    free(bytes);
    if (status != STATUS_OK && (!missing || lstat(path, &link) == 0))
        catalogue->unread_prices = allocate_text(why.message);
}

const char *catalogue_unread_prices(const struct catalogue *catalogue)
{
    return catalogue->unread_prices;
}

enum status catalogue_open(struct catalogue **catalogue, struct error *error)
{
    struct catalogue *opened = allocate_array(1, sizeof *opened);
    enum status status = add_user_presets(opened, error);

    *catalogue = NULL;
    if (status != STATUS_OK) {
        catalogue_close(opened);
        return status;
    }
    add_embedded_presets(opened);
    add_user_prices(opened);
    *catalogue = opened;
    return STATUS_OK;
}

struct catalogue *catalogue_open_embedded(void)
{
    struct catalogue *catalogue = allocate_array(1, sizeof *catalogue);

    add_embedded_presets(catalogue);
    catalogue->embedded = true;
    return catalogue;
}

/* Returns true for two equal texts, or none. */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_presets(const struct catalogue *a, const struct catalogue *b)
{
    bool same = a->count == b->count && same_text(a->unread_prices, b->unread_prices);

    for (int kind = 0; kind <= PRESET_KINDS; kind++)
        same = same && same_text(a->unread_folder[kind], b->unread_folder[kind]);
    for (int i = 0; same && i < a->count; i++) {
        const struct entry *x = &a->entries[i], *y = &b->entries[i];

        same = strcmp(x->preset.name, y->preset.name) == 0 && x->preset.kind == y->preset.kind &&
               same_text(x->path, y->path) && same_text(x->preset.text, y->preset.text) &&
               same_text(x->why, y->why) && x->price_line == y->price_line && x->price == y->price;
    }
    return same;
}

struct catalogue *catalogue_renew(struct catalogue *catalogue)
{
    struct catalogue *renewed;
    struct error error;

    if (catalogue->embedded || catalogue_open(&renewed, &error) != STATUS_OK)
        return catalogue;
    if (same_presets(catalogue, renewed)) {
        catalogue_close(renewed);
        return catalogue;
    }
    catalogue->renewed = renewed;
    return renewed;
}

void catalogue_close(struct catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    catalogue_close(catalogue->renewed);
    for (int i = 0; i < catalogue->count; i++) {
        free(catalogue->entries[i].path);
        free(catalogue->entries[i].text);
        free(catalogue->entries[i].why);
        free(catalogue->entries[i].device);
    }
    for (int kind = 0; kind <= PRESET_KINDS; kind++)
        free(catalogue->unread_folder[kind]);
    free(catalogue->unread_prices);
    free(catalogue->entries);
    trace_library_free(&catalogue->traces);
    free(catalogue);
}

struct trace_library *catalogue_traces(struct catalogue *catalogue)
{
    return &catalogue->traces;
}

/* Finding -------------------------------------------------------------------------------------- */

int catalogue_count(const struct catalogue *catalogue)
{
    return catalogue->count;
}

const struct preset *catalogue_at(const struct catalogue *catalogue, int index)
{
    return &catalogue->entries[index].preset;
}

const char *catalogue_unread_folder(const struct catalogue *catalogue, unsigned kinds)
{
    const char *why = catalogue->unread_folder[PRESET_KINDS];

    for (int kind = 0; why == NULL && kind < PRESET_KINDS; kind++)
        if ((kinds >> kind & 1U) != 0)
            why = catalogue->unread_folder[kind];
    return why;
}

/* Writes "cpu or gpu" or "ao"; an empty text if all kinds are allowed. */
static void print_kinds(unsigned kinds, char *text, size_t size)
{
    struct buffer buffer = buffer_over(text, size);

    kinds &= ALL_KINDS;
    for (unsigned kind = 0; kind < PRESET_KINDS && kinds != ALL_KINDS; kind++) {
        const char *joint = kinds >> kind > 1 ? ", " : " or ";

        if ((kinds >> kind & 1U) != 0)
            buffer_print(&buffer, "%s%s", buffer.length > 0 ? joint : "", kind_names[kind]);
    }
}

const char *preset_own_file(const char *path)
{
    char folder[USER_DIRECTORY_SIZE];
    size_t length = preset_directory(folder) ? strlen(folder) : 0;

    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/'
               ? path + length + 1
               : path;
}

const char *preset_own_folder(void)
{
    const char *config = getenv("XDG_CONFIG_HOME");

    return config != NULL && config[0] == '/' ? "$XDG_CONFIG_HOME/aolag" PRESETS
                                              : "~/.config/aolag" PRESETS;
}

/* Sets the error for a preset that does not exist among the wanted kinds. */
static void report_unknown_preset(const struct catalogue *catalogue, const char *name,
                                  unsigned kinds, const char *wanted, struct error *error)
{
    struct nearest nearest = nearest_to(name);
    const char *blank = wanted[0] == '\0' ? "" : " ";
    const char *unread = catalogue_unread_folder(catalogue, kinds);

    for (int i = 0; i < catalogue->count; i++)
        if (preset_may_be(&catalogue->entries[i].preset, kinds))
            nearest_offer(&nearest, catalogue->entries[i].preset.name);
    if (unread != NULL)
        error_set(error, STATUS_INVALID, "there is no %s%spreset \"%.63s\"; %s", wanted, blank,
                  name, unread);
    else if (nearest.best[0] != '\0')
        error_set(error, STATUS_INVALID,
                  "there is no %s%spreset \"%.63s\"; did you mean %s? Own ones "
                  "are in %s",
                  wanted, blank, name, nearest.best, preset_own_folder());
    else
        error_set(error, STATUS_INVALID,
                  "there is no %s%spreset \"%.63s\"; \"aolag presets\" lists them, own ones "
                  "are in %s",
                  wanted, blank, name, preset_own_folder());
}

static struct entry *find_preset_entry(const struct catalogue *catalogue, const char *name,
                                       unsigned kinds, struct error *error)
{
    struct entry *entry = catalogue->entries;
    const struct entry *end = entry + catalogue->count;
    char wanted[32];

    while (entry < end && strcmp(entry->preset.name, name) != 0)
        entry++;
    print_kinds(kinds, wanted, sizeof wanted);
    if (entry == end)
        report_unknown_preset(catalogue, name, kinds, wanted, error);
    else if (entry->why != NULL)
        error_set(error, STATUS_IO, "%s", entry->why);
    else if (!preset_may_be(&entry->preset, kinds))
        error_set(error, STATUS_INVALID, "%s is a preset of kind %s, not %s", name,
                  kind_names[entry->preset.kind], wanted);
    else
        return entry;
    return NULL;
}

const struct preset *catalogue_find(const struct catalogue *catalogue, const char *name,
                                    unsigned kinds, struct error *error)
{
    const struct entry *entry = find_preset_entry(catalogue, name, kinds, error);

    return entry == NULL ? NULL : &entry->preset;
}

/* Devices -------------------------------------------------------------------------------------- */

/* Reports contents that a device preset cannot have; returns false without a [device] section. */
static bool check_device_file(struct section_reader *reader, struct file_section *place)
{
    static const enum knob_id refused[] = {KNOB_DEVICE_PRESET, KNOB_DEVICE_HOST};
    struct ini *ini = &reader->ini;
    char shown[NAME_SHOWN];

    place->in_file = ini_find_section(ini, "device");
    for (size_t i = 0; i < ini->section_count; i++) {
        if (&ini->sections[i] == place->in_file || ini->sections[i].refused)
            continue;
        ini_excerpt(ini, ini->sections[i].name, shown, sizeof shown);
        problems_add(reader->problems, ini->sections[i].line,
                     "[%s]: a device preset holds one section, [device]", shown);
    }
    if (place->in_file == NULL) {
        if (!section_reader_lacks_headers(reader))
            problems_add(reader->problems, 0, "[device] is missing; this is not a device preset");
        return false;
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const struct knob *knob = &knobs[refused[i]];
        const struct ini_key *key = section_find_line(ini, place->in_file, "", knob);

        if (key == NULL || key->refused)
            continue;
        problems_add(reader->problems, key->line,
                     "%s belongs to the device of a design, not to a preset", knob->key);
        ini->keys[key - ini->keys].refused = true;
    }
    return true;
}

static enum status read_device(struct device *device, const char *bytes, size_t length,
                               const struct embedded_file *embedded, struct problems *problems)
{
    struct scenario *scenario = allocate(sizeof *scenario);
    struct section_reader reader = {.scenario = scenario, .problems = problems};
    struct file_section place = {.section = SECTION_DEVICE, .index = 0, .kind_known = true};
    enum status status;

    /* nobody reads more than the device, which is cleared then */
    memset(scenario, 0, offsetof(struct scenario, wfs));
    scenario_insert(scenario, SECTION_DEVICE, 0, "preset", NULL);
    if (section_reader_open(&reader, bytes, length, embedded) &&
        check_device_file(&reader, &place)) {
        section_read_kind(&reader, &place, true);
        section_read_keys(&reader, &place);
    }
    section_reader_close(&reader);
    status = problems->count > 0 ? STATUS_INVALID : STATUS_OK;
    if (status == STATUS_OK) {
        *device = scenario->device[0];
        memset(device->head.name, 0, sizeof device->head.name);
    }
    ini_free(&reader.ini);
    free(scenario);
    return status;
}

enum status preset_read_device(struct device *device, const char *bytes, size_t length,
                               struct problems *problems)
{
    return read_device(device, bytes, length, NULL, problems);
}

static enum status parse_entry(struct entry *entry, struct error *error)
{
    const struct preset *preset = &entry->preset;
    const char *file = preset->path == NULL ? preset->name : preset->path;
    struct problems problems = {NULL, 0, 0};
    struct device *device = allocate_array(1, sizeof *device);
    enum status status =
        read_device(device, preset->text, preset->length, preset->embedded, &problems);

    if (status != STATUS_OK)
        problems_summary(&problems, file, error);
    else if (device->kind != (int)preset->kind)
        status =
            error_set(error, STATUS_INVALID, "%s: kind = %s, but the file is among the %s presets",
                      file, kind_names[device->kind], kind_names[preset->kind]);
    problems_free(&problems);
    if (status != STATUS_OK) {
        free(device);
        return status;
    }
    if (entry->price_line > 0) {
        device->price = entry->price;
        knob_set_add(&device->head.own, &knobs[KNOB_DEVICE_PRICE]);
    }
    entry->device = device;
    return STATUS_OK;
}

enum status catalogue_device(struct catalogue *catalogue, const char *name,
                             const struct device **device, struct error *error)
{
    struct error reason;
    struct entry *entry = find_preset_entry(catalogue, name, PRESET_DEVICES, &reason);

    if (entry == NULL || (entry->device == NULL && parse_entry(entry, &reason) != STATUS_OK))
        return error_set(error, reason.status, "%s", reason.message);
    *device = entry->device;
    return STATUS_OK;
}

void scenario_put_preset(struct scenario *scenario, int device, const char *name,
                         const struct device *base)
{
    struct device *at = &scenario->device[device];
    struct knob_set own = {{0, 0}};

    for (int row = 0; row < knob_section_count(SECTION_DEVICE); row++) {
        const struct knob *knob = &knobs[knob_section_first(SECTION_DEVICE) + row];

        if (knob->stays && knob_set_has(&at->head.own, knob))
            knob_set_add(&own, knob);
    }
    if (name[0] != '\0')
        knob_set_add(&own, &knobs[KNOB_DEVICE_PRESET]);
    at->base = base;
    at->head.own = own;
    for (int i = 0; i < ORIGINS_STATED; i++) {
        at->origin[i].bits[0] &= own.bits[0];
        at->origin[i].bits[1] &= own.bits[1];
    }
    memset(at->preset, 0, sizeof at->preset);
    snprintf(at->preset, sizeof at->preset, "%s", name);
    section_refresh(scenario, SECTION_DEVICE, device);
}

enum status scenario_set_preset(struct scenario *scenario, int device, struct catalogue *catalogue,
                                const char *name, struct error *error)
{
    const struct device *base = NULL;

    if (name[0] != '\0') {
        enum status status = catalogue_device(catalogue, name, &base, error);

        if (status != STATUS_OK)
            return status;
    }
    scenario_put_preset(scenario, device, name, base);
    return STATUS_OK;
}

bool preset_is_path(const char *name)
{
    const size_t length = strlen(name), end = strlen(EXTENSION);

    return strchr(name, '/') != NULL ||
           (length > end && strcmp(name + length - end, EXTENSION) == 0);
}

/* States the path of the file that describes a device, of a long one as many of the last names as
 * fit; a path that a file cannot state is left out. */
static void state_source(struct scenario *scenario, int device, const char *path)
{
    const struct knob_ref source = knob_ref_to(KNOB_DEVICE_SOURCE, device);
    struct error refused;

    while (strlen(path) > TEXT_MAX_LENGTH && strchr(path, '/') != NULL)
        path = strchr(path, '/') + 1;
    if (!knob_is_own(scenario, source))
        knob_set_text(scenario, source, path, &refused);
}

enum status preset_read_file(const char *path, struct device *device, char **bytes,
                             struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    size_t length;
    struct error reason;
    enum status status = file_read_named(path, INI_BYTES_MAX, bytes, &length, NULL, &reason);

    if (status != STATUS_OK)
        return error_set(error, status, "%.200s: %s", path, reason.message);
    status = preset_read_device(device, *bytes, length, &problems);
    if (status != STATUS_OK)
        problems_summary(&problems, path, error);
    problems_free(&problems);
    return status;
}

enum status scenario_take_preset_file(struct scenario *scenario, int device, const char *path,
                                      struct error *error)
{
    struct device *at = &scenario->device[device];
    struct device *read = allocate_array(1, sizeof *read);
    char *bytes = NULL;
    enum status status = preset_read_file(path, read, &bytes, error);

    for (int row = 0; row < knob_section_count(SECTION_DEVICE) && status == STATUS_OK; row++) {
        const struct knob *knob = &knobs[knob_section_first(SECTION_DEVICE) + row];

        if (knob->stays && knob_set_has(&at->head.own, knob)) {
            memcpy((char *)read + knob->offset, (const char *)at + knob->offset, knob->size);
            knob_set_add(&read->head.own, knob);
        }
    }
    if (status == STATUS_OK) {
        memcpy(read->head.name, at->head.name, sizeof read->head.name);
        memset(read->other, 0, sizeof read->other); /* a design states one dispatch */
        *at = *read;
        state_source(scenario, device, path);
        section_refresh(scenario, SECTION_DEVICE, device);
    }
    free(read);
    free(bytes);
    return status;
}

/* Titles --------------------------------------------------------------------------------------- */

/* Reads what lists show of a preset. */
static void read_heading(struct entry *entry)
{
    static const enum knob_id device[] = {KNOB_DEVICE_MODEL};
    static const enum knob_id system[] = {KNOB_SCENARIO_TITLE, KNOB_SCENARIO_FRAME_RATE};
    const struct preset *preset = &entry->preset;
    bool is_device = preset_is_device(preset);
    const struct knob *rate = &knobs[KNOB_SCENARIO_FRAME_RATE];
    char stated[2][TEXT_MAX_LENGTH + 1] = {"", ""};

    if (entry->titled)
        return;
    if (entry->device != NULL)
        memcpy(stated[0], entry->device->model, sizeof stated[0]);
    else
        read_stated(preset, is_device ? device : system, is_device ? 1 : 2, stated);
    memcpy(entry->title, stated[0], sizeof entry->title);
    if (is_device)
        entry->frame_rate = 0;
    else if (stated[1][0] == '\0')
        entry->frame_rate = knob_fallback(rate);
    else if (quantity_parse(stated[1], rate->unit, &entry->frame_rate, NULL) != STATUS_OK)
        entry->frame_rate = 0;
    entry->titled = true;
}

const char *catalogue_title(struct catalogue *catalogue, int index)
{
    struct entry *entry = &catalogue->entries[index];

    read_heading(entry);
    return entry->title[0] != '\0' ? entry->title : entry->preset.name;
}

double catalogue_frame_rate(struct catalogue *catalogue, int index)
{
    read_heading(&catalogue->entries[index]);
    return catalogue->entries[index].frame_rate;
}
