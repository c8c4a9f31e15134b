#include "measurement_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "measurement_csv.h"
#include "user_directory.h"

#define NAME "/machine.csv"
#define BYTES_MAX ((size_t)64 << 20)

enum { PATH_BYTES = 4096 };

bool measurement_file_path(char *path, size_t size)
{
    if (size < sizeof NAME || !user_state_directory(path, size - (sizeof NAME - 1)))
        return false;
    strcat(path, NAME);
    return true;
}

/* The text begins as a measurement's does: with a condition, or with the header. */
static bool is_ours(const char *bytes)
{
    if (strncmp(bytes, "part,name,", 10) == 0)
        return true;
    for (int i = 0; i < CONDITIONS; i++) {
        const char *name = condition_name((enum condition)i);
        size_t length = strlen(name);

        if (strncmp(bytes, "# ", 2) == 0 && strncmp(bytes + 2, name, length) == 0 &&
            strncmp(bytes + 2 + length, ": ", 2) == 0)
            return true;
    }
    return false;
}

/* `ours`: the file may be written over, though it cannot be read. */
static enum status read_path(const char *path, struct measurement *measurement, bool *ours,
                             struct error *error)
{
    char *bytes;
    size_t length;
    bool missing;
    enum status status = file_read(path, BYTES_MAX, &bytes, &length, &missing, error);

    *measurement = (struct measurement){0};
    *ours = missing;
    if (missing) {
        *error = (struct error){0};
        return STATUS_OK;
    }
    if (status == STATUS_OK) {
        *ours = length == 0 || is_ours(bytes);
        if (length > 0)
            status = measurement_csv_read(measurement, bytes, length, error);
        free(bytes);
    }
    if (status != STATUS_OK)
        error_prefix(error, "%s", path);
    return status;
}

enum status measurement_file_read(struct measurement *measurement, struct error *error)
{
    char path[PATH_BYTES];
    bool ours;

    *measurement = (struct measurement){0};
    if (!measurement_file_path(path, sizeof path))
        return STATUS_OK;
    return read_path(path, measurement, &ours, error);
}

static bool other_machine(const struct measurement *a, const struct measurement *b)
{
    return strcmp(a->condition[CONDITION_CPU], b->condition[CONDITION_CPU]) != 0;
}

/* Of what was measured now, what goes into the file. */
static enum status choose(const struct measurement *measurement, const bool *whole,
                          const struct measurement *kept, struct measurement *chosen,
                          struct error *error)
{
    enum status status = STATUS_OK;

    memcpy(chosen->condition, measurement->condition, sizeof chosen->condition);
    for (int i = 0; i < measurement->count && status == STATUS_OK; i++) {
        enum measurement_part part = measurement->point[i].part;

        if (whole[part] || !measurement_has(kept, part))
            status = measurement_add(chosen, &measurement->point[i], error);
    }
    return status;
}

static enum status write_path(char *path, const struct measurement *measurement,
                              struct error *error)
{
    char *slash = strrchr(path, '/');
    struct buffer buffer = {0};
    enum status status;
    char *file;

    *slash = '\0';
    user_make_directory(path);
    *slash = '/';
    measurement_csv(&buffer, measurement);
    file = file_resolve(path, error);
    if (buffer.failed)
        status = error_set(error, STATUS_MEMORY, "no memory for what was measured");
    else if (file == NULL)
        status = STATUS_IO;
    else
        status = file_replace(file, buffer.bytes, buffer.length, false, &file_system, error);
    if (status != STATUS_OK)
        error_prefix(error, "%s", path);
    free(file);
    buffer_free(&buffer);
    return status;
}

enum status measurement_file_keep(const struct measurement *measurement,
                                  const bool whole[MEASUREMENT_PARTS], struct error *error)
{
    struct measurement kept, chosen = {0};
    struct error damaged = {0};
    char path[PATH_BYTES];
    enum status status;
    bool ours;

    *error = (struct error){0};
    if (!measurement_file_path(path, sizeof path))
        return error_set(error, STATUS_IO,
                         "without a home directory what was measured is not kept");
    if (read_path(path, &kept, &ours, &damaged) != STATUS_OK && !ours) {
        *error = damaged;
        return damaged.status;
    }
    if (other_machine(&kept, measurement)) {
        measurement_free(&kept);
        kept = (struct measurement){0};
    }
    status = choose(measurement, whole, &kept, &chosen, error);
    if (status == STATUS_OK && chosen.count > 0)
        status = measurement_merge(&kept, &chosen, error);
    if (status == STATUS_OK && chosen.count > 0)
        status = write_path(path, &kept, error);
    if (status == STATUS_OK)
        *error = damaged;
    measurement_free(&kept);
    measurement_free(&chosen);
    return status;
}
