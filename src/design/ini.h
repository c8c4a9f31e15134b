/* An INI file: its lines, the position and spelling of each key, and its values.
 *
 * What could be read in two ways is rejected with a message, so that other readers of INI files,
 * such as iniparser, find the same values in every accepted file. Accepted:
 *
 *     ; comment          # comment          blank lines
 *     [section]          alone on its line
 *     key = value        value = "value"    value = 'value'
 *     key = value ; comment                 (; or # after a blank, or after a closing quote)
 *
 * A value that contains ; or # or starts with a quote must be quoted; there are no escapes, so a
 * value that contains " is quoted with '. Lines end in LF or CRLF (optional for the last line) and
 * hold at most 1022 bytes. Text is UTF-8 without control characters except the tab. A line, even a
 * comment, must not end in a backslash: some readers join the next line to it. */
#ifndef AOLAG_DESIGN_INI_H
#define AOLAG_DESIGN_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"

#define INI_BYTES_MAX ((size_t)1024 * 1024)
#define INI_LINE_MAX ((size_t)1022) /* without the line end */
#define INI_ENTRIES_MAX 8192        /* limit of sections and of keys */

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
    struct ini_span value;   /* value without its quotes */
    bool refused;            /* invalid and reported: there is no value */
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
    char *values; /* the same with a NUL after each value that was not refused */
    size_t length;
    struct ini_section *sections;
    size_t section_count;
    struct ini_key *keys;
    size_t key_count;
};

/* Scans a file; errors in it are added to `problems`. What is not text leaves `ini` empty. */
void ini_scan(const char *bytes, size_t length, struct ini *ini, struct problems *problems);
void ini_free(struct ini *ini);

bool ini_is(const struct ini *ini, struct ini_span span, const char *text);

/* Find a section by name, except refused ones, and a key of a section, including refused ones.
 * Return NULL if there is none. */
const struct ini_section *ini_find_section(const struct ini *ini, const char *name);
const struct ini_key *ini_find_key(const struct ini *ini, const struct ini_section *section,
                                   const char *name);

/* Returns true if the line at `start`, which holds no section or key, is blank; sets the offset of
 * the next line. */
bool ini_line_is_blank(const struct ini *ini, size_t start, size_t *next);

/* Returns the value of a key without its quotes; NULL for a refused one. */
const char *ini_value(const struct ini *ini, const struct ini_key *key);

/* Writes the contents of a span for messages, truncated to fit. */
void ini_excerpt(const struct ini *ini, struct ini_span span, char *text, size_t size);

#endif
