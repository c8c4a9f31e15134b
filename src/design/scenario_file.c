#include "design/scenario_file.h"

#include <stdlib.h>
#include <string.h>

#include "design/scenario_edit.h"
#include "design/scenario_write.h"
#include "design/trace_library.h"

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

/* Reading ------------------------------------------------------------------------------------ */

/* Makes the document of `bytes`, of a file where `path` is not NULL. */
static enum status read_document(struct scenario *scenario, struct document **document,
                                 const char *path, const char *bytes, size_t length,
                                 const struct scenario_source *source, struct problems *problems)
{
    struct document *read;
    enum status status = document_new(&read, NULL);

    if (status != STATUS_OK)
        return status;
    if (path != NULL) {
        read->path = strdup(path);
        if (read->path == NULL)
            status = STATUS_MEMORY;
    }
    if (status == STATUS_OK)
        status = scenario_read(&read->loaded, &read->ini, bytes, length, source, problems);
    if (status != STATUS_OK) {
        document_free(read);
        return status;
    }
    *scenario = read->loaded;
    document_free(*document);
    *document = read;
    return STATUS_OK;
}

enum status scenario_parse_from(struct scenario *scenario, struct document **document,
                                const char *bytes, size_t length,
                                const struct scenario_source *source, struct problems *problems)
{
    return read_document(scenario, document, NULL, bytes, length, source, problems);
}

enum status scenario_parse(struct scenario *scenario, struct document **document, const char *bytes,
                           size_t length, struct catalogue *catalogue, struct problems *problems)
{
    const struct scenario_source source = {.catalogue = catalogue};

    return read_document(scenario, document, NULL, bytes, length, &source, problems);
}

enum status scenario_parse_preset(struct scenario *scenario, struct document **document,
                                  const struct preset *preset, struct catalogue *catalogue,
                                  struct problems *problems)
{
    const struct scenario_source source = {.catalogue = catalogue, .from = preset->path};

    return read_document(scenario, document, NULL, preset->text, preset->length, &source, problems);
}

enum status scenario_load_from(struct scenario *scenario, struct document **document,
                               const struct scenario_source *source, struct problems *problems)
{
    struct error error;
    enum status status;
    char *bytes;
    size_t length;

    problems_free(problems);
    status = file_read(source->from, INI_BYTES_MAX, &bytes, &length, NULL, &error);
    if (status != STATUS_OK) {
        problems_add(problems, 0, "%s", error.message);
        return status;
    }
    status = read_document(scenario, document, source->from, bytes, length, source, problems);
    free(bytes);
    return status;
}

enum status scenario_load(struct scenario *scenario, struct document **document, const char *path,
                          struct catalogue *catalogue, struct problems *problems)
{
    const struct scenario_source source = {.catalogue = catalogue, .from = path};

    return scenario_load_from(scenario, document, &source, problems);
}

/* Writing ------------------------------------------------------------------------------------ */

char *scenario_text(const struct scenario *scenario, const struct document *document,
                    size_t *length)
{
    static const struct document none;

    if (document == NULL)
        document = &none;
    return scenario_write(scenario, &document->ini, &document->loaded, length);
}

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

static enum status prepare_save(struct save *save, const struct scenario *scenario,
                                const struct document *document, const char *path,
                                struct error *error)
{
    struct scenario *moved;

    save->target = file_resolve(path, error);
    if (save->target == NULL)
        return error->status;
    moved = malloc(sizeof *moved);
    if (moved != NULL) {
        scenario_copy(moved, scenario);
        scenario_move_traces(moved, document->path, path);
        save->text = scenario_text(moved, document, &save->length);
        free(moved);
    }
    save->name = strdup(path);
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

    if (own && !overwrite) {
        enum status status = check_unchanged(document, save, error);

        if (status != STATUS_OK)
            return status;
    }
    return file_replace(save->target, save->text, save->length, !own && !overwrite, operations,
                        error);
}

enum status scenario_save_with(const struct scenario *scenario, struct document *document,
                               const char *path, bool overwrite,
                               const struct file_operations *operations, struct error *error)
{
    struct save save = {.name = NULL};
    struct error reason = {STATUS_OK, ""};
    enum status status;

    if (path == NULL)
        path = document->path;
    if (path == NULL || path[0] == '\0')
        return error_set(error, STATUS_INVALID, "this scenario has no file name yet");
    status = prepare_save(&save, scenario, document, path, &reason);
    if (status == STATUS_OK)
        status = write_file(&save, document, overwrite, operations, &reason);
    if (status == STATUS_OK) {
        struct document old = *document;

        document->path = save.name;
        document->ini = save.ini;
        scenario_copy(&document->loaded, scenario);
        save.name = old.path;
        save.ini = old.ini;
    } else {
        error_set(error, status, "%s: %s", path, reason.message);
    }
    save_free(&save);
    return status;
}

enum status scenario_save(const struct scenario *scenario, struct document *document,
                          const char *path, bool overwrite, struct error *error)
{
    return scenario_save_with(scenario, document, path, overwrite, &file_system, error);
}
