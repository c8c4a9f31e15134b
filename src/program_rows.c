#include "program_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "program_trace.h"
#include "units.h"

#define HEADER "phase,thread,kind,key,count"
#define FIELD_MAX 63

enum field { FIELD_PHASE, FIELD_THREAD, FIELD_KIND, FIELD_KEY, FIELD_COUNT, FIELDS };

static const char *const field_names[FIELDS] = {"phase", "thread", "kind", "key", "count"};
static const char *const kind_names[ROW_KINDS] = {"instr", "remote", "lock", "bytes"};

struct reading {
    struct problems *problems;
    int line;
    bool header;
    char field[FIELDS][FIELD_MAX + 1];
    struct program_rows *found;
    size_t capacity; /* of its rows */
    int *by_name;    /* phases sorted by name */
};

/* Words -------------------------------------------------------------------------------------- */

/* "instr, remote, lock, bytes" */
static void list_words(const char *const *words, int count, char *text, size_t size)
{
    size_t used = 0;

    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", words[i]);
}

/* The words are short: the nearest of them may have next to nothing of what was written. */
static bool is_near(const struct nearest *nearest)
{
    return nearest->best[0] != '\0' &&
           (nearest->fit > 0 || 3 * (size_t)nearest->distance <= strlen(nearest->word));
}

/* Which of some words a field is; -1 and a problem for none. */
static int one_of(const struct reading *reading, const char *what, const char *text,
                  const char *const *words, int count)
{
    struct nearest nearest = nearest_to(text);
    char allowed[200];

    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], text) == 0)
            return i;
        nearest_offer(&nearest, words[i]);
    }
    list_words(words, count, allowed, sizeof allowed);
    if (is_near(&nearest))
        problems_add(reading->problems, reading->line,
                     "%s \"%s\" is not allowed; did you mean %s? Allowed: %s", what, text,
                     nearest.best, allowed);
    else
        problems_add(reading->problems, reading->line, "%s \"%s\" is not allowed; allowed: %s",
                     what, text, allowed);
    return -1;
}

/* A number from 0 to `most`. */
static bool amount(const struct reading *reading, const char *what, const char *text, double most,
                   double *value)
{
    const char *end;
    char high[40];

    number_format(most, high, sizeof high);
    if (number_parse(text, value, &end) != STATUS_OK || *end != '\0')
        problems_add(reading->problems, reading->line,
                     "%s %s%s%s is not a number; allowed: 0 to %s", what, "\"", text, "\"", high);
    else if (!(*value >= 0 && *value <= most))
        problems_add(reading->problems, reading->line, "%s %s is out of range; allowed: 0 to %s",
                     what, text, high);
    else
        return true;
    return false;
}

static bool is_name(const struct reading *reading, const char *what, const char *text)
{
    size_t good = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_");

    if (good > 0 && text[good] == '\0' && good <= NAME_MAX_LENGTH)
        return true;
    problems_add(reading->problems, reading->line,
                 "%s \"%s\" is not a name; a name is 1 to %d of a-z 0-9 - _", what, text,
                 NAME_MAX_LENGTH);
    return false;
}

/* Phases ------------------------------------------------------------------------------------- */

/* Where the name stands or would stand among those sorted. */
static int place_of(const struct reading *reading, const char *name)
{
    int low = 0;
    int high = reading->found->phase_count;

    while (low < high) {
        int middle = (low + high) / 2;

        if (strcmp(reading->found->phase[reading->by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The phase of a name, a new one behind all others if need be; -1 and a problem for none. */
static int phase_named(struct reading *reading, const char *name)
{
    int at = place_of(reading, name);

    if (at < reading->found->phase_count &&
        strcmp(reading->found->phase[reading->by_name[at]].name, name) == 0)
        return reading->by_name[at];
    if (!is_name(reading, "phase", name))
        return -1;
    if (reading->found->phase_count == PROGRAM_PHASES_MAX) {
        problems_add(reading->problems, reading->line,
                     "phase \"%s\" is one too many; the most is %d", name, PROGRAM_PHASES_MAX);
        return -1;
    }
    memmove(&reading->by_name[at + 1], &reading->by_name[at],
            sizeof reading->by_name[0] * (size_t)(reading->found->phase_count - at));
    reading->by_name[at] = reading->found->phase_count;
    snprintf(reading->found->phase[reading->found->phase_count].name, NAME_MAX_LENGTH + 1, "%.*s",
             NAME_MAX_LENGTH, name);
    return reading->found->phase_count++;
}

/* Rows --------------------------------------------------------------------------------------- */

/* The key of a row in its own terms; false and a problem where it is none. */
static bool read_key(const struct reading *reading, enum row_kind kind, double *key)
{
    const char *text = reading->field[FIELD_KEY];
    int class;

    switch (kind) {
    case ROW_INSTR:
        class = one_of(reading, "class", text, instruction_names, INSTRUCTION_COUNT);
        *key = class;
        return class >= 0;
    case ROW_REMOTE:
        return amount(reading, "distance", text, PROGRAM_DISTANCE_MAX, key);
    case ROW_LOCK:
    case ROW_BYTES:
    case ROW_KINDS:
        break;
    }
    *key = 0;
    return text[0] == '\0' || is_name(reading, kind_names[kind], text);
}

static bool keep(struct reading *reading, const struct program_row *row)
{
    if (reading->found->count == reading->capacity) {
        size_t capacity = reading->capacity == 0 ? 256 : 2 * reading->capacity;
        struct program_row *rows = realloc(reading->found->rows, capacity * sizeof *rows);

        if (rows == NULL)
            return false;
        reading->found->rows = rows;
        reading->capacity = capacity;
    }
    reading->found->rows[reading->found->count++] = *row;
    return true;
}

/* False without memory. All that is wrong with a row is said. */
static bool read_row(struct reading *reading)
{
    struct program_row row = {0};
    double thread = 0;
    int kind;
    bool good;

    row.phase = phase_named(reading, reading->field[FIELD_PHASE]);
    good = row.phase >= 0;
    good &=
        amount(reading, "thread", reading->field[FIELD_THREAD], PROGRAM_THREADS_MAX - 1, &thread);
    if (thread != floor(thread)) {
        problems_add(reading->problems, reading->line,
                     "thread %s is not a whole number; allowed: 0 to %d",
                     reading->field[FIELD_THREAD], PROGRAM_THREADS_MAX - 1);
        good = false;
    }
    kind = one_of(reading, "kind", reading->field[FIELD_KIND], kind_names, ROW_KINDS);
    if (kind >= 0)
        good &= read_key(reading, (enum row_kind)kind, &row.key);
    good &= amount(reading, "count", reading->field[FIELD_COUNT], PROGRAM_AMOUNT_MAX, &row.count);
    if (!good || kind < 0)
        return true;
    row.thread = (int)thread;
    row.kind = (enum row_kind)kind;
    return keep(reading, &row);
}

/* Lines -------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts a line into its fields, blanks around them aside; how many there are, the first of which are
 * kept. A field longer than any word or number is the caller's problem: `longest`. */
static int cut_fields(struct reading *reading, const char *line, size_t length, size_t *longest)
{
    size_t at = 0;
    int count = 0;

    *longest = 0;
    while (true) {
        size_t start = at;
        size_t end;

        while (at < length && line[at] != ',')
            at++;
        for (end = at; end > start && is_blank(line[end - 1]);)
            end--;
        while (start < end && is_blank(line[start]))
            start++;
        if (end - start > *longest)
            *longest = end - start;
        if (count < FIELDS)
            snprintf(reading->field[count], FIELD_MAX + 1, "%.*s",
                     (int)(end - start > FIELD_MAX ? FIELD_MAX : end - start), line + start);
        count++;
        if (at == length)
            return count;
        at++;
    }
}

/* False and a problem when the fields are not those of a row. */
static bool cut_row(struct reading *reading, const char *line, size_t length)
{
    size_t longest;
    int count = cut_fields(reading, line, length, &longest);

    if (longest > FIELD_MAX)
        problems_add(reading->problems, reading->line, "a field of %zu bytes; the most is %d",
                     longest, FIELD_MAX);
    else if (count != FIELDS)
        problems_add(reading->problems, reading->line, "%d field%s; a row has %d: %s", count,
                     count == 1 ? "" : "s", FIELDS, HEADER);
    else
        return true;
    return false;
}

/* False and a problem when the first line is another; spreadsheets write other separators. */
static bool read_header(struct reading *reading, const char *line, size_t length)
{
    size_t longest;
    int count = cut_fields(reading, line, length, &longest);
    bool same = count == FIELDS;

    for (int f = 0; f < FIELDS && same; f++)
        same = strcmp(reading->field[f], field_names[f]) == 0;
    if (same)
        return true;
    if (count == 1 && (memchr(line, ';', length) != NULL || memchr(line, '\t', length) != NULL))
        problems_add(reading->problems, reading->line,
                     "columns are separated by commas; the header is " HEADER);
    else
        problems_add(reading->problems, reading->line, "the header is missing; it is " HEADER);
    return false;
}

/* False: reading on makes no sense. */
static bool read_line(struct reading *reading, const char *line, size_t length, bool *enough)
{
    size_t blank = 0;

    while (blank < length && is_blank(line[blank]))
        blank++;
    if (blank == length || line[blank] == '#')
        return true;
    if (reading->header) {
        if (cut_row(reading, line, length))
            *enough = read_row(reading);
        return *enough;
    }
    reading->header = read_header(reading, line, length);
    return reading->header;
}

/* False without memory. */
static bool read_lines(struct reading *reading, const char *bytes, size_t length)
{
    const char *nul = memchr(bytes, '\0', length);
    bool enough = true;
    size_t start = 0;

    if (nul != NULL) {
        problems_add(reading->problems, 0, "byte %zu is NUL; a trace is text", nul - bytes + 1);
        return true;
    }
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        problems_add(reading->problems, 1,
                     "the file starts with a byte-order mark; save it as UTF-8 without one");
        start = 3;
    }
    for (size_t at = start; at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - bytes) - at;

        reading->line++;
        if (!read_line(reading, bytes + at, size, &enough))
            return enough;
        at += size + 1;
    }
    if (!reading->header)
        problems_add(reading->problems, 0, "the header is missing; it is " HEADER);
    else if (reading->found->count == 0 && reading->problems->count == 0)
        problems_add(reading->problems, 0, "there are no rows; a program has one phase at least");
    return true;
}

enum status program_rows_read(const char *bytes, size_t length, struct program_rows *rows,
                              struct problems *problems)
{
    size_t before = problems->count;
    struct reading reading = {.problems = problems, .found = rows};
    bool enough;

    *rows = (struct program_rows){NULL, 0, NULL, 0};
    rows->phase = calloc(PROGRAM_PHASES_MAX, sizeof *rows->phase);
    reading.by_name = calloc(PROGRAM_PHASES_MAX, sizeof *reading.by_name);
    enough = rows->phase != NULL && reading.by_name != NULL && read_lines(&reading, bytes, length);
    free(reading.by_name);
    if (problems->count > before)
        return STATUS_INVALID;
    return enough ? STATUS_OK : STATUS_MEMORY;
}

void program_rows_free(struct program_rows *rows)
{
    free(rows->rows);
    free(rows->phase);
}
