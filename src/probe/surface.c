#include "probe/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/units.h"
#include "probe/fit.h"

enum quantity { ALPHA, BLOCK, TIME, HELD, PART, CORES, QUANTITIES };

static const struct column {
    const char *name;
    enum quantity quantity;
    double scale;        /* to s; of HELD: to B, 0 where it is in words */
    bool several;        /* values with blanks between */
    const char *allowed; /* of a number */
} columns[] = {
    {"alpha", ALPHA, 1, false, "a number above 0"},
    {"L", BLOCK, 1, false, "a number from 1, in words"},
    {"block_words", BLOCK, 1, false, "a number from 1, in words"},
    {"ns_per_access", TIME, 1e-9, false, "a time above 0, in ns"},
    {"samples_s", TIME, 1, true, "times above 0, in s, with blanks between"},
    {"M", HELD, 0, false, "a number from 2048, in words"},
    {"M_words", HELD, 0, false, "a number from 2048, in words"},
    {"size_bytes", HELD, 1, false, "a number that is 2048 words or more, in B"},
    {"part", PART, 0, false, ""},
    {"cores", CORES, 1, false, "a number"},
};

struct reading {
    const struct records *records;
    struct surface *surface;
    struct problems *problems;
    const struct column *column[QUANTITIES]; /* NULL: there is none */
    int number[QUANTITIES];                  /* of that column */
    double held;                             /* words, of all points without a column */
    int record;
};

/* Columns ------------------------------------------------------------------------------------ */

static void find_columns(struct reading *reading)
{
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        int number = records_column(reading->records, columns[i].name);
        enum quantity quantity = columns[i].quantity;

        if (number < 0 || reading->column[quantity] != NULL)
            continue;
        reading->column[quantity] = &columns[i];
        reading->number[quantity] = number;
    }
}

static void need_column(const struct reading *reading, enum quantity quantity, const char *what)
{
    char names[100] = "";
    size_t used = 0;

    if (reading->column[quantity] != NULL)
        return;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (columns[i].quantity == quantity && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? " or " : "", columns[i].name);
    problems_add(reading->problems, records_line(reading->records, -1),
                 "there is no column for %s; it is called %s", what, names);
}

/* Fields ------------------------------------------------------------------------------------- */

static const char *text_of(const struct reading *reading, enum quantity quantity)
{
    return reading->column[quantity] == NULL
               ? ""
               : records_field(reading->records, reading->record, reading->number[quantity]);
}

/* The number of a field, the least of several; in the column's unit. */
static bool read_number(const char *text, bool several, double above, double *value)
{
    const char *end = text;
    bool good = false;

    while (*text != '\0') {
        double number;

        if (number_parse(text, &number, &end) != STATUS_OK || !(number > above))
            return false;
        *value = good ? fmin(*value, number) : number;
        good = true;
        if (*end == '\0' || !several)
            break;
        if (*end != ' ')
            return false;
        text = end + strspn(end, " ");
    }
    return good && *end == '\0';
}

static bool field(const struct reading *reading, enum quantity quantity, double *value)
{
    const struct column *column = reading->column[quantity];
    const char *text = text_of(reading, quantity);

    if (read_number(text, column->several, 0, value))
        return true;
    problems_add(reading->problems, records_line(reading->records, reading->record),
                 "%s \"%.100s\" is not allowed; allowed: %s", column->name, text, column->allowed);
    return false;
}

static void refuse(const struct reading *reading, enum quantity quantity)
{
    problems_add(reading->problems, records_line(reading->records, reading->record),
                 "%s %.100s is out of range; allowed: %s", reading->column[quantity]->name,
                 text_of(reading, quantity), reading->column[quantity]->allowed);
}

/* Rows of other parts, of several cores, and of what could not be measured. */
static bool is_aside(const struct reading *reading)
{
    const struct column *time = reading->column[TIME];
    const char *cores = text_of(reading, CORES);
    double count = 1;

    return (reading->column[PART] != NULL && strcmp(text_of(reading, PART), "apex") != 0) ||
           (read_number(cores, false, 0, &count) && count > 1) ||
           (time->several && text_of(reading, TIME)[0] == '\0');
}

static void read_point(struct reading *reading)
{
    struct fit_point point = {.held = reading->held};
    bool good = field(reading, ALPHA, &point.alpha);

    good &= field(reading, BLOCK, &point.block);
    good &= field(reading, TIME, &point.seconds);
    if (reading->column[HELD] != NULL)
        good &= field(reading, HELD, &point.held);
    if (!good)
        return;
    point.seconds *= reading->column[TIME]->scale;
    if (reading->column[HELD] != NULL && reading->column[HELD]->scale > 0)
        point.held /= reading->surface->word;
    if (point.held < 2 * FIT_CACHE_LEAST)
        refuse(reading, HELD);
    else if (point.block < 1)
        refuse(reading, BLOCK);
    else if (point.block > point.held)
        problems_add(reading->problems, records_line(reading->records, reading->record),
                     "%s %.100s is more than is accessed in all; allowed: 1 to %.0f words",
                     reading->column[BLOCK]->name, text_of(reading, BLOCK), point.held);
    else
        reading->surface->point[reading->surface->count++] = point;
}

/* What the whole file states ----------------------------------------------------------------- */

/* "# size: 512 MiB": the B a comment states; 0 and a problem where it cannot be read, 0 without
 * such a comment. */
static double comment(const struct reading *reading, const char *bytes, size_t length,
                      const char *name)
{
    const char *end = bytes + length;
    int line = 1;

    for (; bytes < end; line++) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t size = (size_t)((stop == NULL ? end : stop) - bytes);
        char text[120];
        char key[20];
        struct error error;
        double value = 0;

        snprintf(text, sizeof text, "%.*s", (int)(size < 119 ? size : 119), bytes);
        text[strcspn(text, "\r")] = '\0';
        snprintf(key, sizeof key, "# %s: ", name);
        bytes += size + 1;
        if (strncmp(text, key, strlen(key)) != 0)
            continue;
        if (quantity_parse(text + strlen(key), "B", &value, &error) == STATUS_OK && value > 0)
            return value;
        problems_add(reading->problems, line,
                     "%s \"%.60s\" is not allowed; allowed: bytes above 0, as in 512 MiB", name,
                     text + strlen(key));
        return 0;
    }
    return 0;
}

static enum surface_origin choose(double given, double in_file, double assumed, double *value)
{
    *value = given > 0 ? given : in_file > 0 ? in_file : assumed;
    return given > 0 ? SURFACE_GIVEN : in_file > 0 ? SURFACE_IN_COMMENT : SURFACE_ASSUMED;
}

static void read_whole(struct reading *reading, const char *bytes, size_t length,
                       const struct surface_given *given)
{
    struct surface *surface = reading->surface;
    double size;

    surface->word_origin =
        choose(given->word, comment(reading, bytes, length, "word"), SURFACE_WORD, &surface->word);
    if (reading->column[HELD] != NULL) {
        surface->held_origin = SURFACE_IN_COLUMN;
        if (given->size > 0)
            problems_add(reading->problems, records_line(reading->records, -1),
                         "the file states sizes itself, in its column %s; no other can be given",
                         reading->column[HELD]->name);
        return;
    }
    surface->held_origin =
        choose(given->size, comment(reading, bytes, length, "size"), SURFACE_SIZE, &size);
    reading->held = size / surface->word;
    if (reading->held < 2 * FIT_CACHE_LEAST)
        problems_add(reading->problems, 0,
                     "%.0f B in words of %.0f B are %.0f; allowed: 2048 or more", size,
                     surface->word, reading->held);
}

/* -------------------------------------------------------------------------------------------- */

static void find_range(struct surface *surface)
{
    surface->least_held = INFINITY;
    for (int i = 0; i < surface->count; i++) {
        surface->least_held = fmin(surface->least_held, surface->point[i].held);
        surface->most_held = fmax(surface->most_held, surface->point[i].held);
    }
}

static void read_points(struct reading *reading, const char *bytes, size_t length,
                        const struct surface_given *given)
{
    find_columns(reading);
    need_column(reading, ALPHA, "the locality");
    need_column(reading, BLOCK, "the words of a block");
    need_column(reading, TIME, "the time of an access");
    read_whole(reading, bytes, length, given);
    if (reading->problems->count > 0)
        return;
    for (; reading->record < reading->records->count; reading->record++)
        if (!is_aside(reading))
            read_point(reading);
    if (reading->surface->count == 0 && reading->problems->count == 0)
        problems_add(reading->problems, 0, "there are no points of an Apex-MAP surface in it");
    find_range(reading->surface);
}

/* A sentence "line N: ..." as a problem of that line. */
static void add_error(struct problems *problems, const char *message)
{
    const char *rest = strstr(message, ": ");
    int line = 0;

    if (sscanf(message, "line %d:", &line) == 1 && rest != NULL)
        message = rest + 2;
    problems_add(problems, line, "%s", message);
}

enum status surface_parse(const char *bytes, size_t length, const struct surface_given *given,
                          struct surface *surface, struct problems *problems)
{
    struct records records;
    struct reading reading = {.records = &records, .surface = surface, .problems = problems};
    struct error error;
    enum status status = records_parse(&records, bytes, length, &error);

    *surface = (struct surface){0};
    if (status != STATUS_OK) {
        add_error(problems, error.message);
        return status;
    }
    surface->point = calloc((size_t)records.count + 1, sizeof *surface->point);
    if (surface->point == NULL)
        status = STATUS_MEMORY;
    else
        read_points(&reading, bytes, length, given);
    records_free(&records);
    if (status == STATUS_MEMORY)
        problems_add(problems, 0, "out of memory");
    if (status == STATUS_OK && problems->count > 0)
        status = STATUS_INVALID;
    if (status != STATUS_OK)
        surface_free(surface);
    return status;
}

enum status surface_of(const struct measurement *measurement, struct surface *surface,
                       struct error *error)
{
    *surface = (struct surface){
        .word = SURFACE_WORD, .word_origin = SURFACE_ASSUMED, .held_origin = SURFACE_IN_COLUMN};
    surface->point = calloc((size_t)measurement->count + 1, sizeof *surface->point);
    if (surface->point == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *from = &measurement->point[i];

        if (from->part != MEASUREMENT_APEX || from->count == 0 ||
            from->parameter[PARAMETER_CORES] > 1)
            continue;
        surface->point[surface->count++] =
            (struct fit_point){.alpha = from->parameter[PARAMETER_LOCALITY],
                               .block = from->parameter[PARAMETER_BLOCK],
                               .held = from->parameter[PARAMETER_SIZE] / SURFACE_WORD,
                               .seconds = point_least(from)};
    }
    find_range(surface);
    if (surface->count > 0)
        return STATUS_OK;
    surface_free(surface);
    return error_set(error, STATUS_INVALID, "no Apex-MAP surface was measured");
}

void surface_free(struct surface *surface)
{
    free(surface->point);
    *surface = (struct surface){0};
}
