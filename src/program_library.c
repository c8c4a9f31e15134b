#include "program_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "knob.h"
#include "program_trace.h"

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
static bool keep(struct program_library *library, char *bytes, size_t length,
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
        if (status == STATUS_OK && !keep(library, bytes, length, parsed)) {
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
    struct knob_ref ref;
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
    knob_find_key(scenario, SECTION_COMPONENT, component, "trace", &ref, NULL);
    knob_set_add(&c->head.own, (int)(ref.knob - &knobs[knob_section_first(SECTION_COMPONENT)]));
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
