#include "tui/machine_stream.h"

#include <string.h>

#include "probe/measurement.h"

void machine_stream_free(struct machine_stream *stream)
{
    buffer_free(&stream->text);
    *stream = (struct machine_stream){0};
}

/* Finds the first line that is no comment; false where it has not come, or not to its end. */
static bool find_names(struct machine_stream *stream, size_t whole)
{
    const char *bytes = stream->text.bytes;
    size_t at = stream->head;

    while (stream->names == 0 && at < whole) {
        const char *end = memchr(bytes + at, '\n', whole - at);
        size_t next = end == NULL ? whole : (size_t)(end - bytes) + 1;

        if (bytes[at] != '#') {
            stream->head = at;
            stream->names = next;
        }
        at = next;
    }
    return stream->names > 0;
}

static enum status take_point(struct machine_stream *stream, struct measurement *measurement,
                              const struct measurement_point *point, struct error *error)
{
    const char *cpu = stream->condition[CONDITION_CPU];

    if (stream->points++ == 0 && strcmp(cpu, measurement->condition[CONDITION_CPU]) != 0)
        measurement_free(measurement);
    if (!stream->began[point->part])
        measurement_remove(measurement, point->part);
    stream->began[point->part] = true;
    return measurement_add(measurement, point, error);
}

static enum status take(struct machine_stream *stream, struct measurement *measurement,
                        const struct measurement *fresh, struct error *error)
{
    enum status status = STATUS_OK;

    for (int i = 0; i < CONDITIONS; i++)
        if (fresh->condition[i][0] != '\0')
            memcpy(stream->condition[i], fresh->condition[i], CONDITION_MAX);
    for (int i = 0; i < fresh->count && status == STATUS_OK; i++)
        status = take_point(stream, measurement, &fresh->point[i], error);
    /* Without points what is there is still what was measured then. */
    for (int i = 0; i < CONDITIONS && stream->points > 0; i++)
        if (stream->condition[i][0] != '\0')
            memcpy(measurement->condition[i], stream->condition[i], CONDITION_MAX);
    return status;
}

enum status machine_stream_take(struct machine_stream *stream, struct measurement *measurement,
                                struct error *error)
{
    const struct buffer *text = &stream->text;
    const char *end = text->length == 0 ? NULL : memrchr(text->bytes, '\n', text->length);
    size_t whole = end == NULL ? 0 : (size_t)(end - text->bytes) + 1;
    struct measurement fresh;
    struct buffer lines = {0};
    enum status status;
    size_t from;

    if (whole <= stream->understood || !find_names(stream, whole))
        return STATUS_OK;
    from = stream->understood < stream->names ? 0 : stream->understood;
    if (from > 0)
        buffer_add(&lines, text->bytes + stream->head, stream->names - stream->head);
    buffer_add(&lines, text->bytes + from, whole - from);
    stream->understood = whole;
    status = lines.failed ? error_set(error, STATUS_MEMORY, "out of memory")
                          : measurement_csv_read(&fresh, lines.bytes, lines.length, error);
    if (status == STATUS_OK) {
        status = take(stream, measurement, &fresh, error);
        measurement_free(&fresh);
    }
    buffer_free(&lines);
    return status;
}
