#include "design/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/utf8.h"

#define HEADER "phase,thread,kind,key,count"
#define FIELD_MAX 63
#define DISTANCE_MAX 1e15
#define AMOUNT_MAX 1e18

enum row_kind {
    ROW_INSTR,
    ROW_REMOTE,
    ROW_LOCK,
    ROW_BYTES,
    ROW_CHAIN,
    ROW_VECTOR,
    ROW_REUSE,
    ROW_PREFETCH,
    ROW_KINDS
};

/* A checked row, before rows for the same thing are added up. */
struct trace_row {
    int phase;
    int thread; /* thread number */
    enum row_kind kind;
    double key; /* class or distance; 0 for other kinds */
    double count;
};

enum trace_field { FIELD_PHASE, FIELD_THREAD, FIELD_KIND, FIELD_KEY, FIELD_COUNT, FIELDS };

static const char *const field_names[FIELDS] = {"phase", "thread", "kind", "key", "count"};
static const char *const kind_names[ROW_KINDS] = {"instr", "remote", "lock",  "bytes",
                                                  "chain", "vector", "reuse", "prefetch"};

const char *const instruction_names[INSTRUCTION_COUNT] = {
    [INSTRUCTION_INT] = "int",     [INSTRUCTION_FP] = "fp",         [INSTRUCTION_FMA] = "fma",
    [INSTRUCTION_SIMD] = "simd",   [INSTRUCTION_DIV] = "div",       [INSTRUCTION_LOAD] = "load",
    [INSTRUCTION_STORE] = "store", [INSTRUCTION_BRANCH] = "branch", [INSTRUCTION_SYNC] = "sync",
    [INSTRUCTION_OTHER] = "other",
};

const char *const chain_step_names[STEP_COUNT] = {
    [STEP_SIMPLE] = "simple", [STEP_ADD] = "add",   [STEP_MULTIPLY] = "multiply",
    [STEP_DIVIDE] = "divide", [STEP_LOAD] = "load", [STEP_REMOTE] = "remote",
};

struct trace_reader {
    struct problems *problems;
    int line;
    bool has_header;
    char field[FIELDS][FIELD_MAX + 1];
    struct trace_row *row;
    int count, capacity;
    struct program_phase *phase; /* in order of first appearance, names only */
    int phase_count;
    int *by_name; /* phases sorted by name */
};

/* Fields --------------------------------------------------------------------------------------- */

/* Returns the index of the word; reports a problem and returns -1 if it is not allowed. */
static int read_word(const struct trace_reader *reader, const char *what, const char *text,
                     const char *const *words, int count)
{
    struct nearest nearest = nearest_to(text);
    char allowed[200];
    struct buffer list = buffer_over(allowed, sizeof allowed);

    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], text) == 0)
            return i;
        nearest_offer(&nearest, words[i]);
        buffer_item(&list, words[i]);
    }
    /* the words are short: even the nearest may have little in common with the text */
    if (nearest.best[0] != '\0' &&
        (nearest.fit > 0 || 3 * (size_t)nearest.distance <= strlen(text)))
        problems_add(reader->problems, reader->line,
                     "%s \"%s\" is not allowed; did you mean %s? Allowed: %s", what, text,
                     nearest.best, allowed);
    else
        problems_add(reader->problems, reader->line, "%s \"%s\" is not allowed; allowed: %s", what,
                     text, allowed);
    return -1;
}

/* Reads a number from 0 to `most`; on failure returns false and adds a problem. */
static bool read_amount(const struct trace_reader *reader, const char *what, const char *text,
                        double most, double *value)
{
    const char *end;
    char high[40];

    number_format(most, high, sizeof high);
    if (number_parse(text, value, &end) != STATUS_OK || *end != '\0')
        problems_add(reader->problems, reader->line, "%s \"%s\" is not a number; allowed: 0 to %s",
                     what, text, high);
    else if (!(*value >= 0 && *value <= most))
        problems_add(reader->problems, reader->line, "%s %s is out of range; allowed: 0 to %s",
                     what, text, high);
    else
        return true;
    return false;
}

static bool check_trace_name(const struct trace_reader *reader, const char *what, const char *text)
{
    if (name_is_good(text))
        return true;
    problems_add(reader->problems, reader->line,
                 "%s \"%s\" is not a name; a name is 1 to %d of a-z 0-9 - _", what, text,
                 NAME_MAX_LENGTH);
    return false;
}

/* Returns the phase with this name, appending a new one if needed; -1 and a problem on failure. */
static int read_phase(struct trace_reader *reader, const char *name)
{
    int low = 0;
    int high = reader->phase_count;

    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(reader->phase[reader->by_name[middle]].name, name);

        if (order == 0)
            return reader->by_name[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!check_trace_name(reader, "phase", name))
        return -1;
    if (reader->phase_count == PROGRAM_PHASES_MAX) {
        problems_add(reader->problems, reader->line,
                     "phase \"%s\" is beyond the limit of %d phases", name, PROGRAM_PHASES_MAX);
        return -1;
    }
    memmove(&reader->by_name[low + 1], &reader->by_name[low],
            sizeof reader->by_name[0] * (size_t)(reader->phase_count - low));
    reader->by_name[low] = reader->phase_count;
    memcpy(reader->phase[reader->phase_count].name, name, strlen(name) + 1);
    return reader->phase_count++;
}

static bool read_thread(const struct trace_reader *reader, int *thread)
{
    const char *text = reader->field[FIELD_THREAD];
    double number = 0;

    if (!read_amount(reader, "thread", text, PROGRAM_THREADS_MAX - 1, &number))
        return false;
    *thread = (int)number;
    if (number == floor(number))
        return true;
    problems_add(reader->problems, reader->line,
                 "thread %s is not a whole number; allowed: 0 to %d", text,
                 PROGRAM_THREADS_MAX - 1);
    return false;
}

/* Reads the key of a row, as its kind requires; on failure returns false and adds a problem. */
static bool read_row_key(const struct trace_reader *reader, enum row_kind kind, double *key)
{
    const char *text = reader->field[FIELD_KEY];

    *key = 0;
    switch (kind) {
    case ROW_INSTR:
        *key = read_word(reader, "class", text, instruction_names, INSTRUCTION_COUNT);
        return *key >= 0;
    case ROW_CHAIN:
        *key = read_word(reader, "step", text, chain_step_names, STEP_COUNT);
        return *key >= 0;
    case ROW_REMOTE:
    case ROW_REUSE:
        return read_amount(reader, "distance", text, DISTANCE_MAX, key);
    default:
        return text[0] == '\0' || check_trace_name(reader, kind_names[kind], text);
    }
}

/* Reads a row and reports every problem in it. */
static void read_row(struct trace_reader *reader)
{
    struct trace_row row = {.phase = read_phase(reader, reader->field[FIELD_PHASE])};
    bool good = row.phase >= 0;
    int kind;

    good &= read_thread(reader, &row.thread);
    kind = read_word(reader, "kind", reader->field[FIELD_KIND], kind_names, ROW_KINDS);
    if (kind >= 0)
        good &= read_row_key(reader, (enum row_kind)kind, &row.key);
    good &= read_amount(reader, "count", reader->field[FIELD_COUNT], AMOUNT_MAX, &row.count);
    if (!good || kind < 0)
        return;
    row.kind = (enum row_kind)kind;
    reader->row = array_reserve(reader->row, reader->count, &reader->capacity, sizeof row);
    reader->row[reader->count++] = row;
}

/* Lines ---------------------------------------------------------------------------------------- */

static bool is_blank_or_cr(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Splits a line into fields without surrounding blanks; stores the first FIELDS and returns the
 * number of all. `longest` is the longest length; the caller checks it against FIELD_MAX. */
static int cut_fields(struct trace_reader *reader, const char *line, size_t length, size_t *longest)
{
    size_t at = 0;
    int count = 0;

    *longest = 0;
    while (true) {
        size_t start = at;
        size_t end;

        while (at < length && line[at] != ',')
            at++;
        for (end = at; end > start && is_blank_or_cr(line[end - 1]);)
            end--;
        while (start < end && is_blank_or_cr(line[start]))
            start++;
        if (end - start > *longest)
            *longest = end - start;
        if (count < FIELDS)
            snprintf(reader->field[count], FIELD_MAX + 1, "%.*s",
                     (int)(end - start > FIELD_MAX ? FIELD_MAX : end - start), line + start);
        count++;
        if (at == length)
            return count;
        at++;
    }
}

/* Returns false and adds a problem for another header; spreadsheets may use other separators. */
static bool read_trace_header(struct trace_reader *reader, const char *line, size_t length)
{
    size_t longest;
    int count = cut_fields(reader, line, length, &longest);
    bool same = count == FIELDS;

    for (int f = 0; f < FIELDS && same; f++)
        same = strcmp(reader->field[f], field_names[f]) == 0;
    if (same)
        return true;
    if (count == 1 && (memchr(line, ';', length) != NULL || memchr(line, '\t', length) != NULL))
        problems_add(reader->problems, reader->line,
                     "columns are separated by commas; the header is " HEADER);
    else
        problems_add(reader->problems, reader->line, "the header is missing; it is " HEADER);
    return false;
}

/* Returns false if reading cannot continue. */
static bool read_line(struct trace_reader *reader, const char *line, size_t length)
{
    size_t longest;
    int count;

    while (length > 0 && is_blank_or_cr(line[0])) {
        line++;
        length--;
    }
    if (length == 0 || line[0] == '#')
        return true;
    if (!reader->has_header) {
        reader->has_header = read_trace_header(reader, line, length);
        return reader->has_header;
    }
    count = cut_fields(reader, line, length, &longest);
    if (longest > FIELD_MAX)
        problems_add(reader->problems, reader->line, "a field of %zu bytes; the maximum is %d",
                     longest, FIELD_MAX);
    else if (count != FIELDS)
        problems_add(reader->problems, reader->line, "%d field%s; a row has %d: %s", count,
                     count == 1 ? "" : "s", FIELDS, HEADER);
    else
        read_row(reader);
    return true;
}

static void read_lines(struct trace_reader *reader, const char *bytes, size_t length)
{
    struct error error;
    size_t at = 0;

    if (utf8_begin(&bytes, &length, "a trace", &error) != STATUS_OK) {
        problems_add(reader->problems, 0, "%s", error.message);
        return;
    }
    while (at < length) {
        const char *end = memchr(bytes + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - bytes) - at;

        reader->line++;
        if (!read_line(reader, bytes + at, size))
            return;
        at += size + 1;
    }
    if (!reader->has_header)
        problems_add(reader->problems, 0, "the header is missing; it is " HEADER);
    else if (reader->count == 0 && reader->problems->count == 0)
        problems_add(reader->problems, 0, "there are no rows; a program has at least one phase");
}

/* Programs ------------------------------------------------------------------------------------- */

static int compare_trace_rows(const void *a, const void *b)
{
    const struct trace_row *left = a;
    const struct trace_row *right = b;

    if (left->phase != right->phase)
        return left->phase < right->phase ? -1 : 1;
    return (left->thread > right->thread) - (left->thread < right->thread);
}

/* Groups the rows of each thread in a phase. */
static void add_trace_row(struct program *program, const struct trace_row *row, size_t *threads,
                          size_t *references, size_t *reuses)
{
    struct program_phase *phase = &program->phase[row->phase];
    struct program_thread *thread;

    if (phase->count == 0) {
        phase->first = *threads;
        phase->first_reuse = *reuses;
    }
    if (phase->count == 0 || program->thread[*threads - 1].number != row->thread) {
        phase->count++;
        program->thread[(*threads)++] =
            (struct program_thread){.number = row->thread, .first = *references};
    }
    thread = &program->thread[*threads - 1];
    switch (row->kind) {
    case ROW_INSTR:
        thread->instructions[(int)row->key] += row->count;
        break;
    case ROW_REMOTE:
        program->reference[(*references)++] = (struct program_reference){row->key, row->count};
        thread->count++;
        break;
    case ROW_LOCK:
        phase->locked += row->count;
        break;
    case ROW_BYTES:
        phase->bytes += row->count;
        break;
    case ROW_CHAIN:
        thread->chain[(int)row->key] += row->count;
        break;
    case ROW_VECTOR:
        thread->vector += row->count;
        break;
    case ROW_REUSE:
        program->reuse[(*reuses)++] = (struct program_reuse){row->key, row->count};
        phase->reuses++;
        break;
    case ROW_PREFETCH:
        thread->prefetches += row->count;
        break;
    case ROW_KINDS:
        break;
    }
}

/* Ranks the threads by their numbers and returns how many there are. */
static int rank_threads(struct program *program, size_t threads)
{
    int rank[PROGRAM_THREADS_MAX] = {0};
    int count = 0;

    for (size_t i = 0; i < threads; i++)
        rank[program->thread[i].number] = 1;
    for (int number = 0; number < PROGRAM_THREADS_MAX; number++) {
        count += rank[number];
        rank[number] = count - 1;
    }
    for (size_t i = 0; i < threads; i++)
        program->thread[i].rank = rank[program->thread[i].number];
    return count;
}

/* Builds the program and takes ownership of the phases. */
static struct program *build_program(struct trace_reader *reader)
{
    struct program *program = allocate_array(1, sizeof *program);
    size_t threads = 0;
    size_t references = 0;
    size_t reuses = 0;

    program->thread = allocate_array((size_t)reader->count, sizeof *program->thread);
    program->reference = allocate_array((size_t)reader->count, sizeof *program->reference);
    program->reuse = allocate_array((size_t)reader->count, sizeof *program->reuse);
    program->phase = reader->phase;
    program->phase_count = reader->phase_count;
    reader->phase = NULL;
    qsort(reader->row, (size_t)reader->count, sizeof *reader->row, compare_trace_rows);
    for (int i = 0; i < reader->count; i++)
        add_trace_row(program, &reader->row[i], &threads, &references, &reuses);
    program->threads = rank_threads(program, threads);
    return program;
}

void program_free(struct program *program)
{
    if (program == NULL)
        return;
    free(program->phase);
    free(program->thread);
    free(program->reference);
    free(program->reuse);
    free(program->origin);
    free(program);
}

enum status program_parse(const char *bytes, size_t length, struct program **program,
                          struct problems *problems)
{
    struct trace_reader reader = {
        .problems = problems,
        .phase = allocate_array(PROGRAM_PHASES_MAX, sizeof *reader.phase),
        .by_name = allocate_array(PROGRAM_PHASES_MAX, sizeof *reader.by_name),
    };

    read_lines(&reader, bytes, length);
    *program = problems->count > 0 ? NULL : build_program(&reader);
    free(reader.row);
    free(reader.phase);
    free(reader.by_name);
    return *program != NULL ? STATUS_OK : STATUS_INVALID;
}
