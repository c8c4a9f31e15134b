/* An INI file: its lines, the position and spelling of each key, and its values, which iniparser
 * reads.
 *
 * What could be read in two ways, also by versions 4.1 and 4.2 of iniparser, is rejected with a
 * message. Accepted:
 *
 *     ; comment          # comment          blank lines
 *     [section]          alone on its line
 *     key = value        value = "value"    value = 'value'
 *     key = value ; comment                 (; or # after a blank, or after a closing quote)
 *
 * A value that contains ; or # or starts with a quote must be quoted; there are no escapes, so a
 * value that contains " is quoted with '. Version 4.2 has escapes between quotes: a value with a
 * backslash is read without its quotes, and rejected if it needs them. Names that differ in capital
 * letters only are one. Lines end in LF or CRLF (optional for the last line) and hold at most 1022
 * bytes. Text is UTF-8 without control characters except the tab. A line, even a comment, must not
 * end in a backslash: some readers join the next line to it. */
#ifndef AOLAG_DESIGN_INI_H
#define AOLAG_DESIGN_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"

#define INI_BYTES_MAX ((size_t)1024 * 1024)
#define INI_LINE_MAX ((size_t)1022) /* without the line end */
#define INI_ENTRIES_MAX 8192        /* limit of sections and of keys */

struct embedded_file;

/* Bytes [start, start + length) of the file. */
struct ini_span {
    size_t start;
    size_t length;
};

struct ini_key {
    int line;
    struct ini_span text; /* line without its line end */
    size_t next;          /* offset of the next line */
    struct ini_span name;
    struct ini_span spelled; /* value with its quotes, without the comment */
    const char *value;       /* as iniparser read it; NULL: not at all */
    bool refused;            /* invalid and reported */
};

struct ini_section {
    int line;
    struct ini_span text;
    size_t next;
    struct ini_span name;
    size_t first; /* index of its first key */
    size_t count;
    bool refused; /* invalid and reported: its keys are ignored */
};

/* A zero-initialised struct is an empty file. */
struct ini {
    char *bytes;  /* copy of the file, terminated by a NUL */
    char *values; /* values that are not embedded, each ended by a NUL */
    size_t length;
    struct ini_section *sections;
    size_t section_count;
    struct ini_key *keys;
    size_t key_count;
};

/* Scans a file and has iniparser read its values; errors in it are added to `problems`. What is not
 * text leaves `ini` empty. */
void ini_scan(const char *bytes, size_t length, struct ini *ini, struct problems *problems);

/* The same for the text of an embedded file, whose values iniparser read when the program was built;
 * NULL: of none. */
void ini_scan_embedded(const struct embedded_file *file, const char *bytes, size_t length,
                       struct ini *ini, struct problems *problems);

/* The same without values. */
void ini_scan_lines(const char *bytes, size_t length, struct ini *ini, struct problems *problems);
void ini_free(struct ini *ini);

/* Find a section by name, except refused ones, and a key of a section, including refused ones.
 * Return NULL if there is none. */
const struct ini_section *ini_find_section(const struct ini *ini, const char *name);
const struct ini_key *ini_find_key(const struct ini *ini, const struct ini_section *section,
                                   const char *name);

/* Returns true if the line at `start`, which holds no section or key, is blank; sets the offset of
 * the next line. */
bool ini_line_is_blank(const struct ini *ini, size_t start, size_t *next);

/* Returns the value of a key without its quotes; NULL for a refused one. */
static inline const char *ini_value(const struct ini *ini, const struct ini_key *key)
{
    (void)ini;
    return key->refused ? NULL : key->value;
}

/* Returns what a value contains that no line can state, for a message "... cannot contain ...";
 * NULL if there is none. */
const char *ini_cannot_state(const char *value);

/* Writes the contents of a span for messages, truncated to fit. */
void ini_excerpt(const struct ini *ini, struct ini_span span, char *text, size_t size);

#endif
