#include "design/pattern.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/number.h"
#include "base/utf8.h"

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

#define PIXELS_MAX ((double)PATTERN_SIDE_MAX * PATTERN_SIDE_MAX)

/* Reads the parts of the packets, up to each, from a column of fractions or of numbers of pixels,
 * and adds up the numbers. */
static enum status read_parts(struct pattern *pattern, const struct records *records, int column,
                              bool counted, struct problems *problems)
{
    double sum = 0;

    for (int k = 0; k < records->count; k++) {
        const char *text = records_field(records, k, column);
        const char *rest;
        double part;

        if (number_parse(text, &part, &rest) != STATUS_OK || *rest != '\0' || part < 0 ||
            part > PIXELS_MAX || (counted && part != floor(part)))
            problems_add(problems, records_line(records, k),
                         counted ? "pixels: \"%.40s\" is not a whole number from 0 to %.0f"
                                 : "fraction: \"%.40s\" is not a number from 0 to 1",
                         text, PIXELS_MAX);
        else
            sum += part;
        pattern->end[k] = sum;
    }
    if (problems->count > 0)
        return STATUS_INVALID;
    if (counted && sum == 0)
        problems_add(problems, 0, "no packet has pixels");
    else if (!counted && fabs(sum - 1) > SUM_TOLERANCE)
        problems_add(problems, 0, "the fractions have the sum %.9g, not 1%s", sum,
                     sum >= 2 ? "; numbers of pixels are in a column pixels" : "");
    if (problems->count > 0)
        return STATUS_INVALID;
    for (int k = 0; k < records->count; k++)
        pattern->end[k] /= sum;
    pattern->pixels = counted ? sum : 0;
    return STATUS_OK;
}

static double part_of_packet(const struct pattern *agenda, int k)
{
    return agenda->end[k] - (k > 0 ? agenda->end[k - 1] : 0);
}

/* Compares fractions with the numbers of pixels beside them, as aolag detector prints both. */
static enum status compare_pixels(struct pattern *pattern, const struct records *records,
                                  struct problems *problems)
{
    const int fractions = records_column(records, "fraction");
    const int pixels = records_column(records, "pixels");
    struct pattern counted = {.end = allocate_array((size_t)records->count, sizeof *counted.end)};
    enum status status = read_parts(&counted, records, pixels, true, problems);

    for (int k = 0; k < records->count && status == STATUS_OK; k++) {
        if (fabs(part_of_packet(&counted, k) - part_of_packet(pattern, k)) <= SUM_TOLERANCE)
            continue;
        problems_add(
            problems, records_line(records, k),
            "fraction %.40s, but pixels %.40s of %.0f; remove the column that is not right",
            records_field(records, k, fractions), records_field(records, k, pixels),
            counted.pixels);
        status = STATUS_INVALID;
    }
    pattern->pixels = counted.pixels;
    free(counted.end);
    return status;
}

static enum status read_packets(struct pattern *pattern, const struct records *records,
                                struct problems *problems)
{
    const int fractions = records_column(records, "fraction");
    const int pixels = records_column(records, "pixels");
    enum status status;

    if (fractions < 0 && pixels < 0) {
        problems_add(problems, records_line(records, -1),
                     "there is no column fraction, nor pixels; the first line of an agenda names "
                     "its columns");
        return STATUS_INVALID;
    }
    if (records->count < 1 || records->count > PATTERN_PACKETS_MAX) {
        problems_add(problems, 0, "%d packets; an agenda has 1 to %d", records->count,
                     PATTERN_PACKETS_MAX);
        return STATUS_INVALID;
    }
    pattern->packets = records->count;
    pattern->end = allocate_array((size_t)records->count, sizeof *pattern->end);
    status =
        read_parts(pattern, records, fractions >= 0 ? fractions : pixels, fractions < 0, problems);
    if (status == STATUS_OK && fractions >= 0 && pixels >= 0)
        status = compare_pixels(pattern, records, problems);
    return status;
}

static enum status parse_agenda(struct pattern *pattern, const char *bytes, size_t length,
                                struct problems *problems)
{
    struct records records;
    struct error error;
    enum status status = records_parse(&records, bytes, length, &error);

    if (status == STATUS_OK) {
        status = read_packets(pattern, &records, problems);
        records_free(&records);
    } else {
        problems_add_error(problems, &error);
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

static const char *value_end(const char *at, const char *end)
{
    while (at < end && strchr(" ,\t\r\n", *at) == NULL)
        at++;
    return at;
}

#define TEXT_SHOWN 44

/* Gets the text of a value, or its beginning, for a message. */
static void excerpt_value(char text[TEXT_SHOWN], const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    utf8_excerpt(text, TEXT_SHOWN, at, (size_t)(value_end(at, end) - at));
}

/* The values of a file in rows, as they are read. */
struct grid {
    float *value;
    int count, capacity;
    long width, height;
};

static void add_value(struct grid *grid, float value)
{
    grid->value = array_reserve(grid->value, grid->count, &grid->capacity, sizeof *grid->value);
    grid->value[grid->count++] = value;
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
    char text[TEXT_SHOWN];
    long width = 0;

    for (;;) {
        const char *from = at;
        double value;

        if (number_parse(at, &value, &at) != STATUS_OK || at > line->end || value < 0 ||
            (!timed && (value < 1 || value > PATTERN_PACKETS_MAX || value != floor(value)))) {
            excerpt_value(text, from, line->end);
            if (timed)
                problems_add(problems, line->number, "\"%s\" is not a time from 0 on", text);
            else
                problems_add(problems, line->number,
                             "\"%s\" is not the number of a packet, 1 to %d", text,
                             PATTERN_PACKETS_MAX);
            return STATUS_INVALID;
        }
        add_value(grid, (float)(timed ? value : value - 1));
        width++;
        while (at < line->end && (*at == ' ' || *at == '\r'))
            at++;
        if (at >= line->end)
            break;
        if (*at != ',') {
            excerpt_value(text, from, at);
            problems_add(problems, line->number, "no comma after \"%s\"", text);
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

static bool is_bits(const char *at, const char *end)
{
    while (at < end && (*at == '0' || *at == '1'))
        at++;
    return at == end;
}

/* Reads a row of 0 and 1, with or without blanks and commas between; with them also 1.000e+00. */
static enum status read_mask_row(struct grid *grid, const struct line *line,
                                 struct problems *problems)
{
    const char *at = line->from;
    char text[TEXT_SHOWN];
    long width = 0;

    while (at < line->end) {
        const char *from = at;
        const char *end = value_end(at, line->end);
        const bool bits = is_bits(at, end);

        for (; at < end; width++) {
            double value = *at == '1';

            if (bits) {
                at++;
            } else if (number_parse(at, &value, &at) != STATUS_OK || at != end ||
                       (value != 0 && value != 1)) {
                excerpt_value(text, from, line->end);
                problems_add(problems, line->number,
                             "\"%s\" is neither 1, for a valid subaperture, nor 0", text);
                return STATUS_INVALID;
            }
            add_value(grid, (float)value);
        }
        at += at < line->end;
    }
    return end_row(grid, width, line, problems) ? STATUS_OK : STATUS_INVALID;
}

/* Pictures ------------------------------------------------------------------------------------- */

struct picture {
    char format; /* '1' and '4': PBM, '2' and '5': PGM; as text, then as bytes */
    const char *name;
    long most; /* of a pixel */
    const char *from, *at, *end;
    struct problems *problems;
};

static bool is_raw(const struct picture *picture)
{
    return picture->format >= '4';
}

/* Returns the line up to which a picture is read; 0: it has none. */
static int picture_line(const struct picture *picture)
{
    int line = 1;

    if (is_raw(picture))
        return 0;
    for (const char *at = picture->from; at < picture->at; at++)
        line += *at == '\n';
    return line;
}

static void skip_blanks(struct picture *picture, bool comments)
{
    const char *at = picture->at;

    while (at < picture->end && (isspace((unsigned char)*at) || (comments && *at == '#'))) {
        if (*at == '#')
            while (at < picture->end && *at != '\n')
                at++;
        else
            at++;
    }
    picture->at = at;
}

/* Reads the next number of a picture; returns false if there is none from least to most. */
static bool read_picture_number(struct picture *picture, long least, long most, long *number)
{
    const char *at;

    skip_blanks(picture, true);
    *number = 0;
    for (at = picture->at; at < picture->end && isdigit((unsigned char)*at) && *number <= most;
         at++)
        *number = 10 * *number + *at - '0';
    if (at == picture->at || *number < least || *number > most)
        return false;
    picture->at = at;
    return true;
}

/* Reads the next pixel of a picture of text; returns a negative value if it is none. */
static long read_pixel(struct picture *picture)
{
    long value;

    if (picture->format == '2')
        return read_picture_number(picture, 0, picture->most, &value) ? value : -1;
    value = *picture->at - '0'; /* nothing need part the digits */
    picture->at += value == 0 || value == 1;
    return value;
}

static void refuse_pixel(const struct picture *picture, long value)
{
    char text[TEXT_SHOWN];

    if (is_raw(picture))
        snprintf(text, sizeof text, "%ld", value);
    else
        excerpt_value(text, picture->at, picture->end);
    problems_add(picture->problems, picture_line(picture),
                 "\"%s\" is not a pixel of the %s picture, 0 to %ld", text, picture->name,
                 picture->most);
}

static enum status refuse_short(const struct picture *picture, const struct pattern *pattern)
{
    problems_add(picture->problems, 0, "the %s picture has fewer than %ld x %ld pixels",
                 picture->name, pattern->width, pattern->height);
    return STATUS_INVALID;
}

static enum status read_pixels(struct picture *picture, struct pattern *pattern)
{
    const bool raw = is_raw(picture);
    const long row = picture->format == '4' ? (pattern->width + 7) / 8
                     : picture->most > 255  ? 2 * pattern->width
                                            : pattern->width;
    const unsigned char *bytes = (const unsigned char *)picture->at;

    if (raw && picture->end - picture->at < row * pattern->height)
        return refuse_short(picture, pattern);
    for (long i = 0; i < pattern->width * pattern->height; i++) {
        const long x = i % pattern->width;
        const unsigned char *line = bytes + i / pattern->width * row;
        long value;

        if (picture->format == '4') {
            value = line[x / 8] >> (7 - x % 8) & 1;
        } else if (raw) {
            value = picture->most > 255 ? line[2 * x] << 8 | line[2 * x + 1] : line[x];
        } else {
            skip_blanks(picture, true);
            if (picture->at == picture->end)
                return refuse_short(picture, pattern);
            value = read_pixel(picture);
        }
        if (value < 0 || value > picture->most) {
            refuse_pixel(picture, value);
            return STATUS_INVALID;
        }
        pattern->valid[i] = 2 * value > picture->most;
    }
    picture->at += raw ? row * pattern->height : 0;
    return STATUS_OK;
}

/* Reads a PBM or PGM picture (netpbm). */
static enum status parse_picture(struct pattern *pattern, const char *bytes, size_t length,
                                 struct problems *problems)
{
    const bool grey = bytes[1] == '2' || bytes[1] == '5';
    struct picture picture = {bytes[1],  grey ? "PGM" : "PBM", 1,       bytes,
                              bytes + 2, bytes + length,       problems};
    enum status status;

    if (!read_picture_number(&picture, 1, PATTERN_SIDE_MAX, &pattern->width) ||
        !read_picture_number(&picture, 1, PATTERN_SIDE_MAX, &pattern->height) ||
        (grey && !read_picture_number(&picture, 1, 65535, &picture.most)) ||
        picture.at >= picture.end || !isspace((unsigned char)*picture.at)) {
        problems_add(problems, 0, "the %s picture has no width and height from 1 to %d%s",
                     picture.name, PATTERN_SIDE_MAX,
                     grey ? ", or no largest value from 1 to 65535" : "");
        return STATUS_INVALID;
    }
    pattern->valid = allocate_array((size_t)(pattern->width * pattern->height), 1);
    picture.at++;
    status = read_pixels(&picture, pattern);
    if (status != STATUS_OK)
        return status;
    skip_blanks(&picture, !is_raw(&picture));
    if (picture.at == picture.end)
        return STATUS_OK;
    problems_add(problems, picture_line(&picture),
                 "the %s picture goes on after its %ld x %ld pixels", picture.name, pattern->width,
                 pattern->height);
    return STATUS_INVALID;
}

/* Names the format of a file that is no mask; returns false for others. */
static bool refuse_format(const char *bytes, size_t length, struct problems *problems)
{
    static const char picture[] =
        "; \"convert FILE mask.pgm\" makes a mask of it, white where valid";
    static const char array[] = "; numpy.savetxt writes its values as a mask";
    static const struct {
        const char *start, *name, *instead;
    } formats[] = {
        {"\x89PNG", "a PNG picture", picture},     {"\xFF\xD8\xFF", "a JPEG picture", picture},
        {"GIF8", "a GIF picture", picture},        {"II*", "a TIFF picture", picture},
        {"MM", "a TIFF picture", picture},         {"BM", "a BMP picture", picture},
        {"P3", "a PPM picture", picture},          {"P6", "a PPM picture", picture},
        {"P7", "a PAM picture", picture},          {"SIMPLE  =", "a FITS file", array},
        {"\x93NUMPY", "an array of numpy", array},
    };

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t size = strlen(formats[i].start);

        if (length < size || memcmp(bytes, formats[i].start, size) != 0)
            continue;
        problems_add(problems, 0, "this is %s%s", formats[i].name, formats[i].instead);
        return true;
    }
    return false;
}

/* Returns true if the corners are valid and most of the ring between them and the middle is not. */
static bool is_inverted(const struct pattern *mask)
{
    const long right = mask->width - 1;
    const long bottom = (mask->height - 1) * mask->width;
    long valid = 0, ring = 0;

    if (!mask->valid[0] || !mask->valid[right] || !mask->valid[bottom] ||
        !mask->valid[bottom + right])
        return false;
    for (long i = 0; i < mask->width * mask->height; i++) {
        double x = (2.0 * (double)(i % mask->width) - (double)right) / (double)mask->width;
        double y = (2.0 * (double)(i / mask->width) + 1) / (double)mask->height - 1;
        double square = x * x + y * y;

        if (square < 0.5 * 0.5 || square > 0.9 * 0.9)
            continue;
        ring++;
        valid += mask->valid[i];
    }
    return 2 * valid < ring;
}

/* The whole file ------------------------------------------------------------------------------- */

static enum status parse_mask_rows(struct pattern *pattern, const char *bytes, size_t length,
                                   struct problems *problems)
{
    struct line line = {NULL, bytes, 0};
    struct grid grid = {NULL, 0, 0, 0, 0};
    enum status status = STATUS_OK;

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
        for (int i = 0; i < grid.count; i++)
            pattern->valid[i] = grid.value[i] > 0;
    }
    free(grid.value);
    return status;
}

static enum status parse_text(struct pattern *pattern, const char *bytes, size_t length,
                              struct problems *problems)
{
    static const char *const what[] = {
        [PATTERN_AGENDA] = "an agenda", [PATTERN_MAP] = "a readout map", [PATTERN_MASK] = "a mask"};
    struct error error;

    if (utf8_begin(&bytes, &length, what[pattern->kind], &error) != STATUS_OK) {
        problems_add(problems, 0, "%s", error.message);
        return STATUS_INVALID;
    }
    return pattern->kind == PATTERN_AGENDA ? parse_agenda(pattern, bytes, length, problems)
           : pattern->kind == PATTERN_MAP  ? parse_map(pattern, bytes, length, problems)
                                           : parse_mask_rows(pattern, bytes, length, problems);
}

static enum status parse_mask(struct pattern *pattern, const char *bytes, size_t length,
                              struct problems *problems)
{
    enum status status = STATUS_INVALID;

    utf8_skip_mark(&bytes, &length);
    if (length >= 2 && bytes[0] == 'P' && strchr("1245", bytes[1]) != NULL && bytes[1] != '\0')
        status = parse_picture(pattern, bytes, length, problems);
    else if (!refuse_format(bytes, length, problems))
        status = parse_text(pattern, bytes, length, problems);
    pattern->inverted = status == STATUS_OK && is_inverted(pattern);
    return status;
}

enum status pattern_parse(enum pattern_kind kind, const char *bytes, size_t length,
                          struct pattern **pattern, struct problems *problems)
{
    struct pattern *made = allocate_array(1, sizeof *made);
    char *text = allocate(length + 1); /* numbers are read up to its NUL */
    enum status status;

    memcpy(text, bytes, length);
    text[length] = '\0';
    made->kind = kind;
    status = (kind == PATTERN_MASK ? parse_mask : parse_text)(made, text, length, problems);
    free(text);
    *pattern = status == STATUS_OK ? made : NULL;
    if (status != STATUS_OK)
        pattern_free(made);
    return status;
}
