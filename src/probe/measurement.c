#include "probe/measurement.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/number.h"
#include "base/stats.h"
#include "model/result.h"

#define NOISE 0.10 /* relative to the minimum sample */

const struct measurement_part_name measurement_parts[MEASUREMENT_PARTS] = {
    [MEASUREMENT_MEMORY] = {.name = "memory", .unit = "access"},
    [MEASUREMENT_OPERATIONS] = {.name = "operations", .unit = "operation"},
    [MEASUREMENT_BANDWIDTH] = {.name = "bandwidth", .unit = "byte"},
    [MEASUREMENT_APEX] = {.name = "apex", .unit = "access"},
    [MEASUREMENT_DISPATCH] = {.name = "dispatch", .unit = "event or datagram"},
    [MEASUREMENT_KERNELS] = {.name = "kernels", .unit = "frame"},
    [MEASUREMENT_GPU] = {.name = "gpu", .unit = "byte, call or frame"},
};

const char *const parameter_names[PARAMETERS] = {
    [PARAMETER_SIZE] = "size_bytes",     [PARAMETER_BITS] = "width_bits",
    [PARAMETER_CHAINS] = "chains",       [PARAMETER_CORES] = "cores",
    [PARAMETER_AHEAD] = "ahead",         [PARAMETER_BLOCK] = "block_words",
    [PARAMETER_LOCALITY] = "alpha",      [PARAMETER_SUBNORMAL] = "subnormal_share",
    [PARAMETER_FLUSH] = "flush_to_zero", [PARAMETER_SUBAPERTURES] = "subapertures",
    [PARAMETER_SIDE] = "side_px",        [PARAMETER_PIXELS] = "pixels",
    [PARAMETER_ROWS] = "rows",           [PARAMETER_COLUMNS] = "columns",
    [PARAMETER_IDLE] = "idle_s",         [PARAMETER_BURST] = "burst",
    [PARAMETER_REALTIME] = "realtime",
};

const char *const condition_names[CONDITIONS] = {
    [CONDITION_CPU] = "cpu",
    [CONDITION_CORES] = "cores",
    [CONDITION_PINNED] = "pinned",
    [CONDITION_GOVERNOR] = "governor",
    [CONDITION_TURBO] = "turbo",
    [CONDITION_HUGE_PAGES] = "huge_pages",
    [CONDITION_VIRTUAL] = "virtual",
    [CONDITION_CACHES] = "caches",
    [CONDITION_ISOLATION] = "isolation",
    [CONDITION_SLEEP_STATES] = "sleep_states",
    [CONDITION_VECTORS] = "vectors",
    [CONDITION_SYSTEM] = "system",
    [CONDITION_DATE] = "date",
    [CONDITION_VERSION] = "version",
    [CONDITION_SEED] = "seed",
    [CONDITION_REALTIME] = "realtime",
    [CONDITION_LINK] = "link",
    [CONDITION_GPU] = "gpu",
    [CONDITION_GPU_DRIVER] = "gpu_driver",
    [CONDITION_GPU_FIGURES] = "gpu_figures",
};

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

void measurement_add(struct measurement *measurement, const struct measurement_point *point)
{
    measurement->point = array_reserve(measurement->point, measurement->count,
                                       &measurement->capacity, sizeof *measurement->point);
    measurement->point[measurement->count++] = *point;
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

void measurement_merge(struct measurement *measurement, const struct measurement *from)
{
    for (int part = 0; part < MEASUREMENT_PARTS; part++)
        if (measurement_has(from, (enum measurement_part)part))
            measurement_remove(measurement, (enum measurement_part)part);
    for (int i = 0; i < CONDITIONS; i++)
        if (from->condition[i][0] != '\0')
            memcpy(measurement->condition[i], from->condition[i], CONDITION_MAX);
    for (int i = 0; i < from->count; i++)
        measurement_add(measurement, &from->point[i]);
}

static double point_quantile(const struct measurement_point *point, int thousandths)
{
    double sorted[MEASUREMENT_SAMPLES_MAX];

    if (point->count == 0)
        return RESULT_NONE;
    memcpy(sorted, point->sample, (size_t)point->count * sizeof sorted[0]);
    stats_sort(sorted, point->count);
    return stats_quantile(sorted, point->count, thousandths);
}

double point_least(const struct measurement_point *point)
{
    return point_quantile(point, 0);
}

double point_median(const struct measurement_point *point)
{
    return point_quantile(point, 500);
}

double point_p90(const struct measurement_point *point)
{
    return point_quantile(point, 900);
}

double point_p99(const struct measurement_point *point)
{
    return point_quantile(point, 990);
}

bool point_noisy(const struct measurement_point *point)
{
    return point->count > 0 &&
           point_quantile(point, 750) - point_quantile(point, 250) > NOISE * point_least(point);
}

/* CSV ------------------------------------------------------------------------------------------ */

/* Columns in addition to the parameters, which precede the remark; for texts their offset in a
 * point. */
enum { TEXT_PART, TEXT_NAME, TEXT_TYPE, TEXT_OF, TEXT_REMARK, TEXT_SAMPLES, TEXTS };

#define TEXT_COLUMN(field)                                                                         \
    {                                                                                              \
        .name = #field, .offset = offsetof(struct measurement_point, field),                       \
        .size = sizeof((struct measurement_point *)NULL)->field                                    \
    }

static const struct {
    const char *name;
    size_t offset, size; /* 0: not a text */
} text_columns[TEXTS] = {
    [TEXT_PART] = {.name = "part"},      [TEXT_NAME] = TEXT_COLUMN(name),
    [TEXT_TYPE] = TEXT_COLUMN(type),     [TEXT_OF] = TEXT_COLUMN(of),
    [TEXT_REMARK] = TEXT_COLUMN(remark), [TEXT_SAMPLES] = {.name = "samples_s"},
};

void measurement_csv_condition(struct buffer *buffer, const struct measurement *measurement,
                               enum measured_condition condition)
{
    if (measurement->condition[condition][0] != '\0')
        buffer_print(buffer, "# %s: %s\n", condition_names[condition],
                     measurement->condition[condition]);
}

void measurement_csv_head(struct buffer *buffer, const struct measurement *measurement)
{
    for (int i = 0; i < CONDITIONS; i++)
        measurement_csv_condition(buffer, measurement, (enum measured_condition)i);
    for (int i = 0; i < TEXT_REMARK; i++)
        buffer_print(buffer, "%s,", text_columns[i].name);
    for (int i = 0; i < PARAMETERS; i++)
        buffer_print(buffer, "%s,", parameter_names[i]);
    buffer_print(buffer, "%s,%s\n", text_columns[TEXT_REMARK].name,
                 text_columns[TEXT_SAMPLES].name);
}

static void put_csv_number(struct buffer *buffer, double value, const char *separator)
{
    char text[32];

    number_format(value, text, sizeof text);
    buffer_print(buffer, "%s%s", text, separator);
}

void measurement_csv_point(struct buffer *buffer, const struct measurement_point *point)
{
    buffer_text(buffer, measurement_parts[point->part].name);
    for (int i = TEXT_NAME; i < TEXT_REMARK; i++) {
        buffer_text(buffer, ",");
        csv_put_field(buffer, (const char *)point + text_columns[i].offset);
    }
    buffer_text(buffer, ",");
    for (int i = 0; i < PARAMETERS; i++) {
        if (isnan(point->parameter[i]))
            buffer_text(buffer, ",");
        else
            put_csv_number(buffer, point->parameter[i], ",");
    }
    csv_put_field(buffer, point->remark);
    buffer_text(buffer, ",");
    for (int i = 0; i < point->count; i++)
        put_csv_number(buffer, point->sample[i], i + 1 < point->count ? " " : "");
    buffer_text(buffer, "\n");
}

void measurement_csv_new(struct buffer *buffer, const struct measurement *measurement,
                         struct measurement_written *written)
{
    for (int i = 0; i < CONDITIONS; i++) {
        if (strcmp(written->condition[i], measurement->condition[i]) == 0)
            continue;
        measurement_csv_condition(buffer, measurement, (enum measured_condition)i);
        memcpy(written->condition[i], measurement->condition[i], CONDITION_MAX);
    }
    for (; written->points < measurement->count; written->points++)
        measurement_csv_point(buffer, &measurement->point[written->points]);
}

void measurement_csv(struct buffer *buffer, const struct measurement *measurement)
{
    measurement_csv_head(buffer, measurement);
    for (int i = 0; i < measurement->count; i++)
        measurement_csv_point(buffer, &measurement->point[i]);
}

struct measurement_reader {
    struct records records;
    int text[TEXTS], parameter[PARAMETERS]; /* column indices; -1: absent */
    int record;
};

static enum status refuse_value(const struct measurement_reader *reader, const char *column,
                                const char *value, const char *allowed, struct error *error)
{
    return error_set(error, STATUS_INVALID, "line %d: %s: '%.60s' is not %s",
                     reader->records.lines[reader->record + 1], column, value, allowed);
}

/* Returns "" if there is no such column. */
static const char *column_text(const struct measurement_reader *reader, int column)
{
    return column < 0 ? "" : records_field(&reader->records, reader->record, column);
}

/* No unit of work takes less or more; the ratios of such times are finite. */
#define SAMPLE_LEAST 1e-20
#define SAMPLE_MOST 1e6

/* Nor has any a size, a count or a fraction outside these, but 0. */
#define PARAMETER_LEAST 1e-9
#define PARAMETER_MOST 1e18

static enum status read_samples(const struct measurement_reader *reader,
                                struct measurement_point *point, struct error *error)
{
    const char *whole = column_text(reader, reader->text[TEXT_SAMPLES]);

    for (const char *text = whole; *text != '\0';) {
        const char *end;
        double value;

        if (number_parse(text, &value, &end) != STATUS_OK || (*end != ' ' && *end != '\0') ||
            value < SAMPLE_LEAST || value > SAMPLE_MOST)
            return refuse_value(reader, text_columns[TEXT_SAMPLES].name, whole,
                                "times of 1e-20 to 1e6 s separated by blanks", error);
        if (point->count < MEASUREMENT_SAMPLES_MAX)
            point->sample[point->count++] = value;
        text = *end == ' ' ? end + 1 : end;
    }
    return STATUS_OK;
}

static enum status read_point(const struct measurement_reader *reader,
                              struct measurement_point *point, struct error *error)
{
    const char *text = column_text(reader, reader->text[TEXT_PART]);
    int part = 0;

    *point = measurement_point(MEASUREMENT_MEMORY, "", "");
    while (part < MEASUREMENT_PARTS && strcmp(text, measurement_parts[part].name) != 0)
        part++;
    if (part == MEASUREMENT_PARTS)
        return refuse_value(reader, text_columns[TEXT_PART].name, text,
                            "memory, operations, bandwidth, apex, dispatch, kernels or gpu", error);
    point->part = (enum measurement_part)part;
    for (int i = TEXT_NAME; i <= TEXT_REMARK; i++)
        strncat((char *)point + text_columns[i].offset, column_text(reader, reader->text[i]),
                text_columns[i].size - 1);
    for (int i = 0; i < PARAMETERS; i++) {
        double *value = &point->parameter[i];
        const char *end;

        text = column_text(reader, reader->parameter[i]);
        if (text[0] != '\0' &&
            (number_parse(text, value, &end) != STATUS_OK || *end != '\0' ||
             (*value != 0 && !(*value >= PARAMETER_LEAST && *value <= PARAMETER_MOST))))
            return refuse_value(reader, parameter_names[i], text, "0, or a number of 1e-9 to 1e18",
                                error);
    }
    return read_samples(reader, point, error);
}

static enum status read_measured_points(struct measurement_reader *reader,
                                        struct measurement *measurement, struct error *error)
{
    enum status status = STATUS_OK;

    for (int i = 0; i < TEXTS; i++)
        reader->text[i] = records_column(&reader->records, text_columns[i].name);
    for (int i = 0; i < PARAMETERS; i++)
        reader->parameter[i] = records_column(&reader->records, parameter_names[i]);
    if (reader->text[TEXT_PART] < 0 || reader->text[TEXT_NAME] < 0 ||
        reader->text[TEXT_SAMPLES] < 0)
        return error_set(error, STATUS_INVALID,
                         "the header lacks part, name or samples_s: not a measurement");
    status = records_check_end(&reader->records, error);
    for (; reader->record < reader->records.count && status == STATUS_OK; reader->record++) {
        struct measurement_point point;

        status = read_point(reader, &point, error);
        if (status == STATUS_OK)
            measurement_add(measurement, &point);
    }
    return status;
}

enum status measurement_csv_read(struct measurement *measurement, const char *bytes, size_t length,
                                 struct error *error)
{
    struct measurement_reader reader = {.record = 0};
    enum status status;

    *measurement = (struct measurement){0};
    if (length > 0 && bytes[0] == '{')
        return error_set(error, STATUS_INVALID,
                         "this is JSON; a measurement is read as --csv printed it");
    status = records_parse(&reader.records, bytes, length, error);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < CONDITIONS; i++) {
        const char *text = records_comment(&reader.records, condition_names[i], NULL);

        if (text == NULL)
            continue;
        strncat(measurement->condition[i], text, CONDITION_MAX - 1);
        /* a CR that the cut leaves at the end would be read back as part of the line end */
        for (char *end = strchr(measurement->condition[i], '\0');
             end > measurement->condition[i] && end[-1] == '\r';)
            *--end = '\0';
    }
    status = read_measured_points(&reader, measurement, error);
    records_free(&reader.records);
    if (status != STATUS_OK)
        measurement_free(measurement);
    return status;
}

/* The file of the last measurement ------------------------------------------------------------- */

#define FILE_NAME "/machine.csv"
#define FILE_BYTES_MAX ((size_t)64 << 20)
#define PATH_BYTES 4096

/* Returns false without a home directory. */
static bool find_file(char path[PATH_BYTES])
{
    if (!user_state_directory(path, PATH_BYTES - (sizeof FILE_NAME - 1)))
        return false;
    strcat(path, FILE_NAME);
    return true;
}

/* Reads the file, empty if absent. `ours`: it may be overwritten, even if it cannot be parsed. */
static enum status read_state_file(const char *path, struct measurement *measurement, bool *ours,
                                   struct error *error)
{
    char *bytes;
    size_t length;
    bool missing;
    enum status status = file_read(path, FILE_BYTES_MAX, &bytes, &length, &missing, error);

    *measurement = (struct measurement){0};
    *ours = missing;
    if (missing) {
        *error = (struct error){0};
        return STATUS_OK;
    }
    if (status == STATUS_OK) {
        /* starts with the header or a condition */
        *ours = length == 0 || strncmp(bytes, "part,name,", 10) == 0;
        for (int i = 0; i < CONDITIONS && !*ours; i++) {
            char start[40];
            int used = snprintf(start, sizeof start, "# %s: ", condition_names[i]);

            *ours = strncmp(bytes, start, (size_t)used) == 0;
        }
        if (length > 0)
            status = measurement_csv_read(measurement, bytes, length, error);
        if (status != STATUS_OK)
            error_prefix(error, "%s", path);
        free(bytes);
    }
    return status;
}

enum status measurement_file_read(struct measurement *measurement, struct error *error)
{
    char path[PATH_BYTES];
    bool ours;

    *measurement = (struct measurement){0};
    return find_file(path) ? read_state_file(path, measurement, &ours, error) : STATUS_OK;
}

enum status measurement_file_keep(const struct measurement *measurement,
                                  const bool whole[MEASUREMENT_PARTS], struct error *error)
{
    struct measurement kept, chosen = {0};
    struct error damaged = {0};
    char path[PATH_BYTES];
    enum status status = STATUS_OK;
    bool ours;

    *error = (struct error){0};
    if (!find_file(path))
        return error_set(error, STATUS_IO, "neither XDG_STATE_HOME nor HOME is an absolute path");
    if (read_state_file(path, &kept, &ours, &damaged) != STATUS_OK && !ours) {
        *error = damaged;
        return damaged.status;
    }
    /* Drop the points of another CPU. */
    if (strcmp(kept.condition[CONDITION_CPU], measurement->condition[CONDITION_CPU]) != 0)
        measurement_free(&kept);
    memcpy(chosen.condition, measurement->condition, sizeof chosen.condition);
    for (int i = 0; i < measurement->count; i++) {
        enum measurement_part part = measurement->point[i].part;

        if (whole[part] || !measurement_has(&kept, part))
            measurement_add(&chosen, &measurement->point[i]);
    }
    if (chosen.count > 0) {
        struct buffer text = {0};
        char *slash = strrchr(path, '/');

        measurement_merge(&kept, &chosen);
        *slash = '\0';
        user_make_directory(path);
        *slash = '/';
        measurement_csv(&text, &kept);
        status = file_write(path, &text, error);
        buffer_free(&text);
        if (status == STATUS_OK && error->message[0] != '\0')
            error_add(&damaged, "%s: %s", path, error->message);
    }
    if (status == STATUS_OK)
        *error = damaged;
    measurement_free(&kept);
    measurement_free(&chosen);
    return status;
}
