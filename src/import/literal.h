/* Reader of Python literals: numbers, texts, True, False, None, and lists of them (tuples too),
 * which may have several lines, and comments in them. */
#ifndef AOLAG_IMPORT_LITERAL_H
#define AOLAG_IMPORT_LITERAL_H

#include "import/values.h"

#define LITERAL_DEPTH_MAX 8 /* lists within each other */

/* Appends the literal to the map that is open; `line` is that of its key. What is no literal is a
 * text, as it stands, whose `means` says so; a list that does not end, has something else in it or
 * is deeper than LITERAL_DEPTH_MAX is refused. Returns false after a problem. */
bool literal_put(struct values_builder *builder, int line, const char *key, const char *text);

#endif
