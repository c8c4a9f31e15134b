#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "ini_scan.h"
#include "knob.h"
#include "machine_preset.h"
#include "measurement_csv.h"
#include "preset_data.h"
#include "preset_user.h"
#include "result.h"
#include "user_directory.h"

#define CSV_BYTES_MAX ((size_t)64 << 20) /* of a file that may be replaced */

static enum status check_name(const char *name, struct error *error)
{
    if (!user_preset_name_good(name))
        return error_set(error, STATUS_INVALID,
                         "\"%.80s\" cannot name a preset: 1 to %d letters, digits, - _ + . and no "
                         "point in front",
                         name, TEXT_MAX_LENGTH);
    for (size_t i = 0; i < preset_files_count; i++)
        if (strcmp(preset_files[i].name, name) == 0)
            return error_set(error, STATUS_INVALID,
                             "%s is a preset that comes with aolag; choose another name", name);
    return STATUS_OK;
}

/* Whether a file tells of a value that it was measured. */
static bool tells_measured(const char *text, size_t length)
{
    struct problems problems = {NULL, 0, 0};
    struct ini ini;
    bool found = false;

    if (ini_scan(text, length, &ini, &problems) == STATUS_OK)
        for (size_t i = 0; i < ini.key_count && !found; i++)
            found = ini.keys[i].name.length > strlen(ORIGIN_PREFIX) &&
                    strncmp(ini.bytes + ini.keys[i].name.start, ORIGIN_PREFIX,
                            strlen(ORIGIN_PREFIX)) == 0 &&
                    ini_is(&ini, ini.keys[i].value, "measured");
    ini_free(&ini);
    problems_free(&problems);
    return found;
}

/* The user's presets are looked through as the catalogue does, so that what is kept is what a
 * design then finds under the name. */
static enum status check_users(const char *name, const char *path, struct error *error)
{
    struct user_presets users = {NULL, 0, 0};
    enum status status = STATUS_OK;

    if (!user_presets_read(&users))
        status = error_set(error, STATUS_MEMORY, "out of memory");
    for (size_t i = 0; i < users.count && status == STATUS_OK; i++) {
        const struct user_preset *user = &users.list[i];

        if (strcmp(user->name, name) != 0)
            continue;
        if (strcmp(user->path, path) != 0)
            status = error_set(error, STATUS_CONFLICT,
                               "%s is a preset of yours already; choose another name", user->path);
        else if (user->text == NULL || !tells_measured(user->text, user->length))
            status = error_set(error, STATUS_CONFLICT,
                               "%s exists and was not measured; choose another name", path);
    }
    user_presets_free(&users);
    return status;
}

/* A file in the way of the points has to be points, too. */
static enum status check_points(const char *path, struct error *error)
{
    struct measurement old = {0};
    char *bytes = NULL;
    size_t length;
    bool missing = false;
    enum status status = file_read(path, CSV_BYTES_MAX, &bytes, &length, &missing, NULL);

    if (missing)
        return STATUS_OK;
    if (status == STATUS_OK)
        status = measurement_csv_read(&old, bytes, length, NULL);
    free(bytes);
    if (status == STATUS_MEMORY)
        return error_set(error, STATUS_MEMORY, "out of memory");
    if (status != STATUS_OK)
        return error_set(error, STATUS_CONFLICT,
                         "%s exists and is no measurement; choose another name", path);
    measurement_free(&old);
    return STATUS_OK;
}

static enum status write_file(const char *path, struct buffer *buffer, struct error *error)
{
    enum status status = STATUS_MEMORY;
    char *file = NULL;

    if (buffer->failed) {
        error_set(error, STATUS_MEMORY, "out of memory");
    } else {
        file = file_resolve(path, error);
        status = file == NULL ? STATUS_IO
                              : file_replace(file, buffer->bytes, buffer->length, false,
                                             &file_system, error);
    }
    if (status != STATUS_OK)
        error_prefix(error, "%s", path);
    free(file);
    buffer_free(buffer);
    return status;
}

/* The points first: a preset without its points would be less than points without a preset. */
static enum status write_both(const struct measurement *measurement, const struct machine *machine,
                              const char *ini, const char *csv, struct error *error)
{
    struct buffer points = {0}, preset = {0};
    enum status status;

    measurement_csv(&points, measurement);
    status = write_file(csv, &points, error);
    if (status != STATUS_OK)
        return status;
    machine_preset(&preset, measurement, machine);
    return write_file(ini, &preset, error);
}

/* Where a name is kept: free() both. */
struct place {
    char *directory, *ini, *csv;
};

static void place_free(struct place *place)
{
    free(place->directory);
    free(place->ini);
    free(place->csv);
}

static enum status place_find(const char *name, struct place *place, struct error *error)
{
    bool enough;

    *place = (struct place){.directory = user_presets_directory(&enough)};
    if (place->directory == NULL && enough)
        return error_set(
            error, STATUS_IO,
            "there is no directory for presets: neither XDG_CONFIG_HOME nor HOME is an "
            "absolute path");
    if (!enough || asprintf(&place->ini, "%s/%s.ini", place->directory, name) < 0 ||
        asprintf(&place->csv, "%s/%s.csv", place->directory, name) < 0)
        return error_set(error, STATUS_MEMORY, "out of memory");
    return STATUS_OK;
}

static enum status check_place(const char *name, struct place *place, struct error *error)
{
    enum status status;

    user_make_directory(place->directory);
    if (access(place->directory, W_OK | X_OK) != 0)
        return error_set(error, STATUS_IO, "%s cannot be written to: %s", place->directory,
                         strerror(errno));
    status = check_users(name, place->ini, error);
    if (status == STATUS_OK)
        status = check_points(place->csv, error);
    return status;
}

enum status machine_save_check(const char *name, struct error *error)
{
    struct place place = {0};
    enum status status = check_name(name, error);

    if (status == STATUS_OK)
        status = place_find(name, &place, error);
    if (status == STATUS_OK)
        status = check_place(name, &place, error);
    place_free(&place);
    return status;
}

enum status machine_save(const struct measurement *measurement, const char *name, char **path,
                         struct error *error)
{
    struct machine machine;
    struct place place = {0};
    enum status status = check_name(name, error);

    if (status != STATUS_OK)
        return status;
    machine_from(measurement, &machine);
    if (machine.levels == 0 && machine.clock == RESULT_NONE)
        return error_set(error, STATUS_INVALID,
                         "nothing was measured that a preset states: memory, operations or "
                         "bandwidth");
    status = place_find(name, &place, error);
    if (status == STATUS_OK)
        status = check_place(name, &place, error);
    if (status == STATUS_OK)
        status = write_both(measurement, &machine, place.ini, place.csv, error);
    if (status == STATUS_OK && path != NULL) {
        *path = place.ini;
        place.ini = NULL;
    }
    place_free(&place);
    return status;
}
