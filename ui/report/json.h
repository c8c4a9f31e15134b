/* JSON writer (RFC 8259): one document, indented by two spaces or on one line, always valid.
 *
 * Members of an object need a key; elements of an array have the key NULL. Text is UTF-8; invalid
 * bytes become U+FFFD, unsafe characters (base/utf8.h) are escaped. The caller checks the stream for write errors. */
#ifndef AOLAG_REPORT_JSON_H
#define AOLAG_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#define JSON_DEPTH_MAX 160

struct json {
    FILE *out;
    bool line; /* the document is on one line */
    int depth;
    bool filled[JSON_DEPTH_MAX]; /* true if the container at this depth has a member */
};

struct json json_to(FILE *out);
struct json json_line_to(FILE *out);

/* The root object has the key NULL; ending it ends the line. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);

void json_text(struct json *json, const char *key, const char *value); /* NULL: null */
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* Writes the shortest digits that read back as the same value; null for RESULT_NONE, infinities and
 * NaN. */
void json_number(struct json *json, const char *key, double value);

#endif
