#include "design/ini.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/utf8.h"

#define EXCERPT_MAX 64

struct scan {
    struct ini *ini;
    struct problems *problems;
    int section_capacity;
    int key_capacity;
    int line;
    struct ini_span text; /* the line without its line end */
    size_t next;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct ini_span trim_span(const char *bytes, struct ini_span span)
{
    while (span.length > 0 && is_blank(bytes[span.start])) {
        span.start++;
        span.length--;
    }
    while (span.length > 0 && is_blank(bytes[span.start + span.length - 1]))
        span.length--;
    return span;
}

/* Returns the part of `span` from `start` on. */
static struct ini_span span_from(struct ini_span span, size_t start)
{
    return (struct ini_span){start, span.start + span.length - start};
}

static bool spans_equal(const struct ini *ini, struct ini_span a, struct ini_span b)
{
    return a.length == b.length &&
           memcmp(ini->bytes + a.start, ini->bytes + b.start, a.length) == 0;
}

/* Characters ----------------------------------------------------------------------------------- */

/* Returns true and adds a problem if the line contains invalid bytes. */
static bool has_bad_bytes(const struct scan *scan)
{
    const char *bytes = scan->ini->bytes + scan->text.start;
    size_t length = scan->text.length;
    size_t at = 0;
    int column = 1;

    if (length > INI_LINE_MAX) {
        problems_add(scan->problems, scan->line, "the line has %zu bytes; the maximum is %zu",
                     length, INI_LINE_MAX);
        return true;
    }
    for (uint32_t code = 0; at < length; column++) {
        size_t bytes_of;

        if (bytes[at] >= ' ' && bytes[at] <= '~') { /* most of them */
            at++;
            continue;
        }
        bytes_of = utf8_read(bytes + at, length - at, &code);
        if (bytes_of == 0) {
            problems_add(scan->problems, scan->line,
                         "byte 0x%02X at column %d is not UTF-8; save the file as UTF-8",
                         (unsigned)(unsigned char)bytes[at], column);
            return true;
        }
        if (utf8_is_control(code)) {
            problems_add(scan->problems, scan->line, "control character U+%04X at column %d",
                         (unsigned)code, column);
            return true;
        }
        at += bytes_of;
    }
    return false;
}

static bool ends_in_backslash(const struct scan *scan, struct ini_span line)
{
    if (line.length == 0 || scan->ini->bytes[line.start + line.length - 1] != '\\')
        return false;
    problems_add(scan->problems, scan->line,
                 "a backslash cannot end a line; put the value in double quotes, or write it in "
                 "one line");
    return true;
}

/* Sections ------------------------------------------------------------------------------------- */

static bool read_section_name(const struct scan *scan, struct ini_span line, struct ini_span *name)
{
    const char *bytes = scan->ini->bytes;
    const char *end = memchr(bytes + line.start, ']', line.length);
    char shown[EXCERPT_MAX];
    struct ini_span behind;

    ini_excerpt(scan->ini, line, shown, sizeof shown);
    if (end == NULL) {
        problems_add(scan->problems, scan->line, "%s: the closing ] is missing", shown);
        return false;
    }
    *name =
        trim_span(bytes, (struct ini_span){line.start + 1, (size_t)(end - bytes) - line.start - 1});
    behind = trim_span(bytes, span_from(line, (size_t)(end - bytes) + 1));
    ini_excerpt(scan->ini, *name, shown, sizeof shown);
    if (behind.length > 0)
        problems_add(scan->problems, scan->line, "text follows [%s]; a header is alone on its line",
                     shown);
    else if (name->length == 0)
        problems_add(scan->problems, scan->line, "[] names no section");
    else if (memchr(bytes + name->start, ':', name->length) != NULL)
        problems_add(
            scan->problems, scan->line,
            "[%s]: a section's name cannot contain a colon; use a point, as in [device.rtc]",
            shown);
    else
        return true;
    return false;
}

static bool section_is_new(const struct scan *scan, struct ini_span name)
{
    const struct ini *ini = scan->ini;
    char shown[EXCERPT_MAX];

    for (size_t i = 0; i < ini->section_count; i++) {
        if (ini->sections[i].refused || !spans_equal(ini, ini->sections[i].name, name))
            continue;
        ini_excerpt(ini, name, shown, sizeof shown);
        problems_add(scan->problems, scan->line, "[%s] is already on line %d; merge them", shown,
                     ini->sections[i].line);
        return false;
    }
    return true;
}

static void scan_section(struct scan *scan, struct ini_span line, bool good)
{
    struct ini *ini = scan->ini;
    struct ini_section section = {.line = scan->line,
                                  .text = scan->text,
                                  .next = scan->next,
                                  .name = {line.start, 0},
                                  .first = ini->key_count};

    if (good)
        good = read_section_name(scan, line, &section.name) && section_is_new(scan, section.name);
    section.refused = !good;
    ini->sections = array_reserve(ini->sections, (int)ini->section_count, &scan->section_capacity,
                                  sizeof section);
    ini->sections[ini->section_count++] = section;
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Returns true if only blanks or a comment follow the value. */
static bool is_comment(const char *bytes, struct ini_span span)
{
    struct ini_span text = trim_span(bytes, span);

    return text.length == 0 || bytes[text.start] == ';' || bytes[text.start] == '#';
}

static const char *find_quoted_value(const struct ini *ini, struct ini_span value,
                                     struct ini_key *key)
{
    const char *start = ini->bytes + value.start;
    const char *end = memchr(start + 1, start[0], value.length - 1);

    if (end == NULL)
        return "the closing quote is missing";
    key->value = (struct ini_span){value.start + 1, (size_t)(end - start) - 1};
    key->spelled = (struct ini_span){value.start, key->value.length + 2};
    if (!is_comment(ini->bytes, span_from(value, value.start + key->spelled.length)))
        return "text follows the closing quote; a value that holds \" must be in '";
    return NULL;
}

static const char *find_plain_value(const struct ini *ini, struct ini_span value,
                                    struct ini_key *key)
{
    size_t length = 0;
    size_t quotes = 0;

    for (; length < value.length; length++) {
        char c = ini->bytes[value.start + length];

        quotes += c == '"';
        if (c != ';' && c != '#')
            continue;
        if (length == 0 || !is_blank(ini->bytes[value.start + length - 1]))
            return length == 0 ? "the value is missing; one with ; or # must be in double quotes"
                               : "a value with ; or # must be in double quotes; a comment needs a "
                                 "blank before it";
        break;
    }
    if (quotes % 2 != 0)
        return "unbalanced quote; a value that holds \" must be in '";
    key->value = trim_span(ini->bytes, (struct ini_span){value.start, length});
    key->spelled = key->value;
    return NULL;
}

/* Finds the value after the = at `equals`; returns an error message or NULL. */
static const char *find_value(const struct ini *ini, struct ini_span line, size_t equals,
                              struct ini_key *key)
{
    struct ini_span value = trim_span(ini->bytes, span_from(line, equals + 1));

    key->spelled = value;
    key->value = value;
    if (value.length == 0)
        return NULL;
    if (ini->bytes[value.start] == '"' || ini->bytes[value.start] == '\'')
        return find_quoted_value(ini, value, key);
    return find_plain_value(ini, value, key);
}

static bool key_is_new(const struct scan *scan, const struct ini_section *section,
                       const struct ini_key *key)
{
    const struct ini *ini = scan->ini;
    char shown[EXCERPT_MAX];

    for (size_t i = section->first; i < section->first + section->count; i++) {
        if (!spans_equal(ini, ini->keys[i].name, key->name))
            continue;
        ini_excerpt(ini, key->name, shown, sizeof shown);
        problems_add(scan->problems, scan->line,
                     "%s is already on line %d of this section; keep one of them", shown,
                     ini->keys[i].line);
        return false;
    }
    return true;
}

/* Returns false and adds a problem if `line` is not a valid key = value. */
static bool read_key_line(const struct scan *scan, struct ini_span line, size_t equals,
                          struct ini_key *key)
{
    const struct ini *ini = scan->ini;
    const char *wrong;
    char name[EXCERPT_MAX];
    char value[EXCERPT_MAX];

    ini_excerpt(ini, line, value, sizeof value);
    ini_excerpt(ini, key->name, name, sizeof name);
    if (key->name.length == 0) {
        problems_add(scan->problems, scan->line, "%s: a key is missing before the =", value);
        return false;
    }
    if (ini->section_count == 0) {
        problems_add(scan->problems, scan->line,
                     "%s is before the first section; a [section] must come first", name);
        return false;
    }
    if (!key_is_new(scan, &ini->sections[ini->section_count - 1], key))
        return false;
    wrong = find_value(ini, line, equals, key);
    if (wrong == NULL)
        return true;
    ini_excerpt(ini, trim_span(ini->bytes, span_from(line, equals + 1)), value, sizeof value);
    problems_add(scan->problems, scan->line, "%s = %s: %s", name, value, wrong);
    return false;
}

/* Records a key; one on an invalid line (`good` is false) is refused but not missing. */
static void scan_key(struct scan *scan, struct ini_span line, bool good)
{
    struct ini *ini = scan->ini;
    const char *equals = memchr(ini->bytes + line.start, '=', line.length);
    struct ini_key key = {.line = scan->line, .text = scan->text, .next = scan->next};
    char shown[EXCERPT_MAX];
    size_t at;

    if (equals == NULL) {
        ini_excerpt(ini, line, shown, sizeof shown);
        if (good)
            problems_add(scan->problems, scan->line,
                         "\"%s\" is not a [section], key = value or ; comment", shown);
        return;
    }
    at = (size_t)(equals - ini->bytes);
    key.name = trim_span(ini->bytes, (struct ini_span){line.start, at - line.start});
    key.refused = !good || !read_key_line(scan, line, at, &key);
    if (ini->section_count == 0)
        return;
    ini->keys = array_reserve(ini->keys, (int)ini->key_count, &scan->key_capacity, sizeof key);
    ini->keys[ini->key_count++] = key;
    ini->sections[ini->section_count - 1].count++;
}

/* Lines ---------------------------------------------------------------------------------------- */

static void scan_line(struct scan *scan)
{
    struct ini_span line = trim_span(scan->ini->bytes, scan->text);
    char first = line.length > 0 ? scan->ini->bytes[line.start] : '\0';
    bool good = !has_bad_bytes(scan) && !ends_in_backslash(scan, line);

    if (line.length == 0 || first == ';' || first == '#')
        return;
    if (first == '[')
        scan_section(scan, line, good);
    else
        scan_key(scan, line, good);
}

/* Advances to the line at scan->next. */
static void find_next_line(struct scan *scan)
{
    const struct ini *ini = scan->ini;
    size_t start = scan->next;
    const char *end = memchr(ini->bytes + start, '\n', ini->length - start);

    scan->line++;
    scan->next = end == NULL ? ini->length : (size_t)(end - ini->bytes) + 1;
    scan->text = (struct ini_span){start, scan->next - start - (end != NULL)};
    if (end != NULL && scan->text.length > 0 && end[-1] == '\r')
        scan->text.length--;
}

/* Returns false and adds a problem if the bytes are not text. */
static bool is_text(const char *bytes, size_t length, struct problems *problems)
{
    const char *zero = length == 0 ? NULL : memchr(bytes, '\0', length);
    int line = 1;

    if (length > INI_BYTES_MAX) {
        problems_add(problems, 0, "is larger than %zu KiB, the limit", INI_BYTES_MAX / 1024);
        return false;
    }
    if (length >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0)) {
        problems_add(problems, 1, "the file is UTF-16; save it as UTF-8");
        return false;
    }
    if (zero == NULL)
        return true;
    for (const char *at = bytes; at < zero; at++)
        line += *at == '\n';
    problems_add(problems, line, "the line holds a NUL byte; this is not a text file");
    return false;
}

static void scan_lines(struct scan *scan)
{
    struct ini *ini = scan->ini;

    if (ini->length >= 3 && memcmp(ini->bytes, "\xEF\xBB\xBF", 3) == 0) {
        problems_add(scan->problems, 1,
                     "the file starts with a byte-order mark; save it as UTF-8 without one");
        scan->next = 3;
    }
    while (scan->next < ini->length) {
        find_next_line(scan);
        scan_line(scan);
        if (ini->section_count + ini->key_count > INI_ENTRIES_MAX) {
            problems_add(scan->problems, scan->line, "more than %d sections and keys",
                         INI_ENTRIES_MAX);
            break;
        }
    }
}

/* Makes the copy of the text in which a NUL ends each value. */
static void end_values(struct ini *ini)
{
    ini->values = allocate_part(ini->bytes, ini->length);
    for (size_t i = 0; i < ini->key_count; i++)
        if (!ini->keys[i].refused)
            ini->values[ini->keys[i].value.start + ini->keys[i].value.length] = '\0';
}

void ini_scan(const char *bytes, size_t length, struct ini *ini, struct problems *problems)
{
    struct scan scan = {.ini = ini, .problems = problems};

    memset(ini, 0, sizeof *ini);
    if (!is_text(bytes, length, problems))
        length = 0;
    ini->bytes = allocate_part(length > 0 ? bytes : "", length);
    ini->length = length;
    scan_lines(&scan);
    end_values(ini);
}

/* Finding -------------------------------------------------------------------------------------- */

bool ini_is(const struct ini *ini, struct ini_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(ini->bytes + span.start, text, span.length) == 0;
}

const char *ini_value(const struct ini *ini, const struct ini_key *key)
{
    return key->refused ? NULL : ini->values + key->value.start;
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
    free(ini->values);
    free(ini->sections);
    free(ini->keys);
    memset(ini, 0, sizeof *ini);
}
