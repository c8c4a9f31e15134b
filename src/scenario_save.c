#include "scenario_ini.h"

#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "program_library.h"

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
