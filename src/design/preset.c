#include "design/preset.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/nearest.h"
#include "design/document.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/trace.h"

/* What was found out about a preset when it was first asked for. */
struct entry {
    struct preset preset;
    struct user_preset *user; /* NULL: embedded */
    struct device *device;    /* a device preset, once parsed */
    char title[TEXT_MAX_LENGTH + 1];
    bool titled;
};

struct catalogue {
    struct entry *entries;
    size_t count;
    struct user_presets users;
    struct program_library programs;
};

static const char *const kind_names[] = {"cpu", "gpu", "ao"};

#define KIND_COUNT 3
#define DEVICE_KINDS (1U << PRESET_CPU | 1U << PRESET_GPU)
#define ALL_KINDS ((1U << KIND_COUNT) - 1)

const char *preset_kind_name(enum preset_kind kind)
{
    return kind_names[kind];
}

/* Opening ------------------------------------------------------------------------------------ */

static enum preset_kind kind_named(const char *name)
{
    int kind = 0;

    while (kind < PRESET_AO && strcmp(kind_names[kind], name) != 0)
        kind++;
    return (enum preset_kind)kind;
}

static void add_embedded(struct catalogue *catalogue, const struct embedded_file *file)
{
    struct entry *entry = &catalogue->entries[catalogue->count];

    for (size_t i = 0; i < catalogue->users.count; i++)
        if (strcmp(catalogue->users.list[i].name, file->name) == 0)
            return;
    entry->preset.kind = kind_named(file->kind);
    entry->preset.text = (const char *)file->bytes;
    entry->preset.length = file->length;
    snprintf(entry->preset.name, sizeof entry->preset.name, "%s", file->name);
    catalogue->count++;
}

static void add_user(struct catalogue *catalogue, struct user_preset *user)
{
    struct entry *entry = &catalogue->entries[catalogue->count++];

    entry->user = user;
    entry->preset.kind = user->kind;
    entry->preset.path = user->path;
    entry->preset.text = user->text == NULL ? "" : user->text;
    entry->preset.length = user->length;
    snprintf(entry->preset.name, sizeof entry->preset.name, "%s", user->name);
}

static int by_kind_and_name(const void *a, const void *b)
{
    const struct entry *left = a;
    const struct entry *right = b;

    if (left->preset.kind != right->preset.kind)
        return left->preset.kind < right->preset.kind ? -1 : 1;
    return strcmp(left->preset.name, right->preset.name);
}

static enum status open_catalogue(struct catalogue **catalogue, bool users, struct error *error)
{
    struct catalogue *new = calloc(1, sizeof *new);
    bool enough;

    *catalogue = NULL;
    enough = new != NULL && (!users || user_presets_read(&new->users));
    if (enough) {
        new->entries = calloc(preset_files_count + new->users.count + 1, sizeof *new->entries);
        enough = new->entries != NULL;
    }
    if (!enough) {
        catalogue_close(new);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < preset_files_count; i++)
        add_embedded(new, &preset_files[i]);
    for (size_t i = 0; i < new->users.count; i++)
        add_user(new, &new->users.list[i]);
    qsort(new->entries, new->count, sizeof *new->entries, by_kind_and_name);
    *catalogue = new;
    return STATUS_OK;
}

enum status catalogue_open(struct catalogue **catalogue, struct error *error)
{
    return open_catalogue(catalogue, true, error);
}

enum status catalogue_open_embedded(struct catalogue **catalogue, struct error *error)
{
    return open_catalogue(catalogue, false, error);
}

void catalogue_close(struct catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    for (size_t i = 0; i < catalogue->count; i++)
        free(catalogue->entries[i].device);
    free(catalogue->entries);
    user_presets_free(&catalogue->users);
    program_library_free(&catalogue->programs);
    free(catalogue);
}

struct program_library *catalogue_programs(struct catalogue *catalogue)
{
    return &catalogue->programs;
}

/* Finding ------------------------------------------------------------------------------------ */

int catalogue_count(const struct catalogue *catalogue)
{
    return (int)catalogue->count;
}

const struct preset *catalogue_at(const struct catalogue *catalogue, int index)
{
    return &catalogue->entries[index].preset;
}

/* "cpu or gpu", "ao"; nothing where every kind will do. */
static void wanted_kinds(unsigned kinds, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    if ((kinds & ALL_KINDS) == ALL_KINDS)
        return;
    for (unsigned kind = 0; kind < KIND_COUNT; kind++)
        if ((kinds >> kind & 1U) != 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " or " : "",
                                     kind_names[kind]);
}

static struct entry *not_found(const struct catalogue *catalogue, const char *name, unsigned kinds,
                               struct error *error)
{
    struct nearest nearest = nearest_to(name);
    char wanted[32];

    for (size_t i = 0; i < catalogue->count; i++)
        if ((kinds >> catalogue->entries[i].preset.kind & 1U) != 0)
            nearest_offer(&nearest, catalogue->entries[i].preset.name);
    wanted_kinds(kinds, wanted, sizeof wanted);
    if (wanted[0] != '\0')
        strcat(wanted, " ");
    if (nearest.best[0] != '\0')
        error_set(error, STATUS_INVALID, "there is no %spreset \"%.63s\"; did you mean %s?", wanted,
                  name, nearest.best);
    else
        error_set(error, STATUS_INVALID,
                  "there is no %spreset \"%.63s\"; \"aolag presets\" lists them", wanted, name);
    return NULL;
}

static struct entry *find(const struct catalogue *catalogue, const char *name, unsigned kinds,
                          struct error *error)
{
    char wanted[32];

    for (size_t i = 0; i < catalogue->count; i++) {
        struct entry *entry = &catalogue->entries[i];

        if (strcmp(entry->preset.name, name) != 0)
            continue;
        if ((kinds >> entry->preset.kind & 1U) == 0) {
            wanted_kinds(kinds, wanted, sizeof wanted);
            error_set(error, STATUS_INVALID, "%s is a preset of kind %s, not %s", name,
                      kind_names[entry->preset.kind], wanted);
            return NULL;
        }
        if (entry->user != NULL && entry->user->text == NULL) {
            error_set(error, STATUS_IO, "%s: %s", entry->user->path, entry->user->error.message);
            return NULL;
        }
        return entry;
    }
    return not_found(catalogue, name, kinds, error);
}

const struct preset *catalogue_find(const struct catalogue *catalogue, const char *name,
                                    unsigned kinds, struct error *error)
{
    const struct entry *entry = find(catalogue, name, kinds, error);

    return entry == NULL ? NULL : &entry->preset;
}

/* Devices ------------------------------------------------------------------------------------ */

static enum status parse_device(struct entry *entry, struct error *error)
{
    const struct preset *preset = &entry->preset;
    struct problems problems = {NULL, 0, 0};
    struct device *device = calloc(1, sizeof *device);
    enum status status;

    if (device == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    status = scenario_parse_device(device, preset->text, preset->length, &problems);
    if (status == STATUS_OK && device->kind != (int)preset->kind)
        status = error_set(error, STATUS_INVALID, "%s: kind = %s, but it lies among the %s presets",
                           preset->path == NULL ? preset->name : preset->path,
                           kind_names[device->kind], kind_names[preset->kind]);
    else if (status != STATUS_OK)
        problems_summary(&problems, preset->path == NULL ? preset->name : preset->path, error);
    problems_free(&problems);
    if (status == STATUS_OK)
        entry->device = device;
    else
        free(device);
    return status;
}

enum status catalogue_device(struct catalogue *catalogue, const char *name,
                             const struct device **device, struct error *error)
{
    struct error reason;
    struct entry *entry = find(catalogue, name, DEVICE_KINDS, &reason);

    if (entry == NULL)
        return error_set(error, reason.status, "%s", reason.message);
    if (entry->device == NULL && parse_device(entry, &reason) != STATUS_OK)
        return error_set(error, reason.status, "%s", reason.message);
    *device = entry->device;
    return STATUS_OK;
}

void scenario_put_preset(struct scenario *scenario, int device, const char *name,
                         const struct device *base)
{
    struct device *at = &scenario->device[device];
    struct knob_set own = {{0, 0}};

    if (name[0] != '\0')
        knob_set_add(&own, &knobs[KNOB_DEVICE_PRESET]);
    if (knob_set_has(&at->head.own, &knobs[KNOB_DEVICE_HOST]))
        knob_set_add(&own, &knobs[KNOB_DEVICE_HOST]);
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

/* Titles ------------------------------------------------------------------------------------- */

/* Without a full reading: a scenario's devices may name presets that are broken. */
static void read_title(struct entry *entry)
{
    const struct preset *preset = &entry->preset;
    bool is_system = preset->kind == PRESET_AO;
    struct problems problems = {NULL, 0, 0};
    const struct ini_section *section;
    const struct ini_key *key = NULL;
    struct ini ini;

    snprintf(entry->title, sizeof entry->title, "%s", preset->name);
    entry->titled = true;
    if (ini_scan(preset->text, preset->length, &ini, &problems) == STATUS_OK) {
        section = ini_find_section(&ini, is_system ? "scenario" : "device");
        if (section != NULL)
            key = ini_find_key(&ini, section, is_system ? "title" : "model");
        if (key != NULL && !key->refused && key->value.length > 0)
            ini_excerpt(&ini, key->value, entry->title, sizeof entry->title);
    }
    ini_free(&ini);
    problems_free(&problems);
}

const char *catalogue_title(struct catalogue *catalogue, int index)
{
    struct entry *entry = &catalogue->entries[index];

    if (!entry->titled)
        read_title(entry);
    return entry->title;
}

/* Preset user ---------------------------------------------------------------------------------- */

#define EXTENSION ".ini"

char *user_presets_directory(bool *enough)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    char *path = NULL;
    int length;

    *enough = true;
    /* the base directory specification: a path that is not absolute is to be ignored */
    if (config != NULL && config[0] == '/')
        length = asprintf(&path, "%s/aolag/presets", config);
    else if (home != NULL && home[0] == '/')
        length = asprintf(&path, "%s/.config/aolag/presets", home);
    else
        return NULL;
    *enough = length >= 0;
    return *enough ? path : NULL;
}

bool user_preset_name_good(const char *name)
{
    size_t length = strlen(name);

    return length > 0 && length <= TEXT_MAX_LENGTH && name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.") ==
               length;
}

/* The preset's name, of the file's; false for files that are none. */
static bool name_of(const char *file, char *name)
{
    size_t length = strlen(file);
    size_t kept = length - (sizeof EXTENSION - 1);

    if (length < sizeof EXTENSION || kept > TEXT_MAX_LENGTH || strcmp(file + kept, EXTENSION) != 0)
        return false;
    memcpy(name, file, kept);
    name[kept] = '\0';
    return user_preset_name_good(name);
}

/* By what the file holds: a [device], of its kind, or else a system. */
static enum preset_kind kind_of_text(const char *text, size_t length)
{
    enum preset_kind kind = PRESET_AO;
    struct problems problems = {NULL, 0, 0};
    const struct ini_section *device = NULL;
    const struct ini_key *key = NULL;
    struct ini ini;

    if (ini_scan(text, length, &ini, &problems) == STATUS_OK)
        device = ini_find_section(&ini, "device");
    if (device != NULL) {
        key = ini_find_key(&ini, device, "kind");
        kind = key != NULL && ini_is(&ini, key->value, "gpu") ? PRESET_GPU : PRESET_CPU;
    }
    ini_free(&ini);
    problems_free(&problems);
    return kind;
}

static bool is_known(const struct user_presets *presets, const char *name)
{
    for (size_t i = 0; i < presets->count; i++)
        if (strcmp(presets->list[i].name, name) == 0)
            return true;
    return false;
}

static struct user_preset *next_entry(struct user_presets *presets)
{
    if (presets->count == presets->capacity) {
        size_t capacity = presets->capacity == 0 ? 16 : presets->capacity * 2;
        struct user_preset *list = realloc(presets->list, capacity * sizeof *list);

        if (list == NULL)
            return NULL;
        presets->list = list;
        presets->capacity = capacity;
    }
    memset(&presets->list[presets->count], 0, sizeof presets->list[0]);
    return &presets->list[presets->count];
}

/* `kind` is the folder's, PRESET_AO + 1 for the directory above them. */
static bool add_file(struct user_presets *presets, const char *directory, const char *file,
                     int kind)
{
    char name[TEXT_MAX_LENGTH + 1];
    struct user_preset *new;

    if (!name_of(file, name) || is_known(presets, name))
        return true;
    new = next_entry(presets);
    if (new == NULL || asprintf(&new->path, "%s/%s", directory, file) < 0)
        return false;
    memcpy(new->name, name, sizeof new->name);
    presets->count++;
    if (file_read(new->path, INI_BYTES_MAX, &new->text, &new->length, NULL, &new->error) !=
        STATUS_OK)
        new->text = NULL;
    if (kind <= PRESET_AO)
        new->kind = (enum preset_kind)kind;
    else
        new->kind = new->text == NULL ? PRESET_AO : kind_of_text(new->text, new->length);
    return new->text != NULL || new->error.status != STATUS_MEMORY;
}

static bool add_directory(struct user_presets *presets, const char *path, int kind)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    bool enough = true;

    if (directory == NULL)
        return true;
    while (enough && (entry = readdir(directory)) != NULL)
        enough = add_file(presets, path, entry->d_name, kind);
    closedir(directory);
    return enough;
}

bool user_presets_read(struct user_presets *presets)
{
    bool enough;
    char *path = user_presets_directory(&enough);

    if (path == NULL)
        return enough;
    enough = add_directory(presets, path, PRESET_AO + 1);
    for (int kind = 0; kind <= PRESET_AO && enough; kind++) {
        char *folder = NULL;

        enough = asprintf(&folder, "%s/%s", path, preset_kind_name((enum preset_kind)kind)) >= 0 &&
                 add_directory(presets, folder, kind);
        free(folder);
    }
    free(path);
    return enough;
}

void user_presets_free(struct user_presets *presets)
{
    for (size_t i = 0; i < presets->count; i++) {
        free(presets->list[i].path);
        free(presets->list[i].text);
    }
    free(presets->list);
    memset(presets, 0, sizeof *presets);
}
