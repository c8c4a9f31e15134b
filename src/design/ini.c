#include "design/ini.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/embedded.h"
#include "base/iniparser.h"
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

static char to_small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Names that differ in capital letters only are one for iniparser. */
static bool names_equal(const char *a, const char *b, size_t length)
{
    while (length > 0 && to_small(*a) == to_small(*b)) {
        a++;
        b++;
        length--;
    }
    return length == 0;
}

static bool spans_equal(const struct ini *ini, struct ini_span a, struct ini_span b)
{
    return a.length == b.length &&
           names_equal(ini->bytes + a.start, ini->bytes + b.start, a.length);
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

/* Returns true if a value is between quotes and contains a backslash. */
static bool has_quoted_backslash(const char *spelled, size_t length)
{
    return length > 0 && (spelled[0] == '"' || spelled[0] == '\'') &&
           memchr(spelled, '\\', length) != NULL;
}

/* Returns true if a value of `length` bytes would be another one without its quotes. */
static bool needs_quotes(const char *value, size_t length)
{
    return is_blank(value[0]) || value[0] == '"' || value[0] == '\'' ||
           is_blank(value[length - 1]) || memchr(value, ';', length) != NULL ||
           memchr(value, '#', length) != NULL;
}

static const char *find_quoted_value(const struct ini *ini, struct ini_span value,
                                     struct ini_key *key)
{
    const char *start = ini->bytes + value.start;
    const char *end = memchr(start + 1, start[0], value.length - 1);

    if (end == NULL)
        return "the closing quote is missing";
    key->spelled = (struct ini_span){value.start, (size_t)(end - start) + 1};
    if (!is_comment(ini->bytes, span_from(value, value.start + key->spelled.length)))
        return "text follows the closing quote; a value that holds \" must be in '";
    if (has_quoted_backslash(start, key->spelled.length) &&
        needs_quotes(start + 1, key->spelled.length - 2))
        return "a backslash cannot be in a value that needs its quotes; some readers take it for "
               "an escape";
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
    key->spelled = trim_span(ini->bytes, (struct ini_span){value.start, length});
    return NULL;
}

/* Finds the spelling of the value after the = at `equals`; returns an error message or NULL. */
static const char *find_value(const struct ini *ini, struct ini_span line, size_t equals,
                              struct ini_key *key)
{
    struct ini_span value = trim_span(ini->bytes, span_from(line, equals + 1));

    key->spelled = value;
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

void ini_scan_lines(const char *bytes, size_t length, struct ini *ini, struct problems *problems)
{
    struct scan scan = {.ini = ini, .problems = problems};

    memset(ini, 0, sizeof *ini);
    if (!is_text(bytes, length, problems))
        length = 0;
    ini->bytes = allocate_part(length > 0 ? bytes : "", length);
    ini->length = length;
    scan_lines(&scan);
}

/* Values --------------------------------------------------------------------------------------- */

static void add_line(struct buffer *text, const struct ini *ini, struct ini_span line)
{
    buffer_add(text, ini->bytes + line.start, line.length);
    buffer_text(text, "\n");
}

/* Appends the lines that iniparser is to read: those that are not refused, byte for byte but for
 * the quotes around a backslash, of which a ; ends the value, so that the backslash does not end
 * the line. */
static void add_lines(struct buffer *text, const struct ini *ini)
{
    for (size_t s = 0; s < ini->section_count; s++) {
        const struct ini_section *section = &ini->sections[s];

        if (section->refused)
            continue;
        add_line(text, ini, section->text);
        for (size_t i = section->first; i < section->first + section->count; i++) {
            const struct ini_key *key = &ini->keys[i];
            size_t start = text->length + key->spelled.start - key->text.start;

            if (key->refused)
                continue;
            add_line(text, ini, key->text);
            if (!has_quoted_backslash(text->bytes + start, key->spelled.length))
                continue;
            text->bytes[start] = ' ';
            text->bytes[start + key->spelled.length - 1] = ';';
        }
    }
}

/* Returns true if the entry of that number is the section's, or that of a key in it. */
static bool is_entry(const dictionary *entries, size_t number, const struct ini *ini,
                     struct ini_span section, const struct ini_span *key)
{
    const char *name = number < (size_t)entries->n ? entries->key[number] : NULL;

    if (name == NULL || strlen(name) != section.length + (key == NULL ? 0 : 1 + key->length) ||
        !names_equal(name, ini->bytes + section.start, section.length))
        return false;
    return key == NULL
               ? entries->val[number] == NULL
               : entries->val[number] != NULL && name[section.length] == ':' &&
                     names_equal(name + section.length + 1, ini->bytes + key->start, key->length);
}

/* Takes the values that iniparser found; returns a line in which it found something else, 0 if
 * there is none. */
static int take_values(struct ini *ini, const dictionary *entries)
{
    size_t size = 0;
    size_t number = 0;
    char *at;

    for (size_t i = 0; i < (size_t)entries->n; i++)
        size += entries->val[i] == NULL ? 0 : strlen(entries->val[i]) + 1;
    at = ini->values = allocate(size + 1);
    for (size_t s = 0; s < ini->section_count; s++) {
        const struct ini_section *section = &ini->sections[s];

        if (section->refused)
            continue;
        if (!is_entry(entries, number++, ini, section->name, NULL))
            return section->line;
        for (size_t i = section->first; i < section->first + section->count; i++) {
            struct ini_key *key = &ini->keys[i];

            if (key->refused)
                continue;
            if (!is_entry(entries, number, ini, section->name, &key->name))
                return key->line;
            key->value = strcpy(at, entries->val[number++]);
            at += strlen(at) + 1;
        }
    }
    return number == (size_t)entries->n ? 0 : 1;
}

static void read_values(struct ini *ini, struct problems *problems)
{
    struct buffer text = {0};
    dictionary *entries;
    struct error error;
    int line = 0;

    add_lines(&text, ini);
    if (text.length == 0)
        return;
    entries = iniparser_read(text.bytes, text.length, &error);
    if (entries == NULL)
        problems_add_error(problems, &error);
    else
        line = take_values(ini, entries);
    if (line > 0)
        problems_add(problems, line, "iniparser reads the line in another way");
    for (size_t i = 0; i < ini->key_count && (entries == NULL || line > 0); i++)
        ini->keys[i].refused = true;
    iniparser_freedict(entries);
    buffer_free(&text);
}

void ini_scan(const char *bytes, size_t length, struct ini *ini, struct problems *problems)
{
    ini_scan_embedded(NULL, bytes, length, ini, problems);
}

void ini_scan_embedded(const struct embedded_file *file, const char *bytes, size_t length,
                       struct ini *ini, struct problems *problems)
{
    const char *value = file == NULL ? NULL : (const char *)file->values;

    ini_scan_lines(bytes, length, ini, problems);
    if (file == NULL)
        read_values(ini, problems);
    for (size_t i = 0; file != NULL && i < ini->key_count && i < file->value_count; i++) {
        ini->keys[i].value = value;
        value += strlen(value) + 1;
    }
}

/* Finding -------------------------------------------------------------------------------------- */

static bool ini_is(const struct ini *ini, struct ini_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(ini->bytes + span.start, text, span.length) == 0;
}

const char *ini_cannot_state(const char *value)
{
    if (strchr(value, '"') != NULL && strchr(value, '\'') != NULL)
        return "both \" and '";
    if (strchr(value, '\\') != NULL && needs_quotes(value, strlen(value)))
        return "a backslash and also ; or #, a quote at its start, or a blank at an end";
    return NULL;
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
