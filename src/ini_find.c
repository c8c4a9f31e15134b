#include <stdlib.h>
#include <string.h>

#include "ini_scan.h"
#include "utf8.h"

bool ini_is(const struct ini *ini, struct ini_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(ini->bytes + span.start, text, span.length) == 0;
}

void ini_excerpt(const struct ini *ini, struct ini_span span, char *text, size_t size)
{
    utf8_excerpt(text, size, span.length == 0 ? "" : ini->bytes + span.start, span.length);
}

const struct ini_section *ini_find_section(const struct ini *ini, const char *name)
{
    for (size_t i = 0; i < ini->section_count; i++)
        if (!ini->sections[i].refused && ini_is(ini, ini->sections[i].name, name))
            return &ini->sections[i];
    return NULL;
}

const struct ini_key *ini_find_key(const struct ini *ini, const struct ini_section *section,
                                   const char *name)
{
    for (size_t i = section->first; i < section->first + section->count; i++)
        if (ini_is(ini, ini->keys[i].name, name))
            return &ini->keys[i];
    return NULL;
}

bool ini_line_is_blank(const struct ini *ini, size_t start, size_t *next)
{
    const char *end = memchr(ini->bytes + start, '\n', ini->length - start);
    size_t at = start;

    *next = end == NULL ? ini->length : (size_t)(end - ini->bytes) + 1;
    while (at < *next && strchr(" \t\r\n", ini->bytes[at]) != NULL)
        at++;
    return at == *next;
}

void ini_free(struct ini *ini)
{
    free(ini->bytes);
    free(ini->sections);
    free(ini->keys);
    memset(ini, 0, sizeof *ini);
}
