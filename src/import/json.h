/* Reader of JSON (RFC 8259) for parse.h: libjansson reads the text, which has no lines; a walk
 * along the same text finds them. It refuses a key given twice and numbers beyond those of a
 * double. */
#ifndef AOLAG_IMPORT_JSON_H
#define AOLAG_IMPORT_JSON_H

#include "import/values.h"

enum status json_read(struct values_builder *builder, const char *bytes, size_t length);

#endif
