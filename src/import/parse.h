/* Reads JSON or YAML into a tree. A text of more than PARSE_BYTES_MAX bytes or with a control
 * character, bytes that are not UTF-8 included, is refused, as is what json.h, yaml.h and values.h
 * name. */
#ifndef AOLAG_IMPORT_PARSE_H
#define AOLAG_IMPORT_PARSE_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "import/values.h"

#define PARSE_BYTES_MAX (1 << 20)

/* daolite reads numbers of hardware files by a pattern of its own: yaml.h. */
enum parse_file { PARSE_PIPELINE, PARSE_HARDWARE };

/* Fills an empty tree, which values_free frees. The end of the name (.json, .yaml, .yml; `name` may
 * be NULL) tells the format, else the first character: JSON begins with { or [. On failure the tree
 * is empty, and `problems` holds the reason with its line. */
enum status parse_text(struct values *tree, const char *name, const char *bytes, size_t length,
                       enum parse_file file, struct problems *problems);

#endif
