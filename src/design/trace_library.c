#include "design/trace_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/hash.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/pattern.h"
#include "design/trace.h"

struct trace_entry {
    char *bytes; /* source text */
    size_t length;
    enum knob_id knob;         /* that decides what it is */
    struct stated_file stated; /* its contents, which the entry owns */
};

void trace_library_free(struct trace_library *library)
{
    for (int i = 0; i < library->count; i++) {
        free(library->list[i].bytes);
        program_free((struct program *)library->list[i].stated.program);
        pattern_free((struct pattern *)library->list[i].stated.pattern);
    }
    free(library->list);
    memset(library, 0, sizeof *library);
}

static const struct trace_entry *find_entry(const struct trace_library *library, enum knob_id knob,
                                            const char *bytes, size_t length)
{
    for (int i = 0; i < library->count; i++)
        if (library->list[i].knob == knob && library->list[i].length == length &&
            memcmp(library->list[i].bytes, bytes, length) == 0)
            return &library->list[i];
    return NULL;
}

/* Takes ownership of bytes and contents. */
static void add_entry(struct trace_library *library, const struct trace_entry *entry)
{
    library->list =
        array_reserve(library->list, library->count, &library->capacity, sizeof *library->list);
    library->list[library->count++] = *entry;
}

/* Returns the location of `path` as stated in the file `from`. */
static char *path_from(const char *from, const char *path)
{
    const char *slash = from == NULL ? NULL : strrchr(from, '/');

    if (path[0] == '/' || slash == NULL)
        return allocate_text(path);
    return allocate_print("%.*s/%s", (int)(slash - from), from, path);
}

/* Adds problems of a file that is named before them. */
static void add_problems(struct problems *problems, const struct problems *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct problem *problem = &found->list[i];

        if (problem->line > 0)
            problems_add(problems, 0, "line %d: %s", problem->line, problem->message);
        else
            problems_add(problems, 0, "%s", problem->message);
    }
}

/* Parses the contents of a file by the knob that names it. */
static enum status parse_contents(enum knob_id knob, const char *path, const char *bytes,
                                  size_t length, struct stated_file *stated,
                                  struct problems *problems)
{
    enum pattern_kind kind = knob == KNOB_WFS_AGENDA        ? PATTERN_AGENDA
                             : knob == KNOB_WFS_READOUT_MAP ? PATTERN_MAP
                                                            : PATTERN_MASK;
    struct program *program = NULL;
    struct pattern *pattern = NULL;
    enum status status = knob == KNOB_COMPONENT_TRACE
                             ? program_parse(bytes, length, &program, problems)
                             : pattern_parse(kind, bytes, length, &pattern, problems);

    if (program != NULL)
        program->origin = realpath(path, NULL);
    if (pattern != NULL)
        pattern->origin = realpath(path, NULL);
    *stated = (struct stated_file){.program = program, .pattern = pattern};
    return status;
}

/* Finds the contents of a file in the library, or parses them and adds them. `named`: the path as
 * stated. */
static enum status read_contents(struct trace_library *library, enum knob_id knob, const char *path,
                                 const char *named, struct stated_file *stated,
                                 struct problems *problems)
{
    struct problems found = {NULL, 0, 0};
    struct trace_entry entry = {.knob = knob};
    const struct trace_entry *known;
    struct error error;
    enum status status;

    status =
        file_read_named(path, knob == KNOB_COMPONENT_TRACE ? PROGRAM_BYTES_MAX : PATTERN_BYTES_MAX,
                        &entry.bytes, &entry.length, NULL, &error);
    if (status != STATUS_OK) {
        size_t folder = strlen(path) - strlen(named); /* in which it was searched, with a slash */

        if (folder > 0)
            error_add(&error, "it is looked for in %.*s", (int)folder, path);
        problems_add(problems, 0, "%s", error.message);
        return status;
    }
    known = find_entry(library, knob, entry.bytes, entry.length);
    if (known != NULL) {
        *stated = known->stated;
    } else {
        status = parse_contents(knob, path, entry.bytes, entry.length, &entry.stated, &found);
        if (status == STATUS_OK)
            add_entry(library, &entry);
        *stated = entry.stated;
    }
    if (known != NULL || status != STATUS_OK)
        free(entry.bytes);
    add_problems(problems, &found);
    problems_free(&found);
    return status;
}

static struct stated_file *file_of(struct scenario *scenario, struct knob_ref ref)
{
    return (struct stated_file *)(void *)((char *)section_head(scenario, ref.section, ref.index) +
                                          ref.knob->offset);
}

enum status scenario_read_file(struct scenario *scenario, struct knob_ref ref,
                               struct trace_library *library, const char *from, const char *path,
                               struct problems *problems)
{
    struct stated_file *file = file_of(scenario, ref);
    struct stated_file stated;
    enum status status;
    char *whole;

    if (ref.knob->automatic && strcmp(path, "auto") == 0) {
        knob_set_auto(scenario, ref);
        return STATUS_OK;
    }
    if (path[0] == '\0' || strlen(path) > FILE_PATH_MAX) {
        problems_add(problems, 0, "the path of a file has 1 to %d bytes", FILE_PATH_MAX);
        return STATUS_INVALID;
    }
    if (ini_cannot_state(path) != NULL) {
        problems_add(problems, 0, "a path cannot contain %s", ini_cannot_state(path));
        return STATUS_INVALID;
    }
    whole = path_from(from, path);
    status = read_contents(library, knob_id(ref.knob), whole, path, &stated, problems);
    free(whole);
    if (status != STATUS_OK)
        return status;
    memset(file, 0, sizeof *file);
    file->program = stated.program;
    file->pattern = stated.pattern;
    snprintf(file->path, sizeof file->path, "%s", path);
    knob_mark_own(scenario, ref);
    return STATUS_OK;
}

enum status scenario_set_file(struct scenario *scenario, struct knob_ref ref,
                              struct trace_library *library, const char *from, const char *path,
                              struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    enum status status = scenario_read_file(scenario, ref, library, from, path, &problems);

    if (status != STATUS_OK && problems.count > 1)
        error_set(error, status, "%s (and %zu more)", problems.list[0].message, problems.count - 1);
    else if (status != STATUS_OK)
        error_set(error, status, "%s", problems.list[0].message);
    problems_free(&problems);
    return status;
}

/* Gets the next file of a scenario, beginning with a zeroed `ref`; returns false after the last. */
static bool next_file(const struct scenario *scenario, struct knob_ref *ref)
{
    static const enum knob_id ids[] = {KNOB_WFS_AGENDA, KNOB_WFS_READOUT_MAP, KNOB_WFS_MASK,
                                       KNOB_COMPONENT_TRACE};
    size_t at = 0;

    if (ref->knob != NULL) {
        while (ids[at] != knob_id(ref->knob))
            at++;
        ref->index++;
    }
    for (; at < sizeof ids / sizeof ids[0]; at++) {
        int index = ref->knob != NULL && ids[at] == knob_id(ref->knob) ? ref->index : 0;

        *ref = knob_ref_to(ids[at], index);
        if (index < section_count(scenario, ref->section))
            return true;
    }
    return false;
}

bool scenario_has_files_of(const struct scenario *scenario, const struct scenario *other)
{
    struct knob_ref ref = {.knob = NULL};

    while (next_file(scenario, &ref))
        if (memcmp(file_of((struct scenario *)scenario, ref),
                   file_of((struct scenario *)other, ref), sizeof(struct stated_file)) != 0)
            return false;
    return true;
}

uint64_t scenario_hash_files(const struct scenario *scenario, const struct trace_library *library,
                             uint64_t hash)
{
    struct knob_ref ref = {.knob = NULL};

    while (next_file(scenario, &ref)) {
        const struct stated_file *file = file_of((struct scenario *)scenario, ref);

        for (int i = 0; i < library->count; i++) {
            const struct trace_entry *entry = &library->list[i];

            if ((file->program != NULL || file->pattern != NULL) &&
                entry->stated.program == file->program && entry->stated.pattern == file->pattern)
                hash = hash_bytes(hash, entry->bytes, entry->length);
        }
    }
    return hash;
}

/* Returns the real directory of a file that need not exist; NULL if there is none. */
static char *real_directory(const char *file)
{
    char *directory = path_from(file, ".");
    char *real = realpath(directory, NULL);

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
    bool same = file_read(a, PATTERN_BYTES_MAX, &left, &left_length, NULL, NULL) == STATUS_OK &&
                file_read(b, PATTERN_BYTES_MAX, &right, &right_length, NULL, NULL) == STATUS_OK &&
                left_length == right_length && memcmp(left, right, left_length) == 0;

    free(left);
    free(right);
    return same;
}

/* Returns the absolute path `file` as it is from a directory, absolute if they share no folder. */
static char *relative_path(const char *file, const char *directory)
{
    size_t same = 0, i = 0;
    struct buffer path = {0};

    for (; file[i] == directory[i] && file[i] != '\0'; i++)
        if (file[i] == '/')
            same = i;
    if (directory[i] == '\0' && file[i] == '/')
        same = i;
    if (same == 0)
        return allocate_text(file);
    for (const char *rest = directory + same; rest[0] != '\0' && (rest = strchr(rest, '/')) != NULL;
         rest++)
        buffer_text(&path, "../");
    buffer_text(&path, file + same + 1);
    return path.bytes;
}

/* Lets a device name the file that it was described in from a directory, if it is found by its path
 * from the file `from` or the working directory. */
static void move_source(struct device *device, const char *from, const char *to)
{
    char *stated = path_from(from, device->source), *there = path_from(to, device->source);
    char *real = realpath(stated, NULL), *directory = real_directory(to);

    if (real == NULL)
        real = realpath(device->source, NULL);
    if (real != NULL && directory != NULL && device->source[0] != '\0' &&
        device->source[0] != '/' && !has_same_bytes(there, real)) {
        char *path = relative_path(real, directory);

        if (strlen(path) <= TEXT_MAX_LENGTH && ini_cannot_state(path) == NULL) {
            memset(device->source, 0, sizeof device->source);
            strcpy(device->source, path);
        }
        free(path);
    }
    free(directory);
    free(real);
    free(there);
    free(stated);
}

void scenario_move_files(struct scenario *scenario, const char *from, const char *to)
{
    struct knob_ref ref = {.knob = NULL};

    for (int d = 0; d < scenario->device_count; d++)
        move_source(&scenario->device[d], from, to);
    if (is_same_directory(from, to))
        return;
    while (next_file(scenario, &ref)) {
        struct stated_file *file = file_of(scenario, ref);
        const char *origin = file->program != NULL   ? file->program->origin
                             : file->pattern != NULL ? file->pattern->origin
                                                     : NULL;
        char *there;

        if (origin == NULL || file->path[0] == '/' || strlen(origin) > FILE_PATH_MAX ||
            ini_cannot_state(origin) != NULL)
            continue;
        there = path_from(to, file->path);
        if (!has_same_bytes(there, origin)) {
            memset(file->path, 0, sizeof file->path);
            snprintf(file->path, sizeof file->path, "%s", origin);
        }
        free(there);
    }
}
