#include "measurement_csv.h"

#include <math.h>
#include <string.h>

#include "records.h"
#include "units.h"

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
