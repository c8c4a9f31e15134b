#include "program_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "units.h"

#define HEADER "phase,thread,kind,key,count"
#define FIELD_MAX 63

enum field { FIELD_PHASE, FIELD_THREAD, FIELD_KIND, FIELD_KEY, FIELD_COUNT, FIELDS };
enum kind { KIND_INSTR, KIND_REMOTE, KIND_LOCK, KIND_BYTES, KINDS };

static const char *const field_names[FIELDS] = {"phase", "thread", "kind", "key", "count"};
static const char *const kind_names[KINDS] = {"instr", "remote", "lock", "bytes"};

struct row {
    int phase, thread;
    enum kind kind;
    double key; /* class or distance */
    double count;
};

struct reading {
    struct problems *problems;
    int line;
    bool header;
    char field[FIELDS][FIELD_MAX + 1];
    struct row *rows;
    size_t count, capacity;
    struct program_phase *phase; /* [PROGRAM_PHASES_MAX] */
    int phase_count;
    int *by_name; /* phases sorted by name */
};

/* Words -------------------------------------------------------------------------------------- */

/* "instr, remote, lock, bytes" */
static void list_words(const char *const *words, int count, char *text, size_t size)
{
    size_t used = 0;

    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", words[i]);
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
    if (nearest.best[0] != '\0')
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
    int high = reading->phase_count;

    while (low < high) {
        int middle = (low + high) / 2;

        if (strcmp(reading->phase[reading->by_name[middle]].name, name) < 0)
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

    if (at < reading->phase_count && strcmp(reading->phase[reading->by_name[at]].name, name) == 0)
        return reading->by_name[at];
    if (!is_name(reading, "phase", name))
        return -1;
    if (reading->phase_count == PROGRAM_PHASES_MAX) {
        problems_add(reading->problems, reading->line,
                     "phase \"%s\" is one too many; the most is %d", name, PROGRAM_PHASES_MAX);
        return -1;
    }
    memmove(&reading->by_name[at + 1], &reading->by_name[at],
            sizeof reading->by_name[0] * (size_t)(reading->phase_count - at));
    reading->by_name[at] = reading->phase_count;
    snprintf(reading->phase[reading->phase_count].name, NAME_MAX_LENGTH + 1, "%.*s",
             NAME_MAX_LENGTH, name);
    return reading->phase_count++;
}

/* Rows --------------------------------------------------------------------------------------- */

/* The key of a row in its own terms; false and a problem where it is none. */
static bool read_key(const struct reading *reading, enum kind kind, double *key)
{
    const char *text = reading->field[FIELD_KEY];
    int class;

    switch (kind) {
    case KIND_INSTR:
        class = one_of(reading, "class", text, instruction_names, INSTRUCTION_COUNT);
        *key = class;
        return class >= 0;
    case KIND_REMOTE:
        return amount(reading, "distance", text, PROGRAM_DISTANCE_MAX, key);
    case KIND_LOCK:
    case KIND_BYTES:
    case KINDS:
        break;
    }
    *key = 0;
    return text[0] == '\0' || is_name(reading, kind_names[kind], text);
}

static bool keep(struct reading *reading, const struct row *row)
{
    if (reading->count == reading->capacity) {
        size_t capacity = reading->capacity == 0 ? 256 : 2 * reading->capacity;
        struct row *rows = realloc(reading->rows, capacity * sizeof *rows);

        if (rows == NULL)
            return false;
        reading->rows = rows;
        reading->capacity = capacity;
    }
    reading->rows[reading->count++] = *row;
    return true;
}

/* False without memory. All that is wrong with a row is said. */
static bool read_row(struct reading *reading)
{
    struct row row = {0};
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
    kind = one_of(reading, "kind", reading->field[FIELD_KIND], kind_names, KINDS);
    if (kind >= 0)
        good &= read_key(reading, (enum kind)kind, &row.key);
    good &= amount(reading, "count", reading->field[FIELD_COUNT], PROGRAM_AMOUNT_MAX, &row.count);
    if (!good || kind < 0)
        return true;
    row.thread = (int)thread;
    row.kind = (enum kind)kind;
    return keep(reading, &row);
}

/* Lines -------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts a line into its fields, blanks around them aside; false and a problem when they are not
 * those of a row. */
static bool cut_fields(struct reading *reading, const char *line, size_t length)
{
    size_t at = 0;
    int count = 0;

    while (true) {
        size_t start = at;
        size_t end;

        while (at < length && line[at] != ',')
            at++;
        for (end = at; end > start && is_blank(line[end - 1]);)
            end--;
        while (start < end && is_blank(line[start]))
            start++;
        if (end - start > FIELD_MAX) {
            problems_add(reading->problems, reading->line, "a field of %zu bytes; the most is %d",
                         end - start, FIELD_MAX);
            return false;
        }
        if (count < FIELDS)
            snprintf(reading->field[count], FIELD_MAX + 1, "%.*s", (int)(end - start),
                     line + start);
        count++;
        if (at == length)
            break;
        at++;
    }
    if (count == FIELDS)
        return true;
    problems_add(reading->problems, reading->line, "%d field%s; a row has %d: %s", count,
                 count == 1 ? "" : "s", FIELDS, HEADER);
    return false;
}

static bool is_header(const struct reading *reading)
{
    for (int f = 0; f < FIELDS; f++)
        if (strcmp(reading->field[f], field_names[f]) != 0)
            return false;
    return true;
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
        if (cut_fields(reading, line, length))
            *enough = read_row(reading);
        return *enough;
    }
    reading->header = cut_fields(reading, line, length) && is_header(reading);
    if (!reading->header)
        problems_add(reading->problems, reading->line, "the header is missing; it is " HEADER);
    return reading->header;
}

/* False without memory. */
static bool read_lines(struct reading *reading, const char *bytes, size_t length)
{
    const char *nul = memchr(bytes, '\0', length);
    bool enough = true;

    if (nul != NULL) {
        problems_add(reading->problems, 0, "byte %zu is NUL; a trace is text", nul - bytes + 1);
        return true;
    }
    for (size_t at = 0; at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - bytes) - at;

        reading->line++;
        if (!read_line(reading, bytes + at, size, &enough))
            return enough;
        at += size + 1;
    }
    if (!reading->header)
        problems_add(reading->problems, 0, "the header is missing; it is " HEADER);
    else if (reading->count == 0 && reading->problems->count == 0)
        problems_add(reading->problems, 0, "there are no rows; a program has one phase at least");
    return true;
}

/* The program -------------------------------------------------------------------------------- */

static int by_phase_and_thread(const void *a, const void *b)
{
    const struct row *left = a;
    const struct row *right = b;

    if (left->phase != right->phase)
        return left->phase < right->phase ? -1 : 1;
    return (left->thread > right->thread) - (left->thread < right->thread);
}

/* Rows of one thread in one phase lie together. */
static void add_row(struct program *program, const struct row *row, size_t *threads,
                    size_t *references)
{
    struct program_phase *phase = &program->phase[row->phase];
    struct program_thread *thread;

    if (phase->count == 0)
        phase->first = *threads;
    if (phase->count == 0 || program->thread[*threads - 1].number != row->thread) {
        phase->count++;
        program->thread[(*threads)++] =
            (struct program_thread){.number = row->thread, .first = *references};
    }
    thread = &program->thread[*threads - 1];
    switch (row->kind) {
    case KIND_INSTR:
        thread->instructions[(int)row->key] += row->count;
        break;
    case KIND_REMOTE:
        program->reference[(*references)++] = (struct program_reference){row->key, row->count};
        thread->count++;
        break;
    case KIND_LOCK:
        phase->locked += row->count;
        break;
    case KIND_BYTES:
        phase->bytes += row->count;
        break;
    case KINDS:
        break;
    }
}

static int count_threads(const struct program *program, size_t threads)
{
    bool seen[PROGRAM_THREADS_MAX] = {false};
    int count = 0;

    for (size_t i = 0; i < threads; i++) {
        count += !seen[program->thread[i].number];
        seen[program->thread[i].number] = true;
    }
    return count;
}

static struct program *build(struct reading *reading)
{
    struct program *program = calloc(1, sizeof *program);
    size_t threads = 0;
    size_t references = 0;

    if (program == NULL)
        return NULL;
    program->thread = calloc(reading->count, sizeof *program->thread);
    program->reference = calloc(reading->count, sizeof *program->reference);
    if (program->thread == NULL || program->reference == NULL) {
        program_free(program);
        return NULL;
    }
    program->phase = reading->phase;
    program->phase_count = reading->phase_count;
    reading->phase = NULL;
    qsort(reading->rows, reading->count, sizeof *reading->rows, by_phase_and_thread);
    for (size_t i = 0; i < reading->count; i++)
        add_row(program, &reading->rows[i], &threads, &references);
    program->threads = count_threads(program, threads);
    return program;
}

void program_free(struct program *program)
{
    if (program == NULL)
        return;
    free(program->phase);
    free(program->thread);
    free(program->reference);
    free(program->origin);
    free(program);
}

enum status program_parse(const char *bytes, size_t length, struct program **program,
                          struct problems *problems)
{
    size_t before = problems->count;
    struct reading reading = {.problems = problems};
    bool enough;

    *program = NULL;
    reading.phase = calloc(PROGRAM_PHASES_MAX, sizeof *reading.phase);
    reading.by_name = calloc(PROGRAM_PHASES_MAX, sizeof *reading.by_name);
    enough =
        reading.phase != NULL && reading.by_name != NULL && read_lines(&reading, bytes, length);
    if (enough && problems->count == before)
        *program = build(&reading);
    free(reading.phase);
    free(reading.by_name);
    free(reading.rows);
    if (problems->count > before)
        return STATUS_INVALID;
    return *program == NULL ? STATUS_MEMORY : STATUS_OK;
}
