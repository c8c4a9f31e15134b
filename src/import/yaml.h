/* Reader of YAML 1.1 for parse.h, by libyaml. It refuses several documents, keys that are no plain
 * values, merge keys (<<), tags of a programming language, and an alias within what it stands for.
 * An alias of a map or list takes one node, so that no text grows. Numbers may have an exponent
 * without a point (2500e9) and underscores. */
#ifndef AOLAG_IMPORT_YAML_H
#define AOLAG_IMPORT_YAML_H

#include "import/values.h"

enum status yaml_read(struct values_builder *builder, const char *bytes, size_t length);

#endif
