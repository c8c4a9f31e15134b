#include "design/document.h"

#include <stdlib.h>
#include <string.h>

#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "design/trace.h"

enum status document_new(struct document **document, struct error *error)
{
    *document = calloc(1, sizeof **document);
    if (*document == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    scenario_init(&(*document)->loaded);
    return STATUS_OK;
}

void document_free(struct document *document)
{
    if (document == NULL)
        return;
    ini_free(&document->ini);
    free(document->path);
    free(document);
}

const char *document_path(const struct document *document)
{
    return document == NULL ? NULL : document->path;
}

int document_line(const struct document *document, const char *sentence)
{
    const size_t length = strcspn(sentence, ":");
    char path[128];
    char *point = path;

    if (document == NULL || length >= sizeof path)
        return 0;
    memcpy(path, sentence, length);
    path[length] = '\0';
    /* the longest part that is a section's name: names hold no points, what follows is the key */
    do {
        const struct ini_section *section = ini_find_section(&document->ini, path);
        const struct ini_key *key = NULL;

        if (section != NULL && point > path)
            key = ini_find_key(&document->ini, section, point);
        if (section != NULL)
            return key != NULL ? key->line : section->line;
        point = strrchr(path, '.');
        if (point != NULL)
            *point++ = '\0';
    } while (point != NULL);
    return 0;
}

/* The document of `bytes`, or NULL and what is wrong with them. */
static struct document *parsed(const char *path, const char *from, const char *bytes, size_t length,
                               const struct assignments *assignments, struct catalogue *catalogue,
                               struct problems *problems, enum status *status)
{
    struct document *document;

    *status = document_new(&document, NULL);
    if (*status != STATUS_OK)
        return NULL;
    if (path != NULL) {
        document->path = strdup(path);
        if (document->path == NULL)
            *status = STATUS_MEMORY;
    }
    if (*status == STATUS_OK)
        *status = scenario_read(&document->loaded, &document->ini, bytes, length, from, assignments,
                                catalogue, problems);
    if (*status == STATUS_OK)
        return document;
    document_free(document);
    return NULL;
}

static void hand_over(struct document *from, struct scenario *scenario, struct document **document)
{
    *scenario = from->loaded;
    document_free(*document);
    *document = from;
}

enum status scenario_parse(struct scenario *scenario, struct document **document, const char *bytes,
                           size_t length, struct catalogue *catalogue, struct problems *problems)
{
    return scenario_parse_from(scenario, document, bytes, length, NULL, catalogue, problems);
}

enum status scenario_parse_for(struct scenario *scenario, struct document **document,
                               const char *bytes, size_t length, const char *from,
                               const struct assignments *assignments, struct catalogue *catalogue,
                               struct problems *problems)
{
    enum status status;
    struct document *read =
        parsed(NULL, from, bytes, length, assignments, catalogue, problems, &status);

    if (read != NULL)
        hand_over(read, scenario, document);
    return status;
}

enum status scenario_parse_from(struct scenario *scenario, struct document **document,
                                const char *bytes, size_t length, const char *from,
                                struct catalogue *catalogue, struct problems *problems)
{
    return scenario_parse_for(scenario, document, bytes, length, from, NULL, catalogue, problems);
}

enum status scenario_load_for(struct scenario *scenario, struct document **document,
                              const char *path, const struct assignments *assignments,
                              struct catalogue *catalogue, struct problems *problems)
{
    struct error error;
    enum status status;
    struct document *read;
    char *bytes;
    size_t length;

    problems_free(problems);
    status = file_read(path, INI_BYTES_MAX, &bytes, &length, NULL, &error);
    if (status != STATUS_OK) {
        problems_add(problems, 0, "%s", error.message);
        return status;
    }
    read = parsed(path, path, bytes, length, assignments, catalogue, problems, &status);
    free(bytes);
    if (read != NULL)
        hand_over(read, scenario, document);
    return status;
}

enum status scenario_load(struct scenario *scenario, struct document **document, const char *path,
                          struct catalogue *catalogue, struct problems *problems)
{
    return scenario_load_for(scenario, document, path, NULL, catalogue, problems);
}

/* Scenario save -------------------------------------------------------------------------------- */

/* A save in the making: everything that can run out is had before the file is touched. */
struct save {
    char *name;   /* as given */
    char *target; /* behind its links */
    char *text;
    size_t length;
    struct ini ini; /* of the text */
};

static void save_free(struct save *save)
{
    free(save->name);
    free(save->target);
    free(save->text);
    ini_free(&save->ini);
}

/* A line of the text can have become too long: a long value beside a long comment. */
static enum status check_text(struct save *save, struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    enum status status = ini_scan(save->text, save->length, &save->ini, &problems);

    if (status != STATUS_OK)
        error_set(error, status, "out of memory");
    else if (problems.count > 0)
        status = error_set(error, STATUS_INVALID, "cannot be saved: line %d of the new text: %s",
                           problems.list[0].line, problems.list[0].message);
    problems_free(&problems);
    return status;
}

/* The text of the scenario as the file `path`; NULL without memory. */
static char *text_for(const struct scenario *scenario, const struct document *document,
                      const char *path, size_t *length)
{
    struct scenario *moved = malloc(sizeof *moved);
    char *text;

    if (moved == NULL)
        return NULL;
    scenario_copy(moved, scenario);
    scenario_move_traces(moved, document->path, path);
    text = scenario_text(moved, document, length);
    free(moved);
    return text;
}

static enum status prepare(struct save *save, const struct scenario *scenario,
                           const struct document *document, const char *path, struct error *error)
{
    save->target = file_resolve(path, error);
    if (save->target == NULL)
        return error == NULL ? STATUS_IO : error->status;
    save->name = strdup(path);
    save->text = text_for(scenario, document, path, &save->length);
    if (save->name == NULL || save->text == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    return check_text(save, error);
}

/* Whether the target is the file the document is of. */
static bool is_own_file(const struct document *document, const struct save *save)
{
    char *own = document->path == NULL ? NULL : file_resolve(document->path, NULL);
    bool same = false;

    if (own != NULL) {
        char *a = realpath(own, NULL);
        char *b = realpath(save->target, NULL);

        same = a != NULL && b != NULL ? strcmp(a, b) == 0 : strcmp(own, save->target) == 0;
        free(a);
        free(b);
    }
    free(own);
    return same;
}

/* STATUS_CONFLICT when the file holds other bytes than the document. That it is gone is none:
 * nothing would be lost. */
static enum status check_unchanged(const struct document *document, const struct save *save,
                                   struct error *error)
{
    struct error reason;
    char *bytes = NULL;
    size_t length = 0;
    bool missing = false;
    bool same;

    if (file_read(save->target, INI_BYTES_MAX, &bytes, &length, &missing, &reason) != STATUS_OK) {
        if (missing)
            return STATUS_OK;
        if (reason.status != STATUS_INVALID)
            return error_set(error, reason.status, "%s", reason.message);
    }
    same = bytes != NULL && length == document->ini.length &&
           memcmp(bytes, document->ini.bytes, length) == 0;
    free(bytes);
    if (same)
        return STATUS_OK;
    return error_set(error, STATUS_CONFLICT, "has changed on disk since it was read");
}

static enum status write_file(const struct save *save, const struct document *document,
                              bool overwrite, const struct file_operations *operations,
                              struct error *error)
{
    bool own = is_own_file(document, save);
    enum status status = STATUS_OK;

    if (own && !overwrite)
        status = check_unchanged(document, save, error);
    if (status != STATUS_OK)
        return status;
    return file_replace(save->target, save->text, save->length, !own && !overwrite, operations,
                        error);
}

/* The document is now that of the new file. */
static void describe(struct document *document, struct save *save, const struct scenario *scenario)
{
    free(document->path);
    document->path = save->name;
    save->name = NULL;
    ini_free(&document->ini);
    document->ini = save->ini;
    memset(&save->ini, 0, sizeof save->ini);
    scenario_copy(&document->loaded, scenario);
}

enum status scenario_save_with(const struct scenario *scenario, struct document *document,
                               const char *path, bool overwrite,
                               const struct file_operations *operations, struct error *error)
{
    struct save save = {NULL, NULL, NULL, 0, {NULL, 0, NULL, 0, NULL, 0}};
    struct error reason = {STATUS_OK, ""};
    enum status status;

    if (path == NULL)
        path = document->path;
    if (path == NULL || path[0] == '\0')
        return error_set(error, STATUS_INVALID, "this scenario has no file name yet");
    status = prepare(&save, scenario, document, path, &reason);
    if (status == STATUS_OK)
        status = write_file(&save, document, overwrite, operations, &reason);
    if (status == STATUS_OK)
        describe(document, &save, scenario);
    else
        error_set(error, status, "%s: %s", path, reason.message);
    save_free(&save);
    return status;
}

enum status scenario_save(const struct scenario *scenario, struct document *document,
                          const char *path, bool overwrite, struct error *error)
{
    return scenario_save_with(scenario, document, path, overwrite, &file_system, error);
}
