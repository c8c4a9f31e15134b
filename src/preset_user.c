#include "preset_user.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "ini_scan.h"

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
