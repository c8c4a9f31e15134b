#include "design/pattern.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/number.h"

#define SUM_TOLERANCE 1e-6

void pattern_free(struct pattern *pattern)
{
    if (pattern == NULL)
        return;
    free(pattern->end);
    free(pattern->pixel);
    free(pattern->valid);
    free(pattern->origin);
    free(pattern);
}

/* Agenda --------------------------------------------------------------------------------------- */

static enum status read_fractions(struct pattern *pattern, const struct records *records,
                                  struct problems *problems)
{
    int column = records_column(records, "fraction");
    double sum = 0;

    if (column < 0) {
        problems_add(problems, records_line(records, -1), "there is no column fraction");
        return STATUS_INVALID;
    }
    if (records->count < 1 || records->count > PATTERN_PACKETS_MAX) {
        problems_add(problems, 0, "%d packets; an agenda has 1 to %d", records->count,
                     PATTERN_PACKETS_MAX);
        return STATUS_INVALID;
    }
    pattern->packets = records->count;
    pattern->end = allocate_array((size_t)records->count, sizeof *pattern->end);
    if (pattern->end == NULL)
        return STATUS_MEMORY;
    for (int k = 0; k < records->count; k++) {
        const char *text = records_field(records, k, column);
        const char *rest;
        double fraction;

        if (number_parse(text, &fraction, &rest) != STATUS_OK || *rest != '\0' || fraction < 0 ||
            fraction > 1)
            problems_add(problems, records_line(records, k),
                         "fraction: \"%.40s\" is not a number from 0 to 1", text);
        else
            sum += fraction;
        pattern->end[k] = sum;
    }
    if (problems->count > 0)
        return STATUS_INVALID;
    if (fabs(sum - 1) > SUM_TOLERANCE) {
        problems_add(problems, 0, "the fractions have the sum %.9g, not 1", sum);
        return STATUS_INVALID;
    }
    for (int k = 0; k < records->count; k++)
        pattern->end[k] /= sum;
    return STATUS_OK;
}

static enum status parse_agenda(struct pattern *pattern, const char *bytes, size_t length,
                                struct problems *problems)
{
    struct records records;
    struct error error;
    enum status status = records_parse(&records, bytes, length, &error);

    if (status == STATUS_OK) {
        status = read_fractions(pattern, &records, problems);
        records_free(&records);
    } else if (status == STATUS_INVALID) {
        problems_add(problems, 0, "%s", error.message);
    }
    return status;
}

/* Readout map ---------------------------------------------------------------------------------- */

struct line {
    const char *from, *end;
    int number; /* from 1 */
};

/* Gets the next line that is neither empty nor a comment, without its end; returns false after the
 * last. The first call has a zeroed line with `end` at the start of the text. */
static bool next_line(struct line *line, const char *end)
{
    const char *at = line->end;

    for (;;) {
        if (line->number > 0 && at < end)
            at++; /* the line feed */
        if (at >= end)
            return false;
        line->number++;
        line->from = at;
        at = memchr(at, '\n', (size_t)(end - at));
        at = at == NULL ? end : at;
        line->end = at;
        if (at > line->from && *line->from != '#' && *line->from != '\r')
            return true;
    }
}

static bool line_is(const struct line *line, const char *word)
{
    size_t length = (size_t)(line->end - line->from);

    length -= length > 0 && line->end[-1] == '\r';
    return length == strlen(word) && strncmp(line->from, word, length) == 0;
}

/* The values of a file in rows, as they are read. */
struct grid {
    float *value;
    int count, capacity;
    long width, height;
};

static enum status add_value(struct grid *grid, float value)
{
    float *more = array_reserve(grid->value, grid->count, &grid->capacity, sizeof *more);

    if (more == NULL)
        return STATUS_MEMORY;
    grid->value = more;
    grid->value[grid->count++] = value;
    return STATUS_OK;
}

/* Ends a row of `width` values. */
static bool end_row(struct grid *grid, long width, const struct line *line,
                    struct problems *problems)
{
    if (grid->height > 0 && width != grid->width)
        problems_add(problems, line->number, "%ld values; the rows before have %ld", width,
                     grid->width);
    else if (width > PATTERN_SIDE_MAX || grid->height == PATTERN_SIDE_MAX)
        problems_add(problems, line->number, "more than %d rows or columns", PATTERN_SIDE_MAX);
    grid->width = width;
    grid->height++;
    return problems->count == 0;
}

/* Reads a row of a map: packets from 1, or times. */
static enum status read_map_row(struct grid *grid, const struct line *line, bool timed,
                                struct problems *problems)
{
    const char *at = line->from;
    long width = 0;

    for (;;) {
        double value;

        if (number_parse(at, &value, &at) != STATUS_OK || at > line->end || value < 0 ||
            (!timed && (value < 1 || value > PATTERN_PACKETS_MAX || value != floor(value)))) {
            if (timed)
                problems_add(problems, line->number, "value %ld is not a time from 0 on",
                             width + 1);
            else
                problems_add(problems, line->number,
                             "value %ld is not the number of a packet, 1 to %d", width + 1,
                             PATTERN_PACKETS_MAX);
            return STATUS_INVALID;
        }
        if (add_value(grid, (float)(timed ? value : value - 1)) != STATUS_OK)
            return STATUS_MEMORY;
        width++;
        while (at < line->end && (*at == ' ' || *at == '\r'))
            at++;
        if (at >= line->end)
            break;
        if (*at != ',') {
            problems_add(problems, line->number, "no comma after value %ld", width);
            return STATUS_INVALID;
        }
        at++;
    }
    return end_row(grid, width, line, problems) ? STATUS_OK : STATUS_INVALID;
}

/* Checks what holds of all pixels of a map, and divides times by the longest. */
static enum status finish_map(struct pattern *pattern, bool timed, struct problems *problems)
{
    size_t pixels = (size_t)(pattern->width * pattern->height);
    float most = 0;

    for (size_t i = 0; i < pixels; i++)
        most = pattern->pixel[i] > most ? pattern->pixel[i] : most;
    if (!timed) {
        pattern->packets = (int)most + 1;
        return STATUS_OK;
    }
    if (!(most > 0) || !isfinite(most)) {
        problems_add(problems, 0, "the longest time is not above 0 and finite");
        return STATUS_INVALID;
    }
    for (size_t i = 0; i < pixels; i++)
        pattern->pixel[i] /= most;
    return STATUS_OK;
}

static enum status parse_map(struct pattern *pattern, const char *bytes, size_t length,
                             struct problems *problems)
{
    struct line line = {NULL, bytes, 0};
    struct grid grid = {NULL, 0, 0, 0, 0};
    enum status status = STATUS_OK;
    bool timed;

    if (!next_line(&line, bytes + length) ||
        (!line_is(&line, "packet") && !line_is(&line, "time"))) {
        problems_add(problems, line.number, "the first line of a readout map is packet or time");
        return STATUS_INVALID;
    }
    timed = line_is(&line, "time");
    while (status == STATUS_OK && next_line(&line, bytes + length))
        status = read_map_row(&grid, &line, timed, problems);
    if (status == STATUS_OK && grid.height == 0) {
        problems_add(problems, 0, "there is no row of pixels");
        status = STATUS_INVALID;
    }
    pattern->pixel = grid.value;
    pattern->width = grid.width;
    pattern->height = grid.height;
    return status == STATUS_OK ? finish_map(pattern, timed, problems) : status;
}

/* Mask ----------------------------------------------------------------------------------------- */

/* Reads a row of 0 and 1, with or without blanks and commas between. */
static enum status read_mask_row(struct grid *grid, const struct line *line,
                                 struct problems *problems)
{
    long width = 0;

    for (const char *at = line->from; at < line->end; at++) {
        if (*at == ' ' || *at == ',' || *at == '\t' || *at == '\r')
            continue;
        if (*at != '0' && *at != '1') {
            problems_add(problems, line->number,
                         "a mask has 1 for a valid subaperture and 0 for the others");
            return STATUS_INVALID;
        }
        if (add_value(grid, (float)(*at == '1')) != STATUS_OK)
            return STATUS_MEMORY;
        width++;
    }
    return end_row(grid, width, line, problems) ? STATUS_OK : STATUS_INVALID;
}

/* Reads the next number of a PBM header, over blanks and comments. */
static bool read_pbm_number(const char **at, const char *end, long *number)
{
    *number = 0;
    while (*at < end && (isspace((unsigned char)**at) || **at == '#')) {
        if (**at == '#')
            while (*at < end && **at != '\n')
                (*at)++;
        else
            (*at)++;
    }
    if (*at >= end || !isdigit((unsigned char)**at))
        return false;
    for (; *at < end && isdigit((unsigned char)**at) && *number <= PATTERN_SIDE_MAX; (*at)++)
        *number = 10 * *number + **at - '0';
    return *number >= 1 && *number <= PATTERN_SIDE_MAX;
}

/* Reads the bits of a PBM picture; returns false if there are too few. */
static bool read_pbm_bits(struct pattern *pattern, bool raw, const char *at, const char *end)
{
    long across = (pattern->width + 7) / 8;
    long pixels = pattern->width * pattern->height;

    if (raw) {
        if (end - at < across * pattern->height)
            return false;
        for (long i = 0; i < pixels; i++) {
            long x = i % pattern->width;
            unsigned char byte = (unsigned char)at[i / pattern->width * across + x / 8];

            pattern->valid[i] = byte >> (7 - x % 8) & 1;
        }
        return true;
    }
    for (long i = 0; i < pixels; i++) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        if (at >= end || (*at != '0' && *at != '1'))
            return false;
        pattern->valid[i] = *at++ == '1';
    }
    return true;
}

static enum status parse_pbm(struct pattern *pattern, const char *bytes, size_t length,
                             struct problems *problems)
{
    const char *end = bytes + length;
    const char *at = bytes + 2;

    if (!read_pbm_number(&at, end, &pattern->width) ||
        !read_pbm_number(&at, end, &pattern->height) || at >= end || !isspace((unsigned char)*at)) {
        problems_add(problems, 0, "the PBM picture has no width and height from 1 to %d",
                     PATTERN_SIDE_MAX);
        return STATUS_INVALID;
    }
    pattern->valid = allocate_array((size_t)(pattern->width * pattern->height), 1);
    if (pattern->valid == NULL)
        return STATUS_MEMORY;
    if (read_pbm_bits(pattern, bytes[1] == '4', at + 1, end))
        return STATUS_OK;
    problems_add(problems, 0, "the PBM picture has fewer than %ld x %ld bits", pattern->width,
                 pattern->height);
    return STATUS_INVALID;
}

static enum status parse_mask(struct pattern *pattern, const char *bytes, size_t length,
                              struct problems *problems)
{
    struct line line = {NULL, bytes, 0};
    struct grid grid = {NULL, 0, 0, 0, 0};
    enum status status = STATUS_OK;

    if (length >= 2 && bytes[0] == 'P' && (bytes[1] == '1' || bytes[1] == '4'))
        return parse_pbm(pattern, bytes, length, problems);
    while (status == STATUS_OK && next_line(&line, bytes + length))
        status = read_mask_row(&grid, &line, problems);
    if (status == STATUS_OK && grid.count == 0) {
        problems_add(problems, 0, "there is no row of subapertures");
        status = STATUS_INVALID;
    }
    pattern->width = grid.width;
    pattern->height = grid.height;
    if (status == STATUS_OK) {
        pattern->valid = allocate_array((size_t)grid.count, 1);
        status = pattern->valid == NULL ? STATUS_MEMORY : STATUS_OK;
    }
    for (int i = 0; i < grid.count && status == STATUS_OK; i++)
        pattern->valid[i] = grid.value[i] > 0;
    free(grid.value);
    return status;
}

enum status pattern_parse(enum pattern_kind kind, const char *bytes, size_t length,
                          struct pattern **pattern, struct problems *problems)
{
    struct pattern *made = allocate_array(1, sizeof *made);
    char *text = allocate(length + 1); /* numbers are read up to its NUL */
    enum status status = STATUS_MEMORY;

    *pattern = NULL;
    if (made != NULL && text != NULL) {
        memcpy(text, bytes, length);
        text[length] = '\0';
        made->kind = kind;
        status = kind == PATTERN_AGENDA ? parse_agenda(made, text, length, problems)
                 : kind == PATTERN_MAP  ? parse_map(made, text, length, problems)
                                        : parse_mask(made, text, length, problems);
    }
    free(text);
    if (status == STATUS_OK)
        *pattern = made;
    else
        pattern_free(made);
    return status;
}
