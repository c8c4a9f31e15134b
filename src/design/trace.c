#include "design/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/units.h"
#include "design/knob.h"
#include "design/knob_text.h"

const char *const instruction_names[INSTRUCTION_COUNT] = {
    [INSTRUCTION_INT] = "int",     [INSTRUCTION_FP] = "fp",         [INSTRUCTION_FMA] = "fma",
    [INSTRUCTION_SIMD] = "simd",   [INSTRUCTION_DIV] = "div",       [INSTRUCTION_LOAD] = "load",
    [INSTRUCTION_STORE] = "store", [INSTRUCTION_BRANCH] = "branch", [INSTRUCTION_SYNC] = "sync",
    [INSTRUCTION_OTHER] = "other",
};

/* Program trace -------------------------------------------------------------------------------- */

static int by_phase_and_thread(const void *a, const void *b)
{
    const struct program_row *left = a;
    const struct program_row *right = b;

    if (left->phase != right->phase)
        return left->phase < right->phase ? -1 : 1;
    return (left->thread > right->thread) - (left->thread < right->thread);
}

/* Rows of one thread in one phase lie together. */
static void add_row(struct program *program, const struct program_row *row, size_t *threads,
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
    case ROW_KINDS:
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

/* Takes over the phases. NULL without memory. */
static struct program *build(struct program_rows *rows)
{
    struct program *program = calloc(1, sizeof *program);
    size_t threads = 0;
    size_t references = 0;

    if (program == NULL)
        return NULL;
    program->thread = calloc(rows->count, sizeof *program->thread);
    program->reference = calloc(rows->count, sizeof *program->reference);
    if (program->thread == NULL || program->reference == NULL) {
        program_free(program);
        return NULL;
    }
    program->phase = rows->phase;
    program->phase_count = rows->phase_count;
    rows->phase = NULL;
    qsort(rows->rows, rows->count, sizeof *rows->rows, by_phase_and_thread);
    for (size_t i = 0; i < rows->count; i++)
        add_row(program, &rows->rows[i], &threads, &references);
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
    struct program_rows rows;
    enum status status = program_rows_read(bytes, length, &rows, problems);

    *program = status == STATUS_OK ? build(&rows) : NULL;
    program_rows_free(&rows);
    return status == STATUS_OK && *program == NULL ? STATUS_MEMORY : status;
}

/* Program rows --------------------------------------------------------------------------------- */

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

/* Program library ------------------------------------------------------------------------------ */

struct program_entry {
    char *bytes; /* what it was parsed from */
    size_t length;
    struct program *program;
};

void program_library_free(struct program_library *library)
{
    for (size_t i = 0; i < library->count; i++) {
        free(library->list[i].bytes);
        program_free(library->list[i].program);
    }
    free(library->list);
    memset(library, 0, sizeof *library);
}

static const struct program *find(const struct program_library *library, const char *bytes,
                                  size_t length)
{
    for (size_t i = 0; i < library->count; i++)
        if (library->list[i].length == length && memcmp(library->list[i].bytes, bytes, length) == 0)
            return library->list[i].program;
    return NULL;
}

/* Takes over bytes and program; false without memory. */
static bool library_keep(struct program_library *library, char *bytes, size_t length,
                         struct program *program)
{
    if (library->count == library->capacity) {
        size_t capacity = library->capacity == 0 ? 8 : 2 * library->capacity;
        struct program_entry *list = realloc(library->list, capacity * sizeof *list);

        if (list == NULL)
            return false;
        library->list = list;
        library->capacity = capacity;
    }
    library->list[library->count++] = (struct program_entry){bytes, length, program};
    return true;
}

/* Where `path` lies that the file `from` states. */
static char *path_from(const char *from, const char *path)
{
    const char *slash = from == NULL ? NULL : strrchr(from, '/');
    char *joined = NULL;

    if (path[0] == '/' || slash == NULL)
        return strdup(path);
    if (asprintf(&joined, "%.*s/%s", (int)(slash - from), from, path) < 0)
        return NULL;
    return joined;
}

/* Sentences of the trace begin with its file and line; after what names the file (`named`) with the
 * line only. */
static void add_problems(struct problems *problems, const struct problems *found, const char *path,
                         const char *named)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct problem *problem = &found->list[i];

        if (named != NULL && problem->line > 0)
            problems_add(problems, 0, "line %d: %s", problem->line, problem->message);
        else if (named != NULL)
            problems_add(problems, 0, "%s", problem->message);
        else if (problem->line > 0)
            problems_add(problems, 0, "%s:%d: %s", path, problem->line, problem->message);
        else
            problems_add(problems, 0, "%s: %s", path, problem->message);
    }
}

static enum status read_program(struct program_library *library, const char *path,
                                const char *named, const struct program **program,
                                struct problems *problems)
{
    struct problems found = {NULL, 0, 0};
    struct program *parsed = NULL;
    struct error error;
    enum status status;
    char *bytes;
    size_t length;

    status = file_read(path, PROGRAM_BYTES_MAX, &bytes, &length, NULL, &error);
    if (status != STATUS_OK) {
        /* where it was looked for, unless that has been said */
        if (named != NULL && strcmp(path, named) == 0)
            problems_add(problems, 0, "%s", error.message);
        else
            problems_add(problems, 0, "%s %s", path, error.message);
        return status;
    }
    *program = find(library, bytes, length);
    if (*program == NULL) {
        status = program_parse(bytes, length, &parsed, &found);
        if (status == STATUS_OK && !library_keep(library, bytes, length, parsed)) {
            program_free(parsed);
            status = STATUS_MEMORY;
        }
        if (status == STATUS_OK) {
            bytes = NULL;
            parsed->origin = realpath(path, NULL);
        }
        *program = parsed;
    }
    free(bytes);
    add_problems(problems, &found, path, named);
    problems_free(&found);
    if (status == STATUS_MEMORY)
        problems_add(problems, 0, "out of memory");
    return status;
}

/* `named`: the problems stand behind the path. */
static enum status read_trace(struct scenario *scenario, int component, struct catalogue *catalogue,
                              const char *from, const char *path, bool named,
                              struct problems *problems)
{
    struct component *c = &scenario->component[component];
    const struct program *program = NULL;
    enum status status = STATUS_MEMORY;
    char *whole;

    if (path[0] == '\0' || strlen(path) > TRACE_MAX_LENGTH) {
        problems_add(problems, 0, "the path of a trace is of 1 to %d bytes", TRACE_MAX_LENGTH);
        return STATUS_INVALID;
    }
    if (strchr(path, '"') != NULL && strchr(path, '\'') != NULL) {
        problems_add(problems, 0, "a path cannot hold both \" and '");
        return STATUS_INVALID;
    }
    whole = path_from(from, path);
    if (whole != NULL)
        status = read_program(catalogue_programs(catalogue), whole, named ? path : NULL, &program,
                              problems);
    free(whole);
    if (status != STATUS_OK)
        return status;
    memset(&c->trace, 0, sizeof c->trace);
    c->trace.program = program;
    snprintf(c->trace.path, sizeof c->trace.path, "%s", path);
    knob_mark_own(scenario, knob_ref_to(KNOB_COMPONENT_TRACE, component));
    return STATUS_OK;
}

enum status scenario_read_trace(struct scenario *scenario, int component,
                                struct catalogue *catalogue, const char *from, const char *path,
                                struct problems *problems)
{
    return read_trace(scenario, component, catalogue, from, path, true, problems);
}

enum status scenario_set_trace(struct scenario *scenario, int component,
                               struct catalogue *catalogue, const char *from, const char *path,
                               struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    enum status status = read_trace(scenario, component, catalogue, from, path, false, &problems);

    if (status != STATUS_OK && problems.count > 1)
        error_set(error, status, "%s (and %zu more)", problems.list[0].message, problems.count - 1);
    else if (status != STATUS_OK)
        error_set(error, status, "%s",
                  problems.count > 0 ? problems.list[0].message : "out of memory");
    problems_free(&problems);
    return status;
}

/* The real directory of a file that need not exist; NULL where there is none. */
static char *directory_of(const char *file)
{
    char *directory = path_from(file, ".");
    char *real = directory == NULL ? NULL : realpath(directory, NULL);

    free(directory);
    return real;
}

static bool same_directory(const char *a, const char *b)
{
    char *left = directory_of(a);
    char *right = directory_of(b);
    bool same = left != NULL && right != NULL && strcmp(left, right) == 0;

    free(left);
    free(right);
    return same;
}

static bool same_bytes(const char *a, const char *b)
{
    char *left = NULL;
    char *right = NULL;
    size_t left_length = 0;
    size_t right_length = 0;
    bool same = file_read(a, PROGRAM_BYTES_MAX, &left, &left_length, NULL, NULL) == STATUS_OK &&
                file_read(b, PROGRAM_BYTES_MAX, &right, &right_length, NULL, NULL) == STATUS_OK &&
                left_length == right_length && memcmp(left, right, left_length) == 0;

    free(left);
    free(right);
    return same;
}

static void move_trace(struct trace *trace, const char *to)
{
    const char *origin = trace->program->origin;
    char *there = path_from(to, trace->path);

    if (there != NULL && origin != NULL && !same_bytes(there, origin) &&
        strlen(origin) <= TRACE_MAX_LENGTH &&
        (strchr(origin, '"') == NULL || strchr(origin, '\'') == NULL)) {
        memset(trace->path, 0, sizeof trace->path);
        snprintf(trace->path, sizeof trace->path, "%s", origin);
    }
    free(there);
}

void scenario_move_traces(struct scenario *scenario, const char *from, const char *to)
{
    if (same_directory(from, to))
        return;
    for (int i = 0; i < scenario->component_count; i++) {
        struct trace *trace = &scenario->component[i].trace;

        if (trace->program != NULL && trace->path[0] != '/')
            move_trace(trace, to);
    }
}
