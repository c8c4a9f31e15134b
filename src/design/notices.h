/* Notices: what a scenario file states whose meaning, or whose default beside it, has changed since
 * the format was defined, so that its result is another one than before. The file loads all the
 * same. Each names the key that replaces or confirms it, after which there is no notice. */
#ifndef AOLAG_DESIGN_NOTICES_H
#define AOLAG_DESIGN_NOTICES_H

#include <stdbool.h>

#include "base/problems.h"
#include "design/preset.h"
#include "design/scenario_file.h"

/* Adds the notices of a document as it was read, in the order of its lines: all, or if not `all`
 * one of each kind with the number of others. A file that states nothing new, and is no copy of a
 * preset of the catalogue, may be of an earlier version or not: its notice, that defaults have
 * changed, is among all only. */
void notices_find(const struct document *document, const struct catalogue *catalogue, bool all,
                  struct problems *notices);

#endif
