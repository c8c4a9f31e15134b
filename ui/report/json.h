/* Writing JSON (RFC 8259): one document, indented by two spaces or on one line, always valid.
 *
 * Members of an object take a key, elements of an array NULL. Text is UTF-8; invalid bytes
 * become U+FFFD. Write errors stay in the stream. */
#ifndef AOLAG_REPORT_JSON_H
#define AOLAG_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#define JSON_DEPTH_MAX 160

struct json {
    FILE *out;
    bool line; /* the document is one */
    int depth;
    bool filled[JSON_DEPTH_MAX]; /* the container at this depth has a member */
};

struct json json_to(FILE *out);
struct json json_line_to(FILE *out);

/* The document's own object has no key either; ending it ends the line. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);

void json_text(struct json *json, const char *key, const char *value); /* NULL: null */
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* The shortest digits that read back the same; null for RESULT_NONE and for numbers that
 * JSON does not have. */
void json_number(struct json *json, const char *key, double value);

#endif
