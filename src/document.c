#include "document.h"

#include <stdlib.h>
#include <string.h>

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
