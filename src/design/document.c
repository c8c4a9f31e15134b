#include "design/document.h"

#include <stdlib.h>
#include <string.h>

#include "design/scenario_edit.h"

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
