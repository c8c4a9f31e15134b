#include "design/trace_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/file.h"
#include "design/knob.h"
#include "design/trace.h"

struct trace_entry {
    char *bytes; /* source text */
    size_t length;
    struct program *program;
};

void trace_library_free(struct trace_library *library)
{
    for (int i = 0; i < library->count; i++) {
        free(library->list[i].bytes);
        program_free(library->list[i].program);
    }
    free(library->list);
    memset(library, 0, sizeof *library);
}

static const struct program *find_program(const struct trace_library *library, const char *bytes,
                                          size_t length)
{
    for (int i = 0; i < library->count; i++)
        if (library->list[i].length == length && memcmp(library->list[i].bytes, bytes, length) == 0)
            return library->list[i].program;
    return NULL;
}

/* Takes ownership of bytes and program; returns false if memory runs out. */
static bool add_program(struct trace_library *library, char *bytes, size_t length,
                        struct program *program)
{
    struct trace_entry *list =
        array_reserve(library->list, library->count, &library->capacity, sizeof *list);

    if (list == NULL)
        return false;
    library->list = list;
    library->list[library->count++] = (struct trace_entry){bytes, length, program};
    return true;
}

/* Returns the location of `path` as stated in the file `from`. */
static char *path_from(const char *from, const char *path)
{
    const char *slash = from == NULL ? NULL : strrchr(from, '/');

    if (path[0] == '/' || slash == NULL)
        return allocate_text(path);
    return allocate_print("%.*s/%s", (int)(slash - from), from, path);
}

static bool has_both_quotes(const char *path)
{
    return strchr(path, '"') != NULL && strchr(path, '\'') != NULL;
}

/* Prefixes problems with file and line, or with the line only if the file was named before
 * (`named`). */
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

/* Finds the program of a file in the library, or parses it and adds it. */
static enum status read_program(struct trace_library *library, const char *path, const char *named,
                                const struct program **program, struct problems *problems)
{
    struct problems found = {NULL, 0, 0};
    struct program *parsed = NULL;
    struct error error;
    enum status status;
    char *bytes;
    size_t length;

    status = file_read(path, PROGRAM_BYTES_MAX, &bytes, &length, NULL, &error);
    if (status != STATUS_OK) {
        problems_add(problems, 0, "%s", error.message);
        return status;
    }
    *program = find_program(library, bytes, length);
    if (*program == NULL) {
        status = program_parse(bytes, length, &parsed, &found);
        if (status == STATUS_OK && !add_program(library, bytes, length, parsed)) {
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

/* Sets a trace; if `named`, the caller prefixes the problems with the path. */
static enum status set_trace(struct scenario *scenario, int component,
                             struct trace_library *library, const char *from, const char *path,
                             bool named, struct problems *problems)
{
    struct trace *trace = &scenario->component[component].trace;
    const struct program *program = NULL;
    enum status status = STATUS_MEMORY;
    char *whole;

    if (path[0] == '\0' || strlen(path) > TRACE_MAX_LENGTH) {
        problems_add(problems, 0, "the path of a trace has 1 to %d bytes", TRACE_MAX_LENGTH);
        return STATUS_INVALID;
    }
    if (has_both_quotes(path)) {
        problems_add(problems, 0, "a path cannot contain both \" and '");
        return STATUS_INVALID;
    }
    whole = path_from(from, path);
    if (whole != NULL)
        status = read_program(library, whole, named ? path : NULL, &program, problems);
    free(whole);
    if (status != STATUS_OK)
        return status;
    memset(trace, 0, sizeof *trace);
    trace->program = program;
    snprintf(trace->path, sizeof trace->path, "%s", path);
    knob_mark_own(scenario, knob_ref_to(KNOB_COMPONENT_TRACE, component));
    return STATUS_OK;
}

enum status scenario_read_trace(struct scenario *scenario, int component,
                                struct trace_library *library, const char *from, const char *path,
                                struct problems *problems)
{
    return set_trace(scenario, component, library, from, path, true, problems);
}

enum status scenario_set_trace(struct scenario *scenario, int component,
                               struct trace_library *library, const char *from, const char *path,
                               struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    enum status status = set_trace(scenario, component, library, from, path, false, &problems);

    if (status != STATUS_OK && problems.count > 1)
        error_set(error, status, "%s (and %zu more)", problems.list[0].message, problems.count - 1);
    else if (status != STATUS_OK)
        error_set(error, status, "%s",
                  problems.count > 0 ? problems.list[0].message : "out of memory");
    problems_free(&problems);
    return status;
}

/* Returns the real directory of a file that need not exist; NULL if there is none. */
static char *real_directory(const char *file)
{
    char *directory = path_from(file, ".");
    char *real = directory == NULL ? NULL : realpath(directory, NULL);

    free(directory);
    return real;
}

static bool is_same_directory(const char *a, const char *b)
{
    char *left = real_directory(a);
    char *right = real_directory(b);
    bool same = left != NULL && right != NULL && strcmp(left, right) == 0;

    free(left);
    free(right);
    return same;
}

static bool has_same_bytes(const char *a, const char *b)
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

void scenario_move_traces(struct scenario *scenario, const char *from, const char *to)
{
    if (is_same_directory(from, to))
        return;
    for (int i = 0; i < scenario->component_count; i++) {
        struct trace *trace = &scenario->component[i].trace;
        const char *origin = trace->program == NULL ? NULL : trace->program->origin;
        char *there;

        if (origin == NULL || trace->path[0] == '/' || strlen(origin) > TRACE_MAX_LENGTH ||
            has_both_quotes(origin))
            continue;
        there = path_from(to, trace->path);
        if (there != NULL && !has_same_bytes(there, origin)) {
            memset(trace->path, 0, sizeof trace->path);
            snprintf(trace->path, sizeof trace->path, "%s", origin);
        }
        free(there);
    }
}
