#include "probe/measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/units.h"
#include "model/result.h"

#define NOISE 0.10 /* of the least sample */

static const struct {
    const char *name, *unit;
} parts[MEASUREMENT_PARTS] = {
    [MEASUREMENT_MEMORY] = {"memory", "access"},
    [MEASUREMENT_OPERATIONS] = {"operations", "operation"},
    [MEASUREMENT_BANDWIDTH] = {"bandwidth", "byte"},
    [MEASUREMENT_APEX] = {"apex", "access"},
    [MEASUREMENT_KERNELS] = {"kernels", "frame"},
};

static const char *const parameters[PARAMETERS] = {
    [PARAMETER_SIZE] = "size_bytes",     [PARAMETER_BITS] = "width_bits",
    [PARAMETER_CHAINS] = "chains",       [PARAMETER_CORES] = "cores",
    [PARAMETER_AHEAD] = "ahead",         [PARAMETER_BLOCK] = "block_words",
    [PARAMETER_LOCALITY] = "alpha",      [PARAMETER_SUBNORMAL] = "subnormal_share",
    [PARAMETER_FLUSH] = "flush_to_zero", [PARAMETER_SUBAPERTURES] = "subapertures",
    [PARAMETER_SIDE] = "side_px",        [PARAMETER_PIXELS] = "pixels",
    [PARAMETER_ROWS] = "rows",           [PARAMETER_COLUMNS] = "columns",
};

static const char *const conditions[CONDITIONS] = {
    [CONDITION_CPU] = "cpu",         [CONDITION_CORES] = "cores",
    [CONDITION_PINNED] = "pinned",   [CONDITION_GOVERNOR] = "governor",
    [CONDITION_TURBO] = "turbo",     [CONDITION_HUGE_PAGES] = "huge_pages",
    [CONDITION_VIRTUAL] = "virtual", [CONDITION_CACHES] = "caches",
    [CONDITION_VECTORS] = "vectors", [CONDITION_SYSTEM] = "system",
    [CONDITION_DATE] = "date",       [CONDITION_VERSION] = "version",
    [CONDITION_SEED] = "seed",
};

const char *measurement_part_name(enum measurement_part part)
{
    return parts[part].name;
}

const char *measurement_part_unit(enum measurement_part part)
{
    return parts[part].unit;
}

const char *parameter_name(enum parameter parameter)
{
    return parameters[parameter];
}

const char *condition_name(enum condition condition)
{
    return conditions[condition];
}

void measurement_free(struct measurement *measurement)
{
    free(measurement->point);
    *measurement = (struct measurement){0};
}

struct measurement_point measurement_point(enum measurement_part part, const char *name,
                                           const char *type)
{
    struct measurement_point point = {.part = part};

    strncat(point.name, name, sizeof point.name - 1);
    strncat(point.type, type, sizeof point.type - 1);
    for (int i = 0; i < PARAMETERS; i++)
        point.parameter[i] = (double)NAN;
    return point;
}

enum status measurement_add(struct measurement *measurement, const struct measurement_point *point,
                            struct error *error)
{
    if (measurement->count == measurement->capacity) {
        int capacity = measurement->capacity > 0 ? 2 * measurement->capacity : 256;
        struct measurement_point *larger =
            realloc(measurement->point, (size_t)capacity * sizeof *larger);

        if (larger == NULL)
            return error_set(error, STATUS_MEMORY, "no memory for what was measured");
        measurement->point = larger;
        measurement->capacity = capacity;
    }
    measurement->point[measurement->count++] = *point;
    return STATUS_OK;
}

void measurement_remove(struct measurement *measurement, enum measurement_part part)
{
    int kept = 0;

    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part != part)
            measurement->point[kept++] = measurement->point[i];
    measurement->count = kept;
}

bool measurement_has(const struct measurement *measurement, enum measurement_part part)
{
    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part == part)
            return true;
    return false;
}

enum status measurement_merge(struct measurement *measurement, const struct measurement *from,
                              struct error *error)
{
    enum status status = STATUS_OK;

    for (int part = 0; part < MEASUREMENT_PARTS; part++)
        if (measurement_has(from, (enum measurement_part)part))
            measurement_remove(measurement, (enum measurement_part)part);
    for (int i = 0; i < CONDITIONS; i++)
        if (from->condition[i][0] != '\0')
            memcpy(measurement->condition[i], from->condition[i], CONDITION_MAX);
    for (int i = 0; i < from->count && status == STATUS_OK; i++)
        status = measurement_add(measurement, &from->point[i], error);
    return status;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The sample at or next above a fraction of them. */
static double quantile(const struct measurement_point *point, double fraction)
{
    double sorted[MEASUREMENT_SAMPLES_MAX];
    int rank = (int)ceil(fraction * point->count) - 1;

    if (point->count == 0)
        return RESULT_NONE;
    memcpy(sorted, point->sample, (size_t)point->count * sizeof sorted[0]);
    qsort(sorted, (size_t)point->count, sizeof sorted[0], ascending);
    return sorted[rank > 0 ? rank : 0];
}

double point_least(const struct measurement_point *point)
{
    return quantile(point, 0);
}

double point_median(const struct measurement_point *point)
{
    return quantile(point, 0.5);
}

double point_p99(const struct measurement_point *point)
{
    return quantile(point, 0.99);
}

bool point_noisy(const struct measurement_point *point)
{
    return point->count > 0 &&
           quantile(point, 0.75) - quantile(point, 0.25) > NOISE * point_least(point);
}

/* Measurement csv ------------------------------------------------------------------------------ */

static const char *const texts[] = {"part", "name", "type", "of", "remark", "samples_s"};

enum { TEXT_PART, TEXT_NAME, TEXT_TYPE, TEXT_OF, TEXT_REMARK, TEXT_SAMPLES, TEXTS };

void measurement_csv_condition(struct buffer *buffer, const struct measurement *measurement,
                               enum condition condition)
{
    if (measurement->condition[condition][0] != '\0')
        buffer_print(buffer, "# %s: %s\n", condition_name(condition),
                     measurement->condition[condition]);
}

void measurement_csv_head(struct buffer *buffer, const struct measurement *measurement)
{
    for (int i = 0; i < CONDITIONS; i++)
        measurement_csv_condition(buffer, measurement, (enum condition)i);
    for (int i = 0; i < TEXT_REMARK; i++)
        buffer_print(buffer, "%s,", texts[i]);
    for (int i = 0; i < PARAMETERS; i++)
        buffer_print(buffer, "%s,", parameter_name((enum parameter)i));
    buffer_print(buffer, "%s,%s\n", texts[TEXT_REMARK], texts[TEXT_SAMPLES]);
}

static void add_text(struct buffer *buffer, const char *text)
{
    if (strpbrk(text, ",\"\n") == NULL) {
        buffer_print(buffer, "%s,", text);
        return;
    }
    buffer_add(buffer, "\"", 1);
    for (; *text != '\0'; text++)
        buffer_print(buffer, *text == '"' ? "\"\"" : "%c", *text);
    buffer_add(buffer, "\",", 2);
}

static void add_number(struct buffer *buffer, double value)
{
    char text[32];

    number_format(value, text, sizeof text);
    buffer_print(buffer, "%s", text);
}

void measurement_csv_point(struct buffer *buffer, const struct measurement_point *point)
{
    add_text(buffer, measurement_part_name(point->part));
    add_text(buffer, point->name);
    add_text(buffer, point->type);
    add_text(buffer, point->of);
    for (int i = 0; i < PARAMETERS; i++) {
        if (!isnan(point->parameter[i]))
            add_number(buffer, point->parameter[i]);
        buffer_add(buffer, ",", 1);
    }
    add_text(buffer, point->remark);
    for (int i = 0; i < point->count; i++) {
        if (i > 0)
            buffer_add(buffer, " ", 1);
        add_number(buffer, point->sample[i]);
    }
    buffer_add(buffer, "\n", 1);
}

void measurement_csv(struct buffer *buffer, const struct measurement *measurement)
{
    measurement_csv_head(buffer, measurement);
    for (int i = 0; i < measurement->count; i++)
        measurement_csv_point(buffer, &measurement->point[i]);
}

/* Reading ------------------------------------------------------------------------------------ */

/* "# cpu: AMD EPYC" */
static void read_condition(struct measurement *measurement, const char *line, size_t length)
{
    for (int i = 0; i < CONDITIONS; i++) {
        const char *name = condition_name((enum condition)i);
        size_t head = 2 + strlen(name) + 2;

        if (length >= head && strncmp(line, "# ", 2) == 0 &&
            strncmp(line + 2, name, head - 4) == 0 && strncmp(line + head - 2, ": ", 2) == 0) {
            size_t count = length - head < CONDITION_MAX ? length - head : CONDITION_MAX - 1;

            memcpy(measurement->condition[i], line + head, count);
            measurement->condition[i][count] = '\0';
        }
    }
}

static void read_conditions(struct measurement *measurement, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    bool quoted = false; /* a field that began on a line before */

    while (bytes < end) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));

        if (stop == NULL)
            stop = end;
        if (*bytes == '#' && !quoted)
            read_condition(measurement, bytes, (size_t)(stop - bytes));
        else
            for (; bytes < stop; bytes++)
                quoted ^= *bytes == '"';
        bytes = stop + 1;
    }
}

struct reading {
    const struct records *records;
    int text[TEXTS], parameter[PARAMETERS]; /* columns */
    int record;
};

static enum status refuse(const struct reading *reading, const char *column, const char *value,
                          const char *allowed, struct error *error)
{
    return error_set(error, STATUS_INVALID, "point %d, %s: '%.60s' is not %s", reading->record + 1,
                     column, value, allowed);
}

static enum status read_part(const struct reading *reading, const char *value,
                             enum measurement_part *part, struct error *error)
{
    for (int i = 0; i < MEASUREMENT_PARTS; i++) {
        if (strcmp(value, measurement_part_name((enum measurement_part)i)) == 0) {
            *part = (enum measurement_part)i;
            return STATUS_OK;
        }
    }
    return refuse(reading, "part", value, "memory, operations, bandwidth, apex or kernels", error);
}

static enum status read_parameter(const struct reading *reading, enum parameter parameter,
                                  double *value, struct error *error)
{
    int column = reading->parameter[parameter];
    const char *text = column < 0 ? "" : records_field(reading->records, reading->record, column);
    const char *end;

    if (text[0] == '\0')
        return STATUS_OK;
    if (number_parse(text, value, &end) != STATUS_OK || *end != '\0' || *value < 0)
        return refuse(reading, parameter_name(parameter), text, "a number from 0", error);
    return STATUS_OK;
}

static enum status read_samples(const struct reading *reading, const char *text,
                                struct measurement_point *point, struct error *error)
{
    const char *whole = text;

    while (*text != '\0') {
        const char *end;
        double value;

        if (number_parse(text, &value, &end) != STATUS_OK || (*end != ' ' && *end != '\0') ||
            value <= 0)
            return refuse(reading, texts[TEXT_SAMPLES], whole, "times above 0 with blanks between",
                          error);
        if (point->count < MEASUREMENT_SAMPLES_MAX)
            point->sample[point->count++] = value;
        text = *end == ' ' ? end + 1 : end;
    }
    return STATUS_OK;
}

static const char *text_of(const struct reading *reading, int text)
{
    return reading->text[text] < 0
               ? ""
               : records_field(reading->records, reading->record, reading->text[text]);
}

static enum status read_point(const struct reading *reading, struct measurement *measurement,
                              struct error *error)
{
    struct measurement_point point = measurement_point(
        MEASUREMENT_MEMORY, text_of(reading, TEXT_NAME), text_of(reading, TEXT_TYPE));
    enum status status = read_part(reading, text_of(reading, TEXT_PART), &point.part, error);

    strncat(point.of, text_of(reading, TEXT_OF), sizeof point.of - 1);
    strncat(point.remark, text_of(reading, TEXT_REMARK), sizeof point.remark - 1);
    for (int i = 0; i < PARAMETERS && status == STATUS_OK; i++)
        status = read_parameter(reading, (enum parameter)i, &point.parameter[i], error);
    if (status == STATUS_OK)
        status = read_samples(reading, text_of(reading, TEXT_SAMPLES), &point, error);
    if (status == STATUS_OK)
        status = measurement_add(measurement, &point, error);
    return status;
}

static enum status read_points(struct measurement *measurement, const struct records *records,
                               struct error *error)
{
    struct reading reading = {.records = records};
    enum status status = STATUS_OK;

    for (int i = 0; i < TEXTS; i++)
        reading.text[i] = records_column(records, texts[i]);
    for (int i = 0; i < PARAMETERS; i++)
        reading.parameter[i] = records_column(records, parameter_name((enum parameter)i));
    if (reading.text[TEXT_PART] < 0 || reading.text[TEXT_NAME] < 0 ||
        reading.text[TEXT_SAMPLES] < 0)
        return error_set(error, STATUS_INVALID,
                         "the header lacks part, name or samples_s: not a measurement");
    for (; reading.record < records->count && status == STATUS_OK; reading.record++)
        status = read_point(&reading, measurement, error);
    return status;
}

enum status measurement_csv_read(struct measurement *measurement, const char *bytes, size_t length,
                                 struct error *error)
{
    struct records records;
    enum status status = records_parse(&records, bytes, length, error);

    *measurement = (struct measurement){0};
    if (status != STATUS_OK)
        return status;
    read_conditions(measurement, bytes, length);
    status = read_points(measurement, &records, error);
    records_free(&records);
    if (status != STATUS_OK)
        measurement_free(measurement);
    return status;
}

/* Measurement file ----------------------------------------------------------------------------- */

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
