#include "ini_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <iniparser/iniparser.h>

struct ini_values {
    dictionary *dictionary;
};

static int silent(const char *format, ...)
{
    (void)format;
    return 0;
}

static bool is_lower(const struct ini *ini, struct ini_span name)
{
    for (size_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)ini->bytes[name.start + i];

        if ((c >= 'A' && c <= 'Z') || c >= 0x80)
            return false;
    }
    return true;
}

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, bytes, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* The accepted lines, each ended by LF. They are no more bytes than the file, and a line end. */
static char *accepted_text(const struct ini *ini, size_t *length)
{
    char *text = malloc(ini->length + 2);
    char *at = text;

    if (text == NULL)
        return NULL;
    for (size_t s = 0; s < ini->section_count; s++) {
        const struct ini_section *section = &ini->sections[s];

        if (section->refused || !is_lower(ini, section->name))
            continue;
        memcpy(at, ini->bytes + section->text.start, section->text.length);
        at += section->text.length;
        *at++ = '\n';
        for (size_t k = section->first; k < section->first + section->count; k++) {
            const struct ini_key *key = &ini->keys[k];

            if (key->refused || !is_lower(ini, key->name))
                continue;
            memcpy(at, ini->bytes + key->text.start, key->text.length);
            at += key->text.length;
            *at++ = '\n';
        }
    }
    *length = (size_t)(at - text);
    return text;
}

/* NULL when the system refuses (`reason` is then its errno) or iniparser does (0). */
static dictionary *load(const char *text, size_t length, int *reason)
{
    int file = memfd_create("aolag", MFD_CLOEXEC);
    dictionary *loaded = NULL;
    char path[48];

    *reason = errno;
    if (file < 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write_all(file, text, length) && access(path, R_OK) == 0) {
        iniparser_set_error_callback(silent);
        loaded = iniparser_load(path);
        iniparser_set_error_callback(NULL);
        *reason = 0;
    } else {
        *reason = errno;
    }
    close(file);
    return loaded;
}

enum status ini_values_open(const struct ini *ini, struct ini_values **values, struct error *error)
{
    int reason;
    size_t length;
    char *text = accepted_text(ini, &length);

    *values = malloc(sizeof **values);
    if (text == NULL || *values == NULL) {
        free(text);
        free(*values);
        *values = NULL;
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    (*values)->dictionary = load(text, length, &reason);
    free(text);
    if ((*values)->dictionary != NULL)
        return STATUS_OK;
    free(*values);
    *values = NULL;
    if (reason != 0)
        return error_set(error, STATUS_IO, "no memory file to read it through: %s",
                         strerror(reason));
    return error_set(error, STATUS_INVALID,
                     "internal error: iniparser refuses text that was found good");
}

void ini_values_close(struct ini_values *values)
{
    if (values == NULL)
        return;
    iniparser_freedict(values->dictionary);
    free(values);
}

const char *ini_value(const struct ini_values *values, const struct ini *ini,
                      const struct ini_section *section, const struct ini_key *key,
                      struct error *error)
{
    char path[2 * INI_LINE_MAX + 2];
    const char *value;

    snprintf(path, sizeof path, "%.*s:%.*s", (int)section->name.length,
             ini->bytes + section->name.start, (int)key->name.length, ini->bytes + key->name.start);
    value = iniparser_getstring(values->dictionary, path, NULL);
    if (value != NULL && ini_is(ini, key->value, value))
        return value;
    error_set(error, STATUS_INVALID, "internal error: iniparser reads this line as \"%.80s\"",
              value == NULL ? "" : value);
    return NULL;
}
