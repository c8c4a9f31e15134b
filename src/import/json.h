/* Reader of JSON (RFC 8259) for parse.h: libjansson reads the text, which has no lines; a walk
 * along the same text finds them. It refuses a key given twice and numbers beyond those of a
 * double. */
#ifndef AOLAG_IMPORT_JSON_H
#define AOLAG_IMPORT_JSON_H

#include <jansson.h>

#include "import/values.h"

/* Reads a text with libjansson, on the program's allocator; NULL with its error. All numbers are
 * reals, since an integer beyond 64 bits is a number, too. */
json_t *json_load_text(const char *bytes, size_t length, json_error_t *error);

enum status json_read(struct values_builder *builder, const char *bytes, size_t length);

#endif
