/* An INI file: its lines, where each key stands and how it is spelled, and its values as iniparser
 * reads them.
 *
 * iniparser gives values but no line numbers, nothing of a bad file, and misreads some files
 * silently. So the bytes are scanned here first, and every line that iniparser would misread is
 * refused with a message. Accepted:
 *
 *     ; comment          # comment          blank lines
 *     [section]          alone on its line
 *     key = value        value = "value"    value = 'value'
 *     key = value ; comment                 (; or # after a blank, or after a closing quote)
 *
 * A value that holds ; or # or starts with a quote must stand in quotes; there are no escapes, so
 * one that holds " stands in '. Lines end in LF or CRLF, the last one need not end; one holds at
 * most 1022 bytes. Text is UTF-8 without control characters but the tab. No backslash at the end
 * of a line, not even of a comment: iniparser would join the next line to it. */
#ifndef AOLAG_DESIGN_INI_H
#define AOLAG_DESIGN_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"

#define INI_BYTES_MAX ((size_t)1024 * 1024)
#define INI_LINE_MAX ((size_t)1022) /* iniparser's buffer less the line's end */
#define INI_ENTRIES_MAX 8192        /* sections, and keys */

/* Bytes [start, start + length) of the file. */
struct ini_span {
    size_t start;
    size_t length;
};

struct ini_key {
    int line;
    struct ini_span text; /* the line without its end */
    size_t next;          /* where the next line starts */
    struct ini_span name;
    struct ini_span spelled; /* the value with its quotes, without the comment */
    struct ini_span value;   /* without its quotes */
    bool refused;            /* a problem names it: there is no value */
};

struct ini_section {
    int line;
    struct ini_span text;
    size_t next;
    struct ini_span name;
    size_t first; /* of its keys */
    size_t count;
    bool refused; /* a problem names it: its keys belong nowhere */
};

/* Zero-initialised is an empty file. */
struct ini {
    char *bytes; /* a copy, and a NUL */
    size_t length;
    struct ini_section *sections;
    size_t section_count;
    struct ini_key *keys;
    size_t key_count;
};

/* STATUS_OK when the bytes were scanned; errors in them are in `problems`. Only
 * STATUS_MEMORY leaves `ini` empty. */
enum status ini_scan(const char *bytes, size_t length, struct ini *ini, struct problems *problems);
void ini_free(struct ini *ini);

bool ini_is(const struct ini *ini, struct ini_span span, const char *text);

/* A section by its name, not one refused; a section's key by its name, also one refused. NULL when
 * there is none. */
const struct ini_section *ini_find_section(const struct ini *ini, const char *name);
const struct ini_key *ini_find_key(const struct ini *ini, const struct ini_section *section,
                                   const char *name);

/* The line at `start`, where no section or key stands: whether it is blank, and where the next one
 * starts. */
bool ini_line_is_blank(const struct ini *ini, size_t start, size_t *next);

/* Text for messages: what the span holds, cut to fit. */
void ini_excerpt(const struct ini *ini, struct ini_span span, char *text, size_t size);

/* Values of a scanned file, read by iniparser.
 *
 * iniparser loads from a path only: the accepted lines go to it through a memory file
 * (memfd_create and /proc/self/fd, so Linux). Its typed getters crash on a section's name
 * (CVE-2023-33461) and follow the locale; only iniparser_getstring is called here, and only with
 * section and key. Its messages are silenced. */

struct ini_values;

/* Loads the sections and keys that were not refused and whose names are lower case (iniparser
 * lowers names, which could make two keys one; no other name is ever asked for). */
enum status ini_values_open(const struct ini *ini, struct ini_values **values, struct error *error);
void ini_values_close(struct ini_values *values);

/* The value of a key that was not refused. NULL and an error when iniparser reads the line in
 * another way than ini_scan: that is a defect of ours and never passes in silence. */
const char *ini_value(const struct ini_values *values, const struct ini *ini,
                      const struct ini_section *section, const struct ini_key *key,
                      struct error *error);

#endif
